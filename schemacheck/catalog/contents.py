"""What a script's tables hold, as far as its statements say: rows of literals in tables that it made.

A server refuses a statement for the rows that it meets: a duplicate, a NULL, a value out of range. Where the
rows here prove that it does, the client stops. Where they do not say, the statement is taken to run, and that
is counted: dumps are full of rows, and a migration that fills a column before it forbids NULL must stay
readable.
"""

from __future__ import annotations

import re

from schemacheck.catalog.state import Catalog
from schemacheck.dataclass import dataclass, field
from schemacheck.model.location import Location
from schemacheck.model.table import Column, DefaultKind, Key, Table
from schemacheck.sql import characters, literal_rows
from schemacheck.sql.ddl import actions as alter
from schemacheck.sql.ddl import tables
from schemacheck.sql.ddl.actions import AlterTable
from schemacheck.sql.ddl.draft import CheckDraft, ForeignDraft, KeyDraft, TableDraft
from schemacheck.sql.ddl.parse import Definition
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.script import Statement
from schemacheck.sql.words import Name

#: Rows beyond so many in one script are not looked at.
_MOST_ROWS = 5_000
#: Engines that keep rows, and refuse duplicates.
_ENGINES = frozenset(("INNODB", "MYISAM", "ARIA", "MEMORY"))
#: What may stand between a statement's verb and its table.
_BEFORE_TABLE = (
    "LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK", "IGNORE", "INTO", "FROM", "TABLE",
)  # fmt: skip
_BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}
_INTEGER = re.compile(r"[-+]?[0-9]+", re.ASCII)
#: A value that is not known, and differs from none for sure.
_ANY = ("?", "")

#: What a column of a row holds: its kind ("n" an integer, "s" a string, "x" another literal) and text; None
#: for NULL. Equal literals in one column are equal values.
Value = tuple[str, str] | None
Row = dict[str, Value]


@dataclass(slots=True)
class Contents:
    """The rows of tables that a script has made; a table that is not here may hold anything."""

    rows: dict[Name, list[Row]] = field(default_factory=dict)
    #: Statements that are taken to run whatever their rows are: those before the last definition, and where
    #: the first is; those since.
    taken: int = 0
    first: Location | None = None
    _waiting: list[Location] = field(default_factory=list)
    _count: int = 0
    #: By a table's rows and a key's columns: those rows, how many were looked at, their values.
    _seen: dict[tuple[int, tuple[str, ...]], tuple[list[Row], int, set[tuple[Value, ...]]]] = field(
        default_factory=dict
    )
    #: Whether the script says that secondary keys and parents are not looked at.
    unchecked: bool = False

    # -- statements that define nothing ---------------------------------------------------------

    def inserted(
        self,
        statement: Statement,
        text: str,
        head: str,
        table: Table,
        named: list[str] | None,
        catalog: Catalog,
    ) -> str:
        """Rows of literals go into a table: why the server refuses them, '' where it does not, or that is not
        known. They begin in `text` behind `head`.
        """
        key = catalog.key(table.database, table.name)
        known = self.rows.get(key)
        plain = " ".join(characters.split(head.upper())[:2]) == "INSERT INTO"
        if self._count > _MOST_ROWS or known is None or not plain or table.triggers:
            self._unknown(key, statement, catalog)
            return ""
        columns = [table.column(name) for name in named] if named is not None else None
        shown = [one for one in table.columns if not one.invisible]
        wanted = [one for one in columns if one is not None] if columns is not None else shown
        rows = []
        for values in literal_rows.values(text, len(head), backslash=catalog.server.backslash):
            row = {one.name.casefold(): _absent(one) for one in table.columns}
            row |= {one.name.casefold(): _value(one, v) for one, v in zip(wanted, values, strict=False)}
            rows.append(row)
            self._count += 1
            if self._count > _MOST_ROWS:
                self._unknown(key, statement, catalog)
                return ""
        why = self._refused(table, rows, known, catalog, inserts=True)
        if not why:
            known += rows
            self.wait(statement, catalog)
        return why

    def touched(self, statement: Statement, t: Tokens, catalog: Catalog) -> None:
        """Another statement of data runs."""
        verb = t.peek()
        if verb == "ROLLBACK":
            for key in [key for key, rows in self.rows.items() if rows]:
                del self.rows[key]
            return
        if verb not in ("INSERT", "REPLACE", "UPDATE", "DELETE", "TRUNCATE"):
            return
        t.at += 1
        while t.take_any(*_BEFORE_TABLE):
            pass
        name = t.name()
        database = None
        if t.take("."):
            database, name = name, t.name()
        key = catalog.key(database or catalog.database, name)
        if verb == "TRUNCATE" or (verb == "DELETE" and t.end):
            if key in self.rows:
                self.rows[key] = []
        elif verb in ("INSERT", "REPLACE") or self.rows.get(key) != []:
            self._unknown(key, statement, catalog)

    def unsure(self, statement: Statement, catalog: Catalog) -> None:
        """A statement that is not understood is taken to run: what any table holds is not known behind it."""
        self.rows.clear()
        self.wait(statement, catalog)

    def _unknown(self, key: Name, statement: Statement, catalog: Catalog) -> None:
        self.rows.pop(key, None)
        self.wait(statement, catalog)

    def wait(self, statement: Statement, catalog: Catalog) -> None:
        """A statement is taken to run, as far as a definition follows."""
        self._waiting.append(catalog.lines.at(statement.start))

    # -- definitions ----------------------------------------------------------------------------

    def settle(self) -> None:
        """A definition follows."""
        if self._waiting:
            self.taken += len(self._waiting)
            self.first = self.first or self._waiting[0]
            self._waiting.clear()

    def defined(
        self, statement: Statement, found: Definition | None, catalog: Catalog, *, more: bool
    ) -> tuple[str, Name]:
        """A definition has run; `more` says that there is one table more than before. Why the server refuses
        it for the rows that are there, '' where it does not, and its table.
        """
        if more:
            # A table has no rows but those of its query.
            if not (isinstance(found, TableDraft) and found.query is not None):
                self.rows[next(reversed(catalog.tables))] = []
        elif isinstance(found, AlterTable | tables.CreateIndex):
            name = found.table[0] or catalog.database, found.table[1]
            return self._altered(statement, found, catalog.key(*name), catalog), name
        elif isinstance(found, tables.DropTables | tables.RenameTables | TableDraft):
            for database, bare in _named(found):
                self.rows.pop(catalog.key(database or catalog.database, bare), None)
        elif isinstance(found, tables.DropDatabase | tables.DefineDatabase):
            for key in [key for key in self.rows if key not in catalog.tables]:
                del self.rows[key]
        return "", (None, "")

    def _altered(
        self, statement: Statement, found: AlterTable | tables.CreateIndex, key: Name, catalog: Catalog
    ) -> str:
        table, known = catalog.tables.get(key), self.rows.get(key)
        if table is None or known == []:
            if table is None:
                self.rows.pop(key, None)
            return ""
        parts = found.actions if isinstance(found, AlterTable) else (alter.Add(0, found.key),)
        if not any(map(_looks_at_rows, parts)):
            if known is not None and any(map(_moves_values, parts)):
                del self.rows[key]
            return ""
        self._count += len(known or ())
        if known is not None and self._count <= _MOST_ROWS * 4 and not any(map(_moves_values, parts)):
            for row in known:
                for one in table.columns:
                    row.setdefault(one.name.casefold(), _ANY)
            if why := self._refused(table, known, [], catalog, inserts=False):
                return why
        if not all(isinstance(part, alter.Add) for part in parts):
            self.rows.pop(key, None)
        self.wait(statement, catalog)
        self.settle()
        return ""

    # -- what a server refuses ------------------------------------------------------------------

    def _refused(
        self, table: Table, rows: list[Row], there: list[Row], catalog: Catalog, *, inserts: bool
    ) -> str:
        """Why the server surely refuses these rows beside those that are there; '' where it may take them."""
        if (table.engine or "").upper() not in _ENGINES:
            return ""
        alone = len(rows) == 1 and inserts
        strict = catalog.server.strict and (alone or (table.engine or "").upper() == "INNODB")
        for one in table.columns:
            name = one.name.casefold()
            for row in rows:
                why = _not_taken(one, row[name], strict=strict, alone=alone)
                if why:
                    return f"column {one.name!r} does not take {why}"
        for key in table.keys:
            if key.unique and (key.name == "PRIMARY" or not self.unchecked) and self._twice(key, there, rows):
                return f"there are duplicates in key {key.name!r}"
        return "" if self.unchecked else self._orphan(table, rows, catalog)

    def _twice(self, key: Key, there: list[Row], rows: list[Row]) -> bool:
        """Whether a unique key surely meets one value twice. What is seen of rows that are there is kept."""
        if any(part.column is None for part in key.parts):
            return False
        names = tuple(str(part.column).casefold() for part in key.parts)
        looked, count, seen = self._seen.get((id(there), names), (there, 0, set()))
        if looked is not there:
            count, seen = 0, set()
        seen |= {values for row in there[count:] if (values := _values(row, names))}
        self._seen[id(there), names] = there, len(there), seen
        new: set[tuple[Value, ...]] = set()
        for values in filter(None, (_values(row, names) for row in rows)):
            if values in seen or values in new:
                return True
            new.add(values)
        return False

    def _orphan(self, table: Table, rows: list[Row], catalog: Catalog) -> str:
        """A child whose parent surely is not there: the parent's table is empty."""
        for one in table.foreign_keys:
            parent = catalog.key(one.ref_database or table.database, one.ref_table)
            if parent == catalog.key(table.database, table.name) or self.rows.get(parent) != []:
                continue
            if any(all(row[c.casefold()] not in (None, _ANY) for c in one.columns) for row in rows):
                return f"foreign key {one.name!r} finds no parent in {one.ref_table!r}, which is empty"
        return ""


def _named(found: tables.DropTables | tables.RenameTables | TableDraft) -> list[Name]:
    """The tables that go, or come in place of others."""
    if isinstance(found, tables.DropTables):
        return [name for _, name in found.names]
    if isinstance(found, tables.RenameTables):
        return [name for old, new, _ in found.pairs for name in (old, new)]
    return [(found.database, found.name)] if found.or_replace else []


def _looks_at_rows(part: alter.Action) -> bool:
    """Whether a part of ALTER TABLE may be refused for the rows."""
    if isinstance(part, alter.Add):
        unique = isinstance(part.draft, KeyDraft) and part.draft.kind in ("unique", "primary")
        return unique or isinstance(part.draft, CheckDraft | ForeignDraft)
    if isinstance(part, alter.AddColumn):
        return bool(
            part.draft.keys or part.draft.checks or part.draft.generated or part.draft.nullable is False
        )
    return isinstance(part, alter.ReplaceColumn | alter.Convert | alter.PartitionBy | alter.Other)


def _moves_values(part: alter.Action) -> bool:
    """Whether columns may hold other values behind a part of ALTER TABLE than before."""
    if isinstance(part, alter.ReplaceColumn):
        return part.old.casefold() != part.draft.name.casefold()
    if isinstance(part, alter.Drop):
        return part.kind == "COLUMN"
    return isinstance(
        part, alter.RenameColumn | alter.Convert | alter.Rename | alter.Other | alter.Versioning
    )


def _absent(column: Column) -> Value:
    """What a column holds that an INSERT does not name."""
    default = column.default
    if default is None:
        return None if column.nullable and column.generated is None else _ANY
    return ("d", default.text) if default.kind is DefaultKind.LITERAL else _ANY


def _value(column: Column, text: str) -> Value:
    """A literal of an INSERT in a column."""
    word = text.upper()
    if word == "NULL":
        made = column.auto_increment or column.type.base == "timestamp"
        return _ANY if made else None
    if word == "DEFAULT" or (column.auto_increment and not _INTEGER.fullmatch(text)):
        return _ANY
    if _INTEGER.fullmatch(text):
        number = int(text) if len(text) < 40 else None
        return _ANY if number is None or (number == 0 and column.auto_increment) else ("n", str(number))
    if text.startswith("'") and "\\" not in text:
        return "s", text[1:-1].replace("''", "'")
    return "x", text


def _not_taken(column: Column, value: Value, *, strict: bool, alone: bool) -> str:
    """What of a value its column surely does not take."""
    if value is None:
        return "NULL" if not column.nullable and (strict or alone) else ""
    kind, text = value
    if not strict or column.generated is not None:
        return ""
    if kind == "n" and column.type.is_integer:
        bits = _BITS[column.type.base]
        low, high = (0, 2**bits - 1) if column.type.unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        return "" if low <= int(text) <= high else text
    if kind == "s" and column.type.base in ("char", "varchar") and column.type.length is not None:
        return "" if len(text.rstrip(" ")) <= column.type.length else "a string of so many characters"
    return ""


def _values(row: Row, names: tuple[str, ...]) -> tuple[Value, ...]:
    """A row's values in a key's columns; () where one is NULL or not known, which no other equals."""
    found = tuple(row.get(name, _ANY) for name in names)
    return () if None in found or _ANY in found else found
