"""ALTER TABLE that adds plain columns and does nothing else: what the table has was judged before.

The whole way (`alter`, `change`, `assemble`) looks at every column for every statement, so that a script of
single ADD COLUMNs costs the square of its columns. Here a statement costs what it adds, where the table came
out of the whole way under the same settings and has nothing that another column could change (expressions,
CHECKs, foreign keys, partitions, periods). Whatever is doubtful, and all that is refused, goes the whole way.
"""

from __future__ import annotations

from schemacheck.catalog import assemble, defined_column, name_rules, validate
from schemacheck.catalog.context import Context
from schemacheck.catalog.rowsize import LONGEST_ROW, field_bytes, page_bytes
from schemacheck.dataclass import dataclass, replace
from schemacheck.model.column_type import BLOBS, TEXTS
from schemacheck.model.server import Server
from schemacheck.model.table import Column, DefaultKind, KeyKind, Table
from schemacheck.sql.ddl.actions import Action, AddColumn
from schemacheck.sql.ddl.draft import ColumnDraft, TableDraft, TableOptions
from schemacheck.sql.lexer import Refused

#: Types that have no part in a rule about another column, the engine or the table.
_PLAIN = frozenset((
    "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double", "bit", "year", "date",
    "time", "datetime", "char", "varchar", "binary", "varbinary", "enum", "set", *TEXTS, *BLOBS,
))  # fmt: skip
_KEYS = frozenset((KeyKind.PRIMARY, KeyKind.UNIQUE, KeyKind.INDEX))


@dataclass(frozen=True, slots=True)
class Widths:
    """What the limits of a table ask of all of its columns: their names as `validate` compares them, bytes in
    the record and on InnoDB's page, and how many may be NULL.
    """

    names: frozenset[str]
    record: int
    page: int
    nullable: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A table as ALTER TABLE left it, and the server under whose settings. `widths` once they are known."""

    table: Table
    server: Server
    widths: Widths | None = None


def add(actions: tuple[Action, ...], judged: Judged, context: Context) -> Judged | None:
    """The table with the columns of these actions; None where the whole way has to be gone."""
    drafts = [one.draft for one in actions if isinstance(one, AddColumn) and not one.if_not_exists]
    if len(drafts) < len(actions) or not all(map(_is_plain, drafts)):
        return None
    table = judged.table
    widths = judged.widths
    if widths is None:
        if not _is_settled(table):
            return None
        widths = _widths(table.columns, table, context)
    try:
        added = _columns(drafts, table, context)
    except Refused:
        return None
    columns = list(table.columns)
    for draft, made in zip(drafts, added, strict=True):
        at = _place(draft, columns)
        if made.type.base not in _PLAIN or made.auto_increment or at is None:
            return None
        columns.insert(at, made)
    more = _widths(added, table, context)
    whole = Widths(
        widths.names | more.names,
        widths.record + more.record,
        widths.page + more.page,
        widths.nullable + more.nullable,
    )
    bits = (whole.nullable + 7) // 8
    if (
        len(whole.names) < len(columns)
        or len(columns) > validate.MOST_INNODB_COLUMNS
        or whole.record + bits > LONGEST_ROW
        or whole.page + bits > validate.PAGE_ROOM
    ):
        return None
    return Judged(replace(table, columns=tuple(columns)), judged.server, whole)


def _is_plain(draft: ColumnDraft) -> bool:
    """Whether a column has a type, NULL or NOT NULL, a constant as default, a comment, and nothing else."""
    constant = draft.default is None or draft.default.expression is None
    return (constant and draft.name.isascii()) and draft == ColumnDraft(
        draft.name, draft.type_text, draft.nullable, draft.default, collation=draft.collation,
        comment=draft.comment, position=draft.position, span=draft.span, type_at=draft.type_at,
    )  # fmt: skip


def _is_settled(table: Table) -> bool:
    """Whether nothing in the table depends on its other columns, so that the whole way would leave it as it
    is.
    """
    return (
        table.engine == "InnoDB"
        and table.row_format in (None, "DYNAMIC")
        and not (
            table.checks
            or table.foreign_keys
            or table.partitioning
            or table.partition_sql
            or table.system_versioned
            or table.gipk
        )
        and all(key.kind in _KEYS and not key.generated for key in table.keys)
        and all(part.column is not None for key in table.keys for part in key.parts)
        and all(
            one.generated is None
            and one.expression is None
            and not (one.default is not None and one.default.kind is DefaultKind.EXPRESSION)
            for one in table.columns
        )
    )


def _columns(drafts: list[ColumnDraft], table: Table, context: Context) -> list[Column]:
    """The new columns. Raises Refused, also for one that brings a CHECK."""
    validate.names(TableDraft(table.name, columns=drafts), context)
    context.charset, context.collation = table.charset, table.collation
    made = [defined_column.column(one, context, table.charset, table.collation) for one in drafts]
    for draft, one in zip(drafts, made, strict=True):
        validate.column(draft, one, context)
        if assemble.column_checks(draft, context):
            raise Refused("it has a CHECK", draft.span[0])
    return made


def _place(draft: ColumnDraft, columns: list[Column]) -> int | None:
    """Where a column goes; None behind one that is not there."""
    if draft.position is None:
        return len(columns)
    if draft.position == "":
        return 0
    folded = draft.position.casefold()
    behind = next((i for i, one in enumerate(columns) if one.name.casefold() == folded), None)
    return None if behind is None else behind + 1


def _widths(columns: list[Column] | tuple[Column, ...], table: Table, context: Context) -> Widths:
    kept = validate.kept(TableOptions(row_format=table.row_format), context.server)
    on_page = page_bytes(kept, mariadb=context.server.mariadb)
    return Widths(
        frozenset(name_rules.folded(one.name) for one in columns),
        sum(field_bytes(one.type) for one in columns),
        sum(on_page(one.type) for one in columns),
        sum(one.nullable for one in columns),
    )
