"""What a rule's predicate is given: questions about the rows and writes that a finding is about.

An answer says by unit (row, write, statement) what was seen; None where nothing tells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from schemacheck.conversion import What
from schemacheck.conversion.affected import limits
from schemacheck.dataclass import replace
from schemacheck.evidence import measures
from schemacheck.evidence.measures import NONE, Seen
from schemacheck.evidence.statements import Log

if TYPE_CHECKING:
    from schemacheck.alignment.pair import Cell, Pair
    from schemacheck.evidence.given import Looked
    from schemacheck.model import Finding
    from schemacheck.profile.document import ColumnProfile, TableProfile

Answer = Mapping[str, Seen | None]
Measure = Callable[["ColumnProfile", "int | None"], "Seen | None"]
_NOTHING: Answer = {"row": None, "write": None}


class Ask:
    """Questions about one finding. `pair` is None where the finding's table has no counterpart."""

    def __init__(self, finding: Finding, pair: Pair | None, looked: Looked, log: Log) -> None:
        self.finding, self.pair, self._looked, self._log = finding, pair, looked, log

    @property
    def _sent(self) -> bool:
        """Whether every row that is there came as a row event with all its values: no statement, no partial
        image.
        """
        terms = self.pair.terms if self.pair else None
        return terms is None or not (terms.logs_statements or terms.partial_image)

    @property
    def cell(self) -> Cell | None:
        """The common column that the finding is about."""
        name = (self.finding.column or "").casefold()
        cells = self.pair.cells if self.pair else ()
        return next((cell for cell in cells if cell.source.name.casefold() == name), None)

    def changed(self, *, certain: bool = True) -> Answer:
        """Values of the column that arrive as others."""
        cell, beyond = self.cell, self._beyond
        if cell is None:
            return self.writes(certain=False)
        if beyond is None or cell.outcome.what is What.MISREAD:
            return self.filled(certain=certain and cell.outcome.what is What.MISREAD)
        return self.values(beyond, certain=certain, statements=False)

    def beyond(self) -> Answer:
        """Rows of today with values that the replica's column does not hold; None where that is not known."""
        return {**self.values(self._beyond), "write": None} if self._beyond else _NOTHING

    @property
    def _beyond(self) -> Measure | None:
        """How many values are beyond the limits of the replica's column; None where nothing tells these."""
        cell, pair = self.cell, self.pair
        if cell is None or pair is None:
            return None
        link = pair.link
        result = limits(cell.source.type, cell.replica.type, cell.kind, cell.outcome, link)
        return None if result is None else lambda c, rows: measures.changed(c, rows, cell, link, result)

    def full(self) -> Answer:
        """Rows of today with texts as long as the source's column, or the replica's."""
        types = [column.type for column in (self.cell.source, self.cell.replica)] if self.cell else []
        room = min((column_type.length for column_type in types if column_type.length), default=0)
        if len({column_type.charset for column_type in types if column_type.is_character}) != 1:
            return _NOTHING

        def at_end(column: ColumnProfile, _rows: int | None) -> Seen | None:
            most = column.longest_characters
            return None if most is None else Seen(1, least=True) if most >= room else NONE

        return {**self.values(at_end, certain=False), "write": None}

    def filled(self, *, certain: bool = True) -> Answer:
        """Values of the column that are not NULL."""
        return self.values(measures.filled, certain=certain)

    def nulls(self, *, certain: bool = True) -> Answer:
        """NULLs of the column."""
        return self.values(
            lambda column, _: None if column.nulls is None else Seen(column.nulls), certain=certain
        )

    def values(self, measure: Measure, *, certain: bool = True, statements: bool = True) -> Answer:
        """A measure of the column in rows and in writes. `statements`: whether their values matter, which are
        in no measure.
        """
        looked, name = self._looked, self.finding.column or ""
        writes = looked.writes
        whole = looked.whole_log and not (writes.statements and statements)
        row = _measured(looked.rows, name, measure, certain=certain and self._sent, whole=looked.whole_rows)
        write = NONE if whole and not writes.rows else None
        if looked.log:
            write = _measured(looked.log, name, measure, certain=certain, whole=whole)
        return {"row": row, "write": write}

    def later(self, moment: str) -> Answer:
        """Moments of the column (UTC) after this one."""

        def after(column: ColumnProfile, rows: int | None) -> Seen | None:
            if not isinstance(column.maximum, str):
                return NONE if measures.filled(column, rows) == NONE else None
            return Seen(1, least=True) if column.maximum > moment else NONE

        return self.values(after)

    def events(self, *, certain: bool | None = None) -> Answer:
        """Row events; where no log tells, rows that are there. `certain`: it happens to each of them
        (default: unless the finding depends on rows).
        """
        return self._logged(self._looked.writes.rows, certain)

    def writes(self, *, certain: bool | None = None) -> Answer:
        """The same of row events and logged statements."""
        writes = self._looked.writes
        return self._logged(writes.rows + writes.statements, certain)

    def _logged(self, count: int, certain: bool | None) -> Answer:
        certain = not self.finding.depends_on_rows if certain is None else certain
        if not self._looked.logged:
            return self.rows(certain=certain)
        return {**self._empty(), "write": _counted(count, self._looked.whole_log, certain=certain)}

    def rows(self, *, certain: bool = False) -> Answer:
        """Rows that are there."""
        looked = self._looked
        rows = looked.rows.rows if looked.rows else None
        if rows is None or (not rows and not looked.whole_rows):
            return _NOTHING
        return {"row": Seen(rows, certain=certain and self._sent), "write": None}

    def changes(self, *, certain: bool = True) -> Answer:
        """Rows that are updated or deleted; without a log only an empty table tells."""
        looked = self._looked
        if looked.logged:
            whole = looked.whole_log and not looked.writes.statements
            return {**self._empty(), "write": _counted(looked.writes.changes, whole, certain=certain)}
        return self._empty()

    def _empty(self) -> Answer:
        """Of a table without rows nothing happens to them; else nothing tells."""
        looked = self._looked
        empty = looked.rows is not None and looked.whole_rows and looked.rows.rows == 0
        return {"row": NONE if empty else None, "write": None}

    def duplicates(self) -> Answer:
        """Rows that are alike in the columns of the replica's key that the finding shows."""
        looked = self._looked
        parts = (self.finding.replica.text or "").partition("(")[2].removesuffix(")").split(", ")
        cells = [cell for cell in self.pair.cells if cell.replica.name in parts] if self.pair else []
        wanted = sorted(cell.source.name.casefold() for cell in cells)
        if len(wanted) == len(parts) and all(map(_kept, cells)):
            collations = {c.replica.type.collation for c in cells if c.replica.type.is_character}
            for alike in looked.rows.duplicates if looked.rows else ():
                if collations <= {alike.collation} and sorted(map(str.casefold, alike.key)) == wanted:
                    row = _counted(alike.rows, looked.whole_rows, certain=self._sent)
                    return {"row": row, "write": self._replaced(wanted)}
        return self._empty()

    def _replaced(self, columns: Sequence[str]) -> Seen | None:
        """Writes that put new values in the place of others, which the rows of today do not tell."""
        looked = self._looked
        rows = (looked.log.writes.changed_columns or {}) if looked.log and looked.log.writes else {}
        named = {name.casefold(): count for name, count in rows.items()}
        finding = replace(self.finding, statements=tuple(f"updates:{name}" for name in columns))
        logged = self._log.seen(finding, 0, certain=False) or NONE
        count = logged.number + max(named.get(name, 0) for name in columns)
        return Seen(count, certain=False) if count else None

    @staticmethod
    def both(first: Answer, second: Answer) -> Answer:
        """What needs one thing and another: absent where the second is, as far as the first is known."""
        seen_files, others = ([seen for seen in answer.values() if seen] for answer in (first, second))
        absent = others and not any(other.number for other in others)
        return second if absent and any(seen.number for seen in seen_files) else first

    @staticmethod
    def either(*answers: Answer) -> Answer:
        """What one of several answers saw; nothing is absent that one of them cannot tell."""
        is_known = all(any(answer.values()) for answer in answers)
        result: dict[str, Seen | None] = {}
        for unit in dict.fromkeys(unit for answer in answers for unit in answer):
            every = [answer[unit] for answer in answers if unit in answer]
            most = max((seen for seen in every if seen), key=lambda seen: seen.number, default=None)
            absent = is_known and None not in every
            result[unit] = most if absent or (most and most.number) else None
        return result

    def statements(self, *, certain: bool = False, marks: tuple[str, ...] | None = None) -> Answer:
        """Logged statements to which it happens, by these marks or the finding's."""
        finding = self.finding if marks is None else replace(self.finding, statements=marks)
        return {"statement": self._log.seen(finding, self._looked.writes.rows, certain=certain)}


def _kept(cell: Cell) -> bool:
    """Whether values, and NULLs, arrive as they are."""
    return cell.outcome.what is What.UNCHANGED and (cell.replica.nullable or not cell.source.nullable)


def _counted(count: int, whole: bool, *, certain: bool) -> Seen | None:
    return Seen(count, certain=certain) if count or whole else None


def _measured(
    table: TableProfile | None, name: str, measure: Measure, *, certain: bool, whole: bool
) -> Seen | None:
    """The measure of a column of a profile; that there is none is only believed of a whole one."""
    if table is None:
        return None
    column = next((c for n, c in table.columns.items() if n.casefold() == name.casefold()), None)
    seen = measure(column, table.rows) if column else None
    if seen is None or (not seen.number and not whole):
        return None
    return seen._replace(certain=seen.certain and certain)
