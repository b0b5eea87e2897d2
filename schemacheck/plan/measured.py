"""A plan with what a running source says of itself: sizes of the tables, and what would hold an ALTER up."""

from __future__ import annotations

from collections.abc import Mapping

from schemacheck.dataclass import replace
from schemacheck.model.table import Size
from schemacheck.plan.difference import Name
from schemacheck.plan.model import Plan, StatementPlan, TablePlan
from schemacheck.plan.runbook import runbook


def measured(plan: Plan, sizes: Mapping[Name, Size], oldest: int | None) -> Plan:
    """The plan with these sizes in its runbook; `oldest` are the seconds for which the source's oldest
    transaction has run.
    """

    def table(one: TablePlan) -> TablePlan:
        size = sizes.get((one.old.database, one.old.name)) if one.old else None
        return replace(one, old=replace(one.old, size=size)) if one.old and size else one

    def statement(one: StatementPlan) -> StatementPlan:
        return replace(one, tables=tuple(map(table, one.tables)))

    stages = tuple(
        replace(one, statements=tuple(map(statement, one.statements)), tables=tuple(map(table, one.tables)))
        for one in plan.stages
    )
    return replace(plan, stages=stages, runbook=runbook(stages, plan.links, oldest))
