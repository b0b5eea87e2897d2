"""What MODIFY and CHANGE make of a column: on it depends how a server carries them out."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.catalog.rowsize import field_bytes
from schemacheck.dataclass import replace
from schemacheck.model.table import Column, Table

#: A kind that nobody asked.
_UNKNOWN = "?"
#: The most bytes of a VARCHAR whose length takes one byte.
_ONE_BYTE = 255
#: The most bytes of one that MariaDB makes longer than that at once (asked of 10.11 and 11.8).
_SHORT = 127
#: The longest VARCHAR of which keys were asked, in bytes, and that of a key of an older row format.
_LONG, _PREFIX = 2000, 767


def stays_in_place(old: Table, new: Table | None, name: str, called: str) -> bool:
    """Whether FIRST or AFTER leaves the column where it is."""
    before = [column.name.casefold() for column in old.columns]
    after = [column.name.casefold() for column in new.columns] if new is not None else []
    there = called.casefold()
    return before == [name.casefold() if text == there else text for text in after]


def stays_short(made: Column | None, old: Table) -> bool:
    """Whether a longer VARCHAR leaves its keys as they are."""
    if made is None:
        return False
    dynamic = (old.row_format or "DYNAMIC").upper() == "DYNAMIC"
    return made.type.max_bytes <= (_LONG if dynamic else _PREFIX)


def replaced(old: Column | None, new: Column | None, *, moved: bool) -> Iterator[str]:
    """The kinds of change that MODIFY and CHANGE are to a column; '?' for what nobody asked."""
    if old is None or new is None or old.generated or new.generated:
        yield _UNKNOWN
        return
    if old.auto_increment != new.auto_increment:
        yield "set-auto-increment" if new.auto_increment else _UNKNOWN
    if moved:
        yield "move-column"
    if old.type != new.type:
        yield _retyped(old, new)
    if old.nullable != new.nullable:
        yield "set-null" if new.nullable else "set-not-null"
    if old.default != new.default and old.nullable == new.nullable:
        yield "set-default"
    wider = old.type == new.type and old.type.display_width != new.type.display_width
    if old.on_update != new.on_update:
        yield "set-on-update"
    if wider:
        yield "set-width"
    if old.attributes != new.attributes:
        yield (
            "set-comment"
            if all(a.startswith("COMMENT ") for a in {*old.attributes, *new.attributes})
            else _UNKNOWN
        )
    if old.invisible != new.invisible:
        yield "set-invisible"
    if not moved and old == new and old.attributes == new.attributes:
        yield "set-default"


def _retyped(old: Column, new: Column) -> str:
    here, there = old.type, new.type
    same = (here.charset, here.collation) == (there.charset, there.collation)
    if here.is_varchar and there.is_varchar and same and here.charset and there.max_bytes > here.max_bytes:
        if not here.max_bytes <= _ONE_BYTE < there.max_bytes:
            return "widen-varchar"
        return "widen-short-varchar-past-255" if here.max_bytes <= _SHORT else "widen-varchar-past-255"
    if (
        here.base == there.base
        and here.members
        and same
        and there.members[: len(here.members)] == here.members
        and field_bytes(here) == field_bytes(there)
    ):
        return "append-member"
    recoded = here.charset == there.charset and here.collation != there.collation
    if (
        here.base == there.base
        and recoded
        and replace(there, collation=here.collation, text=here.text) == here
    ):
        return _UNKNOWN if here.members else "recollate"
    if (here.base == there.base and recoded) or {here.is_text, there.is_blob} == {True}:
        return _UNKNOWN
    return "change-type"
