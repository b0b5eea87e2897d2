"""Which character set and collation a table or column has."""

from __future__ import annotations

from schemacheck.inputs.ddl.lexer import Refused
from schemacheck.model import charset as charsets
from schemacheck.model.server import Server

Pair = tuple[str | None, str | None]


def resolve(charset: str | None, collation: str | None, inherited: Pair, server: Server, at: int) -> Pair:
    """(character set, collation) from what was written and what is inherited. Raises Refused for unknown names."""
    if charset == "":
        charset = inherited[0]
    if charset:
        if not charsets.known(charset):
            raise Refused(f"character set {charset!r} is unknown", at, "SC002", 1115)
        charset = charsets.canonical(charset)
    if collation:
        own = charsets.of_collation(collation)
        if charset and own and own != charset:
            raise Refused(f"collation {collation!r} does not belong to character set {charset!r}", at, "SC002", 1253)
        return own or charset or inherited[0], charsets.canonical_collation(collation)
    if charset:
        return charset, charsets.default_collation(charset, server.flavor, server.version)
    return inherited
