"""From a plan to an exit status and to one line."""

from __future__ import annotations

from collections import Counter

from schemacheck.model import Effect
from schemacheck.model.quantity import plural
from schemacheck.plan.model import Order, Plan

#: Exit statuses of `schemacheck plan`.
EXISTS, NONE, UNDECIDED = 0, 1, 3
#: Tables that are named.
_SHOWN = 3


def exit_status(plan: Plan) -> int:
    """0 every change can be rolled out: as a replicated statement, or in an order; 1 for something there is
    none, or a table that drifted is harmed with it as without; 3 it could not be decided. What the link
    does by itself counts as in `check`.
    """
    orders = [stage.order for stage in plan.stages if not stage.replicated]
    of_links = [finding.effect for finding in plan.link_findings]
    if any(Effect.UNSUPPORTED <= effect < Effect.UNKNOWN for effect in of_links):
        return NONE
    if any(order in (Order.LOCK_STEP, Order.IMPOSSIBLE) for order in orders):
        return NONE
    if Effect.UNKNOWN in of_links or Order.UNKNOWN in orders:
        return UNDECIDED
    if any(not p.skipped for p in plan.problems):
        return UNDECIDED
    return NONE if plan.remains else EXISTS


def way(plan: Plan) -> str:
    """How the change is rolled out: `replicated`, server by server in an `order`, `both`, or `none`."""
    if any(not p.skipped for p in plan.problems) or not plan.goes:
        return "none"
    ways = {
        stage.replicated or all(statement.writes for statement in stage.statements) for stage in plan.stages
    }
    return "both" if len(ways) > 1 else "replicated" if ways in ({True}, set()) else "order"


def summary(plan: Plan) -> str:
    """`3 tables: 2 replica-first, 1 lock-step; 2 stages; not every change has an order`. The orders are left
    out where every statement is replicated.
    """
    of_links = _of_links(plan)
    if plan.remains:
        shown = ", ".join(plan.remains[:_SHOWN]) + (", ..." if len(plan.remains) > _SHOWN else "")
        of_links = f"; replication is harmed already ({shown}): schemacheck check{of_links}"
    if not plan.statements and not plan.problems:
        return f"nothing changes{of_links}"
    counts = Counter(t.order.value for t in plan.tables)
    words = ", ".join(f"{counts[o.value]} {o.value}" for o in Order if counts[o.value])
    together = way(plan) == "replicated"
    rows = plan.statements and not plan.tables
    what = plural(len(plan.statements), "statement") if rows else plural(len(plan.tables), "table")
    parts = [what + (f": {words}" if words and not together else "")]
    if len(plan.stages) > 1:
        parts.append(plural(len(plan.stages), "stage"))
    unread = Counter("refused" if p.refusal else "not understood" for p in plan.problems if not p.skipped)
    parts += [f"{count} {what}" for what, count in unread.items()]
    status = exit_status(plan)
    parts.append(
        {
            EXISTS: "replicate every statement"
            if together and plan.stages and plan.stages[0].replicated
            else "every change can be rolled out",
            NONE: "every change can be rolled out"
            if plan.remains and plan.goes and not plan.dead
            else "not every change can be rolled out",
            UNDECIDED: "the change does not run" if {*unread} == {"refused"} else "not decided",
        }[status]
    )
    return "; ".join(parts) + of_links


def _of_links(plan: Plan) -> str:
    """`; the link does not run`, or what else its findings come to."""
    effects = {finding.effect for finding in plan.link_findings}
    worst = max(effects, default=Effect.IDENTICAL)
    if Effect.STOPS in effects:
        return "; the link does not run"
    return f"; the link: {worst.value}" if worst > Effect.COMPATIBLE else ""
