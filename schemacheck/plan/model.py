"""What a plan is made of. All values are frozen and can be pickled."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from schemacheck.dataclass import dataclass
from schemacheck.model import (
    Effect,
    Example,
    Finding,
    InputProblem,
    Link,
    Location,
    PairReport,
    ServerError,
    Table,
    notebook,
)
from schemacheck.sql.words import first_words

#: The ends of a link.
SOURCE, REPLICA = "source", "replica"


class Order(enum.Enum):
    """In which order the ends of a link may get a change."""

    ANY = "any order"
    REPLICA_FIRST = "replica-first"
    SOURCE_FIRST = "source-first"
    STAGED = "in stages"
    LOCK_STEP = "lock-step"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"

    @property
    def exists(self) -> bool:
        """Whether the change can be rolled out end by end while rows are written."""
        return self in (Order.ANY, Order.REPLICA_FIRST, Order.SOURCE_FIRST, Order.STAGED)


class Action(enum.Enum):
    """What happens to a table."""

    ALTER = "alter"
    CREATE = "create"
    DROP = "drop"
    RENAME = "rename"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why an order is not safe. `code` is the rule's ('' where the plan itself knows it, as for values
    that a later ALTER cannot bring back); `error` is what stops the applier, `example` a value that
    changes; `rows` says that it depends on the rows that are written."""

    effect: Effect
    text: str
    code: str = ""
    column: str | None = None
    error: ServerError | None = None
    example: Example | None = None
    rows: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """Rows of one definition arriving at the other while the rollout is half done.

    `report` is the engine's answer under the setting that decides: `modes` where the passage needs
    another `slave_type_conversions` than the link has, else (None) the link's own. It is None where one
    end has no table and no rows. `obstacles` is empty where the passage is safe: no error, no changed
    value. `caveats` are findings that the manual forbids and that change nothing.
    """

    link: Link
    source: Table | None
    replica: Table | None
    report: PairReport | None = None
    modes: str | None = None
    obstacles: tuple[Obstacle, ...] = ()
    caveats: tuple[str, ...] = ()

    @property
    def safe(self) -> bool:
        """Whether nothing stops and nothing drifts."""
        return not self.obstacles

    @property
    def unknown(self) -> bool:
        """Whether it could not be decided."""
        return any(o.effect is Effect.UNKNOWN for o in self.obstacles)


#: Columns that get another name: (old, new), case folded.
Renames = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One table under one change.

    `replica_first` and `source_first` are None where the change is decided without them. `failover` is the
    replica, promoted while the rollout is half done, feeding the old source. `renames` are columns that
    only get another name. `own`: the replica's definitions before and after,
    where it has drifted. `blocked` says why no order helps at all (Order.IMPOSSIBLE, UNKNOWN). `replicates`
    says that the statement itself, run on the source and replicated, is an order that is safe, else
    `replicates_not` why not. `remains`: rows do not arrive unharmed without the change, nor with it.
    `anew`: other rows stand under the name behind it.
    """

    database: str | None
    table: str
    action: Action
    order: Order
    old: Table | None = None
    new: Table | None = None
    replica_first: Passage | None = None
    source_first: Passage | None = None
    failover: Passage | None = None
    blocked: str = ""
    replicates_not: str = ""
    notes: tuple[str, ...] = ()
    own: tuple[Table | None, Table | None] | None = None
    remains: bool = False
    anew: bool = False
    renames: Renames = frozenset()

    @property
    def name(self) -> str:
        """`db.table`, or the bare name."""
        return f"{self.database}.{self.table}" if self.database else self.table

    @property
    def replicates(self) -> bool:
        """Whether simply replicating the statement is fine."""
        return not self.replicates_not

    @property
    def passages(self) -> tuple[Passage, ...]:
        """Both directions, replica first; () where the change is decided without them."""
        return tuple(passage for passage in (self.replica_first, self.source_first) if passage is not None)

    def at(self, side: str) -> tuple[Table | None, Table | None]:
        """The definition before and after on the source or the replica."""
        return (self.old, self.new) if side == SOURCE or self.own is None else self.own

    def passage(self, order: Order) -> Passage | None:
        """The passage of an order; `any order` goes the way that needs no setting."""
        first, second = self.replica_first, self.source_first
        if order is Order.ANY:
            return second if first and second and first.modes and not second.modes else first
        return {Order.REPLICA_FIRST: first, Order.SOURCE_FIRST: second}.get(order)

    @property
    def modes(self) -> str | None:
        """The slave_type_conversions needed in the meantime, None where the link's own will do."""
        chosen = self.passage(self.order)
        return chosen.modes if chosen else None


@dataclass(frozen=True, slots=True)
class StatementPlan:
    """One statement of a change and the tables that it touches. `sql` has no delimiter; `generated` says
    that it was written here out of two definitions; `parts` are its statements one by one, where several
    belong together (a new table with its keys); `database` is its default database, `session` the SET
    statements before it; `writes` says that it writes rows, or defines something else than a table: it is
    replicated like any other statement. `tables` is empty for those, and where replication sees nothing of
    the change (a comment)."""

    number: int
    sql: str
    order: Order
    tables: tuple[TablePlan, ...]
    location: Location | None = None
    generated: bool = False
    database: str | None = None
    writes: bool = False
    session: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    @property
    def swaps(self) -> bool:
        """Whether it gives tables each other's names: no row is lost."""
        renames = first_words(self.sql, 1) == ["RENAME"]
        return renames and any(table.action is Action.DATA for table in self.tables)


@dataclass(frozen=True, slots=True)
class Stage:
    """Statements that are rolled out together, to all servers, before the next stage begins. `order` is the
    one in which servers may get them one by one; `replicated` says that they are run on the source and
    replicated instead, which is safe.
    """

    order: Order
    statements: tuple[StatementPlan, ...]
    tables: tuple[TablePlan, ...]
    replicated: bool = False

    @property
    def goes(self) -> bool:
        """Whether it can be rolled out."""
        return self.replicated or self.order.exists


class StepKind(enum.Enum):
    """What a step of a runbook does."""

    LOOK = "look"
    RUN = "run"
    MARK = "mark"
    WAIT = "wait"
    SETTING = "setting"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Look:
    """A query and what it must show."""

    sql: str
    expect: str


@dataclass(frozen=True, slots=True)
class RunbookStep:
    """One thing to do: where in words, what in words, and the SQL.

    `side` is SOURCE or REPLICA, '' for nowhere. `before` and `after` are what to see around it, `discards`
    what goes with it for good, `cost` what the statements take, `timeout` the seconds after which to look
    what holds it up; `rollback` undoes it, when `rollback_before` shows what it must (empty where nothing
    does, see `rollback_note`).
    """

    number: int
    where: str
    text: str
    sql: tuple[str, ...] = ()
    kind: StepKind = StepKind.RUN
    side: str = SOURCE
    before: tuple[Look, ...] = ()
    after: tuple[Look, ...] = ()
    discards: tuple[str, ...] = ()
    cost: tuple[str, ...] = ()
    timeout: int | None = None
    rollback_before: tuple[Look, ...] = ()
    rollback: tuple[str, ...] = ()
    rollback_note: str = ""


@dataclass(frozen=True, slots=True)
class Back:
    """What takes a step back: look first (`before`), then the statements; none with the reason in `note`,
    which else says what they leave as it is.
    """

    sql: tuple[str, ...] = ()
    note: str = ""
    before: tuple[Look, ...] = ()


@dataclass(frozen=True, slots=True)
class Ghost:
    """A table of an online schema change tool: `tool`, what it is (`copy`, `changelog`, `old`), and the
    table that it belongs to."""

    database: str | None
    name: str
    tool: str
    role: str
    table: str


@dataclass(frozen=True, slots=True, repr=False)
class Plan:
    """A change and how to roll it out. `tables` is the whole change table by table, `stages` the order to go;
    `link_findings` are about the link by itself: over one that does not run, every order is `impossible`;
    `unlogged` says that each server is to be changed by itself; `remains` names tables whose drift harms
    replication before the change and behind it."""

    link: Link
    tables: tuple[TablePlan, ...]
    statements: tuple[StatementPlan, ...] = ()
    stages: tuple[Stage, ...] = ()
    runbook: tuple[RunbookStep, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    problems: tuple[InputProblem, ...] = ()
    assumptions: tuple[str, ...] = ()
    link_findings: tuple[Finding, ...] = ()
    unlogged: bool = False
    remains: tuple[str, ...] = ()

    @property
    def order(self) -> Order:
        """The one order of everything, server by server; of several stages the worst."""
        if any(not p.skipped for p in self.problems):
            return Order.UNKNOWN
        return after_one_another(stage.order for stage in self.stages)

    @property
    def goes(self) -> bool:
        """Whether every stage can be rolled out."""
        return all(stage.goes for stage in self.stages)

    @property
    def dead(self) -> bool:
        """Whether the link does not run, loses statements, or nobody can say whether it runs."""
        return any(finding.kills_link for finding in self.link_findings)

    @property
    def replicated(self) -> frozenset[int]:
        """The numbers of the statements that are run once, on the source."""
        return frozenset(s.number for stage in self.stages if stage.replicated for s in stage.statements)

    def of_link(self, finding: Finding) -> str:
        """`stops[SC911] mysql-9.7 to mariadb-10.11: error 22: ...` in one line."""
        error = f"error {finding.error.number}: " if finding.error else ""
        ends = f"{self.link.source} to {self.link.replica}"
        return f"{finding.effect.value}[{finding.code}] {ends}: {error}{' '.join(finding.message.split())}"

    def __repr__(self) -> str:
        """One line; `schemacheck.plan.text.render(plan)` has the rest."""
        return f"<Plan {self.order.value}: {len(self.tables):,} tables, {len(self.runbook):,} steps>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the steps of the runbook."""
        rows = [(step.number, step.where, step.text, " ".join(step.sql)) for step in self.runbook]
        return notebook.table(repr(self)[1:-1], ("step", "where", "what", "sql"), rows)


_RANK = {
    Order.ANY: 0,
    Order.REPLICA_FIRST: 1,
    Order.SOURCE_FIRST: 1,
    Order.STAGED: 2,
    Order.LOCK_STEP: 3,
    Order.IMPOSSIBLE: 4,
    Order.UNKNOWN: 5,
}


def combined(orders: Iterable[Order]) -> Order:
    """One order for several changes at once: what suits all, else lock-step."""
    result = list(orders)
    worst = max(result, key=_RANK.__getitem__, default=Order.ANY)
    if worst.exists and Order.REPLICA_FIRST in result and Order.SOURCE_FIRST in result:
        return Order.LOCK_STEP
    return worst


def after_one_another(orders: Iterable[Order]) -> Order:
    """One order for changes of which each is finished on every server before the next begins."""
    result = list(orders)
    worst = max(result, key=_RANK.__getitem__, default=Order.ANY)
    several = Order.REPLICA_FIRST in result and Order.SOURCE_FIRST in result
    return Order.STAGED if worst.exists and several else worst
