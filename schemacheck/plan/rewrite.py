"""Other ways to the same end, for changes that no order suits; each is asked of the engine before it is
offered.
"""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.dataclass import dataclass, replace
from schemacheck.model import Column, Link, Table
from schemacheck.model.filters import FilterSet
from schemacheck.model.table import DEFAULT_NULL
from schemacheck.plan.alter import alter_table
from schemacheck.plan.decide import End, bare, table_plan
from schemacheck.plan.model import Action, Order, Part, Rewrite, TablePlan
from schemacheck.plan.passage import not_filled, own_values


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks for the order of a step between two definitions, over all hops."""

    links: tuple[Link, ...]
    filters: FilterSet | None

    def own(self, old: Table, column: Column) -> bool:
        """Whether adding this column leaves other values in it on each server."""
        new = replace(old, columns=(*old.columns, column))
        return bool(own_values(old, new)) or any(not_filled(old, new, one.replica) for one in self.links)

    def plan(self, old: Table, new: Table) -> TablePlan:
        """The step's plan."""
        return table_plan([End(old, new)] * (len(self.links) + 1), self.links, self.filters)

    def part(self, old: Table, new: Table) -> Part | None:
        """The step as a statement with its order; None where there is no order or no statement."""
        found = self.plan(old, new)
        if not found.order.exists:
            return None
        sql = alter_table(old, new, self.links[0].source)
        return (
            Part(sql, found.order, next((m for m in found.modes() if m is not None), None)) if sql else None
        )


def rewrites(plan: TablePlan, links: Sequence[Link], filters: FilterSet | None = None) -> tuple[Rewrite, ...]:
    """What may be done instead of a change that is lock-step: the nearest result that one statement with an
    order reaches. Empty where there is none.
    """
    old, new = plan.old, plan.new
    if (
        plan.action is not Action.ALTER
        or plan.order not in (Order.LOCK_STEP, Order.IMPOSSIBLE)
        or old is None
        or new is None
    ):
        return ()
    judge = Judge(tuple(links), filters)
    near, what = gentle(old, new, judge)
    if not what:
        return ()
    if bare(near) == bare(old):
        said = "; ".join(what) + ": nothing is left to change"
        return (Rewrite(said, (), result=old),)
    part = judge.part(old, near)
    return (Rewrite("; ".join(what), (part,), result=near),) if part else ()


def gentle(old: Table, new: Table, judge: Judge) -> tuple[Table, list[str]]:
    """The nearest definition that keeps positions and the meaning of stored values, and what it does
    otherwise.
    """
    what: list[str] = []
    kept = [new.column(c.name) or c for c in old.columns]
    behind = [i for i, c in enumerate(old.columns) if new.column(c.name) is not None]
    last = max(behind, default=-1)
    stay = [c for i, c in enumerate(kept) if new.column(c.name) is not None or i < last]
    staying = [c.name for i, c in enumerate(old.columns) if new.column(c.name) is None and i < last]
    added = [c for c in new.columns if old.column(c.name) is None]
    if staying:
        what.append(
            f"keep {', '.join(staying)} for now: a column can only go from the end, unless the DROP is "
            "replicated as a statement"
        )
    columns: list[Column] = []
    for column in stay:
        members = _members(old.column(column.name), column)
        if members is not None:
            what.append(f"append the new members of {column.name} instead of inserting or reordering")
        columns.append(
            column
            if members is None
            else replace(column, type=replace(column.type, members=members, text=""))
        )
    for index, column in enumerate(added):
        if not column.nullable and not column.auto_increment and judge.own(old, column):
            what.append(
                f"add {column.name} as NULL and without its default at first, fill the rows once with a "
                "replicated UPDATE, and make it NOT NULL afterwards"
            )
            added[index] = replace(column, nullable=True, default=DEFAULT_NULL, on_update=False)
    wanted = [c.name for c in new.columns]
    if wanted != [n for n in (c.name for c in (*columns, *added)) if n in wanted]:
        moved = [c.name for c in added if c.name not in wanted[len(wanted) - len(added) :]]
        what.append(
            f"add {', '.join(moved)} last: rows are replicated by position"
            if moved
            else "leave the columns where they stand: rows are replicated by position"
        )
    return (replace(new, columns=(*columns, *added)), what) if what else (new, what)


def _members(before: Column | None, column: Column) -> tuple[str, ...] | None:
    """ENUM and SET members with the old ones first, where that differs from what was asked for."""
    if before is None or before.type.base != column.type.base or not before.type.members:
        return None
    appended = (*before.type.members, *(m for m in column.type.members if m not in before.type.members))
    return (
        None
        if appended == column.type.members
        or column.type.members == before.type.members[: len(column.type.members)]
        else appended
    )
