"""Definitions of the kinds that servers' own test suites have, asked of MySQL 5.6.24, 9.7.4 and MariaDB
10.11.19, 11.8.6.
"""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Schema, Server

SERVERS = {
    name: Server.parse(name) for name in ("mysql-5.6.24", "mysql-9.7.4", "mariadb-10.11.19", "mariadb-11.8.6")
}
MARIADB = ("mariadb-10.11.19", "mariadb-11.8.6")
LONG = "n" * 65


def made(text: str, server: str) -> Schema:
    return read(text, SERVERS[server], database="d", charsets={"d": ("latin1", "latin1_swedish_ci")})


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("CREATE TABLE t (Ab INT, KEY (aB))", "CREATE TABLE t (`Ab` int, KEY `Ab` (`Ab`))"),
        (
            "CREATE TABLE t (Ab INT); ALTER TABLE t ADD UNIQUE (AB)",
            "CREATE TABLE t (`Ab` int, UNIQUE KEY `Ab` (`Ab`))",
        ),
        (
            "CREATE TABLE t (a INT) ENGINE=MyISAM; SET sql_mode = ''; ALTER TABLE t ENGINE=example",
            "CREATE TABLE t (a int) ENGINE=MyISAM",
        ),
        (
            ("CREATE TABLE t (a INT, b INT) PARTITION BY RANGE (a) (PARTITION q VALUES LESS THAN (9));"
            " ALTER TABLE t REORGANIZE PARTITION q INTO"
            " (PARTITION p VALUES LESS THAN (4), PARTITION q VALUES LESS THAN (9))"),
            ("CREATE TABLE t (a int, b int) PARTITION BY RANGE (a)"
            " (PARTITION p VALUES LESS THAN (4), PARTITION q VALUES LESS THAN (9))"),
        ),
        (
            "SET default_storage_engine = HEAP; SET character_set_connection = ucs2; CREATE TABLE t (a INT)",
            "CREATE TABLE t (a int) ENGINE=MEMORY",
        ),
    ],
)  # fmt: skip
def test_what_the_table_is(written: str, printed: str, server: str) -> None:
    ours, theirs = made(written, server), made(printed, server)
    assert theirs.problems == ()
    if any(one.refusal is None for one in ours.problems):
        pytest.skip("unknown, which is allowed")
    assert ours.problems == ()
    assert ours.tables == theirs.tables
    assert ours.tables[0].partitioning == theirs.tables[0].partitioning


@pytest.mark.parametrize(
    ("written", "name", "mariadb"),
    [("CONSTRAINT c FOREIGN KEY i (a)", "c", "c"), ("FOREIGN KEY i (a)", "t_ibfk_1", "i")],
)
def test_the_name_of_a_foreign_key(written: str, name: str, mariadb: str) -> None:
    for server in SERVERS:
        (table,) = made(f"CREATE TABLE t (a INT, {written} REFERENCES p (a))", server).tables
        assert table.foreign_keys[0].name == (mariadb if server in MARIADB else name)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("NVL(i, 1)", "ifnull(i,1)"),
        ("TIME(d)", "cast(d as time)"), ("CAST(s AS UNSIGNED INT)", "cast(s as unsigned)"),

    ],
)  # fmt: skip
def test_functions_that_mariadb_prints_otherwise(written: str, printed: str) -> None:
    text = "CREATE TABLE t (g GEOMETRY, i INT, s VARCHAR(9), d DATETIME, v VARCHAR(99) AS ({}) VIRTUAL)"
    for server in MARIADB:
        ours, theirs = made(text.format(written), server), made(text.format(printed), server)
        assert ours.problems == ()
        assert ours.tables == theirs.tables


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("(a VARCHAR(3070)) PARTITION BY KEY (a)", 1660),
        ("(a DATE) PARTITION BY HASH (EXTRACT(HOUR FROM a))", 1486),
        ("(a DATETIME) PARTITION BY HASH (EXTRACT(WEEK FROM a))", 1486),
        ("(a INT) PARTITION BY HASH (TO_SECONDS(a))", 1486),
        ("(a DATE) PARTITION BY HASH (WEEKDAY(a + 0))", 1486),
        ("(a DATE, b INT) PARTITION BY HASH (DATEDIFF(a, b))", 1486),
        ("(fts_doc_id BIGINT UNSIGNED NOT NULL)", 1166), ("(FTS_DOC_ID INT NOT NULL)", 1166),
        (f"(a INT, FOREIGN KEY {LONG} (a) REFERENCES p (a))", 1059),
        (f"(a INT, FOREIGN KEY (a) REFERENCES {LONG} (a))", 1103),
        ("(a INT, FOREIGN KEY (a) REFERENCES p (a) ON DELETE CASCADE ON DELETE CASCADE)", None),
        ("(d DATETIME(4) ON UPDATE NOW(2))", 1294), ("(d TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(0))", 1294),
        ("(t TEXT, FULLTEXT (t) USING BTREE)", None), ("(g GEOMETRY NOT NULL, SPATIAL USING HASH (g))", None),
    ],
)  # fmt: skip
def test_what_every_server_refuses(text: str, number: int | None) -> None:
    for server in SERVERS:
        found = made(f"SET foreign_key_checks = 0; CREATE TABLE t {text}", server)
        assert not found.tables
        refusal = found.problems[0].refusal
        # Without a number it is unknown, which is allowed.
        assert number is None or refusal is None or refusal.number == number


@pytest.mark.parametrize(
    ("server", "text", "number"),
    [
        ("mysql-9.7.4", "CREATE TABLE t (g POINT NOT NULL, KEY (g(10)))", 1089),
        ("mysql-9.7.4", "CREATE TABLE t (g POINT NOT NULL, h POINT NOT NULL, SPATIAL KEY (g, h))", 1070),
        ("mysql-9.7.4", "CREATE TABLE t (a INT, v INT AS (BIT_OR(a)))", 3763),
        ("mariadb-11.8.6", "CREATE TABLE t (a INT, v INT AS (STDDEV(a)))", 1901),
        ("mysql-9.7.4", "CREATE TABLE t (g POINT NOT NULL, KEY (g DESC))", 1221),
        ("mysql-9.7.4", "CREATE TABLE t (g POINT NOT NULL, KEY (g) USING BTREE)", 3729),
        ("mysql-9.7.4", "CREATE TABLE fts_00000000000000aB_being_deleted (a INT)", 1103),
        ("mysql-9.7.4", "CREATE TABLE Fts_00000000000000ab_00000000000000cd_index_6 (a INT)", 1103),
        ("mariadb-10.11.19", "CREATE TABLE t (a DATE, b DATETIME, PERIOD FOR p (a, b))", 4153),
        ("mariadb-11.8.6", "CREATE TABLE t (a DATE, b DATE AS (a) STORED, PERIOD FOR p (a, b))", 4155),
        ("mysql-9.7.4", "CREATE TABLE t (a INT, v INT AS ((a, 1)))", 3764),
        ("mariadb-10.11.19", "CREATE TABLE t (a INT, v INT AS (((2, (a)))))", 1241),
        ("mariadb-10.11.19", "CREATE TABLE t (a INT, CHECK (`u`.a > 0))", 1901),
        ("mariadb-11.8.6", "CREATE TABLE t (a INT, v INT AS (1 + e.t.a))", 1901),
        ("mariadb-11.8.6", "CREATE TABLE t (a INT, b INT DEFAULT (e.t.a))", 1901),
        ("mariadb-11.8.6", "CREATE TABLE t (a INT, v VECTOR NOT NULL)", 1064),
        ("mariadb-11.8.6", "CREATE OR REPLACE TABLE IF NOT EXISTS t (a INT)", 1221),
    ],
)
def test_what_one_server_refuses(server: str, text: str, number: int) -> None:
    found = made(text, server)
    refusal = found.problems[0].refusal
    assert not found.tables
    # Without a number it is unknown, which is allowed.
    assert refusal is None or refusal.number == number


def test_a_name_that_the_server_gives_is_too_long() -> None:
    table = "n" * 58
    for server in SERVERS:
        for text in (
            f"CREATE TABLE {table} (a INT, FOREIGN KEY (a) REFERENCES p (a))",
            f"CREATE TABLE {table} (a INT); ALTER TABLE {table} ADD FOREIGN KEY (a) REFERENCES p (a)",
        ):
            assert made(f"SET foreign_key_checks = 0; {text}", server).problems
        assert not made(
            f"CREATE TABLE {table[1:]} (a INT, FOREIGN KEY (a) REFERENCES p (a))", server
        ).problems


@pytest.mark.parametrize("server", MARIADB)
def test_mariadb_takes_more_digits_of_on_update(server: str) -> None:
    for written in ("CURRENT_TIMESTAMP", "NOW()", "NOW(5)"):
        assert not made(f"CREATE TABLE t (d DATETIME(4) ON UPDATE {written})", server).problems


def test_the_columns_of_a_foreign_key_are_named_as_they_are_defined() -> None:
    for server in SERVERS:
        (table,) = made("CREATE TABLE t (Fk INT, FOREIGN KEY (fK) REFERENCES p (A))", server).tables
        assert table.foreign_keys[0].columns == ("Fk",)
        assert table.foreign_keys[0].ref_columns == ("A",)
        own = "CREATE TABLE t (Ab INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES t (aB))"
        (table,) = made(own, server).tables
        assert table.foreign_keys[0].ref_columns == ("Ab",)


def test_a_literal_for_a_declared_date_is_unknown() -> None:
    # 1292 in strict mode.
    for server in SERVERS:
        assert made("CREATE TABLE t (a INT, b DATE) SELECT 1 AS b", server).problems


def test_a_partition_named_twice() -> None:
    table = (
        "CREATE TABLE t (a INT) PARTITION BY LIST (a) (PARTITION p VALUES IN (1), PARTITION q VALUES IN (2));"
    )
    for server in SERVERS:
        assert made(table + "ALTER TABLE t DROP PARTITION p, P", server).problems


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("(a INT, b TEXT NOT NULL, KEY (b(435))) KEY_BLOCK_SIZE=1", False),
        ("(a INT, b TEXT NOT NULL, KEY (b(434))) KEY_BLOCK_SIZE=1", True),
        ("(a INT, b TEXT NOT NULL, KEY (a, b(430))) KEY_BLOCK_SIZE=1", False),
        ("(a INT, b TEXT NOT NULL, KEY (b(1972))) KEY_BLOCK_SIZE=4", False),
        ("(a INT, b TEXT NOT NULL, KEY (b(1826))) KEY_BLOCK_SIZE=4", True),
        ("(b TEXT, PRIMARY KEY (b(440))) ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=1", False),
        ("(b TEXT, PRIMARY KEY (b(440))) ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=2", True),
    ],
)
def test_the_longest_records_of_compressed_pages(text: str, fits: bool) -> None:
    for server in ("mysql-9.7.4", *MARIADB):
        found = made(f"CREATE TABLE t {text}", server)
        # What is near the bound is unknown.
        assert fits or not found.tables


def test_compressed_pages_of_mysql_5_6() -> None:
    # Refused with innodb_file_format=Barracuda alone.
    found = made("CREATE TABLE t (a INT, b TEXT NOT NULL, KEY (b(435))) KEY_BLOCK_SIZE=1", "mysql-5.6.24")
    assert not found.tables
    assert found.problems


def test_columns_named_with_their_table() -> None:
    assert not made("CREATE TABLE t (a INT, b INT AS (e.u.a), CHECK (u.a > 0))", "mysql-9.7.4").problems
