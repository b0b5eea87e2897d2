"""What becomes of a change: the answer of an evaluation, with its reasons."""

from __future__ import annotations

import enum

from schemacheck.dataclass import dataclass
from schemacheck.filters.trace import Step
from schemacheck.model import ServerError


class Outcome(enum.Enum):
    """What a replica makes of a change."""

    EXECUTED = "executed"
    PARTLY = "partly"
    IGNORED = "ignored"
    NOT_LOGGED = "not-logged"
    STOPS = "stops"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """One updated table: its name on the source, and the one that changes on the replica (None: none)."""

    table: str
    replica: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer about a statement (or a script) and one replica.

    `logged` is None where it cannot be determined. `tables` are those that change on the source; `error` is
    the applier's where it stops. `unknown` lists what cannot be determined from what was given (the tables
    that a function changes); where the answer itself hangs on it, the outcome is `unknown`.
    """

    outcome: Outcome
    logged: bool | None
    tables: tuple[TableOutcome, ...] = ()
    error: ServerError | None = None
    trace: tuple[Step, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def rule(self) -> str:
        """The rule that decided last."""
        return next((step.rule for step in reversed(self.trace) if step.rule), "")
