"""The statements that turn one definition into another, read back to be sure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from schemacheck.model import Check, Column, ForeignKey, Key, KeyKind, Schema, Server, Table
from schemacheck.model.definition_sql import column_sql, table_name
from schemacheck.model.quote import quoted
from schemacheck.model.table import DEFAULT_NULL
from schemacheck.plan.decide import bare
from schemacheck.sql import characters


def definition(column: Column) -> str:
    """A column's whole definition, ON UPDATE included."""
    text = column_sql(column)
    if column.on_update:
        text += " ON UPDATE CURRENT_TIMESTAMP" + (f"({column.type.fraction})" if column.type.fraction else "")
    return text


class _Owned(dict[str, Check]):
    """Column (folded) -> its own CHECK. MariaDB names it like the column and writes it in the column's
    definition: MODIFY COLUMN without it drops it. MySQL's belong to the table."""

    @classmethod
    def of(cls, table: Table, server: Server) -> _Owned:
        """The CHECKs of a table's columns."""
        names = {c.name.casefold() for c in table.columns} if server.mariadb else set()
        return cls({c.name.casefold(): c for c in table.checks if c.name.casefold() in names})

    def clause(self, column: Column) -> str:
        """What follows the column's definition."""
        own = self.get(column.name.casefold())
        return f" CHECK ({own.expression})" if own else ""


def alter_table(old: Table, new: Table, server: Server) -> str | None:
    """One ALTER TABLE (without delimiter) that makes `new` of `old` on this server; '' where nothing
    differs, None where it could not be written so that reading it back gives `new`."""
    if bare(old) == bare(new):
        return ""
    before, after = _Owned.of(old, server), _Owned.of(new, server)
    parts = [
        *_drops(old, new, before),
        *_columns(old, new, before, after),
        *_adds(old, new, after),
        *_options(old, new),
    ]
    if not parts:
        return None
    sql = f"ALTER TABLE {table_name(old)} " + ", ".join(parts)
    if new.partitioning != old.partitioning and new.partitioning:
        sql += f" PARTITION BY {new.partitioning}"
    made = run(sql, old, server)
    if made is None:
        return None
    made = replace(made, partitioning=new.partitioning)
    return sql if bare(made) == bare(replace(new, database=made.database)) else None


def alter_statements(old: Table, new: Table, server: Server) -> tuple[str, ...] | None:
    """The ALTERs (without delimiter) that make `new` of `old` on this server, in order; empty where nothing
    differs, None where they could not be written so that reading them back gives `new`.

    A foreign key that changes under its own name goes in an ALTER before: no server drops and adds one name
    in one statement (asked of MySQL 5.6 and 9.7, MariaDB 10.11 and 11.8)."""
    names = {one.name for one in new.foreign_keys if one not in old.foreign_keys}
    staying = tuple(o for o in old.foreign_keys if o in new.foreign_keys or o.name not in names)
    between = replace(old, foreign_keys=staying)
    out: list[str] = []
    for here, there in ((old, between), (between, new)):
        sql = alter_table(here, there, server)
        if sql is None:
            return None
        out += [sql] if sql else []
    return tuple(out)


def create_statements(new: Table, server: Server) -> tuple[str, ...] | None:
    """What makes a new table: its CREATE as it was written and, where later statements added to it (keys of a
    dump that come by ALTER), the ALTERs that do the same; None where that could not be written."""
    text = characters.strip(new.text or "").rstrip(";")
    made = run(text, None, server, database=new.database, name=new.name) if text else None
    if made is None:
        return None
    more = alter_statements(made, replace(new, database=made.database), server)
    return None if more is None else (text, *more)


def run(
    sql: str, table: Table | None, server: Server, *, database: str | None = None, name: str = ""
) -> Table | None:
    """The table after a statement, or None where the statement is not understood. `table` is what the
    statement alters; where it makes one, `database` and `name` say which.
    """
    from schemacheck import catalog

    base = Schema(() if table is None else (replace(table, incoming=()),))
    database, name = (database, name) if table is None else (table.database, table.name)
    schema = catalog.read(sql, server, base=base, database=database)
    if any(not p.skipped for p in schema.problems):
        return None
    return next((t for t in schema.tables if t.name == name), None)


def drop_table(table: Table) -> str:
    """DROP TABLE."""
    return f"DROP TABLE {table_name(table)}"


def _drops(old: Table, new: Table, owned: _Owned) -> Iterator[str]:
    for one in old.foreign_keys:
        if one not in new.foreign_keys and one.name:
            yield f"DROP FOREIGN KEY {quoted(one.name)}"
    for check in old.checks:
        if check not in new.checks and check.name and check not in owned.values():
            yield f"DROP CONSTRAINT {quoted(check.name)}"
    for key in old.keys:
        if key not in new.keys:
            yield "DROP PRIMARY KEY" if key.kind is KeyKind.PRIMARY else f"DROP INDEX {quoted(key.name)}"


def _columns(old: Table, new: Table, owned: _Owned, owning: _Owned) -> Iterator[str]:
    old, new = _named(old), _named(new)
    names = {c.name.casefold() for c in new.columns}
    kept = [c.name.casefold() for c in old.columns if c.name.casefold() in names]
    for column in old.columns:
        if column.name.casefold() not in names:
            yield f"DROP COLUMN {quoted(column.name)}"
    standing = list(kept)
    for index, column in enumerate(new.columns):
        name = column.name.casefold()
        place = " FIRST" if index == 0 else f" AFTER {quoted(new.columns[index - 1].name)}"
        before = old.column(column.name)
        if before is None:
            last = index == len(standing)
            standing.insert(index, name)
            yield f"ADD COLUMN {definition(column)}{owning.clause(column)}{'' if last else place}"
            continue
        stays = standing.index(name) == index
        if not stays:
            standing.remove(name)
            standing.insert(index, name)
        if before != column or not stays or owned.get(name) != owning.get(name):
            yield f"MODIFY COLUMN {definition(column)}{owning.clause(column)}{'' if stays else place}"


def _named(table: Table) -> Table:
    """The table without columns that the server adds by itself: no statement can name them."""
    from schemacheck.catalog.drafts import is_hidden

    named = tuple(c for c in table.columns if not is_hidden(c, table))
    return table if len(named) == len(table.columns) else replace(table, columns=named)


def _adds(old: Table, new: Table, owned: _Owned) -> Iterator[str]:
    for key in new.keys:
        if key not in old.keys:
            yield f"ADD {key_sql(key)}"
    for check in new.checks:
        if check not in old.checks and check not in owned.values():
            yield (
                "ADD "
                + (f"CONSTRAINT {quoted(check.name)} " if check.name else "")
                + f"CHECK ({check.expression})"
                + ("" if check.enforced else " NOT ENFORCED")
            )
    for one in new.foreign_keys:
        if one not in old.foreign_keys:
            yield f"ADD {_foreign(one)}"


def key_sql(key: Key) -> str:
    """A key as ADD takes it."""
    parts = ", ".join(
        (
            f"({p.expression})"
            if p.column is None
            else quoted(p.column) + (f"({p.length})" if p.length else "")
        )
        + (" DESC" if p.descending else "")
        for p in key.parts
    )
    word = {
        KeyKind.PRIMARY: "PRIMARY KEY",
        KeyKind.UNIQUE: "UNIQUE INDEX",
        KeyKind.INDEX: "INDEX",
        KeyKind.FULLTEXT: "FULLTEXT INDEX",
        KeyKind.SPATIAL: "SPATIAL INDEX",
        KeyKind.VECTOR: "VECTOR INDEX",
    }[key.kind]
    name = "" if key.kind is KeyKind.PRIMARY or not key.name else f" {quoted(key.name)}"
    return f"{word}{name} ({parts})" + ("" if key.visible else " INVISIBLE")


def _foreign(one: ForeignKey) -> str:
    target = ".".join(quoted(p) for p in (one.ref_database, one.ref_table) if p)
    actions = "".join(
        f" ON {what} {action}"
        for what, action in (("DELETE", one.on_delete), ("UPDATE", one.on_update))
        if action != "RESTRICT"
    )
    named = f"CONSTRAINT {quoted(one.name)} " if one.name else ""
    return (
        f"{named}FOREIGN KEY ({', '.join(map(quoted, one.columns))}) REFERENCES {target} "
        f"({', '.join(map(quoted, one.ref_columns))}){actions}"
    )


def _options(old: Table, new: Table) -> Iterator[str]:
    if old.engine != new.engine and new.engine:
        yield f"ENGINE={new.engine}"
    if (old.charset, old.collation) != (new.charset, new.collation) and new.charset:
        yield f"DEFAULT CHARACTER SET {new.charset}" + (f" COLLATE {new.collation}" if new.collation else "")
    if old.partitioning and not new.partitioning:
        yield "REMOVE PARTITIONING"


def plain(column: Column) -> Column:
    """The column without a default of its own moment: nullable, DEFAULT NULL."""
    return replace(column, nullable=True, default=DEFAULT_NULL, on_update=False)
