"""What a replica meets beside rows: a statement of a change, an event of its own."""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.model.finding import ServerError
from schemacheck.model.link import Link
from schemacheck.model.location import Location
from schemacheck.model.program import Event, Routine
from schemacheck.model.server import Server


@dataclass(frozen=True, slots=True)
class RefusedStatement:
    """The first statement of a change that the source runs and the replica does not.

    `sql` is its text and `location` its place in the change; `table` is the first table that it names, in
    `database`; `error` is what the applier prints (None: it passes over the statement without an
    error, or runs it and has other rows then); `differs` says why only some rows meet that; `behind` counts
    the definitions that stand behind it and are not applied either.
    """

    sql: str
    location: Location | None
    database: str | None
    table: str
    error: ServerError | None
    replica: Server
    behind: int = 0
    differs: str = ""


@dataclass(frozen=True, slots=True)
class OwnEvent:
    """An event that is enabled on the replica, and a replicated table that it changes, or may change."""

    event: Event
    database: str | None
    table: str
    replica: Server


@dataclass(frozen=True, slots=True)
class CalledFunction:
    """A stored function that statements of the source may call, and the replica's of the same name.
    `unlisted` is the trigger or view that calls one of which no input has the definition. `hidden` is a table
    that it names and that filters keep out, with the reason (here of triggers too).
    """

    function: Routine
    other: Routine | None
    link: Link
    unlisted: str = ""
    hidden: tuple[str, str] | None = None
