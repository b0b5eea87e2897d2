"""The part of a SPATIAL key."""

from __future__ import annotations

from schemacheck.catalog.context import Context
from schemacheck.model.table import Column, KeyKind, KeyPart
from schemacheck.sql.ddl.draft import PartDraft
from schemacheck.sql.lexer import Refused


def part(
    draft: PartDraft, column: Column, kind: KeyKind, engine: str, context: Context, parts: int
) -> tuple[KeyPart, bool, bool]:
    """As `keyset` has a part; `parts`: how many the key has. Raises Refused."""
    server = context.server
    if not column.type.is_geometry:
        errno = 1687 if kind is KeyKind.SPATIAL or server.has("geometry-key-is-spatial") else 1210
        raise Refused(f"column {column.name!r} is no geometry: it takes no SPATIAL key", draft.at, errno)
    if parts > 1:
        raise Refused("a SPATIAL key has one part", draft.at, 1210 if server.mariadb else 1070)
    if engine == "InnoDB" and not server.has("innodb-spatial"):
        raise Refused("InnoDB has no SPATIAL keys here", draft.at, 1464)
    if column.nullable:
        raise Refused(f"column {column.name!r} of a SPATIAL key must be NOT NULL", draft.at, 1252)
    return KeyPart(column.name), True, False
