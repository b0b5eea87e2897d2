"""What an ALTER TABLE leaves as it was of keys and places: on it depends how a server carries it out."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.model.table import Column, Table
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
