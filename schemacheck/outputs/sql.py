"""The remedies as a script for the mysql and mariadb clients, by server; none drops a key or data."""

from __future__ import annotations

from schemacheck.gate import entries
from schemacheck.model import Effect, Finding, Report
from schemacheck.model.quantity import plural
from schemacheck.outputs import _summary
from schemacheck.outputs._style import one_line

_ADVICE = "Read it before you run it, and check again afterwards."


def render(report: Report) -> str:
    """Each statement once, behind the findings that it mends; what has none is listed as a comment."""
    open_ones = [f for f in entries(report) if f.tolerated is None and f.effect > Effect.IDENTICAL]
    by_server: dict[str, dict[str, list[Finding]]] = {}
    for finding in open_ones:
        if finding.remedy_sql and finding.remedy_sql_on:
            statement = finding.remedy_sql.strip()
            statement += "" if statement.endswith(";") else ";"
            by_server.setdefault(finding.remedy_sql_on, {}).setdefault(statement, []).append(finding)
    by_hand = [f for f in open_ones if not f.remedy_sql and f.effect > Effect.COMPATIBLE]
    mended = sum(len(found) for scripts in by_server.values() for found in scripts.values())
    out = [
        f"-- {_comment(_summary.line(report))}",
        f"-- link: {_comment(_summary.link(report))}",
        f"-- {plural(mended, 'finding')} with a statement, {len(by_hand):,} without. {_ADVICE}",
    ]
    for server in sorted(by_server):
        end = report.link.replica if server == "replica" else report.link.source
        out += ["", f"-- on the {server} ({_comment(str(end))}), without writing to its binary log",
                "SET SESSION sql_log_bin = 0;"]  # fmt: skip
        for statement, findings in by_server[server].items():
            out += ["", *(f"-- {_said(finding)}" for finding in findings), statement]
    if by_hand:
        out += ["", "-- without a statement:"]
        out += [f"-- {_said(f)}" + (f"; {_comment(f.remedy)}" if f.remedy else "") for f in by_hand]
    return "\n".join(out) + "\n"


def _said(finding: Finding) -> str:
    place = finding.replica.location or finding.source.location
    words = [finding.code, finding.effect.value, finding.subject, f"({place})" if place else ""]
    return _comment(f"{' '.join(filter(None, words))}: {' '.join(finding.message.split())}")


def _comment(text: str) -> str:
    """Text on one line of a comment: nothing in it begins a statement, nor a command of the client."""
    return one_line(text)
