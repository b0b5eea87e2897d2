"""Definitions that servers refuse, and what they take beside them: asked of MySQL 5.6.24, 9.7.4 and MariaDB
10.11.19, 11.8.9.
"""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Schema, Server

MYSQL = ("mysql-5.6.24", "mysql-9.7.4")
NEW = ("mysql-9.7.4",)
MARIADB = ("mariadb-10.11.19", "mariadb-11.8.9")
OLD = ("mysql-5.6.24", *MARIADB)
ALL = (*MYSQL, *MARIADB)


def made(text: str, server: str) -> Schema:
    return read(text, Server.parse(server), database="d", charsets={"d": ("latin1", "latin1_swedish_ci")})


@pytest.mark.parametrize(
    ("servers", "columns"),
    [
        (MARIADB, "a INT UNSIGNED UNSIGNED"), (MARIADB, "a DECIMAL(5,2) ZEROFILL UNSIGNED ZEROFILL"),
        (ALL, "a CHAR(9) CHARACTER SET utf8 CHARACTER SET latin1"), (ALL, "a CHAR(9) ASCII CHARSET latin1"),
        (ALL, "a CHAR(9) BINARY BINARY"),
        (MARIADB, "a BLOB COLLATE binary"), (MARIADB, "a GEOMETRY COLLATE binary"),
        (OLD, "a INT CHECK (a > 0) DEFAULT 1"), (OLD, "a INT CHECK (a > 0) CHECK (a < 5)"),
        (OLD, "a INT CHECK (a > 0) NOT NULL"),
        (NEW, "a INT DEFAULT (@a)"), (NEW, "a INT DEFAULT (1 + @@max_connections)"),
        (NEW, "a INT DEFAULT ((SELECT 1))"), (NEW, "a INT, KEY ((a + @x))"),
        ((*NEW, *MARIADB), "a INT, CHECK (a > @x)"), ((*NEW, *MARIADB), "a INT, CHECK (a IN (SELECT 1))"),
        ((*NEW, *MARIADB), "a INT, b INT DEFAULT (d.f(a))"), ((*NEW, *MARIADB), "a INT, b INT AS (d.f(a))"),
        (MARIADB, "a INT, v INT AS (CAST(a AS YEAR))"), (MARIADB, "a INT, v INT AS (CAST(a AS JSON))"),
        (MARIADB, "a JSON, v INT AS (1 MEMBER OF (a))"),
        (MARIADB, "a JSON, v INT AS (JSON_VALUE(a, '$.x' RETURNING SIGNED))"),
        (NEW, "a INT, KEY k (a) ENGINE_ATTRIBUTE='{}'"),
        (("mariadb-11.8.9",), "a DATETIME ON UPDATE LOCALTIME"),
        (NEW, "a INT CHECK (a > b), b INT"), (NEW, "a JSON COLLATE utf8mb4_bin"),
        (MARIADB, "a INT, b INT AS (ABS())"), (MARIADB, "a INT, b INT AS (ABS(a, a))"),
        (MARIADB, "a INT, b CHAR(9) AS (CONCAT())"), (MARIADB, "a INT, b INT DEFAULT (IFNULL(a))"),
        (MARIADB, "a INT, b INT AS (nosuch(a))"), (MARIADB, "a INT, CHECK (nosuch(a))"),
        (MARIADB, "a INT, PERIOD FOR p (b, c)"),
        (ALL, "a TEXT, KEY k (a(9)) WITH PARSER ngram"), (ALL, "a INT, KEY k (a) WITH PARSER ngram"),
        (("mariadb-11.8.9",), "a VECTOR(3), VECTOR INDEX (a)"),
    ],
)  # fmt: skip
def test_what_no_table_can_have(servers: tuple[str, ...], columns: str) -> None:
    for server in servers:
        assert made(f"CREATE TABLE t ({columns})", server).tables == ()


@pytest.mark.parametrize(
    ("servers", "written", "printed"),
    [
        (ALL, "a CHAR(9) BINARY ASCII", "a char(9) CHARACTER SET latin1 COLLATE latin1_bin"),
        (MYSQL, "a INT UNSIGNED UNSIGNED", "a int unsigned"), (MARIADB, "a TEXT COLLATE binary", "a blob"),
        (MARIADB, "a DATE, v CHAR(9) AS (DATE_FORMAT(a, '%M', 'de_DE'))",
         "a date, v char(9) AS (date_format(`a`,'%M','de_DE'))"),
        (MARIADB, "a CHAR(9), v CHAR(20) AS (LPAD(a, 20))", "a char(9), v char(20) AS (lpad(`a`,20))"),
        (NEW, "a INT CHECK (a > 0), b INT, CHECK (a > b)",
         "a INT, b INT, CHECK (`a` > 0), CHECK (`a` > `b`)"),
        (NEW, "a JSON, v CHAR(9) AS (JSON_VALUE(a, '$.f' ERROR ON EMPTY))",
         "a json, v char(9) AS (json_value(`a`,_utf8mb4'$.f' returning char(512) error on empty))"),
    ],
)  # fmt: skip
def test_what_is_taken(servers: tuple[str, ...], written: str, printed: str) -> None:
    for server in servers:
        ours, theirs = (
            made(f"CREATE TABLE t ({text}) CHARSET utf8mb4", server) for text in (written, printed)
        )
        assert ours.problems == theirs.problems == ()
        assert ours.tables == theirs.tables


@pytest.mark.parametrize("server", ALL)
@pytest.mark.parametrize("text", ["CREATE TABLE t (a INT) {}", "CREATE TABLE t (a INT); ALTER TABLE t {}"])
@pytest.mark.parametrize("option", ["CHARACTER SET DEFAULT", "COLLATE DEFAULT"])
def test_a_character_set_named_default_is_not_known(text: str, option: str, server: str) -> None:
    """MariaDB takes the collation that the character set has by itself, not that of the database; MySQL 5.6
    the database's, but for CONVERT TO.
    """
    (problem,) = made(text.format(option), server).problems
    assert "DEFAULT" in problem.message


FAMILY = """CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE t (a INT, b INT, CONSTRAINT f FOREIGN KEY (a) REFERENCES p (id));"""


@pytest.mark.parametrize(
    ("servers", "statement"),
    [
        (MYSQL, "DROP INDEX IF EXISTS k ON t"), (MYSQL, "CREATE INDEX IF NOT EXISTS k ON t (b)"),
        (ALL, "ALTER TABLE t DROP FOREIGN KEY f, ENGINE=MyISAM"),
        (ALL, "ALTER TABLE t DROP FOREIGN KEY f, PARTITION BY HASH (a)"),
        (ALL, "ALTER TABLE t DROP b, REMOVE PARTITIONING"), (ALL, "TRUNCATE p"), (ALL, "TRUNCATE TABLE d.p"),
    ],
)  # fmt: skip
def test_what_no_table_goes_through(servers: tuple[str, ...], statement: str) -> None:
    for server in servers:
        assert len(made(f"{FAMILY} {statement}", server).problems) == 1


@pytest.mark.parametrize(
    ("servers", "statement"),
    [
        (MARIADB, "DROP INDEX IF EXISTS k ON t"), (MARIADB, "CREATE INDEX IF NOT EXISTS k ON t (b)"),
        (ALL, "ALTER TABLE t DROP b PARTITION BY HASH (id)"), (ALL, "ALTER TABLE t ENGINE=InnoDB"),
        (ALL, "TRUNCATE t"), (ALL, "SET foreign_key_checks=0; TRUNCATE p"),
    ],
)  # fmt: skip
def test_what_goes_through(servers: tuple[str, ...], statement: str) -> None:
    alone = "CREATE TABLE t (id INT, b INT);" if "PARTITION" in statement else FAMILY
    for server in servers:
        assert made(f"{alone} {statement}", server).problems == ()


def test_a_merge_table_of_other_tables_is_not_known() -> None:
    for server in ALL:
        assert len(made("CREATE TABLE m (a INT) ENGINE=MERGE UNION=(d.t1)", server).problems) == 1


PARENT = "CREATE TABLE p (code VARCHAR(9) CHARACTER SET latin1 NOT NULL, PRIMARY KEY (code));"
CHILD = "CREATE TABLE c (code VARCHAR(9) CHARACTER SET latin1, FOREIGN KEY (code) REFERENCES p (code));"


@pytest.mark.parametrize(
    "script",
    [
        "ALTER TABLE {} MODIFY code VARCHAR(9) CHARACTER SET utf8mb4 NOT NULL;",
        "ALTER TABLE {} CONVERT TO CHARACTER SET utf8mb4;",
        "ALTER TABLE {} MODIFY code VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL;",
    ],
)
@pytest.mark.parametrize("first", ["p", "c"])
def test_ends_of_a_foreign_key_change_their_character_set_one_after_the_other(
    first: str, script: str
) -> None:
    second = "c" if first == "p" else "p"
    for server in MYSQL:
        for checks, refused in ((0, False), (1, True)):
            text = f"{PARENT}{CHILD}SET foreign_key_checks={checks};"
            text += script.format(first) + script.format(second)
            assert bool(made(text, server).problems) is refused
        other = (
            f"{PARENT}{CHILD}SET foreign_key_checks=0;ALTER TABLE {first} MODIFY code VARBINARY(9) NOT NULL"
        )
        assert made(other, server).problems
    for server in MARIADB:
        assert made(f"{PARENT}{CHILD}SET foreign_key_checks=0;{script.format(first)}", server).problems
