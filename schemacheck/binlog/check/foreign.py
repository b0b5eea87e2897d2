"""New foreign keys against the replica's tables: what they refer to must have a key for them."""

from __future__ import annotations

from collections.abc import Callable

from schemacheck.model import ForeignKey, KeyKind, KeyPart, Server, Table

_KEYS = (KeyKind.PRIMARY, KeyKind.UNIQUE, KeyKind.INDEX)


def unfit(
    table: Table, before: Table | None, find: Callable[[str, str], Table | None], server: Server
) -> tuple[ForeignKey, bool] | None:
    """The first new foreign key that has no key to refer to; whether that is certain. None where there is
    none.

    Before 8.4 and on MariaDB any key will do that begins with the columns; MySQL has since wanted a unique
    one of just these (restrict_fk_on_non_standard_key), so another one is not certain. Without
    foreign_key_checks a parent may be missing, and one without a key is refused still, with other errors
    (recorded on four servers).
    """
    if (table.engine or "InnoDB") != "InnoDB":
        return None
    checks = server.setting("foreign_key_checks").upper() not in ("OFF", "0")
    known = before.foreign_keys if before is not None else ()
    for one in table.foreign_keys:
        if one in known:
            continue
        parent = find(one.ref_database or table.database or "", one.ref_table)
        if parent is None and not checks:
            continue
        if parent is None:
            return one, False
        primary = parent.primary_key.parts if parent.primary_key else ()
        wanted = [name.casefold() for name in one.ref_columns] or _columns(primary)
        leading = [
            key for key in parent.keys if key.kind in _KEYS and _columns(key.parts[: len(wanted)]) == wanted
        ]
        if not leading:
            return one, checks and (parent.engine or "InnoDB") == "InnoDB"
        if (parent.engine or "InnoDB") != "InnoDB":
            return one, False
        if server.has("data-dictionary") and not any(
            key.unique and len(key.parts) == len(wanted) for key in leading
        ):
            return one, False
    return None


def _columns(parts: tuple[KeyPart, ...]) -> list[str]:
    """The columns that a key has whole, '' for a prefix or an expression."""
    return [(part.column or "").casefold() if part.length is None else "" for part in parts]
