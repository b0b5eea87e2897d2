"""DATE, TIME, DATETIME, TIMESTAMP and their fractional digits.

A temporal without fraction sends no metadata, so a replica with a fraction reads more bytes than
were written. MySQL decodes an f > 0 column of another stored size with fraction 0 and so misreads
it (create_conversion_table passes no decimals); MariaDB converts.
"""

from __future__ import annotations

from schemacheck.conversion.classify import Kind
from schemacheck.conversion.values.outcome import UNCHANGED, Outcome, What
from schemacheck.conversion.wire import NEW_TEMPORALS, image
from schemacheck.model import ColumnType, Link

_SAMPLE = {"time": "10:11:12", "datetime": "2024-02-29 10:11:12", "timestamp": "2024-02-29 10:11:12"}


def outcome(source: ColumnType, replica: ColumnType, kind: Kind, link: Link) -> Outcome:
    """Compare fractions, formats and kinds of two temporal columns."""
    if source.base != replica.base:
        if source.is_date:
            return UNCHANGED
        return Outcome(What.TRUNCATED, f"{_SAMPLE['datetime']}", "2024-02-29", "the time of day is cut off")
    if source.is_date:
        return UNCHANGED
    sent, held = image(source, link.source), image(replica, link.replica)
    ours, theirs = source.fraction, replica.fraction
    if sent.real in NEW_TEMPORALS.values():
        # The old format sends no metadata; MariaDB decodes it with the replica column's digits.
        if link.replica.has("old-temporal-takes-replica-digits") and ours != theirs:
            return Outcome(
                What.MISREAD,
                _with_digits(source.base, ours),
                "",
                "the replica decodes the old format with its own column's digits",
                grows=theirs > ours,
            )
        return UNCHANGED if ours <= theirs else _shorter(source, ours, theirs)
    if kind is Kind.VARIANT:
        return UNCHANGED if ours <= theirs else _shorter(source, ours, theirs)
    if sent.real is held.real and sent.real in NEW_TEMPORALS:
        if ours == 0 < theirs:
            return Outcome(
                What.MISREAD,
                _SAMPLE[source.base],
                "",
                "a column without a fraction sends no precision, so the replica reads more "
                "bytes than the source wrote",
                grows=True,
            )
        if (ours + 1) // 2 != (theirs + 1) // 2 and not link.replica.has("temporal-fraction-conversion"):
            return Outcome(
                What.MISREAD,
                _with_digits(source.base, ours),
                "",
                "the replica decodes the value without its fraction, and reads its last bytes "
                "as the next column",
            )
    return _shorter(source, ours, theirs) if theirs < ours else UNCHANGED


def _with_digits(base: str, digits: int) -> str:
    return _SAMPLE[base] + ("." + "987654"[:digits] if digits else "")


def _shorter(source: ColumnType, ours: int, theirs: int) -> Outcome:
    return Outcome(
        What.TRUNCATED,
        _with_digits(source.base, ours),
        _with_digits(source.base, theirs),
        "fractional digits are cut off or rounded",
    )
