"""What is known of storage engines, from rules/engines.yaml."""

from __future__ import annotations

from functools import cache

from schemacheck import knowledge


def keeps_rows(engine: str) -> bool:
    """Whether a table in this engine holds every row that it is given, also after a restart."""
    return engine.upper() in _listed("keep_rows")


def lies_elsewhere(engine: str | None) -> bool:
    """Whether rows of this engine are stored outside of the server, where another may write them too."""
    return engine is not None and engine.upper() in _listed("elsewhere")


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(one.upper() for one in knowledge.load("engines")[name])
