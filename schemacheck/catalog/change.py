"""A table that is being altered: finished columns and keys, and the drafts that join them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from schemacheck.catalog import naming
from schemacheck.catalog.charsets import resolve
from schemacheck.catalog.context import Context
from schemacheck.catalog.drafts import (
    check_draft,
    column_draft,
    converted,
    foreign_draft,
    is_hidden,
    key_draft,
    short_enough,
)
from schemacheck.model.column_type import CHARACTER
from schemacheck.model.table import Column, Key, Table
from schemacheck.sql.ddl.draft import (
    CheckDraft,
    ColumnDraft,
    Expr,
    ForeignDraft,
    KeyDraft,
    TableDraft,
    TableOptions,
)
from schemacheck.sql.expression_words import uses, with_name
from schemacheck.sql.lexer import Refused


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
    unpartitioned: bool = False
    mariadb: bool = False
    dropped: set[str] = field(default_factory=set)
    renames: dict[str, str] = field(default_factory=dict)
    #: Those of CHANGE too, for the tables that reference this one.
    new_names: dict[str, str] = field(default_factory=dict)

    # -- columns --------------------------------------------------------------------------------

    def index(self, name: str) -> int | None:
        """The position of a column, or None."""
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
            self.columns[at] = column_draft(column)

    def add_column(self, draft: ColumnDraft, *, if_not_exists: bool = False) -> None:
        """ADD COLUMN."""
        if self.index(draft.name) is not None:
            if if_not_exists:
                return
            raise Refused(f"column {draft.name!r} exists", draft.span[0], "SC002", 1060, name=draft.name)
        if draft.name.casefold() in self.dropped:
            raise Refused(
                f"column {draft.name!r} is dropped and added in one statement: write two",
                draft.span[0],
                "SC002",
            )
        self._insert(draft, len(self.columns))

    def _insert(self, draft: ColumnDraft, at: int) -> None:
        if draft.position == "":
            # A generated invisible primary key stays in front.
            at = 1 if self.table.gipk else 0
        elif draft.position is not None:
            behind = self.index(draft.position)
            if behind is None:
                raise Refused(
                    f"column {draft.position!r} does not exist",
                    draft.span[0],
                    "SC002",
                    1054,
                    name=draft.position,
                )
            at = behind + 1
        self.columns.insert(at, draft)

    def replace_column(self, old: str, draft: ColumnDraft, *, if_exists: bool = False) -> None:
        """MODIFY and CHANGE."""
        at = self.index(old)
        if at is None:
            if if_exists:
                return
            raise Refused(f"column {old!r} does not exist", draft.span[0], "SC002", 1054, name=old)
        other = self.index(draft.name)
        if other is not None and other != at:
            raise Refused(f"column {draft.name!r} exists", draft.span[0], "SC002", 1060, name=draft.name)
        del self.columns[at]
        self._insert(draft, at)
        # A column's own CHECK is part of its definition.
        self.checks = [check for check in self.checks if (check.column or "").casefold() != old.casefold()]
        if draft.name.casefold() != old.casefold():
            self._rename_in_expressions(old, draft.name, draft.span[0])
            self.new_names[old.casefold()] = draft.name
        self._rename_in_keys(old, draft.name)

    def rename_column(self, old: str, new: str, at: int, *, if_exists: bool = False) -> None:
        """RENAME COLUMN."""
        found = self.index(old)
        if found is None:
            if if_exists:
                return
            raise Refused(f"column {old!r} does not exist", at, "SC002", 1054, name=old)
        self.renames[old.casefold()] = self.new_names[old.casefold()] = new
        self._rename_in_expressions(old, new, at)

    def rename_columns(self) -> None:
        """All RENAME COLUMN at once: two columns may swap their names."""
        names = self.renames
        if not names:
            return
        for index, draft in enumerate(self.columns):
            new = names.get(draft.name.casefold())
            if new is not None and draft.made is not None:
                self.columns[index] = column_draft(replace(draft.made, name=new))
            elif new is not None:
                draft.name = new
        for key in self.keys:
            for part in key.parts:
                if part.column is not None:
                    part.column = names.get(part.column.casefold(), part.column)
        for foreign in self.foreign_keys:
            foreign.columns = [names.get(name.casefold(), name) for name in foreign.columns]

    def _users(self, name: str) -> list[ColumnDraft | CheckDraft]:
        """Generated columns and CHECKs that use a column."""
        found: list[ColumnDraft | CheckDraft] = [
            one
            for one in self.columns
            if one.made is not None
            and one.made.expression
            and one.made.name.casefold() != name.casefold()
            and uses(one.made.expression, name)
        ]
        return found + [check for check in self.checks if uses(check.expression.text, name)]

    def _rename_in_expressions(self, old: str, new: str, at: int) -> None:
        """MariaDB follows the new name; MySQL refuses."""
        users = self._users(old)
        if users and not self.mariadb:
            raise Refused(f"column {old!r} is used by a generated column or a CHECK", at, "SC002", 3108)
        for index, one in enumerate(self.columns):
            if one in users and one.made is not None:
                self.columns[index] = column_draft(
                    replace(one.made, expression=with_name(one.made.expression or "", old, new))
                )
        for check in self.checks:
            if check in users:
                check.expression = Expr(with_name(check.expression.text, old, new), 0)

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
            raise Refused(f"column {name!r} does not exist", at, "SC002", 1091, name=name, kind="COLUMN")
        folded = name.casefold()
        self._drop_users(name, at)
        if any(folded in (one.casefold() for one in foreign.columns) for foreign in self.foreign_keys):
            raise Refused(f"column {name!r} is part of a foreign key", at, "SC002", 1828)
        del self.columns[found]
        for key in self.keys:
            key.parts = [part for part in key.parts if (part.column or "").casefold() != folded]
        self.keys = [key for key in self.keys if key.parts]
        self.dropped.add(folded)

    def _drop_users(self, name: str, at: int) -> None:
        """A CHECK of this column alone goes with it; any other use forbids the drop."""
        others = [one.name for one in self.columns if one.name.casefold() != name.casefold()]
        for user in self._users(name):
            if isinstance(user, CheckDraft) and not any(
                uses(user.expression.text, other) for other in others
            ):
                self.checks.remove(user)
            else:
                raise Refused(f"column {name!r} is used by a generated column or a CHECK", at, "SC002", 3959)

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
            and (known := "PRIMARY" if draft.kind == "primary" else draft.name)
            and self._key(known) is not None
        ):
            return
        self.keys.append(draft)

    def drop_key(self, name: str, at: int, *, if_exists: bool = False) -> None:
        """DROP INDEX, DROP PRIMARY KEY."""
        found = self._key(name)
        if found is None:
            if if_exists:
                return
            raise Refused(f"key {name!r} does not exist", at, "SC002", 1091, name=name, kind="INDEX")
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
            raise Refused(
                f"foreign key {name!r} does not exist", at, "SC002", 1091, name=name, kind="FOREIGN KEY"
            )
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
        self.dropped.add("\0versioning")

    def set_options(self, given: TableOptions, at: int) -> None:
        """Table options."""
        if given.charset is not None or given.collation is not None:
            self.options.charset = given.charset if given.charset is not None else self.options.charset
            self.options.collation = (
                given.collation if given.collation is not None else self.options.collation
            )
            self.options.charset_at = at
        if given.engine is not None:
            self.options.engine = given.engine
        if given.row_format is not None:
            self.options.row_format = given.row_format
        self.options.written |= given.written

    def draft(self, context: Context, name_at: int) -> TableDraft:
        """The draft of the table as it becomes. Raises Refused."""
        table = self.table
        if (
            table.system_versioned
            and not self.dropped & {"\0versioning"}
            and context.server.setting("system_versioning_alter_history").upper() != "KEEP"
        ):
            raise Refused(
                "a system-versioned table is altered only with system_versioning_alter_history=KEEP",
                name_at,
                "SC002",
                4119,
            )
        charset, collation = self.charset or table.charset, self.collation or table.collation
        if self.options.charset is not None or self.options.collation is not None:
            charset, collation = resolve(
                self.options.charset,
                self.options.collation,
                (charset, collation),
                context.server,
                self.options.charset_at,
            )
        engine = naming.engine(self.options.engine, context) if self.options.engine else table.engine
        settled = TableOptions(
            charset=charset,
            collation=collation,
            engine=engine,
            system_versioned=self.versioned,
            row_format=self.options.row_format or table.row_format,
            written=dict(table.options) | self.options.written,
        )
        settled.partitioned, settled.partitioning = self.options.partitioned, self.options.partitioning
        settled.partition_sql = self.options.partition_sql
        settled.partition_columns, settled.partition_by_key = (
            self.options.partition_columns,
            self.options.partition_by_key,
        )
        return TableDraft(
            table.name,
            table.database,
            self.columns,
            self.keys,
            self.checks,
            self.foreign_keys,
            options=settled,
            name_at=name_at,
            altered=True,
        )


def _place(key: Key, table: Table) -> int:
    """The server's order of unique keys; the others are not told apart by theirs."""
    return table.unique_order.index(key.name) if key.name in table.unique_order else len(table.keys)


def to_draft(table: Table, *, mariadb: bool) -> Changed:
    """A finished table as drafts. Hidden columns are left out: they are made again."""
    columns = [column_draft(one) for one in table.columns if not is_hidden(one, table)]
    checks = [check_draft(one, table if mariadb else None) for one in table.checks]
    foreign_keys = [foreign_draft(one) for one in table.foreign_keys]
    return Changed(
        table,
        columns,
        [key_draft(one) for one in sorted(table.keys, key=lambda k: _place(k, table))],
        checks,
        foreign_keys,
        versioned=table.system_versioned,
        mariadb=mariadb,
    )


def convert(changed: Changed, given: TableOptions, context: Context, at: int) -> None:
    """CONVERT TO CHARACTER SET: every character column, and the table's default."""
    table = changed.table
    charset, collation = resolve(
        given.charset, given.collation, (table.charset, table.collation), context.server, at
    )
    changed.charset, changed.collation = charset, collation
    for index, draft in enumerate(changed.columns):
        column = draft.made
        if column is not None and column.type.base in CHARACTER:
            changed.columns[index] = column_draft(
                replace(column, type=short_enough(converted(column.type, charset, collation), context, at))
            )
