"""Statements of a log held against the marks of a finding: which of them it is about.

A mark is a feature of a statement (`ignore`, `limit`, ...), or `reads:COLUMN`, `writes:COLUMN`,
`updates:COLUMN` (in rows that are there), `omits:COLUMN` (an INSERT that gives it no value, or DEFAULT),
`calls:FUNCTION`, `queries:TABLE`, or `limit:COLUMN,...` (not ordered by all of these). A finding without
marks is about every statement of its table; one with the mark `follows` is as the others of its table are.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from schemacheck.evidence.measures import Seen
from schemacheck.model import TableKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemacheck.evidence.given import Given
    from schemacheck.model import Finding, Report
    from schemacheck.profile.document import StatementProfile

#: What a statement has that may do anything, as far as the profile tells.
_ANYTHING = frozenset(("unread", "calls"))
_INSERTS = frozenset(("insert", "replace", "load"))


class Log:
    """The statements of all logs, on the tables of a report."""

    def __init__(self, given: Given, report: Report) -> None:
        self._given = given
        self._format = report.link.binlog_format
        tables = [
            table for pair in report.pairs for table in (pair.source, pair.replica) if table is not None
        ]
        #: Tables that foreign keys of either end join with a table.
        self._next: defaultdict[str, set[str]] = defaultdict(set)
        #: Tables of which a statement touches no more than itself: no views, no triggers.
        plain = {table.name.casefold() for table in tables}
        for table in tables:
            name = table.name.casefold()
            self._next[name] |= {key.ref_table.casefold() for key in (*table.foreign_keys, *table.incoming)}
            if table.triggers or table.kind is not TableKind.TABLE:
                plain.discard(name)
        #: Statements by table, and those that may do anything.
        self._of: dict[str, list[StatementProfile]] = {}
        self._indirect = []
        for statement in given.statements:
            names = {name.rpartition(".")[2].casefold() for name in statement.tables}
            if "definition" not in statement.features and (
                not names <= plain or statement.calls is None or not _ANYTHING.isdisjoint(statement.features)
            ):
                self._indirect.append(statement)
                continue
            for name in names:
                self._of.setdefault(name, []).append(statement)

    def seen(self, finding: Finding, rows: int, *, certain: bool) -> Seen | None:
        """The statements that a finding is about; None where the log does not tell. `rows`: row events of its
        table, which no statement of another format tells anything about.
        """
        about, marks = finding.table.casefold(), finding.statements
        own = {id(p): p for p in self._of.get(about, ())}
        # Others reach its rows by foreign keys, and name none of its columns but those of the keys.
        plain = tuple(mark for mark in marks if ":" not in mark or mark.startswith("updates:"))
        near = (p for name in self._near(about) for p in self._of.get(name, ()) if id(p) not in own)
        joined = {id(p): p for p in near if not marks or _matches(p, plain or ("",))}
        listed = [(p, _matches(p, marks)) for p in own.values()]
        hits = [p for p, matches in listed if matches is not False]
        count = sum(p.count for p in (*hits, *joined.values(), *self._indirect))
        sure = not joined and not self._indirect and all(matches is not None for _, matches in listed)
        given = self._given
        whole = "statement" in given.formats and (self._format == "MIXED" or not rows)
        if count or (given.whole and whole):
            return Seen(count, certain=certain and sure)
        return None

    def _near(self, name: str) -> set[str]:
        """The table, and all that foreign keys join with it."""
        result, new = {name}, {name}
        while new:
            new = {other for table in new for other in self._next[table]} - result
            result |= new
        return result


def _matches(statement: StatementProfile, marks: tuple[str, ...]) -> bool | None:
    """Whether a statement has one of the marks; None where the profile does not tell."""
    matches = [_has(statement, mark) for mark in marks] or [True]
    return True if True in matches else None if None in matches else False


def _has(statement: StatementProfile, mark: str) -> bool | None:
    if "definition" in statement.features:
        return None  # what it does to rows is not read
    what, colon, name = mark.partition(":")
    if not colon:
        return mark in statement.features
    if what == "limit":
        return what in statement.features and not {*name.split(",")} <= {*statement.ordered}
    if what == "omits" and _INSERTS.isdisjoint(statement.features) | ("default" in statement.features):
        return "default" in statement.features
    names = _NAMES[what](statement)
    if names is None:
        return None
    named = name.casefold() in {column.casefold() for column in names}
    return named is (what != "omits")


#: The names that a mark with a name asks for; None: not known.
_NAMES: dict[str, Callable[[StatementProfile], tuple[str, ...] | None]] = {
    "reads": lambda p: p.read,
    "calls": lambda p: p.calls,
    "omits": lambda p: p.inserted,
    "updates": lambda p: p.updated,
    "writes": lambda p: None if p.inserted is None or p.updated is None else (*p.inserted, *p.updated),
    "queries": lambda p: p.queried and tuple(name.rpartition(".")[2] for name in p.queried),
}
