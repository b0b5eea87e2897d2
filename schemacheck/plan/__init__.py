"""In which order a change of the schema gets to the servers, so that nothing stops and nothing drifts.

plan = schemacheck.plan.plan(old, new, Link.of("mysql-8.0.36"))
plan.order, plan.tables, plan.runbook
"""

from schemacheck.plan.build import plan, plan_change
from schemacheck.plan.model import (
    Action,
    Ghost,
    Obstacle,
    Order,
    Passage,
    Plan,
    RunbookStep,
    Stage,
    StatementPlan,
    TablePlan,
)

__all__ = [
    "Action",
    "Ghost",
    "Obstacle",
    "Order",
    "Passage",
    "Plan",
    "RunbookStep",
    "Stage",
    "StatementPlan",
    "TablePlan",
    "plan",
    "plan_change",
]
