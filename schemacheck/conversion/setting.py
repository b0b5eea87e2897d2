"""All three questions at once: what one column does under a setting, and the settings worth trying."""

from __future__ import annotations

from functools import lru_cache

from schemacheck.conversion.classify import Kind, classify
from schemacheck.conversion.values import outcome
from schemacheck.conversion.values.outcome import Outcome, What
from schemacheck.model import ColumnType, Effect, Link, Server

_NEEDED = {Kind.NON_LOSSY: "ALL_NON_LOSSY", Kind.LOSSY: "ALL_LOSSY"}


def needed_mode(kind: Kind) -> str | None:
    """The word that slave_type_conversions must have, if one would help."""
    return _NEEDED.get(kind)


def permitted(kind: Kind, modes: frozenset[str], replica: Server) -> bool:
    """Whether a conversion of this kind is carried out under `modes` (`is_conversion_ok`).

    ALL_SIGNED and ALL_UNSIGNED permit nothing by themselves, but a replica that asks first
    whether the setting is empty sees it as not empty.
    """
    if kind in (Kind.EXACT, Kind.VARIANT):
        return True
    if kind in (Kind.IMPOSSIBLE, Kind.UNREADABLE):
        return False
    if kind is Kind.UNCHECKED:
        return bool(modes) or not replica.has("empty-setting-refuses-first")
    return _NEEDED[kind] in modes


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


def conversion(here: ColumnType, there: ColumnType, link: Link) -> tuple[Kind, Outcome | None]:
    """What lies between two columns, and what becomes of values; None where it is never carried out."""
    if here.is_integer and there.is_integer:
        # The one outcome that asks the setting (ALL_UNSIGNED); all others are worked out once for all
        # settings.
        return _conversion(here, there, link)
    return _conversion(here, there, link.with_modes("") if here != there else link)


@lru_cache(maxsize=65536)
def _conversion(here: ColumnType, there: ColumnType, link: Link) -> tuple[Kind, Outcome | None]:
    kind = classify(here, there, link.source, link.replica)
    return kind, None if kind in (Kind.IMPOSSIBLE, Kind.UNREADABLE) else outcome(here, there, kind, link)


@lru_cache(maxsize=65536)
def column_effect(here: ColumnType, there: ColumnType, link: Link) -> tuple[Effect, str, Outcome | None]:
    """The effect that one column has under the link's setting, why, and what becomes of values."""
    kind, out = conversion(here, there, link)
    return _effect(here, there, kind, out, allowed=permitted(kind, link.type_conversions, link.replica))


@lru_cache(maxsize=65536)
def effects(here: ColumnType, there: ColumnType, link: Link) -> tuple[tuple[Effect, str], ...]:
    """`column_effect` under each of `candidates`: the effect, and why."""
    result = []
    by_name: dict[tuple[bool, Outcome | None], tuple[Effect, str]] = {}
    for under, modes in _under_each(link):
        kind, out = conversion(here, there, under)
        allowed = permitted(kind, modes, link.replica)
        answer = by_name.get((allowed, out))
        if answer is None:
            answer = by_name[allowed, out] = _effect(here, there, kind, out, allowed=allowed)[:2]
        result.append(answer)
    return tuple(result)


@lru_cache(maxsize=1024)
def _under_each(link: Link) -> tuple[tuple[Link, frozenset[str]], ...]:
    """The link under each candidate, and the candidate's words."""
    every = [link.with_modes(modes) for modes in candidates(link.replica)]
    return tuple((under, under.type_conversions) for under in every)


def _effect(
    here: ColumnType, there: ColumnType, kind: Kind, out: Outcome | None, *, allowed: bool
) -> tuple[Effect, str, Outcome | None]:
    if kind is Kind.UNREADABLE:
        return Effect.STOPS, "the replica does not know the type", None
    if out is None or not allowed:
        return Effect.STOPS, "never convertible" if kind is Kind.IMPOSSIBLE else "not permitted", None
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
