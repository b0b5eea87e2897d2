from __future__ import annotations

import doctest
import importlib
import inspect
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import schemacheck
from schemacheck import Effect, Link, PairState, UsageError

ROOT = Path(__file__).parents[2]


def test_every_public_name_is_there_and_documented():
    for name in schemacheck.__all__:
        value = getattr(schemacheck, name)
        assert value.__doc__, name
    assert set(schemacheck.__all__) <= set(dir(schemacheck))
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        schemacheck.chek  # noqa: B018


A, B = "CREATE TABLE t (id int unsigned)", "CREATE TABLE t (id bigint)"
LINK = Link.of("mysql-8.0.36", slave_type_conversions="ALL_NON_LOSSY")


@pytest.mark.parametrize("module", ["schemacheck.library", "schemacheck.inputs"])
def test_examples_of_the_docstrings_are_what_happens(module, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert doctest.testmod(importlib.import_module(module)).failed == 0
    for name in schemacheck.__all__:
        value = getattr(schemacheck, name)
        if inspect.isfunction(value) and value.__module__ == module and name != "to_pandas":
            assert ">>> " in (value.__doc__ or ""), name


def test_what_signatures_name_is_public():
    """Every class of ours that a public function takes or gives, or that a public value holds."""
    ours = {
        name
        for path in (ROOT / "schemacheck").rglob("*.py")
        if "model" in path.parts or path.name in ("endpoint.py", "piece.py", "library.py")
        for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE)
    }
    for name in (
        "check",
        "convert",
        "open_schema",
        "parse",
        "Conversion",
        "Difference",
        "Finding",
        "PairReport",
    ):
        value = getattr(schemacheck, name)
        hints = value.__annotations__.values()
        for word in {one for hint in hints for one in re.findall(r"\w+", str(hint))} & ours:
            assert word in schemacheck.__all__, (name, word)


@pytest.mark.parametrize("text", ["schema.sql", "my schema.sql.gz", "a/b.jsonl", "mysql://u@h/db"])
def test_a_path_in_place_of_ddl_is_told_with_what_reads_it(text):
    with pytest.raises(UsageError, match=r"is a path, not DDL: schemacheck\.open_schema"):
        schemacheck.check(text, text)


def test_text_tables_and_schemas_give_the_same():
    one = schemacheck.check(A, B, LINK)
    a, b = schemacheck.parse(A, LINK.source), schemacheck.parse(B, LINK.replica)
    for sides in ((a, b), (a.tables, b.tables), (list(a.tables), iter(b.tables)), (a.tables[0], b.tables[0])):
        other = schemacheck.check(*sides, LINK)
        assert [f.code for f in other.findings] == [f.code for f in one.findings]
        assert other.verdict is one.verdict is Effect.DIVERGES


def test_reports_can_be_pickled_and_hashed():
    report = schemacheck.check(A, B, LINK)
    again = pickle.loads(pickle.dumps(report))
    assert again == report
    assert hash(again) == hash(report)


def test_bad_ddl_does_not_raise_and_is_no_pass():
    report = schemacheck.check("CREATE TABLE t (id int,,)", B, LINK)
    assert report.verdict is Effect.UNKNOWN
    assert schemacheck.exit_status(report) == 3
    assert report.problems[0].location.file == "source"


@pytest.mark.parametrize(
    "call",
    [
        lambda: schemacheck.check(3, B),
        lambda: schemacheck.check([A], B),
        lambda: schemacheck.parse(b"CREATE TABLE t (a int)"),
        lambda: schemacheck.convert("int", "integer of some size"),
        lambda: schemacheck.render(schemacheck.check(A, B), "pdf"),
        lambda: schemacheck.parse(A, "oracle-9"),
        lambda: Link.of("mysql-8.0", slave_type_conversions="SOME").type_conversions,
    ],
)
def test_misuse_raises_a_typed_error(call):
    with pytest.raises(schemacheck.UsageError):
        call()


def test_assumptions_name_what_nobody_gave():
    told = schemacheck.check(A, B, LINK).assumptions
    assert not any(text.startswith("slave_type_conversions") for text in told)
    assert "binlog_format = ROW" in told
    assert "sql_mode = " in " ".join(told)
    bare = schemacheck.check(A, B).assumptions
    assert any(text.startswith("source server = MySQL ") for text in bare)
    mixed = schemacheck.check(A, B, Link.of("mysql-8.0", "mariadb-10.11")).assumptions
    assert "source character_set_server = utf8mb4" in mixed
    assert "replica character_set_server = latin1" in mixed


def test_convert_answers_the_three_questions():
    found = schemacheck.convert("int unsigned", "bigint", LINK)
    assert (found.kind, found.needs, found.permitted, found.effect) == (
        "non-lossy",
        "ALL_NON_LOSSY",
        True,
        Effect.DIVERGES,
    )
    assert (found.example.source, found.example.replica) == ("4294967295", "-1")
    refused = schemacheck.convert("int", "date", LINK)
    assert (refused.kind, refused.effect, refused.example) == ("impossible", Effect.STOPS, None)
    assert refused.error.number in (1677, 13146)
    assert schemacheck.convert("varchar(10)", "varchar(10)").effect is Effect.IDENTICAL


def test_rows_are_flat_text():
    (row, *_) = schemacheck.rows(schemacheck.check(A, B, LINK))
    assert row["code"] == "SC204"
    assert row["source_type"] == "int unsigned"
    assert all(isinstance(value, str) for value in row.values())


def test_a_missing_table_is_told():
    report = schemacheck.check(A, "CREATE TABLE other (id int)", LINK)
    assert report.pairs[0].state is PairState.MISSING
    assert report.verdict is Effect.STOPS


def test_no_spark_and_no_driver_is_imported():
    code = (
        "import sys, schemacheck;schemacheck.check('CREATE TABLE t (id int)', 'CREATE TABLE t (id "
        "bigint)');bad = {'pyspark', 'pymysql', 'pyarrow', 'pandas', 'jinja2'} & "
        "set(sys.modules);assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "call",
    [
        lambda: schemacheck.convert(None, "int"), lambda: schemacheck.convert("point srid 1.5", "point"),
        lambda: schemacheck.convert("varchar(10) character set foo", "int"),
        lambda: schemacheck.convert("int", "int", "mysql-8.0"), lambda: schemacheck.check(A, B, "mysql-8.0"),
        lambda: schemacheck.convert("int", b"int"),
    ],
)  # fmt: skip
def test_arguments_of_another_kind_are_usage_errors(call):
    with pytest.raises(schemacheck.UsageError):
        call()


@pytest.mark.parametrize(
    "change",
    [
        "SET STATEMENT max_statement_time=60 FOR ALTER TABLE t ADD c INT",
        "ALTER TABLE other.t ADD c INT",
        "USE other; DROP TABLE t",
        "CREATE TABLE u LIKE other.t",
        "CREATE TABLE other.t (a INT PRIMARY KEY)",
        "GRANT SELECT ON t TO u",
        "CREATE USER u",
        "SET PASSWORD FOR u = 'x'",
        "DROP SERVER s",
        "DROP DATABASE other",
        "CREATE PROCEDURE other.p() SELECT 1",
        "ALTER TABLE mysql.user ADD x INT",
    ],
)
def test_a_change_of_what_no_input_lists_is_no_pass(change):
    table = "CREATE TABLE d.t (a INT PRIMARY KEY)"
    report = schemacheck.check(table, table, schemacheck.Link.of("mariadb-11.8"), change=change, database="d")
    assert schemacheck.exit_status(report) == 3


NUMBERED = "ALTER TABLE t ADD n INT AUTO_INCREMENT, ADD KEY (n)"


@pytest.mark.parametrize(
    ("rows", "key", "change", "codes"),
    [
        ("a INT NOT NULL", ", PRIMARY KEY (a)", NUMBERED, set()),
        ("a INT NOT NULL", ", PRIMARY KEY (a DESC)", NUMBERED, {"SC707"}),
        ("a ENUM('x','y') NOT NULL", ", PRIMARY KEY (a)", NUMBERED, {"SC707"}),
        ("a INT NOT NULL", ", PRIMARY KEY (a)) PARTITION BY HASH (a", NUMBERED, {"SC707"}),
        ("a INT NOT NULL", ", PRIMARY KEY (a)", "ALTER TABLE t ADD v TEXT DEFAULT (VERSION())", {"SC707"}),
        # What is not logged leaves the replica as it was.
        ("a INT NOT NULL", ", PRIMARY KEY (a)", "SET sql_log_bin=FALSE; ALTER TABLE t ADD v BIT", {"SC104"}),
        ("a INT NOT NULL", ", PRIMARY KEY (a)", "SET sql_log_bin = TRUE; ALTER TABLE t ADD v INT", set()),
    ],
)  # fmt: skip
def test_a_change_that_makes_other_rows_is_no_pass(rows, key, change, codes):
    source = "CREATE TABLE d.t (a INT NOT NULL, PRIMARY KEY (a))"
    replica = f"CREATE TABLE d.t ({rows}{key})"
    report = schemacheck.check(source, replica, schemacheck.Link.of("mariadb-11.8"), change=change)
    assert {one.code for pair in report.pairs for one in pair.findings} >= codes
    assert codes or schemacheck.exit_status(report) == 0


@pytest.mark.parametrize(
    ("change", "check", "replica", "status"),
    [  # Asked over channels: 10.11 and 11.8 stop with 4025, 9.7 drops the CHECKs.
        ("ALTER TABLE t ADD CHECK (a > 0)", "", "mariadb-10.11", 3),
        ("ALTER TABLE t ADD b INT CHECK (b > 0), MODIFY c BIGINT", "", "mariadb-11.8", 3),
        ("ALTER TABLE t ADD CHECK (a > 0)", "", "mysql-9.7", 0),
        ("ALTER TABLE t ADD CHECK (a > 0)", "", "mysql-5.7", 0),
        ("ALTER TABLE t ADD `check` INT", "", "mariadb-10.11", 0),
        ("CREATE TABLE u (a INT PRIMARY KEY, CHECK (a > 0))", "", "mariadb-10.11", 0),
        ("ALTER TABLE t MODIFY c BIGINT", ", CHECK (c > 0)", "mariadb-10.11", 1),
        ("ALTER TABLE t ADD KEY (c)", ", CHECK (c > 0)", "mariadb-10.11", 0),
        # Servers with other conversions: 10.11 reads '7e2' as 7, 9.7 another zone's '... 10:11:12+02:00'.
        ("ALTER TABLE t MODIFY v INT", "", "mariadb-10.11", 3),
        ("ALTER TABLE t CHANGE v w DATETIME", "", "mysql-9.7", 3),
        ("ALTER TABLE t MODIFY d YEAR", "", "mariadb-10.11", 3),
        ("ALTER TABLE t MODIFY d YEAR", "", "mysql-5.7", 0),
        ("ALTER TABLE t MODIFY f DATETIME", "", "mariadb-10.11", 3),
        ("ALTER TABLE t MODIFY f DATETIME", "", "mysql-9.7", 0),
        ("ALTER TABLE t MODIFY c TIME", "", "mariadb-10.11", 3),
        ("ALTER TABLE t MODIFY d VARCHAR(30), MODIFY c BIGINT", "", "mariadb-10.11", 0),
        # Words that are reserved on the replica alone.
        ("ALTER TABLE t DROP COLUMN rows", "", "mariadb-10.11", 3),
        ("ALTER TABLE t ADD b INT AFTER rows", "", "mysql-9.7", 3),
        ("ALTER TABLE t DROP COLUMN `rows`, STATS_PERSISTENT=0", "", "mariadb-10.11", 0),
    ],
)
def test_a_change_that_meets_rows_otherwise_on_the_replica(change, check, replica, status):
    table = (
        "CREATE TABLE d.t (a INT PRIMARY KEY, c INT, v VARCHAR(9), d DATETIME, f DATETIME(3), `rows` INT%s)"
    )
    row = {"binlog_format": "ROW", "character_set_server": "latin1"}
    link = schemacheck.Link(
        schemacheck.Server.parse("mysql-5.6", row), schemacheck.Server.parse(replica, row)
    )
    report = schemacheck.check(table % "", table % check, link, change=change, database="d")
    assert schemacheck.exit_status(report) == status


@pytest.mark.parametrize(
    "change",
    [
        "CREATE DATABASE other; CREATE TABLE other.t (a INT PRIMARY KEY); ALTER TABLE other.t ADD b INT",
        "DROP TABLE IF EXISTS other.t",
        "CREATE VIEW v AS SELECT a FROM t",
        "CREATE PROCEDURE p() SELECT 1",
        "ALTER DATABASE CHARACTER SET latin1",
        "CREATE USER IF NOT EXISTS u",
        "ALTER TABLE t ADD b INT",
    ],
)
def test_a_change_of_what_the_inputs_list_passes(change):
    table = "CREATE TABLE d.t (a INT PRIMARY KEY)"
    report = schemacheck.check(table, table, schemacheck.Link.of("mariadb-11.8"), change=change, database="d")
    assert schemacheck.exit_status(report) == 0
