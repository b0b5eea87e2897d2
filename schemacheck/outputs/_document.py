"""The report as plain lists and dictionaries (`schemas/report-1.schema.json`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import values_of
from schemacheck.engine.gate import blocks, exit_status, unread
from schemacheck.model import Finding, Link, PairReport, Report, Server, Side, SmallestSetting
from schemacheck.model.account import FileAccount
from schemacheck.model.fingerprint import fingerprints
from schemacheck.model.rollout import Rollout
from schemacheck.outputs import _summary
from schemacheck.text.document_parts import error, example, location, problem

if TYPE_CHECKING:
    from schemacheck.model.evidence import Evidence
    from schemacheck.model.report import EvidenceOfReport

SCHEMA_VERSION = 1

Json = dict[str, Any]


def document(report: Report) -> Json:
    """The whole report."""
    # A table lists all of its findings, those of the whole link as well.
    listed = (*report.findings, *unread(report), *report.remarks)
    prints = dict(zip(map(id, listed), fingerprints(listed), strict=True))
    return {
        "schema_version": SCHEMA_VERSION,
        "verdict": report.verdict.value,
        "exit_status": exit_status(report),
        "fail_on": report.fail_on.value,
        "summary": {
            "tables": len(report.pairs),
            "by_verdict": _summary.counts(report),
            "not_understood": len(unread(report)),
            "left_out": _summary.skipped(report),
            "tolerated": _summary.tolerated(report),
            "ignored": _summary.tolerances(report)["ignored"],
            "files_seen": sum(account.count for account in report.files),
            "files_read": sum(account.count for account in report.files if account.read_as),
            "line": _summary.line(report),
        },
        "link": link(report.link),
        "assumptions": list(report.assumptions),
        "assumed_servers": list(report.assumed_servers),
        "smallest_setting": smallest(report.smallest),
        "tables": [_pair(pair, report, prints) for pair in report.pairs],
        "problems": [problem(item) for item in report.problems],
        "link_findings": [finding(f, report, prints[id(f)]) for f in report.link_findings],
        "files": [file(account) for account in report.files],
        "remarks": [finding(f, report, prints[id(f)]) for f in report.remarks],
        "baseline": _baseline(report),
        "rollout": _rollout(report.rollout) if report.rollout else None,
        **({"evidence": _evidence(report.evidence, report)} if report.evidence else {}),
    }


def _rollout(value: Rollout) -> Json:
    steps = [
        {
            "database": step.database, "table": step.table, "change": step.change, "order": step.order,
            "goes": not step.held_up, "needs": step.needs or None, "warnings": list(step.warnings),
        }
        for step in value.steps
    ]  # fmt: skip
    return {"order": value.order, "steps": steps, "command": value.command}


def _evidence(seen: EvidenceOfReport, report: Report) -> Json:
    return {
        "sources": list(seen.sources),
        "by_state": _summary.bites(report),
        "headroom": list(seen.headroom),
        "smallest_setting_today": seen.smallest.modes if seen.smallest else None,
        "only_biting": seen.only_biting,
    }


def _state(evidence: Evidence) -> Json:
    return {
        "state": evidence.bite.value,
        "absent": evidence.absent,
        "count": evidence.count,
        "at_least": evidence.least,
        "unit": evidence.unit,
        "looked_at": evidence.of,
        "since": evidence.since or None,
        "until": evidence.until or None,
    }


def _baseline(report: Report) -> Json | None:
    if report.fixed is None:
        return None
    return {**_summary.baseline(report), "fixed": [values_of(known) for known in report.fixed]}


def link(value: Link) -> Json:
    """Both servers and what decides between them."""
    return {
        "source": _server(value.source),
        "replica": _server(value.replica),
        "kind": value.kind.value,
        "type_conversions": sorted(value.type_conversions),
        "binlog_format": value.binlog_format,
        "binlog_row_image": value.row_image,
        "binlog_row_metadata": value.row_metadata,
    }


def _server(server: Server) -> Json:
    return {"flavor": server.flavor, "version": server.version_text, "settings": dict(server.settings)}


def smallest(setting: SmallestSetting | None) -> Json | None:
    """The smallest slave_type_conversions and the verdict under every setting."""
    if setting is None:
        return None
    return {
        "modes": setting.modes,
        "reason": setting.reason,
        "outcomes": {modes: effect.value for modes, effect in setting.outcomes},
    }


def _pair(pair: PairReport, report: Report, prints: dict[int, str]) -> Json:
    return {
        "database": pair.database,
        "table": pair.table,
        "state": pair.state.value,
        "verdict": pair.verdict.value,
        "reason": pair.reason,
        "smallest_setting": smallest(pair.smallest),
        "findings": [finding(f, report, prints[id(f)]) for f in pair.findings],
    }


def finding(value: Finding, report: Report, fingerprint: str) -> Json:
    """One finding with everything known about it."""
    why = value.tolerated
    return {
        "code": value.code,
        "rule": value.rule,
        "effect": value.effect.value,
        "blocks": blocks(value, report),
        "message": value.message,
        "database": value.database,
        "table": value.table,
        "column": value.column,
        "source": _side(value.source),
        "replica": _side(value.replica),
        "error": error(value.error),
        "other_errors": list(value.also),
        "depends_on_rows": value.depends_on_rows,
        "setting": value.setting,
        "remedy": value.remedy,
        "remedy_sql": value.remedy_sql,
        "remedy_sql_on": value.remedy_sql_on,
        "example": example(value.example),
        "affected_rows": values_of(value.affected) if value.affected else None,
        "reference": value.reference,
        "fingerprint": fingerprint,
        "tolerated": {
            "by": why.by.value,
            "reason": why.reason,
            "location": location(why.location),
            "expires": why.expires,
        }
        if why
        else None,
        **({"evidence": _state(value.evidence)} if value.evidence else {}),
    }


def _side(side: Side) -> Json:
    return {"location": location(side.location), "text": side.text}


def file(account: FileAccount) -> Json:
    """What became of a file."""
    return {
        "side": account.side or None,
        "path": account.path,
        "read_as": account.read_as or None,
        "why": account.why,
        "doubtful": account.doubtful,
        "count": account.count,
    }
