"""Literals as values of a column: what the server keeps and prints, None where the type does not take it."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from decimal import Context as Precision

from schemacheck.catalog import temporal
from schemacheck.catalog.charsets import representable
from schemacheck.catalog.context import Context
from schemacheck.knowledge import characters
from schemacheck.model import normal
from schemacheck.model.column_type import ColumnType, span
from schemacheck.model.type_facts import TYPES, address
from schemacheck.sql.ddl.draft import DefaultDraft
from schemacheck.sql.lexer import Refused

#: They switch to exponents outside of these decimal point positions (my_gcvt).
_FIXED_POINT = range(-14, 16)


def spelled(number: Decimal) -> str:
    """A number as servers print FLOAT and DOUBLE: very large and very small ones with an exponent."""
    shortest = number.normalize()
    sign, digits, exponent = shortest.as_tuple()
    point = len(digits) + int(exponent)
    if point in _FIXED_POINT or shortest == 0:
        return f"{shortest:f}"
    mantissa = "".join(map(str, digits))
    return "-" * sign + mantissa[0] + ("." + mantissa[1:] if len(mantissa) > 1 else "") + f"e{point - 1}"


_NUMBER = re.compile(r"\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*\Z", re.IGNORECASE | re.ASCII)
#: Decimals of the servers have up to 81 digits.
_WIDE = Precision(prec=400)


def implicit(kind: ColumnType) -> str | None:
    """The default that a NOT NULL column has without one, as text; None for BLOB and its like."""
    if kind.is_enum:
        return kind.members[0]
    if kind.is_integer:
        return "0".zfill(kind.padded_to or 0)
    if kind.is_decimal or kind.is_approximate:
        number = DefaultDraft("number", "0", 0)
        return _decimal(number, kind) if kind.is_decimal else _double(number, kind)
    zero = TYPES[kind.base].zero
    if zero and kind.has_fraction and kind.fraction:
        return f"{zero}.{'0' * kind.fraction}"
    return None if kind.is_address else zero


def literal(written: DefaultDraft, kind: ColumnType, context: Context) -> str | None:
    """The value's text in a column of this type; None where the type does not take it."""
    if written.kind == "temporal" and not context.server.mariadb:
        # MySQL takes the word before the text for no literal of a default.
        return None
    if written.kind == "temporal" and not kind.is_temporal:
        raise temporal.unknown(written.text, written.at)
    if written.kind == "number" and written.text.startswith("-") and not written.text.strip("-0."):
        # A number that is zero has no sign, -0e0 has one (asked of four servers).
        written = DefaultDraft("number", written.text[1:], written.at)
    digits = written.kind in ("hex", "hexstring") or (written.kind == "bit" and not written.text)
    if (digits or (written.kind == "bit" and not kind.is_integer)) and not (kind.holds_bytes or kind.is_bit):
        raise Refused(f"what these digits are in a {kind} is not known: write the value", written.at)
    if kind.is_integer:
        return _integer(written, kind)
    if kind.is_decimal:
        if written.kind == "string" and not context.server.mariadb and _number(written) is None:
            if context.strict and context.server.has("data-dictionary"):
                return None
            raise Refused("what this text is as a DECIMAL is not known: write a number", written.at)
        return _decimal(written, kind)
    if kind.is_approximate:
        double = _double(written, kind)
        # MariaDB 10.11 prints no sign of a zero, 11.8 one that means nothing.
        zero = double is not None and context.server.mariadb and not double.strip("-0")
        return double.replace("-", "0" if kind.zerofill else "") if double and zero else double
    if kind.is_bit:
        return _bit(written, kind)
    if kind.is_year:
        return _year(written)
    if kind.is_temporal:
        return _temporal(written, kind, context)
    if kind.holds_bytes:
        return _binary(written, kind)
    if kind.is_enum:
        return _member(_plain(written), kind, written.at)
    if kind.is_set:
        return _set(_plain(written), kind, written.at)
    if kind.is_address:
        return _address(_plain(written), kind.base, written.at)
    return _string(written, kind, spaces=not context.server.mariadb)


def _address(text: str, base: str, at: int) -> str:
    """A UUID, an INET4 or an INET6 that is written as servers print it. Raises Refused for another."""
    try:
        if address(base, text) == text and "ffff:" not in text:
            return text
    except ValueError:
        pass
    raise Refused(f"how the server prints this {base} is not known here", at)


def _number(written: DefaultDraft) -> Decimal | None:
    if written.kind == "bit":
        return Decimal(int(written.text, 2))
    match = _NUMBER.match(written.text)
    try:
        return Decimal(match.group(1)) if match else None
    except InvalidOperation:
        return None


def _integer(written: DefaultDraft, kind: ColumnType) -> str | None:
    number = _number(written)
    if number is None or number.adjusted() > 30:
        return None
    whole = int(number.quantize(Decimal(1), ROUND_HALF_UP, _WIDE))
    low, high = span(kind)
    if not low <= whole <= high:
        return None
    return str(whole).zfill(kind.padded_to or 0)


def _decimal(written: DefaultDraft, kind: ColumnType) -> str | None:
    number = _number(written)
    if number is None or number.adjusted() > 100 or (kind.unsigned and number < 0):
        return None
    scale = kind.scale or 0
    rounded = (
        number.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP, _WIDE)
        if number.adjusted() + scale < 90
        else number
    )
    if abs(rounded) >= Decimal(10) ** ((kind.length or 10) - scale):
        return None
    text = f"{rounded:f}"
    if rounded == 0:
        text = text.removeprefix("-")
    if kind.zerofill:
        whole, _, fraction = text.partition(".")
        text = whole.zfill((kind.length or 10) - scale) + (f".{fraction}" if fraction else "")
    return text


def _double(written: DefaultDraft, kind: ColumnType) -> str | None:
    number = _number(written)
    if number is None:
        return None
    if written.text[-1:] == " ":
        raise Refused(f"what {written.text[:40]!r} is in a {kind} is not known", written.at)
    value, scale = float(number), kind.scale
    largest = 3.4028234663852886e38 if kind.is_single else 1.7976931348623157e308
    fits = abs(value) <= largest and not (kind.unsigned and number < 0)
    if scale is not None:
        fits = fits and abs(number) < Decimal(10) ** ((kind.length or 0) - scale)
    if not fits and written.kind != "string":
        return None
    # Some servers cut a text off; they round the binary value.
    if not fits or (scale is not None and int(number.as_tuple().exponent) < -scale):
        raise Refused(f"what {written.text[:40]!r} is in a {kind} is not known: write its digits", written.at)
    if scale is not None:
        text = f"{number.quantize(Decimal(1).scaleb(-scale), context=_WIDE):f}"
        return text.zfill(kind.length or 0) if kind.zerofill else text
    text = spelled(Decimal(_single(value) if kind.is_single else repr(value)))
    return text.zfill(12 if kind.is_single else 22) if kind.zerofill else text


def _single(value: float) -> str:
    """A number as servers print the 4-byte float that keeps it: FLT_DIG digits (asked of four servers)."""
    import struct

    stored: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return f"{stored:.6g}"


def _bit(written: DefaultDraft, kind: ColumnType) -> str | None:
    if written.kind not in ("bit", "number"):
        raise Refused("what this is as bits is not known: write b'...'", written.at)
    number = _number(written)
    if number is None or not 0 <= number < 2 ** (kind.length or 1):
        return None
    return f"b'{int(number.quantize(Decimal(1), ROUND_HALF_UP, _WIDE)):b}'"


def _year(written: DefaultDraft) -> str | None:
    if not (len(written.text) == 4 or written.text == "0") or not characters.is_digits(written.text):
        raise Refused(f"which year {written.text[:20]!r} is, is not known: write four digits", written.at)
    number = int(written.text)
    if written.text == "0" and written.kind == "string":
        return "2000"
    return f"{number:04}" if number == 0 or 1901 <= number <= 2155 else None


def _temporal(written: DefaultDraft, kind: ColumnType, context: Context) -> str | None:
    if written.kind in ("hex", "bit", "hexstring"):
        return None
    if not kind.is_time:
        return temporal.default(written, kind, context)
    if written.introducer == "date":
        raise temporal.unknown(written.text, written.at)
    return temporal.time(written, kind)


def _bytes(written: DefaultDraft) -> bytes:
    if written.kind in ("hex", "hexstring"):
        return bytes.fromhex(written.text.zfill(len(written.text) + len(written.text) % 2))
    if written.kind == "bit":
        return int(written.text or "0", 2).to_bytes((len(written.text) + 7) // 8, "big")
    return _plain(written).encode("utf-8", "surrogatepass")


def _binary(written: DefaultDraft, kind: ColumnType) -> str | None:
    value = _bytes(written)
    if kind.is_byte_string and len(value) > (kind.length or 0):
        return None
    return normal.binary_literal(value) if kind.is_byte_string else value.decode("utf-8", "replace")


def _plain(written: DefaultDraft) -> str:
    """A number as text: 1e2 is 100, 007 is 7."""
    if written.kind == "number" and "e" in written.text.lower():
        return _double(written, ColumnType("double")) or written.text
    if written.kind == "number":
        sign = "-" if written.text.startswith("-") else ""
        whole, dot, places = written.text.lstrip("+-").partition(".")
        return f"{sign}{whole.lstrip('0') or '0'}{dot if places else ''}{places}"
    return written.text


def _string(written: DefaultDraft, kind: ColumnType, *, spaces: bool) -> str | None:
    """`spaces`: those that are too many for a VARCHAR are cut off (asked of four servers)."""
    value = _plain(written)
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
