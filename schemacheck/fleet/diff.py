"""`schemacheck fleet diff RUN RUN`: what is new, gone, worse or better in the second of two finished runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from schemacheck.fleet import columns, trend
from schemacheck.model import Effect

if TYPE_CHECKING:
    from schemacheck.fleet.session import Engine

Row = dict[str, Any]
#: Changes that are listed, and those for the worse.
LISTED, WORSE = 500, ("new", "worse")


def rows(engine: Engine, before: str, now: str) -> tuple[dict[str, int], list[Row]]:
    """Counts by kind of change, and the first changes, what is new or worse first. Both runs are folders or
    URLs. Raises InputError for what is no finished run.
    """
    from schemacheck.fleet import previous
    from schemacheck.fleet.checked import Written
    from schemacheck.fleet.place import Place

    ours, theirs = Place(engine, now), Place(engine, before)
    listed = [trend.earlier(place.text("summary.json"), place.root) for place in (ours, theirs)]
    checked = Written.of(ours)
    ends = ("source", "replica", "channel")
    links = [tuple(row) for row in checked.tables.select(*ends).distinct().collect()]
    links += [tuple(row[name] for name in ends) for row in listed[0]["link_findings"]]
    changed = previous.changes(checked, theirs.read("findings", columns.FINDINGS), links).persist()
    some = previous.summed(changed, LISTED)
    counts = dict(some.counts)
    of_links = trend.of_links(listed[0]["link_findings"], listed[1]["link_findings"], links)
    of_links = [row for row in of_links if row["change"] != "unchanged"]
    for row in of_links:
        counts[row["change"]] = counts.get(row["change"], 0) + 1
    result = [*of_links, *some.first]
    return (
        {name: counts.get(name, 0) for name in trend.KINDS},
        sorted(result, key=lambda row: row["change"] not in WORSE),
    )


def lines(counts: Mapping[str, int], result: Sequence[Row]) -> Iterator[str]:
    """What is printed."""
    yield ", ".join(f"{count:,} {name}" for name, count in counts.items())
    for row in result:
        was, effect = row["previous_effect"], row["effect"]
        effects = f"{was} to {effect}" if was and effect else effect or was
        table = f", {row['database']}.{row['table']}" if row["table"] else ""
        column = f".{row['column']}" if row["column"] else ""
        place = f"{row['source']} to {row['replica']}{table}{column}"
        message = shorten(row["message"], 160, placeholder=" ...")
        yield f"{row['change']:<7} {effects}  {place} [{row['code']}]: {message}"


def is_worse(result: Sequence[Row], fail_on: Effect) -> bool:
    """Whether something at or above an effect is new or worse."""
    return any(row["change"] in WORSE and Effect(row["effect"]) >= fail_on for row in result)
