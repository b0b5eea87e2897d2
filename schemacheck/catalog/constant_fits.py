"""Whether a column takes a constant (`Field::store` of each type under `make_empty_rec`, MariaDB)."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from schemacheck.catalog.charsets import codec
from schemacheck.catalog.constant import (
    MOMENTS,
    TEXTS,
    Constant,
    NotComputed,
    number_of,
    octets_of,
    text,
    text_of,
    whole_of,
)
from schemacheck.catalog.constant_moments import digits_of, moment
from schemacheck.catalog.context import Context
from schemacheck.catalog.default_values import literal
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import ColumnType
from schemacheck.sql import characters
from schemacheck.sql.ddl.draft import DefaultDraft

#: Bytes of the types that hold addresses.
_OCTETS = {"uuid": 16, "inet4": 4, "inet6": 16}
#: Bytes of a POINT.
_POINT = 25
#: Longer texts are no number for ENUM and SET.
_INDEX = {"enum": 6, "set": 22}


def fits(one: Constant, kind: ColumnType, context: Context) -> bool:
    """Whether a column of this type takes a constant that is not NULL. Raises NotComputed."""
    base = kind.base
    if base in _OCTETS and one.kind not in ("text", "json"):
        return one.kind == "bytes" and len(octets_of(one)) == _OCTETS[base]
    if one.kind == "shape":
        return _shape(kind)
    if base in ("enum", "set"):
        return _member(one, kind, context)
    if base == "bit":
        return _bits(one, kind.length or 1)
    if one.kind == "bytes" and base not in ("binary", "varbinary"):
        width = {"ucs2": 2, "utf16": 2, "utf32": 4}.get(kind.charset or "", 0)
        if width and base in ("char", "varchar"):
            # Filled up to whole characters.
            return -(-len(octets_of(one)) // width) <= (kind.length or 0)
        try:
            one = text(octets_of(one).decode(codec(kind.charset) if base in ("char", "varchar") else "ascii"))
        except UnicodeDecodeError:
            return False
    if one.kind in MOMENTS:
        return _moment(one, kind, context)
    if base in ("date", "datetime", "timestamp", "time") and one.kind not in TEXTS:
        return _as_moment(one, kind, context)
    if base in ("char", "varchar", "binary", "varbinary") and one.kind == "double":
        # It loses digits before it is refused (`my_gcvt`).
        return True
    if one.kind == "decimal":
        one = Constant("decimal", one.value, max(0, -int(Decimal(number_of(one)).as_tuple().exponent)))
    if base in ("binary", "varbinary"):
        return len(octets_of(one)) <= (kind.length or 0)
    said = "string" if one.kind in TEXTS else "number"
    spelled = text_of(one) if said == "string" or one.kind != "double" else repr(one.value)
    return literal(DefaultDraft(said, spelled, 0), kind, context) is not None


def _shape(kind: ColumnType) -> bool:
    """The 25 bytes of a point. Raises NotComputed where the character set decides."""
    if kind.base in ("char", "varchar", "binary", "varbinary") and (kind.length or 0) >= _POINT:
        if kind.base in ("char", "varchar") and charsets.max_bytes(kind.charset or "") > 1:
            raise NotComputed
        return True
    return kind.base == "set"


def _bits(one: Constant, length: int) -> bool:
    if one.kind in TEXTS or one.kind in MOMENTS:
        return int.from_bytes(octets_of(one), "big") < (1 << length)
    if isinstance(one.value, Decimal) and one.value < 0:
        return False
    if isinstance(one.value, float):
        return int(one.value) % 2**64 < (1 << length)
    return whole_of(one) % 2**64 < (1 << length)


def _member(one: Constant, kind: ColumnType, context: Context) -> bool:
    enum = kind.base == "enum"
    most = len(kind.members) if enum else (1 << len(kind.members)) - 1
    if one.kind not in TEXTS:
        if one.kind in MOMENTS:
            return not enum and len(text_of(one)) >= _INDEX["set"]
        return enum <= int(number_of(one)) <= most
    said = text_of(one)
    if literal(DefaultDraft("string", said, 0), kind, context) is not None:
        return True
    if len(said) < _INDEX[kind.base] and characters.is_digits(said):
        # 10.11 refuses the empty member, 11.8 takes it.
        if enum and int(said) == 0:
            raise NotComputed
        return int(said) <= most
    # A long text is not looked at as a number, and nothing is said of it.
    return not enum and len(said) >= _INDEX["set"]


def _moment(one: Constant, kind: ColumnType, context: Context) -> bool:
    """A date or a time in a column."""
    base = kind.base
    if base in ("date", "datetime", "timestamp", "time"):
        if base == "timestamp" and isinstance(one.value, datetime) and not 1970 <= one.value.year < 2106:
            raise NotComputed
        return True
    if base == "year":
        return (isinstance(one.value, datetime) and 1901 <= one.value.year <= 2155) or one.kind == "time"
    if kind.is_text or base in ("char", "varchar", "binary", "varbinary"):
        return len(text_of(one)) <= (kind.length or 0)
    return literal(DefaultDraft("number", str(number_of(one)), 0), kind, context) is not None


def _as_moment(one: Constant, kind: ColumnType, context: Context) -> bool:
    """A number in a column of dates or times."""
    number = number_of(one)
    if kind.base == "time":
        if isinstance(number, float) or "e" in str(number).lower():
            number = Decimal(repr(number))
        whole = int(number)
        if abs(whole) < 8385959:
            return abs(whole) % 100 < 60 and abs(whole) // 100 % 100 < 60
        return moment(Constant("decimal", Decimal(whole)), None) is not None
    if number < 0:
        return False
    if int(number) == 0:
        zero = "0" if number == 0 else "0.5"
        return literal(DefaultDraft("number", zero, 0), kind, context) is not None
    said = digits_of(number)
    return said is not None and literal(DefaultDraft("string", said, 0), kind, context) is not None
