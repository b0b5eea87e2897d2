"""A table map event as a Table. What a log leaves out (binlog_row_metadata) is taken from the table that it
is held against, so that it is no difference; `unsaid` lists those columns.
"""

from __future__ import annotations

from functools import lru_cache

from schemacheck import knowledge
from schemacheck.binlog.events import table_map as t
from schemacheck.dataclass import replace
from schemacheck.model import Column, ColumnType, Key, KeyKind, KeyPart, Table
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import BLOBS, TEXTS
from schemacheck.model.table import DEFAULT_NULL

GIPK_FLAG = 4
_INTEGERS = {
    t.TINY: "tinyint",
    t.SHORT: "smallint",
    t.INT24: "mediumint",
    t.LONG: "int",
    t.LONGLONG: "bigint",
}
_OLD_TEMPORALS = {t.TIME: "time", t.DATETIME: "datetime", t.TIMESTAMP: "timestamp"}
_TEMPORALS = {t.TIME2: "time", t.DATETIME2: "datetime", t.TIMESTAMP2: "timestamp"}
#: Subtype numbers of the optional metadata (WKB).
_SHAPES = dict(
    zip(
        range(8),
        (
            "geometry",
            "point",
            "linestring",
            "polygon",
            "multipoint",
            "multilinestring",
            "multipolygon",
            "geometrycollection",
        ),
        strict=True,
    )
)
BINARY = "binary"


@lru_cache(maxsize=1024)
def charset_of(collation: int) -> str | None:
    """The character set of a collation's number, or None."""
    for name, spans in knowledge.load("collations")["charsets"].items():
        if any(first <= collation <= last for first, last in spans):
            return str(name)
    return None


def table_from_map(event: t.TableMap | t.TableDefinition, like: Table | None = None) -> Table:
    """The table behind a table map event; `like` lends what the log does not say (names: @1, @2, ...)."""
    table = event.table if isinstance(event, t.TableMap) else event
    columns = []
    wire = table.columns()
    gipk = bool(table.flags & GIPK_FLAG)
    twins = _twins(wire, gipk, like)
    for number, (column, twin) in enumerate(zip(wire, twins, strict=True), 1):
        name = column.name or (twin.name if twin else f"@{number}")
        default = DEFAULT_NULL if column.nullable else None
        invisible = column.visible is False if column.visible is not None else bool(twin and twin.invisible)
        columns.append(
            Column(
                name,
                column_type(column, twin.type if twin else None),
                column.nullable,
                default,
                invisible=invisible,
            )
        )
    keys = tuple(Key(KeyKind.PRIMARY, parts, "PRIMARY") for parts in (_key_parts(table, columns),) if parts)
    made = Table(table.name, tuple(columns), table.database, keys or (like.keys if like else ()), gipk=gipk)
    return (
        made
        if like is None
        else replace(made, engine=like.engine, foreign_keys=like.foreign_keys, incoming=like.incoming)
    )


def _twins(wire: tuple[t.WireColumn, ...], gipk: bool, like: Table | None) -> list[Column | None]:
    """For each column that of `like` at its position; a generated key on one side is passed over."""
    others = list(like.columns) if like else []
    if like and like.gipk and not gipk:
        others = others[1:]
    columns: list[Column | None] = [None] * (gipk and not (like and like.gipk))
    columns += others[: len(wire) - len(columns)]
    return columns + [None] * (len(wire) - len(columns))


def _key_parts(table: t.TableDefinition, columns: list[Column]) -> tuple[KeyPart, ...]:
    return tuple(
        KeyPart(columns[n].name, prefix or None) for n, prefix in table.primary_key() if n < len(columns)
    )


def unsaid(column: t.WireColumn) -> frozenset[str]:
    """What of a column the log leaves out: of `name`, `sign`, `charset`, `members`, `shape`, `dimension`."""
    missing = set()
    if column.name is None:
        missing.add("name")
    if column.type in t.NUMERIC and column.unsigned is None:
        missing.add("sign")
    if (column.type in t.CHARACTER or column.type in (t.ENUM, t.SET)) and (
        column.collation is None or charset_of(column.collation) is None
    ):
        missing.add("charset")
    if column.type in (t.ENUM, t.SET) and column.members is None:
        missing.add("members")
    if column.type == t.GEOMETRY and column.geometry is None:
        missing.add("shape")
    if column.type == t.VECTOR and column.dimension is None:
        missing.add("dimension")
    return frozenset(missing)


def column_type(column: t.WireColumn, like: ColumnType | None = None) -> ColumnType:
    """The type that has this wire image; `like` lends what is not said."""
    kind = column.type
    if kind in _INTEGERS:
        unsigned = column.unsigned if column.unsigned is not None else bool(like and like.unsigned)
        base = _INTEGERS[kind]
        same = like if like and like.base == base else None
        return ColumnType(
            base,
            unsigned=unsigned,
            zerofill=bool(same and same.zerofill and unsigned),
            display_width=same.display_width if same else None,
        )
    if kind == t.NEWDECIMAL:
        return ColumnType("decimal", column.length, column.scale, unsigned=_sign(column, like))
    if kind in (t.FLOAT, t.DOUBLE):
        base = "float" if kind == t.FLOAT else "double"
        same = like if like and like.base == base else None
        return ColumnType(
            base, same.length if same else None, same.scale if same else None, unsigned=_sign(column, like)
        )
    if kind == t.BIT:
        return ColumnType("bit", column.length)
    if kind == t.YEAR:
        return ColumnType("year")
    if kind in (t.DATE, t.NEWDATE):
        return ColumnType("date")
    if kind in _TEMPORALS:
        return ColumnType(_TEMPORALS[kind], column.length)
    if kind in _OLD_TEMPORALS:
        base = _OLD_TEMPORALS[kind]
        return ColumnType(base, like.length if like and like.base == base else 0, old_format=True)
    if kind in (t.ENUM, t.SET):
        return _enumeration(column, like)
    if kind == t.JSON:
        return ColumnType("json")
    if kind == t.VECTOR:
        return ColumnType("vector", column.dimension or (like.length if like and like.is_vector else None))
    if kind == t.GEOMETRY:
        text = _SHAPES.get(column.geometry) if column.geometry is not None else None
        return ColumnType(text or (like.base if like and like.is_geometry else "geometry"))
    if kind in (t.BLOB, t.BLOB_COMPRESSED):
        return _blob(column, like)
    return _string(column, like)


def _sign(column: t.WireColumn, like: ColumnType | None) -> bool:
    return column.unsigned if column.unsigned is not None else bool(like and like.unsigned)


def _charset(column: t.WireColumn, like: ColumnType | None, size: int) -> str:
    """The character set of the log, else the other table's if it fits, else one of a byte a character."""
    text = charset_of(column.collation) if column.collation is not None else None
    if text is not None:
        return text
    if like is not None and like.holds_bytes:
        return BINARY
    if (
        like is not None
        and like.charset
        and charsets.known(like.charset)
        and size % charsets.max_bytes(like.charset) == 0
    ):
        return like.charset
    if like is not None and like.is_address:
        return BINARY
    return "utf8mb4" if size and size % 4 == 0 else "utf8mb3" if size and size % 3 == 0 else "latin1"


def _string(column: t.WireColumn, like: ColumnType | None) -> ColumnType:
    compressed = column.type == t.VARCHAR_COMPRESSED
    size = column.length - compressed
    fixed = column.type == t.STRING
    fits = fixed and column.collation in (None, 63)
    if like is not None and fits and like.is_address and like.size == size:
        return ColumnType(like.base)
    if (
        like is not None
        and like.is_vector
        and not fixed
        and (like.length or 0) * 4 == size
        and column.collation in (None, 63)
    ):
        return ColumnType("vector", like.length)
    charset = _charset(column, like, size)
    if charset == BINARY:
        return ColumnType("binary" if fixed else "varbinary", size, compressed=compressed)
    length, rest = divmod(size, charsets.max_bytes(charset))
    if rest:  # cannot be: what was said does not fit the length
        return ColumnType("binary" if fixed else "varbinary", size, compressed=compressed)
    collation = like.collation if like and like.charset == charset else None
    return ColumnType(
        "char" if fixed else "varchar", length, charset=charset, collation=collation, compressed=compressed
    )


def _blob(column: t.WireColumn, like: ColumnType | None) -> ColumnType:
    compressed = column.type == t.BLOB_COMPRESSED
    place = min(max(column.length, 1), 4) - 1
    text = charset_of(column.collation) if column.collation is not None else None
    if text is None and like is not None and like.is_geometry:
        return ColumnType(BLOBS[place], compressed=compressed)
    charset = text or (like.charset if like and like.is_character else None)
    if charset and charset != BINARY:
        collation = like.collation if like and like.charset == charset else None
        return ColumnType(TEXTS[place], charset=charset, collation=collation, compressed=compressed)
    return ColumnType(BLOBS[place], compressed=compressed)


def _enumeration(column: t.WireColumn, like: ColumnType | None) -> ColumnType:
    base = "enum" if column.type == t.ENUM else "set"
    charset = (
        (charset_of(column.collation) if column.collation is not None else None)
        or (like.charset if like and like.base == base else None)
        or "utf8mb4"
    )
    if column.members is not None:
        codec = {
            "latin1": "cp1252",
            "utf8mb3": "utf-8",
            "utf8mb4": "utf-8",
            "ucs2": "utf-16-be",
            "utf16": "utf-16-be",
        }.get(charset, "utf-8")
        members = tuple(member.decode(codec, "backslashreplace") for member in column.members)
    elif like is not None and like.base == base and _pack_length(base, len(like.members)) == column.length:
        members = like.members
    else:
        count = (
            (256 if column.length == 2 else 1)
            if base == "enum"
            else {1: 1, 2: 9, 3: 17, 4: 25}.get(column.length, 33)
        )
        members = tuple(f"#{n}" for n in range(1, count + 1))
    collation = like.collation if like and like.base == base and like.charset == charset else None
    return ColumnType(base, members=members, charset=charset, collation=collation)


def _pack_length(base: str, count: int) -> int:
    if base == "enum":
        return 1 if count < 256 else 2
    size = max((count + 7) // 8, 1)
    return 8 if size > 4 else size
