"""Rows of COLUMNS as lines of definitions.

A table's rows stand together, and its counterpart's are most often the same text, which is read once, or
another in some lines, which are read alone. Behind name and ordinal rows repeat, whatever their table:
columns are compared by the numbers of such kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress, count
from operator import itemgetter, ne
from typing import TYPE_CHECKING

from schemacheck.fleet.definition import BY_NAME, FIELD, NULL
from schemacheck.fleet.dump_file import ViewRows, unescaped
from schemacheck.fleet.fields import Misfit, fits, joined, part, texts
from schemacheck.fleet.needs_engine import kind_needs_engine
from schemacheck.fleet.piece import DIGITS, ODD, STRANGE, UNCOUNTED, Kinds, Piece

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.fields import Numbers

#: How a heading begins: what names the table, then what differs from row to row.
_FIRST = ("TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION")
_VIEW = BY_NAME["columns"]
#: Lines with the same first three fields: a table's rows, as far as they stand together.
_BLOCK = re.compile(rb"([^\t\n]*\t[^\t\n]*\t[^\t\n]*\t).*+\n(?:\1.*+\n)*+")
#: Bytes of tables' rows, and rows behind name and ordinal, that are remembered at most; tables that are read
#: together.
_TEXTS, _KINDS, _TOGETHER = 8 << 20, 100_000, 4096


#: Pieces with the names of their tables, database first, as the file has them.
_Named = tuple[tuple[str, str], Piece]
Pieces = Sequence[_Named]


def read(every: Sequence[ViewRows]) -> Pieces:
    """The pieces of a view's rows, one for each table. Raises Misfit."""
    every = [_in_order(rows) for rows in every]
    pieces = [piece for rows in every for piece in _reader(rows.heading, rows.null).pieces(rows.data)]
    if _is_whole(pieces):
        return pieces
    headings = {(rows.heading, rows.null) for rows in every}
    if len(headings) > 1:
        raise Misfit
    lines = sorted((line for rows in every for line in rows.data.split(b"\n")[:-1]), key=_place)
    made = _reader(*headings.pop()).pieces(b"".join([line + b"\n" for line in lines]))
    if not _is_whole(made):
        raise Misfit
    return made


def _is_whole(pieces: Pieces) -> bool:
    """Whether each table is one piece, whose rows are in order."""
    return len({name for name, _ in pieces}) == len(pieces) and all(
        piece.ordinals is None or piece.ordinals == sorted(piece.ordinals) for _, piece in pieces
    )


def _last(text: bytes) -> list[bytes]:
    """What the last line begins with."""
    return text[text.rfind(b"\n", 0, -1) + 1 :].split(b"\t", len(_FIRST))[:-1]


def _place(line: bytes) -> tuple[bytes, bytes, int]:
    """What orders lines."""
    _, schema, table, _, ordinal, _ = line.split(b"\t", len(_FIRST))
    return schema, table, int(ordinal) if ordinal.isdigit() else 0


def _in_order(rows: ViewRows) -> ViewRows:
    """Rows whose heading begins as servers begin it."""
    if rows.heading[: len(_FIRST)] == _FIRST:
        return rows
    names = [*_FIRST[1:], *dict.fromkeys(name for name in rows.heading if name not in _FIRST)]
    pick = itemgetter(*map(rows.heading.index, names))
    every = [line.split("\t") for line in rows.data.decode().split("\n")[:-1]]
    if any(len(some) != len(rows.heading) for some in every):
        raise Misfit
    text = "".join(["def\t" + "\t".join(pick(some)) + "\n" for some in every])
    return ViewRows(rows.view, (_FIRST[0], *names), text.encode(), rows.null)


class _Seen:
    """Rows of a table when they were last read whole: what their lines begin with, and what came behind them
    in a file.
    """

    __slots__ = ("begin", "behind", "named", "text")

    def __init__(self, begin: bytes, text: bytes) -> None:
        self.begin, self.text = begin, text
        self.named: _Named | None = None
        self.behind: _Seen | None = None


class _Numbers(dict[str, int]):
    """By what stands behind an ordinal: the number of its kind."""

    def __init__(self, heading: tuple[str, ...], null: str) -> None:
        super().__init__()
        self.known, self._null = Kinds.now, null
        behind = heading[len(_FIRST) :]
        #: Where what a line carries stands behind the ordinal, as far as it is dumped.
        self._told = [behind.index(name) if name in behind else None for name in _VIEW.carried[1:]]

    def __missing__(self, row: str) -> int:
        values, null = row.split("\t"), self._null
        told = [NULL if at is None or values[at] == null else values[at] for at in self._told]
        raw = FIELD + FIELD.join(told)
        number = self[row] = self.known.number(unescaped(raw))
        self.known.marks[number] |= STRANGE * kind_needs_engine(raw)
        return number


class _Reader:
    """Files of one heading, and what of their rows is known."""

    def __init__(self, heading: tuple[str, ...], null: str) -> None:
        self._heading, self._null, self._width = heading, null, len(heading)
        #: (Another thread may begin anew.)
        self._seen = _Numbers(heading, null)
        #: By what lines begin with, those of late and those before.
        self._last: tuple[dict[bytes, _Seen], dict[bytes, _Seen]] = {}, {}
        self._first: _Seen | None = None
        self._size = 0

    def pieces(self, data: bytes) -> Pieces:
        """The pieces of rows. Raises Misfit."""
        if self._size > _TEXTS:
            # (Another thread may be at work with the old ones.)
            self._last, self._size = ({}, self._last[0]), 0
        if len(Kinds.now.texts) > _KINDS:
            Kinds.now = Kinds()
        if self._seen.known is not Kinds.now or len(self._seen) > _KINDS:
            self._seen = _Numbers(self._heading, self._null)
        (last, before), at, end = self._last, 0, len(data)
        pieces: list[_Named | None] = []
        new: list[tuple[int, _Seen]] = []
        expected, latest, blocks = self._first, None, None
        while at < end:
            # Files of linked servers have the same tables in the same order.
            if expected is not None and expected.named is not None and data.startswith(expected.text, at):
                behind = at + len(expected.text)
                if not data.startswith(expected.begin, behind):
                    pieces.append(expected.named)
                    at, latest, expected, blocks = behind, expected, expected.behind, None
                    continue
            blocks = blocks or _BLOCK.finditer(data, at)
            match = next(blocks, None)
            if match is None or match.start() != at:
                raise Misfit
            at, begin, text = match.end(), match[1], match[0]
            seen = last.get(begin) or before.get(begin)
            if seen is not None and seen.named is not None and seen.text == text:
                pieces.append(seen.named)
            elif seen is not None and (named := self._changed(seen, text)) is not None:
                pieces.append(named)
            else:
                seen = _Seen(begin, text)
                new.append((len(pieces), seen))
                pieces.append(None)
            if latest is None:
                self._first = seen
            else:
                latest.behind = seen
            latest, expected = seen, seen.behind
        if latest is not None:
            latest.behind = None
        for first in range(0, len(new), _TOGETHER):
            some = new[first : first + _TOGETHER]
            for (place, seen), named in zip(some, self._read([seen for _, seen in some]), strict=True):
                pieces[place] = seen.named = named
                last[seen.begin] = seen
                self._size += len(seen.text)
        return [piece for piece in pieces if piece is not None]

    def _changed(self, seen: _Seen, text: bytes) -> _Named | None:
        """Rows that are others in what stands behind the ordinals of some lines; None where all are to be
        read.
        """
        numbers, count_of = self._seen, len(_FIRST)
        if seen.named is None or text.count(b"\n") != len(seen.named[1]) or _last(seen.text) != _last(text):
            return None  # (Tables of other schemas have this one's name too.)
        if seen.named[1].known is not numbers.known:
            return None
        ours, theirs = seen.text.split(b"\n"), text.split(b"\n")
        changes = {}
        for place in compress(count(), map(ne, ours, theirs)):
            *begin, row = theirs[place].split(b"\t", count_of)
            if begin != ours[place].split(b"\t", count_of)[:-1]:
                return None
            text_of_row = row.decode()
            if text_of_row not in numbers and not fits(
                row, self._width - count_of, reserved=self._null == NULL
            ):
                return None
            changes[place] = numbers[text_of_row]
        piece = seen.named[1].with_kinds(changes)
        return None if piece is None else (seen.named[0], piece)

    def _read(self, new: Sequence[_Seen]) -> Iterator[_Named]:
        """The pieces of rows that are new. Raises Misfit."""
        import numpy as np

        known = self._seen
        blocks = [seen.text for seen in new]
        fields = part(b"".join(blocks), self._width, reserved=self._null == NULL)
        bounds = np.searchsorted(fields.begins, np.cumsum([0, *map(len, blocks)]))
        begins = bounds[:-1]
        rows = fields.between(len(_FIRST), self._width).dictionary_encode()
        kinds = np.array([*map(known.__getitem__, texts(rows.dictionary, "\n"))], np.int32)
        numbers = kinds[rows.indices.to_numpy()]
        marks = np.frombuffer(bytes(known.known.marks), np.uint8)[numbers]
        ordinals = fields.between(4, 5)
        if joined(ordinals)[0] != b"".join(map(_counted, np.diff(bounds).tolist())):
            ordinals, of_ordinals = _ordinals(ordinals, begins)
            marks |= of_ordinals
        names = fields.between(3, 4)
        marks |= ODD * self._no_names(names)
        of_pieces = np.bitwise_or.reduceat(marks, begins).tolist()
        text, ends = joined(names)
        text, escaped = text.replace(b"\t", FIELD.encode()), b"\\" in text
        every, cuts, places = numbers.tobytes(), ends[bounds].tolist(), bounds.tolist()
        for n, of_table in enumerate(new):
            first, end, mark = places[n], places[n + 1], of_pieces[n]
            columns, counted = text[cuts[n] : cuts[n + 1]], None
            if mark & ODD or escaped:
                columns = self._escaped(columns)
            if mark & UNCOUNTED:
                counted = ordinals[first:end].tolist()
            schema, table = of_table.begin.decode().split("\t")[1:3]
            name = self._name(schema), self._name(table)
            yield name, Piece(columns, every[4 * first : 4 * end], known.known, mark, counted)

    def _no_names(self, names: pa.BinaryArray) -> Numbers:
        """Which names are empty, or the word for null."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        none = pa.array([b"\t", f"{self._null}\t".encode()], pa.binary())
        result: Numbers = pc.is_in(names, none).to_numpy(zero_copy_only=False).astype(np.uint8)
        return result

    def _escaped(self, names: bytes) -> bytes:
        """Names as they are meant."""
        meant = [self._name(name) or NULL for name in names.decode().split(FIELD)[:-1]]
        return "".join([f"{name}{FIELD}" for name in meant]).encode()

    def _name(self, text: str) -> str:
        """A name; null is none."""
        return "" if text == self._null else unescaped(text) if "\\" in text else text


@lru_cache(maxsize=4096)
def _counted(columns: int) -> bytes:
    """The ordinals of so many columns, each with its sign."""
    return b"".join([b"%d\t" % ordinal for ordinal in range(1, columns + 1)])


def _ordinals(rows: pa.BinaryArray, begins: Numbers) -> tuple[Numbers, Numbers]:
    """The ordinals of lines, 0 for what is none, and marks of those that do not count."""
    import numpy as np

    rows = rows.dictionary_encode()
    values = texts(rows.dictionary, "\t")
    numbers = [int(text) if _is_ordinal(text) else 0 for text in values]
    odd = [ODD * (str(number) != text) for number, text in zip(numbers, values, strict=True)]
    at = rows.indices.to_numpy()
    ordinals, marks = np.array(numbers, np.int32)[at], np.array(odd, np.uint8)[at]
    wanted = np.append(np.int32(1), ordinals[:-1] + 1)
    wanted[begins] = 1
    marks[ordinals != wanted] |= UNCOUNTED
    return ordinals, marks


def _is_ordinal(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= DIGITS


@lru_cache(maxsize=8)
def _reader(heading: tuple[str, ...], null: str) -> _Reader:
    return _Reader(heading, null)
