"""What is wrong with the input has a place in the result: broken rows, repeated rows, two dumps, no dump,
other formats.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import fleets
import pytest

from schemacheck.fleet import profiles

pytestmark = pytest.mark.spark

HEADING = "TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\tORDINAL_POSITION\tCOLUMN_DEFAULT\tIS_NULLABLE\tCOLUMN_TYPE\tCHARACTER_SET_NAME\tCOLLATION_NAME\tEXTRA\n"  # noqa: E501


def row(
    table: str, name: str, ordinal: int, kind: str = "int", database: str = "d", default: str = "NULL"
) -> str:
    return f"{database}\t{table}\t{name}\t{ordinal}\t{default}\tYES\t{kind}\tNULL\tNULL\t\n"


def fleet(folder: Path, links: str, **instances: str) -> Path:
    for name, rows in instances.items():
        (folder / "snapshots" / name).mkdir(parents=True)
        (folder / "snapshots" / name / "columns.tsv").write_text(HEADING + rows, "utf-8")
    path = folder / "fleet.yaml"
    path.write_text("snapshots: snapshots\ndefaults: {server: mysql-8.0.36}\n" + links, "utf-8")
    return path


ONE = "links: [{source: a, replica: b}]\n"


def by_table(tables: list[dict]) -> dict[str, tuple[str, str]]:
    return {row["table"]: (row["state"], row["verdict"]) for row in tables}


def test_broken_rows_are_quarantined_with_file_and_line(engine, tmp_path: Path) -> None:
    good = row("t", "x", 1) + row("u", "x", 1)
    broken = row("t", "x", 1) + "d\tt\ty\t2\tNULL\tYES\n" + row("u", "x", 1) + "rubbish\n"
    tables, _, problems = fleets.run_job(engine, fleet(tmp_path, ONE, a=good, b=broken), tmp_path / "job")
    # A row that names no table may belong to the table before.
    assert by_table(tables) == {"t": ("unreadable", "unknown"), "u": ("unreadable", "unknown")}
    places = {(Path(p["file"]).name, p["line"], p["instance"]) for p in problems if not p["skipped"]}
    assert places == {("columns.tsv", 3, "b"), ("columns.tsv", 5, "b")}


def test_equally_broken_is_unknown(sail, tmp_path: Path) -> None:
    broken = row("t", "x", 1) + "d\tt\ty\t2\tNULL\tYES\n" + row("u", "x", 1)
    tables, _, _ = fleets.run_job(sail, fleet(tmp_path, ONE, a=broken, b=broken), tmp_path / "job")
    assert by_table(tables) == {"t": ("unreadable", "unknown"), "u": ("compared", "identical")}


def test_equal_but_unreadable_is_unknown(sail, tmp_path: Path) -> None:
    odd = row("t", "x", 1, "frob(3)") + row("gap", "x", 1) + row("gap", "y", 3) + row("ok", "x", 1)
    tables, findings, _ = fleets.run_job(sail, fleet(tmp_path, ONE, a=odd, b=odd), tmp_path / "job")
    assert by_table(tables) == {
        "t": ("unreadable", "unknown"),
        "gap": ("unreadable", "unknown"),
        "ok": ("compared", "identical"),
    }
    assert {f["effect"] for f in findings} == {"unknown"}
    assert all("on the source" in f["message"] for f in findings)


def test_text_without_a_character_set_is_never_settled_by_its_hash(sail, tmp_path: Path) -> None:
    rows = row("t", "x", 1, "varchar(10)") + row("u", "x", 1, "varbinary(10)")
    path = fleet(tmp_path, ONE, a=rows, b=rows)
    # On MySQL 8.0 tables without a primary key are always for the engine.
    path.write_text(path.read_text().replace("mysql-8.0.36", "mariadb-11.8.6"))
    tables, findings, _ = fleets.run_job(sail, path, tmp_path / "job")
    assert {r["table"]: r["decided_by"] for r in tables} == {"t": "engine", "u": "hash"}
    assert fleets.of_job(tables, findings) == fleets.pair_by_pair(path)


def test_tables_without_columns_and_keys_without_columns_are_unknown(sail, tmp_path: Path) -> None:
    path = fleet(tmp_path, ONE, a=row("t", "x", 1) + row("k", "x", 1), b=row("t", "x", 1) + row("k", "x", 1))
    for name in ("a", "b"):
        home = tmp_path / "snapshots" / name
        (home / "tables.tsv").write_text(
            "TABLE_SCHEMA\tTABLE_NAME\tTABLE_TYPE\tENGINE\nd\tt\tBASE TABLE\tInnoDB\nd\tlost\tBASE "
            "TABLE\tInnoDB\n"
        )
        heading = "TABLE_SCHEMA\tTABLE_NAME\tNON_UNIQUE\tINDEX_NAME\tSEQ_IN_INDEX\tCOLUMN_NAME\tSUB_PART\n"
        (home / "statistics.tsv").write_text(
            heading + "d\tk\t1\ti\t1\ty\tNULL\nd\tghost\t1\ti\t1\ty\tNULL\nelse\tghost\t1\ti\t1\ty\tNULL\n"
        )
    tables, _, problems = fleets.run_job(sail, path, tmp_path / "job")
    assert by_table(tables) == {
        "t": ("compared", "identical"), "k": ("unreadable", "unknown"), "lost": ("unreadable", "unknown"),
        "ghost": ("unreadable", "unknown"),
    }  # fmt: skip
    assert sorted((p["table"], p["skipped"]) for p in problems if p["instance"] == "a" and p["table"]) == [
        ("ghost", False), ("k", False), ("lost", False),
    ]  # fmt: skip
    assert any("databases that COLUMNS does not have: else" in p["message"] for p in problems)


def test_repeated_rows_are_unknown_as_in_check(sail, tmp_path: Path) -> None:
    twice = row("t", "x", 1) * 2 + row("t", "y", 2)
    path = fleet(tmp_path, ONE, a=twice, b=row("t", "x", 1) + row("t", "y", 2))
    tables, findings, _ = fleets.run_job(sail, path, tmp_path / "job")
    assert by_table(tables) == {"t": ("unreadable", "unknown")}
    assert "ordinal position 1 comes twice" in findings[0]["message"]


def test_contradicting_rows_are_unknown(sail, tmp_path: Path) -> None:
    both = row("t", "x", 1) + row("t", "x", 1, "bigint")
    tables, _, _ = fleets.run_job(sail, fleet(tmp_path, ONE, a=both, b=both), tmp_path / "job")
    assert by_table(tables) == {"t": ("unreadable", "unknown")}


def test_an_instance_dumped_twice(sail, tmp_path: Path) -> None:
    path = fleet(tmp_path, ONE, a=row("t", "x", 1) + row("u", "x", 1), b=row("t", "x", 1) + row("u", "x", 1))
    again = tmp_path / "snapshots" / "later" / "b"
    again.mkdir(parents=True)
    (again / "columns.tsv").write_text(HEADING + row("t", "x", 1) + row("u", "x", 1, "bigint"), "utf-8")
    tables, findings, problems = fleets.run_job(sail, path, tmp_path / "job")
    assert by_table(tables) == {"t": ("compared", "identical"), "u": ("unreadable", "unknown")}
    assert "dumped more than once" in findings[0]["message"]
    assert "dumped 2 times" in problems[0]["message"]


def test_no_snapshot_of_an_end(sail, tmp_path: Path) -> None:
    links = "links: [{source: a, replica: nobody}, {source: ghost, replica: a}]\n"
    tables, _, problems = fleets.run_job(sail, fleet(tmp_path, links, a=row("t", "x", 1)), tmp_path / "job")
    assert {(r["source"], r["replica"], r["state"], r["verdict"]) for r in tables} == {
        ("a", "nobody", "unreadable", "unknown"),
        ("ghost", "a", "unreadable", "unknown"),
    }
    assert {p["instance"] for p in problems if not p["skipped"]} == {"nobody", "ghost"}


def test_what_only_the_replica_seems_to_have_is_unknown_where_the_source_was_not_read(
    sail, tmp_path: Path
) -> None:
    """A file of the source that was cut off hides tables: on both ends, unless a filter keeps them out."""
    links = (
        "links: [{source: a, replica: b}, {source: c, replica: b, channel: two, "
        "filters: {replicate-do-db: [other]}}]\n"
    )
    rows = row("t", "x", 1) + row("u", "x", 1)
    path = fleet(tmp_path, links, a=rows, b=rows + row("v", "x", 1, database="other"), c=rows)
    for name, wanted in (("c", {"t": "compared", "v": "unreadable"}), ("a", {"t": "unreadable"})):
        (tmp_path / "snapshots" / name / "columns.tsv").unlink()
        (tmp_path / "snapshots" / name / "columns.parquet").write_bytes(b"PAR1 and no more")
        tables, _, problems = fleets.run_job(sail, path, tmp_path / "job")
        of_b = {r["table"]: r["state"] for r in tables if r["state"] != "not-replicated"}
        assert wanted.items() <= of_b.items()
        assert {r["verdict"] for r in tables if r["state"] == "unreadable"} == {"unknown"}
        assert any(not problem["skipped"] for problem in problems)


def test_one_instance_that_cannot_be_read_hides_nothing_of_the_others(sail, tmp_path: Path) -> None:
    """A folder that is gone, one that was never there and a pipe, where variables.tsv names the servers."""
    rows = row("t", "x", 1)
    links = (
        "instances: {gone: {snapshot: nowhere}}\n"
        "links: [{source: a, replica: b}, {source: a, replica: gone}, {source: a, replica: never}, "
        "{source: pipe, replica: b, channel: p}]\n"
    )
    path = fleet(tmp_path, links, a=rows, b=rows, pipe="")
    text = path.read_text("utf-8")
    path.write_text("\n".join(line for line in text.splitlines() if not line.startswith("defaults")) + "\n")
    for name in ("a", "b", "pipe"):
        (tmp_path / "snapshots" / name / "variables.tsv").write_text("version\t8.0.36\n", "utf-8")
    (tmp_path / "snapshots" / "pipe" / "columns.tsv").unlink()
    os.mkfifo(tmp_path / "snapshots" / "pipe" / "columns.tsv")
    tables, _, problems = fleets.run_job(sail, path, tmp_path / "job")
    assert {(r["source"], r["replica"], r["state"], r["verdict"]) for r in tables} == {
        ("a", "b", "compared", "identical"),
        ("a", "gone", "unreadable", "unknown"),
        ("a", "never", "unreadable", "unknown"),
    }
    told = {p["instance"]: p["message"] for p in problems}
    assert "no such snapshot folder" in told["gone"]
    assert told["never"] == "there is no snapshot of never: its tables are unknown"
    assert "neither a file nor a folder" in told["pipe"]


def test_names_case_rewriting_and_several_sources(engine, tmp_path: Path) -> None:
    links = (
        "instances: {r: {settings: {lower_case_table_names: '1'}}}\nlinks:\n"
        "  - {source: a, replica: r, channel: one, rewrite: {d: dd}}\n  - {source: b, replica: r, channel: "
        "two, filters: {replicate-ignore-table: [e.no]}}\n"
    )
    path = fleet(
        tmp_path, links,
        a=row("Orders", "x", 1) + row("weird `name`", "x", 1, "int"),
        b=row("T", "x", 1, database="e") + row("no", "x", 1, database="e"),
        r=row("orders", "x", 1, "bigint", database="dd") + row("weird `name`", "x", 1, "bigint",
        database="dd") + row("t", "x", 1, database="e") + row("own", "x", 1, database="f"),
    )  # fmt: skip
    tables, findings, _ = fleets.run_job(engine, path, tmp_path / "job")
    got = {
        (r["channel"], r["database"], r["table"]): (r["state"], r["replica_database"], r["replica_table"])
        for r in tables
    }
    assert got == {
        ("one", "d", "Orders"): ("compared", "dd", "orders"),
        ("one", "d", "weird `name`"): ("compared", "dd", "weird `name`"),
        ("two", "e", "T"): ("compared", "e", "t"),
        ("two", "e", "no"): ("not-replicated", "e", "no"),
        ("one", "f", "own"): ("surplus", "f", "own"),
    }
    statements = {f["table"]: f["remedy_sql"] for f in findings if f["remedy_sql"]}
    assert "`dd`.`weird ``name```" in statements["weird `name`"]
    assert fleets.of_job(tables, findings).keys() == fleets.pair_by_pair(path).keys()


def test_escapes_of_batch_mode(sail, tmp_path: Path) -> None:
    escaped = row("t\\\\a", "x\\ty", 1, default="a\\\\b\\nc") + row("q\"'", 'n"', 1, "enum('a\"','b')")
    path = fleet(tmp_path, ONE, a=escaped, b=escaped.replace("a\\\\b\\nc", "other"))
    tables, findings, _ = fleets.run_job(sail, path, tmp_path / "job")
    assert by_table(tables).keys() == {"t\\a", "q\"'"}
    assert fleets.of_job(tables, findings) == fleets.pair_by_pair(path)


def test_a_script_beside_the_rows_is_read_with_them(sail, tmp_path: Path) -> None:
    path = fleet(tmp_path, ONE, a=row("t", "x", 1), b=row("t", "x", 1))
    (tmp_path / "snapshots" / "b" / "schema.sql").write_text("CREATE TABLE other (x int);\n", "utf-8")
    tables, _, problems = fleets.run_job(sail, path, tmp_path / "job")
    assert by_table(tables) == {"t": ("compared", "identical"), "other": ("surplus", "identical")}
    assert [p["skipped"] for p in problems] == [True]
    assert "does not have TRIGGERS, VIEWS" in problems[0]["message"]


def test_compressed_ring_and_other_formats(sail, tmp_path: Path) -> None:
    path = fleet(
        tmp_path,
        "links: [{source: a, replica: b}, {source: b, replica: c}, {source: c, replica: a}]\n",
        a=row("t", "x", 1, "int"),
    )
    (tmp_path / "snapshots" / "b").mkdir()
    with gzip.open(tmp_path / "snapshots" / "b" / "columns.tsv.gz", "wt") as out:
        out.write(HEADING + row("t", "x", 1, "bigint"))
    (tmp_path / "snapshots" / "c").mkdir()
    (tmp_path / "snapshots" / "c" / "schema.sql").write_text(
        "CREATE DATABASE d; USE d;\nCREATE TABLE t (x int);\nCREATE TABLE broken (x int,, y);\n", "utf-8"
    )
    tables, findings, problems = fleets.run_job(sail, path, tmp_path / "job")
    assert {(r["source"], r["table"], r["verdict"]) for r in tables} >= {
        ("a", "t", "stops"),
        ("b", "t", "stops"),
        ("c", "t", "identical"),
    }
    assert any(r["table"] == "broken" and r["verdict"] == "unknown" for r in tables)
    assert any(p["line"] == 3 and p["file"].endswith("schema.sql") for p in problems)
    assert {f["code"] for f in findings if f["effect"] == "stops"}


def test_a_second_dump_that_nobody_reads_is_no_pass(sail, tmp_path: Path) -> None:
    same = row("t", "x", 1)
    topology = fleet(tmp_path, ONE, a=same, b=same)
    (tmp_path / "snapshots" / "more").mkdir()
    (tmp_path / "snapshots" / "more" / "b.columns.csv.bz2").write_bytes(b"rows")
    _, _, problems = fleets.run_job(sail, topology, tmp_path / "job")
    assert ("b", False) in {(p["instance"], p["skipped"]) for p in problems}


def test_a_server_s_variables_may_be_compressed(tmp_path):
    text = "Variable_name\tValue\nversion\t9.7.4\nsql_mode\tANSI\n"
    (tmp_path / "variables.tsv").write_text(text, "utf-8")
    (tmp_path / "variables.tsv.gz").write_bytes(gzip.compress(text.encode()))
    plain, packed = (profiles._variables(tmp_path / name) for name in ("variables.tsv", "variables.tsv.gz"))
    assert plain == packed == {"version": "9.7.4", "sql_mode": "ANSI"}
