"""A source's binary log and the transaction that is open before it."""

from __future__ import annotations

from schemacheck.catalog.presence import Key
from schemacheck.dataclass import dataclass, field
from schemacheck.filters.event import Event


@dataclass(slots=True)
class Log:
    """Events that are logged, with the tables that they change; those of an open transaction wait
    for COMMIT.
    """

    events: list[Event] = field(default_factory=list)
    changed: list[Key] = field(default_factory=list)
    waiting: list[Event] = field(default_factory=list)
    open: bool = False
    autocommit: bool = True
    _changing: list[Key] = field(default_factory=list)

    def emit(self, *events: Event, changed: list[Key] | None = None) -> None:
        """Into the log at once, or with the transaction that is open."""
        into, marks = (self.waiting, self._changing) if self.open else (self.events, self.changed)
        into += events
        marks += [key for key in changed or () if key not in marks]

    def begin(self) -> None:
        """BEGIN: an open transaction is committed before."""
        self.commit()
        self.open = True

    def commit(self) -> None:
        """What waits is logged."""
        self.events += self.waiting
        self.changed += [key for key in self._changing if key not in self.changed]
        self.drop()

    def drop(self) -> None:
        """What waits is forgotten (ROLLBACK)."""
        self.waiting, self._changing = [], []
        self.open = not self.autocommit

    def set_autocommit(self, *, on: bool) -> None:
        """SET autocommit."""
        self.autocommit = on
        if on:
            self.commit()
        self.open = not on
