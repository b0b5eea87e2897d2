"""What evidence says of a finding: whether it bites the data that is there."""

from __future__ import annotations

import enum

from schemacheck.dataclass import dataclass
from schemacheck.model.quantity import plural


class Bite(enum.Enum):
    """What evidence says, worst first."""

    BITES = "bites"
    COULD = "could"
    CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The state of a finding beside its effect.

    `count` are the `unit`s (row, write, statement) to which it happens, or of which it is not known whether
    it does (`could`); `least`: at least so many. `absent`: all that was looked at has none to which it could
    happen. `of` says what was looked at, or why nothing tells; `since` and `until` (UTC) between which times.
    """

    bite: Bite
    count: int = 0
    least: bool = False
    unit: str = "row"
    absent: bool = False
    of: str = ""
    since: str = ""
    until: str = ""

    @property
    def rank(self) -> int:
        """Its place where the worst is 0."""
        if self.bite is Bite.COULD:
            return 3 if self.absent else 1 if self.count else 2
        return 0 if self.bite is Bite.BITES else 4

    @property
    def word(self) -> str:
        """`bites (at least 3 rows)`, `none today`, `could`, `could (12 statements)`, `cannot`."""
        if self.absent:
            return "cannot" if self.bite is Bite.CANNOT else "none today"
        number = f"{'at least ' if self.least else ''}{plural(self.count, self.unit)}"
        return f"{self.bite.value} ({number})" if self.count else self.bite.value

    @property
    def sentence(self) -> str:
        """The word, what was looked at, and when."""
        when = f", {self.since} to {self.until}" if self.since else f", {self.until}" if self.until else ""
        looked = ", looked at" if self.absent or self.count else ":"
        return f"{self.word}{looked} {self.of}{when}" if self.of else self.word + when
