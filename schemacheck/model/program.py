"""Programs that a server keeps beside its tables: triggers and events, which it runs by itself; routines."""

from __future__ import annotations

import re
from functools import cache

from schemacheck.dataclass import dataclass, field
from schemacheck.model.location import Location
from schemacheck.sql import characters


@cache
def _pieces() -> re.Pattern[str]:
    strings = "|".join(map(characters.string, "'\""))
    return re.compile(rf"(?P<string>{strings})|(?P<rest>[^'\"]+|.)", re.DOTALL)


#: What a text must hold for a word of sql_mode to change its meaning. The strict modes are left out: they
#: change which values are errors, and versions differ in them.
_NEEDLES = {
    "PIPES_AS_CONCAT": "||", "ANSI_QUOTES": '"', "NO_BACKSLASH_ESCAPES": "\\", "HIGH_NOT_PRECEDENCE": "NOT",
    "REAL_AS_FLOAT": "REAL", "NO_UNSIGNED_SUBTRACTION": "-", "EMPTY_STRING_IS_NULL": "''", "ORACLE": "",
    "PAD_CHAR_TO_FULL_LENGTH": "", "ALLOW_INVALID_DATES": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger of a table. `timing` is BEFORE or AFTER, `event` INSERT, UPDATE or DELETE, `body` the
    statement behind FOR EACH ROW as it was written, without a semicolon at its end. `modes` are the words of
    the sql_mode that it was created under and runs under, in order; None: not told.
    """

    name: str
    timing: str
    event: str
    body: str
    location: Location | None = field(default=None, compare=False)
    modes: tuple[str, ...] | None = field(default=None, compare=False)

    @property
    def meaning(self) -> str:
        """The body in one spelling: blanks and case count in strings only."""
        return _pieces().sub(lambda found: found["string"] or _folded(found["rest"]), self.body)

    @property
    def deciding_modes(self) -> tuple[str, ...]:
        """Those of `modes` under which words of the body mean something else."""
        return tuple(mode for mode in self.modes or () if _NEEDLES.get(mode, "\0") in self.body.upper())


def _folded(text: str) -> str:
    return re.sub(r"[ \t\n\v\f\r]+", " ", text).casefold()


@dataclass(frozen=True, slots=True)
class Event:
    """A scheduled event. `enabled` is false where this server does not run it (DISABLE, DISABLE
    ON REPLICA). `writes` are the tables that its body changes, (database or None, name), and `unread` says
    why they are not all known.
    """

    name: str
    body: str
    database: str | None = None
    enabled: bool = True
    location: Location | None = field(default=None, compare=False)
    writes: tuple[tuple[str | None, str], ...] = field(default=(), compare=False)
    unread: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Routine:
    """A stored procedure or function, by its name alone. `kind` is `procedure` or `function`."""

    kind: str
    name: str
    database: str | None = None
