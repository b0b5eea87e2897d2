"""DECIMAL to DECIMAL, FLOAT and DOUBLE."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal

from schemacheck.conversion.classify import Kind
from schemacheck.conversion.values.outcome import UNCHANGED, Outcome, What
from schemacheck.model import ColumnType

#: Significant digits that always survive: FLT_DIG, DBL_DIG.
DIGITS = {"float": 6, "double": 15}
WIDE = Context(prec=400)


def largest(precision: int, scale: int) -> Decimal:
    """The largest DECIMAL(precision, scale): 99.99 for (4,2)."""
    return Decimal((0, (9,) * precision, -scale)) if precision else Decimal(0)


def candidates(column: ColumnType) -> list[Decimal]:
    """Values of a DECIMAL column that show what a conversion does: extremes and the last digits."""
    precision, scale = column.length or 10, column.scale or 0
    top = largest(precision, scale)
    step = Decimal((0, (1,), -scale))
    values = [top, step * 5 if scale else Decimal(5), step]
    return values if column.unsigned else [*values, -top, -step]


def store(value: Decimal, column: ColumnType) -> Decimal:
    """What a DECIMAL column keeps: rounded half up, clipped to its range, never negative if unsigned."""
    precision, scale = column.length or 10, column.scale or 0
    top = largest(precision, scale)
    if abs(value) > top * 10:
        number = top.copy_sign(value)
    else:
        number = value.quantize(Decimal((0, (1,), -scale)), ROUND_HALF_UP, WIDE)
    number = max(-top, min(top, number))
    return Decimal(0) if column.unsigned and number < 0 else number


def outcome(source: ColumnType, replica: ColumnType, kind: Kind) -> Outcome:
    """Follow the extremes of a DECIMAL column."""
    if kind is Kind.EXACT:
        # my_decimal is copied as it is, a minus into an UNSIGNED column too.
        return UNCHANGED
    if replica.is_decimal:
        return _judge(source, replica, lambda value: store(value, replica))
    if (
        replica.scale is None
        and not (replica.unsigned and not source.unsigned)
        and (source.length or 10) <= DIGITS[replica.base]
    ):
        return UNCHANGED
    return _judge(source, replica, lambda value: approximate(value, replica))


def approximate(value: Decimal, replica: ColumnType) -> Decimal:
    """What a FLOAT or DOUBLE column shows for a number: its digits, its (M,D), its sign."""
    if replica.unsigned and value < 0:
        return Decimal(0)
    shown = Context(prec=DIGITS[replica.base]).plus(value)
    if replica.scale is not None and replica.length is not None:
        # Field_real::truncate: round to D digits, clip to M digits.
        top = largest(replica.length, replica.scale)
        if abs(value) > top * 10:
            return top.copy_sign(value)
        rounded = value.quantize(Decimal((0, (1,), -replica.scale)), ROUND_HALF_UP, WIDE)
        shown = max(-top, min(top, rounded))
        if replica.length > DIGITS[replica.base]:
            # The digits beyond the type's own precision are noise.
            shown = Context(prec=DIGITS[replica.base]).plus(shown)
    return shown


def _judge(source: ColumnType, replica: ColumnType, convert: object) -> Outcome:
    assert callable(convert)
    for value in candidates(source):
        number: Decimal = convert(value)
        if number != value:
            clipped = abs(number) < abs(value) and (
                (replica.unsigned and value < 0) or abs(value - number) > abs(value) / 100
            )
            what = What.CLIPPED if clipped else What.ROUNDED
            note = (
                "values beyond the replica column's range are clipped"
                if clipped
                else "digits that the replica column cannot hold are rounded"
            )
            return Outcome(what, f"{value:f}", f"{number:f}", note)
    return UNCHANGED
