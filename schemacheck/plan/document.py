"""A plan as plain lists and dictionaries: what `--format json` prints. `schema_version` changes when readers
would break.
"""

from __future__ import annotations

from typing import Any

from schemacheck.model import Effect, Finding
from schemacheck.plan.model import Look, Obstacle, Order, Passage, Plan, RunbookStep, StatementPlan, TablePlan
from schemacheck.plan.verdict import exit_status, summary, way
from schemacheck.text.document_parts import error, example, location, problem
from schemacheck.text.printable import as_json

SCHEMA_VERSION = 1

Json = dict[str, Any]


def render(plan: Plan) -> str:
    """JSON text with a line feed at its end."""
    return as_json(document(plan))


def document(plan: Plan) -> Json:
    """The whole plan."""
    return {
        "schema_version": SCHEMA_VERSION,
        "order": plan.order.value,
        "way": way(plan),
        "exit_status": exit_status(plan),
        "summary": summary(plan),
        "chain": [str(plan.link.source), str(plan.link.replica)],
        "assumptions": list(plan.assumptions),
        "link_findings": [_link_finding(finding, plan) for finding in plan.link_findings],
        "tables": [_table(table) for table in plan.tables],
        "statements": [_statement(statement) for statement in plan.statements],
        "stages": [
            {
                "order": s.order.value,
                "replicated": s.replicated,
                "statements": [statement.number for statement in s.statements],
            }
            for s in plan.stages
        ],
        "runbook": [_step(s) for s in plan.runbook],
        "ghost_tables": [
            {"database": g.database, "name": g.name, "tool": g.tool, "role": g.role, "table": g.table}
            for g in plan.ghosts
        ],
        "problems": [problem(p) for p in plan.problems],
    }


def _step(step: RunbookStep) -> Json:
    return {
        "number": step.number, "kind": step.kind.value, "where": step.where, "side": step.side or None,
        "text": step.text, "discards": list(step.discards),
        "before": _looks(step.before), "sql": list(step.sql), "cost": list(step.cost),
        "after": _looks(step.after), "timeout": step.timeout,
        "rollback_before": _looks(step.rollback_before), "rollback": list(step.rollback),
        "rollback_note": step.rollback_note or None,
    }  # fmt: skip


def _looks(looks: tuple[Look, ...]) -> list[Json]:
    return [{"sql": look.sql, "expect": look.expect} for look in looks]


def _statement(statement: StatementPlan) -> Json:
    return {
        "number": statement.number, "sql": statement.sql, "order": statement.order.value,
        "location": location(statement.location),
        "written_here": statement.generated,
        "tables": [_table(table) for table in statement.tables],
    }  # fmt: skip


def _table(table: TablePlan) -> Json:
    return {
        "database": table.database,
        "table": table.table,
        "action": table.action.value,
        "order": table.order.value,
        "blocked": table.blocked or None,
        "type_conversions": table.modes,
        "replica_first": _passage(table.replica_first),
        "source_first": _passage(table.source_first),
        "failover": _passage(table.failover),
        "replicated_statement": {
            "safe": table.replicates and table.order not in (Order.IMPOSSIBLE, Order.UNKNOWN),
            "why_not": table.replicates_not or None,
        },
        "notes": list(table.notes),
    }


def _passage(passage: Passage | None) -> Json | None:
    if passage is None:
        return None
    effect = passage.report.verdict if passage.report is not None else Effect.IDENTICAL
    return {
        "source": str(passage.link.source),
        "replica": str(passage.link.replica),
        "safe": passage.safe,
        "effect": max((o.effect for o in passage.obstacles), default=effect).value,
        "type_conversions": passage.modes,
        "obstacles": [_obstacle(o) for o in passage.obstacles],
        "caveats": list(passage.caveats),
    }


def _obstacle(obstacle: Obstacle) -> Json:
    return {
        "code": obstacle.code or None, "effect": obstacle.effect.value, "column": obstacle.column,
        "text": obstacle.text,
        "error": error(obstacle.error), "depends_on_rows": obstacle.rows,
        "example": example(obstacle.example),
    }  # fmt: skip


def _link_finding(finding: Finding, plan: Plan) -> Json:
    return {
        "source": str(plan.link.source), "replica": str(plan.link.replica), "code": finding.code,
        "rule": finding.rule, "effect": finding.effect.value, "message": finding.message,
        "error": error(finding.error), "setting": finding.setting, "remedy": finding.remedy or None,
    }  # fmt: skip
