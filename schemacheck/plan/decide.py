"""One table under one change: both orders, and what follows."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.dataclass import dataclass, replace
from schemacheck.model import Column, Effect, Link, PairState, Table, TableKind
from schemacheck.model.definition_sql import table_name
from schemacheck.model.filters import FilterSet
from schemacheck.model.quote import quoted
from schemacheck.plan import added, fits
from schemacheck.plan import passage as passages
from schemacheck.plan.model import Action, Obstacle, Order, Passage, Renames, TablePlan
from schemacheck.replay.alter import bare
from schemacheck.replay.other_rows import converted


@dataclass(frozen=True, slots=True)
class End:
    """One server's definition of a table before and after the change; None where it has none."""

    old: Table | None
    new: Table | None


def differs(old: Table | None, new: Table | None) -> bool:
    """Whether a change touches this table."""
    if old is new or (
        old is not None and new is not None and old == new and old.partitioning == new.partitioning
    ):
        return False
    return bare(old) != bare(new)


_DIALECT = "SC806"
_ONE_WAY = (Order.REPLICA_FIRST, Order.SOURCE_FIRST, Order.LOCK_STEP)
#: Why an order of two ends is none of a cluster's nodes.
_ONE_AFTER_THE_OTHER = (
    "node by node is not safe: every node may be written, and rows of one definition reach the other in "
    "one of the two directions only; run the statement in total order (Galera: wsrep_OSU_method = TOI), or "
    "write to one node only and plan it as replication"
)


def table_plan(
    ends: tuple[End, End], link: Link, filters: FilterSet | None = None, *, action: Action | None = None,
    renames: Renames = frozenset(), drifted: bool = False, anew: bool = False
) -> TablePlan:  # fmt: skip
    """The orders of one table. `ends` are source and replica: mixed versions may make different definitions
    of one statement. `renames` are columns (old name, new name, case folded) that the change renames;
    `anew`: other rows stand under the name then.
    """
    above, below = ends
    old, new = above.old, above.new
    named = new or old
    if named is None:
        raise ValueError("a change of a table needs its old or its new definition")
    what = action or (Action.CREATE if old is None else Action.DROP if new is None else Action.ALTER)
    plan = TablePlan(named.database, named.name, what, Order.ANY, old, new, renames=renames, anew=anew)
    if action is Action.DATA and not any(differs(e.old, e.new) for e in ends):
        # Of a table whose definition stays only what is so without the change stands against it.
        return _today(plan, above, below, link, filters, drifted=drifted)[0]
    if old is not None and new is not None and old.kind is not new.kind:
        why = (
            f"a {old.kind.value} becomes a {new.kind.value}: while only one end has it, row events "
            "find no base table"
        )
        return replace(plan, order=Order.LOCK_STEP, notes=(f"{why} and the applier stops (1347)",))
    if named.kind is not TableKind.TABLE:
        return replace(plan, notes=(f"a {named.kind.value}: no row events of its own",))
    if old is not None and new is not None and not anew:
        never = passages.never_equal(old, new, link)
        if never:
            return _blocked(plan, never)
        if apart := converted(old, new, link):
            return _blocked(plan, apart, Order.UNKNOWN)
        plan = replace(plan, notes=tuple(_notes(old, new, link, renames, what)))
    plan, names = _today(plan, above, below, link, filters, drifted=drifted)
    if plan.blocked:
        return plan
    if what is Action.RENAME:
        # Under the one name there is no table on the other end.
        first = passages.passage(above.old, None, link, names, filters)
        second = passages.passage(above.new, None, link, names, filters)
    else:
        first = passages.passage(above.old, below.new, link, names, filters)
        second = passages.passage(above.new, below.old, link, names, filters)
        first = _with(first, below, renames)
        second = _with(second, below, renames, written=above)
    plan = replace(plan, order=_order(first, second), replica_first=first, source_first=second)
    if link.kind.cluster:
        if plan.order in _ONE_WAY:
            plan = replace(plan, order=Order.LOCK_STEP, notes=(*plan.notes, _ONE_AFTER_THE_OTHER))
        return plan
    half = plan.passage(plan.order)
    if half is not None:
        back = passages.passage(half.replica, half.source, Link(link.replica, link.source))
        if half.replica is not None and half.source is not None and half.replica == new:
            back = replace(
                back, obstacles=(*back.obstacles, *passages.lost_values(half.source, half.replica))
            )
        plan = replace(plan, failover=back)
    return plan


def _notes(old: Table, new: Table, link: Link, renames: Renames, what: Action) -> Iterator[str]:
    renamed = {name for pair in renames for name in pair}
    for here, there in passages.replaced(old, new, renames) if what is Action.ALTER else ():
        if {here.casefold(), there.casefold()} & renamed:
            continue
        yield (
            f"{here} is taken to go and {there} to come, with its own values: for a rename plan the "
            f"statement CHANGE COLUMN {here} {there}"
        )
    yield from discarded(old, new, renames)
    yield from added.notes(old, new, link.source, renames)
    yield from fits.unsaid(old, new, renames, link.source)


def discarded(old: Table, new: Table, renames: Renames = frozenset()) -> tuple[str, ...]:
    """What is said of columns whose values go with the change, and the query that shows how many rows have
    one. `renames` are columns (old name, new name, case folded) that only get another name.
    """
    names = dict(renames)
    return tuple(
        f"{what} discards its values; "  # noqa: S608 for a person to read
        f"SELECT COUNT({quoted(c.name)}) FROM {table_name(old)} counts the rows that have one"
        for c in old.columns
        if (what := _taken(c, new.column(names.get(c.name.casefold(), c.name))))
    )


def _taken(old: Column, new: Column | None) -> str:
    """What takes a column's values; '' where they stay."""
    if old.generated is not None or (new is not None and new.generated is None):
        return ""
    return f"DROP COLUMN {old.name}" if new is None else f"the expression that {new.name} gets"


def _today(
    plan: TablePlan, above: End, below: End, link: Link, filters: FilterSet | None, *, drifted: bool
) -> tuple[TablePlan, passages.Known]:
    """The plan with what stands against any order, and what differs already before the change: that is told,
    and none of the change's; but what stops a replica that has drifted counts between the two ALTERs.
    """
    names: passages.Known = frozenset()
    already: set[tuple[object, ...]] = set()
    if above.old is not None and below.old is not None:
        before = passages.decide(above.old, below.old, link, filters)
        if before.state is PairState.NOT_REPLICATED:
            return plan, names
        stops = next((f for f in before.findings if f.effect is Effect.STOPS and not f.depends_on_rows), None)
        if stops is not None:
            return _blocked(plan, f"replication stops already without the change: {stops.message}"), names
        notes = (
            f"without the change already: {' '.join(f.message.split())}"
            for f in before.findings
            if not passages.harmless(f)
        )
        plan = replace(plan, notes=(*plan.notes, *notes))
        names = passages.known(f for f in before.findings if not (drifted and f.effect is Effect.STOPS))
        already = {(passages.mark(f), f.message) for f in before.findings}
    if above.new is not None and below.new is not None:
        after = passages.decide(above.new, below.new, link, filters)
        harm = [f for f in after.findings if not passages.harmless(f)]
        if above.old is None:
            # What the dialects of two servers mean for any table's statements is not this one's doing.
            others = [f for f in harm if f.code == _DIALECT]
            names |= passages.known(others)
            notes = (f"as any table here: {' '.join(f.message.split())}" for f in others)
            plan = replace(plan, notes=(*plan.notes, *notes))
        fresh = (f for f in harm if (passages.mark(f), f.message) not in already)
        wrong = [f for f in fresh if passages.mark(f) not in names]
        plan = replace(plan, remains=drifted and len(harm) > len(wrong))
        if wrong:
            why = (
                f"with the new definition on both ends ({link.source} to {link.replica}): {wrong[0].message}"
            )
            unknown = all(f.effect is Effect.UNKNOWN for f in wrong)
            return _blocked(plan, why, Order.UNKNOWN if unknown else Order.IMPOSSIBLE), names
    return plan, names


def _blocked(plan: TablePlan, why: str, order: Order = Order.IMPOSSIBLE) -> TablePlan:
    return replace(plan, order=order, blocked=why, replicates_not=why)


def _with(passage: Passage, end: End, renames: Renames, *, written: End | None = None) -> Passage:
    """The passage with what the second ALTER does to values. Source first: `written` is the source."""
    if (
        end.old is None
        or end.new is None
        or (passage.report is not None and passage.report.state is PairState.NOT_REPLICATED)
    ):
        return passage
    more: tuple[Obstacle, ...] = (
        *passages.own_values(end.old, end.new),
        *passages.taken_for(end.old, end.new, renames),
    )
    listed = {o.column for o in more}
    if written is None:
        second = passages.not_filled(end.old, end.new, passage.link.replica)
    else:
        lost = passages.lost_values(end.old, end.new)
        if not lost and written.old is not None and written.new is not None:
            # A replica with a column more takes the values for that one's.
            lost = passages.lost_values(written.old, written.new)
            lost = tuple(o for o in lost if o.column and end.old.column(o.column) is None)
        second = (*lost, *passages.not_found(end.old, end.new, passage.link.replica))
    more += tuple(o for o in second if o.column not in listed)
    return replace(passage, obstacles=(*passage.obstacles, *more)) if more else passage


def _order(first: Passage, second: Passage) -> Order:
    if first.safe and second.safe:
        return Order.ANY
    if first.safe or second.safe:
        return Order.REPLICA_FIRST if first.safe else Order.SOURCE_FIRST
    return Order.UNKNOWN if first.unknown and second.unknown else Order.LOCK_STEP
