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
        statement = parse(f"CREATE PROCEDURE x() {event.body}", server or ANY)
    except Refused as refused:
        return replace(event, unread=f"its body was not read: {refused.message}")
    if not isinstance(statement, ProgramStatement) or not statement.body or statement.problems:
        return replace(event, unread="its body was not read")
    writes: list[tuple[str | None, str]] = []
    why = ""
    for item in statement.body:
        if item.verb == "call" or item.calls:
            why = why or f"it calls {listed(item.calls)}"
        if item.verb in DML or isinstance(item, DefinitionStatement):
            writes += [
                (ref.database, ref.name) for ref in item.updated if (ref.database, ref.name) not in writes
            ]
        elif item.verb not in (*_HARMLESS, "call") or any("branches" not in text for text in item.problems):
            why = why or f"a statement of its body is not followed ({item.verb})"
    return replace(event, writes=tuple(writes), unread=why)


def listed(names: tuple[tuple[str | None, str], ...]) -> str:
    """Routines as they are written."""
    return ", ".join(f"{home}.{name}" if home else name for home, name in names) or "a routine"
