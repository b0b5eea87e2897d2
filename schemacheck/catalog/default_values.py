"""Literals as values of a column: what the server keeps and prints, None where the type does not take it.

Followed is what is written plainly. What a server makes of exponents, of digits that it rounds, and of bytes
as numbers is unknown.
"""

from __future__ import annotations

import re
from decimal import Decimal

from schemacheck.catalog import temporal
from schemacheck.catalog.charsets import representable
from schemacheck.catalog.context import Context
from schemacheck.knowledge import characters
from schemacheck.model import normal
from schemacheck.model.column_type import ColumnType, span
from schemacheck.model.type_facts import TYPES, address
from schemacheck.sql.ddl.draft import DefaultDraft
from schemacheck.sql.lexer import Refused

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))\Z", re.ASCII)
#: A number that is the same as text.
_AS_TEXT = re.compile(r"(?!-[0.]*\Z)-?(?:0|[1-9]\d*)(?:\.\d+)?\Z", re.ASCII)
#: Digits that FLOAT and DOUBLE keep, and between which powers of ten they are printed without exponent.
_SINGLE, _DOUBLE, _SMALLEST, _LARGEST = 6, 15, Decimal("1e-14"), 10**15


def _unknown(written: DefaultDraft, kind: ColumnType) -> Refused:
    why = f"what {written.text[:40]!r} is in a {kind} is not known: write the value as the server prints it"
    return Refused(why, written.at)


def implicit(kind: ColumnType) -> str | None:
    """The default that a NOT NULL column has without one, as text; None for BLOB and its like."""
    if kind.is_enum:
        return kind.members[0]
    if kind.is_integer or kind.is_decimal or kind.is_approximate:
        return _number(DefaultDraft("number", "0", 0), kind)
    zero = TYPES[kind.base].zero
    if zero and kind.has_fraction and kind.fraction:
        return f"{zero}.{'0' * kind.fraction}"
    return None if kind.is_address else zero


def literal(written: DefaultDraft, kind: ColumnType, context: Context) -> str | None:
    """The value's text in a column of this type; None where the type does not take it. Raises Refused."""
    if written.kind == "temporal" and not context.server.mariadb:
        # MySQL takes the word before the text for no literal of a default.
        return None
    if written.kind == "temporal" and not kind.is_temporal:
        raise temporal.unknown(written.text, written.at)
    if kind.is_integer or kind.is_decimal or kind.is_approximate:
        return _number(written, kind)
    if kind.is_bit:
        return _bit(written, kind)
    if written.kind == "bit" or (written.kind in ("hex", "hexstring") and not kind.holds_bytes):
        raise _unknown(written, kind)
    if kind.is_year:
        return _year(written)
    if kind.is_temporal:
        return _temporal(written, kind, context)
    if kind.holds_bytes:
        return _binary(written, kind)
    if written.kind == "number" and not _AS_TEXT.match(written.text):
        raise _unknown(written, kind)
    if kind.is_enum:
        return _member(written.text, kind, written.at)
    if kind.is_set:
        return _set(written.text, kind, written.at)
    if kind.is_address:
        return _address(written.text, kind.base, written.at)
    return _string(written.text, kind, spaces=not context.server.mariadb)


def _address(text: str, base: str, at: int) -> str:
    """A UUID, an INET4 or an INET6 that is written as servers print it. Raises Refused for another."""
    try:
        if address(base, text) == text and "ffff:" not in text:
            return text
    except ValueError:
        pass
    raise Refused(f"how the server prints this {base} is not known here", at)


def _number(written: DefaultDraft, kind: ColumnType) -> str | None:
    text = str(int(written.text, 2)) if written.kind == "bit" and written.text else written.text
    read = written.kind in ("number", "string") or (written.kind == "bit" and kind.is_integer)
    match = _NUMBER.match(text) if read else None
    if match is None:
        raise _unknown(written, kind)
    number, places = Decimal(text), match[1] or match[2] or ""
    places = places if kind.is_approximate else places.rstrip("0")
    scale = kind.scale if kind.is_approximate else kind.scale or 0
    signed_zero = number == 0 and text.startswith("-") and written.kind == "string"
    if (scale is not None and len(places) > scale) or signed_zero:
        raise _unknown(written, kind)
    size = number.copy_abs()
    if scale is None:
        digits = text.strip("+-").replace(".", "").strip("0")
        plain = len(digits) <= (_SINGLE if kind.is_single else _DOUBLE)
        if number and not (plain and _SMALLEST <= size < _LARGEST):
            raise _unknown(written, kind)
    low, high = span(kind) if kind.is_integer else (0 if kind.unsigned else number, number)
    room = kind.is_integer or scale is None or size < 10 ** ((kind.length or 10) - scale)
    if not (low <= number <= high and room):
        if kind.is_approximate and written.kind == "string":
            raise _unknown(written, kind)  # some servers cut a text off
        return None
    shown = f"{size:f}" if scale is None else f"{size:.{scale}f}"
    if scale is None and "." in shown:
        shown = shown.rstrip("0").rstrip(".")
    return f"{'-' if number < 0 else ''}{_filled(shown, kind)}"


def _filled(shown: str, kind: ColumnType) -> str:
    """With the zeros of ZEROFILL."""
    if kind.is_integer:
        return shown.zfill(kind.padded_to or 0)
    if not kind.zerofill:
        return shown
    if kind.is_approximate:
        return shown.zfill(kind.length or (12 if kind.is_single else 22))
    return shown.zfill((kind.length or 10) + (1 if kind.scale else 0))


def _bit(written: DefaultDraft, kind: ColumnType) -> str | None:
    if written.kind not in ("bit", "number") or not characters.is_digits(written.text):
        raise _unknown(written, kind)
    number = int(written.text, 2 if written.kind == "bit" else 10)
    return f"b'{number:b}'" if number < 2 ** (kind.length or 1) else None


def _year(written: DefaultDraft) -> str | None:
    if not (len(written.text) == 4 or written.text == "0") or not characters.is_digits(written.text):
        raise Refused(f"which year {written.text[:20]!r} is, is not known: write four digits", written.at)
    number = int(written.text)
    if written.text == "0" and written.kind == "string":
        return "2000"
    return f"{number:04}" if number == 0 or 1901 <= number <= 2155 else None


def _temporal(written: DefaultDraft, kind: ColumnType, context: Context) -> str | None:
    if not kind.is_time:
        return temporal.default(written, kind, context)
    if written.introducer == "date":
        raise temporal.unknown(written.text, written.at)
    return temporal.time(written, kind)


def _binary(written: DefaultDraft, kind: ColumnType) -> str | None:
    if written.kind in ("hex", "hexstring"):
        value = bytes.fromhex(written.text.zfill(len(written.text) + len(written.text) % 2))
    elif written.kind == "number" and not _AS_TEXT.match(written.text):
        raise _unknown(written, kind)
    else:
        value = written.text.encode("utf-8", "surrogatepass")
    if kind.is_byte_string and len(value) > (kind.length or 0):
        return None
    return normal.binary_literal(value) if kind.is_byte_string else value.decode("utf-8", "replace")


def _string(value: str, kind: ColumnType, *, spaces: bool) -> str | None:
    """`spaces`: those that are too many for a VARCHAR are cut off (asked of four servers)."""
    if kind.is_varchar and not spaces and len(value) > (kind.length or 0):
        return None
    if kind.is_counted:
        length = kind.length or 0
        if len(value.rstrip(" ")) > length:
            return None
        value = value[:length].rstrip(" ") if kind.is_char else value[:length]
        if kind.charset and representable(value, kind.charset) != value:
            return None
    # The servers keep what they print in utf8mb3.
    return re.sub("[\U00010000-\U0010ffff]", "?", value)


def _member(value: str, kind: ColumnType, at: int) -> str | None:
    """The member that a text names, as the definition spells it. Raises Refused where that is not known."""
    wanted = value.rstrip(" ")
    exact = kind.collation is not None and kind.collation.endswith(("_bin", "_cs"))
    if wanted in kind.members:
        return wanted
    if exact:
        return None
    same = next((member for member in kind.members if member.lower() == wanted.lower()), None)
    if same is not None or "_as_" in (kind.collation or ""):
        return same
    if not (wanted.isascii() and all(member.isascii() for member in kind.members)):
        raise Refused(f"whether {kind.collation} takes {wanted!r} for a member is not known", at)
    return None


def _set(value: str, kind: ColumnType, at: int) -> str | None:
    if value == "":
        return ""
    chosen = [_member(part, kind, at) for part in value.split(",")]
    if None in chosen:
        return None
    return ",".join(member for member in kind.members if member in chosen)
