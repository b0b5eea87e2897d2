"""The fuzzers for a few seconds: by hand they run for hours (see their modules)."""

from __future__ import annotations

import shutil

import pytest

from schemacheck.model import Server
from tests.live import script_fuzz, statement_fuzz


def _lab(mariadb, *client: str) -> script_fuzz.Lab:  # type: ignore[no-untyped-def]
    import pymysql

    with script_fuzz.Lab(
        Server.parse("mariadb-11.8"), mariadb.port, (), password=mariadb.password
    ).connection() as one:
        assert isinstance(one, pymysql.connections.Connection)
        with one.cursor() as cursor:
            cursor.execute("SELECT @@version")
            version = str(cursor.fetchone()[0])
    return script_fuzz.Lab(Server.parse(version), mariadb.port, client, password=mariadb.password)


def test_statements(mariadb) -> None:  # type: ignore[no-untyped-def]
    found = list(statement_fuzz.differences(_lab(mariadb), 250, seed=20, batch=250))
    assert [one for one in found[:-1] if one.kind == "different"] == []
    assert found[-1]["equal"] > 20


def test_scripts(mariadb) -> None:  # type: ignore[no-untyped-def]
    client = shutil.which("mariadb") or shutil.which("mysql")
    if client is None:
        pytest.skip("no client here: apt-get install mariadb-client")
    found = list(script_fuzz.differences(_lab(mariadb, client), 60, seed=20, batch=60))
    assert found[:-1] == []
    assert found[-1]["read"] > 5
