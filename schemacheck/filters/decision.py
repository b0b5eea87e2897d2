"""What becomes of a change: the answer of an evaluation, with its reasons."""

from __future__ import annotations

import enum

from schemacheck.catalog.presence import Key
from schemacheck.dataclass import dataclass
from schemacheck.model import ServerError
from schemacheck.sql.statements import Statement


class Stage(enum.Enum):
    """Where a step happens."""

    SOURCE = "source"
    FORMAT = "format"
    REWRITE = "rewrite"
    DATABASE = "database"
    TABLE = "table"
    EXECUTE = "execute"


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `question` is the manual's; `rule` the option that answered, or a name for the absence of
    rules, or ''; `surprise` what people usually expect instead.
    """

    stage: Stage
    question: str
    answer: str
    rule: str = ""
    surprise: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether something passes, by which rule, through which steps."""

    passes: bool
    rule: str
    steps: tuple[Step, ...] = ()


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
    """The answer about a statement or script. `logged` None: not known. `tables` change on the source,
    `error` is the applier's; `unknown` lists what cannot be determined.
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


@dataclass(frozen=True, slots=True)
class QueryEvent:
    """A statement with the default database that the event carries (None: none)."""

    statement: Statement
    default: str | None


@dataclass(frozen=True, slots=True)
class RowsEvent:
    """Rows of tables."""

    tables: tuple[Key, ...]


Event = QueryEvent | RowsEvent
