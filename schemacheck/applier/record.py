"""The answer about logs as JSON values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from schemacheck.applier.report import LogReport, Stop, TableReport
from schemacheck.model import Finding


def document(report: LogReport) -> dict[str, Any]:
    """One JSON object: `verdict`, `stop` (or null), `tables` with findings and changed values, `problems`."""
    return {
        "source": str(report.link.source),
        "replica": str(report.link.replica),
        "files": report.files,
        "events": report.events,
        "verdict": report.verdict.value,
        "stop": _stop(report.stop),
        "link_findings": [_finding(finding) for finding in report.link_findings],
        "tables": [_table(table) for table in report.tables],
        "problems": [
            {"code": p.code, "message": p.message, "where": str(p.location)} for p in report.problems
        ],
        "notes": report.notes,
    }


def _stop(stop: Stop | None) -> dict[str, Any] | None:
    if stop is None:
        return None
    return {
        **asdict(stop.place), "errno": stop.error.number or None, "symbol": stop.error.symbol,
        "message": stop.error.message, "what": stop.what,
        "remedy": stop.finding.remedy if stop.finding else "",
    }  # fmt: skip


def _table(table: TableReport) -> dict[str, Any]:
    return {
        "database": table.database, "table": table.table, "replica": table.replica,
        "state": table.pair.state.value,
        "verdict": table.pair.verdict.value, "events": table.events, "rows": table.rows,
        "first": asdict(table.first) if table.first else None,
        "stop": _stop(table.stop), "findings": [_finding(f) for f in table.pair.findings],
        "changes": [asdict(c) for c in table.changes],
        "unsaid": list(table.unsaid), "lacking": list(table.lacking), "reason": table.pair.reason,
    }  # fmt: skip


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code, "rule": finding.rule, "effect": finding.effect.value, "column": finding.column,
        "message": finding.message,
        "errno": (finding.error.number or None) if finding.error else None,
        "depends_on_rows": finding.depends_on_rows, "remedy": finding.remedy,
    }  # fmt: skip
