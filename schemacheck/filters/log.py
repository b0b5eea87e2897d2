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
    _marks: dict[str, tuple[int, int]] = field(default_factory=dict)

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
        self.waiting, self._changing, self._marks = [], [], {}
        self.open = not self.autocommit

    def savepoint(self, name: str) -> None:
        """SAVEPOINT."""
        self._marks[name.casefold()] = (len(self.waiting), len(self._changing))

    def back_to(self, name: str) -> None:
        """ROLLBACK TO SAVEPOINT: later events are cut off."""
        if name.casefold() in self._marks:
            events, keys = self._marks[name.casefold()]
            del self.waiting[events:], self._changing[keys:]

    def take(self) -> tuple[list[Event], list[Key]]:
        """The waiting events and the tables that they change; the transaction is closed without them."""
        taken = self.waiting, self._changing
        self.drop()
        return taken

    def set_autocommit(self, *, on: bool) -> None:
        """SET autocommit."""
        self.autocommit = on
        if on:
            self.commit()
        self.open = not on
