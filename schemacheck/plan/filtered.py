"""Statements of a change that filters keep from a replica, though the rows of their tables arrive."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.dataclass import replace
from schemacheck.engine.pairing import Router
from schemacheck.filters.decision import Outcome
from schemacheck.filters.evaluate import Evaluator
from schemacheck.model import Link, Schema
from schemacheck.model.filters import FilterSet
from schemacheck.plan.change import Statement
from schemacheck.plan.decide import differs
from schemacheck.plan.difference import Name, script
from schemacheck.plan.model import Action
from schemacheck.replay.change import replay

KEPT_OUT = (
    "the filters keep this statement, or another one of this table, from the replica: only the source would "
    "change"
)


def parted(given: Statement, link: Link, filters: FilterSet | None) -> tuple[str, str]:
    """(why rows no longer arrive, or only arrive from then on, behind a statement; why it does not reach the
    rows of the replica). '' where the filters take it as they take the rows (asked of 9.7, 5.6 and 10.11: the
    replica renames its tables, and passes over the rows).
    """
    if filters is None or filters.empty:
        return "", ""
    router = Router(link, filters)

    def why(name: Name) -> str:
        return router.route(*name).kept_out

    for old, new in given.moves:
        before, behind = why(old), why(new)
        if bool(before) != bool(behind):
            text = "out under the new name" if behind else "out under the old name, and not under the new one"
            return (
                f"the filters keep the rows of {old[1]} {text}, {new[1]} ({before or behind}): both ends "
                "would no longer hold the same"
            ), ""
    if any(t.action is Action.DATA and not why(t.name) for t in given.touched):
        # Lists of domains take a session's statements as they take its rows.
        filters = replace(filters, do_domain_ids=(), ignore_domain_ids=())
        decision = Evaluator.of(filters, link).decide(given.sql, default_database=given.database)
        if decision.outcome is not Outcome.EXECUTED:
            return "", f"the filters keep this statement from the replica, not the rows: {decision.rule}"
    return "", ""


def kept_out(
    statements: Sequence[Statement], base: tuple[Schema, Schema], link: Link, filters: FilterSet | None
) -> frozenset[Name]:
    """The tables that the replica has otherwise after the change because of the filters. `base` are the
    definitions of both ends before it. Empty without filters.
    """
    if filters is None or filters.empty:
        return frozenset()
    link = Link(link.source, link.replica)
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
