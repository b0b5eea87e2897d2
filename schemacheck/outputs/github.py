"""GitHub workflow commands: annotations on the lines of a pull request.

Grammar: `::error file=NAME,line=N,col=N,title=TEXT::MESSAGE` (GitHub Actions, "Workflow commands").
"""

from __future__ import annotations

from schemacheck.gate import entries, level
from schemacheck.model import Finding, Location, Report
from schemacheck.outputs import _summary
from schemacheck.outputs._repository import from_root
from schemacheck.printable import visible

_WORDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report) -> str:
    """One annotation per finding that is not tolerated, then the summary as a plain line."""
    lines = [_annotation(f, report) for f in entries(report) if f.tolerated is None]
    return "\n".join([*lines, _summary.line(report)]) + "\n"


def _annotation(finding: Finding, report: Report) -> str:
    place = finding.replica.location or finding.source.location
    title = f"{finding.code} {finding.rule}: {finding.effect.value}"
    properties = [*_place(place), f"title={_property(title)}"]
    body = [f"{finding.subject}: {finding.message}" if finding.subject else finding.message]
    if place and place.line is None and place.ordinal is None and place.file != "-":
        body.append(f"In {place.file}")
    if finding.error:
        body.append(f"Error {finding.error.number}: {finding.error.message}")
    other = finding.source.location if place is finding.replica.location else None
    if other:
        body.append(f"Source definition: {other}")
    body.append(finding.remedy)
    return (
        f"::{_WORDS[level(finding, report)]} "
        f"{','.join(properties)}::{_message(chr(10).join(part for part in body if part))}"
    )


def _place(place: Location | None) -> list[str]:
    """The properties of a place in a file; an instance or standard input has none."""
    if place is None or place.line is None or place.file == "-":
        return []
    out = [f"file={_property(from_root(place.file))}", f"line={place.line}"]
    if place.column is not None:
        out.append(f"col={place.column}")
        if place.end_column is not None:
            out.append(f"endColumn={place.end_column - 1}")
    return out


def _message(text: str) -> str:
    return (
        visible(text).replace("##[", "\\x23#[").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    )


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
