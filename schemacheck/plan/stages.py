"""The stages of a change: as many statements together as one order suits."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.dataclass import replace
from schemacheck.plan.model import Order, Stage, StatementPlan, TablePlan, after_one_another, combined


def stages(planned: Sequence[StatementPlan]) -> tuple[Stage, ...]:
    """Statements in their order, as many neighbours together as one order suits."""
    out: list[list[StatementPlan]] = []
    names: set[str] = set()
    order = Order.UNKNOWN
    for statement in planned:
        here = {table.name for table in statement.tables}
        both = combined((order, statement.order))
        if both.exists and not statement.writes and not here & names and _alike((*out[-1], statement), both):
            out[-1].append(statement)
            names |= here
            order = both
        else:
            out.append([statement])
            names = here
            order = Order.UNKNOWN if statement.writes else statement.order
    return tuple(
        Stage(combined(s.order for s in group), tuple(group), tuple(t for s in group for t in s.tables))
        for group in out
    )


def _alike(statements: Sequence[StatementPlan], order: Order) -> bool:
    """Whether all tables need one slave_type_conversions while the stage lasts."""
    needed = {
        passage.modes
        for statement in statements
        for table in statement.tables
        if (passage := table.source_first if order is Order.SOURCE_FIRST else table.replica_first)
        and passage.report is not None
    }
    return len(needed) < 2


def staged(tables: Sequence[TablePlan], by_server: Sequence[Stage]) -> tuple[TablePlan, ...]:
    """The whole change of every table, with the order of the stages that it goes through."""
    orders: dict[str, list[Order]] = {}
    for stage in by_server:
        for name in dict.fromkeys(table.name for table in stage.tables):
            orders.setdefault(name, []).append(stage.order)
    return tuple(
        replace(table, order=after_one_another(through)) if len(through := orders[table.name]) > 1 else table
        for table in tables
    )


def replicated(by_server: Sequence[Stage]) -> tuple[Stage, ...]:
    """The stages, with neighbours together that may all be replicated as they stand in the change."""
    out: list[Stage] = []
    for stage in by_server:
        safe = stage.order not in (Order.IMPOSSIBLE, Order.UNKNOWN) and all(
            t.replicates for t in stage.tables
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
