"""ALTER TABLE looks up columns in the table as it was, and keys among the columns as they become: what
MariaDB 10.11 answered (the fuzzer of tests/live found each)."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

BOTH = [Server.parse("mysql-9.7"), Server.parse("mariadb-10.11")]
TABLE = "CREATE TABLE t (a INT, b INT, c INT);"
REFUSED = [
    "RENAME COLUMN a TO x, ADD INDEX (a)", "ADD UNIQUE (a), RENAME COLUMN a TO x",
    "ADD INDEX (a), CHANGE a x INT",
    "ADD INDEX (a), DROP a", "MODIFY a BIGINT, RENAME COLUMN a TO x", "MODIFY a BIGINT, DROP a",
    "MODIFY a BIGINT, MODIFY a INT", "CHANGE a x INT, MODIFY x BIGINT", "CHANGE a x INT, DROP x",
    "RENAME COLUMN a TO x, RENAME COLUMN a TO y", "RENAME COLUMN a TO x, DROP a",
    "ALTER a SET DEFAULT 5, DROP a",
    "ALTER a SET DEFAULT 5, ALTER a SET DEFAULT 6", "ALTER a SET DEFAULT 5, MODIFY a BIGINT",
    "ALTER a SET DEFAULT 5, RENAME COLUMN a TO x", "ADD x INT, DROP x",
    "ADD x INT, CHANGE x y BIGINT",
    "RENAME COLUMN a TO x, ADD y INT AFTER a", "ADD y INT AFTER a, CHANGE a z INT AFTER c",
]  # fmt: skip
DONE = [
    ("RENAME COLUMN a TO b, RENAME COLUMN b TO a", ["b", "a", "c"]),
    ("ADD INDEX (x), CHANGE a x INT", ["x", "b", "c"]),
    ("MODIFY a BIGINT, ADD UNIQUE (a), ALTER b SET DEFAULT 1", ["a", "b", "c"]),
    ("CHANGE a x INT, ADD a INT AFTER x, DROP c", ["x", "a", "b"]),
    ("MODIFY a INT AFTER b, ADD x INT AFTER a", ["b", "a", "x", "c"]),
    ("DROP a, DROP b, ADD x INT FIRST", ["x", "c"]),
    # A column that moves stands in its old place until its turn comes.
    ("ADD y INT AFTER a, MODIFY a INT AFTER c", ["y", "b", "c", "a"]),
    ("ADD y INT AFTER z, CHANGE a z INT AFTER c", ["y", "b", "c", "z"]),
]


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize("changes", REFUSED)
def test_names_that_mean_nothing_are_refused(changes: str, server: Server) -> None:
    schema = read(f"{TABLE} ALTER TABLE t {changes};", server, database="d")
    assert schema.problems
    assert not schema.tables, "what the table is now is unknown"


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize(("changes", "columns"), DONE)
def test_names_that_mean_one_column_are_followed(changes: str, columns: list[str], server: Server) -> None:
    schema = read(f"{TABLE} ALTER TABLE t {changes};", server, database="d")
    assert schema.problems == ()
    assert [one.name for one in schema.tables[0].columns] == columns


def test_the_key_of_serial_goes_as_every_key() -> None:
    for server in BOTH:
        schema = read("CREATE TABLE t (a INT, b SERIAL); ALTER TABLE t DROP INDEX b;", server, database="d")
        assert [one.refusal.number for one in schema.problems if one.refusal] == [1075]


@pytest.mark.parametrize(
    "text", ["SERIAL DEFAULT NULL", "SERIAL DEFAULT 5", "SERIAL AS (1)", "INT CHECK (1 \x1f)"]
)
def test_a_column_that_no_server_takes(text: str) -> None:
    for server in BOTH:
        assert read(f"CREATE TABLE t (a {text});", server, database="d").problems


@pytest.mark.parametrize("blank", [" ", "\n", "\t", "\x0b"])
def test_no_column_name_ends_with_a_blank(blank: str) -> None:
    for server in BOTH:
        assert read(f"CREATE TABLE t (`a{blank}` INT);", server, database="d").problems


@pytest.mark.parametrize("server", BOTH, ids=str)
def test_a_new_column_that_is_defined_twice(server: Server) -> None:
    # MariaDB permits it, which is not followed; MySQL refuses it.
    schema = read(f"{TABLE} ALTER TABLE t ADD x INT, MODIFY x BIGINT FIRST;", server, database="d")
    assert [one.refusal is None for one in schema.problems] == [server.mariadb]


@pytest.mark.parametrize(
    "change", ["RENAME COLUMN a TO b", "CHANGE a b JSON", "MODIFY a JSON, RENAME COLUMN c TO d"]
)
def test_the_check_of_json_follows_its_column(change: str) -> None:
    """Wagtail's migrations on MariaDB (asked of 10.11 and 11.8)."""
    server = Server.parse("mariadb-11.8")
    schema = read(f"CREATE TABLE t (a JSON, c JSON); ALTER TABLE t {change};", server, database="d")
    expected = [(column.name, f"json_valid({column.name})") for column in schema.tables[0].columns]
    assert [(check.name, check.expression) for check in schema.tables[0].checks] == expected
