"""What a dump in another format tells beside columns and keys decides in a fleet as it does in `check`."""

from __future__ import annotations

from pathlib import Path

import fleets
import pytest

from schemacheck.fleet import snapshots, topology

TABLE = "CREATE TABLE t (id INT NOT NULL PRIMARY KEY, v INT, UNIQUE KEY u (v)){};\n"
TRIGGER = "CREATE TRIGGER {} BEFORE INSERT ON t FOR EACH ROW SET NEW.v = 7;\n"
WITH_TRIGGER = TABLE.format("") + TRIGGER.format("g")
PARENT = "CREATE TABLE p (id INT PRIMARY KEY);\n"
CHILD = "CREATE TABLE t (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES {} (id));\n"
STATEMENTS = "{binlog_format: STATEMENT}"
#: Definitions of both ends, the server, its settings, and the codes that must be among the findings.
CASES = {
    "a trigger on the replica": (
        TABLE.format(""), TABLE.format("") + TRIGGER.format("g"), "mysql-8.0.36", STATEMENTS, {"SC804"},
    ),
    "equal triggers": (
        TABLE.format("") + TRIGGER.format("g"), TABLE.format("") + TRIGGER.format("h"),
        "mysql-8.0.36", STATEMENTS, set(),
    ),
    "triggers for rows": (
        TABLE.format(""), TABLE.format("") + TRIGGER.format("g"),
        "mariadb-10.11.8", "{slave_run_triggers_for_rbr: 'YES'}", {"SC508"},
    ),
    "triggers of both ends for rows": (
        WITH_TRIGGER, WITH_TRIGGER, "mariadb-10.11.8", "{slave_run_triggers_for_rbr: ENFORCE}", {"SC508"},
    ),
    "views": (
        TABLE.format("") + "CREATE VIEW w AS SELECT app.t.v FROM app.t;\n",
        TABLE.format("") + "CREATE VIEW w AS SELECT id FROM t;\n", "mysql-8.0.36", STATEMENTS, {"SC807"},
    ),
    "a view that names its database": (
        TABLE.format("") + "CREATE VIEW w AS SELECT v FROM app.t;\n",
        TABLE.format("") + "CREATE VIEW w AS SELECT v FROM t;\n", "mysql-8.0.36", STATEMENTS, set(),
    ),
    "a key to its own database by name": (
        PARENT + CHILD.format("app.p"), PARENT + CHILD.format("p"), "mysql-8.0.36", "{}", set(),
    ),
    "a row format": (
        TABLE.format(" ROW_FORMAT=COMPACT"), TABLE.format(" ROW_FORMAT=DYNAMIC"), "mysql-5.7.44", "{}", set(),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_fleet_says_what_check_says(tmp_path: Path, case: str) -> None:
    source, replica, server, settings, codes = CASES[case]
    for name, text in (("a", source), ("b", replica)):
        (tmp_path / "snapshots" / name).mkdir(parents=True)
        (tmp_path / "snapshots" / name / "d.sql").write_text(f"CREATE DATABASE app; USE app;\n{text}")
    path = tmp_path / "fleet.yaml"
    path.write_text(
        f"snapshots: snapshots\ndefaults: {{server: {server}, settings: {settings}}}\n"
        "links: [{source: a, replica: b}]\n"
    )
    tables, findings, problems, _ = fleets.of_task(path)
    assert not problems
    assert fleets.of_job(tables, findings) == fleets.pair_by_pair(path)
    assert codes <= {one["code"] for one in findings}


def test_what_rows_do_not_tell_is_said(tmp_path: Path) -> None:
    fleets.small(tmp_path, 1)
    (tmp_path / "snapshots" / "c" / "partitions.tsv").write_text("TABLE_SCHEMA\tTABLE_NAME\n")
    (tmp_path / "snapshots" / "d").mkdir()
    (tmp_path / "snapshots" / "d" / "d.sql").write_text(TABLE.format(""))
    found = snapshots.find(topology.read(tmp_path / "fleet.yaml"), ())
    words, more = "triggers, the queries of views", "foreign keys and CHECK constraints"
    assert [one.partition(", of which")[0] for one in snapshots.not_looked_at(found)] == [
        f"{words}, events, routines, {more} were not looked at on 1 instance",
        f"{words}, events, routines, partitions, {more} were not looked at on 2 instances",
    ]
