"""What a server writes for a column into the table map event, and what it reads with.

`image` gives a column's real type and metadata, as `Field::save_field_metadata` of the servers
does; the replica's column has an image too, which the applier compares with the source's.
"""

from __future__ import annotations

import enum
from functools import lru_cache

from schemacheck.dataclass import dataclass
from schemacheck.model import ColumnType, Server
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import BLOBS, INTEGERS, TEXTS, member_bytes


class Real(enum.Enum):
    """Real types, by the name the servers' sources give them; the value is the type byte."""

    DECIMAL = 0
    TINY = 1
    SHORT = 2
    LONG = 3
    FLOAT = 4
    DOUBLE = 5
    TIMESTAMP = 7
    LONGLONG = 8
    INT24 = 9
    DATE = 10
    TIME = 11
    DATETIME = 12
    YEAR = 13
    VARCHAR = 15
    BIT = 16
    TIMESTAMP2 = 17
    DATETIME2 = 18
    TIME2 = 19
    BLOB_COMPRESSED = 140
    VARCHAR_COMPRESSED = 141
    VECTOR = 242
    JSON = 245
    NEWDECIMAL = 246
    ENUM = 247
    SET = 248
    BLOB = 252
    STRING = 254
    GEOMETRY = 255


INTEGER_REALS = frozenset({Real.TINY, Real.SHORT, Real.INT24, Real.LONG, Real.LONGLONG})
STRING_REALS = frozenset(
    {Real.STRING, Real.VARCHAR, Real.BLOB, Real.VARCHAR_COMPRESSED, Real.BLOB_COMPRESSED}
)
NEW_TEMPORALS = {Real.TIME2: Real.TIME, Real.DATETIME2: Real.DATETIME, Real.TIMESTAMP2: Real.TIMESTAMP}

_INTEGER = dict(zip(INTEGERS, (Real.TINY, Real.SHORT, Real.INT24, Real.LONG, Real.LONGLONG), strict=True))
_TEMPORAL = {
    "time": (Real.TIME, Real.TIME2),
    "datetime": (Real.DATETIME, Real.DATETIME2),
    "timestamp": (Real.TIMESTAMP, Real.TIMESTAMP2),
}


@dataclass(frozen=True, slots=True)
class Image:
    """A column in a table map event.

    `size` is what the applier compares for columns of one real type: bytes for strings, pack
    length for BLOB, ENUM, SET, JSON, GEOMETRY, FLOAT and DOUBLE, bits for BIT, precision for
    DECIMAL (`scale` beside it), fractional digits for temporals, bytes for VECTOR. `metadata` is
    the two-byte value of the event (0 where the type has none).
    """

    real: Real
    size: int = 0
    scale: int = 0
    metadata: int = 0


@lru_cache(maxsize=65536)
def image(column: ColumnType, server: Server) -> Image:
    """The table map image of a column on a server.

    Source: field metadata in `Field_*::do_save_field_metadata`; recorded table map bytes of four
    servers. Raises KeyError where a character column's charset is not known.
    """
    base = column.base
    if base in _INTEGER:
        return Image(_INTEGER[base])
    if column.is_decimal:
        precision, scale = column.length or 10, column.scale or 0
        return Image(Real.NEWDECIMAL, precision, scale, precision << 8 | scale)
    if column.is_approximate:
        size = 4 if column.is_single else 8
        return Image(Real.FLOAT if column.is_single else Real.DOUBLE, size, metadata=size)
    if column.is_bit:
        bits = column.length or 1
        return Image(Real.BIT, bits, metadata=(bits // 8) << 8 | bits % 8)
    if column.is_year:
        return Image(Real.YEAR)
    if column.is_date:
        return Image(Real.DATE)
    if column.has_fraction:
        old, new = _TEMPORAL[base]
        if server.has("temporal2") and not column.old_format:
            return Image(new, column.fraction, metadata=column.fraction)
        return Image(old, column.fraction)
    if column.has_members:
        real, pack = Real.ENUM if column.is_enum else Real.SET, member_bytes(column)
        return Image(real, pack, metadata=real.value << 8 | pack)
    if column.is_address:
        return _string(column.size or 0)
    if column.is_padded:
        return _string(column.max_bytes)
    if column.is_varying:
        size = column.max_bytes
        if column.compressed:
            return Image(Real.VARCHAR_COMPRESSED, size + 1, metadata=size + 1)
        return Image(Real.VARCHAR, size, metadata=size)
    if column.is_lob or base == "xmltype":
        kinds = TEXTS if column.is_text else BLOBS
        pack = kinds.index(base) + 1 if base in kinds else 4
        return Image(Real.BLOB_COMPRESSED if column.compressed else Real.BLOB, pack, metadata=pack)
    if column.is_json:
        return Image(Real.BLOB if server.has("json-is-longtext") else Real.JSON, 4, metadata=4)
    if column.is_vector:
        size = 4 * (column.length or 0)
        if server.has("vector-is-varbinary"):
            return Image(Real.VARCHAR, size, metadata=size)
        return Image(Real.VECTOR, size, metadata=4)
    if column.is_geometry:
        return Image(Real.GEOMETRY, 4, metadata=4)
    raise KeyError(f"no table map image is known for {base}")


def _string(size: int) -> Image:
    """CHAR and BINARY: bits 8 and 9 of the byte length hide in the type byte."""
    return Image(Real.STRING, size, metadata=(0xFE ^ ((size & 0x300) >> 4)) << 8 | (size & 0xFF))


def character_width(column: ColumnType) -> int:
    """Mbmaxlen of a column's charset as `Field::charset()` says: 1 for binary and numeric columns."""
    return charsets.max_bytes(column.charset) if column.charset else 1


def unreadable(sent: Image, replica: Server) -> bool:
    """Whether the replica does not know the source column's type byte (JSON, VECTOR, COMPRESSED)."""
    if sent.real is Real.JSON:
        return not replica.has("json-type")
    if sent.real is Real.VECTOR:
        return not replica.has("vector-type")
    return sent.real in (Real.BLOB_COMPRESSED, Real.VARCHAR_COMPRESSED) and not replica.has("ddl-compressed")
