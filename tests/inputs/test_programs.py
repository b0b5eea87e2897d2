"""Triggers, events, the queries of views and sequences: the same through DDL, rows and snapshots, and said
where nobody looked.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemacheck import Link, check, engine
from schemacheck.catalog import read
from schemacheck.engine.programs import with_programs
from schemacheck.inputs import open_schema
from schemacheck.inputs.snapshot_queries import print_sql
from schemacheck.model import Effect, Event, Server, TableKind, Trigger
from schemacheck.model.filters import FilterSet
from schemacheck.model.program import Made

MYSQL, MARIADB = Server.parse("mysql-9.7"), Server.parse("mariadb-11.8")
TRIGGER = Trigger("tr", "BEFORE", "INSERT", "SET NEW.a = 1")
COLUMN = {
    "view": "COLUMNS", "TABLE_SCHEMA": "d", "TABLE_NAME": "t", "COLUMN_NAME": "a", "ORDINAL_POSITION": 1,
    "COLUMN_TYPE": "int", "IS_NULLABLE": "YES",
    "COLUMN_DEFAULT": None, "EXTRA": "", "CHARACTER_SET_NAME": None, "COLLATION_NAME": None,
    "GENERATION_EXPRESSION": "", "COLUMN_KEY": "",
}  # fmt: skip
ROWS = [
    {"view": "TABLES", "TABLE_SCHEMA": "d", "TABLE_NAME": "v", "TABLE_TYPE": "VIEW"},
    {"view": "TABLES", "TABLE_SCHEMA": "d", "TABLE_NAME": "t", "TABLE_TYPE": "BASE TABLE"},
    COLUMN,
    {**COLUMN, "TABLE_NAME": "v"},
    {
        "view": "TRIGGERS", "EVENT_OBJECT_SCHEMA": "d", "EVENT_OBJECT_TABLE": "t", "TRIGGER_NAME": "tr",
        "ACTION_TIMING": "BEFORE",
        "EVENT_MANIPULATION": "INSERT", "ACTION_ORDER": 1, "ACTION_STATEMENT": "SET NEW.a = 1",
    },
    {"view": "VIEWS", "TABLE_SCHEMA": "d", "TABLE_NAME": "v", "VIEW_DEFINITION": "select 1"},
    {"view": "EVENTS", "EVENT_SCHEMA": "d", "EVENT_NAME": "e", "EVENT_DEFINITION": "DELETE FROM t",
    "STATUS": "SLAVESIDE_DISABLED"},
]  # fmt: skip


def _open(tmp_path: Path, rows: list[dict[str, object]]):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return open_schema(str(path), server=MYSQL)


def _notes(schema) -> list[str]:
    return [p.message for p in schema.problems if "not looked at" in p.message]


def test_rows_and_ddl_tell_the_same(tmp_path):
    rows = _open(tmp_path, ROWS)
    text = """CREATE TABLE t (a INT); CREATE VIEW v AS select 1;
    CREATE DEFINER=`root`@`%` TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1;
    CREATE EVENT e ON SCHEDULE EVERY 1 DAY DISABLE ON SLAVE DO DELETE FROM t;"""
    written = read(text, MYSQL, database="d")
    lost = [row for row in ROWS if row["view"] != "VIEWS"] + [{**ROWS[-2], "TABLE_NAME": "other"}]
    (problem,) = (p for p in _open(tmp_path, lost).problems if not p.skipped)
    assert (problem.table, problem.message[:29]) == ("v", "VIEWS does not tell the query")
    for schema in (rows, written):
        tables = {table.name: table for table in schema.tables}
        assert tables["t"].triggers == (TRIGGER,)
        assert (tables["v"].kind, tables["v"].query) == (TableKind.VIEW, "select 1")
        assert schema.events == (Event("e", "DELETE FROM t", "d", enabled=False),)
        assert not [p for p in schema.problems if not p.skipped]
    assert [note.split(",", 1)[0] for note in _notes(rows)] == ["routines"]


@pytest.mark.parametrize(
    ("definer", "security", "wanted"),
    [("root@%", "DEFINER", "'root'@'%'"), ("a@b@LOCALHOST", None, "'a@b'@'localhost'"), (None, None, ""),
     ("root@%", "INVOKER", "INVOKER")],
)  # fmt: skip
def test_rows_tell_what_a_view_and_a_trigger_were_made_under(tmp_path, definer, security, wanted):
    more = {"DEFINER": definer, "COLLATION_CONNECTION": "utf8_bin"}
    of_view = {
        "TRIGGERS": {**more, "DATABASE_COLLATION": "latin1_bin"},
        "VIEWS": {**more, "SECURITY_TYPE": security},
    }
    rows = [{**row, **of_view.get(row["view"], {})} for row in ROWS]
    tables = {table.name: table for table in _open(tmp_path, rows).tables}
    assert tables["v"].made == Made(wanted, "utf8mb3_bin")
    by = wanted if wanted != "INVOKER" else "'root'@'%'"
    assert tables["t"].triggers[0].made == Made(by, "utf8mb3_bin", "latin1_bin")


def test_rows_tell_what_a_view_takes(tmp_path):
    """Servers keep the CHECK OPTION apart from the query, and say whether a view takes changes."""
    more = {"CHECK_OPTION": "CASCADED", "IS_UPDATABLE": "NO"}
    rows = [{**row, **(more if row["view"] == "VIEWS" else {})} for row in ROWS]
    view = {table.name: table for table in _open(tmp_path, rows).tables}["v"]
    assert (view.query, view.made.read_only) == ("select 1 WITH CASCADED CHECK OPTION", True)


@pytest.mark.parametrize("nulls", [True, False])
def test_an_object_that_lost_a_key_is_told_where_nulls_are_written(tmp_path, nulls):
    whole = {name: value for name, value in COLUMN.items() if nulls or value is not None}
    lost = {name: value for name, value in whole.items() if name != "EXTRA"}
    rows = [whole, {**lost, "COLUMN_NAME": "b", "ORDINAL_POSITION": 2}]
    messages = [p.message for p in _open(tmp_path, rows).problems]
    assert any("an object of COLUMNS lacks EXTRA" in message for message in messages) == nulls


def test_columns_alone_say_what_was_not_looked_at(tmp_path):
    (note,) = _notes(_open(tmp_path, [COLUMN]))
    assert note.startswith(
        "triggers, the queries of views, events, routines, partitions, foreign keys and CHECK constraints "
    )
    about = {
        "view": "SNAPSHOT",
        "schemacheck_snapshot": 1,
        "views": ["TRIGGERS", "EVENTS", "ROUTINES", "PARTITIONS", "TABLE_CONSTRAINTS"],
    }
    (note,) = _notes(_open(tmp_path, [about, COLUMN, {"view": "SNAPSHOT_END"}]))
    assert note.startswith("the queries of views were not looked at: this input does not have VIEWS of")


def test_triggers_go_with_their_tables():
    text = (
        "CREATE TABLE t (a INT); CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1;"
        "RENAME TABLE t TO u; ALTER TABLE u ADD COLUMN b INT; CREATE TABLE w LIKE u;"
    )
    tables = {table.name: table.triggers for table in read(text, MYSQL, database="d").tables}
    assert tables == {"u": (TRIGGER,), "w": ()}
    for more, left in (("DROP TRIGGER tr", ()), ("DROP TRIGGER IF EXISTS x", (TRIGGER,))):
        assert read(text + more, MYSQL, database="d").tables[0].triggers == left
    assert read(text + "DROP TABLE u; CREATE TABLE u (a INT)", MYSQL, database="d").tables[-1].triggers == ()


def test_a_dump_writes_triggers_in_versioned_comments():
    text = """CREATE TABLE t (a INT);
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`%`*/ /*!50003 TRIGGER `tr` BEFORE INSERT ON `t` FOR EACH ROW SET NEW.a = 1 */;;
DELIMITER ;"""  # noqa: E501
    assert read(text, MYSQL, database="d").tables[0].triggers == (TRIGGER,)


@pytest.mark.parametrize(
    ("text", "server", "first"),
    [
        ("CREATE SEQUENCE s", MARIADB, "bigint"),
        ("CREATE SEQUENCE s AS INT UNSIGNED START WITH 5", MARIADB, "int unsigned"),
        ("CREATE SEQUENCE s START WITH 5", Server.parse("mariadb-10.11"), "bigint"),
    ],
)
def test_a_sequence_has_columns(text, server, first):
    """Recorded: information_schema.COLUMNS of 10.11.19 and 11.8.6."""
    (table,) = read(text, server, database="d").tables
    assert (len(table.columns), table.columns[0].type.sql()) == (8, first)


def test_print_sql_reads_them_and_says_so():
    text = print_sql("mysql-9.7")
    assert '"views":["TRIGGERS","VIEWS","EVENTS","ROUTINES","PARAMETERS","PARTITIONS"]' in text
    assert all(f"FROM information_schema.{view} WHERE" in text for view in ("TRIGGERS", "VIEWS", "EVENTS"))


ROUTINE = {
    "view": "ROUTINES", "ROUTINE_SCHEMA": "d", "ROUTINE_NAME": "Tax", "ROUTINE_TYPE": "FUNCTION",
    "ROUTINE_DEFINITION": "return i * 2", "SECURITY_TYPE": "DEFINER", "SQL_MODE": "", "DEFINER": "root@%",
    "COLLATION_CONNECTION": "utf8mb4_bin", "DATABASE_COLLATION": "utf8mb4_bin",
}  # fmt: skip
RESULT = {
    "view": "PARAMETERS", "SPECIFIC_SCHEMA": "d", "SPECIFIC_NAME": "Tax", "ROUTINE_TYPE": "FUNCTION",
    "ORDINAL_POSITION": 0, "PARAMETER_MODE": None, "PARAMETER_NAME": None, "DTD_IDENTIFIER": "int(11)",
    "COLLATION_NAME": None,
}  # fmt: skip
GIVEN = {**RESULT, "ORDINAL_POSITION": 1, "PARAMETER_MODE": "IN", "PARAMETER_NAME": "i"}


@pytest.mark.parametrize(
    ("rows", "effect"),
    [
        ([ROUTINE, GIVEN, RESULT], None),
        ([{**ROUTINE, "ROUTINE_NAME": "tax"}, RESULT, {**GIVEN, "DTD_IDENTIFIER": "int"}], None),
        ([{**ROUTINE, "ROUTINE_DEFINITION": "return i * 3"}, GIVEN, RESULT], Effect.DIVERGES),
        ([ROUTINE, {**GIVEN, "ORDINAL_POSITION": "x"}, RESULT], Effect.UNKNOWN),
        ([ROUTINE, {**GIVEN, "ORDINAL_POSITION": "9" * 5000}, RESULT], Effect.UNKNOWN),
        ([ROUTINE, {**GIVEN, "DTD_IDENTIFIER": "tinyint"}, RESULT], Effect.DIVERGES),
        ([ROUTINE, GIVEN, {**RESULT, "DTD_IDENTIFIER": "bigint"}], Effect.DIVERGES),
        ([{**ROUTINE, "IS_DETERMINISTIC": "NO"}, GIVEN, RESULT], None),
        ([{**ROUTINE, "IS_DETERMINISTIC": "YES"}, GIVEN, RESULT], Effect.DIVERGES),
        ([ROUTINE], Effect.UNKNOWN),
        ([{**ROUTINE, "ROUTINE_DEFINITION": None}, GIVEN, RESULT], Effect.UNKNOWN),
        ([], Effect.UNSUPPORTED),
    ],
)
def test_a_function_of_snapshots_that_logged_statements_call(tmp_path, rows, effect):
    base = Link.of("mysql-9.7", None)
    link = Link(base.source.with_told({"binlog_format": "STATEMENT"}), base.replica)
    source = _open(tmp_path, [COLUMN, ROUTINE, GIVEN, RESULT])
    report = check(source, _open(tmp_path, [COLUMN, *rows]), link)
    found = [finding.effect for finding in report.findings if finding.code == "SC808"]
    assert max(found, default=None) == effect
    written = "CREATE TABLE d.t (a INT); CREATE FUNCTION d.tax(i INT) RETURNS INT return i * 2"
    mixed = check(source, read(written, MYSQL), link)
    # Its body is another text, and the default sql_mode is not the empty one.
    assert [f.effect for f in mixed.findings if f.code == "SC808"] == [Effect.UNKNOWN] * 2


@pytest.mark.parametrize(("form", "told"), [("STATEMENT", 1), ("MIXED", 1), ("ROW", 0)])
def test_accounts_that_no_input_lists_are_an_assumption(form, told):
    text = """CREATE TABLE t (a INT PRIMARY KEY);
        CREATE DEFINER=`app`@`%` TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1;
        CREATE DEFINER=`app`@`%` FUNCTION f() RETURNS INT DETERMINISTIC RETURN 1;
        CREATE DEFINER=`other`@`%` SQL SECURITY INVOKER VIEW v AS SELECT a FROM t;"""
    base = Link.of("mysql-9.7", None)
    link = Link(base.source.with_told({"binlog_format": form}), base.replica)
    report = check(read(text, MYSQL), read(text, MYSQL), link)
    assert [each for each in report.assumptions if "definers" in each] == [
        "the replica has the definers of triggers, functions and views (else 1449): 'app'@'%'"
    ][:told]


@pytest.mark.parametrize(
    ("body", "leans"),
    [
        ("SET NEW.b = (SELECT MAX(b) FROM hid)", True),
        ("INSERT INTO hid VALUES (NEW.a, 1)", True),
        ("INSERT IGNORE `hid`VALUES (NEW.a, 1)", True),
        ("INSERT LOW_PRIORITY INTO `d`.`hid` VALUES (NEW.a, 1)", True),
        ("REPLACE hid VALUES (NEW.a, 1)", True),
        ("UPDATE t2, hid SET hid.b = 1", True),
        ("UPDATE LOW_PRIORITY IGNORE hid SET b = 1", True),
        ("DELETE FROM hid WHERE a = NEW.a", True),
        ("SET NEW.b = (SELECT MAX(x.b) FROM (t2 x STRAIGHT_JOIN hid))", True),
        ("INSERT INTO other.hid VALUES (NEW.a, 1)", False),
        ("SET NEW.b = 'FROM hid', NEW.a = hidden", False),
    ],
)
@pytest.mark.parametrize("form", ["STATEMENT", "MIXED", "ROW"])
def test_programs_that_lean_on_what_filters_keep_out(body, leans, form):
    text = f"""CREATE DATABASE d; USE d; CREATE TABLE hid (a INT PRIMARY KEY, b INT);
        CREATE TABLE t (a INT PRIMARY KEY, b INT); CREATE TABLE t2 (a INT PRIMARY KEY, b INT);
        CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW {body};"""
    base = Link.of("mysql-9.7", None)
    link = Link(base.source.with_told({"binlog_format": form}), base.replica)
    filters = FilterSet(ignore_table=("d.hid",))
    ends = read(text, MYSQL), read(text, MYSQL)
    report = engine.check(ends[0].tables, ends[1].tables, link, filters=filters)
    report = with_programs(report, *ends)
    found = [f.effect for f in report.findings if f.code == "SC602"]
    assert found == [Effect.DIVERGES, Effect.UNSUPPORTED] * (leans and form != "ROW")
    assert any("keep out (1 table)" in each for each in report.assumptions) == (form != "ROW")
