"""Other ways to the same end, for changes that no order suits; each is asked of the engine before it is
offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schemacheck.dataclass import dataclass, replace
from schemacheck.model import Column, Key, KeyKind, Link, Table
from schemacheck.model.filters import FilterSet
from schemacheck.plan.alter import alter_table, plain
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

    def parts(self, tables: Sequence[Table]) -> tuple[Part, ...] | None:
        """Steps through these definitions, as few as have an order."""
        out: list[Part] = []
        at = 0
        while at < len(tables) - 1:
            for end in range(len(tables) - 1, at, -1):
                part = self.part(tables[at], tables[end])
                if part is not None:
                    out.append(part)
                    at = end
                    break
            else:
                return None
        return tuple(out)


def rewrites(plan: TablePlan, links: Sequence[Link], filters: FilterSet | None = None) -> tuple[Rewrite, ...]:
    """What may be done instead of a change that is lock-step: the same result in several steps, and the
    nearest result that can be reached in steps. Empty where there is nothing to offer."""
    old, new = plan.old, plan.new
    if (
        plan.action is not Action.ALTER
        or plan.order not in (Order.LOCK_STEP, Order.IMPOSSIBLE)
        or old is None
        or new is None
    ):
        return ()
    judge = Judge(tuple(links), filters)
    out = []
    parts = judge.parts(_atoms(old, new, judge))
    if parts:
        way = (
            f"in {len(parts)} steps, each finished on every server before the next"
            if len(parts) > 1
            else "written otherwise"
        )
        later = [
            c.name for c in new.columns if old.column(c.name) is None and c.nullable and judge.own(old, c)
        ]
        if later:
            way += (
                f" (rows that are there already keep NULL in {', '.join(later)}: fill them with a "
                "replicated UPDATE)"
            )
        out.append(Rewrite(way, parts, same_result=True, result=new))
    near, what = gentle(old, new, judge)
    if what and bare(near) == bare(old):
        return (
            *out,
            Rewrite("; ".join(what) + ": nothing is left to change", (), same_result=False, result=old),
        )
    parts = judge.parts(_atoms(old, near, judge)) if what else None
    if parts:
        return (*out, Rewrite("; ".join(what), parts, same_result=False, result=near))
    if not out and plan.order is Order.LOCK_STEP:
        beside, more = _beside(near, old, judge)
        parts = judge.parts(_atoms(old, beside, judge)) if more else None
        if parts:
            out.append(Rewrite("; ".join([*what, *more]), parts, same_result=False, result=beside))
    return tuple(out)


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
            added[index] = replace(column, nullable=True)
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


def _beside(near: Table, old: Table, judge: Judge) -> tuple[Table, list[str]]:
    """A new column of the new type beside each one whose type has no order."""
    columns, more, what = [], [], []
    for column in near.columns:
        before = old.column(column.name)
        if before is None or judge.plan(old, _put(old, column)).order.exists:
            columns.append(column)
            continue
        name = f"{column.name}_new"
        columns.append(before)
        if before.type == column.type or near.column(name) is not None or column.auto_increment:
            continue
        more.append(replace(plain(column), name=name, generated=None, expression=None))
        what.append(
            f"add {name} with the new type at the end, and copy {column.name} into it in small UPDATEs; when "
            f"the application has changed over, drop {column.name} with a replicated statement"
        )
    return replace(near, columns=(*columns, *more)), what


def _put(table: Table, column: Column) -> Table:
    """The table with one column's definition replaced, in place."""
    return replace(
        table,
        columns=tuple(column if c.name.casefold() == column.name.casefold() else c for c in table.columns),
    )


def _atoms(old: Table, new: Table, judge: Judge) -> list[Table]:
    """Definitions on the way from `old` to `new`, each one small change behind the one before."""
    out = [old]

    def to(table: Table) -> None:
        if bare(table) != bare(out[-1]):
            out.append(table)

    def keep(key: Key) -> bool:
        return key in new.keys or key.kind is KeyKind.PRIMARY

    to(replace(out[-1], foreign_keys=tuple(f for f in out[-1].foreign_keys if f in new.foreign_keys)))
    to(replace(out[-1], checks=tuple(c for c in out[-1].checks if c in new.checks)))
    to(replace(out[-1], keys=tuple(k for k in out[-1].keys if keep(k))))
    for column in old.columns:
        wanted = new.column(column.name)
        if wanted is not None and wanted != column:
            for between in _between(column, wanted):
                to(_put(out[-1], between))
            to(_put(out[-1], wanted))
    for column in reversed(old.columns):
        if new.column(column.name) is None and not any(
            p.column and p.column.casefold() == column.name.casefold() for k in out[-1].keys for p in k.parts
        ):
            to(replace(out[-1], columns=tuple(c for c in out[-1].columns if c.name != column.name)))
    present = {c.name.casefold() for c in out[-1].columns}
    shared = tuple(c for c in new.columns if c.name.casefold() in present)
    to(replace(out[-1], columns=(*shared, *(c for c in out[-1].columns if new.column(c.name) is None))))
    for column in new.columns:
        if column.name.casefold() in present:
            continue
        present.add(column.name.casefold())
        order = tuple(c for c in new.columns if c.name.casefold() in present)
        if column.nullable and judge.own(out[-1], column):
            to(replace(out[-1], columns=tuple(plain(c) if c is column else c for c in order)))
        to(replace(out[-1], columns=order))
    to(replace(out[-1], keys=new.keys))
    to(replace(out[-1], checks=new.checks))
    to(replace(out[-1], foreign_keys=new.foreign_keys))
    to(new)
    return out


def _between(old: Column, new: Column) -> Iterator[Column]:
    """A definition half-way between two: wider first, sign or character set afterwards."""
    here, there = old.type, new.type
    if here.is_integer and there.is_integer and here.base != there.base and here.unsigned != there.unsigned:
        yield replace(old, type=replace(there, unsigned=here.unsigned, text=""))
    elif (
        here.is_character
        and there.is_character
        and here.charset != there.charset
        and (here.base, here.length) != (there.base, there.length)
    ):
        yield replace(old, type=replace(here, charset=there.charset, collation=there.collation, text=""))
