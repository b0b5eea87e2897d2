"""Names that servers refuse, and NULL around AUTO_INCREMENT (each line asked of four servers)."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Schema, Server

LONG = "n" * 65
MYSQL, MARIADB = ("mysql-5.6.24", "mysql-9.7.4"), ("mariadb-10.11.19", "mariadb-11.8.6")
NEWER = ("mysql-9.7.4", *MARIADB)
EVERY = (*MYSQL, *MARIADB)
TABLE = "CREATE TABLE t (a INT, b TEXT)"


def made(text: str, server: str) -> Schema:
    return read(text, Server.parse(server), database="d")


def refused(text: str, server: str) -> int | None:
    found = made(text, server)
    assert len(found.problems) == 1, found.problems
    refusal = found.problems[0].refusal
    return refusal.number if refusal is not None else None


@pytest.mark.parametrize(
    ("servers", "text"),
    [
        (EVERY, f"CREATE TABLE t (a INT, KEY {LONG} (a))"),
        (EVERY, f"CREATE TABLE t (a INT, CONSTRAINT {LONG} UNIQUE (a))"),
        (EVERY, f"{TABLE}; ALTER TABLE t ADD KEY {LONG} (a)"),
        (EVERY, f"{TABLE}; CREATE INDEX {LONG} ON t (a)"),
        (NEWER, f"CREATE TABLE t (a INT, KEY k (a)); ALTER TABLE t RENAME INDEX k TO {LONG}"),
        (NEWER, f"CREATE TABLE t (a INT, CONSTRAINT {LONG} CHECK (a > 1))"),
        (NEWER, f"{TABLE}; ALTER TABLE t ADD CONSTRAINT {LONG} CHECK (a > 1)"),
        (EVERY, f"CREATE TABLE t (a INT) PARTITION BY HASH (a) (PARTITION {LONG})"),
        (EVERY, "CREATE TABLE t (a INT) PARTITION BY HASH (a) (PARTITION `p `)"),
        (MYSQL, f"{TABLE}; RENAME TABLE t TO {LONG}"),
        (MARIADB, f"{TABLE}; RENAME TABLE t TO {LONG}"),
        (MYSQL, f"{TABLE}; ALTER TABLE t RENAME TO {LONG}"),
        (MARIADB, f"{TABLE}; ALTER TABLE t RENAME TO {LONG}"),
        (MARIADB, f"{TABLE}; CREATE TABLE {LONG} LIKE t"),
        (MARIADB, f"CREATE TABLE {LONG} (a INT)"),
        (EVERY, f"{TABLE}; RENAME TABLE t TO `x `"),
        (EVERY, "CREATE TABLE `x ` (a INT)"),
        (EVERY, "CREATE TABLE t (db_row_id INT)"),
        (EVERY, f"{TABLE}; ALTER TABLE t CHANGE a DB_TRX_ID INT"),
        (EVERY, f"{TABLE}; ALTER TABLE t ADD Db_Roll_Ptr INT"),
        (EVERY, "CREATE TABLE t (DB_ROW_ID INT) ENGINE=MyISAM; ALTER TABLE t ENGINE=InnoDB"),
        (EVERY, "CREATE TABLE t (b TEXT, c INT, KEY FTS_DOC_ID_INDEX (c), FULLTEXT (b))"),
        (EVERY, f"{TABLE}; ALTER TABLE t ADD KEY FTS_DOC_ID_INDEX (a), ADD FULLTEXT (b)"),
        (EVERY, ("CREATE TABLE t (b TEXT, FTS_DOC_ID BIGINT UNSIGNED NOT NULL, UNIQUE fts_doc_id_index "
         "(FTS_DOC_ID), FULLTEXT (b))")),
        (NEWER, ("CREATE TABLE t (b TEXT, FTS_DOC_ID BIGINT UNSIGNED NOT NULL, UNIQUE FTS_DOC_ID_INDEX "
         "(FTS_DOC_ID DESC), FULLTEXT (b))")),
    ],
)  # fmt: skip
def test_names_that_are_refused(servers: tuple[str, ...], text: str) -> None:
    # By which error is not followed: unknown, which is allowed.
    for server in servers:
        assert refused(text, server) in (None, 1059, 1103, 1567)


@pytest.mark.parametrize(
    ("servers", "text"),
    [
        (("mysql-5.6.24",), f"CREATE TABLE t (a INT, CONSTRAINT {LONG} CHECK (a > 1))"),
        (EVERY, "CREATE TABLE t (DB_ROW_ID INT) ENGINE=MyISAM"),
        (EVERY, ("CREATE TABLE t (b TEXT, FTS_DOC_ID BIGINT UNSIGNED NOT NULL, UNIQUE FTS_DOC_ID_INDEX "
         "(FTS_DOC_ID), FULLTEXT (b))")),
        (("mysql-5.6.24",), ("CREATE TABLE t (b TEXT, FTS_DOC_ID BIGINT UNSIGNED NOT NULL, UNIQUE "
         "FTS_DOC_ID_INDEX (FTS_DOC_ID DESC), FULLTEXT (b))")),
        (EVERY, "CREATE TABLE t (d DECIMAL(0, 0), e DECIMAL(0))"),
        (EVERY, f"CREATE TABLE {LONG[1:]} ({LONG[1:]} INT, KEY {LONG[1:]} ({LONG[1:]}))"),
    ],
)  # fmt: skip
def test_names_that_are_taken(servers: tuple[str, ...], text: str) -> None:
    for server in servers:
        found = made(text, server)
        assert found.problems == ()
        assert len(found.tables) == 1


@pytest.mark.parametrize(
    ("attributes", "nullable"),
    [
        ("AUTO_INCREMENT NULL", True), ("NULL AUTO_INCREMENT", False), ("NOT NULL AUTO_INCREMENT NULL", True),
        ("NULL AUTO_INCREMENT NULL", True), ("AUTO_INCREMENT NULL AUTO_INCREMENT", False),
        ("AUTO_INCREMENT NULL NOT NULL", False), ("AUTO_INCREMENT DEFAULT NULL", False),
        ("AUTO_INCREMENT NULL DEFAULT NULL", True), ("AUTO_INCREMENT", False),
    ],
)  # fmt: skip
def test_null_behind_auto_increment(attributes: str, nullable: bool) -> None:
    for server in EVERY:
        whole = made(f"CREATE TABLE t (a INT {attributes}, KEY k (a))", server)
        changed = made(f"CREATE TABLE t (a INT UNIQUE); ALTER TABLE t MODIFY a INT {attributes}", server)
        assert whole.problems == changed.problems == ()
        for schema in (whole, changed):
            assert schema.tables[0].columns[0].nullable is nullable


def test_the_primary_key_is_not_null() -> None:
    text = "CREATE TABLE t (a INT AUTO_INCREMENT NULL PRIMARY KEY)"
    assert refused(text, "mysql-9.7.4") == 1171
    for server in ("mysql-5.6.24", *MARIADB):
        assert not made(text, server).tables[0].columns[0].nullable


@pytest.mark.parametrize(
    ("before", "after", "length"),
    [
        ("VARCHAR(20)", "VARCHAR(30)", 10), ("TEXT", "TEXT NOT NULL", 10),
        ("VARCHAR(191)", "TEXT", 10), ("TEXT", "MEDIUMTEXT", 10), ("TINYTEXT", "CHAR(30)", 10),
    ],
)  # fmt: skip
def test_a_prefix_of_a_text_stays(before: str, after: str, length: int | None) -> None:
    """Asked of four servers, 1,080 changes that are not unknown: all as here."""
    for server in ("mysql-5.6.24", *MARIADB):
        text = f"CREATE TABLE t (p {before}, KEY k (p(10))); ALTER TABLE t CHANGE p q {after}"
        found = made(text, server)
        assert found.problems == ()
        assert found.tables[0].keys[0].parts[0].length == length


def test_an_auto_increment_column_has_no_default() -> None:
    for server in EVERY:
        text = "CREATE TABLE t (a INT AUTO_INCREMENT NULL{}, KEY k (a))"
        for default in ("", " DEFAULT NULL"):
            found = made(text.format(default), server)
            assert found.problems == ()
            assert [one.columns[0].default is None for one in found.tables] == [True]
