"""System versioning of MariaDB: the columns that are rows' start and end (asked of 10.11 and 11.8)."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import WITHOUT_VERSIONS, Column
from schemacheck.sql.ddl.draft import KeyDraft, PartDraft, TableDraft
from schemacheck.sql.lexer import Refused

_STAMP = ColumnType("timestamp", 6, text="timestamp(6)")
#: The columns of a table that names none of its own: hidden, so that no key may name them.
_HIDDEN = (("row_start", "row start"), ("row_end", "row end"))
_WORDS = tuple(word for _, word in _HIDDEN)


def columns(draft: TableDraft, made: Sequence[Column], keys: Sequence[KeyDraft]) -> list[Column]:
    """The columns that the server adds to a table WITH SYSTEM VERSIONING. Raises Refused."""
    if not draft.options.system_versioned or any(column.expression in _WORDS for column in made):
        return []
    names = {column.name.casefold() for column in made}
    for name, _ in _HIDDEN:
        if name in names:
            raise Refused(f"column {name!r} is defined twice", draft.name_at, 1060, name=name)
    named = {(part.column or "").casefold() for key in keys for part in key.parts}
    for name, _ in _HIDDEN:
        if name in named:
            why = f"key column {name!r} does not exist"
            raise Refused(why, draft.name_at, 1072, name=name)
    return [
        Column(name, _STAMP, nullable=False, generated="stored", expression=word, invisible=True)
        for name, word in _HIDDEN
    ]


def put_row_end(keys: list[KeyDraft], columns: list[Column], *, versioned: bool) -> None:
    """Unique keys of a system-versioned table end with a row end that is written (recorded on MariaDB)."""
    if not versioned:
        return
    end = next((column.name for column in columns if column.expression == "row end"), None)
    if end is None:
        return
    for key in keys:
        named = [(part.column or "").casefold() for part in key.parts]
        if key.kind in ("primary", "unique") and end.casefold() not in named:
            key.parts.append(PartDraft(end, of_period=True))


def check(draft: TableDraft, columns: Sequence[Column]) -> None:
    """Refuse columns of system versioning of another form than those that are known."""
    starts = [column for column in columns if column.expression == "row start"]
    ends = [column for column in columns if column.expression == "row end"]
    versioned, period = draft.options.system_versioned, draft.period
    if not (starts or ends or versioned or period):
        return
    own = [column for column in columns if column.expression not in _WORDS]
    written = {column.row_period for column in draft.columns if column.row_period}
    listed = (starts[0].name.casefold(), ends[0].name.casefold()) if starts and ends else None
    if (
        not versioned
        or len(starts) != 1
        or len(ends) != 1
        or not (draft.altered or any(WITHOUT_VERSIONS not in column.attributes for column in own))
        or (period is not None and (tuple(map(str.casefold, period)) != listed or not written))
        or (period is None and len(written) > (1 if draft.altered else 0))
        or any((column.type.base, column.type.fraction) != ("timestamp", 6) for column in (*starts, *ends))
    ):
        raise Refused("what a server makes of these rows' starts and ends is not known", draft.name_at)
