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
    if not draft.options.system_versioned or any(one.expression in _WORDS for one in made):
        return []
    known = {one.name.casefold() for one in made}
    for name, _ in _HIDDEN:
        if name in known:
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


def check(draft: TableDraft, columns: Sequence[Column], engine: str) -> None:
    """What a table's own columns of system versioning are, and its period. Raises Refused."""
    at, versioned = draft.name_at, draft.options.system_versioned
    starts = [column for column in columns if column.expression == "row start"]
    ends = [column for column in columns if column.expression == "row end"]
    for word, found in (("START", starts), ("END", ends)):
        if len(found) > 1:
            raise Refused(f"column {found[1].name!r} is a second ROW {word}", at, 4134)
    if (starts or ends) and not versioned:
        raise Refused("GENERATED ALWAYS AS ROW without WITH SYSTEM VERSIONING", at, 4125)
    period = next((ends for name, *ends in draft.periods if name.upper() == "SYSTEM_TIME"), None)
    if period is not None and not versioned:
        raise Refused("PERIOD FOR SYSTEM_TIME without WITH SYSTEM VERSIONING", at, 4125)
    if not versioned:
        return
    own = [column for column in columns if column.expression not in _WORDS]
    unversioned = not draft.altered and all(WITHOUT_VERSIONS in one.attributes for one in own)
    if unversioned or len(starts) != len(ends):
        raise Refused("the table has no versioned column", at, 4123)
    if any(column.row_period for column in draft.columns):
        if period is None and (not draft.altered or _both(draft)):
            raise Refused("PERIOD FOR SYSTEM_TIME is missing", at, 4125)
        _types(starts[0], ends[0], engine, at)
    if period is not None:
        if all(start.invisible and start.location is None for start in starts):
            raise Refused("the period has no AS ROW START", at, 4125)
        names = [starts[0].name.casefold(), ends[0].name.casefold()]
        if [one.casefold() for one in period] != names:
            why = f"PERIOD FOR SYSTEM_TIME is not of {starts[0].name!r} and {ends[0].name!r}"
            raise Refused(why, at, 4126)


def _both(draft: TableDraft) -> bool:
    """Whether the statement itself defines both ends."""
    return {column.row_period for column in draft.columns} >= {"START", "END"}


def _types(start: Column, end: Column, engine: str, at: int) -> None:
    """TIMESTAMP(6), or in InnoDB numbers of transactions; both ends alike."""
    numbers = engine == "InnoDB" and start.type.is_integer
    for one in (start, end):
        fits = one.type.base == "bigint" and one.type.unsigned if numbers else _is_stamp(one.type)
        if not fits:
            kind = "BIGINT(20) UNSIGNED" if numbers else "TIMESTAMP(6)"
            raise Refused(f"column {one.name!r} must be of type {kind}", at, 4110)
    if numbers:
        why = "what numbers of transactions as starts and ends of rows become on a replica is not known"
        raise Refused(why, at)


def _is_stamp(kind: ColumnType) -> bool:
    return kind.base == "timestamp" and kind.fraction == 6
