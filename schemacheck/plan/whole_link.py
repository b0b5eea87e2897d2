"""What the link is by itself: over one that does not run, no order of a change is safe."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.dataclass import replace
from schemacheck.model import Effect, Finding, Link
from schemacheck.plan.model import Order, StatementPlan

_SAYS = {Effect.STOPS: "does not run", Effect.DIVERGES: "loses statements"}


def dead(link: Link, findings: Sequence[Finding]) -> tuple[Order, str] | None:
    """The order of everything, and why, over a link that does not run, loses statements, or of which nobody
    can say whether it runs; else None.
    """
    stopping = [finding for finding in findings if finding.kills_link]
    if not stopping:
        return None
    first = next((finding for finding in stopping if finding.effect is not Effect.UNKNOWN), stopping[0])
    order = Order.UNKNOWN if first.effect is Effect.UNKNOWN else Order.IMPOSSIBLE
    says = _SAYS.get(first.effect, "may not run")
    return order, f"the link {link.source} to {link.replica} {says} ({first.code})"


def judged(statement: StatementPlan, order: Order, why: str) -> StatementPlan:
    """A statement over such a link: no passage is offered, whatever the definitions are."""
    tables = tuple(
        replace(
            table, order=order, blocked=why, replicates_not=why, replica_first=None, source_first=None,
            failover=None,
        )
        for table in statement.tables
    )  # fmt: skip
    return replace(statement, order=order, tables=tables)
