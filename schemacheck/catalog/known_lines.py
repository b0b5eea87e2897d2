"""What is kept of the lines that CREATE TABLE statements say again and again: columns by what stands behind
their names, ends of tables by their options.
"""

from __future__ import annotations

from functools import lru_cache

from schemacheck.catalog import (
    assemble,
    compressed_pages,
    key_length,
    members,
    naming,
    rowsize,
    table_options,
    validate,
)
from schemacheck.catalog.charsets import resolve
from schemacheck.catalog.context import Context
from schemacheck.catalog.defined_column import column_again
from schemacheck.dataclass import dataclass
from schemacheck.model.column_type import ColumnType
from schemacheck.model.server import Server
from schemacheck.model.table import Column, Default, DefaultKind
from schemacheck.sql.ddl import lines, repeated
from schemacheck.sql.ddl.draft import ColumnDraft, TableDraft
from schemacheck.sql.ddl.lines import TableLines
from schemacheck.sql.flavor import KnownEnd
from schemacheck.sql.lexer import Refused

#: Formats of rows with no limits of their own.
_FORMATS = (None, "DEFAULT", "DYNAMIC")
#: Columns, and ends of tables, that are kept.
_MOST_COLUMNS, _MOST_ENDS = 4_096, 2_000
_ON = ("ON", "1")


@dataclass(frozen=True, slots=True)
class Known:
    """What a server makes of a column's definition, whatever its name; `end`: characters of it up to the
    comma. `row`, `page` and `key` are bytes: of the record, of InnoDB's page, and of a key's part (0: a key
    of it is looked at). `primary`: the primary key leaves it as it is.
    """

    type: ColumnType
    nullable: bool
    default: Default | None
    on_update: bool
    auto_increment: bool
    attributes: tuple[str, ...]
    end: int
    row: int
    page: int
    key: int
    primary: bool


#: By the texts of definitions; None: not known without the other columns.
Columns = dict[str, Known | None]


@dataclass(frozen=True, slots=True)
class End:
    """What a server makes of a table's options, and which limits it has then. `keyless`: it may be without a
    primary key. `columns` are those of the tables of its character set and collation.
    """

    charset: str | None
    collation: str | None
    row_format: str | None
    options: tuple[tuple[str, str], ...]
    keyless: bool
    limits: tuple[int, int]
    columns: Columns


@lru_cache(maxsize=16)
def _ends(server: Server) -> dict[tuple[str, str | None, str | None], End | None]:
    """Ends of tables by their texts and the default character set and collation."""
    del server
    return {}


@lru_cache(maxsize=64)
def _columns(server: Server, charset: str | None, collation: str | None) -> Columns:
    del server, charset, collation
    return {}


def end_of(found: TableLines, context: Context) -> End | None:
    """What is known of a table's last line; None: not enough, the table is assembled."""
    ends, key = _ends(context.server), (found.general, context.charset, context.collation)
    if key not in ends:
        made = _settle(context.flavor.endings[found.general], context)
        if len(ends) >= _MOST_ENDS:
            del ends[next(iter(ends))]
        ends[key] = made
    return ends[key]


def _settle(last: KnownEnd, context: Context) -> End | None:
    options, server = last.options, context.server
    alone = TableDraft("t", options=options)
    if (
        options.row_format not in _FORMATS or options.engine_options or options.system_versioned
        or compressed_pages.page(options) is not None
    ):  # fmt: skip
        return None
    try:
        charset, collation = resolve(
            options.charset, options.collation, (context.charset, context.collation), server, 0
        )
        engine = naming.engine(options.engine, context)
        table_options.check(alone, engine or "InnoDB", context)
    except Refused:
        return None
    if engine != "InnoDB":
        return None
    required = ("sql_require_primary_key", "sql_generate_invisible_primary_key")
    return End(
        charset, collation, None if options.row_format == "DEFAULT" else options.row_format,
        tuple(sorted(options.written.items())),
        not any(server.setting(one).upper() in _ON for one in required),
        key_length.longest(engine, options.row_format, server), _columns(server, charset, collation),
    )  # fmt: skip


def remember(behind: str, end: End, context: Context) -> Known | None:
    """Keep what is made of a column's definition, the text behind its name that was parsed before; None where
    it was not, or where the table is to be assembled.
    """
    draft = lines.definition(behind, context.flavor)
    if draft is None:
        return None
    made = _known(draft, context, end)
    if len(end.columns) >= _MOST_COLUMNS:
        del end.columns[next(iter(end.columns))]
    end.columns[behind] = made
    return made


def _known(draft: ColumnDraft, context: Context, end: End) -> Known | None:
    """Of a draft whose places are counted from the end of its column's name; None where other columns, or
    other checks than those of a column alone, have a say.
    """
    alone = repeated.placed(draft, "a", 0, 3)
    server = context.server
    if (
        alone.keys or alone.type_text[:6].lower() == "serial" or alone.compressed or alone.invisible
        or alone.versioned
        or alone.srid is not None or alone.engine_options or len(alone.comment or "") > validate.MOST_COMMENT
    ):  # fmt: skip
        return None
    try:
        made = column_again(alone, context, end.charset, end.collation)
        validate.column(alone, made, context)
        stamps = [made, made]
        assemble.timestamps([alone, alone], stamps, context)
        kind = made.type
        if (
            any(one is not made for one in stamps) or made.generated is not None or made.invisible
            or (made.default is not None and made.default.kind is DefaultKind.EXPRESSION)
            or kind.is_geometry or kind.base == "vector" or members.shares(kind, server)
            or assemble.column_checks(alone, context)
        ):  # fmt: skip
            return None
        on_page = rowsize.page_bytes(validate.kept(TableDraft("t").options, server), mariadb=server.mariadb)
        return Known(
            kind, made.nullable, made.default, made.on_update, made.auto_increment, made.attributes,
            draft.span[1] + 3, rowsize.field_bytes(kind), on_page(kind), key_length.whole(kind) or 0,
            _stays(alone, made, context),
        )  # fmt: skip
    except (Refused, KeyError):
        return None


def _stays(draft: ColumnDraft, made: Column, context: Context) -> bool:
    """Whether the primary key leaves a column as it is."""
    try:
        return assemble.not_null(made, draft, context) == made
    except Refused:
        return False
