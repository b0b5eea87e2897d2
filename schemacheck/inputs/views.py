"""Which view of information_schema (or SHOW statement) some columns come from, and the headings that a dump
without one has.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from schemacheck import knowledge

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@cache
def _marks() -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(
        (entry["view"], frozenset(entry["has"])) for entry in knowledge.load("information_schema")["marks"]
    )


def view_of(heading: Iterable[object]) -> str | None:
    """The view that has these columns, `OTHER` for one that is known and not needed, None for
    something else.
    """
    names = {str(name).strip().upper() for name in heading}
    return next((view for view, has in _marks() if has <= names), None)


@cache
def _layouts() -> tuple[tuple[str, tuple[str, ...], tuple[tuple[int, frozenset[str]], ...]], ...]:
    return tuple(
        (
            entry["view"],
            tuple(entry["columns"]),
            tuple(
                (entry["columns"].index(name), frozenset(values))
                for name, values in (entry.get("only") or {}).items()
            ),
        )
        for entry in knowledge.load("information_schema")["layouts"]
    )


def layout_of(record: Sequence[object]) -> tuple[str, tuple[str, ...]] | None:
    """The view and heading of a dump without a heading, told by the number of fields and the values that some
    of them can have.
    """
    if len(record) == 2 and str(record[1]).lstrip().upper().startswith("CREATE "):
        return "SHOW_CREATE", ("Table", "Create Table")
    for view, columns, only in _layouts():
        if len(columns) == len(record) and all(record[at] in values for at, values in only):
            return view, columns
    return None


def is_heading(fields: Sequence[str]) -> bool:
    """Whether a record is a heading: a known view's names."""
    view = view_of(fields)
    return view is not None and all(field.strip() for field in fields)
