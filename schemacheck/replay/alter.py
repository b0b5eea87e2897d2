"""The statements that turn one definition into another, each read back to be sure."""

from __future__ import annotations

import enum
from collections.abc import Iterator

from schemacheck.dataclass import dataclass, replace
from schemacheck.knowledge import characters
from schemacheck.model import Column, Key, Schema, Server, Table, TableKind
from schemacheck.model.definition_sql import table_name
from schemacheck.model.quote import quoted
from schemacheck.replay import clauses, partition

#: A type that MODIFY leaves out of a table whose definition came without its text (rows): what else its
#: columns say is not known.
_TAKES_AWAY = ("MODIFY COLUMN", "CREATE TABLE")


def bare(table: Table | None) -> tuple[Table, str | None] | None:
    """What a change of the table itself changes: everything but keys of others that point at it."""
    return None if table is None else (replace(table, incoming=()), table.partitioning)


class Phase(enum.IntEnum):
    """When a statement of one table runs among those of the others."""

    FREE = 0
    CHANGE = 1
    BIND = 2


@dataclass(frozen=True, slots=True)
class Step:
    """One statement on the way. `before` and `after` are the table around it, `session` the SET statements
    that it needs, `note` why each server has to run it at the same point of the log, and what goes with it.
    """

    sql: str
    before: Table | None
    after: Table
    phase: Phase = Phase.CHANGE
    session: tuple[str, ...] = ()
    note: str = ""


def whole(table: Table | None) -> object:
    """Everything that a definition says, what replication does not see included; for comparing."""
    if table is None:
        return None
    scheme = partition.scheme(table) if table.partitioning else None
    return (
        bare(replace(table, partitioning=None)),
        tuple(c.attributes for c in table.columns),
        frozenset((k.name.casefold(), k.visible, clauses.told(k)) for k in table.keys),
        clauses.options(table),
        table.row_format,
        scheme or table.partitioning,
        table.query,
    )


def changes(old: Table | None, new: Table | None) -> bool:
    """Whether anything of a definition changes. Of a table that came without its text (rows) only what
    replication sees is known."""
    if old is new:
        return False
    if old is not None and new is not None and (old.text is None or new.text is None):
        return bare(old) != bare(_told_as(new, old))
    return whole(old) != whole(new)


def alter_table(old: Table, new: Table, server: Server) -> str | None:
    """The ALTERs that make `new` of `old` on this server, one text; '' where nothing differs, None where they
    could not be written so that reading them back gives `new`."""
    steps = alter_steps(old, new, server)
    return None if steps is None else ";\n".join(sql for s in steps for sql in (*s.session, s.sql))


def alter_steps(
    old: Table, new: Table, server: Server, again: frozenset[str] = frozenset(), *, ordered: bool = False
) -> tuple[Step, ...] | None:
    """The ALTERs (without delimiter) that make `new` of `old` on this server, in order; empty where nothing
    differs, None where they could not be written so that reading them back gives `new`. `again` names foreign
    keys that must go in between, for what they bind changes; `ordered`: keys come in their order.

    A foreign key that changes goes in an ALTER before and comes in one behind: no server drops and adds one
    name in one statement (asked of MySQL 5.6 and 9.7, MariaDB 10.11 and 11.8). Partitions are a statement of
    their own.
    """
    if new.kind is not TableKind.TABLE or old.kind is not TableKind.TABLE:
        return None
    old = _told_as(old, new)
    wanted = _told_as(new, old) if new.text is None else new
    out: list[Step] = []
    now = old
    for there in _between(old, wanted, again):
        if whole(there) == whole(now):
            continue
        made = _step(now, there, server, ordered=ordered)
        if made is None or (new.text is None and any(word in made.sql for word in _TAKES_AWAY)):
            return None
        out.append(made)
        now = there
    return tuple(out)


def _between(old: Table, new: Table, again: frozenset[str]) -> Iterator[Table]:
    """The definitions on the way, the last one included."""
    staying = tuple(f for f in old.foreign_keys if f in new.foreign_keys and f.name not in again)
    now = replace(old, foreign_keys=staying)
    yield now
    changed = replace(new, foreign_keys=staying)
    cut = partition.same(old, new)
    body = partition.cut(changed, old)
    if not cut and old.partitioning and (not new.partitioning or bare(body) != bare(now)):
        now = replace(now, partitioning=None, partition_sql=None)
        yield now
        body = partition.cut(changed, now)
    yield body
    yield changed
    yield new


def _step(now: Table, there: Table, server: Server, *, ordered: bool) -> Step | None:
    """The one statement between two neighbours."""
    if now.foreign_keys != there.foreign_keys:
        return _bound(now, there, server)
    if not partition.same(now, there):
        sql, note = partition.change(now, there)
        return Step(sql, now, there, note=note)
    parts = clauses.main(now, there, server, ordered=ordered)
    if not parts:
        return None
    return _read_back(_statement(now, parts), now, there, server)


#: An ALTER TABLE of more letters is written in lines.
_LINE = 100


def _statement(table: Table, parts: list[str]) -> str:
    """An ALTER TABLE; a long one has a line for every part."""
    sql = f"ALTER TABLE {table_name(table)} {', '.join(parts)}"
    return sql if len(sql) <= _LINE else f"ALTER TABLE {table_name(table)}\n  " + ",\n  ".join(parts)


def _bound(now: Table, there: Table, server: Server) -> Step | None:
    gone = [f for f in now.foreign_keys if f not in there.foreign_keys]
    come = [f for f in there.foreign_keys if f not in now.foreign_keys]
    if any(not f.name for f in gone):
        return None
    parts = [f"DROP FOREIGN KEY {quoted(f.name)}" for f in gone]
    parts += [f"ADD {clauses.foreign_sql(f, now.database)}" for f in come]
    made = _read_back(_statement(now, parts), now, there, server)
    return made and replace(made, phase=Phase.BIND if come else Phase.FREE)


def _read_back(sql: str, now: Table, there: Table, server: Server) -> Step | None:
    """The statement under the first sql_mode in which it makes what it is to make."""
    for under, session in _sessions(server):
        made = run(sql, now, under)
        if made is not None and whole(_as(made, there)) == whole(there):
            return Step(sql, now, there, session=session)
    return None


def _as(made: Table, there: Table) -> Table:
    """What a statement made, with what it cannot change of itself."""
    return replace(partition.cut(made, there), database=there.database, query=there.query)


#: sql_modes in which definitions are taken that the server's own refuses: zero dates as defaults (1067), and
#: what strict mode refuses.
_ZERO = frozenset(("NO_ZERO_DATE", "NO_ZERO_IN_DATE", "TRADITIONAL"))
_STRICT = _ZERO | {"STRICT_TRANS_TABLES", "STRICT_ALL_TABLES"}


def _sessions(server: Server) -> Iterator[tuple[Server, tuple[str, ...]]]:
    """The server's own sql_mode, then others, each with the SET that makes it."""
    yield server, ()
    given = server.setting("sql_mode").split(",")
    words = [word for text in given if (word := characters.strip(text).upper())]
    for without in (_ZERO, _STRICT):
        mode = ",".join(w for w in words if w not in without)
        if mode != ",".join(words):
            yield server.with_told({"sql_mode": mode}), (f"SET SESSION sql_mode = '{mode}'",)


def _told_as(table: Table, other: Table) -> Table:
    """A table that came without its text, with what else the other one says of the same columns and keys."""
    if table.text is not None or other is table:
        return table

    def column(column: Column) -> Column:
        same = other.column(column.name)
        return replace(column, attributes=same.attributes) if same else column

    def key(key: Key) -> Key:
        same = next((k for k in other.keys if k.name == key.name), None)
        return replace(key, attributes=same.attributes) if same else key

    return replace(
        partition.cut(table, other),
        columns=tuple(map(column, table.columns)),
        keys=tuple(map(key, table.keys)),
        options=other.options,
        row_format=other.row_format,
    )


def create_steps(new: Table, server: Server) -> tuple[Step, ...] | None:
    """What makes a new table: its CREATE as it was written and, where later statements added to it (keys of a
    dump that come by ALTER), the ALTERs that do the same; None where that could not be written."""
    text = characters.strip(new.text or "").rstrip(";")
    for under, session in _sessions(server) if text else ():
        made = run(text, None, under, database=new.database, name=new.name)
        if made is None:
            continue
        if made.kind is not TableKind.TABLE:
            return (Step(text, None, new, session=session),)
        made = replace(made, database=new.database)
        more = alter_steps(made, new, server)
        if more is not None:
            return (Step(text, None, made, session=session), *more)
    return None


def create_statements(new: Table, server: Server) -> tuple[str, ...] | None:
    """The statements of `create_steps`; None too where one needs another sql_mode than the server's."""
    steps = create_steps(new, server)
    return None if steps is None or any(s.session for s in steps) else tuple(s.sql for s in steps)


def run(
    sql: str, table: Table | None, server: Server, *, database: str | None = None, name: str = ""
) -> Table | None:
    """The table after a statement, or None where the statement is not understood. `table` is what the
    statement alters; where it makes one, `database` and `name` say which.
    """
    from schemacheck import catalog
    from schemacheck.catalog import asked

    base = Schema(() if table is None else (replace(table, incoming=()),))
    database, name = (database, name) if table is None else (table.database, table.name)
    with asked.aside():
        schema = catalog.read(sql, server, base=base, database=database)
    if any(not p.skipped for p in schema.problems):
        return None
    return next((t for t in schema.tables if t.name == name), None)


def drop(table: Table) -> str:
    """DROP TABLE, VIEW or SEQUENCE."""
    return f"DROP {table.kind.name} {table_name(table)}"
