"""Rows of information_schema.COLUMNS of one table; equal shapes and lists are read once."""

from __future__ import annotations

from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, maker
from schemacheck.inputs import key_rows
from schemacheck.inputs.column_row import BadRow, Shape, ordinal_of, shape, text_of
from schemacheck.model import Column, Key, Location, normal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemacheck.model import Server

#: Name, ordinal and shape.
Row = tuple[str, int, Shape]
#: Shapes and tables' lists of columns that a reader keeps at most.
_SHAPES, _LISTS = 250_000, 25_000


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A table's columns by ordinal. `gaps`: ordinals missing (positive) or twice (negative); `keyed`: columns
    with COLUMN_KEY; `keys` what it tells; `twice`: two of one name; `expressions`: some may be.
    """

    columns: tuple[Column, ...]
    gaps: list[int]
    keyed: Sequence[tuple[str, str]]
    keys: tuple[Key, ...]
    primary: bool
    twice: bool
    expressions: bool


class ColumnReader:
    """Reads a row's values from COLUMN_NAME on, and puts a table's rows together."""

    def __init__(self, names: tuple[str, ...], server: Server, file: str, *, null_is_word: bool) -> None:
        # COLUMN_NAME, ORDINAL_POSITION, then any others of WANTED.
        self._names = names[2:]
        self._server = server
        self._file = file
        self._null_is_word = null_is_word
        self._make = maker(Column)
        #: What is known by now: shapes by the values behind the ordinal, ordinals by how they are written.
        self.shapes: dict[tuple[object, ...], Shape] = {}
        self.ordinals: dict[object, int] = {}
        self._places: dict[int, Location] = {}
        self._lists: dict[tuple[tuple[object, ...], ...], Columns] = {}

    def row(self, values: tuple[object, ...]) -> Row:
        """A row of these values. Raises BadRow, and TypeError for a value that is a list or mapping."""
        hash(values)
        name = text_of(values[0])
        if name is None and self._null_is_word:
            name = "NULL"
        if not name:
            raise BadRow(f"COLUMN_NAME is {'NULL' if name is None else 'empty'}")
        result = self.shape(values[2:])
        return name, self.ordinal(values[1]), result

    def ordinal(self, value: object) -> int:
        """ORDINAL_POSITION. Raises BadRow."""
        ordinal = self.ordinals.get(value)
        if ordinal is None:
            ordinal = self.ordinals[value] = ordinal_of(value)
        return ordinal

    def shape(self, rest: tuple[object, ...]) -> Shape:
        """What a row says behind its ordinal. Raises BadRow."""
        current = self.shapes.get(rest)
        if current is None:
            if len(self.shapes) > _SHAPES:
                self.shapes.clear()
            row = dict(zip(self._names, rest, strict=True))
            current = self.shapes[rest] = shape(row, self._server, null_is_word=self._null_is_word)
        return current

    def columns(self, draft: Draft) -> Columns:
        """What a table's rows come to. Equal rows share one value (but made ones)."""
        names, ordinals, shapes = tuple(draft.names), tuple(draft.ordinals), tuple(draft.shapes)
        if draft.made:
            return _put_together(names, ordinals, shapes, draft.made)
        given = (names, ordinals, shapes)
        columns = self._lists.get(given)
        if columns is None:
            if len(self._lists) > _LISTS:
                self._lists.clear()
            make, places, place = self._make, self._places, self._place
            made = [
                make(
                    name, item.type, item.nullable, item.default, item.on_update, item.auto_increment,
                    item.generated, item.expression, item.invisible, places.get(ordinal) or place(ordinal),
                    item.attributes,
                )
                for name, ordinal, item in zip(names, ordinals, shapes, strict=True)
            ]  # fmt: skip
            columns = self._lists[given] = _put_together(names, ordinals, shapes, made)
        return columns

    def column(self, name: str, ordinal: int, entry: Shape) -> Column:
        """The column of a row."""
        return self._make(
            name, entry.type, entry.nullable, entry.default, entry.on_update, entry.auto_increment,
            entry.generated,
            entry.expression, entry.invisible, self._places.get(ordinal) or self._place(ordinal),
            entry.attributes,
        )  # fmt: skip

    def _place(self, ordinal: int) -> Location:
        """Where a row with this ordinal is."""
        place = self._places[ordinal] = Location(self._file, ordinal=ordinal)
        return place


class Draft:
    """A table while rows come in: its columns' names, ordinals, shapes, the first line."""

    __slots__ = ("bad", "line", "made", "names", "ordinals", "reader", "shapes")

    def __init__(self, reader: ColumnReader, line: int | None) -> None:
        self.reader = reader
        self.line = line
        self.names: list[str] = []
        self.ordinals: list[int] = []
        self.shapes: list[Shape] = []
        #: The columns themselves where somebody has them all; empty otherwise.
        self.made: Sequence[Column] = ()
        self.bad = False

    def add(self, row: Row) -> None:
        """One more row."""
        self.names.append(row[0])
        self.ordinals.append(row[1])
        self.shapes.append(row[2])

    def columns(self) -> Columns:
        """What the rows come to."""
        return self.reader.columns(self)


def _put_together(
    names: tuple[str, ...], ordinals: tuple[int, ...], shapes: tuple[Shape, ...], made: Sequence[Column]
) -> Columns:
    gaps: list[int] = []
    if ordinals != (whole := tuple(range(1, len(names) + 1))):
        every = sorted(zip(ordinals, names, shapes, made, strict=True), key=itemgetter(0))
        ordinals, names, shapes, made = zip(*every, strict=True)
        gaps = [] if ordinals == whole else _gaps(ordinals)
    listed = [(name, item.key) for name, item in zip(names, shapes, strict=True) if item.key]
    return Columns(
        tuple(made),
        gaps,
        listed,
        normal.keys(key_rows.primary_from_columns(listed)) if listed else (),
        any(key == "PRI" for _, key in listed),
        len(set(map(str.lower, names))) < len(names),
        any([item.has_expression for item in shapes]),  # noqa: C419 a list is twice as fast
    )


def _gaps(ordinals: Sequence[int]) -> list[int]:
    """The ordinals, which ascend, that come twice, as negative numbers; else those that are missing."""
    twice = sorted({-n for before, n in pairwise(ordinals) if before == n})
    present = set(ordinals)
    return twice or [n for n in range(1, min(ordinals[-1], 4096) + 1) if n not in present]
