"""One line per difference, `path:line:column: effect[CODE] subject: message`, as editors read it."""

from __future__ import annotations

from schemacheck.engine.gate import entries, unread
from schemacheck.model import Report
from schemacheck.model.difference import Difference
from schemacheck.outputs import _summary
from schemacheck.outputs._style import PLAIN, Style, one_line


def render(report: Report) -> str:
    """All findings that matter, then the summary line."""
    return render_styled(report, PLAIN)


def render_styled(report: Report, style: Style) -> str:
    """The same in a style; verbosity 1 lists every finding, harmless and tolerated ones too."""
    listed: tuple[Difference, ...] = ()
    if style.verbosity > 0:
        listed = tuple(map(Difference, entries(report)))
    elif style.verbosity == 0:
        listed = (*report.differences, *map(Difference, (*unread(report), *report.remarks)))
    return "\n".join([*(_line(difference, style) for difference in listed), _summary.line(report)]) + "\n"


def _line(difference: Difference, style: Style) -> str:
    finding = difference.finding
    location = finding.replica.location or finding.source.location
    place = one_line(str(location)) if location else "-"
    effect = style.effect(difference.effect, f"{difference.effect.value}[{finding.code}]")
    if difference.bite:
        effect += f" {difference.bite}"
    subject = f" {one_line(difference.subject)}:" if finding.subject else ""
    note = " (tolerated)" if finding.tolerated else ""
    fix = f"; fix: {one_line(finding.remedy)}" if finding.remedy else ""
    message = one_line(" ".join(finding.message.split()))
    return f"{place}: {effect}{subject} {message.rstrip('.') if fix else message}{note}{fix}"
