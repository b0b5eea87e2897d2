"""CREATE TABLE whose lines came before: a table of what is known of each of its lines.

The tables of a dump differ in names; most of their definitions are the same few hundred texts. What
`assemble.table` would make of one and ask of it is kept by its text, with what a table sums up: bytes of
the row, of InnoDB's page, of keys. Where a line, or a sum, may need any other check, nothing is said here:
the whole statement is assembled then, so that every refusal is made there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache

from schemacheck.catalog import (
    assemble,
    compressed_pages,
    key_length,
    keyset,
    name_rules,
    naming,
    rowsize,
    table_options,
    validate,
)
from schemacheck.catalog.charsets import resolve
from schemacheck.catalog.context import Context
from schemacheck.catalog.defined_column import column_again
from schemacheck.catalog.line_constraints import Lead, constraints
from schemacheck.dataclass import dataclass, maker
from schemacheck.model import charset as charsets
from schemacheck.model import normal
from schemacheck.model.column_type import BLOBS, TEXTS, ColumnType
from schemacheck.model.location import Location
from schemacheck.model.server import Server
from schemacheck.model.table import (
    Check,
    Column,
    Default,
    DefaultKind,
    ForeignKey,
    Key,
    KeyKind,
    KeyPart,
    Table,
)
from schemacheck.sql.ddl import repeated
from schemacheck.sql.ddl.draft import ColumnDraft, TableDraft
from schemacheck.sql.ddl.lines import TableLines
from schemacheck.sql.flavor import KnownEnd
from schemacheck.sql.lexer import Refused

#: Formats of rows with no limits of their own.
_FORMATS = (None, "DEFAULT", "DYNAMIC")
_KINDS = {
    "primary": KeyKind.PRIMARY, "unique": KeyKind.UNIQUE, "index": KeyKind.INDEX,
    "fulltext": KeyKind.FULLTEXT,
}  # fmt: skip
#: Columns, and ends of tables, that are kept.
_MOST_COLUMNS, _MOST_ENDS = 4_096, 2_000
_ON = ("ON", "1")

_column, _key, _part, _location = maker(Column), maker(Key), maker(KeyPart), maker(Location)


@dataclass(frozen=True, slots=True)
class _Known:
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
_Columns = dict[str, _Known | None]


@dataclass(frozen=True, slots=True)
class _End:
    """What a server makes of a table's options, and which limits it has then. `keyless`: it may be without a
    primary key. `columns` are those of the tables of its character set and collation.
    """

    charset: str | None
    collation: str | None
    row_format: str | None
    options: tuple[tuple[str, str], ...]
    keyless: bool
    limits: tuple[int, int]
    columns: _Columns


@lru_cache(maxsize=16)
def _ends(server: Server) -> dict[tuple[str, str | None, str | None], _End | None]:
    """Ends of tables by their texts and the default character set and collation."""
    del server
    return {}


@lru_cache(maxsize=64)
def _columns(server: Server, charset: str | None, collation: str | None) -> _Columns:
    del server, charset, collation
    return {}


def table(
    found: TableLines, context: Context, text: str, database: str | None,
    find: Callable[[str | None, str], Table | None],
) -> Table | None:  # fmt: skip
    """The Table of a statement; None: it is to be assembled from its draft. `find` gives a table that is
    there before it.
    """
    rest, name = found.rest, found.rest.name
    if (
        rest.periods or rest.options.system_versioned
        or not name_rules.is_plain(name) or name[:4].lower() == "fts_"
    ):  # fmt: skip
        return None
    end = _end(found, context)
    # Lines of the statement are lines of the file.
    starts, places = context.lines.starts, [context.offset + one for one in found.starts]
    row = bisect_right(starts, places[0])
    if end is None or starts[row - 1 : row - 1 + len(places)] != places:
        return None
    known: dict[str, tuple[str, _Known]] = {}
    columns: list[Column] = []
    bytes_, page, nullable = 0, 0, 0
    counted = ""
    file, kept = context.lines.file, end.columns
    for line in found.columns:
        if isinstance(line, ColumnDraft):
            return None
        written, index, lead, behind, draft = line
        one = kept.get(behind)
        if one is None and (behind in kept or (one := _remember(draft, behind, end, context)) is None):
            return None
        small = written.lower()
        if not name_rules.is_plain(written) or small in known:
            return None
        if one.auto_increment:
            if counted:
                return None
            counted = small
        known[small] = written, one
        bytes_ += one.row
        page += one.page
        nullable += one.nullable
        columns.append(
            _column(
                written, one.type, one.nullable, one.default, one.on_update, one.auto_increment,
                location=_location(file, row + index, lead + 1, None, lead + len(written) + one.end),
                attributes=one.attributes,
            )
        )  # fmt: skip
    nulls = (nullable + 7) // 8
    if (
        not columns
        or len(columns) > validate.MOST_INNODB_COLUMNS
        or bytes_ + nulls > rowsize.LONGEST_ROW
        or page + nulls > validate.PAGE_ROOM
    ):
        return None
    leads: list[Lead] = []
    keys = _keys(found, known, end, row, context, leads)
    if keys is None or (counted and not any(one.parts[0].column == known[counted][0] for one in keys)):
        return None
    order = normal.unique_order(keys, {one.name.lower(): one for one in columns})
    if not (end.keyless or order[:1] == ("PRIMARY",)):
        return None
    ordered = normal.keys(keys)
    checks: tuple[Check, ...] = ()
    foreign: tuple[ForeignKey, ...] = ()
    if rest.checks or rest.foreign_keys:
        charset = end.charset, end.collation
        try:
            made = constraints(rest, columns, ordered, leads, context, database, charset, find)
        except Refused:
            return None
        if made is None:
            return None
        checks, foreign = made
    return Table(
        name, tuple(columns), database, ordered, checks, foreign, engine="InnoDB", charset=end.charset,
        collation=end.collation, location=context.location((rest.name_at, rest.name_end)), text=text,
        unique_order=order, row_format=end.row_format, options=end.options,
    )  # fmt: skip


def _keys(
    found: TableLines, known: dict[str, tuple[str, _Known]], end: _End, row: int, context: Context,
    leads: list[Lead],
) -> list[Key] | None:  # fmt: skip
    """The keys in the order of their lines, and what each may be to a foreign key; None where one is to be
    looked at.
    """
    keys: list[Key] = []
    taken: set[str] = set()
    each, all_ = end.limits
    file, ascends = context.lines.file, _ascends(context.server)
    for line in found.keys if len(found.keys) <= keyset.MOST_KEYS else ():
        if not isinstance(line, tuple) or not line[0].plain:
            return None
        said, index, pieces = line
        key, names = said.key, pieces[1::2]
        if key.kind == "primary":
            name, small = "PRIMARY", "primary"
        else:
            name = names[0]
            small = name.lower()
            if small in ("primary", "gen_clust_index", "fts_doc_id_index") or not name_rules.is_plain(name):
                return None
        if small in taken or len(key.parts) > keyset.MOST_PARTS:
            return None
        taken.add(small)
        parts, lead, size = [], [], 0
        there: set[str] = set()
        for part, written in zip(key.parts, names[len(names) - len(key.parts) :], strict=True):
            folded = written.lower()
            column = known.get(folded)
            if column is None or folded in there:
                return None
            there.add(folded)
            if key.kind == "fulltext":
                if not _has_words(column[1].type):
                    return None
                parts.append(_part(column[0], None, None, part.descending))
                continue
            length, bytes_ = part.length, column[1].key
            if length is not None:
                length, bytes_ = _prefix(length, column[1].type, context)
            if not 0 < bytes_ <= each or (key.kind == "primary" and not column[1].primary):
                return None
            size += bytes_
            parts.append(_part(column[0], length, None, part.descending))
            lead.append("" if part.length is not None or (ascends and part.descending) else folded)
        if size > all_:
            return None
        if key.kind == "fulltext":
            if len({known[one][1].type.collation for one in there}) > 1:
                return None
        else:
            leads.append(lead)
        length = found.starts[index + 1] - 1 - found.starts[index]
        place = _location(file, row + index, said.lead + 1, None, length - said.tail + 1)
        made = _key(_KINDS[key.kind], tuple(parts), name, location=place, attributes=tuple(key.attributes))
        keys.append(made)
    return keys if len(keys) == len(found.keys) else None


def _ascends(server: Server) -> bool:
    """Whether a key that goes down serves no foreign key (`reference_keys`)."""
    return server.has("data-dictionary") and not server.mariadb


def _has_words(kind: ColumnType) -> bool:
    """Whether a full-text key takes a column of this type on each server."""
    text = kind.is_text or (kind.base in ("char", "varchar") and kind.length != 0)
    return text and kind.charset not in charsets.WIDE


def _prefix(length: int, kind: ColumnType, context: Context) -> tuple[int | None, int]:
    """A key's prefix of a column (None: all of it) and its bytes; no bytes where more is to be asked, as of
    the n of TEXT(n) before MySQL 8.0.
    """
    counted = kind.base in ("char", "varchar", "binary", "varbinary")
    server = context.server
    if not counted and not (
        kind.base in (*TEXTS, *BLOBS) and (server.mariadb or server.has("blob-prefix-checked"))
    ):
        return None, 0
    try:
        made = key_length.prefix(length, kind, None, KeyKind.INDEX, context, _refused)
    except Refused:
        return None, 0
    if made not in (None, length):
        # What is cut without strict mode is refused of a unique key.
        return None, 0
    return made, rowsize.key_bytes(_column("", kind), made)


def _refused(why: str, number: int) -> Refused:
    return Refused(why, 0, "SC002", number)


def _end(found: TableLines, context: Context) -> _End | None:
    """What is known of a table's last line; None: not enough."""
    ends, key = _ends(context.server), (found.general, context.charset, context.collation)
    if key not in ends:
        made = _settle(context.flavor.endings[found.general], context)
        if len(ends) >= _MOST_ENDS:
            del ends[next(iter(ends))]
        ends[key] = made
    return ends[key]


def _settle(last: KnownEnd, context: Context) -> _End | None:
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
    return _End(
        charset, collation, None if options.row_format == "DEFAULT" else options.row_format,
        tuple(sorted(options.written.items())),
        not any(server.setting(one).upper() in _ON for one in required),
        key_length.longest(engine, options.row_format, server), _columns(server, charset, collation),
    )  # fmt: skip


def _remember(draft: ColumnDraft, behind: str, end: _End, context: Context) -> _Known | None:
    """Keep what is made of a column's definition, whose places are counted from its name's end."""
    made = _known(draft, context, end)
    if len(end.columns) >= _MOST_COLUMNS:
        del end.columns[next(iter(end.columns))]
    end.columns[behind] = made
    return made


def _known(draft: ColumnDraft, context: Context, end: _End) -> _Known | None:
    """None where other columns, or other checks than those of a column alone, have a say."""
    alone = repeated.placed(draft, "a", 0, 3)
    server = context.server
    if (
        alone.keys or alone.type_text[:6].lower() == "serial" or alone.compressed or alone.invisible
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
            or kind.is_geometry or kind.base == "vector" or assemble.column_checks(alone, context)
        ):  # fmt: skip
            return None
        on_page = rowsize.page_bytes(validate.kept(TableDraft("t").options, server), mariadb=server.mariadb)
        return _Known(
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
