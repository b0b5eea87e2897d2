"""What the engine answers about a pair: effects, findings, the smallest setting."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, field
from schemacheck.model.location import Location
from schemacheck.model.policy import Tolerance
from schemacheck.model.quantity import plural
from schemacheck.model.table import Table

if TYPE_CHECKING:
    from schemacheck.model.evidence import Evidence


class Effect(enum.Enum):
    """What the replica does, from harmless to worst; comparable with `<`."""

    IDENTICAL = "identical"
    COMPATIBLE = "compatible"
    INCOMPLETE = "incomplete"
    LOSSY = "lossy"
    UNSUPPORTED = "unsupported"
    DIVERGES = "diverges"
    STOPS = "stops"
    UNKNOWN = "unknown"

    def __init__(self, _word: str) -> None:
        #: Place on the scale, 0 (identical) upwards.
        self.rank = len(type(self).__members__)

    # Members are singletons; the enum's own hash and order are Python calls, and engines compare millions of
    # effects.
    __hash__ = object.__hash__

    def __lt__(self, other: object) -> bool:
        return self.rank < other.rank if isinstance(other, Effect) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.rank <= other.rank if isinstance(other, Effect) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.rank > other.rank if isinstance(other, Effect) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.rank >= other.rank if isinstance(other, Effect) else NotImplemented


@dataclass(frozen=True, slots=True)
class ServerError:
    """An error as the replica prints it. `number` is what SHOW REPLICA STATUS and the error log
    show; `message` is the server's own template, filled in."""

    number: int
    message: str
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """One value of the source and what the replica holds afterwards, both as SQL would show them."""

    source: str
    replica: str


@dataclass(frozen=True, slots=True)
class Side:
    """One end of a finding: its place, and the text there; `line` where no table has it."""

    location: Location | None = None
    text: str | None = None
    line: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Affected:
    """How the rows are found whose values may differ.

    `source` is a query on the source; where `replica` is None it returns exactly the rows whose values
    arrive as others, else both are run, one on each end, and different results mean different values.
    `checksum` is a line for pt-table-checksum.
    """

    source: str | None = None
    replica: str | None = None
    checksum: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact about a pair.

    `code` and `rule` name the rule; `message` says what the replica will do; `error` is the error
    that stops the applier (effect `stops`), or, with `depends_on_rows`, the one that some rows
    will raise; `setting` is the deciding server variable with its value; `remedy` is one
    imperative sentence, `remedy_sql` its statement (run on the replica; it never drops a key or data);
    `example` shows a value that changes; `affected` finds the rows that hold one; `reference` cites the
    manual section or the measurement; `tolerated` says why the gate lets the finding pass (policy, set after
    the rules have run; rules leave it alone). `statements` are the marks of logged statements to which it may
    happen (`schemacheck.evidence.statements`); `evidence` is set where evidence was given.
    """

    code: str
    rule: str
    effect: Effect
    message: str
    database: str | None = None
    table: str = ""
    column: str | None = None
    source: Side = Side()
    replica: Side = Side()
    error: ServerError | None = None
    depends_on_rows: bool = False
    setting: str | None = None
    remedy: str = ""
    remedy_sql: str | None = None
    example: Example | None = None
    reference: str = ""
    also: tuple[int, ...] = ()
    tolerated: Tolerance | None = None
    affected: Affected | None = None
    statements: tuple[str, ...] = ()
    evidence: Evidence | None = None

    def by(self, code: str, rule: str) -> Finding:
        """The finding as this rule's. One that has no name yet is given it, others are copied. (Spelled out:
        `replace` costs four times as much.)
        """
        if not self.code:
            _set_code(self, code)
            _set_rule(self, rule)
            return self
        return Finding(
            code, rule, self.effect, self.message, self.database, self.table, self.column, self.source,
            self.replica, self.error, self.depends_on_rows,
            self.setting, self.remedy, self.remedy_sql, self.example, self.reference, self.also,
            self.tolerated, self.affected, self.statements, self.evidence,
        )  # fmt: skip

    @property
    def remedy_sql_on(self) -> str | None:
        """The end that `remedy_sql` is run on: every rule gives a statement for the replica."""
        return "replica" if self.remedy_sql else None

    @property
    def matters(self) -> bool:
        """Neither harmless nor tolerated: what a report shows without being asked for more."""
        return self.effect > Effect.COMPATIBLE and self.tolerated is None

    @property
    def kills_link(self) -> bool:
        """Of a finding about a link: whether it stops, may stop, or leaves every statement out."""
        return self.effect >= Effect.STOPS or (self.effect is Effect.DIVERGES and not self.depends_on_rows)

    @property
    def subject(self) -> str:
        """`db.table.column`, as far as known."""
        return ".".join(part for part in (self.database, self.table, self.column) if part)


#: What names a finding that a rule has just made: a copy costs ten times as much.
_set_code = Finding.__dict__["code"].__set__
_set_rule = Finding.__dict__["rule"].__set__


class PairState(enum.Enum):
    """Why a pair has its verdict."""

    COMPARED = "compared"
    MISSING = "missing"
    SURPLUS = "surplus"
    NOT_REPLICATED = "not-replicated"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class SmallestSetting:
    """The smallest `slave_type_conversions` with no error and no changed value.

    `modes` is '' for "none needed", a comma-joined set, or None: no setting helps, and `reason`
    says why. `outcomes` gives the verdict under every setting that the replica's version knows.
    """

    modes: str | None
    reason: str = ""
    outcomes: tuple[tuple[str, Effect], ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class PairReport:
    """One source table against one replica table."""

    database: str | None
    table: str
    state: PairState
    findings: tuple[Finding, ...] = ()
    smallest: SmallestSetting | None = None
    reason: str = ""
    source: Table | None = None
    replica: Table | None = None

    @property
    def verdict(self) -> Effect:
        """The worst effect of the findings."""
        return max((finding.effect for finding in self.findings), default=Effect.IDENTICAL)

    @property
    def name(self) -> str:
        """`db.table`, or the bare name."""
        return f"{self.database}.{self.table}" if self.database else self.table

    def __repr__(self) -> str:
        text = f"{self.verdict.value} ({self.state.value}), {plural(len(self.findings), 'finding')}"
        return f"<PairReport {self.name}: {text}>"
