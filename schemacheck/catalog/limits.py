"""Types that a server does not have, and sizes of which it is not known whether it takes them."""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.catalog.context import Context
from schemacheck.model.column_type import ColumnType
from schemacheck.model.type_text import Written
from schemacheck.sql.lexer import Refused

#: The largest number of a width, of the members of a SET and an ENUM, and of the length of a text.
_WIDTH, _SET_MEMBERS, _ENUM_MEMBERS, _LONGEST_BLOB = 255, 64, 65_535, 4_294_967_295
_DIGITS, _SCALE, _REAL_PRECISION, _BITS, _FRACTION, _DIMENSIONS = 65, 30, 53, 64, 6, 16_383


def check(written: Written, kind: ColumnType, context: Context, name: str, at: int) -> None:
    """Raise Refused for a type that the server does not know, or may not take in this size."""
    server = context.server
    needs = knowledge.load("reserved")["types"].get(written.word.split(" ", 1)[0])
    if needs is not None and not (
        (server.mariadb and needs in context.modes) if needs.isupper() else server.has(needs)
    ):
        number = 4161 if server.mariadb and not needs.isupper() else 1064
        raise Refused(f"this server has no type {written.word.upper()}", at, number, code="SC001")
    bool_ = written.word in ("bool", "boolean") and (written.signed or written.unsigned)
    twice = bool_ or (written.signed and written.unsigned) or (written.national and written.charset)
    if twice or not (_members(kind, context) if kind.has_members else _size(written, kind, context)):
        raise Refused(f"column {name!r}: whether a server takes a {kind} is not known", at)


def _size(written: Written, kind: ColumnType, context: Context) -> bool:
    """Whether the numbers in parentheses are those of a type that every server takes."""
    server, numbers = context.server, written.numbers
    if kind.is_vector and not numbers:
        # The grammar of MariaDB has no VECTOR without a length (asked of 11.8).
        return not server.mariadb
    if not numbers:
        return True
    first, scale = (*numbers, 0)[:2]
    if kind.is_decimal:
        # A precision of 0 is 10, beside no scale alone (asked of four servers).
        return scale <= _SCALE and first <= _DIGITS and scale <= (first if len(numbers) == 2 else 10)
    if kind.is_approximate:
        return scale <= min(first, _SCALE) and 0 < first <= (_WIDTH if len(numbers) == 2 else _REAL_PRECISION)
    if kind.is_year:
        return first == 4 or not server.has("ddl-year-width-refused")
    if kind.is_bit:
        return first <= _BITS and (first > 0 or not server.has("ddl-bit-0-refused"))
    if kind.is_vector:
        return 0 < first <= _DIMENSIONS
    if kind.is_geometry:
        return server.mariadb
    if kind.is_integer or kind.is_padded:
        return first <= _WIDTH
    return first <= (_FRACTION if kind.has_fraction else _LONGEST_BLOB)


def _members(kind: ColumnType, context: Context) -> bool:
    exact = (kind.collation or "").endswith(("_bin", "binary", "_cs"))
    distinct = {member if exact else member.casefold() for member in kind.members}
    return (
        len(kind.members) <= (_SET_MEMBERS if kind.is_set else _ENUM_MEMBERS)
        and (len(distinct) == len(kind.members) or not context.strict)
        and not (kind.is_set and any("," in member for member in kind.members))
        and max(map(len, kind.members)) <= _WIDTH
    )
