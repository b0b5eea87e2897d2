"""What a server refuses in a table as a whole: names, column attributes, options, partitions, references."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter

from schemacheck.catalog import keyset, name_rules, rowsize, table_options
from schemacheck.catalog.context import Context
from schemacheck.model.column_type import ColumnType
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.partitioning import Partitioning
from schemacheck.model.server import Server
from schemacheck.model.storage_engine import page_size
from schemacheck.model.table import Column, DefaultKind, Key, KeyKind
from schemacheck.sql.ddl.draft import ColumnDraft, TableDraft, TableOptions
from schemacheck.sql.lexer import Refused

MOST_COMMENT = 1024
#: InnoDB's most columns, its three own not counted; and those of every other engine.
MOST_INNODB_COLUMNS, _MOST_COLUMNS = 1017, 4096
#: Names of the tables of InnoDB's full-text keys (asked of 9.7; 5.6, 10.11 and 11.8 permit them).
_FULLTEXT_TABLE = re.compile(
    r"fts_[0-9a-f]{16}_(?:(?:being_)?deleted(?:_cache)?|added|config|[0-9a-f]{16}_(?:doc_id|index_[1-6]))",
    re.IGNORECASE | re.ASCII,
)
#: InnoDB's longest record on a page of 16 kB, and its overhead in the DYNAMIC and COMPACT formats.
_PAGE_RECORD, _HEADER, _SYSTEM = 8126, 5, 19
#: What is left of it for columns and their NULL bits.
PAGE_ROOM = _PAGE_RECORD - _HEADER - _SYSTEM


def names(draft: TableDraft, context: Context) -> None:
    """Names of the table and its columns: length, trailing blanks, twice."""
    name_rules.table(draft.name, draft.name_at, context.server)
    seen: set[str] = set()
    for item in draft.columns:
        name_rules.column(item.name, item.span[0])
        small = name_rules.folded(item.name)
        if small in seen:
            raise Refused(f"column {item.name!r} is defined twice", item.span[0], 1060, name=item.name)
        seen.add(small)
        if item.comment is not None and len(item.comment) > MOST_COMMENT and context.strict:
            raise Refused(
                f"the comment of column {item.name!r} is longer than {MOST_COMMENT} characters",
                item.span[0],
                1629,
            )
    if context.server.mariadb and draft.name_is_astral:
        raise Refused("the name holds characters beyond utf8mb3", draft.name_at, 1300)


def column(draft: ColumnDraft, made: Column, context: Context) -> None:
    """One column's attributes."""
    at = draft.span[0]
    server = context.server
    if made.auto_increment and not (
        made.type.is_integer or (made.type.is_approximate and not server.has("real-auto-increment-refused"))
    ):
        raise Refused(f"column {made.name!r}: a {made.type} cannot be AUTO_INCREMENT", at, 1063)
    if draft.on_update is not None and (
        not made.type.is_moment
        or (draft.on_update != made.type.fraction and not server.mariadb)
        # MariaDB takes more digits than the column has (`Column_definition::check`; asked of 10.11, 11.8).
        or (draft.on_update_digits and draft.on_update < made.type.fraction)
    ):
        raise Refused(f"column {made.name!r} has an invalid ON UPDATE clause", at, 1294)
    strict = server.mariadb and context.strict
    column_type = draft.replaces if strict and made.generated is None else None
    if column_type is not None and not _assignable(column_type, made.type):
        why = f"column {made.name!r}: a {draft.replaces} does not become a {made.type}"
        raise Refused(why, at, 4078)
    valued = draft.default is not None or draft.on_update is not None or draft.auto_increment
    if made.generated is not None and valued:
        why = f"column {made.name!r}: a generated column takes no DEFAULT, ON UPDATE or AUTO_INCREMENT"
        raise Refused(why, at, 1221)
    if (
        made.invisible
        and server.mariadb
        and not made.has_default
        and made.generated is None
        and not made.nullable
    ):
        raise Refused(f"invisible column {made.name!r} must have a default value", at, 4108)


def _assignable(old: ColumnType, new: ColumnType) -> bool:
    """Whether MariaDB converts a column in ALTER TABLE (`check_assignability_from`)."""
    kinds = {_apart(column_type) for column_type in (old, new)}
    return len(kinds) == 1 or kinds in ({"inet4", "inet6"}, {"string", *(kinds - {"string"})})


def _apart(kind: ColumnType) -> str:
    if kind.is_geometry:
        return "geometry"
    if kind.is_address:
        return kind.base
    return "string" if kind.charset or kind.is_blob or kind.is_byte_string else "other"


def table(
    draft: TableDraft, columns: Sequence[Column], keys: Sequence[Key], engine: str, context: Context
) -> None:
    """The whole table."""
    at = draft.name_at
    most = MOST_INNODB_COLUMNS if engine == "InnoDB" else _MOST_COLUMNS
    if len(columns) > most:
        raise Refused(f"too many columns: at most {most}", at, 1117)
    if all(item.invisible for item in columns):
        raise Refused("a table must have at least one visible column", at, 1113)
    if (
        engine == "InnoDB"
        and _needs(columns, draft.options, context.server) > PAGE_ROOM
        and (
            table_options.is_strict(context.server)
            or (context.strict and not context.server.has("innodb-strict-mode"))
        )
    ):
        raise Refused(f"the row is too large for InnoDB: more than {_PAGE_RECORD} bytes on a page", at, 1118)
    if engine == "InnoDB" and context.server.has("data-dictionary") and _FULLTEXT_TABLE.fullmatch(draft.name):
        raise Refused(f"{draft.name!r} is a name of InnoDB's full-text tables", at, 1103)
    if engine == "InnoDB":
        name_rules.of_innodb(columns, keys, at)
    if context.server.setting("sql_require_primary_key").upper() in ("ON", "1") and not any(
        key.kind is KeyKind.PRIMARY for key in keys
    ):
        raise Refused("sql_require_primary_key is set and the table has no primary key", at, 3750)
    if why := _odd(columns, keys, engine, context):
        raise Refused(f"whether a server takes {why} in a table of {engine} is not known", at)
    if engine == "MEMORY" and any(_is_blob(item.type, mariadb=context.server.mariadb) for item in columns):
        raise Refused("MEMORY has no BLOB and TEXT columns", at, 1163)
    for element in columns if context.server.mariadb else ():
        if element.invisible and not (element.nullable or element.has_default):
            raise Refused(f"invisible column {element.name!r} must have a default value", at, 4108)
    table_options.check(draft, engine, context)
    _compressed_pages(draft, columns, keys, engine, context)


#: What a page and each of its columns take beside the values.
_PAGE_OWN, _PAGE_EACH = 200, 4
#: Bytes of a long column that stay on the page of its record, with its length.
_LOCAL = {True: 258, False: 42}


def _compressed_pages(
    draft: TableDraft, columns: Sequence[Column], keys: Sequence[Key], engine: str, context: Context
) -> None:
    """Refuse an index whose records may not fit a compressed page (1118). Raises Refused."""
    server = context.server
    size = page(draft.options)
    old = not server.mariadb and not server.has("data-dictionary")
    if engine != "InnoDB" or size is None or not (table_options.is_strict(server) or old):
        return
    byname = {column.name.casefold(): column for column in columns}
    record = sum(_on_page(column, mariadb=server.mariadb) + _PAGE_EACH for column in columns)
    widths = [
        sum(rowsize.key_bytes(column, part.length) + _PAGE_EACH for part in key.parts
            if (column := byname.get((part.column or "").casefold())) is not None)
        for key in keys
    ]  # fmt: skip
    # A page takes two records of an index, which has the columns of the primary key too.
    if max(record, 4 * max(widths, default=0)) + _PAGE_OWN > size:
        why = f"whether records fit compressed pages of {size} bytes is not known: only a server can tell"
        raise Refused(why, draft.name_at)


def _on_page(column: Column, *, mariadb: bool) -> int:
    """The most bytes of a column on the page of its record."""
    kind = column.type
    if kind.charset is None and not kind.is_off_page:
        return rowsize.field_bytes(kind)
    local = _LOCAL[mariadb]
    most = local if kind.is_geometry or kind.is_json or kind.is_vector else rowsize.key_bytes(column, None)
    return min(most, max(local, rowsize.field_bytes(kind) if kind.is_char else 0))


def page(options: TableOptions) -> int | None:
    """`storage_engine.size` of a definition's options."""
    block = options.others.get("key_block_size") or options.written.get("KEY_BLOCK_SIZE", "0")
    return page_size(options.row_format, block)


_GENERATED = attrgetter("generated")
_PERIOD = ("row start", "row end")
#: Engines of which few things were asked.
_RARE = frozenset(("ARCHIVE", "BLACKHOLE", "CSV", "MEMORY"))


def _odd(columns: Sequence[Column], keys: Sequence[Key], engine: str, context: Context) -> str:
    """What of columns and keys an engine refuses, or may; '' for nothing."""
    mariadb, plain = context.server.mariadb, engine == "InnoDB"
    if plain and not any(map(_GENERATED, columns)) and all(part.column for key in keys for part in key.parts):
        return ""
    made = {
        item.name.casefold(): item for item in columns if item.generated and item.expression not in _PERIOD
    }
    full = [key for key in keys if key.kind in (KeyKind.FULLTEXT, KeyKind.SPATIAL)]
    if engine in _RARE and (made or full or any(map(_is_rare, columns))):
        return "such columns and keys"
    if (engine in ("ARCHIVE", "CSV") and keys) or (engine == "CSV" and any(c.nullable for c in columns)):
        return "keys or nullable columns"
    if not (plain or mariadb) and any(item.type.srid for item in columns):
        return "such a geometry"
    # MariaDB has no primary key on generated columns, MySQL none on virtual ones.
    serves = {name for name, item in made.items() if mariadb or item.generated == "virtual"}
    virtual = {name for name, item in made.items() if item.generated == "virtual"}
    for key in keys:
        if key.kind is KeyKind.PRIMARY and not serves.isdisjoint(key.folded):
            return "a primary key of a generated column"
        keyed = not virtual.isdisjoint(key.folded) or "" in key.folded
        if keyed and (key in full or not (plain or (mariadb and engine == "MyISAM"))):
            return "a key of a virtual column"
    return ""


def _is_rare(column: Column) -> bool:
    """Whether an engine may refuse a column: a geometry, or one with an expression as its default."""
    computed = column.default is not None and column.default.kind is DefaultKind.EXPRESSION
    return computed or column.type.is_geometry


def bytes_on_page(options: TableOptions, server: Server) -> int:
    """Bytes of a long column that stay on the page: 40, in ROW_FORMAT=COMPACT 768 and a pointer of 20 (the
    servers' message says so; recorded on 9.7.4 and 10.11.19, not so on 5.6.24).
    """
    checked = server.mariadb or server.has("data-dictionary")
    return 788 if options.row_format == "COMPACT" and checked else 40


def _needs(columns: Sequence[Column], options: TableOptions, server: Server) -> int:
    """The least that InnoDB must keep on the page of a record."""
    if options.row_format in ("COMPRESSED", "REDUNDANT"):
        return 0
    stays = bytes_on_page(options, server)
    total = bits = 0
    for item in columns:
        if item.generated != "virtual":
            total += rowsize.page_bytes(item.type, stays, mariadb=server.mariadb)
            bits += item.nullable
    return total + (bits + 7) // 8


def _is_blob(kind: ColumnType, *, mariadb: bool) -> bool:
    return kind.is_lob or kind.is_json or (kind.is_vector and not mariadb)


def partitions(
    draft: TableDraft,
    whole: Partitioning | None,
    columns: Sequence[Column],
    keys: Sequence[Key],
    order: Sequence[str],
    engine: str,
    context: Context,
) -> None:
    """Refuse what a partitioned table of these columns and keys cannot be; `order` is that of unique keys."""
    if whole is None:
        return
    at, server = draft.name_at, context.server
    if (
        (engine != "InnoDB" and server.has("native-partitioning-only"))
        or (not server.has("partitioned-geometry") and any(item.type.is_geometry for item in columns))
        or (any(key.kind is KeyKind.FULLTEXT for key in keys) and not server.mariadb)
    ):
        raise Refused(f"whether a server partitions such a table of {engine} is not known", at)
    unique = [key for key in keys if key.unique and not keyset.is_hashed(key, columns)]
    serving = keyset.serving(keys, {item.name.casefold(): item for item in columns}, order)
    method = whole.method
    if method.word == "KEY" and not method.columns:
        if serving is None:
            raise Refused("PARTITION BY KEY () needs a primary or unique key", at, 1488)
        used = [(part.column or "").casefold() for part in serving.parts]
    else:
        named = method.columns or columns_of(method.expression or "", context.modes)
        used = [name.casefold() for name in named]
    for key in unique:
        parts = {(part.column or "").casefold() for part in key.parts if part.length is None}
        missing = [name for name in used if name not in parts]
        if missing:
            why = f"key {key.name!r} must include column {missing[0]!r} of the partitioning function"
            kind = "PRIMARY KEY" if key.kind is KeyKind.PRIMARY else "UNIQUE INDEX"
            raise Refused(why, at, 1503, kind=kind)
