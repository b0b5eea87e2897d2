"""The rows of tables that are concerned: how many, and the first value of each column that changes."""

from __future__ import annotations

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.applier.decide import Decided
from schemacheck.applier.report import Change, Place
from schemacheck.applier.values import arrival, display
from schemacheck.binlog.events.rows import Rows
from schemacheck.binlog.values import Value
from schemacheck.model import PairReport


def look(event: Rows, decided: Decided, place: Place) -> None:
    """Count the rows of an event into its table's report, and add what changes first. Raises DamagedEvent."""
    report, pair = decided.report, decided.pair
    if report.rows is None:
        report.rows = {}
    if pair is None:
        return
    changing = [
        cell
        for cell in pair.cells
        if cell.allowed and cell.outcome.changed and cell.source.name not in decided.seen
    ]
    misplaced = (
        [cell for cell in pair.cells if not cell.same_name and f"@{cell.source.name}" not in decided.seen]
        if _moved(report.pair)
        else []
    )
    count = (
        _search(event, decided, pair, changing, misplaced, place) if changing or misplaced else event.count()
    )
    report.rows[event.action] = report.rows.get(event.action, 0) + count


def _search(
    event: Rows, decided: Decided, pair: Pair, changing: list[Cell], misplaced: list[Cell], place: Place
) -> int:
    report = decided.report
    signs = tuple(column.type.unsigned for column in pair.source.columns)
    count = 0
    for count, row in enumerate(event.rows(signs), 1):
        after = row.after or row.before or ()
        for cell in list(changing):
            listed = arrival(after[cell.source_index], cell, pair)
            if listed is not None:
                decided.seen.add(cell.source.name)
                changing.remove(cell)
                report.changes.append(
                    Change(place, count, cell.source.name, *listed, cell.outcome.what.value)
                )
        for cell in misplaced:
            decided.seen.add(f"@{cell.source.name}")
            report.changes.append(_misplaced(after[cell.source_index], cell, count, place))
        misplaced = []
    return count


def _misplaced(value: Value, cell: Cell, row: int, place: Place) -> Change:
    shown = display(value, cell.source.type)
    return Change(
        place,
        row,
        cell.source.name,
        f"{cell.source.name} = {shown}",
        f"{cell.replica.name} = {shown}",
        "column-order",
    )


def _moved(pair: PairReport) -> bool:
    return any(finding.code == "SC101" for finding in pair.findings)
