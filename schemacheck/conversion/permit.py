"""Second question: does the replica's setting permit the conversion?"""

from __future__ import annotations

from schemacheck.conversion.classify import Kind
from schemacheck.model import Server

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
