"""Triggers, events and routines of a script: they stand beside the tables that it makes."""

from __future__ import annotations

from schemacheck.catalog.state import Catalog
from schemacheck.dataclass import replace
from schemacheck.model.problem import InputProblem
from schemacheck.model.program import Event, Routine
from schemacheck.model.server import Server
from schemacheck.sql.client import Statement
from schemacheck.sql.ddl import program
from schemacheck.sql.lexer import Refused
from schemacheck.sql.routine import text_behind_name
from schemacheck.sql.words import first_words, object_of


def create(catalog: Catalog, statement: Statement, text: str) -> None:
    """CREATE of a trigger, an event or a routine, ALTER of an event; what cannot be read is noted."""
    what = object_of(first_words(text))
    try:
        if what == "TRIGGER":
            _create_trigger(catalog, statement, text)
        elif what == "EVENT":
            _event(catalog, statement, text)
        elif what in ("PROCEDURE", "FUNCTION"):
            tokens = catalog.tokens(text)
            database, name = program.dropped(tokens, what)[0]
            database = database or catalog.database
            body = text_behind_name(tokens, text)
            by = catalog.made(program.definer(tokens, what), database)
            place, modes = catalog.lines.at(statement.start), tuple(sorted(catalog.server.sql_mode))
            routine = Routine(what.lower(), name, database, body, place, modes, by)
            catalog.routines[what, catalog.key(database, name.casefold())] = routine
    except Refused as refused:
        _unread(catalog, what, refused.message, statement)


def _event(catalog: Catalog, statement: Statement, text: str) -> None:
    """CREATE and ALTER EVENT; of an event that the input does not define, ALTER tells what it says."""
    event = program.event(catalog.tokens(text), text)
    (database, name), place = event.name, catalog.lines.at(statement.start)
    key = _event_key(catalog, event.name)
    old = catalog.events.get(key)
    creates = first_words(text)[:1] == ["CREATE"]
    if creates and old is not None and event.absent:
        return
    if creates or old is None:
        why = "" if creates or event.body is not None else "the input does not have its definition"
        old = Event(name, "", database or catalog.database, location=place, unread=why)
    if event.enabled is not None:
        old = replace(old, enabled=event.enabled)
    if event.body is not None:
        old = event_body(replace(old, body=event.body), catalog.server)
    if event.renamed is not None:
        catalog.events.pop(key, None)
        home, name = event.renamed
        key = _event_key(catalog, event.renamed)
        old = replace(old, name=name, database=home or catalog.database)
    catalog.events[key] = old


def _event_key(catalog: Catalog, name: tuple[str | None, str]) -> tuple[str | None, str]:
    """An event's identity: its name has no case on any server."""
    return catalog.key(name[0] or catalog.database, "")[0], name[1].casefold()


def _create_trigger(catalog: Catalog, statement: Statement, text: str) -> None:
    tokens = catalog.tokens(text)
    result = program.trigger(tokens, text)
    home = result.name[0] or catalog.database
    key = catalog.key(result.table[0] or home, result.table[1])
    table = catalog.tables.get(key)
    if key in catalog.temporary or key in catalog.failed:
        return
    if table is None:
        _unread(catalog, "TRIGGER", f"its table {result.table[1]!r} is not known", statement)
        return
    place = catalog.lines.at(statement.start)
    called = result.triggers[0].name.casefold()
    before = [trigger for trigger in table.triggers if trigger.name.casefold() != called]
    if len(before) < len(table.triggers) and result.if_not_exists:
        return
    modes = tuple(sorted(catalog.server.sql_mode))
    by = catalog.made(program.definer(tokens, "TRIGGER"), home)
    new = [replace(trigger, location=place, modes=modes, made=by) for trigger in result.triggers]
    beside = [at for at, trigger in enumerate(before) if trigger.name.casefold() == result.beside.casefold()]
    at = (beside[-1] + 1 if result.order == "FOLLOWS" else beside[0]) if beside else len(before)
    catalog.tables[key] = replace(table, triggers=(*before[:at], *new, *before[at:]))


def drop(catalog: Catalog, text: str, what: str) -> str:
    """DROP of a trigger, an event or a routine: it goes. Why the client stops if it is not there, else ''."""
    if what not in ("TRIGGER", "EVENT", "PROCEDURE", "FUNCTION"):
        return ""
    (database, name), conditional = program.dropped(catalog.tokens(text), what)
    database = database or catalog.database
    if what == "TRIGGER":
        home, gone = catalog.key(database, "")[0], False
        for key, table in catalog.tables.items():
            triggers = tuple(
                trigger for trigger in table.triggers if trigger.name.casefold() != name.casefold()
            )
            if key[0] == home and len(triggers) < len(table.triggers):
                catalog.tables[key], gone = replace(table, triggers=triggers), True
    elif what == "EVENT":
        gone = catalog.events.pop(_event_key(catalog, (database, name)), None) is not None
    else:
        gone = catalog.routines.pop((what, catalog.key(database, name.casefold())), None) is not None
    return "" if gone or conditional else f"{what.lower()} {name!r} is not known"


def alters_unknown(catalog: Catalog, text: str) -> str:
    """Why the client stops at an ALTER EVENT, else ''."""
    name = program.event(catalog.tokens(text), text).name
    return "" if _event_key(catalog, name) in catalog.events else f"event {name[1]!r} is not known"


def _unread(catalog: Catalog, what: str, why: str, statement: Statement) -> None:
    """Note what is left out: without a trigger or an event nothing is decided; a routine is only listed."""
    message = f"{'an' if what == 'EVENT' else 'a'} {what.lower()} was not read: {why}"
    place = catalog.lines.at(statement.start)
    # What a trigger or an event does to rows decides; a routine that nothing calls does not.
    catalog.problems.append(InputProblem("SC001", message, place, skipped=what not in ("TRIGGER", "EVENT")))


#: Statements that change no row of a table.
_HARMLESS = ("select", "not-logged", "set", "do", "analyze", "optimize", "repair")


def event_body(event: Event, server: Server | None) -> Event:
    """The event with what its body writes; what cannot be followed is said. Raises nothing."""
    from schemacheck.sql.statements import ANY, parse
    from schemacheck.sql.statements.value import DML, DefinitionStatement, ProgramStatement

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
