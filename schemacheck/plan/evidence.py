"""What evidence says of the obstacles of a plan: whether rows of today meet them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.dataclass import replace
from schemacheck.evidence.decide import with_evidence
from schemacheck.model import Report

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemacheck.plan.model import Obstacle, Passage, Plan, TablePlan
    from schemacheck.profile.document import Profile


def stated(plan: Plan, profiles: Iterable[Profile]) -> Plan:
    """The plan whose obstacles end with their state. Orders do not change by it."""
    given = tuple(profiles)
    statements = tuple(
        replace(statement, tables=tuple(_table(table, given) for table in statement.tables))
        for statement in plan.statements
    )
    return replace(plan, statements=statements, tables=tuple(_table(table, given) for table in plan.tables))


def _table(table: TablePlan, given: tuple[Profile, ...]) -> TablePlan:
    return replace(
        table,
        replica_first=table.replica_first and _passage(table.replica_first, given),
        source_first=table.source_first and _passage(table.source_first, given),
        failover=table.failover and _passage(table.failover, given),
    )


def _passage(passage: Passage, given: tuple[Profile, ...]) -> Passage:
    if passage.report is None or not passage.obstacles:
        return passage
    report = with_evidence(Report(passage.link, (passage.report,)), given)
    words = {(f.code, " ".join(f.message.split())): f.evidence.word for f in report.findings if f.evidence}

    def said(obstacle: Obstacle) -> Obstacle:
        word = words.get((obstacle.code, obstacle.text))
        return replace(obstacle, text=f"{obstacle.text}; evidence: {word}") if word else obstacle

    return replace(passage, obstacles=tuple(map(said, passage.obstacles)))
