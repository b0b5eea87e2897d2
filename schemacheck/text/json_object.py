"""Objects of JSON that others wrote."""

from __future__ import annotations

from typing import Any


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """`object_pairs_hook`. Raises ValueError for a key that is there twice."""
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise ValueError(f"the key {name[:80]!r} is there twice in one object")
        made[name] = value
    return made
