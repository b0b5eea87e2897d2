"""Scratch servers of programs: found, started, and gone with whoever started them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemacheck.dataclass import replace
from schemacheck.errors import InputError, UsageError
from schemacheck.model import Server
from schemacheck.scratch import Limits, open_server, process, program, start, warden
from schemacheck.scratch.where import program_maker

#: A server that says its version, makes nothing, and listens on its socket; its first starts meet another
#: server on their port, as MySQL and MariaDB say it.
FAKE = """#!{python} -IS
import os, pathlib, socket, sys, time
options = dict(option[2:].partition("=")[::2] for option in sys.argv[1:])
if "version" in options:
    print("mysqld  Ver {version} for Linux on x86_64")
    raise SystemExit
if "initialize-insecure" in options:
    raise SystemExit
tried = pathlib.Path("{tried}")
tried.write_text(tried.read_text() + "." if tried.exists() else ".")
if len(tried.read_text()) <= {taken}:
    print("Can't start server: Bind on TCP/IP port: Address already in use")
    raise SystemExit(1)
{extra}
with socket.socket(socket.AF_UNIX) as end:
    end.bind(options["socket"])
    end.listen()
    time.sleep(60)
"""


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder with a short name, where servers are made: a socket's name has 107 bytes at most."""
    with tempfile.TemporaryDirectory(prefix="p") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(autouse=True)
def as_this_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake's interpreter may lie where nobody else may run it."""
    monkeypatch.setattr(program.Program, "public", lambda _: False)


def fake(folder: Path, *, version: str = "8.0.40", taken: int = 0, extra: str = "") -> Path:
    (folder / "tried").touch(0o666)
    (folder / "tried").chmod(0o666)
    path = folder / "mysqld"
    path.write_text(
        FAKE.format(python=sys.executable, version=version, taken=taken, extra=extra, tried=folder / "tried")
    )
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("taken", [2, 9])
def test_a_port_that_another_took_is_not_the_end(taken, short, monkeypatch):
    server = program.named(str(fake(short, taken=taken)))
    (short / "t").mkdir(mode=0o777)
    monkeypatch.setattr("tempfile.tempdir", str(short / "t"))
    if taken > 2:
        with (
            pytest.raises(InputError, match="Address already in use"),
            start.pair(program_maker(server), program_maker(server)),
        ):
            pass
    else:
        with start.pair(program_maker(server), program_maker(server)):
            assert (short / "tried").read_text() == "...."
    assert list((short / "t").iterdir()) == []


def test_a_program_of_another_version_does_not_answer(short, monkeypatch):
    asked = Server.parse("mysql-8.0.40")
    place = str(fake(short))
    assert program.named(str(short)).server == asked
    # 8.0.36 is of the series, and the facts know no difference; 8.0.11 has no CHECK, 5.7 is another series.
    assert Server.parse("mysql-8.0.36").answers_for(asked)
    monkeypatch.setenv("PATH", str(short))
    monkeypatch.setattr(program, "ROOTS", ())
    for other in ("mysql-8.0.11", "mysql-5.7.44", "percona-8.0.40", "mariadb-10.11"):
        for where in ("local", f"local:{place}"):
            with (
                pytest.raises(UsageError, match=r"on this machine, there is MySQL 8\.0\.40 \("),
                open_server(where, Server.parse(other)),
            ):
                pass
    assert program.fitting(asked).path == short / "mysqld"
    with pytest.raises(UsageError, match=r"no program of MySQL 5\.7\.44 .* there is MySQL 8\.0\.40 \(/"):
        program.fitting(Server.parse("mysql-5.7.44"))
    # Two versions, two programs.
    (short / "old").mkdir()
    both = f"{fake(short / 'old', version='5.7.44')}:{place}"
    assert program.fitting(Server.parse("mysql-5.7.44"), both).path == short / "old" / "mysqld"
    assert program.fitting(asked, both).path == short / "mysqld"
    # A checkout's program is never run because PATH has its folder by chance.
    monkeypatch.setenv("PATH", ".")
    monkeypatch.chdir(short)
    with pytest.raises(UsageError, match="there is no server program at all"):
        program.fitting(asked)


@pytest.mark.parametrize("folder", ["", "bin", "sbin", "libexec", "server", "usr/sbin", "usr/local/libexec"])
def test_an_unpacked_server_is_found_in_its_folder(folder, short, monkeypatch):
    """With its own share files and libraries, wherever below it the program lies."""
    home = short / "mysql-8.0"
    base = home.joinpath(*folder.split("/")[:-1]) if folder != "server" else home / "server"
    (home / folder).mkdir(parents=True)
    for name in ("share/english", "lib/private"):
        (base / name).mkdir(parents=True)
    (base / "lib/private/libx.so.1").touch()
    made = fake(home / folder)
    server = program.named(str(home))
    assert (server.path, server.base, server.share) == (made, base, base / "share")
    assert server.libraries == str(base / "lib/private")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(program, "ROOTS", (f"{str(short)[1:]}/[mp]*",))
    listed = [one.path for one in program.programs()]
    assert listed == ([made] if folder in program.FOLDERS else [])


@pytest.mark.parametrize(
    "place", ["lib/plugin", "lib64/mariadb/plugin", "lib/x86_64-linux-gnu/libmariadb3/plugin"]
)
def test_a_mariadb_server_has_the_plugin_that_logs_in_to_mysql(place, short):
    (short / place).mkdir(parents=True)
    plugin = short / place / "caching_sha2_password.so"
    plugin.touch()
    (short / "bin").mkdir()
    made = program.named(str(fake(short / "bin", version="11.8.9-MariaDB")))
    (short / "scratch").mkdir()
    program_maker(replace(made, server=Server.parse("mysql-9.7")))(short / "scratch", Limits(), ())
    assert list((short / "scratch/plugins").iterdir()) == []
    (short / "share/english").mkdir(parents=True)
    (short / "share/mariadb_system_tables.sql").touch()
    (short / "other").mkdir()
    program_maker(made)(short / "other", Limits(), ())
    assert [one.readlink() for one in (short / "other/plugins").iterdir()] == [plugin]


@pytest.mark.parametrize(
    ("extra", "why"),
    [
        ("bytearray(200 << 20)", "MemoryError"),
        ("open('tmp/big', 'wb').write(bytes(9 << 20))", "File too large"),
        (
            "for n in range(9): open(f'tmp/{n}', 'wb').write(bytes(7 << 20))\ntime.sleep(9)",
            "more than 40 MiB",
        ),
    ],
)
def test_what_takes_too_much_ends(extra, why, short, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(short))
    server = program.named(str(fake(short, extra=extra)))
    limits = Limits(memory=150 << 20, folder=40 << 20, file=8 << 20)
    before = sorted(short.iterdir())
    with pytest.raises(InputError, match=why), start.started(program_maker(server), limits):
        pass
    assert sorted(short.iterdir()) == before


def test_a_server_that_may_not_live_in_memory_lives_on_the_disk(short):
    """AppArmor's profile of Ubuntu's mysqld has no right to /dev/shm."""
    if not process.IN_MEMORY.is_dir():
        pytest.skip("no /dev/shm")
    extra = "if not options['datadir'].startswith('/tmp'): raise SystemExit('Permission denied')"
    with start.started(
        program_maker(program.named(str(fake(short, extra=extra)))), Limits(folder=8 << 20)
    ) as end:
        assert (end.socket or "").startswith("/tmp")
    assert (short / "tried").read_text() == ".."


@pytest.mark.parametrize("killed", ["parent", "warden"])
def test_a_server_does_not_outlive_a_killed_run(killed, short):
    place = fake(short)
    script = (
        "import sys, time, tempfile; tempfile.tempdir = sys.argv[2]\n"
        "from schemacheck.scratch import Limits, program, start\n"
        "from schemacheck.scratch.where import program_maker\n"
        "program.Program.public = lambda _: False\n"
        "with start.started(program_maker(program.named(sys.argv[1])), Limits()) as end:\n"
        "    print('up', flush=True); time.sleep(60)"
    )
    (short / "t").mkdir()
    run = subprocess.Popen(
        [sys.executable, "-c", script, str(place), str(short / "t")], stdout=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "up\n"
    assert len(those_of(short)) == 1
    if killed == "parent":
        run.kill()
    else:
        subprocess.run(["kill", "-9", *map(str, wardens(run.pid))], check=True)
    for _ in range(100):
        if not those_of(short) and (killed == "warden" or not list((short / "t").iterdir())):
            break
        time.sleep(0.1)
    run.kill()
    run.communicate()
    assert those_of(short) == []
    if killed == "parent":
        assert list((short / "t").iterdir()) == []


def test_files_that_go_while_they_are_counted_are_no_error(tmp_path):
    """A server removes a database's folder while its warden looks how large it is."""
    run = subprocess.Popen(
        ["/bin/sh", "-c", "while :; do mkdir -p a/b/c; : >a/b/x; rm -r a; done"], cwd=tmp_path,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    (tmp_path / "kept").write_bytes(bytes(4096))
    end = time.monotonic() + 2
    try:
        while time.monotonic() < end:
            assert warden._size(tmp_path) >= 4096
    finally:
        run.kill()
        run.wait()


def wardens(parent: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def those_of(folder: Path) -> list[int]:
    """The processes that were started with a name of this folder, and run."""
    there = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(word.startswith(b"--socket=" + bytes(folder)) for word in words):
            there.append(int(path.name))
    return there
