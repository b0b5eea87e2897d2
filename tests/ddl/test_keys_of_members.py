"""A key of a whole ENUM or SET whose column becomes a string.

Asked of MySQL 5.6.24, 9.7.4 and MariaDB 10.11.19, 11.8.6, in 2,160 statements; these are those that tell the
rule apart.
"""

from __future__ import annotations

import pytest

from schemacheck import catalog
from schemacheck.model import Server

CASES = [
    ("enum('ab') character set latin1", "varchar(190)", 1),
    ("enum('a') character set latin1", "varchar(190)", None),  # as long as its number
    ("enum('ab') character set utf8mb4", "varchar(190)", None),  # a quarter of a character
    ("enum('ab') character set latin1", "enum('a','b')", None),
    ("enum('ab') character set latin1", "char(1)", None),
    ("enum('ab') character set latin1", "varbinary(3)", 1),
    ("enum('ab') character set latin1", "text", 1),
    ("set('ab','c') character set latin1", "char(3)", 1),
    ("set('a','b','c','d','e','f','g','h','i') character set latin1", "varchar(190)", 2),
    ("set('a','b','c','d','e','f','g','h','i') character set latin1", "char(1)", None),
    ("set('a','b','c','d','e','f','g','h','i') character set gbk", "varchar(190)", 1),
    ("int", "varchar(190)", None),
]


@pytest.mark.parametrize(("old", "new", "prefix"), CASES)
@pytest.mark.parametrize("key", ["KEY k (c)", "KEY k (c DESC)", "UNIQUE KEY k (c)", "PRIMARY KEY (c)"])
@pytest.mark.parametrize("server", ["mysql-5.6.24", "mysql-9.7.4"])
def test_the_bytes_of_its_number_become_a_prefix_on_mysql(server, key, old, new, prefix):
    script = f"CREATE TABLE t (c {old} NOT NULL, {key}); ALTER TABLE t MODIFY c {new} NOT NULL"
    charsets = {"d": ("utf8mb4", "utf8mb4_general_ci")}
    schema = catalog.read(script, Server.parse(server), database="d", charsets=charsets)
    assert schema.problems == ()
    assert schema.tables[0].keys[0].parts[0].length == prefix


@pytest.mark.parametrize("server", ["mariadb-10.11.19", "mariadb-11.8.6"])
@pytest.mark.parametrize(("old", "new"), [case[:2] for case in CASES if case[1] != "text"])
def test_the_whole_column_stays_in_the_key_on_mariadb(server, old, new):
    script = f"CREATE TABLE t (c {old} NOT NULL, KEY k (c)); ALTER TABLE t MODIFY c {new} NOT NULL"
    charsets = {"d": ("utf8mb4", "utf8mb4_general_ci")}
    schema = catalog.read(script, Server.parse(server), database="d", charsets=charsets)
    assert schema.problems == ()
    assert schema.tables[0].keys[0].parts[0].length is None
