"""A number as servers print FLOAT and DOUBLE."""

from __future__ import annotations

from decimal import Decimal

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
