"""Which tables the statements of a case reached: `reaches` of its record, names per logged statement."""

from __future__ import annotations

from collections.abc import Iterable

from schemacheck.prove.arrived import Record


def written(record: Record) -> frozenset[str] | None:
    """The tables (folded) whose events came: of rows where these were recorded, else those reached;
    None where neither is known.
    """
    if "row_tables" in record:
        return frozenset(name.casefold() for name in record["row_tables"])
    if "reaches" not in record:
        return None
    return frozenset(name for names in record["reaches"] for name in names)


def carried(record: Record, changed: Iterable[str]) -> frozenset[str]:
    """The tables that statements bring the differences of the `changed` ones (folded) to."""
    result = set(changed)
    for names in record.get("reaches") or ():
        if result.intersection(names):
            result.update(names)
    return frozenset(result)
