"""Statements of a change that filters keep from a replica, though the rows of their tables arrive."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.binlog.check.change import replay
from schemacheck.model import Link, Schema
from schemacheck.model.filters import FilterSet
from schemacheck.plan.change import Statement
from schemacheck.plan.decide import differs
from schemacheck.plan.difference import Name, script

KEPT_OUT = (
    "the filters keep this statement, or another one of this table, from the replica: only the source would "
    "change"
)


def kept_out(
    statements: Sequence[Statement],
    base: tuple[Schema, Schema],
    links: Sequence[Link],
    filters: FilterSet | None,
) -> frozenset[Name]:
    """The tables that the last replica has otherwise after the change because of the filters. `base` are the
    definitions of the source and of that replica before it. Empty without filters.
    """
    if filters is None or filters.empty:
        return frozenset()
    link = Link(links[0].source, links[-1].replica)
    ways = [
        {
            (t.database, t.name): t
            for t in replay(*base, [("-", script(statements))], link, filters=given).replica.tables
        }
        for given in (None, filters)
    ]
    return frozenset(
        name for name in ways[0].keys() | ways[1].keys() if differs(ways[0].get(name), ways[1].get(name))
    )
