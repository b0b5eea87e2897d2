"""The answer about logs as text."""

from __future__ import annotations

from schemacheck.applier.report import LogReport, Place, TableReport
from schemacheck.model import Effect, PairState
from schemacheck.model.difference import differences
from schemacheck.model.quantity import plural

#: Tables in one line, and findings of one, that are named; JSON has them all.
NAMED = 10


def render(report: LogReport) -> str:
    """The first stop, every table concerned, what could not be decided, and one closing line."""
    lines = [f"{report.link.source} -> {report.link.replica}"]
    if report.stop is not None:
        stop = report.stop
        lines += [
            "",
            f"the applier stops: {stop.title}",
            f"  {stop.error.message}",
            f"  at {where(stop.place)}",
            f"  {stop.what}",
        ]
        if stop.finding is not None and stop.finding.remedy:
            lines.append(f"  remedy: {stop.finding.remedy}")
    for finding in report.link_findings:
        lines += ["", f"{finding.effect.value} {finding.code} {finding.message}"]
        lines += [f"  remedy: {finding.remedy}"] if finding.remedy else []
    for table in report.concerned:
        lines += ["", *_table(table)]
    if report.problems:
        lines += ["", "not understood:"]
        lines += [f"  {problem.location}: {problem.message}" for problem in report.problems]
    lines += _lacking(report)
    if report.notes:
        lines += ["", *(f"note: {note}" for note in report.notes)]
    lines += ["", _closing(report)]
    return "\n".join(lines) + "\n"


def where(place: Place) -> str:
    """`bin.000001 position 1234 (end_log_pos 1300), transaction at 1100, GTID ...`."""
    text = f"{place.file} position {place.position}"
    if place.end_position:
        text += f" (end_log_pos {place.end_position})"
    text += f", transaction at {place.transaction}"
    return text + (f", GTID {place.gtid}" if place.gtid else "")


def _table(table: TableReport) -> list[str]:
    pair = table.pair
    name = table.name if table.replica == table.name else f"{table.name} (on the replica {table.replica})"
    lines = [
        (
            f"{name}: {pair.state.value if pair.state is not PairState.COMPARED else pair.verdict.value}, "
            f"{_counts(table)}"
        )
    ]
    if table.stop is not None:
        lines.append(
            f"  stops with {table.stop.error.number or 'no error number'} at {where(table.stop.place)}: "
            f"{table.stop.error.message}"
        )
    listed = [item for item in differences((), (pair,)) if item.effect >= Effect.LOSSY]
    for difference in listed[:NAMED]:
        finding = difference.finding
        place = f"{finding.column}: " if finding.column else ""
        lines.append(f"  {difference.effect.value} {finding.code} {place}{finding.message}")
        if difference.moves:
            columns, codes = map(", ".join, difference.moves)
            lines.append(f"    moves: {columns} ({codes})")
        if finding.remedy:
            lines.append(f"    remedy: {finding.remedy}")
    if len(listed) > NAMED:
        lines.append(f"  {len(listed) - NAMED} more: --format json")
    for change in table.changes:
        arrow = f"{change.source} -> {change.replica}"
        lines.append(
            f"  first changed value of {change.column}, row {change.row} of the event at "
            f"{change.place.file}:{change.place.position}: {arrow}"
        )
    if table.unsaid and pair.verdict is not Effect.IDENTICAL:
        more = f"; {len(table.unsaid) - NAMED} more columns" if len(table.unsaid) > NAMED else ""
        lines.append(
            "  the log does not say, and the replica's definition was taken for: "
            f"{'; '.join(table.unsaid[:NAMED])}{more}"
        )
    return lines


def _lacking(report: LogReport) -> list[str]:
    """What cannot be known from these logs alone, one line for all tables that lack the same."""
    lines = []
    for what, names in report.lacking.items():
        shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
        lines.append(f"  {shown}: {'; '.join(what)}")
    if not lines:
        return []
    return ["", "the log does not say, so whether the data stays the same is not known:", *lines,
            "  remedy: Give the source's definitions (--source)"]  # fmt: skip


def _counts(table: TableReport) -> str:
    parts = []
    for action, count in table.events.items():
        rows = f" with {plural(table.rows[action], 'row')}" if table.rows and action in table.rows else ""
        parts.append(f"{plural(count, f'{action} event')}{rows}")
    return ", ".join(parts) or "no rows"


def _closing(report: LogReport) -> str:
    counts: dict[str, int] = {}
    for table in report.tables:
        word = "not replicated" if table.pair.state is PairState.NOT_REPLICATED else table.pair.verdict.value
        counts[word] = counts.get(word, 0) + 1
    words = ", ".join(f"{count} {word}" for word, count in counts.items())
    stops = (
        "the applier stops"
        if report.stop
        else "the applier may stop"
        if _may_stop(report)
        else "no definition stops the applier"
    )
    return (
        f"{plural(report.events, 'event')}, {plural(len(report.tables), 'table')}: {words or 'none'}; {stops}"
        + (f"; {plural(len(report.problems), 'problem')}" if report.problems else "")
    )


def _may_stop(report: LogReport) -> bool:
    """Whether something is unknown, or hangs on the values of statements."""
    findings = [
        finding
        for table in report.tables
        if table.by_statements is not None
        for finding in table.by_statements.findings
    ]
    return report.verdict is Effect.UNKNOWN or any(finding.error is not None for finding in findings)
