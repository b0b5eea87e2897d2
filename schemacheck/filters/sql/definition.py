"""Data definition statements: tables, views, triggers, stored programs, databases."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from schemacheck.filters.sql import dml
from schemacheck.filters.sql.lexer import Cursor
from schemacheck.filters.sql.program import body
from schemacheck.filters.sql.statement import Name, Needs, Ref, Statement

_THINGS = {
    "TABLE": "table", "TABLES": "table", "VIEW": "view", "TRIGGER": "trigger", "PROCEDURE": "procedure", "FUNCTION": "function", "EVENT": "event",
    "DATABASE": "database", "SCHEMA": "database", "INDEX": "index", "SEQUENCE": "sequence", "PACKAGE": "package", "SERVER": "server", "TABLESPACE": "tablespace",
}  # fmt: skip
_NOT_COLUMNS = {
    "PRIMARY",
    "KEY",
    "INDEX",
    "UNIQUE",
    "CONSTRAINT",
    "FOREIGN",
    "CHECK",
    "FULLTEXT",
    "SPATIAL",
    "PERIOD",
    "VECTOR",
}
_BEFORE = {
    "OR", "REPLACE", "TEMPORARY", "ONLINE", "OFFLINE", "IGNORE", "UNIQUE", "FULLTEXT", "SPATIAL", "VECTOR", "AGGREGATE", "SQL", "SECURITY", "ALGORITHM",
}  # fmt: skip


def analyse(cursor: Cursor) -> Statement | None:
    """A definition statement, or None where it is none (accounts)."""
    text, head = cursor.text, cursor.peek()
    cursor.at = 1
    if head == "TRUNCATE":
        cursor.take("TABLE")
        return _listed(cursor, "truncate")
    if head == "RENAME":
        return _rename(cursor) if cursor.take("TABLE") or cursor.take("TABLES") else None
    seen = _prefix(cursor)
    thing = _THINGS.get(cursor.peek())
    if cursor.peek() in ("PREPARE", "RESOURCE"):
        return Statement(text, "not-logged")
    if thing is None:
        return (
            None
            if cursor.peek() in ("USER", "ROLE")
            else Statement(text, "unknown", problems=(f"not a statement known here: {text[:60]!r}",))
        )
    cursor.at += 1
    conditional = cursor.take("IF", "NOT", "EXISTS") or cursor.take("IF", "EXISTS")
    verb = f"{head.lower()}-{thing}"
    temporary = "TEMPORARY" in seen
    if thing == "database":
        name = (
            cursor.name()
            if cursor.peek()
            not in ("CHARACTER", "CHARSET", "COLLATE", "DEFAULT", "ENCRYPTION", "READ", "COMMENT")
            else None
        )
        return Statement(text, verb, database=name[1] if name else None, conditional=conditional)
    if thing == "table":
        if head == "CREATE":
            made = _create_table(cursor, conditional=conditional, temporary=temporary)
            return replace(made, argument="or replace") if "REPLACE" in seen else made
        if head == "ALTER":
            return _alter_table(cursor, conditional=conditional)
        return _listed(cursor, verb, conditional=conditional, temporary=temporary)
    if thing == "view" and head != "DROP":
        viewed = _view(cursor, verb, conditional=conditional)
        return replace(viewed, argument="or replace") if "REPLACE" in seen else viewed
    if thing == "index":
        cursor.find("ON")
        return _listed(cursor, verb)
    if thing == "trigger":
        return _trigger(cursor, verb, conditional=conditional)
    if thing in ("view", "sequence"):
        listed = _listed(cursor, verb, conditional=conditional, temporary=temporary)
        return replace(listed, argument="or replace") if "REPLACE" in seen else listed
    return _program(cursor, verb, conditional=conditional)


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


def _listed(cursor: Cursor, verb: str, *, conditional: bool = False, temporary: bool = False) -> Statement:
    """A statement that lists tables, all of which it updates."""
    names = cursor.names()
    problems = () if names else (f"no table is named in {cursor.text[:60]!r}",)
    refs = tuple(Ref(d, n, updated=True) for d, n in names)
    return Statement(
        cursor.text,
        verb if names else "unknown",
        refs,
        conditional=conditional,
        temporary=temporary,
        problems=problems,
    )


def _rename(cursor: Cursor) -> Statement:
    """RENAME TABLE a TO b, c TO d: old and new names, in this order."""
    pairs: list[tuple[Name, Name]] = []
    conditional = cursor.take("IF", "EXISTS")
    while (old := cursor.name()) is not None:
        cursor.find("TO")
        new = cursor.name()
        if new is None:
            break
        pairs.append((old, new))
        if not cursor.take(","):
            break
    refs = tuple(Ref(*name, updated=True) for pair in pairs for name in pair)
    return Statement(cursor.text, "rename-table", refs, conditional=conditional, renames=tuple(pairs))


def _create_table(cursor: Cursor, *, conditional: bool, temporary: bool) -> Statement:
    name = cursor.name()
    text = cursor.text
    if name is None:
        return Statement(text, "unknown", problems=(f"no table is named in {text[:60]!r}",))
    target = Ref(*name, updated=True)
    if cursor.take("LIKE") or cursor.take("(", "LIKE"):
        model = cursor.name()
        refs = (target, Ref(*model, updated=False)) if model else (target,)
        return Statement(text, "create-table-like", refs, conditional=conditional, temporary=temporary)
    cascades = _cascades(cursor)
    for position in range(cursor.at, len(cursor.items)):
        if cursor.items[position].upper == "SELECT":
            query = dml.analyse(text[cursor.items[position].start :].rstrip(")"))
            return Statement(
                text,
                "create-table-select",
                (target, *(Ref(r.database, r.name, updated=False) for r in query.refs)),
                calls=query.calls,
                conditional=conditional,
                temporary=temporary,
                cascades=cascades,
                unsafe=query.unsafe,
                needs=query.needs,
                problems=query.problems,
            )
    columns = _columns(cursor)
    parents, inline = _parents(cursor)
    return Statement(
        text,
        "create-table",
        (target,),
        conditional=conditional,
        temporary=temporary,
        cascades=cascades,
        parents=parents,
        inline_parents=inline,
        columns=columns,
    )


def _columns(cursor: Cursor) -> tuple[str, ...]:
    """The column names of a column list that starts here."""
    if cursor.peek() != "(":
        return ()
    found, depth, start = [], 0, False
    for token in cursor.items[cursor.at :]:
        if start and depth == 1 and token.name and token.upper not in _NOT_COLUMNS:
            found.append(token.name)
        start = (token.text == "(" and depth == 0) or (token.text == "," and depth == 1)
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            break
    return tuple(found)


def _alter_table(cursor: Cursor, *, conditional: bool) -> Statement:
    text = cursor.text
    name = cursor.name()
    if name is None:
        return Statement(text, "unknown", problems=(f"no table is named in {text[:60]!r}",))
    refs = [Ref(*name, updated=True)]
    cascades = _cascades(cursor)
    renames = []
    start = cursor.at
    while cursor.find("RENAME"):
        if cursor.peek() in ("COLUMN", "INDEX", "KEY"):
            continue
        cursor.skip("TO", "AS")
        new = cursor.name()
        if new:
            renames.append((name, new))
    cursor.at = start
    if cursor.find("EXCHANGE") and cursor.find("TABLE"):
        other = cursor.name()
        if other:
            refs.append(Ref(*other, updated=True))
    cursor.at = start
    parents, inline = _parents(cursor)
    return Statement(
        text,
        "alter-table",
        tuple(refs),
        conditional=conditional,
        cascades=cascades,
        parents=parents,
        inline_parents=inline,
        renames=tuple(renames),
    )


def _parents(cursor: Cursor) -> tuple[tuple[Name, ...], tuple[Name, ...]]:
    """The tables that foreign keys refer to, and those that columns refer to; none where the engine named has no foreign keys."""
    start, words = cursor.at, [token.upper for token in cursor.items]
    engine = next(
        (words[i + 1 + (words[i + 1] == "=")] for i in range(start, len(words) - 2) if words[i] == "ENGINE"),
        "INNODB",
    )
    found: dict[bool, list[Name]] = {True: [], False: []}
    foreign = False
    for position in range(start, len(words)):
        foreign |= words[position] == "FOREIGN"
        if words[position] == "REFERENCES":
            cursor.at = position + 1
            parent = cursor.name()
            if parent and engine == "INNODB":
                found[foreign].append(parent)
            foreign = False
    cursor.at = start
    return tuple(found[True]), tuple(found[False])


def _cascades(cursor: Cursor) -> tuple[tuple[Name, frozenset[str]], ...]:
    """Parents whose DELETE or UPDATE reaches this table through a foreign key."""
    start, found = cursor.at, []
    words = [token.upper for token in cursor.items]
    for position in range(start, len(words)):
        if words[position] == "REFERENCES":
            cursor.at = position + 1
            parent = cursor.name()
            tail = words[cursor.at : cursor.at + 40]
            events = set()
            for i in range(len(tail) - 2):
                if tail[i] in ("REFERENCES", "CONSTRAINT"):
                    break
                if (
                    tail[i] == "ON"
                    and tail[i + 1] in ("DELETE", "UPDATE")
                    and tail[i + 2] in ("CASCADE", "SET")
                ):
                    events.add(tail[i + 1].lower())
            if parent and events:
                found.append((parent, frozenset(events)))
    cursor.at = start
    return tuple(found)


def _view(cursor: Cursor, verb: str, *, conditional: bool) -> Statement:
    name = cursor.name()
    text = cursor.text
    if name is None:
        return Statement(text, "unknown", problems=(f"no view is named in {text[:60]!r}",))
    cursor.find("AS")
    query = dml.analyse(cursor.rest())
    refs = (Ref(*name, updated=True), *(Ref(r.database, r.name, updated=False) for r in query.refs))
    return Statement(
        text,
        verb,
        refs,
        calls=query.calls,
        conditional=conditional,
        needs=query.needs,
        problems=query.problems,
    )


def _trigger(cursor: Cursor, verb: str, *, conditional: bool) -> Statement:
    text = cursor.text
    name = cursor.name()
    if name is None:
        return Statement(text, "unknown", problems=(f"no trigger is named in {text[:60]!r}",))
    if verb == "drop-trigger":
        return Statement(text, verb, calls=(name,), conditional=conditional)
    cursor.skip("BEFORE", "AFTER")
    event = cursor.peek().lower()
    cursor.find("ON")
    table = cursor.name()
    if table is None or not cursor.find("ROW"):
        return Statement(text, "unknown", problems=(f"no trigger that is understood: {text[:60]!r}",))
    if cursor.skip("FOLLOWS", "PRECEDES"):
        cursor.name()
    needs = Needs(columns=_row_columns(cursor))
    return Statement(
        text,
        verb,
        (Ref(*table, updated=True),),
        calls=(name,),
        event=event,
        body=body(cursor.rest()),
        conditional=conditional,
        needs=needs,
    )


def _row_columns(cursor: Cursor) -> tuple[tuple[str, str], ...]:
    """The columns that a trigger's body names as NEW.x and OLD.x, unless NEW or OLD is a name of its own there."""
    items = cursor.items[cursor.at :]
    own = {b.upper for a, b in pairwise(items) if a.upper == "AS"}
    return tuple(
        (row.upper.lower(), column.name)
        for row, dot, column in zip(items, items[1:], items[2:], strict=False)
        if row.upper in {"NEW", "OLD"} - own and dot.text == "." and column.name
    )


def _program(cursor: Cursor, verb: str, *, conditional: bool) -> Statement:
    """A procedure, function or event: no table of its own; its body is kept for those who run it."""
    name = cursor.name()
    text = cursor.text
    inner: tuple[Statement, ...] = ()
    if verb in ("create-procedure", "create-function") and cursor.peek() == "(":
        cursor.find(")")
        inner = body(cursor.rest(), skip_characteristics=True)
    if (
        verb == "create-function"
        and cursor.peek() == "RETURNS"
        and any(t.upper == "SONAME" for t in cursor.items)
    ):
        verb = "create-udf"
    return Statement(text, verb, calls=(name,) if name else (), body=inner, conditional=conditional)
