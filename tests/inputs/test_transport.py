"""A schema that goes to another process arrives as it was, places and texts included."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from schemacheck.inputs import transport
from schemacheck.inputs.ddl import read
from schemacheck.model import Server
from tests.ddl.recorded import load

RECORDED = load()


def everything(value: Any) -> Any:
    """All fields, those that take no part in equality too."""
    if hasattr(value, "__dataclass_fields__"):
        return (type(value).__name__, *(everything(getattr(value, field.name)) for field in fields(value)))
    return tuple(map(everything, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize("server", sorted(RECORDED))
def test_what_arrives_is_what_was_sent(server: str) -> None:
    _, cases = RECORDED[server]
    text = ";\n".join(case["ddl"].replace(f" {case.get('table')} ", f" {case.get('table')}_{number} ", 1) for number, case in enumerate(cases))
    schema = read(text, Server.parse(server), file="a.sql", database="d")
    assert len(schema.tables) > 500
    assert len(schema.problems) > 50
    arrived = transport.unpack(transport.pack(schema))
    assert arrived == schema
    assert everything(arrived) == everything(schema)
