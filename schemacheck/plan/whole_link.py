"""What the links of a chain are by themselves: over one that does not run, no order of a change is safe."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.dataclass import replace
from schemacheck.engine import link_findings
from schemacheck.model import Effect, Link
from schemacheck.plan.model import LinkFinding, Order, Plan, Stage, StatementPlan, TablePlan

_SAYS = {Effect.STOPS: "does not run", Effect.DIVERGES: "loses statements"}


def findings(links: Sequence[Link]) -> tuple[LinkFinding, ...]:
    """What rules say of every hop, from the source down; the worst of a hop first."""
    return tuple(
        LinkFinding(link, finding) for link in dict.fromkeys(links) for finding in link_findings(link)
    )


def judged(plan: Plan) -> Plan:
    """The plan with the findings of its links. Where a link does not run, loses statements, or nobody can say
    whether it runs, every statement is impossible, or unknown, and there is no runbook.
    """
    found = findings(plan.links)
    plan = replace(plan, link_findings=found)
    stopping = [one for one in found if one.finding.kills_link]
    if not stopping:
        return plan
    first = next((one for one in stopping if one.finding.effect is not Effect.UNKNOWN), stopping[0])
    order = Order.UNKNOWN if first.finding.effect is Effect.UNKNOWN else Order.IMPOSSIBLE
    says = _SAYS.get(first.finding.effect, "may not run")
    why = f"the link {first.link.source} to {first.link.replica} {says} ({first.finding.code})"
    statements = {one.number: _statement(one, order, why) for one in plan.statements}
    return replace(
        plan,
        tables=tuple(_table(table, order, why) for table in plan.tables),
        statements=tuple(statements.values()),
        stages=tuple(
            Stage(
                order,
                tuple(statements[one.number] for one in stage.statements),
                tuple(_table(table, order, why) for table in stage.tables),
            )
            for stage in plan.stages
        ),
        runbook=(),
    )


def _statement(one: StatementPlan, order: Order, why: str) -> StatementPlan:
    return replace(one, order=order, tables=tuple(_table(table, order, why) for table in one.tables))


def _table(table: TablePlan, order: Order, why: str) -> TablePlan:
    """No passage and no other way is offered: rows do not arrive, whatever the definitions are."""
    return replace(
        table,
        order=order,
        blocked=why,
        replicates_not=why,
        replica_first=(),
        source_first=(),
        failover=None,
        rewrites=(),
    )
