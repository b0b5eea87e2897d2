"""What the clients make of scripts: each case was asked of the real clients and servers, most were found by
`tests/live`.
"""

from __future__ import annotations

import time

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server
from schemacheck.sql.lexer import Tokens

MYSQL, MARIADB = Server.parse("mysql-9.7"), Server.parse("mariadb-11.8")
BOTH = ("mysql-9.7", "mariadb-11.8")


def types(text: str, server: str) -> str | dict[str, list[str]]:
    """The columns' types by table, or 'unknown'."""
    schema = read(text, Server.parse(server), database="d")
    if any(not problem.skipped for problem in schema.problems):
        return "unknown"
    return {table.name: [column.type.base for column in table.columns] for table in schema.tables}


#: A correction behind a routine is unknown: the client may have stopped there.
#: Script behind `CREATE TABLE t (a INT);`, what t's types are at the end on MySQL 9.7 and on MariaDB 11.8.
SCRIPTS = [
    ("\nDELIMITER '//'\nCREATE PROCEDURE p() SELECT 1 //\nALTER TABLE t MODIFY a BIGINT //", "unknown",
    "unknown"),
    ("\nDELIMITER \\\\\nCREATE PROCEDURE p() SELECT 1; ALTER TABLE t MODIFY a BIGINT;", "unknown",
    "unknown"),
    ("delimiter //; ALTER TABLE t MODIFY a BIGINT", ["bigint"], ["bigint"]),
    (" ALTER\u00a0TABLE t MODIFY a BIGINT;", "unknown", "unknown"),
    ("\n\\q\nALTER TABLE t MODIFY a BIGINT;", "unknown", "unknown"),
    ("\ndelimiter;; ALTER TABLE t MODIFY a BIGINT;", ["int"], ["bigint"]),
    ("\n-----\nALTER TABLE t MODIFY a BIGINT;", "unknown", ["bigint"]),
    ("\n--#2274\nALTER TABLE t MODIFY a BIGINT;", "unknown", ["bigint"]),
    ("\nDELIMITER //\nALTER TABLE t MODIFY a BIGINT;\nALTER TABLE t ADD b INT;\n", ["bigint", "int"],
    ["bigint", "int"]),
    ("\nDELIMITER //\nALTER TABLE t MODIFY a BIGINT;;ALTER TABLE t ADD b INT//", "unknown", "unknown"),
    ("\nDELIMITER //\nALTER TABLE t MODIFY a BIGINT;/* c */;ALTER TABLE t ADD b INT//", "unknown", "unknown"),
    ("\nDELIMITER //\nCREATE PROCEDURE p() SELECT 1; ALTER TABLE t MODIFY a BIGINT//", "unknown",
    "unknown"),
    ("\ndelimiter //\r\nALTER TABLE t MODIFY a BIGINT//\r\n", ["bigint"], ["bigint"]),
    ("\n/* c */ delimiter //\nALTER TABLE t MODIFY a BIGINT//", ["bigint"], "unknown"),
    ("\n  \n-- c\ndelimiter //\nALTER TABLE t MODIFY a BIGINT//", "unknown", ["bigint"]),
    ("\nALTER TABLE t MODIFY a BIGINT \\G\n", "unknown", ["bigint"]),
    ("\nuse other\nALTER TABLE t MODIFY a BIGINT;", "unknown", "unknown"),
    ("\nconnect other\nALTER TABLE t MODIFY a BIGINT;", "unknown", "unknown"),
    ("\nsystem echo\nALTER TABLE t MODIFY a BIGINT;", "unknown", "unknown"),
    ("\nIMPORT TABLE FROM 'x.sdi';", "unknown", "unknown"),
    ("\nCREATE EVENT e ON SCHEDULE EVERY 1 DAY DO ALTER TABLE t MODIFY a BIGINT;", "unknown", "unknown"),
    ("\nALTER TABLE t MODIFY a TINYINT\u00a0;", "unknown", "unknown"),
    ("\nALTER TABLE t /*! MODIFY a BIGINT /* x */ , ADD b INT */;", ["bigint", "int"], "unknown"),
    ("\n/* c /*! d */ ALTER TABLE t MODIFY a BIGINT; /* */", ["bigint"], ["int"]),
    ("\n/* c /*! d */ e */ ALTER TABLE t MODIFY a BIGINT;", "unknown", ["bigint"]),
    ("\nSELECT 1 -- \x01;\n; ALTER TABLE t MODIFY a BIGINT;", ["bigint"], ["bigint"]),
]  # fmt: skip


@pytest.mark.parametrize(("script", "mysql", "mariadb"), SCRIPTS)
def test_scripts(script: str, mysql: object, mariadb: object) -> None:
    for server, expected in zip(BOTH, (mysql, mariadb), strict=True):
        found = types(f"CREATE TABLE t (a INT);{script}", server)
        assert found == "unknown" or found["t"] == expected, server


#: Statements, and their columns on both; None is a syntax error.
STATEMENTS = [
    ("CREATE TABLE t (a INT, /*!\u0669\u0669\u0669\u0669\u0669\u0669 INT, */ c INT)", ["a", "\u0669" * 6,
    "c"]),
    ("CREATE TABLE t (0x INT, 0xg INT, 0b2 INT, 1e INT, 1a INT, 0X1F INT)", ["0x", "0xg", "0b2", "1e", "1a",
    "0X1F"]),
    ("CREATE TABLE t (\u00a0 INT, é\u3000 INT)", ["\u00a0", "é\u3000"]),
    ("CREATE TABLE t (0x1 INT)", None), ("CREATE TABLE t (1e5 INT)", None), ("CREATE TABLE t (_utf8 INT)",
    None),
    ("CREATE TABLE t (a ENUM(N'a'))", None),
    ("CREATE TABLE t (a INT /*!50000 NOT NULL */ */, c INT)", None),
    ("CREATE TABLE t (a INT DEFAULT 1.5e, c INT)", None),
    ("CREATE TABLE t (a INT --\x01 x\n, b INT)", ["a", "b"]), ("CREATE TABLE t (a INT --\u00a0x\n, b INT)",
    None),
    ("CREATE TABLE t (a INT, b INT)\u2028", None), ("CREATE TABLE t (\u017fet INT)", ["\u017fet"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "columns"), STATEMENTS)
def test_statements(text: str, columns: list[str] | None) -> None:
    for server in (MYSQL, MARIADB):
        schema = read(text, server, database="d")
        problems = [problem for problem in schema.problems if not problem.skipped]
        assert bool(problems) == (columns is None)
        assert [[column.name for column in table.columns] for table in schema.tables] == (
            [columns] if columns else []
        )


@pytest.mark.parametrize("blank", ["\u00a0", "\u0085", "\u2028", "\u3000"])
def test_a_blank_that_is_none_belongs_to_the_name(blank: str) -> None:
    assert [table.name for table in read(f"CREATE TABLE t{blank} (a INT)", MYSQL).tables] == [f"t{blank}"]


def test_what_follows_a_name_and_a_dot_is_a_name() -> None:
    assert Tokens("a.1e5.b").words == ["A", ".", "1E5", ".", "B", ""]
    assert Tokens("`t`.1a").words == ["", "", "A", ""]


GROWING = {
    "comments": lambda n: "/* x */" * n, "semicolons": lambda n: ";" * n,
    "delimiters": lambda n: "DELIMITER //\nDELIMITER ;\n" * n,
    "blank lines": lambda n: "\n" * n + "x", "open comments": lambda n: "/* x " * n,
    "quotes": lambda n: "'" * (n + 1), "backquotes": lambda n: "`a" * n,
    "versioned": lambda n: "/*!99999 /* x */ */" * n, "nested": lambda n: "/*! /* x */" * n,
    "dashes": lambda n: "--" * n, "commands": lambda n: "\\p" * n,
    "one line": lambda n: "SELECT 1;" * n, "multi": lambda n: "DELIMITER //\n" + "SET @a = 1;" * n,
    "dots": lambda n: "a." * n + "b",
}  # fmt: skip


@pytest.mark.growth
@pytest.mark.parametrize("kind", GROWING)
def test_reading_grows_with_the_text(kind: str) -> None:
    """Twice the text takes at most about twice the time, by the best of three; a quadratic reader takes four
    times.
    """
    times = []
    for size in (2_000, 8_000):
        text = GROWING[kind](size)
        best = 1e9
        for _ in range(3):
            begin = time.process_time()
            read(text, MARIADB, database="d")
            best = min(best, time.process_time() - begin)
        times.append(best)
    assert times[1] < times[0] * 9 + 0.1, times


@pytest.mark.parametrize(
    "script",
    [
        # The end of a statement inside of a comment that runs (asked of MariaDB 10.11, all of these).
        "delimiter $$\n/*!50000 DO 1;\nCREATE TABLE u (a INT);*/$$\n",
        "delimiter $$\n/*!50000 CREATE TABLE u (a INT);*/$$\n",
        "DO 1 /*!50000 \\d $$\\G x\n;\nCREATE TABLE u (a INT);\n",
        "delimiter $$\n/*!50000 CREATE PROCEDURE p() BEGIN DO 1; END;*/CREATE TABLE u (a INT)$$\n",
        # No name directly behind @.
        "SET @--\na = 1;\nCREATE TABLE u (a INT);\n",
        "SET @ a = 1; CREATE TABLE u (a INT);",
        "SELECT @/**/a; CREATE TABLE u (a INT);",
        "SET @@ sql_mode = ''; CREATE TABLE u (a INT);",
        # No operand between a sign and an operator.
        "CREATE TABLE u (a INT CHECK (1 --/*!**/ 1), b INT CHECK (1\n));\n",
        "CREATE TABLE u (a INT CHECK (1 - * 1));\n",
        "CREATE TABLE u (a INT CHECK (1 -* 1));\n",
        "CREATE TABLE u (a INT CHECK (1 -));\n",
        # What sql_mode is decides where the string ends (asked of MariaDB 10.11 and MySQL 9.7).
        "SET sql_mode = 1048576; SET @a = '\\'; CREATE TABLE u (a INT); -- ';",
        "SET @m = 1048576; SET sql_mode = @m; SELECT '\\'; CREATE TABLE u (a INT); -- ';",
        "SET sql_mode = @nowhere; (SELECT '\\'); CREATE TABLE u (a INT); -- ');",
        # The semicolon is part of the name.
        "\\u d;SET @a = 1\\g\\u d\nCREATE TABLE u (a INT);\n",
        # The sandbox mode takes no file.
        "\\-\nCREATE TABLE u (a INT)\\T x\n",
        "/*M!999999\\- x */\npager less\nCREATE TABLE u (a INT);\n",
    ],
)
def test_what_the_server_or_the_client_refuses_is_not_read(script: str) -> None:
    assert read("CREATE TABLE t (a INT);\n" + script, MARIADB).problems


@pytest.mark.parametrize(
    ("script", "tables"),
    [
        ("delimiter $$\n/*!50000 CREATE TABLE u (a INT)*/;CREATE TABLE v (a INT)$$\n", {"u", "v"}),
        ("delimiter $$\n/*!50000 CREATE PROCEDURE p() BEGIN DO 1; END */;CREATE TABLE v (a INT)$$\n", {"v"}),
        ("delimiter $$\n/*!99999999 x; */CREATE TABLE v (a INT)$$\n", {"v"}),
        (
            "SET @m=''; SET sql_mode=@m; SET @a='\\'; CREATE TABLE u (a INT); -- '; CREATE TABLE v (a INT);",
            {"v"},
        ),
        ("SET @a = 1, @`b c` = 2, @'d' = 3; CREATE TABLE v (a INT);", {"v"}),
        ("CREATE VIEW w AS SELECT 1 AS a FROM DUAL; CREATE TABLE v (a INT);", {"v", "w"}),
        ("CREATE TABLE v (a INT);CREATE VIEW w AS SELECT a FROM v WHERE a WITH CHECK OPTION;", {"v", "w"}),
        ("CREATE DEFINER=root@localhost VIEW w AS SELECT @@session.sql_mode;", {"w"}),
    ],
)
def test_what_runs_is_read(script: str, tables: set[str]) -> None:
    """Asked of MariaDB 10.11."""
    made = read(script, MARIADB)
    assert not made.problems
    assert {one.name for one in made.tables} == tables
