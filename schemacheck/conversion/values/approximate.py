"""FLOAT and DOUBLE, with and without (M,D).

The binary number may be the same and still be shown with other digits: a FLOAT prints six
significant digits, a DOUBLE all of them, and (M,D) prints D decimals. What a client reads is what
counts here (recorded: FLOAT -> DOUBLE turns -1234570 into -1234567.5).
"""

from __future__ import annotations

from decimal import Decimal

from schemacheck.conversion.classify import Kind
from schemacheck.conversion.values import exact
from schemacheck.conversion.values.exact import DIGITS, largest
from schemacheck.conversion.values.outcome import UNCHANGED, Outcome, What
from schemacheck.model import ColumnType

_SHOWN = "the same binary number is shown with other digits"


def outcome(source: ColumnType, replica: ColumnType, kind: Kind) -> Outcome:
    """Follow values of a FLOAT or DOUBLE column."""
    if replica.is_decimal:
        return _to_decimal(source, replica)
    if kind is Kind.EXACT:
        return _shown(source, replica)
    if source.is_single and replica.is_double:
        return _widened(source, replica)
    if source.scale is None or source.length is None:
        value, text = ("1.7e308", "3.40282e38") if source.is_double else ("3.4e38", "3.4e38")
        if replica.scale is not None:
            text = f"{largest(replica.length or 0, replica.scale):f}"
        return Outcome(What.CLIPPED, value, text, "values beyond the replica column's range are clipped")
    return _declared(source, replica)


def _shown(source: ColumnType, replica: ColumnType) -> Outcome:
    """Raw copy: the replica shows the number by its own (M,D)."""
    digits = DIGITS[source.base]
    here, there = (source.length, source.scale), (replica.length, replica.scale)
    if replica.zerofill and not source.unsigned:
        note = "the value keeps its minus sign, and ZEROFILL shows zeros before it"
        return Outcome(What.SHOWN, "-7", "000000000000000000-7", note)
    if here == there:
        return UNCHANGED
    if (
        source.is_double
        and source.scale
        and not source.unsigned
        and (replica.scale is None or replica.scale > digits)
    ):
        # Field_real::truncate makes -0.1 of -1 and 0.9 (recorded on 11.8): (M,D) hides what the sum loses.
        return Outcome(What.SHOWN, "-0.1", "-0.09999999999999998", _SHOWN)
    if replica.scale is None:
        if (source.length or 0) <= digits:
            return UNCHANGED
        number = largest(source.length or 0, source.scale or 0)
        return Outcome(What.SHOWN, f"{number:f}", f"{exact.approximate(number, replica):g}", _SHOWN)
    if source.scale is None or source.length is None:
        tiny = "1e-35" if source.is_single else "1e-40"
        return Outcome(What.SHOWN, tiny, f"{0:.{replica.scale}f}", _SHOWN)
    exact_digits = source.is_double or source.length - source.scale + replica.scale <= digits
    if source.scale <= replica.scale and exact_digits:
        # Asked: a DOUBLE shows 0.1 with 20 decimals as 0.1 and zeros.
        return UNCHANGED
    if source.scale == replica.scale:
        return UNCHANGED
    top = largest(source.length, source.scale)
    return Outcome(What.SHOWN, f"{top:f}", f"{float(top):.{replica.scale}f}", _SHOWN)


def _widened(source: ColumnType, replica: ColumnType) -> Outcome:
    """FLOAT to DOUBLE: the single-precision number with all its digits."""
    import struct

    if replica.unsigned and not source.unsigned:
        return Outcome(What.CLIPPED, "-1", "0", "negative values become 0 in an UNSIGNED column")
    value = "1.1" if source.scale is None or (source.scale or 0) > 0 else "16777217"
    if source.scale == 0 and (source.length or 0) <= 7 and (replica.scale is None or _fits(source, replica)):
        # Whole numbers of seven digits are the same in both precisions.
        return UNCHANGED
    number = struct.unpack("f", struct.pack("f", float(value)))[0]
    shown = repr(number)
    if replica.scale is not None:
        if (
            source.scale is not None
            and source.scale <= replica.scale <= 5
            and (source.length or 0) <= 6
            and _fits(source, replica)
        ):
            return UNCHANGED
        if source.scale is None:
            note = "values beyond (M,D) are clipped"
            return Outcome(What.CLIPPED, "3.4e38", f"{largest(replica.length or 0, replica.scale):f}", note)
        top = largest(source.length or 0, source.scale)
        return Outcome(
            What.ROUNDED,
            f"{top:f}",
            f"{min(top, largest(replica.length or 0, replica.scale)):.{replica.scale}f}",
            _SHOWN,
        )
    return Outcome(What.SHOWN, value, shown, _SHOWN)


def _fits(source: ColumnType, replica: ColumnType) -> bool:
    """Whether a declared (M,D) has room for another one's integer part."""
    return (source.length or 0) - (source.scale or 0) <= (replica.length or 0) - (replica.scale or 0)


def _declared(source: ColumnType, replica: ColumnType) -> Outcome:
    """DOUBLE(M,D) to FLOAT: by digits."""
    top = largest(source.length or 0, source.scale or 0)
    if (source.length or 0) <= DIGITS[replica.base] and (
        replica.scale is None or (_fits(source, replica) and (source.scale or 0) <= replica.scale)
    ) and not (replica.unsigned and not source.unsigned):  # fmt: skip
        return UNCHANGED
    number = exact.approximate(-top if replica.unsigned else top, replica)
    note = "digits that the replica column cannot hold are rounded"
    return Outcome(What.ROUNDED, f"{-top if replica.unsigned else top:f}", f"{number:f}", note)


def _to_decimal(source: ColumnType, replica: ColumnType) -> Outcome:
    """FLOAT, DOUBLE to DECIMAL: shortest digits of the double, then rounded and clipped."""
    scale = replica.scale or 0
    if source.scale is None or source.length is None:
        value = "1.7e308" if source.is_double else "3.4e38"
        note = "values beyond the range are clipped"
        return Outcome(What.CLIPPED, value, f"{largest(replica.length or 10, scale):f}", note)
    top_source = largest(source.length, source.scale)
    fits = source.length - source.scale <= (replica.length or 10) - scale
    signed = not (replica.unsigned and not source.unsigned)
    if source.is_single:
        if fits and signed and scale == source.scale and source.length <= 7:
            return UNCHANGED
        if fits and signed and scale > source.scale:
            import struct

            shown = f"{top_source:f}"
            single = struct.unpack("f", struct.pack("f", float(shown)))[0]
            text = f"{Decimal(repr(single)).quantize(Decimal((0, (1,), -scale)), context=exact.WIDE):f}"
            return Outcome(What.SHOWN, shown, text, _SHOWN) if Decimal(text) != top_source else UNCHANGED
    elif fits and signed and scale >= source.scale and source.length <= DIGITS["double"]:
        return UNCHANGED
    number = -top_source if not signed else top_source
    note = "digits that the replica column cannot hold are rounded or clipped"
    return Outcome(What.ROUNDED, f"{number:f}", f"{exact.store(number, replica):f}", note)
