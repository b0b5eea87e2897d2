"""The scripts of docs/library.md, each run for real."""

from __future__ import annotations

import re
import socketserver
import subprocess
import sys
import threading
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "library.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
SOURCE = "CREATE TABLE shop.t (id int unsigned PRIMARY KEY, a int);\nCREATE TABLE shop.u (id int);\n"
REPLICA = "CREATE TABLE shop.t (id bigint PRIMARY KEY, a smallint);\nCREATE TABLE shop.u (id int);\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "source.sql").write_text(SOURCE)
    (tmp_path / "replica.sql").write_text(REPLICA)
    return tmp_path


def script(name: str) -> str:
    return next(block for block in BLOCKS if block.startswith(f"# {name} "))


def execute(folder: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_page_has_one_example_and_three_scripts():
    assert len(BLOCKS) == 4


def test_the_first_example_says_what_it_asserts(tmp_path):
    result = execute(tmp_path, BLOCKS[0])
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("SC204 shop.t.id ")


class Sink(socketserver.StreamRequestHandler):
    """Just enough of SMTP to take one message."""

    def handle(self) -> None:
        self.wfile.write(b"220 sink\r\n")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                body = b""
                while (part := self.rfile.readline()) != b".\r\n":
                    body += part
                self.server.messages.append(body.decode())
            self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 fine\r\n")
            if verb == b"QUIT":
                return


@pytest.fixture
def sink():
    with socketserver.TCPServer(("127.0.0.1", 0), Sink) as server:
        server.messages = []
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_nightly_sends_a_mail_only_where_something_is_wrong(files, sink):
    code = script("nightly.py").replace("2525", str(sink.server_address[1]))
    assert execute(files, code, "source.sql", "source.sql").returncode == 0
    assert sink.messages == []
    result = execute(files, code, "source.sql", "replica.sql")
    assert result.returncode == 0, result.stderr
    (message,) = sink.messages
    assert "Subject: Replication schema check: stops" in message
    assert 'filename="schemacheck.html"' in message


@pytest.mark.parametrize(
    ("old", "new", "status", "order"),
    [
        ("a int", "a int", 0, "any order"),
        ("a int", "a bigint", 0, "replica-first"),
        ("a bigint", "a int", 0, "source-first"),
        (
            "a int unsigned",
            "a bigint unsigned",
            0,
            "replica-first with slave_type_conversions = 'ALL_NON_LOSSY,ALL_UNSIGNED'",
        ),
        ("a enum('x','y')", "a enum('y','x')", 1, "lock-step"),
        ("a int", "a int, b int DEFAULT 5", 0, "replica-first"),
        ("a int", "a int, b int", 0, "replica-first"),
        ("a int", "a int,,", 1, "unknown"),
    ],
)
def test_guard_tells_the_safe_order(files, old, new, status, order):
    for name, column in (("old.sql", old), ("new.sql", new)):
        (files / name).write_text(f"CREATE TABLE shop.t (id int PRIMARY KEY, {column});\n")
    result = execute(files, script("guard.py"), "old.sql", "new.sql")
    assert (result.returncode, result.stderr) == (status, "")
    assert result.stdout.startswith(f"order: {order.split(' with')[0]}\n"), result.stdout
    if old != new and order != "unknown":
        assert f"shop.t: {order}\n" in result.stdout


def test_frame_counts_findings_by_rule(files):
    pytest.importorskip(
        "pandas", reason="pandas is not installed: this script of docs/library.md did not run"
    )
    result = execute(files, script("frame.py"), "source.sql", "replica.sql", "out.csv")
    assert result.returncode == 0, result.stderr
    assert re.search(r"stops +SC20\d +\d", result.stdout)
    assert (files / "out.csv").read_text().startswith("effect,code,rule,database,table,column,message")
