"""Text for people: both definitions with carets, what the replica does, what to do about it."""

from __future__ import annotations

from schemacheck.gate import unread
from schemacheck.model import Affected, Effect, Finding, PairReport, Report, Table
from schemacheck.model.quantity import plural
from schemacheck.outputs import _summary
from schemacheck.outputs._frame import frames
from schemacheck.outputs._style import PLAIN, Style, one_line
from schemacheck.printable import statement_lines


def render(report: Report) -> str:
    """The report without colours, in ASCII."""
    return render_styled(report, PLAIN)


def render_styled(report: Report, style: Style) -> str:
    """The report in a style; ends with the summary line."""
    unnamed = _summary.unnamed(report)
    blocks: list[str] = [one_line(unnamed)] if unnamed and style.verbosity >= 0 else []
    if style.verbosity >= 0 and (later := _summary.unrecorded(report)):
        blocks.append(one_line(later))
    shown = [f for f in report.link_findings if _shown(f, style)]
    blocks += [finding_block(f, (None, None), style) for f in shown]
    harmless = 0
    for pair in report.pairs:
        shown = [f for f in sorted(pair.findings, key=lambda f: f.effect, reverse=True) if _shown(f, style)]
        harmless += sum(
            f.effect <= Effect.COMPATIBLE and f.tolerated is None and f not in shown for f in pair.findings
        )
        blocks += [finding_block(f, (pair.source, pair.replica), style) for f in shown]
        blocks += _pair_block(pair, style)
    blocks += (
        [finding_block(f, (None, None), style) for f in (*unread(report), *report.remarks)]
        if style.verbosity >= 0
        else []
    )
    closing = _closing(report, harmless, style)
    return "\n\n".join([*blocks, closing]) + "\n"


def _shown(finding: Finding, style: Style) -> bool:
    if style.verbosity < 0:
        return False
    return style.verbosity > 0 or (finding.effect > Effect.COMPATIBLE and finding.tolerated is None)


def _pair_block(pair: PairReport, style: Style) -> list[str]:
    """In verbose mode a line for every pair, with its reason and its smallest setting."""
    if style.verbosity < 1:
        return []
    text = f"{one_line(pair.name)}: {style.effect(pair.verdict, pair.verdict.value)} ({pair.state.value})"
    if pair.reason:
        text += f", {one_line(pair.reason)}"
    if pair.smallest is not None:
        best = pair.smallest
        text += (
            f"; no setting helps: {best.reason}"
            if best.modes is None
            else f"; smallest setting: {best.modes or repr('')}"
        )
    return [text]


def finding_block(finding: Finding, tables: tuple[Table | None, Table | None], style: Style) -> str:
    """One finding: heading, two code frames, notes."""
    heading = (
        style.effect(finding.effect, f"{finding.effect.value}[{finding.code}]")
        + f" {style.faint(finding.rule)}"
    )
    subject = f"{style.bold(one_line(finding.subject))}: " if finding.subject else ""
    lines = [f"{heading}: {subject}{one_line(' '.join(finding.message.split()))}"]
    lines += frames(finding.source, finding.replica, tables, style)
    lines += [
        f"  = {label}: {_noted(label, text)}" for label, text in notes(finding, rows=style.verbosity > 0)
    ]
    lines.append(style.faint(f"  = explain: schemacheck explain {finding.code}"))
    return "\n".join(lines)


def _noted(label: str, text: str) -> str:
    """A note's text; a statement keeps its lines, each behind a bar."""
    return "\n    | ".join(statement_lines(text)) if label.startswith("sql") else one_line(text)


def notes(finding: Finding, *, rows: bool = True) -> list[tuple[str, str]]:
    """(label, text) of all that is below the frames, in order; `rows`: with the queries that find the
    rows whose values may differ.
    """
    out: list[tuple[str, str]] = []
    if finding.error:
        when = " (some rows)" if finding.depends_on_rows else ""
        out.append((f"error {finding.error.number}{when}", finding.error.message))
    if finding.also:
        out.append(("or error", ", ".join(map(str, finding.also))))
    if finding.example:
        out.append(
            (
                "example",
                f"{finding.example.source} on the source becomes {finding.example.replica} on the replica",
            )
        )
    if finding.setting:
        out.append(("decided by", finding.setting))
    if finding.remedy:
        out.append(("remedy", finding.remedy))
    if finding.remedy_sql:
        out.append((f"sql for the {finding.remedy_sql_on}", finding.remedy_sql))
    if finding.affected and rows:
        out += _affected(finding.affected)
    if finding.reference:
        out.append(("see", finding.reference))
    if finding.tolerated:
        out.append(("tolerated", tolerance(finding)))
    return out


def _affected(rows: Affected) -> list[tuple[str, str]]:
    """The queries that find rows whose values may differ."""
    if rows.replica is None:
        queries = [("affected rows", rows.source)]
    else:
        queries = [("compare, on the source", rows.source), ("compare, on the replica", rows.replica)]
    queries.append(("compare both ends", rows.checksum))
    return [(label, text) for label, text in queries if text]


def tolerance(finding: Finding) -> str:
    """Why a finding is tolerated, in one phrase."""
    why = finding.tolerated
    if why is None:
        return ""
    parts = [
        f"by {why.by.value}",
        f"at {why.location}" if why.location else "",
        f"until {why.expires}" if why.expires else "",
    ]
    text = " ".join(part for part in parts if part)
    return f"{text}: {why.reason}" if why.reason else text


def _closing(report: Report, harmless: int, style: Style) -> str:
    lines = []
    if style.verbosity >= 0:
        lines.append(style.faint(f"link: {one_line(_summary.link(report))}"))
        if report.assumptions:
            said = (
                report.assumptions if style.verbosity > 0 else [_short(text) for text in report.assumptions]
            )
            lines.append(style.faint("assumed: " + one_line("; ".join(said))))
        if style.verbosity > 0:
            lines += [
                style.faint(f"left out: {one_line(str(p.location or ''))} {one_line(p.message)}")
                for p in report.problems
                if p.skipped
            ]
            lines += [style.faint(f"file: {one_line(said)}") for said in _summary.accounts(report)]
            lines += [
                style.faint(f"fixed: {known.code} {one_line(known.subject)}") for known in report.fixed or ()
            ]
        if harmless:
            lines.append(style.faint(f"{plural(harmless, 'harmless difference')} not shown (-v shows them)"))
    lines.append(style.bold(_summary.line(report)))
    return "\n".join(lines)


def _short(assumption: str) -> str:
    """An assumption without a value that would fill the line (sql_mode); -v shows it."""
    name, _, value = assumption.partition(" = ")
    bare, _, both = value.partition(" (both")
    return (
        f"{name} = (the version's default)" + (f" (both{both}" if both else "")
        if len(bare) > 40
        else assumption
    )
