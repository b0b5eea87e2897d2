"""Names and strings that are written as SQL read back as what they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacheck import catalog
from schemacheck.model import Server, charset
from schemacheck.model.definition_sql import add
from schemacheck.model.expression import canonical
from schemacheck.model.quote import quoted, string, unquote, where_needed

SERVERS = ("mysql-5.6", "mysql-9.7", "mariadb-10.11", "mariadb-11.8")


@given(st.text())
def test_a_string_reads_back(text: str) -> None:
    # \% and \_ keep their backslash when read, so a written one must be doubled.
    assert unquote(string(text)) == text


def test_a_string_as_servers_print_it() -> None:
    # SHOW CREATE TABLE of MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 of enum('x\\y','z''q','n\nl').
    assert ",".join(map(string, ("x\\y", "z'q", "n\nl"))) == r"'x\\y','z''q','n\nl'"


@pytest.mark.parametrize(
    ("name", "written"), [("a", "a"), ("A", "`A`"), ("a`b", "`a``b`"), ("1a", "`1a`"), ("", "``")]
)
def test_names(name: str, written: str) -> None:
    assert where_needed(name) == written
    assert quoted(name)[1:-1].replace("``", "`") == name


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize(
    "definition",
    [
        r"VARCHAR(10) NOT NULL DEFAULT 'a\\b'",
        r"VARCHAR(10) NOT NULL DEFAULT 'b''x'",
        "VARCHAR(10) NOT NULL DEFAULT 'b\\'101\\''",
        r"ENUM('x\\y','z''q','n\nl') NOT NULL DEFAULT 'x\\y'",
        "VARCHAR(20) NOT NULL DEFAULT ' NOT NULL'",
        "BIT(3) DEFAULT b'101'",
        "INT NOT NULL DEFAULT -5",
    ],
)
def test_a_definition_reads_back(definition: str, server: str) -> None:
    one = Server.parse(server)
    first = catalog.read(f"CREATE TABLE t (c {definition})", one)
    (column,) = first.tables[0].columns
    (before,) = catalog.read("CREATE TABLE t (a int)", one).tables
    again = catalog.read(f"CREATE TABLE t (a int); {add(before, column, one)}", one)
    assert not first.problems
    assert not again.problems
    assert again.tables[0].columns[1] == column


@pytest.mark.parametrize("text", [r"a = 'x\\y'", r"a LIKE 'x\_y\\'", r"concat(a, 'n\nl', 'z''q')"])
def test_an_expression_is_its_own_canonical_form(text: str) -> None:
    once = canonical(text)
    assert once is not None
    assert canonical(once) == once


@pytest.mark.parametrize(
    ("collation", "server", "nearest"),
    [
        ("utf8mb4_0900_ai_ci", "mariadb-10.6.16", "utf8mb4_unicode_520_nopad_ci"),
        ("utf8mb4_0900_ai_ci", "mariadb-10.11.19", "utf8mb4_uca1400_nopad_ai_ci"),
        ("utf8mb4_0900_ai_ci", "mariadb-11.8.6", "utf8mb4_0900_ai_ci"),
        ("utf8mb4_0900_ai_ci", "mysql-5.7.44", "utf8mb4_unicode_520_ci"),
        ("utf8mb4_de_pb_0900_as_cs", "mysql-5.7.44", "utf8mb4_bin"),
        ("utf8mb4_0900_bin", "mysql-5.7.44", "utf8mb4_bin"),
        ("utf8mb4_uca1400_ai_ci", "mysql-8.0.36", "utf8mb4_0900_ai_ci"),
        ("utf8mb3_uca1400_swedish_nopad_ai_ci", "mysql-8.0.36", "utf8mb3_unicode_520_ci"),
        ("latin1_swedish_nopad_ci", "mysql-8.0.36", "latin1_swedish_ci"),
    ],
)
def test_the_nearest_collation(collation: str, server: str, nearest: str) -> None:
    one = Server.parse(server)
    assert charset.nearest_collation(collation, one.flavor, one.version, one.has) == nearest
    text = f"c varchar(9) CHARACTER SET {charset.of_collation(collation)} COLLATE {nearest}"
    assert not catalog.read(f"CREATE TABLE t ({text})", one).problems
