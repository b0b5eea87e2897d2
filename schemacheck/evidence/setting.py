"""The smallest slave_type_conversions under which nothing that is there today is harmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.alignment.pair import Pair
from schemacheck.conversion import What
from schemacheck.conversion.setting import candidates
from schemacheck.evidence.ask import Ask
from schemacheck.model import Effect, Finding, SmallestSetting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemacheck.alignment.pair import Cell
    from schemacheck.evidence.given import Looked
    from schemacheck.evidence.statements import Log
    from schemacheck.model import Link


def smallest_today(compared: Sequence[tuple[Pair, Looked]], link: Link, log: Log) -> SmallestSetting | None:
    """The first setting that refuses no conversion of a table with rows and changes no value that is there;
    None where no table was compared.
    """
    if not compared:
        return None
    for modes in candidates(link.replica):
        under = link.with_modes(modes)
        if all(_harmless(pair, under, looked, log) for pair, looked in compared):
            return SmallestSetting(modes)
    return SmallestSetting(None, "values that are there need it, or nothing tells that they do not")


def _harmless(pair: Pair, link: Link, looked: Looked, log: Log) -> bool:
    both = Pair.of(pair.source, pair.replica, link)
    return all(_spares(cell, both, looked, log) for cell in both.differing)


def _spares(cell: Cell, pair: Pair, looked: Looked, log: Log) -> bool:
    if cell.allowed and cell.outcome.what is What.UNCHANGED:
        return True
    finding = Finding("", "", Effect.STOPS, "", pair.source.database, pair.source.name, cell.source.name)
    ask = Ask(finding, pair, looked, log)
    answer = ask.changed() if cell.allowed else ask.events()
    seen = [seen for seen in answer.values() if seen is not None]
    return bool(seen) and not any(seen.number for seen in seen)
