"""A table whose columns have other types on the replica: what `check` says of rows of it, for one change."""

from __future__ import annotations

from schemacheck import engine
from schemacheck.dataclass import replace
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import ColumnType, Effect, Link, Table
from schemacheck.workload.state import Workload

_EVERY = "ALL_LOSSY,ALL_NON_LOSSY"
_CHANGE = "Define the columns alike"


def of_rows(work: Workload, mine: Table, theirs: Table | None) -> Outcome | None:
    """Whether row events of the table are converted: the error that stops every one of them, or that their
    values decide.
    """
    if theirs is None or _alike(mine, theirs):
        return None
    source = work.ends.source.with_told({"binlog_format": "ROW"})
    return _asked(mine, theirs, Link(source, work.server), rows=True)


def of_statement(work: Workload, mine: Table, theirs: Table | None) -> Outcome | None:
    """Whether a statement's values fit the replica's columns: not decided where a column holds less."""
    if theirs is None or _alike(mine, theirs):
        return None
    source = work.ends.source.with_told({"binlog_format": "ROW"})
    replica = work.server.with_told({"slave_type_conversions": _EVERY})
    found = _asked(mine, theirs, Link(source, replica), rows=False)
    return None if found is None else replace(found, kind=Kind.UNKNOWN, number=0)


def _asked(mine: Table, theirs: Table, link: Link, *, rows: bool) -> Outcome | None:
    findings = [one for one in engine.check_pair(mine, theirs, link).findings if one.column]
    for one in findings:
        if one.effect is Effect.STOPS and not one.depends_on_rows and one.error is not None and rows:
            return Outcome(Kind.SQL, one.code, one.error.number, one.message, _CHANGE)
    there = {column.name.casefold(): column.type for column in theirs.columns}
    types = {column.name: column.type for column in mine.columns}
    for one in findings:
        other = there.get(str(one.column).casefold())
        known = types.get(str(one.column))
        if not rows and known and other and {known.base, other.base} == {"json", "longtext"}:
            continue  # JSON of the two flavours; what a statement writes is JSON for both
        if one.effect > Effect.COMPATIBLE and known and other and _stored(known) != _stored(other):
            return Outcome(Kind.UNKNOWN, one.code, 0, f"values decide: {one.message}", _CHANGE)
    return None


def _alike(mine: Table, theirs: Table) -> bool:
    return [_stored(c.type) for c in mine.columns] == [_stored(c.type) for c in theirs.columns]


def _stored(kind: ColumnType) -> ColumnType:
    """The type without its collation."""
    return replace(kind, collation=None)
