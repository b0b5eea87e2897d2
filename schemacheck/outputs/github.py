"""GitHub workflow commands: annotations on the lines of a pull request."""

from __future__ import annotations

from schemacheck.engine.gate import annotated, blocking, level
from schemacheck.model import Finding, Report
from schemacheck.outputs import _summary
from schemacheck.text.code_host import annotation


def render(report: Report) -> str:
    """One annotation per finding and per table that cannot be rolled out, then the summary."""
    lines = [_annotation(f, report) for f in annotated(report) if f.tolerated is None]
    places = {(pair.database, pair.table): pair.replica or pair.source for pair in report.pairs}
    listed = {(f.database, f.table) for f in blocking(report)}
    for step in report.rollout.steps if report.rollout else ():
        if step.held_up and (step.database, step.table) not in listed:
            table = places.get((step.database, step.table))
            place = table.location if table else None
            text = f"{step.name}: {step.change}; this change needs {step.needs or 'a decision'}"
            lines.append(annotation("error", place, f"rollout: {step.order}", text))
    return "\n".join([*lines, _summary.line(report)]) + "\n"


def _annotation(finding: Finding, report: Report) -> str:
    place = finding.replica.location or finding.source.location
    body = [f"{finding.subject}: {finding.message}" if finding.subject else finding.message]
    if place and place.line is None and place.ordinal is None and place.file != "-":
        body.append(f"In {place.file}")
    if finding.error:
        body.append(f"Error {finding.error.number}: {finding.error.message}")
    other = finding.source.location if place is finding.replica.location else None
    if other:
        body.append(f"Source definition: {other}")
    body.append(finding.remedy)
    title = f"{finding.code} {finding.rule}: {finding.effect.value}"
    return annotation(level(finding, report), place, title, "\n".join(part for part in body if part))
