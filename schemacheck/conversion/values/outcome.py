"""What happens to values, with an example."""

from __future__ import annotations

import enum

from schemacheck.dataclass import dataclass


class What(enum.Enum):
    """Kinds of change, harmless first."""

    UNCHANGED = "unchanged"
    SHOWN = "shown with other digits"
    PADDED = "padded"
    TRIMMED = "trailing spaces lost"
    ROUNDED = "rounded"
    TRUNCATED = "truncated"
    CLIPPED = "clipped"
    SIGN = "sign changed"
    REINTERPRETED = "reinterpreted"
    EMPTIED = "emptied"
    REFUSED = "refused"
    MISREAD = "misread"


_SAME = What.UNCHANGED


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of values: `source` is one that changes and `replica` what the replica shows
    for it; `note` says why. `grows`: a MISREAD takes more bytes than were written (else fewer)."""

    what: What
    source: str = ""
    replica: str = ""
    note: str = ""
    grows: bool = False

    @classmethod
    def unchanged(cls) -> Outcome:
        """Every value arrives as it was."""
        return UNCHANGED

    @property
    def changed(self) -> bool:
        """Whether some value is another one on the replica."""
        return self.what is not _SAME


UNCHANGED = Outcome(What.UNCHANGED)
