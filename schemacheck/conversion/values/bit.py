"""BIT: a narrower column takes all ones for what does not fit."""

from __future__ import annotations

from schemacheck.conversion.values.outcome import UNCHANGED, Outcome, What
from schemacheck.model import ColumnType


def outcome(source: ColumnType, replica: ColumnType) -> Outcome:
    """BIT(M) to BIT(M'): the manual's "all-set value" where M' < M."""
    have, room = source.length or 1, replica.length or 1
    if have <= room:
        return UNCHANGED
    value = "1" + "0" * (have - 1)
    return Outcome(
        What.CLIPPED, f"b'{value}'", f"b'{'1' * room}'", "a value that does not fit becomes all ones"
    )
