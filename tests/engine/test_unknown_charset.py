"""A character set that is not known: the pair is undecided, whatever rule would have asked about it."""

from __future__ import annotations

import pytest

from schemacheck import engine
from schemacheck.model import Effect, Link, Server
from tests.tables_from_rows import tables_from_rows

SERVER = Server.parse("mysql-8.0.36")


def _side(type_: str, charset: str, default: str | None) -> list[dict[str, object]]:
    row: dict[str, object] = {
        "TABLE_SCHEMA": "d", "TABLE_NAME": "t", "COLUMN_NAME": "a", "ORDINAL_POSITION": 1,
        "COLUMN_TYPE": type_, "IS_NULLABLE": "YES", "COLUMN_DEFAULT": default, "CHARACTER_SET_NAME": charset,
        "COLLATION_NAME": f"{charset}_bin", "EXTRA": "",
    }  # fmt: skip
    number = {"COLUMN_NAME": "b", "ORDINAL_POSITION": 2, "COLUMN_TYPE": "int", "COLUMN_DEFAULT": None}
    return [row, {**row, **number, "CHARACTER_SET_NAME": None, "COLLATION_NAME": None}]


@pytest.mark.parametrize("format_", ["ROW", "MIXED", "STATEMENT"])
@pytest.mark.parametrize(
    "types", [("varchar(10)", "varchar(10)"), ("text", "varchar(20)"), ("char(3)", "text")]
)
@pytest.mark.parametrize("default", [None, "abc"])
def test_a_pair_of_a_character_set_that_is_not_known(
    format_: str, types: tuple[str, str], default: str | None
) -> None:
    server = SERVER.with_settings({"binlog_format": format_})
    link = Link(server, server)
    sides = [tables_from_rows(_side(one, "utf84", default), server=server) for one in types]
    for shorter in (slice(None), slice(1)):
        ours = list(sides[0].tables)
        theirs = tables_from_rows(_side(types[1], "utf84", default)[shorter], server=server).tables
        report = engine.check(ours, theirs, link)
        assert [pair.verdict for pair in report.pairs] == [Effect.UNKNOWN]
        assert "'utf84' is not known" in report.pairs[0].reason
