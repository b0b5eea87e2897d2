"""A key of a whole ENUM or SET whose column becomes another one or a string (asked of four servers)."""

from __future__ import annotations

import pytest

from schemacheck import catalog
from schemacheck.model import Server

SERVERS = ("mysql-5.6.24", "mysql-9.7.4", "mariadb-10.11.19", "mariadb-11.8.6")


@pytest.mark.parametrize(
    ("old", "new", "alike"),
    [
        ("enum('a','b')", "enum('a','b','c')", True), ("set('a')", "set('a','b')", True),
        # MySQL makes a prefix of as many bytes as the number has, or none: unknown.
        ("enum('ab') character set latin1", "varchar(190)", False), ("enum('ab')", "text", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", ["KEY k (c)", "UNIQUE KEY k (c)", "PRIMARY KEY (c)"])
@pytest.mark.parametrize("server", SERVERS)
def test_the_key_of_members(server, key, old, new, alike):
    script = f"CREATE TABLE t (c {old} NOT NULL, {key}); ALTER TABLE t MODIFY c {new} NOT NULL"
    schema = catalog.read(script, Server.parse(server), database="d")
    if alike:
        assert schema.problems == ()
        assert schema.tables[0].keys[0].parts[0].length is None
    elif not schema.problems:
        assert server.startswith("mariadb")
