"""A constant: the value that an expression without columns has, and the type that the server gives it."""

from __future__ import annotations

import math
import re
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from decimal import Context as Precision

from schemacheck.dataclass import dataclass

_PREFIX = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)", re.IGNORECASE | re.ASCII)
#: FLOAT and DOUBLE switch to exponents outside of these decimal point positions (my_gcvt).
_FIXED_POINT = range(-14, 16)
#: Decimals of the servers have up to 81 digits.
_WIDE = Precision(prec=400)
TEXTS = frozenset(("text", "json", "bytes"))
MOMENTS = frozenset(("date", "datetime", "time"))
NUMBERS = frozenset(("int", "decimal", "double"))


class NotComputed(Exception):
    """The expression has a column, or something that is not computed here."""


@dataclass(frozen=True, slots=True)
class Constant:
    """`kind`: "null" (a bare NULL), "int", "decimal", "double", "text", "json" (a text that a JSON function
    gave), "bytes", "date", "datetime", "time" or "shape". `value` is None for NULL; a time is a number of
    microseconds. `scale`: digits of a fraction that are written, None for as many as there are. `truth`: it
    came from a condition.
    """

    kind: str
    value: int | Decimal | float | str | bytes | datetime | None
    scale: int | None = 0
    truth: bool = False


NULL = Constant("null", None)


def integer(value: int | None) -> Constant:
    """A whole number. Raises NotComputed beyond 64 bits."""
    if value is not None and not -(2**63) <= value < 2**64:
        raise NotComputed
    return Constant("int", value)


def truth(value: bool | None) -> Constant:
    """What a condition gives."""
    return Constant("int", None if value is None else int(value), truth=True)


def text(value: str | None) -> Constant:
    """A text."""
    return Constant("text", value)


def decimal(value: Decimal | None, scale: int) -> Constant:
    """A number of that many decimal digits, rounded."""
    return Constant("decimal", None if value is None else rounded(value, scale), scale)


def rounded(value: Decimal, scale: int) -> Decimal:
    """A number rounded to so many digits."""
    return value.quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP, _WIDE)


def double(value: float | None, scale: int | None = None) -> Constant:
    """A floating point number. Raises NotComputed for what is none."""
    if value is not None and not math.isfinite(value):
        raise NotComputed
    return Constant("double", value, scale)


def number_of(one: Constant) -> int | Decimal | float:
    """A constant as a number, texts by their beginning. Raises NotComputed for NULL and shapes."""
    value = one.value
    match value:
        case str() | bytes():
            found = _PREFIX.match(value if isinstance(value, str) else value.decode("latin-1"))
            return float(found[1]) if found else 0.0
        case datetime() if one.kind == "date":
            return int(value.strftime("%Y%m%d")) if value.year > 999 else _unknown()
        case datetime():
            whole = int(value.strftime("%Y%m%d%H%M%S")) if value.year > 999 else _unknown()
            return (
                rounded(whole + Decimal(value.microsecond).scaleb(-6), one.scale or 0) if one.scale else whole
            )
        case int() if one.kind == "time":
            seconds, rest = divmod(abs(value), 10**6)
            whole = seconds // 3600 * 10000 + seconds // 60 % 60 * 100 + seconds % 60
            found_time = whole + Decimal(rest).scaleb(-6) if one.scale else whole
            return -found_time if value < 0 else found_time
        case None:
            raise NotComputed
        case _:
            return value


def _unknown() -> int:
    raise NotComputed


def truth_of(one: Constant) -> bool | None:
    """Whether a constant is true; None for NULL."""
    return None if one.value is None else number_of(one) != 0


def whole_of(one: Constant) -> int:
    """A constant as an integer: rounded, a text cut off behind its digits (`val_int`)."""
    number = number_of(one)
    if isinstance(one.value, (str, bytes)):
        plain = one.value if isinstance(one.value, str) else one.value.decode("latin-1")
        found = re.match(r"\s*[+-]?\d+", plain, re.ASCII)
        return int(found[0]) if found else 0
    if isinstance(number, float):
        if abs(number) >= 2**63:
            raise NotComputed
        return round(number)
    return int(rounded(Decimal(number), 0))


def text_of(one: Constant) -> str:
    """A constant as text. Raises NotComputed for NULL, shapes and bytes beyond ASCII."""
    value = one.value
    match value:
        case str():
            return value
        case bytes():
            if not value.isascii():
                raise NotComputed
            return value.decode("ascii")
        case datetime():
            day = f"{value.year:04}-{value.month:02}-{value.day:02}"
            return (
                day if one.kind == "date" else f"{day} {value:%H:%M:%S}" + _tail(value.microsecond, one.scale)
            )
        case int() if one.kind == "time":
            seconds, rest = divmod(abs(value), 10**6)
            sign = "-" if value < 0 else ""
            return f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}" + _tail(
                rest, one.scale
            )
        case float():
            return spelled(Decimal(repr(value))) if one.scale is None else f"{Decimal(value):.{one.scale}f}"
        case Decimal():
            return f"{rounded(value, one.scale or 0):f}"
        case int():
            return str(value)
        case _:
            raise NotComputed


def _tail(microseconds: int, scale: int | None) -> str:
    return f".{microseconds:06}"[: 1 + scale] if scale else ""


def octets_of(one: Constant) -> bytes:
    """The bytes of a constant as text, in UTF-8."""
    return one.value if isinstance(one.value, bytes) else text_of(one).encode()


def spelled(number: Decimal) -> str:
    """A number as servers print FLOAT and DOUBLE: very large and very small ones with an exponent."""
    shortest = number.normalize()
    sign, digits, exponent = shortest.as_tuple()
    point = len(digits) + int(exponent)
    if point in _FIXED_POINT or shortest == 0:
        return f"{shortest:f}"
    mantissa = "".join(map(str, digits))
    return "-" * sign + mantissa[0] + ("." + mantissa[1:] if len(mantissa) > 1 else "") + f"e{point - 1}"


def merged(given: list[Constant], chosen: Constant) -> Constant:
    """One of several, in the type that all have together (`Type_handler_hybrid_field_type`)."""
    kinds = {one.kind for one in given if one.kind != "null"}
    if not kinds:
        return NULL
    if "shape" in kinds and len(kinds) > 1:
        raise NotComputed
    truths = all(one.truth for one in given if one.kind != "null")
    if len(kinds) == 1:
        kind = min(kinds)
    elif kinds <= NUMBERS:
        kind = "double" if "double" in kinds else "decimal"
    elif kinds <= MOMENTS:
        kind = "datetime"
    else:
        kind = "bytes" if "bytes" in kinds else "text"
    scale: int | None = 0
    if kind in NUMBERS or kind in MOMENTS:
        scales = [one.scale for one in given if one.kind != "null"]
        scale = None if None in scales else max(one or 0 for one in scales)
    if chosen.value is None:
        return Constant(kind, None, scale, truths)
    if kind in ("text", "json"):
        return Constant(kind, text_of(chosen))
    if kind == "bytes":
        return Constant(kind, octets_of(chosen))
    if kind == "decimal":
        number = Decimal(number_of(chosen))
        return Constant(kind, number, scale) if chosen.kind == kind else decimal(number, scale or 0)
    if kind == "double":
        return double(float(number_of(chosen)), scale)
    if kind == "datetime" and chosen.kind == "time":
        raise NotComputed
    return Constant(kind, chosen.value, scale, truths)
