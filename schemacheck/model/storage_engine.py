"""What is known of storage engines, from rules/engines.yaml."""

from __future__ import annotations

from functools import lru_cache

from schemacheck import knowledge
from schemacheck.model.table import Table


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


def page_size(row_format: str | None, block: str) -> int | None:
    """Bytes of the compressed pages of a table with this KEY_BLOCK_SIZE ('0': none is named); None: they are
    not compressed, or as long as others (16 kB). `row_format` is upper case.
    """
    if row_format not in (None, "", "DEFAULT", "COMPRESSED"):
        return None
    if block in ("1", "2", "4", "8"):
        return int(block) * 1024
    return 8192 if row_format == "COMPRESSED" and block == "0" else None


def compressed_page_size(table: Table) -> int | None:
    """`page_size` for an InnoDB table; None for those of other engines."""
    if (table.engine or "InnoDB").upper() != "INNODB" or not (table.options or table.row_format):
        return None
    blocks = (value for name, value in table.options if name.upper() == "KEY_BLOCK_SIZE")
    return page_size((table.row_format or "").upper(), next(blocks, "0"))
