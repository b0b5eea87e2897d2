"""GitLab Code Quality: a JSON array in the shape of the Code Climate specification that GitLab reads
(description, check_name, fingerprint, severity, location.path, location.lines.begin)."""

from __future__ import annotations

from schemacheck.engine.gate import annotated
from schemacheck.model import Effect, Finding, Report
from schemacheck.model.fingerprint import fingerprints
from schemacheck.text.code_host import from_root, sentences
from schemacheck.text.printable import as_json, one_line

_SEVERITY = {
    Effect.IDENTICAL: "info",
    Effect.COMPATIBLE: "info",
    Effect.INCOMPLETE: "minor",
    Effect.LOSSY: "minor",
    Effect.UNSUPPORTED: "major",
    Effect.UNKNOWN: "critical",
    Effect.DIVERGES: "critical",
    Effect.STOPS: "blocker",
}


def render(report: Report) -> str:
    """All findings that change something and are not tolerated."""
    listed = annotated(report)
    marks = fingerprints(listed)
    entries_ = [_entry(f, mark) for f, mark in zip(listed, marks, strict=True) if f.tolerated is None]
    return as_json(entries_)


def _entry(finding: Finding, mark: str) -> dict[str, object]:
    place = finding.replica.location or finding.source.location
    first = f"{finding.subject}: {finding.message}" if finding.subject else finding.message
    return {
        "description": one_line(sentences(first, finding.remedy)),
        "check_name": f"{finding.code} {finding.rule}",
        "fingerprint": mark,
        "severity": _SEVERITY[finding.effect],
        "location": {
            "path": from_root(place) if place else finding.subject or "-",
            "lines": {"begin": (place.line or 1) if place else 1},
        },
    }
