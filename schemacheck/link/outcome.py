"""What a link comes to: it runs, or one thread stops, or rows are lost without an error."""

from __future__ import annotations

import enum

from schemacheck import knowledge
from schemacheck.dataclass import dataclass
from schemacheck.model import Server


class Kind(enum.Enum):
    """How it ends. `io` and `sql` are the threads that stop, `refused` is CHANGE or START."""

    RUNS = "runs"
    DIVERGES = "diverges"
    IO = "io_stops"
    SQL = "sql_stops"
    REFUSED = "refused"
    CRASH = "crash"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer.

    `rule` names the rule that says it, `error` a key of `rules/links.yaml` (its number depends on the
    replica), `number` the server's error number (0: it stops without one), `why` one sentence, `change` what
    to do about it, `depends` the setting that was assumed and decides, with the value that would change the
    answer.
    `some`: it comes to that for some of what is logged (definitions, or rows under MIXED), not for all.
    """

    kind: Kind
    rule: str = ""
    number: int = 0
    why: str = ""
    change: str = ""
    depends: str = ""
    some: bool = False

    @property
    def dead(self) -> bool:
        """Whether a thread stops, or the channel is refused."""
        return self.kind in (Kind.IO, Kind.SQL, Kind.REFUSED, Kind.CRASH)


RUNS = Outcome(Kind.RUNS)


def number(key: str, replica: Server) -> int:
    """The error number of `key` on this replica. Raises KeyError where that server does not have
    the error.
    """
    entry = knowledge.load("links")["errors"][key]
    if replica.mariadb:
        return int(entry["mariadb"])
    numbered = replica.has("error-log-messages-have-numbers")
    return int(entry["numbered" if numbered else "mysql"])


def fails(
    kind: Kind, rule: str, key: str, replica: Server, why: str, *, change: str = "", depends: str = ""
) -> Outcome:
    """An outcome with the replica's number."""
    return Outcome(kind, rule, number(key, replica), why, change, depends)
