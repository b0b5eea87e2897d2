"""Text for people: what the replica does, both definitions, the fix; verbose, all of it."""

from __future__ import annotations

from schemacheck.engine.gate import unread
from schemacheck.model import Affected, Effect, Example, Finding, PairReport, PairState, Report, Table
from schemacheck.model.difference import Difference
from schemacheck.model.quantity import plural
from schemacheck.outputs import _rollout, _summary
from schemacheck.outputs._frame import definition, frames
from schemacheck.outputs._style import PLAIN, Style, one_line, wrapped
from schemacheck.text.printable import disarmed, statement_lines

#: Between the lines of a text behind a label.
_INDENT = "\n" + " " * 11


def render(report: Report) -> str:
    """The report without colours, in ASCII."""
    return render_styled(report, PLAIN)


def render_styled(report: Report, style: Style) -> str:
    """The report in a style; ends with the summary line. Short by default: each cause once."""
    blocks: list[str] = []
    first = _rollout.lines(report, report.rollout, style.columns) if report.rollout else []
    of_input = (*unread(report), *report.remarks)
    if style.verbosity == 0:
        blocks = [
            _short(difference, style) for difference in (*report.differences, *map(Difference, of_input))
        ]
    elif style.verbosity > 0:
        blocks = [finding_block(f, (None, None), style) for f in report.link_findings]
        for pair in report.pairs:
            worst = sorted(pair.findings, key=lambda f: f.effect, reverse=True)
            blocks += [finding_block(f, (pair.source, pair.replica), style) for f in worst]
            blocks.append(_pair_line(pair, style))
        blocks += [finding_block(f, (None, None), style) for f in of_input]
    if first and style.verbosity >= 0:
        blocks.insert(0, "\n".join(map(one_line, first)))
    return "\n\n".join([*blocks, _closing(report, style)]) + "\n"


def _short(difference: Difference, style: Style) -> str:
    """One difference: headline, both definitions, an example, what else differs, the fix."""
    finding, pair = difference.finding, difference.pair
    head = f"{difference.effect.value}[{finding.code}]"
    bites = f" {difference.bite}" if difference.bite else ""
    text = f"{one_line(difference.subject)}: {headline(finding)}" if finding.subject else headline(finding)
    if difference.error:
        error, some = difference.error
        text = text.removesuffix(f" (error {error.number})")
        text = text.rstrip(".") + f" (error {error.number}{' on some rows' if some else ''})"
    lines = wrapped(f"{head}{bites} {text}", style.columns - 2)
    lines[0] = style.effect(difference.effect, head) + lines[0][len(head) :]
    lines[1:] = [f"  {line}" for line in lines[1:]]
    if pair and pair.state is not PairState.UNREADABLE:
        ends = (("source", finding.source, pair.source), ("replica", finding.replica, pair.replica))
        lines += [
            _labelled(role, text, style)
            for role, side, table in ends
            if (text := definition(side, table, style.columns - 11))
        ]
    else:
        lines += frames(finding.source, finding.replica, (None, None), style)
    example = finding.example
    if example and not (example.source in finding.message and example.replica in finding.message):
        lines.append(_labelled("example", _ends(example), style))
    if difference.tables:
        lines.append(_labelled("also in", ", ".join(difference.tables), style))
    if difference.moves:
        columns, codes = map(", ".join, difference.moves)
        lines.append(_labelled("moves", f"{columns} ({codes}): check again after the fix", style))
    else:
        lines += [
            _labelled("also", f"{headline(finding)} ({finding.code})", style) for finding in difference.more
        ]
    if finding.remedy_sql:
        statement = "\n         | ".join(map(disarmed, statement_lines(finding.remedy_sql)))
        lines.append(f"  {style.faint('fix     ')} {statement}")
    elif finding.remedy:
        lines.append(_labelled("fix", finding.remedy, style))
    return "\n".join(lines)


def _labelled(label: str, text: str, style: Style) -> str:
    """A line below a headline, continued where it is too long."""
    return f"  {style.faint(f'{label:8}')} " + _INDENT.join(wrapped(one_line(text), style.columns - 11))


def headline(finding: Finding) -> str:
    """What a finding says, without the two definitions, which stand below it."""
    ends = f"{finding.source.text} on the source, {finding.replica.text} on the replica"
    return one_line(" ".join(finding.message.removeprefix(ends).lstrip(":;, ").split()))


def _pair_line(pair: PairReport, style: Style) -> str:
    text = f"{one_line(pair.name)}: {style.effect(pair.verdict, pair.verdict.value)} ({pair.state.value})"
    if pair.reason:
        text += f", {one_line(pair.reason)}"
    if pair.smallest is not None:
        best = pair.smallest
        text += (
            f"; no setting helps: {one_line(best.reason)}"
            if best.modes is None
            else f"; smallest setting: {best.modes or repr('')}"
        )
    return text


def finding_block(finding: Finding, tables: tuple[Table | None, Table | None], style: Style) -> str:
    """One finding: heading, two code frames, notes."""
    heading = (
        style.effect(finding.effect, f"{finding.effect.value}[{finding.code}]")
        + f" {style.faint(finding.rule)}"
    )
    subject = f"{style.bold(one_line(finding.subject))}: " if finding.subject else ""
    lines = [f"{heading}: {subject}{one_line(' '.join(finding.message.split()))}"]
    lines += frames(finding.source, finding.replica, tables, style)
    lines += [f"  = {label}: {_noted(label, text)}" for label, text in notes(finding)]
    if style.verbosity > 0:
        lines.append(style.faint(f"  = explain: schemacheck explain {finding.code}"))
    return "\n".join(lines)


def _noted(label: str, text: str) -> str:
    """A note's text; a statement keeps its lines, each behind a bar."""
    return "\n    | ".join(statement_lines(text)) if label.startswith("sql") else one_line(text)


def notes(finding: Finding) -> list[tuple[str, str]]:
    """(label, text) of all that is below the frames, in order."""
    out: list[tuple[str, str]] = []
    if finding.error:
        when = " (some rows)" if finding.depends_on_rows else ""
        out.append((f"error {finding.error.number}{when}", finding.error.message))
    if finding.also:
        out.append(("or error", ", ".join(map(str, finding.also))))
    if finding.example:
        out.append(("example", _ends(finding.example)))
    if finding.setting:
        out.append(("decided by", finding.setting))
    if finding.remedy:
        out.append(("fix", finding.remedy))
    if finding.remedy_sql:
        out.append((f"sql for the {finding.remedy_sql_on}", finding.remedy_sql))
    if finding.affected:
        out += _affected(finding.affected)
    if finding.reference:
        out.append(("see", finding.reference))
    if finding.tolerated:
        out.append(("tolerated", tolerance(finding)))
    if finding.evidence:
        out.append(("evidence", finding.evidence.sentence))
    return out


def _ends(example: Example) -> str:
    return f"{example.source} on the source, {example.replica} on the replica"


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


def _closing(report: Report, style: Style) -> str:
    lines = []
    if style.verbosity >= 0:
        assumed = report.assumptions if style.verbosity > 0 else _summary.assumed(report)
        lines.append(f"link: {one_line(_summary.link(report))}")
        lines += (
            ["\n  ".join(wrapped(f"assumed: {one_line('; '.join(assumed))}", style.columns - 2))]
            if assumed
            else []
        )
        lines += [
            "\n  ".join(wrapped(f"later: {one_line(text)}", style.columns - 2)) for text in report.later
        ]
        lines += [
            f"left out: {one_line(str(p.location or ''))} {one_line(p.message)}"
            for p in report.problems
            if p.skipped and (style.verbosity > 0 or (report.rollout and p.code == "SC003"))
        ]
        if style.verbosity > 0:
            lines += [f"file: {one_line(account)}" for account in _summary.accounts(report)]
            lines += [f"fixed: {entry.code} {one_line(entry.subject)}" for entry in report.fixed or ()]
        if not style.verbosity and any(difference.finding.remedy_sql for difference in report.differences):
            lines.append("next: run the fixes on the replica (--fix-sql FILE writes them); -v shows more")
        lines += _summary.looked_at(report)
        harmless = sum(f.effect <= Effect.COMPATIBLE and f.tolerated is None for f in report.findings)
        if harmless and not style.verbosity:
            lines.append(f"{plural(harmless, 'harmless difference')} not shown (-v shows them)")
    return "\n".join([*map(style.faint, lines), style.bold(_summary.line(report))])
