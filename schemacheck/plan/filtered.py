"""Statements of a change that filters keep from a replica, though the rows of their tables arrive."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.binlog.check.change import replay
from schemacheck.model import Link, Schema
from schemacheck.model.filters import FilterSet
from schemacheck.pairing import Matcher
from schemacheck.plan.change import Statement
from schemacheck.plan.decide import differs
from schemacheck.plan.difference import Name, script
from schemacheck.plan.model import Action, TablePlan

KEPT_OUT = (
    "the filters keep this statement, or another one of this table, from the replica: only the source would "
    "change"
)


def moved(plan: TablePlan, links: Sequence[Link], filters: FilterSet | None) -> str:
    """Why rows no longer arrive, or arrive from then on, under a table's new name; '' where the filters take
    both names alike (asked of 9.7: the replica renames its table, and passes over the rows).
    """
    old, new = plan.old, plan.new
    if filters is None or filters.empty or plan.action is not Action.RENAME or old is None or new is None:
        return ""
    out = [Matcher([one], links[-1], filters).match(one).kept_out for one in (old, new)]
    if bool(out[0]) == bool(out[1]):
        return ""
    kept = "out under the new name" if out[1] else "out under the old name, and not under the new one"
    return f"the filters keep its rows {kept} ({out[0] or out[1]}): both ends would no longer hold the same"


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
