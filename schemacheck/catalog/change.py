"""A table that is being altered: finished columns and keys, and the drafts that join them."""

from __future__ import annotations

from schemacheck.catalog import altered_columns, keyset, naming, partition_changes
from schemacheck.catalog.altered_columns import Parts, Setting, Written, missing_column
from schemacheck.catalog.charsets import resolve
from schemacheck.catalog.context import Context, drops_checks
from schemacheck.dataclass import dataclass, field
from schemacheck.model.table import Column, Key, KeyKind, Table
from schemacheck.sql.ddl.actions import Action
from schemacheck.sql.ddl.draft import (
    CheckDraft,
    ColumnDraft,
    ForeignDraft,
    KeyDraft,
    PartitioningDraft,
    TableDraft,
    TableOptions,
)
from schemacheck.sql.ddl.options import one_collation
from schemacheck.sql.lexer import Refused, unasked


def key_of_rows(table: Table) -> Key | None:
    """The unique key that serves a table without a primary key as one."""
    columns = {column.name.casefold(): column for column in table.columns}
    key = keyset.serving(table.keys, columns, table.key_order)
    return key if key is not None and key.kind is not KeyKind.PRIMARY else None


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
    #: It is altered by a copy of the rows, as the statement says.
    copies: bool = False
    charset: str | None = None
    collation: str | None = None
    versioned: bool = False
    #: How it is partitioned, and whether a part of the statement says so.
    partitioning: PartitioningDraft | None = None
    repartitioned: bool = False
    mariadb: bool = False
    parts: Parts = field(default_factory=Parts)
    #: Where CONVERT TO CHARACTER SET is written.
    converts: int | None = None
    #: Columns under new names, for the tables that reference this one.
    new_names: dict[str, str] = field(default_factory=dict)
    added_keys: list[KeyDraft] = field(default_factory=list)
    added_checks: list[CheckDraft] = field(default_factory=list)
    #: RENAME INDEX: the key, its new name and the offset. Other parts name it as it was.
    key_names: list[tuple[KeyDraft, str, int]] = field(default_factory=list)
    #: ALTER INDEX: the key, which the other parts must keep, and the offset.
    shown: list[tuple[KeyDraft, int]] = field(default_factory=list)
    #: Whether a functional key goes, and with it its hidden column.
    loses_hidden: bool = False
    #: The parts of the statement.
    actions: tuple[Action, ...] = ()

    # -- columns --------------------------------------------------------------------------------

    def find(self, name: str) -> Column | None:
        """A column as it was before, or None."""
        folded = name.casefold()
        return next((column.made for column in self.columns if column.name.casefold() == folded), None)

    def set(self, name: str, column: Column | None, at: int, *, quiet: bool) -> None:
        """ALTER COLUMN and RENAME COLUMN: what becomes of a finished column; None where it is not there."""
        self.parts.settings.append(Setting(name, column, at, quiet))

    def write(self, draft: ColumnDraft, at: int, *, old: str | None = None, quiet: bool = False) -> None:
        """ADD COLUMN, and MODIFY and CHANGE of `old`."""
        if quiet and old is None and self.find(draft.name) is not None:
            return
        self.parts.written.append(Written(draft, old, at, quiet))

    def drop_column(self, name: str, at: int, *, if_exists: bool = False) -> None:
        """DROP COLUMN: it leaves its keys too; a key without columns goes."""
        self.parts.drops.append((name, at, if_exists))

    def _settle(self, context: Context) -> None:
        """All parts about columns together. Raises Refused."""
        before = {column.name.casefold(): column.made for column in self.columns if column.made is not None}
        if self.converts is not None:
            altered_columns.convert(
                self.columns, self.parts, self.charset, self.collation, self.converts, context
            )
        settled = altered_columns.settle(
            self.columns, self.parts, behind_key=self.table.gipk, mariadb=self.mariadb
        )
        replaced = {column.old.casefold() for column in self.parts.written if column.old is not None}
        for item in self.parts.written:
            stated = any("SYSTEM VERSIONING" in text for text in item.draft.attributes)
            old = before.get((item.old or "").casefold())
            virtual = old is not None and (old.generated == "virtual") != (item.draft.generated == "virtual")
            if virtual or (stated and not self.table.system_versioned):
                raise unasked(f"column {item.draft.name!r} as a virtual or versioned one", item.at)
            item.draft.replaces = old.type if old is not None else None
            if self.converts is not None:
                item.draft.converted = (self.charset, self.collation)
        # A column's own CHECK is part of its definition.
        checks = [check for check in self.checks if (check.column or "").casefold() not in replaced]
        if drops_checks(context.server):
            checks = []
        self.checks = altered_columns.follow_expressions(
            settled, checks, self.keys, hidden=self.loses_hidden and not self.mariadb
        )
        for foreign in self.foreign_keys:
            if not foreign.standing:
                continue
            foreign.columns = [settled.names.get(name.casefold(), name) for name in foreign.columns]
            home = (foreign.ref_database, foreign.ref_table)
            if home == (None, self.table.name):
                foreign.ref_columns = [
                    settled.names.get(column.casefold(), column) for column in foreign.ref_columns
                ]
        named = {id(key) for key in self.keys}
        self.keys = altered_columns.follow_keys(settled, self.keys, before, context.server)
        remaining = {id(key) for key in self.keys} if not self.mariadb else named
        gone = [(key, at) for key, _, at in self.key_names if id(key) not in remaining]
        gone += [(key, at) for key, at in self.shown if all(element is not key for element in self.keys)]
        for key, at in gone:
            raise unasked(f"a change of key {key.name!r}, which goes", at)
        for key, new, _ in self.key_names:
            key.name = new
        if self.partitioning is not None and not self.repartitioned:
            self.partitioning = partition_changes.follow(self.partitioning, settled)
        self.columns = settled.columns
        self.new_names = settled.names

    # -- keys and constraints -------------------------------------------------------------------

    def _key(self, name: str) -> int | None:
        folded = name.casefold()
        return next(
            (
                i
                for i, key in enumerate(self.keys)
                if (key.name or "").casefold() == folded or (folded == "primary" and key.kind == "primary")
            ),
            None,
        )

    def add_key(self, draft: KeyDraft) -> None:
        """ADD INDEX."""
        if (
            draft.if_not_exists
            and (text := "PRIMARY" if draft.kind == "primary" else draft.name)
            and self._key(text) is not None
        ):
            return
        self.added_keys.append(draft)

    def drop_key(self, name: str, at: int, *, if_exists: bool = False, kind: str = "INDEX") -> None:
        """DROP INDEX, DROP PRIMARY KEY; `kind`: what the statement calls it."""
        key = self._key(name)
        if key is None:
            if if_exists:
                return
            # The server names the first part to be dropped that is not there (asked of four servers).
            for column, place, quiet in self.parts.drops:
                if not quiet and all(item.name.casefold() != column.casefold() for item in self.columns):
                    raise missing_column(column, place)
            raise Refused(f"key {name!r} does not exist", at, 1091, name=name, kind=kind)
        self.loses_hidden |= any(part.expression is not None for part in self.keys[key].parts)
        del self.keys[key]

    def rename_key(self, old: str, new: str, at: int, *, if_exists: bool = False) -> None:
        """RENAME INDEX."""
        result = self._key(old)
        if result is None and if_exists:
            return
        if result is None or any(key is self.keys[result] for key, _, _ in self.key_names):
            # One that has its new name already neither (asked of 9.7, 10.11, 11.8).
            raise Refused(f"key {old!r} does not exist", at, 1176, name=old)
        if self.keys[result].kind == "primary":
            raise unasked("another name of the primary key", at)
        # What someone has named makes room for no other key (asked of 9.7, 10.11, 11.8).
        self.keys[result].generated = False
        self.key_names.append((self.keys[result], new, at))

    def show_key(self, name: str, at: int, *, visible: bool, if_exists: bool = False) -> None:
        """ALTER INDEX ... VISIBLE."""
        key = self._key(name)
        if key is None:
            if if_exists:
                return
            raise Refused(f"key {name!r} does not exist", at, 1176, name=name)
        serves = key_of_rows(self.table)
        if serves is not None and serves.name == self.keys[key].name:
            raise unasked(f"ALTER INDEX of {name!r}, which serves as the primary key", at)
        self.keys[key].visible = visible
        self.keys[key].shown = True
        self.shown.append((self.keys[key], at))

    def drop_foreign_key(self, name: str, at: int, *, if_exists: bool = False) -> bool:
        """DROP FOREIGN KEY; its key stays."""
        folded = name.casefold()
        foreigns = [
            key for key in self.foreign_keys if (key.name or "").casefold() != folded or not key.standing
        ]
        # MySQL leaves the question to the engine; others than InnoDB have no answer (asked of 5.6 and 9.7).
        asked = self.mariadb or self.table.engine == "InnoDB"
        if len(foreigns) == len(self.foreign_keys) and not if_exists and asked:
            raise Refused(f"foreign key {name!r} does not exist", at, 1091, name=name, kind="FOREIGN KEY")
        self.foreign_keys = foreigns
        return True

    def drop_constraint(self, name: str, at: int, *, if_exists: bool = False) -> None:
        """DROP CONSTRAINT and DROP CHECK: a CHECK, a foreign key or a unique key of that name."""
        folded = name.casefold()
        # MariaDB drops no column's own (asked of 10.11 and 11.8).
        named = {id(c) for c in self.checks if (c.name or "").casefold() == folded}
        checks = [c for c in self.checks if id(c) not in named or (self.mariadb and c.column)]
        if len(checks) < len(self.checks):
            self.checks = checks
        elif any((key.name or "").casefold() == folded for key in self.foreign_keys):
            self.drop_foreign_key(name, at)
        elif self.mariadb or self._key(name) is not None:
            self.drop_key(name, at, if_exists=if_exists, kind="CONSTRAINT")
        elif not if_exists:
            raise Refused(f"constraint {name!r} does not exist", at, 3940, name=name)

    def enforce(self, name: str, at: int, *, enforced: bool) -> None:
        """ALTER CHECK ... [NOT] ENFORCED."""
        result = next(
            (check for check in self.checks if (check.name or "").casefold() == name.casefold()), None
        )
        if result is None:
            raise Refused(f"CHECK {name!r} does not exist", at, 3821, name=name)
        result.enforced = enforced

    # -- the table ------------------------------------------------------------------------------

    def version(self, *, on: bool) -> None:
        """ADD and DROP SYSTEM VERSIONING. Raises Refused where the table is so already."""
        if on is self.table.system_versioned or (not on and not self.versioned):
            raise unasked("SYSTEM VERSIONING of a table that has it already, or has none")
        self.versioned = on

    def set_options(self, given: TableOptions, at: int) -> None:
        """Table options."""
        if given.charset is not None or given.collation is not None:
            if self.converts is not None:
                raise Refused("CONVERT TO beside another character set is not followed", at)
            before = self.options.charset
            if given.charset and before and given.charset != before:
                raise two_charsets(before, given.charset, at)
            self.options.charset = given.charset or before
            if given.collation is not None:
                one_collation(self.options.collation, given.collation, at, mariadb=self.mariadb)
            self.options.collation = (
                given.collation if given.collation is not None else self.options.collation
            )
            self.options.charset_at = at
        if given.engine is not None:
            self.options.engine = given.engine
        if given.comment is not None:
            self.options.comment = given.comment
        if given.row_format is not None:
            self.options.row_format = given.row_format
        self.options.engine_options += given.engine_options
        self.options.others |= given.others
        self.options.written |= given.written

    def draft(self, context: Context, name_at: int) -> TableDraft:
        """The draft of the table as it becomes. Raises Refused."""
        table = self.table
        unique = any(key.kind in ("primary", "unique") for key in self.added_keys)
        history = context.server.setting("system_versioning_alter_history").upper()
        if (
            table.system_versioned
            and history != "KEEP"
            and (self.parts.written or self.parts.drops or unique)
        ):
            why = "a system-versioned table is altered only with system_versioning_alter_history=KEEP"
            raise Refused(why, name_at, 4119)
        if table.system_versioned and self.options.engine:
            raise unasked("another engine of a system-versioned table", name_at)
        primary = any(key.kind == "primary" for key in (*self.keys, *self.added_keys))
        if table.gipk and not primary:
            raise unasked("a table without its generated invisible primary key", name_at)
        self._settle(context)
        charset, collation = self.charset or table.charset, self.collation or table.collation
        if self.options.charset is not None or self.options.collation is not None:
            charset, collation = resolve(
                self.options.charset,
                self.options.collation,
                (charset, collation),
                context.server,
                self.options.charset_at,
            )
        engine = table.engine
        if self.options.engine:
            engine = naming.engine(self.options.engine, context, old=table.engine)
        settled = TableOptions(
            charset=charset,
            collation=collation,
            engine=engine,
            engine_options=list(self.options.engine_options),
            system_versioned=self.versioned,
            row_format=self.options.row_format or table.row_format,
            others=self.options.others,
            comment=self.options.comment,
            written=dict(table.options) | self.options.written,
        )
        settled.partitioning = self.partitioning
        return TableDraft(
            table.name,
            table.database,
            self.columns,
            [*self.keys, *self.added_keys],
            [*self.checks, *self.added_checks],
            self.foreign_keys,
            options=settled,
            name_at=name_at,
            altered=True,
        )


def two_charsets(first: str | None, second: str | None, at: int) -> Refused:
    """1302, for a table that would have both."""
    return Refused(f"two character sets: {first} and {second}", at, 1302)
