"""System versioning of MariaDB: the columns that are rows' start and end (asked of 10.11 and 11.8)."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import WITHOUT_VERSIONS, Column
from schemacheck.sql.ddl.draft import KeyDraft, TableDraft
from schemacheck.sql.lexer import Refused

_STAMP = ColumnType("timestamp", 6, text="timestamp(6)")
#: The columns of a table that names none of its own: hidden, so that no key may name them.
_HIDDEN = (("row_start", "row start"), ("row_end", "row end"))
_WORDS = tuple(word for _, word in _HIDDEN)


def columns(draft: TableDraft, made: Sequence[Column], keys: Sequence[KeyDraft]) -> list[Column]:
    """The columns that the server adds to a table WITH SYSTEM VERSIONING. Raises Refused."""
    if not draft.options.system_versioned or any(column.expression in _WORDS for column in made):
        return []
    names = {column.name for column in made} | {part.column or "" for key in keys for part in key.parts}
    if not {name.casefold() for name in names}.isdisjoint(name for name, _ in _HIDDEN):
        raise Refused(
            "whether MariaDB adds row_start and row_end to these columns is not known", draft.name_at
        )
    return [
        Column(name, _STAMP, nullable=False, generated="stored", expression=word, invisible=True)
        for name, word in _HIDDEN
    ]


def check_keys(keys: Sequence[KeyDraft], columns: Sequence[Column], at: int) -> None:
    """Refuse a unique key without the end of the rows that the table names itself: MariaDB puts it there."""
    end = next((column.name.casefold() for column in columns if column.expression == "row end"), None)
    unique = [key for key in keys if key.kind in ("primary", "unique")] if end is not None else []
    if any(end not in [(part.column or "").casefold() for part in key.parts] for key in unique):
        raise Refused("what MariaDB makes of a unique key beside a period is not known", at)


def check(draft: TableDraft, columns: Sequence[Column]) -> None:
    """Refuse columns of system versioning of another form than those that are known."""
    starts = [column for column in columns if column.expression == "row start"]
    ends = [column for column in columns if column.expression == "row end"]
    versioned = draft.options.system_versioned
    if not (starts or ends or versioned):
        return
    own = [column for column in columns if column.expression not in _WORDS]
    plain = draft.altered or any(WITHOUT_VERSIONS not in column.attributes for column in own)
    if not (versioned and plain and len(starts) == len(ends) == 1):
        raise Refused("what a server makes of these rows' starts and ends is not known", draft.name_at)
