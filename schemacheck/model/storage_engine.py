"""What is known of storage engines, from rules/engines.yaml."""

from __future__ import annotations

from functools import lru_cache

from schemacheck import knowledge


def is_recorded(engine: str) -> bool:
    """Whether it is known what becomes of the rows that a table in this engine is given."""
    return engine.upper() in _listed("keep_rows") | _listed("recorded")


def lies_elsewhere(engine: str | None) -> bool:
    """Whether rows of this engine are stored outside of the server, where another may write them too."""
    return engine is not None and engine.upper() in _listed("elsewhere")


@lru_cache(maxsize=256)
def is_doubtful(engine: str | None) -> bool:
    """Whether even equal tables in this engine may differ; MEMORY has a rule of its own."""
    return bool(engine) and (not is_recorded(str(engine)) or str(engine).upper() == "MEMORY")


@lru_cache(maxsize=64)
def _listed(name: str) -> frozenset[str]:
    return frozenset(item.upper() for item in knowledge.load("engines")[name])
