"""Which tables the body of a scheduled event changes."""

from __future__ import annotations

from schemacheck.dataclass import replace
from schemacheck.model.program import Event
from schemacheck.model.server import Server
from schemacheck.sql.lexer import Refused
from schemacheck.sql.statements import ANY, parse
from schemacheck.sql.statements.value import DML, DefinitionStatement, ProgramStatement

#: Statements that change no row of a table.
_HARMLESS = ("select", "not-logged", "set", "do", "analyze", "optimize", "repair")


def read(event: Event, server: Server | None) -> Event:
    """The event with what its body writes; what cannot be followed is said. Raises nothing."""
    try:
        found = parse(f"CREATE PROCEDURE x() {event.body}", server or ANY)
    except Refused as refused:
        return replace(event, unread=f"its body was not read: {refused.message}")
    if not isinstance(found, ProgramStatement) or not found.body or found.problems:
        return replace(event, unread="its body was not read")
    writes: list[tuple[str | None, str]] = []
    why = ""
    for one in found.body:
        if one.verb == "call" or one.calls:
            why = why or f"it calls {listed(one.calls)}"
        if one.verb in DML or isinstance(one, DefinitionStatement):
            writes += [
                (ref.database, ref.name) for ref in one.updated if (ref.database, ref.name) not in writes
            ]
        elif one.verb not in (*_HARMLESS, "call") or any("branches" not in text for text in one.problems):
            why = why or f"a statement of its body is not followed ({one.verb})"
    return replace(event, writes=tuple(writes), unread=why)


def listed(names: tuple[tuple[str | None, str], ...]) -> str:
    """Routines as they are written."""
    return ", ".join(f"{home}.{name}" if home else name for home, name in names) or "a routine"
