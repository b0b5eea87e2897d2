"""Sizes and specifiers that the servers refuse in one column's type."""

from __future__ import annotations

from collections.abc import Callable

from schemacheck import knowledge
from schemacheck.catalog.context import Context
from schemacheck.model.column_type import ColumnType
from schemacheck.model.type_text import INTEGERS, Written
from schemacheck.sql.lexer import Refused

Refuse = Callable[[str, int], Refused]

_WIDTH = 255
_DECIMAL_DIGITS, _DECIMAL_SCALE, _REAL_SCALE = 65, 30, 30
_SET_MEMBERS, _ENUM_MEMBERS = 64, 65_535
_FRACTION = 6
_LONGEST_BLOB = 4_294_967_295


def check(written: Written, kind: ColumnType, context: Context, name: str, at: int) -> None:
    """Raise Refused for a type that the server knows but does not take in this size."""
    server = context.server

    def refuse(why: str, errno: int) -> Refused:
        return Refused(f"column {name!r}: {why}", at, errno)

    words = knowledge.load("reserved")["types"]
    needs = words.get(written.word.split(" ", 1)[0])
    if needs is not None and not (
        (server.mariadb and needs in context.modes) if needs.isupper() else server.has(needs)
    ):
        number = 4161 if server.mariadb and not needs.isupper() else 1064
        raise Refused(f"this server has no type {written.word.upper()}", at, number, code="SC001")
    numbers = written.numbers
    first = numbers[0] if numbers else 0
    if server.mariadb and written.signed and written.unsigned:
        raise Refused("SIGNED cannot be combined with UNSIGNED or ZEROFILL", at, 1064, code="SC001")
    if written.national and written.charset:
        raise Refused("a NATIONAL type has its character set", at, 1064, code="SC001")
    if kind.is_geometry and numbers and not server.mariadb:
        raise Refused(f"{written.word.upper()} takes no length", at, 1064, code="SC001")
    if written.word in ("bool", "boolean") and (written.unsigned or written.signed):
        raise Refused("BOOL takes no attribute", at, 1064, code="SC001")
    base = kind.base
    if written.base in INTEGERS and first > _WIDTH:
        raise refuse("display width out of range (255)", 1439)
    if written.base == "decimal":
        _decimal(numbers, context, refuse)
    elif written.base in ("float", "double", "real"):
        _real(written, context, refuse)
    elif base == "bit":
        if first > 64:
            raise refuse("a BIT has at most 64 bits", 1439)
        if numbers and first == 0 and server.has("ddl-bit-0-refused"):
            raise refuse("a BIT has at least one bit", 3013)
    elif base == "year" and numbers and first != 4 and server.has("ddl-year-width-refused"):
        raise refuse("a YEAR has four digits", 1818)
    elif base in ("time", "datetime", "timestamp") and first > _FRACTION:
        raise refuse("at most 6 digits of a second", 1426)
    elif base in ("char", "binary") and first > _WIDTH:
        raise refuse("too long: at most 255", 1074)
    elif written.base in ("text", "blob") and first > _LONGEST_BLOB:
        raise refuse("too long: at most 4294967295", 1439)
    elif base == "vector":
        _vector(first, numbers, context, refuse)
    elif base in ("enum", "set"):
        _members(kind, context, refuse)


def _decimal(numbers: tuple[int, ...], context: Context, refuse: Refuse) -> None:
    precision, scale = (*numbers, 0, 0)[:2]
    most = 38 if context.server.has("ddl-decimal-scale-38") else _DECIMAL_SCALE
    if scale > most:
        raise refuse(f"scale {scale} is too big: at most {most}", 1425)
    if precision > _DECIMAL_DIGITS:
        raise refuse(f"precision {precision} is too big: at most 65", 1426)
    # A precision of 0 is 10, beside no scale alone (asked of four servers).
    if scale > (precision if len(numbers) == 2 else 10):
        raise refuse("the scale is larger than the precision", 1427)


def _real(written: Written, context: Context, refuse: Refuse) -> None:
    numbers = written.numbers
    if len(numbers) == 2:
        width, scale = numbers
        if width > _WIDTH or (width == scale == 0 and not context.server.mariadb):
            raise refuse("display width out of range (255)", 1439)
        if scale > _REAL_SCALE:
            raise refuse(f"scale {scale} is too big: at most 30", 1425)
        if scale > width:
            raise refuse("M must be at least D", 1427)
    elif numbers and numbers[0] > 53:
        raise refuse("the precision of a FLOAT is at most 53", 1063)


def _vector(first: int, numbers: tuple[int, ...], context: Context, refuse: Refuse) -> None:
    if 16_383 < first < 4_294_967_295:
        raise refuse("a VECTOR has at most 16383 dimensions", 6137)
    if not numbers and context.server.mariadb:
        # Its grammar has no VECTOR without a length (asked of 11.8).
        raise refuse("a VECTOR has a length", 1064)
    if numbers and first == 0 and context.server.mariadb:
        raise refuse("a VECTOR has at least one dimension", 1063)


def _members(kind: ColumnType, context: Context, refuse: Refuse) -> None:
    if len(kind.members) > (_SET_MEMBERS if kind.base == "set" else _ENUM_MEMBERS):
        raise refuse(f"too many members of {kind.base.upper()}", 1097)
    exact = (kind.collation or "").endswith(("_bin", "binary", "_cs"))
    seen = {member if exact else member.casefold() for member in kind.members}
    if len(seen) < len(kind.members) and context.strict:
        raise refuse(f"a member of {kind.base.upper()} comes twice", 1291)
    if kind.base == "set" and any("," in member for member in kind.members):
        raise refuse("a member of a SET holds a comma", 1367)
    if context.server.has("ddl-long-member-refused") and any(len(member) > _WIDTH for member in kind.members):
        raise refuse("a member is longer than 255 characters", 3505)
