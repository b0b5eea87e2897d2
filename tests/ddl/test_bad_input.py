"""Bad input: a problem with its place and its table, in bounded time; never an exception."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacheck.catalog import read
from schemacheck.model import Server

MYSQL = Server.parse("mysql-9.7.4")
GOOD = "CREATE TABLE good (a INT, b VARCHAR(10) DEFAULT 'x', KEY (a));\n"

LARGE = {
    "nested parentheses": "CREATE TABLE bad (a INT CHECK (" + "(" * 100_000 + "1" + ")" * 100_000 + "));",
    "open parentheses": "CREATE TABLE bad " + "(" * 200_000,
    "nested CASE": "CREATE TABLE bad (a INT, CHECK (" + "CASE WHEN 1 THEN " * 3000 + "1" + " END" * 3000,
    "many NOTs": "CREATE TABLE bad (a INT, CHECK (" + "NOT " * 50_000 + "1)",
    "10,000 columns": "CREATE TABLE bad (" + ",".join(f"c{i} INT" for i in range(10_000)) + ");",
    "digits": "CREATE TABLE bad (a DECIMAL(65,30) DEFAULT " + "9" * 100_000 + ");",
    "exponent": "CREATE TABLE bad (a INT DEFAULT 1e999999999);",
    "width": "CREATE TABLE bad (a INT(" + "9" * 10_000 + "));",
    "comment of 10 MB": "CREATE TABLE bad (a INT COMMENT '" + "y" * 10_000_000 + "');",
    "nested comments": "CREATE TABLE bad (a INT /*!99999 " + "/* " * 50_000 + ")",
}


@pytest.mark.parametrize("name", LARGE)
def test_large_and_bad(name: str) -> None:
    begin = time.process_time()
    schema = read(GOOD + LARGE[name], MYSQL, database="d")
    assert time.process_time() - begin < 5
    assert [table.name for table in schema.tables] == ["good"]
    assert [
        (problem.table, problem.location.line if problem.location else None) for problem in schema.problems
    ] == [(None if name == "nested comments" else "bad", 2)]  # reading stops there


@pytest.mark.parametrize(
    "noise",
    [
        "INSERT INTO t VALUES ('" + "x" * 3_000_000 + "');\n",
        "INSERT INTO t VALUES " + ",".join(["(1,'a''b\\'c',NULL)"] * 100_000) + ";\n",
        ";" * 100_000,
        "-- \n" * 50_000,
        "/*!99999 x */" * 20_000,
        "DELIMITER $$\nDELIMITER ;\n" * 10_000,
    ],
    ids=["3 MB line", "100,000 rows", "semicolons", "comments", "versioned comments", "delimiters"],
)
def test_noise_before_a_table(noise: str) -> None:
    begin = time.process_time()
    schema = read(noise + GOOD, MYSQL)
    assert time.process_time() - begin < 10
    assert [table.name for table in schema.tables] == ["good"]


def test_the_client_ends_at_a_line_with_nul() -> None:
    schema = read("CREATE TABLE t (a INT);\nSELECT 1 \0;\nALTER TABLE t MODIFY a BIGINT;", MYSQL)
    assert [table.columns[0].type.base for table in schema.tables] == ["int"]
    assert ["NUL" in problem.message for problem in schema.problems] == [True]


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("CREATE TABLE t (a INT DEFAULT 'abc", 31, "string is not closed"),
        ("CREATE TABLE t (a INT, b", 25, "end of the statement"),
        ("CREATE TABLE t (a INT /* x", 23, "comment is not closed"),
        ("CREATE TABLE t (a INT) b INT)", 24, "'b INT)'"),
        ("CREATE TABLE t (a NOSUCH)", 19, "NOSUCH"),
        ("CREATE TABLE t (a INT, PRIMARY KEY (b))", 37, "'b' does not exist"),
        ("CREATE TABLE d.t (a INT, a INT)", 26, "twice"),
        ("CREATE TABLE t (v VARCHAR(9) CHARACTER SET nope)", 19, "character set 'nope' is unknown"),
        ("CREATE TABLE t (v VARCHAR(9) COLLATE latin1_nope)", 19, "collation 'latin1_nope' is unknown"),
        (f"CREATE TABLE t AS SELECT REPEAT('a', {'9' * 5000})", 38, "a number of 5000 characters"),
        (f"CREATE TABLE t (a INT, b INT AS (a + 1.{'9' * 5000}))", 38, "a number of 5002 characters"),
        ("CREATE TABLE t AS SELECT @a", 14, "which columns CREATE TABLE ... SELECT makes"),
        ("CREATE TABLE t LIKE nothing", 14, "'nothing'"),
        ("ALTER TABLE t ADD COLUMN x INT", 13, "give its CREATE TABLE before"),
    ],
)
def test_place_and_table(text: str, column: int, says: str) -> None:
    schema = read(GOOD + text, MYSQL, file="f.sql", database="d")
    (problem,) = schema.problems
    assert (problem.database, problem.table) == ("d", "t")
    assert problem.location is not None
    assert (problem.location.file, problem.location.line, problem.location.column) == ("f.sql", 2, column)
    assert says in problem.message
    assert problem.code in ("SC001", "SC002")
    assert [table.name for table in schema.tables] == ["good"]


def test_nonsense_is_told_and_bounded() -> None:
    schema = read("foo bar;\n" + GOOD + "\x7fELF\x02\x01;" + "a;" * 300_000, MYSQL)
    assert [table.name for table in schema.tables] == ["good"]
    assert "'FOO' begins no statement" in schema.problems[0].message
    assert "reading stops" in schema.problems[-1].message
    assert len(schema.problems) < 1100


STATEMENTS = (
    (
        "CREATE TABLE t (a INT NOT NULL AUTO_INCREMENT, b VARCHAR(10) CHARACTER SET latin1 DEFAULT 'x', c "
        "ENUM('a','b'), PRIMARY KEY (a), KEY k (b(3) DESC)) ENGINE=InnoDB;"
    ),
    (
        "CREATE TABLE `u` LIKE t; ALTER TABLE u ADD COLUMN d DECIMAL(5,2) DEFAULT 1.5 AFTER a, DROP KEY k, "
        "CONVERT TO CHARACTER SET utf8mb4;"
    ),
    (
        "CREATE TABLE g (a INT, b INT AS (a+1) STORED, CHECK (a > 0 AND b <> 5), CONSTRAINT f FOREIGN KEY "
        "(a) REFERENCES t (a) ON DELETE CASCADE);"
    ),
    (
        "/*!50001 CREATE VIEW v AS SELECT 1 */; SET @a = @@sql_mode, sql_mode = 'ANSI'; DROP TABLE IF EXISTS "
        "t, u; RENAME TABLE g TO h;"
    ),
)
TOKENS = (
    "(",
    ")",
    ",",
    ";",
    "'",
    '"',
    "`",
    "/*",
    "*/",
    "/*!80000",
    "--",
    "\\",
    "NULL",
    "DEFAULT",
    "KEY",
    "0x",
    "1e9",
    "-",
    "\0",
    "é",
    "\n",
    "CHECK",
    "AS",
    "@",
    ".",
    "SELECT",
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_statements_never_raise(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(STATEMENTS))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.sampled_from(TOKENS)) + text[at + data.draw(st.integers(0, 6)) :]
    server = data.draw(st.sampled_from((MYSQL, Server.parse("mysql-5.6"), Server.parse("mariadb-11.8"))))
    schema = read(text, server, database="d")
    for problem in schema.problems:
        assert problem.message
        assert problem.location is not None


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda b: b.decode("latin1")))
def test_any_text_never_raises(text: str) -> None:
    read(text, MYSQL, database="d")
    read("CREATE TABLE t (" + text, MYSQL, database="d")


@pytest.mark.parametrize("server", ["mysql-9.7.4", "mariadb-11.8.6"])
@pytest.mark.parametrize("column", ["b INT AS ({}) STORED", "CHECK ({})"])
@pytest.mark.parametrize("operator", [" and ", "+"])
def test_many_operators_are_read_or_refused(server: str, column: str, operator: str) -> None:
    for count in (100, 600, 6000):
        condition = operator.join(["a"] * count) + (" > 1" if "CHECK" in column else "")
        text = f"CREATE TABLE u (a INT); CREATE TABLE t (a INT, {column.format(condition)})"
        found = read(text, Server.parse(server), database="d")
        assert [one.name for one in found.tables] == ["u", "t"][: 2 if count < 6000 else 1]
        assert bool(found.problems) == (count == 6000)
