"""Variables that a script sets and that only some of its tables see (asked of MariaDB 10.11)."""

from __future__ import annotations

import pytest

from schemacheck import catalog
from schemacheck.model import Server

MYSQL = Server.parse("mysql-8.0.36")
MARIADB = Server.parse("mariadb-10.11", {"character_set_server": "utf8mb4"})
TABLE = "CREATE TABLE {}t (a VARCHAR(5));"


@pytest.mark.parametrize("server", [MYSQL, MARIADB], ids=str)
@pytest.mark.parametrize(
    ("before", "database", "charset", "collation"),
    [
        ("SET character_set_server=latin1;", "", "utf8mb4", None),
        ("SET collation_server=latin1_bin;", "", "utf8mb4", None),
        ("SET character_set_server=latin1; CREATE DATABASE d;", "d.", "latin1", "latin1_swedish_ci"),
        ("SET collation_server=latin1_bin; CREATE DATABASE d;", "d.", "latin1", "latin1_bin"),
        ("SET collation_server=latin1_bin, character_set_server=utf8; CREATE DATABASE d;", "d.", "utf8mb3",
         None),
        ("ALTER DATABASE CHARACTER SET latin1;", "", "latin1", "latin1_swedish_ci"),
        ("ALTER DATABASE CHARACTER SET latin1; USE e;", "", "utf8mb4", None),
        ("ALTER DATABASE e CHARACTER SET latin1; USE e;", "", "latin1", None),
        ("ALTER DATABASE e CHARACTER SET utf8mb4;", "", "utf8mb4", None),
        ("SET collation_server=latin1_bin; ALTER DATABASE e COMMENT 'x';", "e.", "utf8mb4", None),
    ],
)  # fmt: skip
def test_only_new_databases_see_the_character_set(server, before, database, charset, collation) -> None:
    (table,) = catalog.read(before + TABLE.format(database), server).tables
    assert table.columns[0].type.charset == charset
    assert collation in (None, table.columns[0].type.collation)


@pytest.mark.parametrize("server", [MYSQL, MARIADB], ids=str)
def test_whether_a_script_runs_in_the_database_that_it_changes(server) -> None:
    schema = catalog.read("ALTER DATABASE e CHARACTER SET latin1;" + TABLE.format(""), server)
    assert not schema.tables
    assert "USE it" in schema.problems[0].message


@pytest.mark.parametrize(
    ("zone", "read"), [("+00:00", True), ("SYSTEM", True), ("+05:00", False), ("Europe/Berlin", False)]
)
def test_a_moment_of_another_time_zone_is_unknown(zone, read) -> None:
    bound = (
        "PARTITION BY RANGE (UNIX_TIMESTAMP(a)) (PARTITION p VALUES LESS THAN (UNIX_TIMESTAMP('2020-01-01')))"
    )
    for rest in (" DEFAULT '2020-01-01 10:00:00')", f") {bound}"):
        schema = catalog.read(f"SET time_zone='{zone}'; CREATE TABLE t (a TIMESTAMP NOT NULL{rest};", MYSQL)
        assert len(schema.tables) == read
        assert bool(schema.problems) is not read
    zero = "CREATE TABLE t (a TIMESTAMP NULL, b DATETIME DEFAULT '2020-01-01 10:00:00');"
    assert (
        zone.startswith("Europe") or len(catalog.read(f"SET time_zone='{zone}'; {zero}", MYSQL).tables) == 1
    )
