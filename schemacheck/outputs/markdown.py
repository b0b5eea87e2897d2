"""Markdown for a pull-request comment: worst first, cut to GitHub's 65,536 characters."""

from __future__ import annotations

import re

from schemacheck.dataclass import replace
from schemacheck.engine.gate import annotated, blocking, entries, exit_status
from schemacheck.model import Effect, Finding, PairReport, Report, ToleratedBy
from schemacheck.model.quantity import plural
from schemacheck.model.rollout import Rollout
from schemacheck.outputs import _rollout, _summary
from schemacheck.outputs._style import Style
from schemacheck.outputs.text import finding_block, tolerance
from schemacheck.text.code_host import code, escape, steps

MOST_CHARACTERS = 60_000

#: Details are folded away: they hold everything.
_STYLE = Style(verbosity=1)
_MARK = {
    Effect.IDENTICAL: "✓ identical",
    Effect.COMPATIBLE: "✓ compatible",
    Effect.INCOMPLETE: "△ incomplete",
    Effect.LOSSY: "△ lossy",
    Effect.UNSUPPORTED: "△ unsupported",
    Effect.DIVERGES: "✗ diverges",
    Effect.STOPS: "✗ stops",
    Effect.UNKNOWN: "? unknown",
}


def render(report: Report) -> str:
    """Heading with the outcome, a table of findings, details folded."""
    parts = (
        _rolled_out(report, report.rollout)
        if report.rollout
        else [f"### schemacheck: {_summary.TITLES[exit_status(report)]}", escape(_summary.line(report)) + "."]
    )
    if unnamed := _summary.unnamed(report):
        parts.insert(1, escape(unnamed))
    listed = (
        f
        for f in annotated(report)
        if f.tolerated is None and not (report.rollout and report.rollout.step(f.database, f.table))
    )
    ranked = sorted(listed, key=lambda f: f.effect, reverse=True)
    ranked.sort(key=lambda f: f.evidence.rank if f.evidence else 0)
    if ranked:
        parts.append(_table(ranked))
    details = _details(report, MOST_CHARACTERS - sum(map(len, parts)))
    if details:
        parts.append(details)
    tolerated = [f for f in entries(report) if f.tolerated and f.tolerated.by is not ToleratedBy.ROLLOUT]
    if tolerated:
        lines = [f"- {code(f.code)} {escape(f.subject)}: {escape(tolerance(f))}" for f in tolerated[:100]]
        more = len(tolerated) - len(lines)
        lines += [f"- and {more:,} more"] if more else []
        parts.append(_fold(plural(len(tolerated), "tolerated finding"), "\n".join(lines)))
    unread_files = [file for file in report.files if not file.read_as]
    if unread_files:
        accounts = _summary.accounts(replace(report, files=tuple(unread_files)))
        lines = [f"- {escape(text)}" for text in accounts[:50]]
        lines += [f"- and {len(accounts) - 50:,} more"] if len(accounts) > 50 else []
        parts.append(
            _fold(plural(sum(file.count for file in unread_files), "file") + " not read", "\n".join(lines))
        )
    closing = f"Link: {escape(_summary.link(report))}."
    if report.assumptions and not report.rollout:
        closing += f" Assumed: {escape(', '.join(report.assumptions))}."
    parts.append(f"<sub>{closing}</sub>")
    return "\n\n".join(parts) + "\n"


def _rolled_out(report: Report, rollout: Rollout) -> list[str]:
    """For a phone: may it go, the order, a line for each table, the command that shows more."""
    order = _rollout.order(report, rollout)
    listed = steps(_rollout.steps(report, rollout), ordered=bool(order) and rollout.order != "in stages")
    parts = [f"### schemacheck: {escape(_rollout.heading(report, rollout))}", escape(order), listed]
    parts += [f"The SQL, step by step: {code(rollout.command)}"] if listed else []
    return [*filter(None, parts)]


def _table(findings: list[Finding]) -> str:
    rows = ["| Effect | Where | What the replica does | Fix |", "| --- | --- | --- | --- |"]
    used = 0
    for count, finding in enumerate(findings):
        place = finding.replica.location or finding.source.location
        where = f"{code(finding.subject or '-')}" + (f"<br>{code(str(place))}" if place else "")
        row = (
            f"| {_MARK[finding.effect]}<br>{finding.code}{_bites(finding)} | {where} | "
            f"{escape(finding.message)} | "
            f"{escape(finding.remedy)} |"
        )
        used += len(row)
        if used > MOST_CHARACTERS // 2:
            rows.append(f"| | | and {len(findings) - count:,} more findings | |")
            break
        rows.append(row)
    return "\n".join(rows)


def _bites(finding: Finding) -> str:
    return f"<br>{escape(finding.evidence.word)}" if finding.evidence else ""


def _details(report: Report, room: int) -> str:
    """The code frames of what keeps the gate shut, as far as there is room."""
    owner: dict[int, PairReport] = {id(f): pair for pair in report.pairs for f in pair.findings}
    blocks: list[str] = []
    shut = blocking(report)
    for count, finding in enumerate(shut):
        pair = owner.get(id(finding))
        block = finding_block(finding, (pair.source, pair.replica) if pair else (None, None), _STYLE)
        room -= len(block) + 2
        if room < 0:
            blocks.append(f"... and {len(shut) - count:,} more")
            break
        blocks.append(block)
    held = report.rollout and any(step.held_up for step in report.rollout.steps)
    title = "What a replica meets that has the change first" if held else "Details"
    return _fold(title, _fenced("\n\n".join(blocks))) if blocks else ""


def _fold(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _fenced(text: str) -> str:
    """A code block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"
