"""Programs that a server keeps beside its tables: triggers and events, which it runs by itself; routines."""

from __future__ import annotations

from schemacheck.dataclass import dataclass, field
from schemacheck.model.location import Location
from schemacheck.model.server import Server

#: Stands for a definer where a program runs with the rights of its caller.
INVOKER = "INVOKER"


@dataclass(frozen=True, slots=True)
class Made:
    """What a trigger, a routine or a view keeps of its making, beside its text; '' is not told. `definer` is
    the account whose rights it runs with, `'user'@'host'`, or INVOKER; `connection` and `database` are the
    collations of the session and of the database at its CREATE, `modes` the words of
    sql_mode then, None where an input does not give them: a version's own are not among them. `read_only`: a
    view that takes no changes (ALGORITHM=TEMPTABLE, or what the server says of it).
    """

    definer: str = ""
    connection: str = ""
    database: str = ""
    modes: tuple[str, ...] | None = None
    read_only: bool = False


def account(text: str) -> str:
    """`user@host` as `'user'@'host'`; hosts have no case, and the host is % where none is named."""
    user, _, host = text.rpartition("@") if "@" in text else (text, "", "%")
    return f"'{user}'@'{host.casefold()}'" if text else ""


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
    made: Made = field(default=Made(), compare=False)


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
    """A stored procedure or function. `kind` is `procedure` or `function`, `body` what stands behind its
    name, `modes` as a trigger has them. Rows of information_schema tell parameters and result apart, in
    `head`, and the body without them; '?': not told.
    """

    kind: str
    name: str
    database: str | None = None
    body: str = field(default="", compare=False)
    location: Location | None = field(default=None, compare=False)
    modes: tuple[str, ...] | None = field(default=None, compare=False)
    made: Made = field(default=Made(), compare=False)
    head: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Ran:
    """Its text, the default database, the server with the session's settings, and the character set and
    collation of the database. A higher `number` ran later.
    """

    number: int
    text: str
    database: str | None
    server: Server
    charset: tuple[str, str]
