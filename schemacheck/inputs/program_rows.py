"""Rows of TRIGGERS, VIEWS, EVENTS and ROUTINES take their places beside the tables of the other views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.dataclass import replace
from schemacheck.inputs import routine_rows
from schemacheck.inputs.key_rows import records
from schemacheck.model import Event, InputProblem, Location, Table, TableKind, Trigger
from schemacheck.model.charset import canonical_collation
from schemacheck.model.program import INVOKER, Made, account

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from schemacheck.inputs.piece import RowsPiece
    from schemacheck.model import Schema

#: What is read of each view.
VIEWS = {
    "TRIGGERS": (
        "EVENT_OBJECT_SCHEMA", "EVENT_OBJECT_TABLE", "TRIGGER_NAME", "ACTION_TIMING", "EVENT_MANIPULATION",
        "ACTION_STATEMENT",
    ),
    "VIEWS": ("TABLE_SCHEMA", "TABLE_NAME", "VIEW_DEFINITION"),
    "EVENTS": ("EVENT_SCHEMA", "EVENT_NAME", "EVENT_DEFINITION", "STATUS"),
    **routine_rows.VIEWS,
}  # fmt: skip
#: What is said of a view whose query VIEWS does not tell.
WITHOUT_QUERY = (
    "VIEWS does not tell the query of this view: the dump is incomplete, or its user lacks SHOW VIEW"
)
#: What not every dump has of a view.
_MORE = {
    "TRIGGERS": ("ACTION_ORDER", "SQL_MODE", "DEFINER", "COLLATION_CONNECTION", "DATABASE_COLLATION"),
    "VIEWS": ("DEFINER", "SECURITY_TYPE", "COLLATION_CONNECTION", "CHECK_OPTION", "IS_UPDATABLE"),
    "ROUTINES": ("IS_DETERMINISTIC",),
}
#: What each view tells that COLUMNS does not.
WORDS = {
    "TRIGGERS": "triggers",
    "VIEWS": "the queries of views",
    "EVENTS": "events",
    "ROUTINES": "routines",
    "PARTITIONS": "partitions",
    "REFERENTIAL_CONSTRAINTS": "foreign keys",
    "CHECK_CONSTRAINTS": "CHECK constraints",
}
#: Views that tell of it too.
_ALSO = {
    "REFERENTIAL_CONSTRAINTS": ("TABLE_CONSTRAINTS", "KEY_COLUMN_USAGE"),
    "CHECK_CONSTRAINTS": ("TABLE_CONSTRAINTS",),
}

Name = tuple[str | None, str | None]


def looked_at(pieces: Iterable[RowsPiece]) -> frozenset[str]:
    """The views of these pieces, also those without rows that a snapshot's first line names."""
    result: set[str] = set()
    for piece in pieces:
        result.add(piece.view)
        if piece.view == "SNAPSHOT":
            names = [str(name).upper() for name in piece.rows.heading]
            for _, record in piece.rows.records if "VIEWS" in names else ():
                given = record[names.index("VIEWS")]
                result.update(str(name).upper() for name in (given if isinstance(given, list) else ()))
    return frozenset(result)


def unseen(views: Collection[str]) -> dict[str, str]:
    """The entries of WORDS of which none of these views tells."""
    return {view: word for view, word in WORDS.items() if not {view, *_ALSO.get(view, ())} & {*views}}


def add(schema: Schema, pieces: Sequence[RowsPiece], name: str) -> Schema:
    """The schema with what these views tell; absent views, and triggers without a table, are noted."""
    problems: list[InputProblem] = []
    triggers: dict[Name, list[Trigger]] = {}
    queries: dict[Name, tuple[str, Made]] = {}
    events = list(schema.events)
    of_routines: list[tuple[str, str, Mapping[str, str | None]]] = []
    for piece in pieces:
        wanted = VIEWS.get(piece.view)
        if wanted is None:
            continue
        place = Location(piece.file)
        rows = records(piece.rows, wanted, _MORE.get(piece.view, ()), piece.view, piece.file, problems)
        for row in sorted(rows, key=_place):
            database, first, *rest = (row[heading] for heading in wanted)
            if piece.view == "TRIGGERS":
                called, timing, manipulations, body = rest
                made = (_body(body), place, _modes(row), _made(row))
                triggers.setdefault((database, first), []).extend(
                    Trigger(called or "", (timing or "").upper(), text, *made)
                    for text in (manipulations or "").upper().split(",")
                )
            elif piece.view == "VIEWS":
                queries[database, first] = _query(rest[0], row), _made(row)
            elif piece.view in routine_rows.VIEWS:
                of_routines.append((piece.view, piece.file, row))
            else:
                # DISABLED, SLAVESIDE_DISABLED, REPLICA_SIDE_DISABLED
                enabled = "DISABLED" not in (rest[1] or "").upper()
                from schemacheck.catalog import programs

                event = Event(first or "", _body(rest[0]), database, enabled, place)
                events.append(programs.event_body(event, schema.server))
    seen = looked_at(pieces)
    absent = unseen(seen)
    if absent and any(piece.view == "COLUMNS" for piece in pieces):
        message = (
            f"{listed([*absent.values()])} were not looked at: this input does not have "
            f"{', '.join(absent)} of information_schema; "
            "add them, or take a snapshot"
        )
        problems.append(InputProblem("SC001", message, Location(name), skipped=True))
    tables = [_with(table, triggers, queries) for table in schema.tables]
    problems += [
        InputProblem("SC001", WITHOUT_QUERY, Location(name), table.database, table.name)
        for table in tables
        if "VIEWS" in seen and table.kind is TableKind.VIEW and not table.query and table.text is None
    ]
    for (database, owner), lost in triggers.items():
        message = f"triggers of a table that is not in this input: {', '.join(t.name for t in lost)}"
        problems.append(InputProblem("SC001", message, Location(name), database, owner, skipped=True))
    routines = (*schema.routines, *routine_rows.routines(of_routines, _made, seen))
    problems = [*schema.problems, *problems]
    return replace(
        schema, tables=tuple(tables), events=tuple(events), routines=routines, problems=tuple(problems)
    )


def _place(row: Mapping[str, str | None]) -> int:
    """Where a trigger runs among those of its table, timing and event; others have no place."""
    order = row.get("ACTION_ORDER") or ""
    return int(order) if order.isdecimal() and len(order) < 6 else 0


def listed(words: Sequence[str]) -> str:
    """Words with `and` before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def _with(table: Table, triggers: dict[Name, list[Trigger]], queries: dict[Name, tuple[str, Made]]) -> Table:
    """The table with its own triggers (taken out of `triggers`), a view with its query."""
    key = (table.database, table.name)
    if table.kind is TableKind.VIEW:
        if key not in queries:
            return table
        query, made = queries[key]
        return replace(table, query=query, made=made)
    own = triggers.pop(key, None)
    return replace(table, triggers=tuple(own)) if own else table


def _made(row: Mapping[str, str | None]) -> Made:
    """What a row of TRIGGERS or VIEWS tells of the CREATE."""
    invoker = (row.get("SECURITY_TYPE") or "").upper() == INVOKER
    return Made(
        INVOKER if invoker else account(row.get("DEFINER") or ""),
        canonical_collation(row.get("COLLATION_CONNECTION") or ""),
        canonical_collation(row.get("DATABASE_COLLATION") or ""),
        _modes(row),
        (row.get("IS_UPDATABLE") or "").upper() == "NO",
    )


def _query(text: str | None, row: Mapping[str, str | None]) -> str:
    """A view's query with its CHECK OPTION, which the server keeps apart; '' where it is not told."""
    option = (row.get("CHECK_OPTION") or "NONE").upper()
    query = _body(text)
    return f"{query} WITH {option} CHECK OPTION" if query and option in ("LOCAL", "CASCADED") else query


def _modes(row: Mapping[str, str | None]) -> tuple[str, ...] | None:
    """The words of a row's sql_mode, in order; None where the view does not have them."""
    modes = row.get("SQL_MODE")
    return None if modes is None else tuple(sorted(filter(None, modes.upper().split(","))))


def _body(text: str | None) -> str:
    return (text or "").strip().rstrip(";").rstrip()
