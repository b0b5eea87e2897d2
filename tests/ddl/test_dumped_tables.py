"""Tables of a dump: keys that are switched off and on, a primary key's name, and what stays in memory."""

from __future__ import annotations

import gc

import pytest

from schemacheck import catalog
from schemacheck.model import Server


@pytest.mark.parametrize("server", ["mysql-5.6", "mysql-9.7", "mariadb-11.8"])
def test_a_primary_key_that_has_a_name(server: str) -> None:
    """Servers take the name, and call it PRIMARY."""
    lines = "`id` int(10) NOT NULL", "PRIMARY KEY `id` (`id`)"
    body = ",\n  ".join(lines)
    found = catalog.read(f"CREATE TABLE t (\n  {body}\n);", Server.parse(server))
    assert found.problems == ()
    assert [(key.name, [part.column for part in key.parts]) for key in found.tables[0].keys] == [
        ("PRIMARY", ["id"])
    ]


@pytest.mark.parametrize("server", ["mysql-5.6", "mysql-9.7", "mariadb-11.8"])
def test_keys_that_are_switched_leave_their_table(server: str) -> None:
    made = "CREATE TABLE t (a int NOT NULL, b int DEFAULT 1, PRIMARY KEY (a), KEY k (b));\n"
    switches = (
        "/*!40000 ALTER TABLE `t` DISABLE KEYS */; SET sql_mode = 'ANSI_QUOTES'; ALTER TABLE t ENABLE KEYS;"
    )
    found = catalog.read(made + switches, Server.parse(server))
    assert found == catalog.read(made, Server.parse(server))
    missing = catalog.read("ALTER TABLE t ENABLE KEYS;", Server.parse(server)).problems
    assert [one.refusal.number for one in missing if one.refusal] == [1146]


def test_a_script_leaves_nothing_to_the_cycle_collector() -> None:
    """Its tables would stay in memory until that runs."""
    server = Server.parse("mysql-9.7")
    text = (
        "SET NAMES utf8mb4;\nSET @saved = @@character_set_client;\n"
        "DROP TABLE IF EXISTS `t`;\nCREATE TABLE `t` (\n  `a` int NOT NULL,\n  PRIMARY KEY (`a`)\n);\n"
        "INSERT INTO `t` VALUES (1);\nALTER TABLE `t` ADD KEY (a);\n"
    )
    assert len(catalog.read(text, server).tables) == 1
    gc.collect()
    was = gc.isenabled()
    gc.disable()
    try:
        catalog.read(text, server)
        assert gc.collect() == 0
    finally:
        if was:
            gc.enable()
