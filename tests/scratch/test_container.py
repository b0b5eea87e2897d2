"""Servers of images, with a stand-in for docker and podman: no daemon runs where these tests do. It checks
what it is given against the options that `docker run` and `podman run` have, and runs the container's script
on this machine's server, with the container's folders in place of the machine's.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemacheck.errors import UsageError
from schemacheck.model import Server
from schemacheck.scratch import Limits, container, open_server, program
from schemacheck.scratch.container import tagged

#: docs.docker.com/reference/cli/docker/container/run, docs.podman.io/en/latest/markdown/podman-run.1.html
STAND_IN = """#!{python} -I
import json, os, pathlib, sys, tempfile
FLAGS = ("rm", "interactive", "read-only")
OPTIONS = (
    "network", "user", "userns", "cap-drop", "memory", "memory-swap", "pids-limit", "mount", "env",
    "entrypoint", "security-opt", "ulimit", "tmpfs",
)
words = sys.argv[1:]
assert words.pop(0) == "run"
given = {{}}
while words[0].startswith("--"):
    name = words.pop(0)[2:]
    assert name in FLAGS or name in OPTIONS, name
    given.setdefault(name, []).append(True if name in FLAGS else words.pop(0))
image, dash, script = words
assert dash == "-c"
assert all(name in given for name in (*FLAGS, *OPTIONS) if name != "userns")
with open("{folder}/log", "a") as log:
    log.write(json.dumps(given | {{"image": image, "client": os.geteuid()}}) + chr(10))
mount = dict(part.split("=") for part in given["mount"][0].split(","))
assert mount["type"] == "bind" and mount["target"] == "/scratch"
data = pathlib.Path(tempfile.mkdtemp(dir="{folder}/data"))
if os.geteuid() == 0:
    user, group = map(int, given["user"][0].split(":"))
    os.chown(data, user, group)
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
script = script.replace("/scratch", mount["source"]).replace("/lost", str(data))
os.execve("/bin/sh", ["sh", "-c", script], {{"PATH": "/usr/sbin:/usr/bin:/bin", "TZ": "UTC"}})
"""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a short name, with the stand-in as docker, which is alone in PATH."""
    with tempfile.TemporaryDirectory(prefix="p") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "data").mkdir()
        (folder / "bin").mkdir()
        (folder / "bin" / "docker").write_text(STAND_IN.format(python=sys.executable, folder=folder))
        (folder / "bin" / "docker").chmod(0o755)
        monkeypatch.setenv("PATH", str(folder / "bin"))
        yield folder


@pytest.fixture
def mine() -> Server:
    """The version of this machine's server: the stand-in knows no other image."""
    path = shutil.which("mariadbd", path="/usr/sbin:/usr/bin")
    if path is None:
        pytest.skip("no mariadbd in /usr/sbin or /usr/bin")
    there = program.described(Path(path))
    assert there is not None
    return there.server


@pytest.mark.server
def test_a_server_of_an_image_answers_and_ends(short, mine):
    with open_server("docker:mariadb", mine) as scratch:
        with scratch.question({"shop": ""}) as question:
            question.run("CREATE TABLE t (a int)", database="shop")
            rows = question.run("SELECT @@secure_file_priv, @@skip_networking, @@plugin_dir")[1]
        assert rows[0][1] == 1
        assert (rows[0][0][-7:], rows[0][2][-9:]) == ("/files/", "/plugins/")
    given = json.loads((short / "log").read_text())
    assert given["image"] == f"mariadb:{mine.version_text}"
    assert given["network"] == ["none"]
    assert given["cap-drop"] == ["ALL"]
    assert given["security-opt"] == ["no-new-privileges", "label=disable"]
    assert given["memory"] == given["memory-swap"] == ["2048m"]
    assert given["tmpfs"][0] == "/lost:rw,mode=1777,size=1024m"
    assert given["user"] != ["0:0"]
    assert running(short) == 0


@pytest.mark.server
def test_a_container_ends_with_a_killed_run(short, mine):
    script = (
        "import sys, time\n"
        "from schemacheck.model import Server; from schemacheck.scratch import open_server\n"
        "with open_server('docker:mariadb', Server.parse(sys.argv[1])):\n"
        "    print('up', flush=True); time.sleep(60)"
    )
    words = [sys.executable, "-c", script, f"mariadb-{mine.version_text}"]
    run = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    assert run.stdout.readline() == "up\n"
    assert running(short)
    run.kill()
    run.communicate()
    end = time.monotonic() + 20
    while running(short) and time.monotonic() < end:
        time.sleep(0.1)
    assert running(short) == 0


def running(folder: Path) -> int:
    """The processes that were started with a name of this folder."""
    count = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            count += any(
                word.startswith(b"--datadir=" + bytes(folder)) for word in path.read_bytes().split(b"\0")
            )
        except OSError:
            continue
    return count


@pytest.mark.parametrize("name", ["docker", "podman"])
def test_who_is_not_root_keeps_his_number_in_a_container(name, short, monkeypatch):
    """The stand-in takes podman's words: rootless, it maps numbers unless it is told not to."""
    (short / "bin" / "docker").rename(short / "bin" / name)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr("os.getuid", lambda: 1000)
    monkeypatch.setattr("os.getgid", lambda: 100)
    work = container.maker("mysql", Server.parse("mysql-8.0.36"))(short, Limits(), ())
    program, *words, image, dash, script = work.server
    assert (program, image, dash) == (str(short / "bin" / name), "mysql:8.0.36", "-c")
    done = subprocess.run([program, *words, image, dash, "true"], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    given = json.loads((short / "log").read_text())
    assert given["user"] == ["1000:100"]
    assert given.get("userns") == (["keep-id"] if name == "podman" else None)
    assert "--initialize-insecure" in script


def test_images_and_their_tags(monkeypatch, tmp_path):
    asked = Server.parse("mysql-8.0.36")
    assert tagged("mysql", asked) == "mysql:8.0.36"
    assert tagged("localhost:5000/mysql", asked) == "localhost:5000/mysql:8.0.36"
    assert tagged("mysql:8.0", asked) == "mysql:8.0"
    assert tagged("mysql@sha256:0a1b", asked) == "mysql@sha256:0a1b"
    for image in ("--privileged", "mysql --privileged", "-v", "", "a;b"):
        with pytest.raises(UsageError):
            tagged(image, asked)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="neither docker nor podman"), open_server("docker:mysql", asked):
        pass
    for where in ("docker", "docker:", "local:", "host", "", "mysql:/x"):
        with pytest.raises(UsageError, match="no place of a scratch server"), open_server(where, asked):
            pass
