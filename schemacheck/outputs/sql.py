"""The remedies as a script for the mysql and mariadb clients, by server; none drops a key or data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from schemacheck.engine.gate import entries
from schemacheck.model import Effect, Finding, Report
from schemacheck.model.quantity import plural
from schemacheck.outputs import _summary
from schemacheck.outputs._style import one_line

_ADVICE = "Read it before you run it, and check again afterwards."


def render(report: Report) -> str:
    """Each statement once, behind the findings that it mends; what has none is listed as a comment."""
    open_ones = [f for f in entries(report) if f.tolerated is None and f.effect > Effect.IDENTICAL]
    by_server: dict[str, dict[str, list[str]]] = {}
    for finding in open_ones:
        if finding.remedy_sql and finding.remedy_sql_on:
            by_statement = by_server.setdefault(finding.remedy_sql_on, {})
            by_statement.setdefault(ended(finding.remedy_sql), []).append(_said(finding))
    ended_by = {(f.database, f.table, f.remedy) for f in open_ones if f.remedy_sql}
    by_hand = [
        f
        for f in open_ones
        if not f.remedy_sql
        and f.effect > Effect.COMPATIBLE
        and (f.database, f.table, f.remedy) not in ended_by
    ]
    mended = sum(len(item) for scripts in by_server.values() for item in scripts.values())
    out = [
        f"-- {_comment(_summary.line(report))}",
        f"-- link: {_comment(_summary.link(report))}",
        f"-- {plural(mended, 'finding')} with a statement, {len(by_hand):,} without. {_ADVICE}",
    ]
    for server in sorted(by_server):
        end = report.link.replica if server == "replica" else report.link.source
        out += ["", *_on(f"the {server} ({end})", by_server[server])]
    if by_hand:
        out += ["", "-- without a statement:"]
        out += [f"-- {_comment(_said(f) + (f'; {f.remedy}' if f.remedy else ''))}" for f in by_hand]
    return "\n".join(out) + "\n"


def ended(statement: str) -> str:
    """The statement with its semicolon, behind which a comment may stand."""
    text = statement.strip()
    return text if text.endswith(";") or "; -- " in text else f"{text};"


def script(heading: str, server: str, statements: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Lines of a script for one server: each statement behind what it mends."""
    yield f"-- {_comment(heading)}"
    yield f"-- {plural(len(statements), 'statement')}. {_ADVICE}"
    yield from _on(server, statements)


def _on(server: str, statements: Mapping[str, Sequence[str]]) -> Iterator[str]:
    yield f"-- on {_comment(server)}, without writing to its binary log"
    yield "SET SESSION sql_log_bin = 0;"
    for statement, mended in statements.items():
        yield from ("", *(f"-- {_comment(text)}" for text in mended), statement)


def _said(finding: Finding) -> str:
    place = finding.replica.location or finding.source.location
    words = [finding.code, finding.effect.value, finding.subject, f"({place})" if place else ""]
    return f"{' '.join(filter(None, words))}: {' '.join(finding.message.split())}"


def _comment(text: str) -> str:
    return one_line(text)
