"""The smallest slave_type_conversions under which a table, or all of them, replicate unchanged."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from schemacheck.alignment.pair import Pair
from schemacheck.alignment.terms import MOST_JUDGED
from schemacheck.conversion import Kind, What
from schemacheck.conversion.setting import candidates, effects
from schemacheck.model import ColumnType, Effect, Finding, Link, PairReport, Server, SmallestSetting

_EXACT, _UNCHANGED, _HARMLESS = Kind.EXACT, What.UNCHANGED, Effect.INCOMPLETE.rank


def smallest_setting(pair: Pair) -> SmallestSetting:
    """Try each candidate on the common columns; findings about anything else do not depend on the setting."""
    types: list[ColumnType] = []
    for _, _, here, there, kind, _, outcome, same in pair.differing:
        if not same or kind is not _EXACT or outcome.what is not _UNCHANGED:
            types += here.type, there.type
    if not types:
        return untouched(pair.link.replica)
    cache = pair.terms.smallest
    asked = tuple(map(id, types))
    result = cache.get(asked)
    if result is None:
        differing = tuple(dict.fromkeys(zip(types[::2], types[1::2], strict=True)))
        best, number, reason, outcomes = _smallest(differing, pair.link)
        if reason:
            # Equal types may have other display widths: what is kept by their value does not name them.
            ours, theirs = differing[number]
            reason = f"{ours.sql()} to {theirs.sql()}: {reason}"
        answer = SmallestSetting(best, reason, outcomes)
        if len(cache) >= MOST_JUDGED:
            cache.clear()
        result = cache[asked] = types, answer
    return result[1]


@lru_cache(maxsize=16384)
def _smallest(
    differing: tuple[tuple[ColumnType, ColumnType], ...], link: Link
) -> tuple[str | None, int, str, tuple[tuple[str, Effect], ...]]:
    """The answer for these conversions together: the setting, and where there is none the index of the one
    that stands in the way and why; the effect of each candidate.
    """
    tried = [effects(here, there, link) for here, there in differing]
    outcomes = []
    best: str | None = None
    last = (0, "")
    for index, modes in enumerate(candidates(link.replica)):
        ranks = [item[index][0].rank for item in tried]
        number = ranks.index(max(ranks))
        effect, reason = tried[number][index]
        outcomes.append((modes, effect))
        if effect <= Effect.COMPATIBLE and best is None:
            best = modes
        elif effect > Effect.COMPATIBLE:
            last = number, reason
    number, reason = last if best is None else (0, "")
    return best, number, reason, tuple(outcomes)


def untold(pair: Pair, findings: Iterable[Finding]) -> str:
    """Which column does not arrive as it was, though no rule tells it: a defect of ours. '' where none is."""
    named: set[str | None] = set()
    for _, _, here, _, kind, allowed, outcome, _ in pair.differing if pair.terms.logs_rows else ():
        if not allowed or outcome.what is not _UNCHANGED:
            named = named or {f.column for f in findings if f.effect.rank > _HARMLESS}
            if here.name not in named and None not in named:
                what = f"conversion is {kind.value}" if allowed else "conversion is not permitted"
                return f"column {here.name}: its {what}, and no rule says what becomes of its values"
    return ""


@lru_cache(maxsize=256)
def untouched(replica: Server) -> SmallestSetting:
    """The answer where no column's conversion depends on anything."""
    return SmallestSetting("", "", tuple((modes, Effect.IDENTICAL) for modes in candidates(replica)))


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
    reason = next((s.reason for s in given if s.modes is None), "the tables need different settings")
    return SmallestSetting(best, "" if best is not None else reason, tuple(totals.items()))
