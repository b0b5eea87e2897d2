"""Definition statements as filters see them: the tables that a parsed definition names, in the server's
order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from schemacheck.filters.sql import dml
from schemacheck.filters.sql.lexer import Cursor
from schemacheck.filters.sql.program import body
from schemacheck.filters.sql.statement import Name, Needs, Ref, Statement
from schemacheck.model.server import Server
from schemacheck.sql import characters
from schemacheck.sql.ddl import actions, program, tables
from schemacheck.sql.ddl.draft import ColumnDraft, ForeignDraft, TableDraft
from schemacheck.sql.ddl.parse import Definition, definition
from schemacheck.sql.flavor import of as flavor_of
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.versioned_comment import interpret
from schemacheck.sql.words import first_words, object_of

_PROGRAMS = frozenset(("PROCEDURE", "FUNCTION", "EVENT", "PACKAGE", "SERVER", "TABLESPACE"))
_BEFORE = {
    "OR", "REPLACE", "TEMPORARY", "ONLINE", "OFFLINE", "IGNORE", "UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR",
    "AGGREGATE", "SQL", "SECURITY", "ALGORITHM",
}  # fmt: skip


def analyse(cursor: Cursor, server: Server) -> Statement | None:
    """A definition statement, or None where it is none (accounts)."""
    text = cursor.text
    read_as = interpret(text, server)
    words = first_words(read_as)
    # TRUNCATE may leave out TABLE: a table called `user` is no account.
    head, what = words[0], "TABLE" if words[0] == "TRUNCATE" else object_of(words)
    if what in ("USER", "ROLE"):
        return None
    if what in ("PREPARE", "RESOURCE"):
        return Statement(text, "not-logged")
    if what in _PROGRAMS:
        return _program(cursor, f"{head.lower()}-{what.lower()}", server)
    tokens = None
    try:
        tokens = Tokens(read_as, ansi_quotes="ANSI_QUOTES" in server.sql_mode, backslash=server.backslash)
        if what == "TRIGGER":
            return _trigger(text, head, tokens, server)
        found = definition(tokens, flavor_of(server), head, what)
    except Refused as refused:
        return Statement(text, "unknown", problems=(f"{server} does not read it: {refused.message}",))
    if found is None and (head, what) == ("ALTER", "SEQUENCE"):
        return Statement(text, "alter-sequence", (_named(cursor),))
    if found is None:
        return Statement(text, "unknown", problems=(f"not a statement known here: {text[:60]!r}",))
    return _seen(found, text, read_as, tokens)


def _ref(name: Name, *, updated: bool = True) -> Ref:
    return Ref(*name, updated=updated)


def _seen(found: Definition, text: str, read_as: str, tokens: Tokens) -> Statement:
    match found:
        case TableDraft():
            return _create_table(found, text, read_as, tokens)
        case actions.AlterTable():
            return _alter_table(found, text)
        case tables.DropTables():
            verb = f"drop-{found.kind.value}"
            refs = tuple(_ref(name) for _, name in found.names)
            return Statement(
                text, verb, refs, conditional=found.if_exists, temporary=found.temporary, definition=found
            )
        case tables.RenameTables():
            pairs = tuple((old, new) for old, new, _ in found.pairs)
            refs = tuple(_ref(name) for pair in pairs for name in pair)
            return Statement(
                text, "rename-table", refs, conditional=found.if_exists, renames=pairs, definition=found
            )
        case tables.Truncate():
            return Statement(text, "truncate", (_ref(found.table),), definition=found)
        case tables.CreateIndex():
            return Statement(text, "create-index", (_ref(found.table),), definition=found)
        case tables.DropIndex():
            return Statement(text, "drop-index", (_ref(found.table),), definition=found)
        case tables.CreateOther():
            return _create_other(found, text, read_as)
        case tables.DefineDatabase():
            verb = "create-database" if found.creates else "alter-database"
            return Statement(
                text, verb, database=found.name, conditional=found.if_not_exists, definition=found
            )
        case tables.DropDatabase():
            return Statement(
                text, "drop-database", database=found.name, conditional=found.if_exists, definition=found
            )


def _create_table(draft: TableDraft, text: str, read_as: str, tokens: Tokens) -> Statement:
    target = _ref((draft.database, draft.name))
    conditional, temporary = draft.if_not_exists, draft.temporary
    argument = "or replace" if draft.or_replace else ""
    if draft.like is not None:
        return Statement(
            text, "create-table-like", (target, _ref(draft.like, updated=False)),
            conditional=conditional, temporary=temporary, argument=argument, definition=draft,
        )  # fmt: skip
    inline = [key for column in draft.columns for key in column.references]
    cascades = _cascades([*draft.foreign_keys, *inline])
    if draft.query is not None:
        tokens.at = draft.query
        query = dml.analyse(characters.strip(read_as[tokens.offset() :]).lstrip("(").rstrip(")"))
        return Statement(
            text, "create-table-select", (target, *(_ref((r.database, r.name),
            updated=False) for r in query.refs)),
            calls=query.calls, conditional=conditional, temporary=temporary, cascades=cascades,
            unsafe=query.unsafe, needs=query.needs,
            problems=query.problems, argument=argument, definition=draft,
        )  # fmt: skip
    foreign = _is_innodb(draft.options.engine)
    return Statement(
        text, "create-table", (target,), conditional=conditional, temporary=temporary, cascades=cascades,
        parents=_parents(draft.foreign_keys) if foreign else (),
        inline_parents=_parents(inline) if foreign else (),
        columns=tuple(column.name for column in draft.columns), argument=argument, definition=draft,
    )  # fmt: skip


def _alter_table(found: actions.AlterTable, text: str) -> Statement:
    keys = [one.draft for one in found.actions if isinstance(one, actions.Add)]
    foreign = [key for key in keys if isinstance(key, ForeignDraft)]
    inline = [key for column in _columns(found) for key in column.references]
    engines = [one.options.engine for one in found.actions if isinstance(one, actions.Options)]
    is_innodb = all(_is_innodb(engine) for engine in engines)
    others = [one.table for one in found.actions if isinstance(one, actions.Other) and one.table]
    return Statement(
        text,
        "alter-table",
        (_ref(found.table), *map(_ref, others)),
        conditional=found.if_exists,
        cascades=_cascades([*foreign, *inline]),
        parents=_parents(foreign) if is_innodb else (),
        inline_parents=_parents(inline) if is_innodb else (),
        renames=tuple((found.table, one.to) for one in found.actions if isinstance(one, actions.Rename)),
        definition=found,
    )


def _columns(found: actions.AlterTable) -> Iterator[ColumnDraft]:
    for one in found.actions:
        if isinstance(one, (actions.AddColumn, actions.ReplaceColumn)):
            yield one.draft


def _is_innodb(engine: str | None) -> bool:
    """Whether foreign keys are kept."""
    return engine is None or engine.upper() == "INNODB"


def _parents(keys: Iterable[ForeignDraft]) -> tuple[Name, ...]:
    """The tables that foreign keys refer to."""
    return tuple((key.ref_database, key.ref_table) for key in keys)


def _cascades(keys: Iterable[ForeignDraft]) -> tuple[tuple[Name, frozenset[str]], ...]:
    """Parents whose DELETE or UPDATE reaches this table through a foreign key."""
    found = []
    for key in keys:
        given = (("delete", key.on_delete), ("update", key.on_update))
        events = frozenset(event for event, action in given if action.startswith(("CASCADE", "SET")))
        if events:
            found.append(((key.ref_database, key.ref_table), events))
    return tuple(found)


def _create_other(found: tables.CreateOther, text: str, read_as: str) -> Statement:
    verb = f"{'alter' if found.alters else 'create'}-{found.kind.value}"
    argument = "or replace" if found.or_replace else ""
    refs, conditional = (_ref(found.name),), found.if_not_exists
    if found.query_at is None:
        return Statement(text, verb, refs, conditional=conditional, argument=argument, definition=found)
    query = dml.analyse(read_as[found.query_at :])
    return Statement(
        text, verb, (*refs, *(_ref((r.database, r.name), updated=False) for r in query.refs)),
        calls=query.calls, conditional=conditional,
        needs=query.needs, problems=query.problems, argument=argument, definition=found,
    )  # fmt: skip


def _trigger(text: str, head: str, tokens: Tokens, server: Server) -> Statement:
    if head == "DROP":
        name, exists = program.dropped(tokens, "TRIGGER")
        return Statement(text, "drop-trigger", calls=(name,), conditional=exists)
    found = program.trigger(tokens, tokens.text)
    inner = found.triggers[0].body
    return Statement(
        text,
        "create-trigger",
        (_ref(found.table),),
        calls=(found.name,),
        event=",".join(one.event.lower() for one in found.triggers),
        body=body(inner, server),
        conditional=found.if_not_exists,
        needs=Needs(columns=_row_columns(Cursor(inner))),
    )


def _row_columns(cursor: Cursor) -> tuple[tuple[str, str], ...]:
    """The columns that a trigger's body names as NEW.x and OLD.x, unless NEW or OLD is a name of its own
    there.
    """
    items = cursor.items
    own = {b.upper for a, b in pairwise(items) if a.upper == "AS"}
    return tuple(
        (row.upper.lower(), column.name)
        for row, dot, column in zip(items, items[1:], items[2:], strict=False)
        if row.upper in {"NEW", "OLD"} - own and dot.text == "." and column.name
    )


def _named(cursor: Cursor) -> Ref:
    """The name behind ALTER SEQUENCE."""
    cursor.at = 2
    cursor.take("IF", "EXISTS")
    return _ref(cursor.name() or (None, ""))


def _program(cursor: Cursor, verb: str, server: Server) -> Statement:
    """A procedure, function or event: no table of its own; its body is kept for those who run it."""
    cursor.at = 1
    _prefix(cursor)
    cursor.at += 1
    conditional = cursor.take("IF", "NOT", "EXISTS") or cursor.take("IF", "EXISTS")
    name = cursor.name()
    text = cursor.text
    inner: tuple[Statement, ...] = ()
    if verb in ("create-procedure", "create-function") and cursor.peek() == "(":
        cursor.find(")")
        inner = body(cursor.rest(), server, skip_characteristics=True)
    if (
        verb == "create-function"
        and cursor.peek() == "RETURNS"
        and any(t.upper == "SONAME" for t in cursor.items)
    ):
        verb = "create-udf"
    return Statement(text, verb, calls=(name,) if name else (), body=inner, conditional=conditional)


def _prefix(cursor: Cursor) -> set[str]:
    """Skip what stands between CREATE and the thing: DEFINER=..., ALGORITHM=..., and words."""
    seen = set()
    while not cursor.done:
        word = cursor.peek()
        if word == "DEFINER":
            cursor.at += 2  # DEFINER =
            cursor.at += 1
            if cursor.take("(", ")"):
                continue
            while not cursor.done and (cursor.peek() == "@" or cursor.items[cursor.at].kind == "variable"):
                cursor.at += 2 if cursor.peek() == "@" else 1
        elif word == "ALGORITHM":
            cursor.at += 3
        elif word == "SECURITY":
            cursor.at += 2
        elif word in _BEFORE:
            seen.add(word)
            cursor.at += 1
        else:
            break
    return seen
