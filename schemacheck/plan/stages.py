"""The stages of a change: as many statements together as one order suits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from schemacheck.dataclass import replace
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet
from schemacheck.plan.change import Statement, Touched
from schemacheck.plan.decide import End, differs, table_plan
from schemacheck.plan.difference import Name
from schemacheck.plan.model import (
    Order,
    Passage,
    Stage,
    StatementPlan,
    TablePlan,
    after_one_another,
    combined,
)
from schemacheck.plan.passage import Renames, passage


class Merged:
    """Tables under several statements, each from before the first to after the last of them. A table is
    decided when it is asked for, and anew only where a statement has touched it since: a stage that grows by
    one statement costs that statement's tables.
    """

    def __init__(self, links: tuple[Link, ...], filters: FilterSet | None) -> None:
        self.links, self.filters = links, filters
        self._first: dict[Name, Touched] = {}
        self._last: dict[Name, Touched] = {}
        self._renames: dict[Name, Renames] = {}
        self._plans: dict[Name, TablePlan | None] = {}

    def add(self, given: Statement) -> tuple[Name, ...]:
        """One more statement; the tables that it touches."""
        for touched in given.touched:
            if touched.action is None:
                name = touched.name
                self._first.setdefault(name, touched)
                self._last[name] = touched
                self._renames[name] = followed(self._renames.get(name, frozenset()), touched.renames)
                self._plans.pop(name, None)
        return tuple(touched.name for touched in given.touched)

    @property
    def names(self) -> tuple[Name, ...]:
        """The tables, in the order in which statements touched them first."""
        return tuple(self._first)

    def plan(self, name: Name) -> TablePlan | None:
        """A table's whole change; None where nothing of it is left, or where it was not there before."""
        if name not in self._first:
            return None
        if name not in self._plans:
            ends = tuple(
                End(a.old, b.new) for a, b in zip(self._first[name].ends, self._last[name].ends, strict=True)
            )
            self._plans[name] = (
                table_plan(ends, self.links, self.filters, renames=self._renames[name])
                if any(differs(e.old, e.new) for e in ends) and ends[0] != End(None, None)
                else None
            )
        return self._plans[name]


def followed(first: Renames, then: Renames) -> Renames:
    """Renames one after the other: a to b and b to c is a to c."""
    onward = dict(then)
    ends = {there for _, there in first}
    return frozenset((here, onward.get(there, there)) for here, there in first) | frozenset(
        pair for pair in then if pair[0] not in ends
    )


class _Growing:
    """A stage that statements join one after the other, as long as one order suits them all."""

    def __init__(self, links: tuple[Link, ...], filters: FilterSet | None) -> None:
        self.filters = filters
        self.merged = Merged(links, filters)
        self.statements: list[StatementPlan] = []
        self.tables: dict[Name, TablePlan] = {}
        self.orders: Counter[Order] = Counter()
        self.planned: set[Name] = set()
        #: Of every table, whether its rows pass a hop in an order under other modes than it needs itself.
        self.passes: dict[Name, dict[tuple[Order, int, str], bool]] = {}

    def join(self, given: Statement, planned: StatementPlan) -> Order | None:
        """The order of the stage with one statement more, checked as one change; None where there is none."""
        self.statements.append(planned)
        self.orders[planned.order] += 1
        new = [(t.database, t.table) for t in planned.tables]
        self.planned.update(new)
        for name in dict.fromkeys((*self.merged.add(given), *new)):
            if name in self.planned:
                self._put(name, self.merged.plan(name))
        order = combined(order for order, count in self.orders.items() if count)
        return order if order.exists and self._agree(order) else None

    def _put(self, name: Name, table: TablePlan | None) -> None:
        before = self.tables.get(name)
        if before is not None:
            self.orders[before.order] -= 1
        self.passes.pop(name, None)
        if table is None:
            self.tables.pop(name, None)
            return
        self.tables[name] = table
        self.orders[table.order] += 1

    def _agree(self, order: Order) -> bool:
        """Whether the tables can live under one slave_type_conversions while the stage lasts."""
        moving = {name: _passages(t, order) for name, t in self.tables.items() if t.replica_first}
        for hop in range(max(map(len, moving.values()), default=0)):
            needed = [one[hop].modes for one in moving.values()]
            told = {modes for modes in needed if modes is not None}
            if len(told) < 2 and (not told or None not in needed):
                continue
            together = ",".join(sorted({word for modes in told for word in modes.split(",") if word}))
            if not all(self._passes(name, one[hop], (order, hop, together)) for name, one in moving.items()):
                return False
        return True

    def _passes(self, name: Name, found: Passage, key: tuple[Order, int, str]) -> bool:
        known = self.passes.setdefault(name, {})
        if key not in known:
            link = found.link.with_modes(key[2])
            again = passage(found.source, found.replica, link, filters=self.filters)
            known[key] = again.modes is None and again.safe
        return known[key]


def _passages(table: TablePlan, order: Order) -> tuple[Passage, ...]:
    return table.source_first if order is Order.SOURCE_FIRST else table.replica_first


def stages(
    statements: Sequence[Statement],
    planned: Sequence[StatementPlan],
    links: tuple[Link, ...],
    filters: FilterSet | None,
) -> tuple[Stage, ...]:
    """Statements in their order, as many together as one order suits: checked as one change."""
    out: list[Stage] = []
    growing: _Growing | None = None
    for given, one in zip(statements, planned, strict=True):
        alone = one.writes or not one.order.exists
        order = None if alone or growing is None else growing.join(given, one)
        if growing is not None and order is not None:
            out[-1] = Stage(order, tuple(growing.statements), tuple(growing.tables.values()))
            continue
        out.append(Stage(one.order, (one,), one.tables))
        growing = None if alone else _Growing(links, filters)
        if growing is not None:
            growing.join(given, one)
    return tuple(out)


def staged(tables: Sequence[TablePlan], by_server: Sequence[Stage]) -> tuple[TablePlan, ...]:
    """The whole change of every table, with the order of the stages that it goes through."""
    orders: dict[str, list[Order]] = {}
    for stage in by_server:
        for name in dict.fromkeys(t.name for one in stage.statements for t in one.tables):
            orders.setdefault(name, []).append(stage.order)
    out = []
    for table in tables:
        through = orders.get(table.name, [])
        order = after_one_another(through)
        several = len(through) > 1
        out.append(replace(table, order=Order.STAGED if order.exists else order) if several else table)
    return tuple(out)


def replicated(by_server: Sequence[Stage]) -> tuple[Stage, ...]:
    """The stages, with neighbours together that may all be replicated as they stand in the change.""" ""
    out: list[Stage] = []
    for stage in by_server:
        safe = stage.order not in (Order.IMPOSSIBLE, Order.UNKNOWN) and all(
            t.replicates for one in stage.statements for t in one.tables
        )
        if not safe:
            out.append(stage)
        elif out and out[-1].replicated:
            before = out[-1]
            out[-1] = Stage(
                after_one_another((before.order, stage.order)),
                (*before.statements, *stage.statements),
                (*before.tables, *stage.tables),
                replicated=True,
            )
        else:
            out.append(replace(stage, replicated=True))
    return tuple(out)
