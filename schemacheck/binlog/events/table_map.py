"""TABLE_MAP_EVENT: what the source's table looks like, as the rows events behind it need it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from schemacheck.binlog.cursor import Cursor, bit, text
from schemacheck.binlog.errors import ShortRead
from schemacheck.binlog.header import Format, Header
from schemacheck.dataclass import dataclass

T = TypeVar("T")

#: Type codes (field_types.h). Real types of ENUM and SET hide in the metadata of STRING.
(
    DECIMAL,
    TINY,
    SHORT,
    LONG,
    FLOAT,
    DOUBLE,
    NULL,
    TIMESTAMP,
    LONGLONG,
    INT24,
    DATE,
    TIME,
    DATETIME,
    YEAR,
    NEWDATE,
    VARCHAR,
    BIT,
) = range(17)
TIMESTAMP2, DATETIME2, TIME2, TYPED_ARRAY = 17, 18, 19, 20
BLOB_COMPRESSED, VARCHAR_COMPRESSED = 140, 141
VECTOR, JSON, NEWDECIMAL, ENUM, SET = 242, 245, 246, 247, 248
TINY_BLOB, MEDIUM_BLOB, LONG_BLOB, BLOB, VAR_STRING, STRING, GEOMETRY = range(249, 256)

INTEGERS = {TINY: 1, SHORT: 2, INT24: 3, LONG: 4, LONGLONG: 8}
NUMERIC = frozenset({*INTEGERS, FLOAT, DOUBLE, NEWDECIMAL, DECIMAL})
#: Types that the metadata of character sets counts, beside ENUM and SET.
CHARACTER = frozenset(
    {
        VARCHAR,
        VAR_STRING,
        STRING,
        TINY_BLOB,
        MEDIUM_BLOB,
        LONG_BLOB,
        BLOB,
        BLOB_COMPRESSED,
        VARCHAR_COMPRESSED,
    }
)

#: Bytes of metadata by type; a type that is not here has none.
METADATA_BYTES = {
    FLOAT: 1, DOUBLE: 1, BLOB: 1, TINY_BLOB: 1, MEDIUM_BLOB: 1, LONG_BLOB: 1, GEOMETRY: 1, JSON: 1, VECTOR: 1,
    TIME2: 1,
    DATETIME2: 1, TIMESTAMP2: 1, BLOB_COMPRESSED: 1, BIT: 2, VARCHAR: 2, VAR_STRING: 2, VARCHAR_COMPRESSED: 2,
    NEWDECIMAL: 2,
    ENUM: 2, SET: 2, STRING: 2,
}  # fmt: skip
KNOWN_TYPES = frozenset(
    {*METADATA_BYTES, *INTEGERS, DECIMAL, NULL, TIMESTAMP, DATE, TIME, DATETIME, YEAR, NEWDATE, TYPED_ARRAY}
)


@dataclass(frozen=True, slots=True)
class WireColumn:
    """One column as the log describes it.

    `type` is the real type (ENUM and SET told apart from STRING); `length` is bytes for strings and
    pack length for BLOBs, ENUM and SET, bits for BIT, precision for NEWDECIMAL, fractional digits
    for temporals; `scale` that of NEWDECIMAL; `metadata` as it is sent. What only the optional
    metadata tells is None where it was not sent: `unsigned`, `collation` (its number), `name`,
    `members` of ENUM and SET (bytes in their character set), `geometry` (subtype), `dimension`, `visible`.
    """

    type: int
    length: int
    scale: int
    metadata: int
    nullable: bool
    unsigned: bool | None = None
    collation: int | None = None
    name: str | None = None
    members: tuple[bytes, ...] | None = None
    geometry: int | None = None
    dimension: int | None = None
    visible: bool | None = None
    array_of: int | None = None


@dataclass(frozen=True, slots=True)
class TableDefinition:
    """The body of a TABLE_MAP_EVENT behind the table's number; equal for every event of an unchanged table.

    `types` and `metadata` are per column, as sent; `optional` is the optional metadata, raw.
    `primary_key` counts columns from 0, with prefix lengths (0: the whole column).
    """

    flags: int
    database: str
    name: str
    types: bytes
    metadata: tuple[int, ...]
    null_bits: bytes
    optional: bytes
    array_of: tuple[int, ...] = ()

    @property
    def qualified_name(self) -> str:
        """`database.table`."""
        return f"{self.database}.{self.name}"

    def columns(self) -> tuple[WireColumn, ...]:
        """The columns in order."""
        return _columns(self)

    def primary_key(self) -> tuple[tuple[int, int], ...]:
        """Columns of the primary key and their prefix lengths, where the log tells (FULL metadata)."""
        fields = _fields(self.optional)
        if 8 in fields:
            c = Cursor(fields[8])
            result = []
            while c.left:
                result.append((c.packed(), 0))
            return tuple(result)
        result = []
        if 9 in fields:
            c = Cursor(fields[9])
            while c.left:
                result.append((c.packed(), c.packed()))
        return tuple(result)


@dataclass(frozen=True, slots=True)
class TableMap:
    """TABLE_MAP_EVENT (19).

    ======  ==================================================================================
    bytes   field (rows_event.h, Table_map_event)
    ======  ==================================================================================
    6       table_id
    2       flags: 1 exact BIT lengths, 2 parent of a foreign key, 4 GIPK, 0x4000 triggers (MariaDB)
    1+n+1   database: length, name, null
    1+n+1   table: length, name, null
    packed  number of columns, then a type byte each
    packed  bytes of metadata, then the metadata of the columns that have any
    n       null bits, one per column: it may be NULL
    rest    optional metadata: type1, length packed, value
    ======  ==================================================================================
    """

    header: Header
    table_id: int
    table: TableDefinition


def split_table_map(c: Cursor, form: Format) -> tuple[int, bytes]:
    """A table map's number and its body."""
    length = form.post_header_length(19, 8)
    table_id = c.uint(6)
    body = c.rest() if length <= 8 else c.take(2) + c.data[c.pos + length - 8 : c.end]
    return table_id, body


@lru_cache(maxsize=1024)
def definition(body: bytes) -> TableDefinition:
    """The definition in a table map's body (from the flags on). Raises ShortRead."""
    c = Cursor(body)
    flags = c.uint(2)
    database, name = c.named(c.uint(1)), c.named(c.uint(1))
    types = c.take(c.packed())
    block = Cursor(c.take(c.packed()))
    metadata, arrays = [], [0] * len(types)
    for n, code in enumerate(types):
        element = code
        if code == TYPED_ARRAY:
            element = arrays[n] = block.uint(1)
        if code not in KNOWN_TYPES:
            raise ShortRead(
                f"column {n + 1} of {database}.{name} has the type {code}, whose metadata has an "
                "unknown length"
            )
        size = METADATA_BYTES.get(element, 0)
        if code == TYPED_ARRAY and element == VARCHAR:
            size = 3
        raw = block.take(size)
        # Two bytes are a real type and a length for the STRING family, precision and scale, bits and bytes.
        metadata.append(
            int.from_bytes(raw, "big" if element in (STRING, ENUM, SET, NEWDECIMAL) else "little")
        )
    if block.left:
        raise ShortRead(f"{block.left} bytes of metadata too many for {len(types)} columns")
    nulls = c.take((len(types) + 7) // 8)
    table = TableDefinition(
        flags, database, name, types, tuple(metadata), nulls, c.rest(), tuple(arrays) if any(arrays) else ()
    )
    table.columns()  # a contradiction shows here, where the event's offset is known
    table.primary_key()
    return table


def _fields(raw: bytes) -> dict[int, bytes]:
    c = Cursor(raw)
    fields = {}
    while c.left:
        kind = c.uint(1)
        fields[kind] = c.take(c.packed())
    return fields


def real_type(code: int, metadata: int) -> tuple[int, int]:
    """Type and length in bytes of a STRING: ENUM and SET hide in the metadata's first byte."""
    high, low = metadata >> 8, metadata & 255
    if high & 0x30 != 0x30:
        return high | 0x30, low | ((high & 0x30) ^ 0x30) << 4
    return (high, low) if high in (ENUM, SET, STRING) else (code, metadata)


def _shape(code: int, metadata: int) -> tuple[int, int, int]:
    """(real type, length, scale)."""
    if code in (STRING, ENUM, SET):
        kind, length = real_type(code, metadata)
        return kind, length, 0
    if code == NEWDECIMAL:
        return code, metadata >> 8, metadata & 255
    if code == BIT:
        return code, (metadata & 255) + 8 * (metadata >> 8), 0
    return code, metadata, 0


@lru_cache(maxsize=1024)
def _columns(table: TableDefinition) -> tuple[WireColumn, ...]:
    shapes = [_shape(code, meta) for code, meta in zip(table.types, table.metadata, strict=True)]
    fields = _fields(table.optional)
    # YEAR has a bit among the signs too (seen on MySQL 9.7.4 and MariaDB 11.8.9).
    numeric = [n for n, (code, _, _) in enumerate(shapes) if code in NUMERIC or code == YEAR]
    signs: dict[int, bool] = {}
    if 1 in fields:
        raw = fields[1]
        if len(raw) * 8 < len(numeric):
            raise ShortRead(f"signedness of {len(raw) * 8} columns where {len(numeric)} are numeric")
        signs = {
            column: bool(raw[n >> 3] >> (7 - (n & 7)) & 1)
            for n, column in enumerate(numeric)
            if shapes[column][0] != YEAR
        }
    strings = [n for n, (code, _, _) in enumerate(shapes) if code in CHARACTER]
    chosen = [n for n, (code, _, _) in enumerate(shapes) if code in (ENUM, SET)]
    collations = _collations(fields, 2, 3, strings) | _collations(fields, 10, 11, chosen)
    names = _listed(fields.get(4), lambda c: text(c.take(c.packed())))
    enums = _listed(fields.get(6), lambda c: tuple(c.take(c.packed()) for _ in range(c.packed())))
    sets = _listed(fields.get(5), lambda c: tuple(c.take(c.packed()) for _ in range(c.packed())))
    members = dict(zip([n for n in chosen if shapes[n][0] == ENUM], enums, strict=False))
    members |= dict(zip([n for n in chosen if shapes[n][0] == SET], sets, strict=False))
    geometries = dict(
        zip(
            [n for n, s in enumerate(shapes) if s[0] == GEOMETRY],
            _listed(fields.get(7), Cursor.packed),
            strict=False,
        )
    )
    dimensions = dict(
        zip(
            [n for n, s in enumerate(shapes) if s[0] == VECTOR],
            _listed(fields.get(13), Cursor.packed),
            strict=False,
        )
    )
    visibility = fields.get(12)
    return tuple(
        WireColumn(
            code, length, scale, table.metadata[n], bit(table.null_bits, n), signs.get(n), collations.get(n),
            names[n] if n < len(names) else None, members.get(n), geometries.get(n), dimensions.get(n),
            bool(visibility[n >> 3] >> (7 - (n & 7)) & 1)
            if visibility and n >> 3 < len(visibility)
            else None,
            table.array_of[n] or None if table.array_of else None,
        )
        for n, (code, length, scale) in enumerate(shapes)
    )  # fmt: skip


def _listed(raw: bytes | None, read: Callable[[Cursor], T]) -> list[T]:
    c = Cursor(raw or b"")
    result = []
    while c.left:
        result.append(read(c))
    return result


def _collations(fields: dict[int, bytes], default: int, each: int, columns: list[int]) -> dict[int, int]:
    """Collation numbers by column: a default with exceptions (column, collation), or one each."""
    if each in fields:
        return dict(zip(columns, _listed(fields[each], Cursor.packed), strict=False))
    if default not in fields:
        return {}
    c = Cursor(fields[default])
    collations = dict.fromkeys(columns, c.packed())
    while c.left:
        index, collation = c.packed(), c.packed()
        if index >= len(columns):
            raise ShortRead(f"a character set for column {index} of {len(columns)}")
        collations[columns[index]] = collation
    return collations
