"""SET statements that come again: a dump says the same three around each of its tables.

What one did to the session is kept by its text and by all that it may depend on, where it ran without a doubt
or a problem. The same statement in the same state does the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from schemacheck.model.server import Server
from schemacheck.sql.script import Statement

if TYPE_CHECKING:
    from schemacheck.catalog.script import Script

#: Longer statements, and those among more user variables, are run each time; so many others are kept.
_LONGEST, _MOST_VARIABLES, _MOST = 200, 32, 256
_BEGINS = ("SET ", "set ", "/*!")


class State(NamedTuple):
    """What settings a session has: its own and those of new ones, and user variables."""

    server: Server
    others: Server
    client: str
    lost: str
    modes_lost: bool
    user: tuple[tuple[str, str | None], ...]


class Before(NamedTuple):
    """A statement, whether versioned comments are in it, and the settings before it."""

    text: str
    versioned: bool
    state: State


class Sets:
    """The SET statements of a script that ran before. (The script is no part of it: what held each other
    would keep all tables until the cycle collector runs.)
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Before, tuple[State, str, list[str]]] = {}

    def before(self, script: Script, statement: Statement) -> Before | None:
        """What a statement's effect depends on; None where that may be more than can be said of a SET."""
        text = statement.text
        if (
            len(text) > _LONGEST or not text.startswith(_BEGINS) or statement.open is not None
            or statement.whole or statement.altered or statement.command is not None
            or script.body is not None or not script.doubts.quiet
            or len(script.variables.user) > _MOST_VARIABLES
        ):  # fmt: skip
            return None
        return Before(text, statement.versioned, _state(script))

    def again(self, script: Script, before: Before) -> bool:
        """Whether a statement ran before in this state; its effect is there then."""
        known = self._known.get(before)
        if known is None:
            return False
        after, read_as, words = known
        variables = script.variables
        script.catalog.server, script.others = after.server, after.others
        variables.client, variables.lost, variables.modes_lost = after.client, after.lost, after.modes_lost
        if after.user != before.state.user:
            variables.user = dict(after.user)
        script.read_as, script.words, script.definition = read_as, words.copy(), None
        return True

    def keep(self, script: Script, before: Before) -> None:
        """Keep what a statement has done that ran now, and of which no problem was found."""
        if script.words[:1] != ["SET"] or not script.doubts.quiet:
            return
        if len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        self._known[before] = _state(script), script.read_as, script.words.copy()


def _state(script: Script) -> State:
    given = script.variables
    user = tuple(given.user.items())
    return State(script.catalog.server, script.others, given.client, given.lost, given.modes_lost, user)
