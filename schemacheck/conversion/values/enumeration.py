"""ENUM and SET: the index or the bits travel, never the words, converted or not."""

from __future__ import annotations

from schemacheck.conversion.values.outcome import UNCHANGED, Outcome, What
from schemacheck.model import ColumnType


def outcome(source: ColumnType, replica: ColumnType) -> Outcome:
    """Compare the members by position (recorded: pack length 1 to 2 keeps the index)."""
    for index, member in enumerate(source.members):
        if index >= len(replica.members):
            return Outcome(What.EMPTIED, f"'{member}'", "''", f"the replica has no member number {index + 1}")
        if replica.members[index] != member:
            note = (
                f"the event carries the number {index + 1}, which means '{replica.members[index]}' on "
                "the replica"
            )
            return Outcome(What.REINTERPRETED, f"'{member}'", f"'{replica.members[index]}'", note)
    return UNCHANGED
