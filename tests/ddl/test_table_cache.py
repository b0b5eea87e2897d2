"""A statement that was read before gives what it would give anew: the same table, at its own place, under its
own settings.
"""

from __future__ import annotations

from typing import Any

import pytest

from schemacheck.catalog import read, table_cache
from schemacheck.model import Schema, Server
from tests.ddl.everything import everything
from tests.ddl.recorded import load
from tests.facts.ddl import server_of

RECORDED = load()
MYSQL = Server.parse("mysql-8.0.36")


def run(case: dict[str, Any], server: Server, before: str, file: str) -> Schema:
    charsets = {"d": (case["settings"]["db_charset"], case["settings"]["db_collation"])}
    return read(
        before + ";\n".join([*case["pre"], case["ddl"]]), server, file=file, database="d", charsets=charsets
    )


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_recorded_tables_read_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    header, cases = RECORDED[name]
    recalled = []
    moved = table_cache.moved
    monkeypatch.setattr(
        table_cache, "moved", lambda kept, start: recalled.append(start) or moved(kept, start)
    )
    with table_cache.parsed_once():
        for case in cases[::9]:
            # Many statements stand there under several settings.
            run(case, server_of(header, case["settings"]), "", "a.sql")
        for number, case in enumerate(cases[::9]):
            server = server_of(header, case["settings"])
            before = ("", "\n\n", "  ", "/* x */\n  ")[number % 4]
            again = run(case, server, before, "b.sql")
            count = len(recalled)
            with table_cache.parsed_once():
                anew = run(case, server, before, "b.sql")
            assert len(recalled) == count
            assert everything(again) == everything(anew), case["ddl"]
    assert len(recalled) > 100


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "SET sql_mode = ''; CREATE TABLE t (a REAL)",
            "SET sql_mode = 'REAL_AS_FLOAT'; CREATE TABLE t (a REAL)",
        ),
        ("USE d1; CREATE TABLE t (a INT)", "USE d2; CREATE TABLE t (a INT)"),
        (
            "CREATE DATABASE d1 CHARSET latin1; CREATE TABLE d1.t (a CHAR(3))",
            "CREATE DATABASE d1 CHARSET utf8mb4; CREATE TABLE d1.t (a CHAR(3))",
        ),
        ("CREATE TABLE p (a INT); CREATE TABLE t LIKE p", "CREATE TABLE p (a BIGINT); CREATE TABLE t LIKE p"),
        (
            "CREATE TABLE p (a INT); CREATE TABLE t AS SELECT a FROM p",
            "CREATE TABLE p (a BIGINT); CREATE TABLE t AS SELECT a FROM p",
        ),
        (
            "CREATE TABLE p (a INT PRIMARY KEY); CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES p (a))",
            "CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES p (a))",
        ),
        (
            "CREATE TABLE t (a INT); ALTER TABLE t ADD b INT",
            "CREATE TABLE t (a INT); DROP TABLE t; CREATE TABLE t (a INT); ALTER TABLE t ADD c INT",
        ),
        ("CREATE TABLE t (a INT)", "CREATE TABLE t (a INT); CREATE TABLE t (a INT)"),
        (
            "CREATE TABLE IF NOT EXISTS t (a INT)",
            "CREATE TABLE t (b INT); CREATE TABLE IF NOT EXISTS t (a INT)",
        ),
        ("CREATE TABLE t (a INT, a INT)", "CREATE TABLE u (a INT); CREATE TABLE t (a INT, a INT)"),
    ],
)
def test_what_the_text_alone_does_not_say(first: str, second: str) -> None:
    with table_cache.parsed_once():
        read(first, MYSQL)
        again = read(second, MYSQL)
    assert everything(again) == everything(read(second, MYSQL))


def test_nothing_is_kept_behind_the_block() -> None:
    with table_cache.parsed_once():
        read("CREATE TABLE t (a INT)", MYSQL)
        assert table_cache.get("CREATE TABLE t (a INT)", None)
    assert table_cache.get("CREATE TABLE t (a INT)", None) is None
    read("CREATE TABLE t (a INT)", MYSQL)
    assert table_cache.get("CREATE TABLE t (a INT)", None) is None
