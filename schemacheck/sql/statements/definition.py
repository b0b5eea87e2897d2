"""Definition statements as filters see them: the tables that a parsed definition names, in the server's
order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise

from schemacheck.model.server import Server
from schemacheck.sql.ddl import actions, program, tables
from schemacheck.sql.ddl.draft import ColumnDraft, ForeignDraft, TableDraft
from schemacheck.sql.ddl.parse import Definition, definition
from schemacheck.sql.flavor import of as flavor_of
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.statements import dml
from schemacheck.sql.statements.names import name
from schemacheck.sql.statements.program import Parse, body
from schemacheck.sql.statements.value import (
    DataStatement,
    DefinitionStatement,
    Name,
    Needs,
    ProgramStatement,
    Ref,
    Statement,
)
from schemacheck.sql.words import first_words, object_of

_PROGRAMS = frozenset(("PROCEDURE", "FUNCTION", "EVENT", "PACKAGE", "SERVER", "TABLESPACE"))
_BEFORE = {
    "OR", "REPLACE", "TEMPORARY", "ONLINE", "OFFLINE", "IGNORE", "UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR",
    "AGGREGATE", "SQL", "SECURITY", "ALGORITHM",
}  # fmt: skip


def parse(t: Tokens, text: str, server: Server, inner: Parse) -> Statement | None:
    """A definition statement, or None; `inner` reads a program's body. Raises Refused."""
    words = first_words(t.text)
    # TRUNCATE may leave out TABLE: a table called `user` is no account.
    head, what = words[0], "TABLE" if words[0] == "TRUNCATE" else object_of(words)
    if what in ("USER", "ROLE"):
        return None
    if what in ("PREPARE", "RESOURCE"):
        return Statement(text, "not-logged")
    t.at = 0
    if what in _PROGRAMS:
        return _program(t, text, f"{head.lower()}-{what.lower()}", inner)
    if what == "TRIGGER":
        return _trigger(t, text, head, inner)
    result = definition(t, flavor_of(server), head, what)
    if result is None and (head, what) == ("ALTER", "SEQUENCE"):
        t.at = 2
        t.take("IF", "EXISTS")
        return DefinitionStatement(text, "alter-sequence", (_ref(name(t) or (None, "")),))
    if result is None:
        return Statement(text, "unknown", problems=(f"not a statement known here: {text[:60]!r}",))
    return _seen(result, t, text)


def _ref(name: Name, *, updated: bool = True) -> Ref:
    return Ref(*name, updated=updated)


def _seen(draft: Definition, t: Tokens, text: str) -> Statement:
    make = partial(DefinitionStatement, text, definition=draft)
    match draft:
        case TableDraft():
            return _create_table(draft, t, text)
        case actions.AlterTable():
            return _alter_table(draft, text)
        case tables.DropTables():
            refs = tuple(_ref(name) for _, name in draft.names)
            verb = f"drop-{draft.kind.value}"
            return make(verb, refs, conditional=draft.if_exists, temporary=draft.temporary)
        case tables.RenameTables():
            pairs = tuple((old, new) for old, new, _ in draft.pairs)
            refs = tuple(_ref(name) for pair in pairs for name in pair)
            return make("rename-table", refs, conditional=draft.if_exists, renames=pairs)
        case tables.Truncate():
            return make("truncate", (_ref(draft.table),))
        case tables.CreateIndex():
            return make("create-index", (_ref(draft.table),))
        case tables.DropIndex():
            return make("drop-index", (_ref(draft.table),))
        case tables.CreateOther():
            return _create_other(draft, t, text)
        case tables.DefineDatabase():
            verb = "create-database" if draft.creates else "alter-database"
            return make(verb, database=draft.name, conditional=draft.if_not_exists)
        case tables.DropDatabase():
            return make("drop-database", database=draft.name, conditional=draft.if_exists)


def _create_table(draft: TableDraft, t: Tokens, text: str) -> Statement:
    target = _ref((draft.database, draft.name))
    make = partial(
        DefinitionStatement, text, conditional=draft.if_not_exists, temporary=draft.temporary,
        or_replace=draft.or_replace, definition=draft,
    )  # fmt: skip
    if draft.like is not None:
        return make("create-table-like", (target, _ref(draft.like, updated=False)))
    inline = [key for column in draft.columns for key in column.references]
    cascades = _cascades([*draft.foreign_keys, *inline])
    if draft.query is not None:
        first, last = _inside(t, draft.query)
        query = dml.query(t, first, text, last=last)
        return make(
            "create-table-select", (target, *_read(query)), query.calls, cascades=cascades,
            unsafe=query.unsafe, needs=query.needs, lookups=query.lookups, problems=query.problems,
        )  # fmt: skip
    foreign = _is_innodb(draft.options.engine)
    return make(
        "create-table", (target,), cascades=cascades,
        parents=_parents(draft.foreign_keys) if foreign else (),
        inline_parents=_parents(inline) if foreign else (),
    )  # fmt: skip


def _inside(t: Tokens, first: int) -> tuple[int, int]:
    """The words of a query that begins here, without parentheses around the whole of it."""
    last, depth, outer = t.size, 0, t.size
    for at in range(first, t.size):
        depth += (t.words[at] == "(") - (t.words[at] == ")")
        if depth == 0 and at < outer:
            outer = at
        if depth < 0:
            last = at
            break
    if t.words[first] == "(" and outer == last - 1:
        return _inside(t, first + 1)
    return first, last


def _read(query: DataStatement) -> tuple[Ref, ...]:
    return tuple(_ref((ref.database, ref.name), updated=False) for ref in query.refs)


def _alter_table(alter: actions.AlterTable, text: str) -> Statement:
    keys = [action.draft for action in alter.actions if isinstance(action, actions.Add)]
    foreign = [key for key in keys if isinstance(key, ForeignDraft)]
    inline = [key for column in _columns(alter) for key in column.references]
    engines = [action.options.engine for action in alter.actions if isinstance(action, actions.Options)]
    is_innodb = all(_is_innodb(engine) for engine in engines)
    others = [action.table for action in alter.actions if isinstance(action, actions.Other) and action.table]
    return DefinitionStatement(
        text,
        "alter-table",
        (_ref(alter.table), *map(_ref, others)),
        conditional=alter.if_exists,
        cascades=_cascades([*foreign, *inline]),
        parents=_parents(foreign) if is_innodb else (),
        inline_parents=_parents(inline) if is_innodb else (),
        renames=tuple(
            (alter.table, action.to) for action in alter.actions if isinstance(action, actions.Rename)
        ),
        definition=alter,
    )


def _columns(alter: actions.AlterTable) -> Iterator[ColumnDraft]:
    for action in alter.actions:
        if isinstance(action, (actions.AddColumn, actions.ReplaceColumn)):
            yield action.draft


def _is_innodb(engine: str | None) -> bool:
    """Whether foreign keys are kept."""
    return engine is None or engine.upper() == "INNODB"


def _parents(keys: Iterable[ForeignDraft]) -> tuple[Name, ...]:
    return tuple((key.ref_database, key.ref_table) for key in keys)


def _cascades(keys: Iterable[ForeignDraft]) -> tuple[tuple[Name, frozenset[str]], ...]:
    """Parents whose DELETE or UPDATE reaches this table through a foreign key."""
    cascades = []
    for key in keys:
        given = (("delete", key.on_delete), ("update", key.on_update))
        events = frozenset(event for event, action in given if action.startswith(("CASCADE", "SET")))
        if events:
            cascades.append(((key.ref_database, key.ref_table), events))
    return tuple(cascades)


def _create_other(statement: tables.CreateOther, t: Tokens, text: str) -> Statement:
    make = partial(
        DefinitionStatement, text, f"{'alter' if statement.alters else 'create'}-{statement.kind.value}",
        conditional=statement.if_not_exists, or_replace=statement.or_replace, definition=statement,
    )  # fmt: skip
    refs = (_ref(statement.name),)
    if statement.query_at is None:
        return make(refs)
    query = dml.query(t, bisect_left(t.starts, statement.query_at), text)
    return make(
        (*refs, *_read(query)), query.calls, needs=query.needs, lookups=query.lookups, problems=query.problems
    )


def _trigger(t: Tokens, text: str, head: str, parse_inner: Parse) -> Statement:
    if head == "DROP":
        called, exists = program.dropped(t, "TRIGGER")
        return ProgramStatement(text, "drop-trigger", conditional=exists, name=called)
    result = program.trigger(t, t.text)
    first = t.at
    return ProgramStatement(
        text,
        "create-trigger",
        (_ref(result.table),),
        conditional=result.if_not_exists,
        needs=Needs(columns=_row_columns(t, first), sets=_rows_set(t, first)),
        name=result.name,
        event=",".join(trigger.event.lower() for trigger in result.triggers),
        body=body(t, first, parse_inner),
        or_replace=result.replaces,
        timing=result.triggers[0].timing,
        beside=result.beside,
    )


def _row_columns(t: Tokens, first: int) -> tuple[tuple[str, str], ...]:
    """The columns that a trigger's body names as NEW.x and OLD.x, unless those are names of its own."""
    words = t.words[first:]
    own = {after for before, after in pairwise(words) if before == "AS"}
    return tuple(
        (words[at].lower(), t.name_at(first + at + 2))
        for at in range(len(words) - 3)
        if words[at] in {"NEW", "OLD"} - own and words[at + 1] == "." and t.is_name(first + at + 2 - t.at)
    )


def _rows_set(t: Tokens, first: int) -> tuple[str, ...]:
    """The rows, `new` and `old`, of which a trigger's body sets a column."""
    pairs = pairwise(t.words[first:])
    return tuple(row.lower() for verb, row in pairs if verb == "SET" and row in ("NEW", "OLD"))


def _program(t: Tokens, text: str, verb: str, parse_inner: Parse) -> Statement:
    """A procedure, function or event: no table of its own; its body is kept for those who run it."""
    t.at = 1
    or_replace = t.words[1:3] == ["OR", "REPLACE"]
    _modifiers(t)
    t.at += 1
    conditional = t.take("IF", "NOT", "EXISTS") or t.take("IF", "EXISTS")
    called = name(t)
    inner: tuple[Statement, ...] = ()
    if verb in ("create-procedure", "create-function") and t.peek() == "(":
        t.skip_parentheses()
        inner = body(t, t.at, parse_inner, skip_characteristics=True)
    if verb == "create-function" and t.peek() == "RETURNS" and "SONAME" in t.words:
        verb = "create-udf"
    renamed = None
    if verb == "alter-event" and "RENAME" in t.words[t.at :]:
        t.at += t.words[t.at :].index("RENAME")
        renamed = name(t) if t.take("RENAME", "TO") else None
    return ProgramStatement(
        text, verb, conditional=conditional, name=called, body=inner, or_replace=or_replace, new_name=renamed
    )


def _modifiers(t: Tokens) -> None:
    """Go over what comes between CREATE and the thing: DEFINER=..., ALGORITHM=..., and words."""
    while not t.end:
        if t.take("DEFINER"):
            t.at += 2  # = and the account
            if t.take("(", ")"):
                continue
            while t.take("@"):
                t.at += 1
                while t.peek() == ".":
                    t.at += 2
        elif t.take("ALGORITHM"):
            t.at += 2
        elif t.take("SECURITY"):
            t.at += 1
        elif t.take_any(*_BEFORE) is None:
            break
