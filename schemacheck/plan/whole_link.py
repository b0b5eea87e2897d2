"""What the link is by itself: over one that does not run, no order of a change is safe."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.dataclass import replace
from schemacheck.engine import link_findings
from schemacheck.model import Effect
from schemacheck.plan.model import Order, Plan, Stage, TablePlan

_SAYS = {Effect.STOPS: "does not run", Effect.DIVERGES: "loses statements"}


def judged(plan: Plan, *, filtered: bool) -> Plan:
    """The plan with what rules say of its link. Where that does not run, loses statements, or nobody can say
    whether it runs, every statement is impossible, or unknown, and there is no runbook. `filtered`: filters
    were given.
    """
    plan = replace(plan, link_findings=tuple(link_findings(plan.link, filtered=filtered)))
    stopping = [finding for finding in plan.link_findings if finding.kills_link]
    if not stopping:
        return plan
    first = next((finding for finding in stopping if finding.effect is not Effect.UNKNOWN), stopping[0])
    order = Order.UNKNOWN if first.effect is Effect.UNKNOWN else Order.IMPOSSIBLE
    says = _SAYS.get(first.effect, "may not run")
    why = f"the link {plan.link.source} to {plan.link.replica} {says} ({first.code})"

    def tables(given: Sequence[TablePlan]) -> tuple[TablePlan, ...]:
        """No passage is offered: rows do not arrive, whatever the definitions are."""
        return tuple(
            replace(
                table, order=order, blocked=why, replicates_not=why, replica_first=None, source_first=None,
                failover=None,
            )
            for table in given
        )  # fmt: skip

    statements = {
        statement.number: replace(statement, order=order, tables=tables(statement.tables))
        for statement in plan.statements
    }
    return replace(
        plan,
        tables=tables(plan.tables),
        statements=tuple(statements.values()),
        stages=tuple(
            Stage(
                order,
                tuple(statements[statement.number] for statement in stage.statements),
                tables(stage.tables),
            )
            for stage in plan.stages
        ),
        runbook=(),
    )
