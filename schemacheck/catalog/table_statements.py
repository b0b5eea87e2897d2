"""Statements about tables that are there: DROP, RENAME, ALTER, indexes; and about databases."""

from __future__ import annotations

from collections.abc import Callable

from schemacheck.catalog import alter, assemble, name_rules, online, referring
from schemacheck.catalog.change import Changed
from schemacheck.catalog.changing import to_draft
from schemacheck.catalog.charsets import resolve
from schemacheck.catalog.context import Context
from schemacheck.catalog.state import Catalog, server_charset
from schemacheck.dataclass import replace
from schemacheck.model.partitioning import UNKNOWN
from schemacheck.model.program import Made
from schemacheck.model.sequence import columns as sequence_columns
from schemacheck.model.table import Column, DefaultKind, Table, TableKind
from schemacheck.sql.client import Statement
from schemacheck.sql.ddl.actions import AlterTable, Other
from schemacheck.sql.ddl.tables import (
    CreateIndex,
    CreateOther,
    DefineDatabase,
    DropDatabase,
    DropIndex,
    DropTables,
    RenameTables,
    Truncate,
)
from schemacheck.sql.lexer import Refused, unasked
from schemacheck.sql.words import Name

_SWITCHES = (("DISABLE", "KEYS"), ("ENABLE", "KEYS"))


def drop(catalog: Catalog, definition: DropTables, statement: Statement) -> None:
    """DROP TABLE, VIEW, SEQUENCE."""
    names = [(at, (database or catalog.database, name)) for at, (database, name) in definition.names]
    once: set[Name] = set()
    for at, table_name in names:
        if catalog.key(*table_name) in once:
            raise unasked(f"{table_name[1]!r} twice", at)
        once.add(catalog.key(*table_name))
    if definition.kind is TableKind.TABLE and not definition.temporary and _needed(catalog, names, statement):
        return
    wrong = {
        name: _no_such(catalog, name, definition.kind, temporary=definition.temporary) for _, name in names
    }
    refused = not definition.if_exists and any(wrong.values())
    for at, table_name in names:
        key = catalog.key(*table_name)
        if not wrong[table_name] and refused:
            # Before MySQL 8.0 and on MariaDB it goes, then it stays (recorded).
            why = f"{table_name[1]!r} is dropped with a name that is not there: the server refuses"
            catalog.fail(Refused(why, at, 1051, name=table_name[1]), statement, table_name)
        elif wrong[table_name] and not definition.if_exists:
            why = f"{definition.kind.value} {table_name[1]!r} to drop {wrong[table_name]}"
            catalog.problem(
                Refused(why, at, 1051, name=table_name[1]),
                statement,
                table_name if key in catalog.tables else None,
            )
        elif definition.kind is TableKind.TABLE and key in catalog.temporary:
            # It hides the table of its name.
            catalog.temporary.discard(key)
        elif not wrong[table_name]:
            catalog.tables.pop(key, None)
            catalog.failed.discard(key)


def _needed(catalog: Catalog, names: list[tuple[int, Name]], statement: Statement) -> bool:
    """Whether another table refers to one of those that go: then the server refuses."""
    places = {catalog.key(*name): (at, name) for at, name in names}
    there = [key for key in places if key in catalog.tables and key not in catalog.temporary]
    references = {key: catalog.references(key) for key in there}
    result = referring.dropped(there, references, catalog.key, catalog.server)
    if result is None:
        return False
    key, by, number = result
    at, table_name = places[key]
    why = f"table {table_name[1]!r} is referred to by foreign key {by.key.name!r} of {by.child.name}"
    catalog.problem(
        Refused(why, at, number, name=table_name[1], words=by.words(table_name[1])), statement, table_name
    )
    return True


def _no_such(catalog: Catalog, name: Name, kind: TableKind, *, temporary: bool) -> str:
    """Why DROP does not find what it means; '' where it does."""
    key = catalog.key(*name)
    table = catalog.tables.get(key)
    if key in catalog.temporary and kind is TableKind.TABLE:
        return ""
    if temporary or (table is None and key not in catalog.failed):
        return "is not known"
    if table is None or table.kind is kind or (table.kind, kind) == (TableKind.SEQUENCE, TableKind.TABLE):
        return ""
    return f"is a {table.kind.value}"


def drop_database(catalog: Catalog, definition: DropDatabase, _: Statement) -> None:
    """DROP DATABASE: its tables and programs go with it. Raises Refused where a table of another database
    refers to one of them (`row_drop_table_for_mysql`, `dict_tables_have_same_db`).
    """
    name = catalog.key(definition.name, "")[0]
    gone = [key for key in catalog.tables if key[0] == name]
    references = {
        key: [
            reference
            for reference in catalog.references(key)
            if catalog.key(reference.child.database, "")[0] != name
        ]
        for key in gone
    }
    result = referring.dropped(gone, references, catalog.key, catalog.server)
    if result is not None:
        key, by, number = result
        # Before MySQL 8.0 the tables before it are gone.
        catalog.failed.update(gone)
        for table_name in gone:
            del catalog.tables[table_name]
        why = f"table {key[1]!r} is referred to by foreign key {by.key.name!r} of {by.child.name}"
        raise Refused(why, 0, number, name=key[1], words=by.words(key[1]))
    for key in gone:
        del catalog.tables[key]
    catalog.temporary = {key for key in catalog.temporary if key[0] != name}
    catalog.databases.pop(name or "", None)
    catalog.named_charsets.pop(name or "", None)
    catalog.events = {key: event for key, event in catalog.events.items() if key[0] != name}
    catalog.routines = {key: routine for key, routine in catalog.routines.items() if key[1][0] != name}


def define_database(catalog: Catalog, definition: DefineDatabase, statement: Statement) -> None:
    """CREATE and ALTER DATABASE: the character set of its new tables. OR REPLACE drops it first."""
    if definition.or_replace and definition.name is not None:
        drop_database(catalog, DropDatabase(definition.name), statement)
    name = catalog.key(definition.name if definition.name is not None else catalog.database, "")[0]
    if definition.if_not_exists and name in catalog.databases:
        return
    inherited = server_charset(catalog.server) if definition.creates else catalog.charset(name)
    given = definition.options
    charset, collation = resolve(given.charset, given.collation, inherited, catalog.server, 0)
    pair = (charset or "", collation or "")
    begun = definition.creates or name in catalog.databases or catalog.database is not None
    if name is not None and not begun and pair != catalog.charset(None):
        catalog.databases[""] = ("?", name)  # the script may run in it
    catalog.databases[name or ""] = pair
    if name is not None and (given.charset or given.collation):
        catalog.named_charsets[name] = pair
    elif name is not None and definition.creates:
        catalog.named_charsets.pop(name, None)


def rename(catalog: Catalog, rename_tables: RenameTables, statement: Statement) -> None:
    """RENAME TABLE."""
    for old, new, at in rename_tables.pairs:
        key = catalog.key(old[0] or catalog.database, old[1])
        if rename_tables.if_exists and not (
            key in catalog.tables or key in catalog.failed or key in catalog.temporary
        ):
            continue
        if key == catalog.key(new[0] or catalog.database, new[1]):
            raise Refused(f"table {new[1]!r} exists", at, 1050, name=new[1])
        if catalog.server.mariadb and key in catalog.temporary:
            # MySQL renames the table that the temporary one hides (recorded).
            catalog.temporary.discard(key)
            catalog.temporary.add(catalog.key(new[0] or catalog.database, new[1]))
        else:
            catalog.move(old, new, at, statement)


def create_other(catalog: Catalog, definition: CreateOther, statement: Statement) -> None:
    """CREATE VIEW and SEQUENCE, ALTER VIEW."""
    if definition.kind is TableKind.SEQUENCE and not catalog.server.mariadb:
        raise Refused("MySQL has no sequences", 0, 1064, code="SC001")
    database, name = definition.name[0] or catalog.database, definition.name[1]
    at = statement.start + definition.name_at
    key = catalog.key(database, name)
    before = catalog.tables.get(key)
    if definition.alters and before is None and key not in catalog.failed:
        raise Refused(f"view {name!r} to alter is not known", definition.name_at, 1146, name=name)
    again = definition.or_replace or definition.alters
    kinds = (
        (definition.kind, TableKind.TABLE) if definition.kind is TableKind.SEQUENCE else (definition.kind,)
    )
    if before is not None and not (again and before.kind in kinds):
        if not definition.if_not_exists:
            # Which of the two was meant is not known.
            number = 1050 if not again else 1347 if definition.kind is TableKind.VIEW else None
            why = f"{name!r} is there, and is a {before.kind.value}"
            refused = Refused(why, definition.name_at, number, name=name)
            catalog.fail(refused, statement, (database, name))
        return
    name_rules.check(name, definition.name_at)
    location = catalog.lines.at(at, at + len(name))
    columns: tuple[Column, ...] = ()
    query = definition.query
    if definition.sequence is not None:
        base, unsigned, cycle = definition.sequence
        columns, query = sequence_columns(catalog.server, base, unsigned=unsigned), "CYCLE" if cycle else ""
    shown = _view_columns(catalog, definition.query) if definition.query is not None else None
    by = Made()
    if definition.kind is TableKind.VIEW:
        by = replace(catalog.made(definition.definer, database), read_only=definition.read_only)
    made = Table(
        name, columns, database, kind=definition.kind, location=location, text=statement.text,
        query=query,
        view_columns=shown, made=by,
    )  # fmt: skip
    catalog.put(made)


def _view_columns(catalog: Catalog, written: str) -> tuple[str, ...] | None:
    """The names of a view's columns; None where the query is not followed."""
    from schemacheck.catalog import data_statements

    def columns(database: str, name: str) -> list[str] | None:
        table = catalog.tables.get(catalog.key(database or catalog.database, name))
        read = table.as_read() if table is not None else None
        return [column.name for column in read.columns if not column.invisible] if read is not None else None

    return data_statements.view_names(catalog.tokens(written), columns)


def alter_table(catalog: Catalog, definition: AlterTable, statement: Statement) -> None:
    """ALTER TABLE. InnoDB does nothing where keys are switched off and on, as dumps do around rows."""
    there = catalog.tables.get(catalog.key(definition.table[0] or catalog.database, definition.table[1]))
    switched = all(isinstance(action, Other) and action.words in _SWITCHES for action in definition.actions)
    if switched and not definition.ignore and there is not None and there.kind is TableKind.TABLE:
        return

    def run(context: Context, changed: Changed) -> None:
        if definition.ignore and not context.server.has("alter-ignore"):
            raise unasked("ALTER IGNORE TABLE", definition.name_at)
        alter.run(definition.actions, context, changed)

    _change(catalog, statement, (definition.table, definition.name_at), run, quiet=definition.if_exists)


def truncate(catalog: Catalog, definition: Truncate, statement: Statement) -> None:
    """TRUNCATE, refused where another table refers to this one (1701; asked of 9.7, 10.11 and 11.8)."""
    name = (definition.table[0] or catalog.database, definition.table[1])
    key = catalog.key(*name)
    if key in catalog.temporary or not referring.checked(catalog.server):
        return
    for reference in catalog.references(key):
        if catalog.key(reference.child.database, reference.child.name) != key:
            why = f"foreign key {reference.key.name!r} of {reference.child.name} refers to {name[1]!r}"
            catalog.problem(Refused(why, 0, 1701, name=name[1], words=reference.words("")), statement, name)
            return


def change_index(catalog: Catalog, definition: CreateIndex | DropIndex, statement: Statement) -> None:
    """CREATE INDEX and DROP INDEX."""
    _change(
        catalog, statement, (definition.table, definition.name_at),
        lambda context, changed: alter.run(definition.actions, context, changed),
    )  # fmt: skip


def _change(
    catalog: Catalog, statement: Statement, written: tuple[Name, int], action: Callable[[Context, Changed],
    None], *, quiet: bool = False
) -> None:  # fmt: skip
    """Alter a table; what cannot be followed leaves it unknown. `written`: its name and where that stands."""
    (database, bare), at = written
    name = (database or catalog.database, bare)
    key = catalog.key(*name)
    if key in catalog.temporary:
        return
    table = catalog.tables.get(key)
    if table is None:
        if not quiet and key not in catalog.failed:
            why = f"table {bare!r} to alter is not known: give its CREATE TABLE before"
            catalog.fail(Refused(why, at, 1146, name=bare), statement, name)
        return
    if table.kind is not TableKind.TABLE:
        number = 1347 if table.kind is TableKind.VIEW else None
        refused = Refused(f"{bare!r} is a {table.kind.value}", at, number, name=bare)
        catalog.problem(refused, statement, name)
        return
    try:
        changed, made = _altered(catalog, table, statement, name, at, action)
        _partitioned(made.name, foreign=bool(made.partitioning and made.foreign_keys))
        if table.partitioning == UNKNOWN and made.partitioning is None and not changed.repartitioned:
            made = replace(made, partitioning=UNKNOWN)
        catalog.taken(made)
        made = replace(made, location=table.location, triggers=table.triggers)
        catalog.put(made)
        if changed.new_names:
            catalog.rename_referenced(key, changed.new_names)
        if changed.renamed is not None:
            catalog.move((database, bare), changed.renamed, at, statement)
    except Refused as refused:
        catalog.fail(refused, statement, name)


def _partitioned(name: str, *, foreign: bool) -> None:
    """InnoDB has no foreign keys of partitioned tables: `foreign`, this one has some. Raises Refused."""
    if foreign:
        raise unasked(f"a foreign key of {name!r}, which would be partitioned")


def _altered(
    catalog: Catalog, table: Table, statement: Statement, name: Name, at: int, action: Callable[[Context,
    Changed], None]
) -> tuple[Changed, Table]:  # fmt: skip
    context = catalog.context(statement, name[0])
    changed = to_draft(table, context)
    context.charset = changed.charset or table.charset
    context.collation = changed.collation or table.collation
    action(context, changed)
    if changed.repartitioned and changed.partitioning is not None:
        _partitioned(table.name, foreign=any(key.standing for key in changed.foreign_keys))

    def find(database: str | None, other: str) -> Table | None:
        return catalog.tables.get(catalog.key(database or name[0], other))

    made = assemble.table(
        changed.draft(context, at), context, table.text or statement.text, table.database, find
    )
    references = catalog.references(catalog.key(*name))
    bound = replace(table, incoming=tuple(reference.key for reference in references))
    online.check(changed.actions, bound, made, context.server)
    if context.server.mariadb and any(map(_is_filled_shape, made.columns)):
        raise Refused("whether ALTER TABLE fills the default of a geometry is not known", at)
    _full_text(changed, made, context, at)
    referring.altered(table, made, changed, references, context)
    return changed, made


def _is_filled_shape(column: Column) -> bool:
    """Whether MariaDB computes a shape for the empty row of a table that it alters (1366)."""
    return (
        column.type.is_geometry
        and column.default is not None
        and column.default.kind is DefaultKind.EXPRESSION
    )


def _full_text(changed: Changed, made: Table, context: Context, at: int) -> None:
    """MySQL: InnoDB makes one FULLTEXT key at a time where it does not copy the table. Raises Refused."""
    keys = [key for key in changed.added_keys if key.kind == "fulltext"]
    if len(keys) > 1 and made.engine == "InnoDB" and not context.server.mariadb:
        raise unasked("two FULLTEXT keys at a time", at)
