"""A notebook's session: a DataFrame of columns is checked, findings are joined with a table of one's own, and
the session goes on as it was.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import warnings
from pathlib import Path

import dictionary
import fleets
import pytest

from schemacheck import fleet
from schemacheck.errors import InputError, UsageError
from schemacheck.fleet import columns
from schemacheck.inputs.formats.tsv import unescape

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def session(engine):
    """The caller's session. pyspark takes one kind of session per process; tests have both."""
    os.environ.pop("SPARK_CONNECT_MODE_ENABLED", None)
    if engine.name != "spark":
        os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield engine.spark


def frame_of(session, folder: Path, view: str):
    """All rows of a view, as a table of a warehouse has them: nulls where a dump writes the word."""
    rows, heading = [], []
    for path in sorted(folder.glob(f"*/{view}.tsv")):
        lines = path.read_text("utf-8").split("\n")[:-1]
        heading = lines[0].split("\t")
        for line in lines[1:]:
            values = [None if value == "NULL" else unescape(value) for value in line.split("\t")]
            rows.append((path.parent.name, *values))
    return session.createDataFrame(rows, ", ".join(f"`{name}` string" for name in ["instance", *heading]))


@pytest.mark.spark
def test_a_session_without_hints_is_given_none(session) -> None:
    from schemacheck.fleet.checked import small

    frame = session.range(2)
    given = small(frame)
    assert (given is frame) == (not hasattr(frame, "_jdf"))
    assert sorted(row[0] for row in session.range(3).join(given, "id").collect()) == [0, 1]


@pytest.mark.spark
def test_a_notebook(session, tmp_path: Path) -> None:
    path = fleets.around(tmp_path / "fleet")
    dumps = tmp_path / "fleet" / "snapshots"
    settings = {name: session.conf.get(name) for name in ("spark.sql.shuffle.partitions",)}
    views = {
        name: frame_of(session, dumps, name)
        for name in ("columns", "key_column_usage", "referential_constraints")
    }
    found = fleet.check(session, links=path, **views, run_id="monday", snapshot_date="2026-11-21")
    tables, findings = (frame.toArrow().to_pylist() for frame in (found.tables, found.findings))
    wanted = fleets.pair_by_pair(path)
    assert fleets.of_job(tables, findings) == wanted
    assert {(row["run_id"], str(row["snapshot_date"])) for row in tables} == {("monday", "2026-11-21")}
    assert len({row["pair"] for row in tables}) == len(tables)
    assert found.problems.count() == 0
    assert [f.name for f in found.tables.schema] == [column.name for column in columns.TABLES]
    assert [f.name for f in found.findings.schema] == [column.name for column in columns.FINDINGS]
    owners = session.createDataFrame([("app", "ann"), ("log", "bob")], "database string, owner string")
    told = found.findings.join(owners, "database").groupBy("owner").count().collect()
    assert {row["owner"] for row in told} <= {"ann", "bob"}
    assert sum(row["count"] for row in told) == len(findings)
    assert {name: session.conf.get(name) for name in settings} == settings
    assert session.range(3).count() == 3


@pytest.mark.spark
def test_dumps_behind_a_url_are_those_of_this_machine(session, tmp_path: Path) -> None:
    """Whole dumps as docs/fleet.md takes them: all views, variables, filters, a file of `snapshot`."""
    home = tmp_path / "fixture"
    shutil.copytree(ROOT / "fixtures" / "fleet", home)
    (home / "snapshots" / "reports" / "my.cnf").write_text("[mysqld]\nreplicate-ignore-table=shop.tmp\n")
    (home / "snapshots" / "orders-spare").mkdir()
    rows = [
        {"view": "SNAPSHOT", "schemacheck_snapshot": 1, "views": []},
        {"view": "VARIABLES", "VARIABLE_NAME": "version", "VARIABLE_VALUE": "9.7.4"},
        {"view": "SNAPSHOT_END"},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (home / "snapshots" / "orders-spare" / "snapshot.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    topology = (home / "fleet.yaml").read_text("utf-8").replace(", snapshot: snapshots/orders-primary", "")
    told = []
    for name, snapshots in (("here", "snapshots"), ("there", f"file://{home}/snapshots")):
        (home / f"{name}.yaml").write_text(
            topology.replace("snapshots: snapshots", f"snapshots: {snapshots}")
        )
        found = fleet.check(session, links=home / f"{name}.yaml")
        frames = (found.tables, found.findings)
        told.append(fleets.of_job(*(frame.toArrow().to_pylist() for frame in frames)))
    fleets.compare(*told)
    assert len(told[0]) > 200


@pytest.mark.spark
def test_an_instance_without_rows_is_unknown(sail, tmp_path: Path) -> None:
    from pyspark.sql import functions

    os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    rows = [("a", "d", "t", "x", "1", "int", "YES")]
    names = "instance, table_schema, table_name, column_name, ordinal_position, column_type, is_nullable"
    frame = sail.spark.createDataFrame(rows, names.replace(",", " string,") + " string")
    links = [
        {"source": "a", "replica": "b", "source_server": "mysql-8.0.36", "replica_server": "mysql-8.0.36"}
    ]
    found = fleet.check(sail.spark, links=links, columns=frame)
    assert [(r["table"], r["state"], r["verdict"]) for r in found.tables.collect()] == [
        ("t", "unreadable", "unknown")
    ]
    told = {row["message"] for row in found.problems.collect()}
    assert {"there is no snapshot of b: its tables are unknown"} <= told
    assert any("COLUMNS has no COLUMN_DEFAULT" in one for one in told)
    other = frame.withColumn("instance", functions.lit("z"))
    told = {row["message"] for row in fleet.check(sail.spark, links=links, columns=other).problems.collect()}
    assert {
        "z was dumped but no link of the topology names it",
        "there is no snapshot of a: its tables are unknown",
    } <= told
    with pytest.raises(UsageError, match="need the column instance"):
        fleet.check(sail.spark, links=links, columns=frame.drop("instance"))
    with pytest.raises(UsageError, match="rows of COLUMNS are needed"):
        fleet.check(sail.spark, links=links, tables=frame)
    for view in ({"columns": frame.drop("column_type")}, {"columns": frame, "statistics": frame}):
        with pytest.raises(InputError, match="rows need the column"):
            fleet.check(sail.spark, links=links, **view)
    for wrong in ({"links": []}, {"links": [("a", "b")]}, {"columns": "x"}, {"snapshot_date": "2026-13-01"}):
        with pytest.raises(UsageError):
            fleet.check(sail.spark, **{"links": links, "columns": frame, **wrong})


def test_the_data_dictionary_is_the_code() -> None:
    assert dictionary.PLACE.read_text("utf-8") == dictionary.dictionary()
