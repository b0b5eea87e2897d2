"""Names and strings that are written as SQL read back as what they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacheck import catalog
from schemacheck.model import Server
from schemacheck.model.definition_sql import column_sql
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
    again = catalog.read(f"CREATE TABLE t ({column_sql(first.tables[0].columns[0])})", one)
    assert not first.problems
    assert not again.problems
    assert again.tables[0].columns[0] == first.tables[0].columns[0]


@pytest.mark.parametrize("text", [r"a = 'x\\y'", r"a LIKE 'x\_y\\'", r"concat(a, 'n\nl', 'z''q')"])
def test_an_expression_is_its_own_canonical_form(text: str) -> None:
    once = canonical(text)
    assert once is not None
    assert canonical(once) == once
