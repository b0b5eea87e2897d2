"""A table that is being altered: finished columns and keys, and the drafts that join them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from schemacheck.inputs.ddl import naming
from schemacheck.inputs.ddl.charsets import resolve
from schemacheck.inputs.ddl.context import Context
from schemacheck.inputs.ddl.draft import CheckDraft, ColumnDraft, Expr, ForeignDraft, KeyDraft, PartDraft, TableDraft, TableOptions
from schemacheck.inputs.ddl.lexer import Refused
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import CHARACTER, TEXTS, ColumnType, sized
from schemacheck.model.table import Check, Column, ForeignKey, Key, Table

_TWINS = {"char": "binary", "varchar": "varbinary", "tinytext": "tinyblob", "text": "blob", "mediumtext": "mediumblob", "longtext": "longblob"}


@dataclass(slots=True)
class Changed:
    """A table under ALTER. `table` is what it was; the lists are what it becomes."""

    table: Table
    columns: list[ColumnDraft] = field(default_factory=list)
    keys: list[KeyDraft] = field(default_factory=list)
    checks: list[CheckDraft] = field(default_factory=list)
    foreign_keys: list[ForeignDraft] = field(default_factory=list)
    options: TableOptions = field(default_factory=TableOptions)
    renamed: tuple[str | None, str] | None = None
    charset: str | None = None
    collation: str | None = None
    versioned: bool = False

    # -- columns --------------------------------------------------------------------------------

    def index(self, name: str) -> int | None:
        """Where a column stands, or None."""
        folded = name.casefold()
        return next((i for i, one in enumerate(self.columns) if one.name.casefold() == folded), None)

    def find(self, name: str) -> Column | None:
        """A column that was there before, or None."""
        at = self.index(name)
        return self.columns[at].made if at is not None else None

    def put(self, column: Column) -> None:
        """Replace a finished column."""
        at = self.index(column.name)
        if at is not None:
            self.columns[at] = thawed(column)

    def add_column(self, draft: ColumnDraft, *, if_not_exists: bool = False) -> None:
        """ADD COLUMN."""
        if self.index(draft.name) is not None:
            if if_not_exists:
                return
            raise Refused(f"column {draft.name!r} exists", draft.span[0], "SC002", 1060)
        self._insert(draft, len(self.columns))

    def _insert(self, draft: ColumnDraft, at: int) -> None:
        if draft.position == "":
            at = 0
        elif draft.position is not None:
            behind = self.index(draft.position)
            if behind is None:
                raise Refused(f"column {draft.position!r} does not exist", draft.span[0], "SC002", 1054)
            at = behind + 1
        self.columns.insert(at, draft)

    def replace_column(self, old: str, draft: ColumnDraft, *, if_exists: bool = False) -> None:
        """MODIFY and CHANGE."""
        at = self.index(old)
        if at is None:
            if if_exists:
                return
            raise Refused(f"column {old!r} does not exist", draft.span[0], "SC002", 1054)
        other = self.index(draft.name)
        if other is not None and other != at:
            raise Refused(f"column {draft.name!r} exists", draft.span[0], "SC002", 1060)
        del self.columns[at]
        self._insert(draft, at)
        self._rename_in_keys(old, draft.name)

    def rename_column(self, old: str, new: str, at: int, *, if_exists: bool = False) -> None:
        """RENAME COLUMN."""
        found = self.index(old)
        if found is None:
            if if_exists:
                return
            raise Refused(f"column {old!r} does not exist", at, "SC002", 1054)
        if self.index(new) not in (None, found):
            raise Refused(f"column {new!r} exists", at, "SC002", 1060)
        draft = self.columns[found]
        if draft.made is not None:
            self.columns[found] = thawed(replace(draft.made, name=new))
        else:
            draft.name = new
        self._rename_in_keys(old, new)

    def _rename_in_keys(self, old: str, new: str) -> None:
        folded = old.casefold()
        for key in self.keys:
            for part in key.parts:
                if part.column is not None and part.column.casefold() == folded:
                    part.column = new
        for foreign in self.foreign_keys:
            foreign.columns = [new if name.casefold() == folded else name for name in foreign.columns]

    def drop_column(self, name: str, at: int, *, if_exists: bool = False) -> None:
        """DROP COLUMN: it leaves its keys too; a key without columns goes."""
        found = self.index(name)
        if found is None:
            if if_exists:
                return
            raise Refused(f"column {name!r} does not exist", at, "SC002", 1091)
        folded = name.casefold()
        if any(folded in (one.casefold() for one in foreign.columns) for foreign in self.foreign_keys):
            raise Refused(f"column {name!r} is part of a foreign key", at, "SC002", 1828)
        del self.columns[found]
        for key in self.keys:
            key.parts = [part for part in key.parts if (part.column or "").casefold() != folded]
        self.keys = [key for key in self.keys if key.parts]
        # A column's own CHECK goes with it.
        self.checks = [check for check in self.checks if (check.column or "").casefold() != folded]

    # -- keys and constraints -------------------------------------------------------------------

    def _key(self, name: str) -> int | None:
        folded = name.casefold()
        return next((i for i, key in enumerate(self.keys) if (key.name or "").casefold() == folded or (folded == "primary" and key.kind == "primary")), None)

    def add_key(self, draft: KeyDraft) -> None:
        """ADD INDEX."""
        if draft.if_not_exists and draft.name and self._key(draft.name) is not None:
            return
        self.keys.append(draft)

    def drop_key(self, name: str, at: int, *, if_exists: bool = False) -> None:
        """DROP INDEX, DROP PRIMARY KEY."""
        found = self._key(name)
        if found is None:
            if if_exists:
                return
            raise Refused(f"key {name!r} does not exist", at, "SC002", 1091)
        del self.keys[found]

    def rename_key(self, old: str, new: str, at: int, *, if_exists: bool = False) -> None:
        """RENAME INDEX."""
        found = self._key(old)
        if found is None:
            if if_exists:
                return
            raise Refused(f"key {old!r} does not exist", at, "SC002", 1176)
        self.keys[found].name = new

    def show_key(self, name: str, at: int, *, visible: bool, if_exists: bool = False) -> None:
        """ALTER INDEX ... VISIBLE."""
        found = self._key(name)
        if found is None:
            if if_exists:
                return
            raise Refused(f"key {name!r} does not exist", at, "SC002", 1176)
        self.keys[found].visible = visible

    def drop_foreign_key(self, name: str, at: int, *, if_exists: bool = False) -> bool:
        """DROP FOREIGN KEY; its key stays."""
        folded = name.casefold()
        kept = [one for one in self.foreign_keys if (one.name or "").casefold() != folded]
        if len(kept) == len(self.foreign_keys) and not if_exists:
            raise Refused(f"foreign key {name!r} does not exist", at, "SC002", 1091)
        self.foreign_keys = kept
        return True

    def drop_constraint(self, name: str, at: int, *, if_exists: bool = False) -> None:
        """DROP CONSTRAINT and DROP CHECK: a CHECK, a foreign key or a unique key of that name."""
        folded = name.casefold()
        kept = [one for one in self.checks if (one.name or "").casefold() != folded]
        if len(kept) < len(self.checks):
            self.checks = kept
        elif any((one.name or "").casefold() == folded for one in self.foreign_keys):
            self.drop_foreign_key(name, at)
        else:
            self.drop_key(name, at, if_exists=if_exists)

    def enforce(self, name: str, at: int, *, enforced: bool) -> None:
        """ALTER CHECK ... [NOT] ENFORCED."""
        found = next((one for one in self.checks if (one.name or "").casefold() == name.casefold()), None)
        if found is None:
            raise Refused(f"CHECK {name!r} does not exist", at, "SC002", 3821)
        found.enforced = enforced

    # -- the table ------------------------------------------------------------------------------

    def version(self, *, on: bool) -> None:
        """ADD and DROP SYSTEM VERSIONING."""
        self.versioned = on

    def set_options(self, given: TableOptions, at: int) -> None:
        """Table options."""
        if given.charset is not None or given.collation is not None:
            self.options.charset = given.charset if given.charset is not None else self.options.charset
            self.options.collation = given.collation if given.collation is not None else self.options.collation
            self.options.charset_at = at
        if given.engine is not None:
            self.options.engine = given.engine

    def draft(self, context: Context, name_at: int) -> TableDraft:
        """The draft of the table as it becomes. Raises Refused."""
        table = self.table
        charset, collation = self.charset or table.charset, self.collation or table.collation
        if self.options.charset is not None or self.options.collation is not None:
            charset, collation = resolve(self.options.charset, self.options.collation, (charset, collation), context.server, self.options.charset_at)
        engine = naming.engine(self.options.engine, context) if self.options.engine else table.engine
        settled = TableOptions(charset=charset, collation=collation, engine=engine, system_versioned=self.versioned)
        return TableDraft(
            table.name, table.database, self.columns, self.keys, self.checks, self.foreign_keys, options=settled, name_at=name_at, altered=True, had_gipk=table.gipk
        )


def thawed(column: Column) -> ColumnDraft:
    """The draft of a finished column."""
    return ColumnDraft(column.name, column.type.text or column.type.sql(), None, made=column)


def thaw(table: Table) -> Changed:
    """A finished table as drafts. Hidden columns are left out: they are made again."""
    columns = [thawed(one) for one in table.columns if not is_hidden(one, table)]
    keys = [_key(one) for one in table.keys if not (table.gipk and one.name == "PRIMARY")]
    if table.gipk:
        columns = columns[1:]
    return Changed(
        table, columns, keys, [_check(one, table) for one in table.checks], [_foreign(one) for one in table.foreign_keys], versioned=table.system_versioned
    )


def is_hidden(column: Column, table: Table) -> bool:
    """MariaDB's hash columns, and the row_start and row_end that nobody wrote."""
    if column.name.startswith("DB_ROW_HASH_") and column.invisible:
        return True
    return table.system_versioned and column.location is None and column.expression in ("row start", "row end")


def _key(key: Key) -> KeyDraft:
    parts = [PartDraft(part.column, part.length, Expr(part.expression, 0) if part.expression else None, part.descending) for part in key.parts]
    return KeyDraft(key.kind.value, parts, None if key.name == "PRIMARY" else key.name, key.visible, location=key.location)


def _check(check: Check, table: Table) -> CheckDraft:
    own = table.column(check.name) if check.name else None
    return CheckDraft(Expr(check.expression, 0), check.name, check.enforced, column=own.name if own else None, location=check.location)


def _foreign(key: ForeignKey) -> ForeignDraft:
    return ForeignDraft(
        list(key.columns), key.ref_database, key.ref_table, list(key.ref_columns), key.on_delete, key.on_update, key.name, location=key.location
    )


def convert(changed: Changed, given: TableOptions, context: Context, at: int) -> None:
    """CONVERT TO CHARACTER SET: every character column, and the table's default."""
    table = changed.table
    charset, collation = resolve(given.charset, given.collation, (table.charset, table.collation), context.server, at)
    changed.charset, changed.collation = charset, collation
    for index, draft in enumerate(changed.columns):
        column = draft.made
        if column is not None and column.type.base in CHARACTER:
            changed.columns[index] = thawed(replace(column, type=converted(column.type, charset, collation)))


def converted(kind: ColumnType, charset: str | None, collation: str | None) -> ColumnType:
    """A character type in another character set; a TEXT grows to hold as many characters."""
    if charset == "binary" and kind.base in _TWINS:
        return replace(kind, base=_TWINS[kind.base], length=kind.max_bytes if kind.base in ("char", "varchar") else None, charset=None, collation=None)
    base = kind.base
    if base in TEXTS and charset and kind.charset:
        characters = kind.max_bytes // charsets.max_bytes(kind.charset)
        base = sized(TEXTS, characters * charsets.max_bytes(charset))
    return replace(kind, base=base, charset=charset, collation=collation, text="" if base != kind.base else kind.text)
