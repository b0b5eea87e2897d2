"""Full disks, closed streams, signals, killed processes: nothing half-written is taken as good, nothing is
left behind.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from schemacheck.cli import dispatch
from schemacheck.system import whole_file

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-P", "-m", "schemacheck"]
TABLES = "".join(f"CREATE TABLE t{n} (id int NOT NULL PRIMARY KEY, name varchar(20));\n" for n in range(20))


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    (tmp_path / "a.sql").write_text(TABLES, "utf-8")
    (tmp_path / "b.sql").write_text(TABLES.replace("int NOT", "bigint NOT"), "utf-8")
    return tmp_path


def call(folder: Path, *arguments: str, shell: str = "", **more) -> subprocess.CompletedProcess[str]:
    """The program, with redirections that a shell makes."""
    command = ["bash", "-c", f'"$@" {shell}', "bash", *PROGRAM, *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=120, **more
    )


def small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


@pytest.mark.parametrize("shell", [">&-", "> /dev/full", "<&- >&-", ">&- 2>&-"])
def test_a_standard_output_that_takes_nothing(pair: Path, shell: str) -> None:
    for sides in (("a.sql", "a.sql"), ("a.sql", "b.sql")):
        done = call(pair, "check", *sides, "--no-config", shell=shell)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert ("standard output" in done.stderr) == ("2>" not in shell)


def test_a_closed_standard_output_matters_only_where_it_is_needed(pair: Path) -> None:
    done = call(pair, "check", "a.sql", "a.sql", "--no-config", "-q", "-o", "out.txt", shell=">&-")
    assert done.stderr == "schemacheck: note: both sides are the same file\n"
    assert done.returncode == 0
    assert (pair / "out.txt").read_text().startswith("20 tables")


def test_a_closed_standard_input_is_an_empty_one(pair: Path) -> None:
    assert call(pair, "check", "-", "a.sql", "--no-config", shell="<&-").returncode in (2, 3)


@pytest.mark.parametrize("arguments", [("check", "a.sql", "b.sql", "-f", "json", "-o", "out"), ("baseline",
"write", "a.sql", "b.sql", "--baseline", "out")])  # fmt: skip
def test_a_full_disk_leaves_what_was_there(pair: Path, arguments: tuple[str, ...]) -> None:
    for before in (None, "what was there"):
        if before is not None:
            (pair / "out").write_text(before, "utf-8")
        done = call(pair, *arguments, "--no-config", preexec_fn=small_files)
        assert done.returncode == 2
        assert "out: cannot write the report: File too large" in done.stderr
        assert "Traceback" not in done.stderr
        assert ((pair / "out").read_text() if (pair / "out").exists() else None) == before
        assert sorted(one.name for one in pair.iterdir()) == sorted(
            {"a.sql", "b.sql", *(["out"] if before else [])}
        )


def test_a_file_is_replaced_with_its_rights_and_through_its_link(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "link").symlink_to(target)
    whole_file.write(tmp_path / "link", b"new")
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "link").is_symlink()
    assert len(list(tmp_path.iterdir())) == 2


def test_two_writers_of_one_file(tmp_path: Path) -> None:
    """Whoever reads meanwhile sees one whole text or the other."""
    program = (
        "import sys; from schemacheck.system import whole_file\n"
        "for _ in range(60): whole_file.write('x', sys.argv[1].encode() * 200_000)\n"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, letter], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}
        )
        for letter in "ab"
    ]
    seen = set()
    while any(one.poll() is None for one in running):
        with contextlib.suppress(FileNotFoundError):
            text = (tmp_path / "x").read_bytes()
            seen.add((len(text), len(set(text))))
    assert [one.wait() for one in running] == [0, 0]
    assert seen == {(200_000, 1)}
    assert [one.name for one in tmp_path.iterdir()] == ["x"]


def test_a_defect(run, monkeypatch) -> None:
    def broken() -> list[str]:
        raise RuntimeError("a\x1b[2Jb\n::stop-commands::x")

    monkeypatch.setattr(dispatch, "names", broken)
    done = run("check", "a", "b")
    assert done.status == 4
    assert "\x1b" not in done.err
    assert all(line.startswith("schemacheck: ") for line in done.err.splitlines())
    assert "defect" in done.err.splitlines()[-1]


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def waiting_for(condition, seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def begin(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """A run as a shell starts it, whatever signals the tests themselves ignore (under nohup)."""
    return subprocess.Popen(
        ["env", "--default-signal=INT,HUP,TERM", *PROGRAM, *arguments], cwd=folder,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def reads_its_input(process: subprocess.Popen[str]) -> bool:
    """Whether a run has come so far that it took what stands in its standard input, and waits for more."""
    assert process.stdin is not None
    pipe = process.stdin.fileno()
    os.write(pipe, b"-- a comment\n")
    return waiting_for(lambda: struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4))[0] == 0)


def reads_a_fifo(file: Path) -> int:
    """A writer's descriptor of a FIFO as soon as somebody reads it."""
    found: list[int] = []

    def opened() -> bool:
        with contextlib.suppress(OSError):
            found.append(os.open(file, os.O_WRONLY | os.O_NONBLOCK))
        return bool(found)

    assert waiting_for(opened)
    return found[0]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_a_command(pair: Path, number: int, status: int) -> None:
    running = begin(pair, "check", "-", "a.sql", "--no-config")
    assert reads_its_input(running)
    started = time.monotonic()
    running.send_signal(number)
    assert running.wait(20) == status
    assert time.monotonic() - started < 8
    assert "Traceback" not in running.communicate()[1]


@pytest.mark.parametrize("engine", [pytest.param("spark", marks=pytest.mark.spark), "sail"])
def test_a_signal_ends_a_fleet_with_its_engine(tmp_path: Path, engine: str) -> None:
    pytest.importorskip("pyspark" if engine == "spark" else "pysail")
    (tmp_path / "tmp").mkdir()
    running = begin(
        tmp_path, "fleet", str(ROOT / "fixtures" / "fleet" / "fleet.yaml"), "--engine", engine, "-o", "out"
    )
    assert waiting_for(
        lambda: any(tmp_path.glob(".out.*.tmp")) or (engine == "spark" and children(running.pid)), 60
    )
    started_by_it = children(running.pid)
    started = time.monotonic()
    running.send_signal(signal.SIGTERM)
    assert running.wait(30) == 143
    assert time.monotonic() - started < 10
    assert "Traceback" not in running.communicate()[1]
    assert waiting_for(lambda: not any(map(alive, started_by_it)))
    assert [one.name for one in tmp_path.iterdir()] == ["tmp"]
    assert list((tmp_path / "tmp").iterdir()) == []


def test_several_runs_with_one_output_leave_one_whole_report(pair: Path) -> None:
    """Each of them writes its own, the last one stands; nobody sees half of one, and nothing is left over."""
    words = {
        "out.json": ("check", "a.sql", "b.sql", "-f", "json", "-o", "out.json"),
        "base.json": ("baseline", "write", "a.sql", "b.sql", "--baseline", "base.json"),
    }
    runs = [
        subprocess.Popen(
            [*PROGRAM, *arguments, "--no-config"], cwd=pair, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for arguments in words.values()
        for _ in range(2)
    ]
    while any(one.poll() is None for one in runs):
        for name in words:
            if (pair / name).exists():
                json.loads((pair / name).read_text())
        time.sleep(0.05)
    statuses = [(one.communicate(), one.returncode)[1] for one in runs]
    assert statuses == [1, 1, 0, 0]
    assert len(json.loads((pair / "out.json").read_text())["tables"]) == 20
    assert len(json.loads((pair / "base.json").read_text())["findings"]) == 20
    assert sorted(one.name for one in pair.iterdir()) == ["a.sql", "b.sql", "base.json", "out.json"]


def test_a_link_of_the_checkout_does_not_lead_a_report_out_of_it(pair: Path) -> None:
    inside = pair / "checkout"
    inside.mkdir()
    outside = pair / "outside"
    outside.write_text("precious", "utf-8")
    (inside / "report.json").symlink_to(outside)
    done = call(inside, "check", "../a.sql", "../b.sql", "--format", "json=report.json")
    assert done.returncode == 2
    assert "report.json: cannot write the report: a symbolic link leads out of the working" in done.stderr
    assert outside.read_text("utf-8") == "precious"
    (inside / "own.json").symlink_to("kept.json")
    assert call(inside, "check", "../a.sql", "../a.sql", "--format", "json=own.json").returncode == 0
    assert (inside / "kept.json").is_file()


def test_an_interpreter_that_a_signal_ends_is_not_taken_apart() -> None:
    """An engine's threads may be at work: they would abort the process."""
    program = (
        "import atexit, sys\n"
        "sys.modules['pysail'] = sys\n"
        "from schemacheck import cli\n"
        "cli.main = lambda: 143\n"
        "atexit.register(print, 'taken apart')\n"
        "from schemacheck.__main__ import main\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (143, "")
