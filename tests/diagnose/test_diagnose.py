"""Statuses as people paste them, and errors explained down to the column."""

from __future__ import annotations

import json

import pytest

from schemacheck import knowledge
from schemacheck.catalog import read
from schemacheck.diagnose import diagnose, known, statuses
from schemacheck.model import Link, Server
from schemacheck.rules import find

MESSAGE = "Column 1 of table 'shop.orders' cannot be converted from type 'int' to type 'bigint(20)'"
VERTICAL = f"""
*************************** 1. row ***************************
                Slave_IO_Running: Yes
               Slave_SQL_Running: No
                  Last_SQL_Errno: 1677
                  Last_SQL_Error: {MESSAGE}
                   Last_IO_Errno: 0
                   Last_IO_Error:
"""
HEADING = [
    "Slave_IO_State",
    "Master_Host",
    "Last_IO_Errno",
    "Last_IO_Error",
    "Last_SQL_Errno",
    "Last_SQL_Error",
]
VALUES = ["", "db1", "0", "", "1677", MESSAGE]
FORMS = {
    "vertical": VERTICAL,
    "tabs": "\t".join(HEADING) + "\n" + "\t".join(VALUES) + "\n",
    "bars": "+--+\n| " + " | ".join(HEADING) + " |\n+--+\n| " + " | ".join(VALUES) + " |\n+--+\n",
    "json": json.dumps([dict(zip(HEADING, VALUES, strict=True))]),
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_every_form_is_read(form: str) -> None:
    (status,) = statuses(FORMS[form])
    assert (status.sql_number, status.sql_message, status.io_number) == (1677, MESSAGE, 0)


def test_text_without_a_status_is_none() -> None:
    assert statuses("hello\nworld: 5\n") == ()


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ("mysql-5.7", MESSAGE),
        ("mysql-9.7", MESSAGE.replace("1 of", "2 (counting the first column as number 1) of")),
    ],
)
def test_the_column_is_named(version: str, text: str) -> None:
    server = Server.parse(version)
    source = read("CREATE TABLE orders (id INT PRIMARY KEY, amount INT)", server, database="shop").tables
    replica = read("CREATE TABLE orders (id INT PRIMARY KEY, amount BIGINT)", server, database="shop").tables
    (status,) = statuses(VERTICAL.replace(MESSAGE, text))
    (found,) = diagnose(status, source, replica, Link(server, server))
    assert (found.table, found.column) == ("shop.orders", "amount")
    assert [f.code for f in found.findings] == ["SC201"]


def test_a_link_is_blamed_for_its_own_errors() -> None:
    (status,) = statuses(
        json.dumps(
            {"Last_SQL_Errno": "22", "Last_SQL_Error": "Error 'Character set '#255' is not a compiled"}
        )
    )
    link = Link(Server.parse("mysql-9.7"), Server.parse("mariadb-10.11"))
    (found,) = diagnose(status, (), (), link)
    assert [f.code for f in found.findings] == ["SC911"]


def test_every_error_names_rules_that_are_there() -> None:
    for entry in knowledge.load("stops")["stops"]:
        assert entry["way"]
        assert entry["skip"]
        for code in entry["rules"]:
            assert find(code) is not None, (code, entry["numbers"])


@pytest.mark.parametrize("word", ["1677", "MY-013146", "ER_SLAVE_CONVERSION_FAILED", "er_dup_entry", "22"])
def test_an_error_is_known_by_number_and_symbol(word: str) -> None:
    assert known(word) is not None


def test_unknown_errors_are_said_to_be() -> None:
    assert known("99999") is None


@pytest.mark.parametrize("understood", ["SHOW ALL SLAVES STATUS", "SHOW REPLICA STATUS", "SHOW SLAVE STATUS"])
def test_a_live_replica_is_asked_in_its_own_words(understood: str, monkeypatch, capsys) -> None:
    from contextlib import contextmanager

    from schemacheck.cli import main
    from schemacheck.inputs import replica_status
    from schemacheck.inputs.connection import Refused

    asked = []

    class Session:
        def query(self, sql: str, _what: str) -> tuple[list[str], list[tuple[object, ...]]]:
            asked.append(sql)
            if sql != understood:
                raise Refused("1064")
            return HEADING, [("", b"db1", 0, None, 1677, MESSAGE)]

    @contextmanager
    def connected(_endpoint, _seconds):
        yield Session()

    monkeypatch.setattr(replica_status, "connected", connected)
    assert main(["diagnose", "mysql://monitor@replica.example/"]) == 1
    assert "error 1677" in capsys.readouterr().out
    assert asked[-1] == understood
    assert all(sql.startswith("SHOW ") for sql in asked)


def test_the_table_of_the_named_database_is_taken() -> None:
    """Two databases have a table of one name: the message says which."""
    server = Server.parse("mysql-8.0.36")
    ours = read("CREATE TABLE old.t (a int); CREATE TABLE shop.t (a bigint);", server).tables
    theirs = read("CREATE TABLE old.t (a int); CREATE TABLE shop.t (a int);", server).tables
    text = "Column 0 of table 'shop.t' cannot be converted from type 'bigint' to type 'int'"
    (status,) = statuses(f"Last_SQL_Errno: 1677\nLast_SQL_Error: {text}\n")
    (found,) = diagnose(status, ours, theirs, Link(server, server))
    assert [f.database for f in found.findings] == ["shop"]
