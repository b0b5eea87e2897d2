"""Statements of a log held against the marks of a finding: which of them it is about.

A mark is a feature of a statement (`ignore`, `limit`, ...), or `reads:COLUMN`, `writes:COLUMN`,
`updates:COLUMN` (not by an INSERT), `omits:COLUMN` (an INSERT that gives it no value), `calls:FUNCTION`.
A finding without marks is about every statement of its table; one with the mark `follows` is as the others of
its table are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.evidence.measures import Seen
from schemacheck.model import TableKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.evidence.given import Given
    from schemacheck.model import Finding, Report, Table
    from schemacheck.profile.document import StatementProfile

#: What a statement has that may do anything, as far as the profile tells.
_ANYTHING = frozenset(("unread", "calls"))
_UPDATES = frozenset(("update", "on-duplicate-key"))
_INSERTS = {"insert", "replace", "load"}


class Log:
    """The statements of all logs, on the tables of a report."""

    def __init__(self, given: Given, report: Report) -> None:
        self._given = given
        self._format = report.link.binlog_format
        ends = [(pair.source, pair.replica) for pair in report.pairs]
        tables = [one for both in ends for one in both if one is not None]
        #: Tables of which a statement touches no more than itself, without a trigger.
        self._plain = {one.name.casefold() for one in tables if one.kind is TableKind.TABLE}
        self._plain -= {
            one.name.casefold() for one in tables if one.triggers or one.kind is not TableKind.TABLE
        }
        self._next = {
            pair.table.casefold(): {*_next(pair.source), *_next(pair.replica)} for pair in report.pairs
        }

    def seen(self, finding: Finding, rows: int, *, certain: bool) -> Seen | None:
        """The statements that a finding is about; None where the log does not tell. `rows`: row events of its
        table, which no statement of another format tells anything about.
        """
        given = self._given
        about = finding.table.casefold()
        near = self._near(about)
        count, sure = 0, True
        for one in given.statements:
            names = {name.rpartition(".")[2].casefold() for name in one.tables}
            indirect = not names <= self._plain or one.calls is None or not _ANYTHING.isdisjoint(one.features)
            marks = finding.statements
            if about not in names:  # it reaches rows of this table by foreign keys, and names no column of it
                marks = tuple(mark for mark in marks if ":" not in mark) or (() if not marks else ("",))
            matches = _matches(one, marks) if names & near else False
            if indirect or matches is not False:
                count += one.count
                sure = sure and bool(matches) and not indirect and about in names
        told = "statement" in given.formats and (self._format == "MIXED" or not rows)
        if count or (given.logged and given.whole and told):
            return Seen(count, certain=certain and sure)
        return None

    def _near(self, name: str) -> set[str]:
        """The table, and all that foreign keys join with it."""
        found, new = {name}, {name}
        while new:
            new = {other for one in new for other in self._next.get(one, ())} - found
            found |= new
        return found


def _next(table: Table | None) -> Iterator[str]:
    """Tables that a foreign key of either joins with this one."""
    for key in (*table.foreign_keys, *table.incoming) if table else ():
        yield key.ref_table.casefold()


def _matches(statement: StatementProfile, marks: tuple[str, ...]) -> bool | None:
    """Whether a statement has one of the marks; None where the profile does not tell."""
    found = [_has(statement, mark) for mark in marks] or [True]
    return True if True in found else None if None in found else False


def _has(statement: StatementProfile, mark: str) -> bool | None:
    what, colon, name = mark.partition(":")
    if not colon:
        return mark in statement.features
    if what == "omits" and not _INSERTS & set(statement.features):
        return False
    if what == "updates" and _UPDATES.isdisjoint(statement.features):
        return False
    names = {"reads": statement.read, "calls": statement.calls}.get(what, statement.written)
    if names is None:
        return None
    named = name.casefold() in {one.casefold() for one in names}
    return named if what != "omits" else not named or "default" in statement.features
