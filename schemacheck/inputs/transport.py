"""A Schema as bytes, for another process of the same program.

Pickle, but each value goes as its class and its fields: what frozen dataclasses with slots bring
for it themselves takes twice as long, and more when they are read again.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from typing import Any

from schemacheck.inputs.collector import collector_paused
from schemacheck.model import Schema
from schemacheck.model.column_type import ColumnType
from schemacheck.model.location import Location
from schemacheck.model.table import Check, Column, Default, ForeignKey, Key, KeyPart, Table

_PLAIN = (Check, Column, ForeignKey, Key, KeyPart, Location, Table)
#: Values of which a schema has few different ones: one of each is made, so that equal ones are the same.
_FEW = (ColumnType, Default)


@lru_cache(maxsize=65536)
def _shared(kind: type, *values: Any) -> Any:
    return kind(*values)


def _as_fields(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    values = attrgetter(*(field.name for field in fields(kind)))
    return lambda one: (kind, values(one))


def _as_shared(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    values = attrgetter(*(field.name for field in fields(kind)))
    return lambda one: (_shared, (kind, *values(one)))


def pack(schema: Schema) -> bytes:
    """The bytes of a schema."""
    out = io.BytesIO()
    pickler = pickle.Pickler(out, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {kind: _as_fields(kind) for kind in _PLAIN} | {
        kind: _as_shared(kind) for kind in _FEW
    }
    with collector_paused():
        pickler.dump(schema)
    return out.getvalue()


def unpack(data: bytes) -> Schema:
    """The schema of `pack`'s bytes, which have to come from a process of our own."""
    with collector_paused():
        found = pickle.loads(data)  # noqa: S301 our own process
    assert isinstance(found, Schema)
    return found
