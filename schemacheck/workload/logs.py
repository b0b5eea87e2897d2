"""Which of a workload's statements the source's logs still hold when the replica comes for them.

FLUSH LOGS begins a new log, PURGE BINARY LOGS takes old ones away, RESET MASTER all. A replica that asks for
what is gone gets error 1236, or reads what is left and rows are missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemacheck.dataclass import dataclass, field
from schemacheck.link import place
from schemacheck.link.ends import Ends
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome

_ROTATES = re.compile(r"FLUSH\s+(?:(?:NO_WRITE_TO_BINLOG|LOCAL)\s+)?(?:BINARY\s+)?LOGS\b", re.IGNORECASE)
_PURGES = re.compile(r"PURGE\s+(?:BINARY|MASTER)\s+LOGS\s+TO\s+'[^']*\.(\d+)'", re.IGNORECASE)
_RESETS = re.compile(r"RESET\s+(?:MASTER|BINARY\s+LOGS\s+AND\s+GTIDS)\b", re.IGNORECASE)
_UNLOGGED = re.compile(
    r"(?:SET|USE|SHOW|SELECT|FLUSH|PURGE|RESET|DO|BEGIN|COMMIT|ROLLBACK|START)\b", re.IGNORECASE
)


@dataclass(slots=True)
class Logs:
    """The logs of the source: `number` the one that is written, `first` the oldest, `held` which log each
    logged statement is in (by its place; negative: before the channel's), `lost` those that are gone.
    """

    number: int = 1
    first: int = 1
    reset: bool = False
    held: dict[int, int] = field(default_factory=dict)
    lost: set[int] = field(default_factory=set)

    def take(self, at: int, text: str, *, logged: bool) -> None:
        """One statement."""
        plain = text.strip()
        if _ROTATES.match(plain):
            self.number += 1
        elif (purged := _PURGES.match(plain)) is not None:
            self.first = max(self.first, min(int(purged.group(1)), self.number))
        elif _RESETS.match(plain):
            self.lost |= set(self.held)
            self.held.clear()
            self.number = self.first = 1
            self.reset = True
        elif logged and not _UNLOGGED.match(plain):
            self.held[at] = self.number

    @property
    def gone(self) -> set[int]:
        """Statements whose log is gone."""
        return self.lost | {at for at, number in self.held.items() if number < self.first}


def unread(ends: Ends, before: Sequence[str], statements: Sequence[str]) -> Outcome | frozenset[int]:
    """The places of statements that the replica never gets (those of `before` are negative), or what it stops
    with at once.
    """
    logs, logged = Logs(), True
    begun, earlier = 1, frozenset[int]()
    for at, text in enumerate((*before, *statements), -len(before)):
        if at == 0:
            begun, earlier = logs.number, frozenset(logs.held)
        if (
            switch := re.match(r"SET\s+(?:SESSION\s+)?sql_log_bin\s*=\s*(\w+)", text.strip(), re.IGNORECASE)
        ) is not None:
            logged = switch.group(1).upper() in ("1", "ON")
        logs.take(at, text, logged=logged)
    if ends.channel is None:
        return frozenset()
    if ends.source.mariadb and logs.first > 1:
        # A log that a binlog checkpoint still needs stays, without an error (MYSQL_BIN_LOG::can_purge_log).
        return Outcome(Kind.UNKNOWN, "SC906", 0, "whether the source had let go of the log that was purged")
    if place.by_gtid(ends):
        if any(at not in logs.lost for at in logs.gone):
            return _gone(ends)
        return frozenset(logs.gone)
    if ends.channel.position in ("none", "gtid"):
        return frozenset(logs.gone)
    if begun < logs.first or begun > logs.number:
        return _gone(ends)
    if logs.reset and earlier:
        return Outcome(Kind.UNKNOWN, "SC906", 0, "whether an event begins at the position in the new log")
    return frozenset(logs.gone | earlier)


def _gone(ends: Ends) -> Outcome:
    return fails(
        Kind.IO, "SC906", "fatal-dump", ends.replica, "the log in which the replica would begin is purged",
        change="Make the replica anew from a backup of the source",
    )  # fmt: skip
