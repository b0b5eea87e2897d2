"""What a server refuses in a table as a whole: names, column attributes, options, partitions, references."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from schemacheck.catalog import keyset, name_rules, rowsize, table_options
from schemacheck.catalog.context import Context
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.partitioning import Partitioning
from schemacheck.model.server import Server
from schemacheck.model.storage_engine import page_size
from schemacheck.model.table import Column, DefaultKind, Key, KeyKind
from schemacheck.sql.ddl.draft import ColumnDraft, TableDraft, TableOptions
from schemacheck.sql.lexer import Refused, unasked

MOST_COMMENT = 1024
#: InnoDB's most columns, its three own not counted; and those of every other engine.
MOST_INNODB_COLUMNS, _MOST_COLUMNS = 1017, 4096
#: InnoDB's longest record on a page of 16 kB, and its overhead in the DYNAMIC and COMPACT formats.
_PAGE_RECORD, _HEADER, _SYSTEM = 8126, 5, 19
#: What is left of it for columns and their NULL bits.
PAGE_ROOM = _PAGE_RECORD - _HEADER - _SYSTEM


def names(draft: TableDraft, context: Context) -> None:
    """Names of the table and its columns: length, trailing blanks, twice."""
    name_rules.check(draft.name, draft.name_at)
    seen: set[str] = set()
    for item in draft.columns:
        name_rules.check(item.name, item.span[0])
        small = name_rules.folded(item.name)
        if small in seen:
            raise Refused(f"column {item.name!r} is defined twice", item.span[0], 1060, name=item.name)
        seen.add(small)
        if item.comment is not None and len(item.comment) > MOST_COMMENT and context.strict:
            raise unasked(f"so long a comment of column {item.name!r}", item.span[0])
    if context.server.mariadb and draft.name_is_astral:
        raise unasked("a name with characters beyond utf8mb3", draft.name_at)


def column(draft: ColumnDraft, made: Column, context: Context) -> None:
    """One column's attributes."""
    kind, old, server = made.type, draft.replaces, context.server
    whole = kind.is_integer or (kind.is_approximate and not server.has("real-auto-increment-refused"))
    moves = draft.on_update is None or (kind.is_moment and draft.on_update == kind.fraction)
    # MariaDB takes more digits than the column has, and NOW() for any.
    fewer = draft.on_update_digits and (draft.on_update or 0) < kind.fraction
    moves |= kind.is_moment and server.mariadb and not fewer
    valued = draft.default is not None or draft.on_update is not None or draft.auto_increment
    # MariaDB converts few of these in ALTER TABLE (`check_assignability_from`).
    apart = old is not None and old.base != kind.base
    apart = apart and any(each.is_geometry or each.is_address for each in (old, kind) if each is not None)
    if (
        (made.auto_increment and not whole)
        or not moves
        or (apart and server.mariadb)
        or (made.generated is not None and valued)
        or (made.invisible and server.mariadb and not (made.has_default or made.generated or made.nullable))
    ):
        raise unasked(f"these attributes of column {made.name!r}", draft.span[0])


def table(
    draft: TableDraft, columns: Sequence[Column], keys: Sequence[Key], engine: str, context: Context
) -> None:
    """The whole table."""
    at = draft.name_at
    most = MOST_INNODB_COLUMNS if engine == "InnoDB" else _MOST_COLUMNS
    if (
        len(columns) > most
        or all(item.invisible for item in columns)
        or (engine == "InnoDB" and draft.name.lower().startswith("fts_"))
    ):
        raise unasked(f"{len(columns)} such columns in a table of this name", at)
    if (
        engine == "InnoDB"
        and _needs(columns, draft.options, context.server) > PAGE_ROOM
        and (
            table_options.is_strict(context.server)
            or (context.strict and not context.server.has("innodb-strict-mode"))
        )
    ):
        raise Refused(f"the row is too large for InnoDB: more than {_PAGE_RECORD} bytes on a page", at, 1118)
    if engine == "InnoDB":
        name_rules.of_innodb(columns, keys, at)
    if context.server.setting("sql_require_primary_key").upper() in ("ON", "1") and not any(
        key.kind is KeyKind.PRIMARY for key in keys
    ):
        raise Refused("sql_require_primary_key is set and the table has no primary key", at, 3750)
    if why := _odd(columns, keys, engine, context):
        raise Refused(f"whether a server takes {why} in a table of {engine} is not known", at)
    if engine == "MEMORY" and any(item.type.is_lob for item in columns):
        raise Refused("MEMORY has no BLOB and TEXT columns", at, 1163)
    for element in columns if context.server.mariadb else ():
        if element.invisible and not (element.nullable or element.has_default):
            raise unasked(f"an invisible column {element.name!r} without a default value", at)
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
    """Whether an engine may refuse a column: a geometry or JSON, or one with an expression as its default."""
    computed = column.default is not None and column.default.kind is DefaultKind.EXPRESSION
    return computed or (column.type.is_off_page and not column.type.is_lob)


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
            raise unasked("PARTITION BY KEY () without a primary or unique key", at)
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
