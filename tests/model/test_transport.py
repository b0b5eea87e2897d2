"""A schema that goes to another process arrives as it was, places and texts included."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server, transport
from tests.ddl.everything import everything
from tests.ddl.recorded import SERVERS, load


@pytest.mark.parametrize("server", SERVERS)
def test_what_arrives_is_what_was_sent(server: str) -> None:
    _, cases = load()[server]
    text = ";\n".join(
        case["ddl"].replace(f" {case.get('table')} ", f" {case.get('table')}_{number} ", 1)
        for number, case in enumerate(cases[::3])
    )
    schema = read(text, Server.parse(server), file="a.sql", database="d")
    assert len(schema.tables) > 150
    assert len(schema.problems) > 15
    arrived = transport.unpack(transport.pack(schema))
    assert arrived == schema
    assert everything(arrived) == everything(schema)
