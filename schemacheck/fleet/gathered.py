"""Rows of views become lines of their tables' definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat

from schemacheck.fleet.definition import FIELD, INCOMING, NULL, OWN, VIEWS, View
from schemacheck.fleet.dump_file import SIZES, ViewRows
from schemacheck.fleet.needs_engine import TESTED, row_needs_engine
from schemacheck.fleet.piece import Piece

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


class Gathered:
    """What is known of one table: its rows of COLUMNS (`block`), and lines of other views. `odd` says whether
    a row is odd (see Definition).
    """

    __slots__ = ("block", "lines", "n_bytes", "n_rows", "odd")

    def __init__(self, block: Piece | None = None) -> None:
        self.lines: list[str] = []
        self.block = block
        self.odd = block is not None and block.odd
        self.n_rows: int | None = None
        self.n_bytes: int | None = None


def of_view(tables: dict[Name, Gathered], view: View, rows: ViewRows) -> None:
    """Put a line for each row where it belongs, and TABLES' estimates."""
    named = (view.database, "TABLE_NAME", *view.order, *view.carried)
    tests = [name for name in TESTED.get(view.name, ()) if name in rows.heading]
    sizes = [name for name in SIZES if name in rows.heading] if view.name == "tables" else ()
    #: By all that is behind a row's names: its line, and whether it is odd.
    seen: dict[tuple[str, ...], tuple[str, bool]] = {}
    count = len(named) - 2
    numbers = [map(_number, column) for column in rows.columns(SIZES)] if sizes else [repeat(None)] * 3
    estimates = zip(*numbers, strict=False)
    names = zip(*rows.columns(named[:2]), strict=False)
    records = zip(names, rows.records((*named[2:], *tests)), estimates, strict=False)
    for name, behind, (n_rows, data, indexes) in records:
        known = seen.get(behind)
        if known is None:
            tested = list(zip(tests, behind[count:], strict=True))
            odd = bool(tests) and row_needs_engine(view.name, tested)
            known = seen[behind] = _line(view, (*name, *behind[:count])), odd
        gathered = tables.get(name) or _of(tables, name)
        gathered.lines.append(known[0])
        if known[1]:
            gathered.odd = True
        if sizes:
            gathered.n_rows = n_rows
            gathered.n_bytes = (data or 0) + (indexes or 0) if len(sizes) > 1 else None


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def of_mappings(tables: dict[Name, Gathered], view: View, rows: Iterable[Mapping[str, str]]) -> None:
    """The same of rows that were joined with others: only the engine can tell what they mean."""
    named = (view.database, "TABLE_NAME", *view.order, *view.carried)
    for row in rows:
        values = [row.get(name, NULL) for name in named]
        gathered = _of(tables, values)
        gathered.lines.append(_line(view, values))
        gathered.odd = True


def _of(tables: dict[Name, Gathered], values: Sequence[str]) -> Gathered:
    """What is known of the table whose database and name the values begin with."""
    database, table = values[:2]
    name = "" if database == NULL else database, "" if table == NULL else table
    gathered = tables.get(name)
    if gathered is None:
        gathered = tables[name] = Gathered()
    return gathered


def _line(view: View, values: Sequence[str]) -> str:
    """The line of a row: the letter, then what orders it, then what it carries."""
    database, _, *carried = values
    for at, column in _SPECIAL.get(view.name, ()):
        if column in _NUMBERS:
            carried[at] = carried[at].rjust(6, "0") if carried[at] != NULL else NULL
        elif carried[at] == database:
            carried[at] = OWN
    return view.letter + FIELD.join(carried)
