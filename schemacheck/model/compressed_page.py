"""The pages of InnoDB's compressed tables."""

from __future__ import annotations

from schemacheck.model.table import Table


def size(row_format: str | None, block: str) -> int | None:
    """Bytes of the compressed pages of a table with this KEY_BLOCK_SIZE ('0': none is named); None: they are
    not compressed, or as long as others (16 kB). `row_format` is upper case.
    """
    if row_format not in (None, "", "DEFAULT", "COMPRESSED"):
        return None
    if block in ("1", "2", "4", "8"):
        return int(block) * 1024
    return 8192 if row_format == "COMPRESSED" and block == "0" else None


def of_table(table: Table) -> int | None:
    """`size` for an InnoDB table; None for those of other engines."""
    if (table.engine or "InnoDB").upper() != "INNODB" or not (table.options or table.row_format):
        return None
    blocks = (value for name, value in table.options if name.upper() == "KEY_BLOCK_SIZE")
    return size((table.row_format or "").upper(), next(blocks, "0"))
