"""Integers: raw bytes where the width is equal, else decoded with a guessed sign and clipped."""

from __future__ import annotations

from schemacheck.conversion.classify import Kind
from schemacheck.conversion.values.outcome import UNCHANGED, Outcome, What
from schemacheck.model import ColumnType, Link
from schemacheck.model.column_type import span


def read_as(value: int, column: ColumnType, *, unsigned: bool) -> int:
    """The bytes of a number of an integer column, read with a sign or without."""
    low, high = span(column)
    seen = value % (high - low + 1)
    return seen if unsigned or seen <= (high - low) // 2 else seen - (high - low + 1)


def decoded_unsigned(replica: ColumnType, link: Link) -> bool:
    """Whether a converted integer is decoded as unsigned.

    MySQL: create_conversion_table looks at ALL_UNSIGNED and ALL_SIGNED of the setting only
    (Bug#15831300, Bug#82599); MariaDB takes the replica column's own sign, and so does Percona
    under ALL_SIGNS_AS_ON_SLAVE.
    """
    modes = link.type_conversions
    if link.replica.has("sign-of-replica-column") or "ALL_SIGNS_AS_ON_SLAVE" in modes:
        return replica.unsigned
    if not link.replica.has("signedness-modes"):
        return False
    return "ALL_UNSIGNED" in modes and "ALL_SIGNED" not in modes


def outcome(source: ColumnType, replica: ColumnType, kind: Kind, link: Link) -> Outcome:
    """Follow the extremes of the source's range through decoding and storing."""
    low, high = span(source)
    bottom, top = span(replica)
    raw = kind is Kind.EXACT
    as_unsigned = replica.unsigned if raw else decoded_unsigned(replica, link)
    for value in (high, low, -1 if low < 0 else high // 2 + 1, 5):
        seen = read_as(value, source, unsigned=as_unsigned)
        stored = seen if raw else max(bottom, min(top, seen))
        if stored != value:
            what = What.SIGN if seen != value else What.CLIPPED
            return Outcome(what, str(value), str(stored), _why(what, raw=raw, as_unsigned=as_unsigned))
    return UNCHANGED


def _why(what: What, *, raw: bool, as_unsigned: bool) -> str:
    if what is What.CLIPPED:
        return "values beyond the replica column's range are clipped to its end"
    if raw:
        return "row events do not carry the sign: the replica reads the bytes by its own column's"
    return (
        "row events do not say whether a number is signed: the replica reads it as "
        f"{'unsigned' if as_unsigned else 'signed'}"
    )
