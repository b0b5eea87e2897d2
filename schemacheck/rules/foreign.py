"""Foreign keys compared by what they do."""

from __future__ import annotations

from schemacheck.model import ForeignKey


def same_reference(one: ForeignKey, other: ForeignKey) -> bool:
    """Whether two foreign keys bind the same columns with the same actions."""
    return (
        tuple(c.casefold() for c in one.columns) == tuple(c.casefold() for c in other.columns)
        and one.ref_table == other.ref_table
        and tuple(c.casefold() for c in one.ref_columns) == tuple(c.casefold() for c in other.ref_columns)
        and (one.on_delete, one.on_update) == (other.on_delete, other.on_update)
    )


def described(key: ForeignKey) -> str:
    """`(b) -> p (id)`."""
    actions = "".join(
        f" ON {word} {action}" for word, action in (("DELETE", key.on_delete), ("UPDATE", key.on_update)) if action not in ("RESTRICT", "NO ACTION")
    )
    return f"({', '.join(key.columns)}) -> {key.ref_table} ({', '.join(key.ref_columns)}){actions}"
