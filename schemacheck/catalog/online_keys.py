"""What an ALTER TABLE leaves as it was of keys and places: on it depends how a server carries it out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schemacheck.catalog import keyset
from schemacheck.model.table import Column, Key, KeyKind, Table
from schemacheck.sql.ddl import actions as parts
from schemacheck.sql.ddl.draft import KeyDraft

#: The longest VARCHAR of which keys were asked, in bytes, and that of a key of an older row format.
_LONG, _PREFIX = 2000, 767


def name_of(draft: object) -> str:
    """The name of an added key, folded; '' of anything else."""
    if not isinstance(draft, KeyDraft):
        return ""
    return "primary" if draft.kind == "primary" else (draft.name or "").casefold()


def is_another(draft: object, old: Table) -> bool:
    """Whether an added key has other columns than the one of its name."""
    key = next((one for one in old.keys if one.name.casefold() in (name_of(draft), "")), None)
    if key is None or not isinstance(draft, KeyDraft):
        return False
    columns = [(part.column or "").casefold() for part in draft.parts]
    return columns != [(part.column or "").casefold() for part in key.parts]


def comes_back(name: str, actions: Sequence[parts.Action], old: Table) -> bool:
    """Whether a key that is dropped is added again as it was."""
    key = next((one for one in old.keys if one.name.casefold() == name), None)
    draft = next(
        (one.draft for one in actions if isinstance(one, parts.Add) and name_of(one.draft) == name), None
    )
    if key is None or not isinstance(draft, KeyDraft) or key.attributes or draft.attributes:
        return False
    parts_of = [((one.column or "").casefold(), one.length, one.descending) for one in key.parts]
    again = [((one.column or "").casefold(), one.length, one.descending) for one in draft.parts]
    return key.kind.value == draft.kind and parts_of == again and key.visible == draft.visible


def stays_in_place(old: Table, new: Table | None, name: str, called: str) -> bool:
    """Whether FIRST or AFTER leaves the column where it is."""
    before = [one.name.casefold() for one in old.columns]
    after = [one.name.casefold() for one in new.columns] if new is not None else []
    there = called.casefold()
    return before == [name.casefold() if one == there else one for one in after]


def stays_short(made: Column | None, old: Table) -> bool:
    """Whether a longer VARCHAR leaves its keys as they are."""
    if made is None:
        return False
    dynamic = (old.row_format or "DYNAMIC").upper() == "DYNAMIC"
    return made.type.max_bytes <= (_LONG if dynamic else _PREFIX)


def recollated(old: Table, name: str) -> str:
    """The kind of a change of a column's collation alone, by its keys; '?' for what nobody asked."""
    lengths = [
        part.length
        for key in old.keys
        for part in key.parts
        if (part.column or "").casefold() == name.casefold()
    ]
    if not lengths:
        return "recollate"
    column = old.column(name)
    # Without a primary key a unique one may keep the rows in order.
    ordering = [one for one in old.keys if one is old.primary_key or (one.unique and not old.primary_key)]
    if any((part.column or "").casefold() == name.casefold() for one in ordering for part in one.parts):
        return "?"
    if column is not None and column.type.base in ("char", "varchar"):
        return "recollate-keyed" if not any(lengths) else "?"
    return "recollate-prefixed"


def clustered(table: Table | None) -> Key | None:
    """The key that keeps the rows in order: the primary one, else the first unique one of whole columns that
    are NOT NULL (`is_candidate_key`).
    """
    if table is None:
        return None
    return keyset.serving(table.keys, _by_name(table), table.key_order)


def _by_name(table: Table) -> dict[str, Column]:
    return {one.name.casefold(): one for one in table.columns}


def _is_whole(name: str | None, length: int | None, table: Table) -> bool:
    column = table.column(name or "")
    return column is not None and length is None and not column.nullable


def unique_added(draft: KeyDraft, old: Table, new: Table | None) -> str:
    """The kind of a UNIQUE key that is added: the first that may order the rows of a table without another
    is as a primary one. '?' for what nobody asked.
    """
    if new is None:
        return "?"
    orders = all(_is_whole(part.column, part.length, new) for part in draft.parts)
    if not orders or old.primary_key is not None or new.primary_key is not None:
        return "add-unique"
    before = clustered(old)
    if before is None:
        return "add-primary"
    return "add-unique" if any(one.name == before.name for one in new.keys) else "replace-primary"


def lost(key: Key, old: Table, new: Table | None, *, mariadb: bool) -> str:
    """The kind of a key's loss: of the one that orders the rows MariaDB takes the next one in its place."""
    if key is not clustered(old):
        return "drop-index"
    ordered = clustered(new)
    if mariadb and ordered is not None:
        return "drop-index" if _columns(ordered) == _columns(key) else "replace-primary"
    fresh = ordered is not None and (
        all(one.name != ordered.name for one in old.keys) or ordered.kind is key.kind is KeyKind.PRIMARY
    )
    return "replace-primary" if fresh else "drop-primary"


def _columns(key: Key) -> list[str]:
    return [(part.column or "").casefold() for part in key.parts]


def is_ordered_so(draft: KeyDraft, old: Table) -> bool:
    """Whether the columns of a key that is added order the rows already: MariaDB makes nothing new of it."""
    before = clustered(old)
    return before is not None and _columns(before) == [(part.column or "").casefold() for part in draft.parts]


def reorders(old: Table, new: Table | None, name: str) -> bool:
    """Whether a column that becomes NULL or NOT NULL may change which key orders the rows."""
    before, after = clustered(old), clustered(new)
    if old.primary_key is not None:
        return False
    if before is None or after is None:
        return before is not after
    return before.name != after.name or name.casefold() in _columns(before)


def narrowed(key: Key, old: Table, new: Table | None, *, mariadb: bool) -> Iterator[str]:
    """The kinds of what becomes of a key that loses a column, beside the loss of the column; '?' for what
    nobody asked.
    """
    left = next((one for one in new.keys if one.name == key.name), None) if new is not None else None
    before, after = clustered(old), clustered(new)
    if left is None or new is None:
        # Its other columns go, or the key is dropped by itself.
        if key is before:
            yield lost(key, old, new, mariadb=mariadb)
    elif key is before:
        columns = _by_name(new)
        others = any(keyset.may_serve(one, columns) for one in new.keys if one is not left)
        yield "replace-primary" if left is after and not others else "?"
    else:
        yield "add-primary" if before is None and left is after else "add-index"
