"""Definitions of tables, and how rows of views become lines of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat

from schemacheck.fleet.definition import FIELD, INCOMING, LINE, NULL, OWN, VIEWS, View, is_broken
from schemacheck.fleet.dump_file import SIZES, ViewRows
from schemacheck.fleet.needs_engine import TESTED, row_needs_engine
from schemacheck.fleet.piece import PRIMARY, Piece

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


class Definition:
    """One table's text (see definition.py). `block` are its columns, where it was made of rows, and
    `rest` is all else, made of `lines` of other views. `odd` says that only the engine can tell whether the
    rows make sense; `n_rows` and `n_bytes` are TABLES' estimates.
    """

    __slots__ = (
        "_signature", "_text", "block", "database", "lines", "n_bytes", "n_rows", "odd", "rest", "table"
    )  # fmt: skip

    def __init__(
        self,
        database: str,
        table: str,
        rest: str = "",
        odd: bool = True,
        n_rows: int | None = None,
        n_bytes: int | None = None,
        block: Piece | None = None,
    ) -> None:
        self.database, self.table, self.rest, self.odd = database, table, rest, odd
        self.n_rows, self.n_bytes, self.block = n_rows, n_bytes, block
        self.lines: list[str] = []
        self._text = self._signature = ""

    @property
    def text(self) -> str:
        """The whole text."""
        if self.block is None:
            return self.rest
        if not self._text:
            behind = LINE + self.rest[1:] if len(self.rest) > 1 else ""
            self._text = f"{self.rest[0]}{self.block.text}{behind}"
        return self._text

    @property
    def signature(self) -> str:
        """128 bits that stand for the text, in hexadecimal."""
        if not self._signature:
            block = self.block
            data = self.text.encode() if block is None else block.digest() + self.rest.encode()
            self._signature = hashlib.blake2b(data, digest_size=16).hexdigest()
        return self._signature

    def same_as(self, other: Definition) -> bool:
        """Whether the texts are equal. Columns that are one piece, since their rows were one text, are not
        looked at.
        """
        ours, theirs = self.block, other.block
        if ours is None or theirs is None:
            return self.text == other.text
        return self.rest == other.rest and ours.same_as(theirs)

    @property
    def is_broken(self) -> bool:
        """Whether the text says only why the table was not read."""
        return self.block is None and is_broken(self.rest)

    @property
    def behind(self) -> str:
        """The text without the lines of COLUMNS, as far as it has some."""
        return self.rest if self.block is None else LINE + self.rest[1:]

    @property
    def has_primary_key(self) -> bool:
        """Whether the rows say that the table has a primary key."""
        behind = self.behind
        if LINE + "S" in behind:
            return f"{LINE}SPRIMARY{FIELD}" in behind
        return self.block is not None and self.block.marks & PRIMARY != 0


def of_view(tables: dict[Name, Definition], view: View, rows: ViewRows) -> None:
    """Put a line for each row where it belongs, and TABLES' estimates."""
    named = (*view.order, *view.carried)
    tests = [(name, named.index(name)) for name in TESTED.get(view.name, ()) if name in rows.heading]
    sizes = [name for name in SIZES if name in rows.heading] if view.name == "tables" else ()
    #: By all that is behind a row's names: its line, and whether it is odd.
    seen: dict[tuple[str, ...], tuple[str, bool]] = {}
    estimates = [map(_number, column) for column in rows.columns(SIZES)] if sizes else [repeat(None)] * 3
    names = rows.records((view.database, "TABLE_NAME"))
    for name, behind, n_rows, data, indexes in zip(names, rows.records(named), *estimates, strict=False):
        known = seen.get(behind)
        if known is None:
            odd = row_needs_engine(view.name, [(test, behind[at]) for test, at in tests])
            known = seen[behind] = _line(view, (*name, *behind)), odd
        item = tables.get(name) or _of(tables, name)
        item.lines.append(known[0])
        item.odd |= known[1]
        if sizes:
            item.n_rows = n_rows
            item.n_bytes = (data or 0) + (indexes or 0) if len(sizes) > 1 else None


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def of_mappings(tables: dict[Name, Definition], view: View, rows: Iterable[Mapping[str, str]]) -> None:
    """The same of rows that were joined with others: only the engine can tell what they mean."""
    named = (view.database, "TABLE_NAME", *view.order, *view.carried)
    for row in rows:
        values = [row.get(name, NULL) for name in named]
        item = _of(tables, values)
        item.lines.append(_line(view, values))
        item.odd = True


def _of(tables: dict[Name, Definition], values: Sequence[str]) -> Definition:
    """What is known of the table whose database and name the values begin with."""
    database, table = values[:2]
    name = "" if database == NULL else database, "" if table == NULL else table
    return tables.get(name) or tables.setdefault(name, Definition(*name, odd=False))


def _line(view: View, values: Sequence[str]) -> str:
    """The line of a row: the letter, then what orders it, then what it carries."""
    database, _, *carried = values
    for at, column in _SPECIAL.get(view.name, ()):
        if column in _NUMBERS:
            carried[at] = carried[at].rjust(6, "0") if carried[at] != NULL else NULL
        elif carried[at] == database:
            carried[at] = OWN
    return view.letter + FIELD.join(carried)
