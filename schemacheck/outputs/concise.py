"""One line per finding, `path:line:column: effect[CODE] subject: message`, as editors read it."""

from __future__ import annotations

from schemacheck.gate import entries
from schemacheck.model import Effect, Finding, Report
from schemacheck.outputs import _summary
from schemacheck.outputs._style import PLAIN, Style, one_line


def render(report: Report) -> str:
    """All findings that matter, then the summary line."""
    return render_styled(report, PLAIN)


def render_styled(report: Report, style: Style) -> str:
    """The same in a style; verbosity 1 lists harmless and tolerated findings too."""
    lines = []
    for finding in entries(report):
        matters = (
            finding.effect > Effect.COMPATIBLE and finding.tolerated is None
        ) or finding in report.remarks
        if style.verbosity > 0 or (matters and style.verbosity == 0):
            lines.append(_line(finding, style))
    return "\n".join([*lines, _summary.line(report)]) + "\n"


def _line(finding: Finding, style: Style) -> str:
    location = finding.replica.location or finding.source.location
    place = one_line(str(location)) if location else "-"
    effect = style.effect(finding.effect, f"{finding.effect.value}[{finding.code}]")
    subject = f" {one_line(finding.subject)}:" if finding.subject else ""
    note = " (tolerated)" if finding.tolerated else ""
    remedy = f"; remedy: {one_line(finding.remedy)}" if finding.remedy else ""
    message = one_line(" ".join(finding.message.split()))
    return f"{place}: {effect}{subject} {message.rstrip('.') if remedy else message}{note}{remedy}"
