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
    user: dict[str, str | None]


class _Ran(NamedTuple):
    """A statement that ran: whether versioned comments are in it, the settings before and behind it, and
    what the script took it for.
    """

    versioned: bool
    before: State
    after: State
    read_as: str
    words: list[str]


class Sets:
    """The SET statements of a script that ran before, as they ran last. (The script is no part of it: what
    held each other would keep all tables until the cycle collector runs.)
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, _Ran] = {}

    def before(self, script: Script, statement: Statement) -> State | None:
        """What a statement's effect depends on; None where that may be more than can be said of a SET."""
        text = statement.text
        short = len(text) <= _LONGEST and text.startswith(_BEGINS)
        return _state(script) if short and _usual(script, statement) else None

    def again(self, script: Script, statement: Statement) -> bool:
        """Whether a statement ran before in this state; its effect is there then."""
        known = self._known.get(statement.text)
        if (
            known is None
            or known.versioned is not statement.versioned
            or not _usual(script, statement)
            or not _holds(known.before, script)
        ):
            return False
        after, catalog, variables = known.after, script.catalog, script.variables
        catalog.server, script.others = after.server, after.others
        variables.client, variables.lost, variables.modes_lost = after.client, after.lost, after.modes_lost
        if after.user != known.before.user:
            variables.user = after.user.copy()
        script.read_as, script.words, script.definition = known.read_as, known.words.copy(), None
        return True

    def keep(self, script: Script, statement: Statement, before: State) -> None:
        """Keep what a statement has done that ran now, and of which no problem was found."""
        if script.words[:1] != ["SET"] or not script.doubts.quiet:
            return
        if len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        ran = _Ran(statement.versioned, before, _state(script), script.read_as, script.words.copy())
        self._known[statement.text] = ran


def _usual(script: Script, statement: Statement) -> bool:
    """Whether a statement is whole and for the server, and nothing in doubt stood before it."""
    return (
        statement.open is None
        and not (statement.whole or statement.altered)
        and statement.command is None
        and script.body is None
        and script.doubts.quiet
        and len(script.variables.user) <= _MOST_VARIABLES
    )


def _state(script: Script) -> State:
    given = script.variables
    return State(
        script.catalog.server, script.others, given.client, given.lost, given.modes_lost, given.user.copy()
    )


def _holds(state: State, script: Script) -> bool:
    """Whether a script is in this state."""
    given, server, others = script.variables, script.catalog.server, script.others
    return (
        (state.server is server or state.server == server)
        and (state.others is others or state.others == others)
        and state.client == given.client
        and state.lost == given.lost
        and state.modes_lost is given.modes_lost
        and state.user == given.user
    )
