"""The statements of a script of which stretches alone are run, as migration tools do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from schemacheck.dataclass import replace
from schemacheck.knowledge import characters
from schemacheck.model.history import Part
from schemacheck.model.server import Server
from schemacheck.sql.client import Statement
from schemacheck.sql.multi import server_statements
from schemacheck.sql.script import statements


def statements_of(
    text: str, server: Callable[[], Server], parts: Sequence[Part] | None
) -> Iterator[Statement]:
    """As `statements`, of these parts of a text; None: of all of it. Places are the whole text's."""
    if parts is None:
        yield from statements(text, server)
        return
    for part in parts:
        inside = text[part.start : part.end]
        if part.delimiter is not None:
            result = statements(inside, server, part.delimiter)
        elif inside := inside.rstrip(characters.BLANK).removesuffix(";"):
            versioned = "/*!" in inside or "/*M!" in inside
            result = server_statements(Statement(0, inside, versioned, whole=True), server())
        else:
            continue
        for statement in result:
            body = statement.text.lstrip(characters.BLANK)
            yield replace(
                statement, start=part.start + statement.start + len(statement.text) - len(body), text=body
            )
