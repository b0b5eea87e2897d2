"""The smallest slave_type_conversions under which a table, or all of them, replicate unchanged."""

from __future__ import annotations

from collections.abc import Iterable

from schemacheck.conversion import Kind, What, classify, outcome, permitted
from schemacheck.conversion.classify import unreadable
from schemacheck.conversion.wire import image
from schemacheck.model import Effect, Link, PairReport, Server, SmallestSetting, Table


def candidates(replica: Server) -> tuple[str, ...]:
    """Every setting that can make a difference on this server, smallest first."""
    plain = ("", "ALL_NON_LOSSY", "ALL_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY")
    if not replica.has("signedness-modes"):
        return plain
    return (*plain, *(f"{modes},ALL_UNSIGNED" for modes in plain[1:]))


def smallest_setting(source: Table, replica: Table, link: Link) -> SmallestSetting:
    """Try each candidate on the common columns; other findings do not depend on the setting."""
    from schemacheck.rules.pair import Pair

    outcomes = []
    best: str | None = None
    worst_reason = ""
    differing = [
        (c.source.type, c.replica.type) for c in Pair.of(source, replica, link).cells if c.source.type != c.replica.type or link.source != link.replica
    ]
    for modes in candidates(link.replica):
        tried = link.with_modes(modes)
        effect, reason = Effect.IDENTICAL, ""
        for here, there in differing:
            got, why = _column(here, there, tried)
            if got > effect:
                effect, reason = got, f"{here.sql()} to {there.sql()}: {why}"
        outcomes.append((modes, effect))
        if effect <= Effect.COMPATIBLE and best is None:
            best = modes
        if effect > Effect.COMPATIBLE:
            worst_reason = reason
    return SmallestSetting(best, "" if best is not None else worst_reason, tuple(outcomes))


def _column(here: object, there: object, link: Link) -> tuple[Effect, str]:
    from schemacheck.model import ColumnType

    assert isinstance(here, ColumnType)
    assert isinstance(there, ColumnType)
    if unreadable(image(here, link.source), link.replica):
        return Effect.STOPS, "the replica does not know the type"
    kind = classify(here, there, link.source, link.replica)
    if not permitted(kind, link.type_conversions, link.replica):
        return Effect.STOPS, "not permitted" if kind is not Kind.IMPOSSIBLE else "never convertible"
    out = outcome(here, there, kind, link)
    if not out.changed:
        return (Effect.IDENTICAL if here == there else Effect.COMPATIBLE), ""
    if out.what is What.MISREAD:
        return Effect.STOPS, out.note
    return (Effect.LOSSY if kind is Kind.LOSSY else Effect.DIVERGES), out.note


def smallest_of(pairs: Iterable[PairReport]) -> SmallestSetting | None:
    """The smallest setting for all pairs together."""
    given = [pair.smallest for pair in pairs if pair.smallest is not None]
    if not given:
        return None
    totals: dict[str, Effect] = {}
    for smallest in given:
        for modes, effect in smallest.outcomes:
            totals[modes] = max(totals.get(modes, Effect.IDENTICAL), effect)
    best = next((modes for modes, effect in totals.items() if effect <= Effect.COMPATIBLE), None)
    reason = next((s.reason for s in given if s.modes is None), "") or ("" if best is not None else "the tables need different settings")
    return SmallestSetting(best, "" if best is not None else reason, tuple(totals.items()))
