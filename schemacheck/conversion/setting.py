"""All three questions at once: what one column does under a setting, and the settings worth trying."""

from __future__ import annotations

from functools import lru_cache

from schemacheck.conversion.classify import Kind, classify
from schemacheck.conversion.permit import permitted
from schemacheck.conversion.values import outcome
from schemacheck.conversion.values.outcome import Outcome, What
from schemacheck.model import ColumnType, Effect, Link, Server


@lru_cache(maxsize=256)
def candidates(replica: Server) -> tuple[str, ...]:
    """Every setting that can make a difference on this server, smallest first.

    ALL_SIGNED is what holds without a word about signs, and both sign words together are as
    ALL_SIGNED (recorded on 5.6.24 and 9.7.4), so only ALL_UNSIGNED is tried beside the others.
    """
    plain = ("", "ALL_NON_LOSSY", "ALL_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY")
    if not replica.has("signedness-modes"):
        return plain
    return (*plain, *(f"{modes},ALL_UNSIGNED" for modes in plain[1:]))


def column_effect(here: ColumnType, there: ColumnType, link: Link) -> tuple[Effect, str, Outcome | None]:
    """The effect that one column has under the link's setting, why, and what becomes of values."""
    kind = classify(here, there, link.source, link.replica)
    if kind is Kind.UNREADABLE:
        return Effect.STOPS, "the replica does not know the type", None
    if not permitted(kind, link.type_conversions, link.replica):
        return Effect.STOPS, "never convertible" if kind is Kind.IMPOSSIBLE else "not permitted", None
    out = outcome(here, there, kind, link)
    if not out.changed:
        return (Effect.IDENTICAL if here == there else Effect.COMPATIBLE), "", out
    if out.what is What.MISREAD:
        return Effect.STOPS, out.note, out
    if out.what is What.REFUSED:
        return Effect.UNSUPPORTED, out.note, out
    return (Effect.LOSSY if kind is Kind.LOSSY else Effect.DIVERGES), out.note, out


@lru_cache(maxsize=65536)
def helping_setting(here: ColumnType, there: ColumnType, link: Link) -> str | None:
    """The smallest setting under which every value of this column arrives unchanged, or None."""
    for modes in candidates(link.replica):
        if column_effect(here, there, link.with_modes(modes))[0] <= Effect.COMPATIBLE:
            return modes
    return None
