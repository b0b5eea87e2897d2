"""link, binlog check and prove with --ask: asked once, kept, decided without a server from then on."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from schemacheck.model import Server
from schemacheck.scratch import program, start
from schemacheck.scratch.where import program_maker
from tests.ask.test_local import DATE, schemacheck
from tests.journeys.transcript import End

pytestmark = pytest.mark.server

#: The columns of `s` are what a server makes of the query; the default of `t` is not understood at all, and
#: what a server prints of it neither.
TABLES = f"""CREATE TABLE t (id int PRIMARY KEY, d {DATE});
CREATE TABLE s (id int PRIMARY KEY) SELECT 1 AS id, CONCAT('a', 'b') AS c;
"""


def twice(folder: Path, status: int, *command: str) -> dict:
    """The report of a command that is not decided, then with --ask, then by the kept answers alone; the last
    two are the same.
    """
    facts = folder / ".schemacheck/facts.jsonl"
    before = schemacheck(folder, *command, "--format", "json")
    assert before.returncode == 3, before.stderr
    assert "--ask local lets a server of this version say" in before.stderr
    asked = schemacheck(folder, *command, "--format", "json", "--ask", "local")
    assert (asked.returncode, asked.stderr) == (status, "")
    lines = facts.read_text()
    offline = schemacheck(folder, *command, "--format", "json")
    assert (offline.returncode, offline.stderr, offline.stdout) == (status, "", asked.stdout)
    assert facts.read_text() == lines
    return json.loads(offline.stdout)


def source_of(server: Server) -> str:
    """How a report names the answers of today."""
    return f"asked {server} ({datetime.now(UTC).date()})"


def test_link_follows_statements_on_tables_that_a_server_told(tmp_path: Path, server: Server) -> None:
    (tmp_path / "tables.sql").write_text(TABLES)
    (tmp_path / "app.sql").write_text("INSERT INTO t (id) VALUES (1);\nUPDATE s SET c = 'x' WHERE id = 1;\n")
    ends = (f"{server.flavor}-{server.version_text}",) * 2
    command = ("link", *ends, "--binlog-format", "ROW", "--statements", "app.sql", "--tables", "tables.sql")
    undecided = schemacheck(tmp_path, *command)
    assert "  the definition of t is not known: whether column 'd' takes its default" in undecided.stdout
    report = twice(tmp_path, 0, *command)
    assert report["statements"]["outcome"] == "runs"
    assert report["assumptions"] == [f"t, s: {source_of(server)}"]
    assert schemacheck(tmp_path, *command).stdout.endswith(f"\nassumed: t, s: {source_of(server)}\n")


def test_link_asks_nothing_about_definitions_that_it_runs_on_both_ends(
    tmp_path: Path, server: Server
) -> None:
    (tmp_path / "app.sql").write_text(TABLES)
    ends = (f"{server.flavor}-{server.version_text}",) * 2
    found = schemacheck(tmp_path, "link", *ends, "--statements", "app.sql", "--ask", "local")
    assert (found.returncode, found.stderr) == (3, "")
    assert not (tmp_path / ".schemacheck").exists()


def test_binlog_check_applies_rows_to_tables_that_a_server_told(tmp_path: Path, server: Server) -> None:
    maker = program_maker(program.any_of_them())
    with start.pair(maker, maker) as (endpoint, _):
        End("source", endpoint).sql(
            "CREATE DATABASE shop", "USE shop", *TABLES.strip().rstrip(";").split(";"),
            "SET SESSION binlog_format = ROW", "FLUSH LOGS",
            "INSERT INTO t (id) VALUES (2)", "INSERT INTO s VALUES (2, 'x')", "FLUSH LOGS",
        )  # fmt: skip
        logs = sorted(Path(endpoint.socket or "").parent.rglob("bin.0*"))
        shutil.copy(logs[-2], tmp_path / "log")
    (tmp_path / "source.sql").write_text(f"CREATE DATABASE shop; USE shop;\n{TABLES}")
    wide = TABLES.replace("s (id int", "s (id bigint")
    (tmp_path / "replica.sql").write_text(f"CREATE DATABASE shop; USE shop;\n{wide}")
    report = twice(
        tmp_path, 1, "binlog", "check", "log", "--source", "source.sql", "--replica", "replica.sql"
    )
    assert {one["table"]: one["verdict"] for one in report["tables"]} == {"t": "identical", "s": "stops"}
    assert report["assumptions"][-1] == f"t, s: {source_of(server)}"


def test_prove_makes_the_tables_that_a_server_told(tmp_path: Path, server: Server) -> None:
    (tmp_path / "source.sql").write_text(TABLES)
    (tmp_path / "replica.sql").write_text(TABLES.replace("(id int", "(id bigint"))
    certificate = twice(tmp_path, 0, "prove", "source.sql", "replica.sql", "--local")
    shown = {(one["code"], one["subject"]) for one in certificate["findings"] if one["outcome"] == "shown"}
    assert shown >= {("SC201", "schemacheck.t.id"), ("SC201", "schemacheck.s.id")}
    assert certificate["agreement"]
    told = source_of(server)
    assert certificate["assumptions"] == [f"schemacheck.s: {told}", f"schemacheck.t: {told}"]
