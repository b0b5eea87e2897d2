"""Rows of views become lines of their tables' definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from schemacheck.dataclass import dataclass, field
from schemacheck.fleet.column_lines import Piece, Pieces
from schemacheck.fleet.definition import FIELD, INCOMING, NULL, OWN, VIEWS, View
from schemacheck.fleet.dump_file import SIZES, ViewRows
from schemacheck.fleet.needs_engine import TESTED, row_needs_engine

Name = tuple[str, str]
#: Numbers by which lines are ordered, and schemas that are a table's own most often.
_NUMBERS = ("ORDINAL_POSITION", "SEQ_IN_INDEX")
_SCHEMAS = ("REFERENCED_TABLE_SCHEMA", "CHILD_SCHEMA")
_SPECIAL = {
    view.name: [
        (n, name) for n, name in enumerate((*view.order, *view.carried)) if name in (*_NUMBERS, *_SCHEMAS)
    ]
    for view in (*VIEWS, INCOMING)
}


@dataclass(slots=True)
class Gathered:
    """What is known of one table: its lines, and how many rows of COLUMNS. `block` are those of COLUMNS where
    they stand together. `whole` says that these count their ordinals from 1 without a gap, `odd` whether a
    row is odd (see Definition).
    """

    lines: list[str] = field(default_factory=list)
    block: Piece | None = None
    columns: int = 0
    whole: bool = True
    odd: bool = False
    n_rows: int | None = None
    n_bytes: int | None = None

    def add(self, piece: Piece) -> None:
        """Rows of COLUMNS: the block where there are no others."""
        if self.columns or not piece.straight:
            for some in (self.block, piece):
                self.lines += some.lines() if some is not None else ()
            self.block = None
        else:
            self.block = piece
        self.columns += len(piece.names)
        self.whole = self.whole and piece.ordinals is None
        self.odd = self.odd or piece.odd


def of_pieces(tables: dict[Name, Gathered], pieces: Pieces) -> None:
    """Put rows of COLUMNS where they belong."""
    for name, piece in pieces:
        gathered = tables.get(name)
        if gathered is None:
            gathered = tables[name] = Gathered()
        gathered.add(piece)


def of_view(tables: dict[Name, Gathered], view: View, rows: ViewRows) -> None:
    """Put a line for each row where it belongs, and TABLES' estimates. Raises Misfit."""
    named = (view.database, "TABLE_NAME", *view.order, *view.carried)
    tests = [name for name in TESTED.get(view.name, ()) if name in rows.heading]
    sizes = SIZES if view.name == "tables" and not set(SIZES).isdisjoint(rows.heading) else ()
    n_sizes = sum(name in rows.heading for name in SIZES)
    #: By all that is behind a row's names and is no estimate: its line, and whether it is odd.
    seen: dict[tuple[str, ...], tuple[str, bool]] = {}
    count, end = len(named), len(named) + len(tests)
    for values in rows.records((*named, *tests, *sizes)):
        name = _name(values)
        gathered = tables.get(name)
        if gathered is None:
            gathered = tables[name] = Gathered()
        behind = values[2:end]
        known = seen.get(behind)
        if known is None:
            tested = list(zip(tests, values[count:end], strict=True))
            odd = bool(tests) and row_needs_engine(view.name, tested)
            known = seen[behind] = _line(view, values[:count]), odd
        gathered.lines.append(known[0])
        gathered.odd = gathered.odd or known[1]
        if sizes:
            n_rows, *n_bytes = [int(text) if text.isdecimal() else None for text in values[end:]]
            gathered.n_rows, gathered.n_bytes = n_rows, sum(filter(None, n_bytes)) if n_sizes > 1 else None


def of_mappings(tables: dict[Name, Gathered], view: View, rows: Iterable[Mapping[str, str]]) -> None:
    """The same of rows that were joined with others: only the engine can tell what they mean."""
    named = (view.database, "TABLE_NAME", *view.order, *view.carried)
    for row in rows:
        values = [row.get(name, NULL) for name in named]
        gathered = tables.setdefault(_name(values), Gathered())
        gathered.lines.append(_line(view, values))
        gathered.odd = True


def _name(values: Sequence[str]) -> Name:
    """Database and table, which the values begin with."""
    database, table = values[:2]
    return "" if database == NULL else database, "" if table == NULL else table


def _line(view: View, values: Sequence[str]) -> str:
    """The line of a row: the letter, then what orders it, then what it carries."""
    database, _, *carried = values
    for at, column in _SPECIAL.get(view.name, ()):
        if column in _NUMBERS:
            carried[at] = carried[at].rjust(6, "0") if carried[at] != NULL else NULL
        elif carried[at] == database:
            carried[at] = OWN
    return view.letter + FIELD.join(carried)


def ordinal(text: str) -> int:
    """ORDINAL_POSITION as a number, 0 for what is none."""
    return int(text) if text.isdecimal() and len(text) < _DIGITS else 0


#: Digits of a number that is no ordinal any more.
_DIGITS = 9
