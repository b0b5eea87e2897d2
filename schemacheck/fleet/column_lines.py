"""Rows of COLUMNS as lines of definitions.

A table's rows stand together, and its counterpart's are most often the same text: each such text is read once
in a process. Behind a column's name and ordinal rows repeat too, whatever their table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, compress, count, pairwise
from operator import itemgetter, ne

from schemacheck.fleet.definition import BY_NAME, FIELD, LINE, NULL
from schemacheck.fleet.dump_file import Misfit, ViewRows, unescaped
from schemacheck.fleet.needs_engine import kind_needs_engine

#: How a heading begins: what names the table, then what differs from row to row.
_FIRST = ("TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION")
#: Lines with the same first three fields: a table's rows, as far as they stand together.
_BLOCK = re.compile(r"([^\t\n]*\t([^\t\n]*)\t([^\t\n]*)\t).*+\n(?:\1.*+\n)*+")
_VIEW = BY_NAME["columns"]
#: Characters of texts, and rows behind name and ordinal, that are remembered at most.
_TEXTS, _KINDS = 16 << 20, 100_000
_DIGITS = 6
_LETTER = _VIEW.letter
#: Ordinals as they are counted, and how the lines begin that have them.
_COUNT = tuple(map(str, range(1, 100)))
_HEADS = tuple(f"{LINE if text != '1' else ''}{_LETTER}{text:0>{_DIGITS}}{FIELD}" for text in _COUNT)


class Piece:
    """Rows of one table that stand together: their names, and of each what its line carries behind the name
    (`kinds`). `ordinals` are None where they count from 1 without a gap; `odd` says that only the engine can
    tell whether a row makes sense.
    """

    __slots__ = ("kinds", "names", "odd", "ordinals")

    def __init__(
        self, names: Sequence[str], kinds: Sequence[str], ordinals: Sequence[int] | None, *, odd: bool
    ) -> None:
        self.names, self.kinds, self.ordinals, self.odd = names, kinds, ordinals, odd

    @property
    def straight(self) -> bool:
        """Whether the lines ascend."""
        return self.ordinals is None or all(text < other for text, other in pairwise(self.lines()))

    @property
    def text(self) -> str:
        """The lines of a definition."""
        if self.ordinals is None and len(self.names) < len(_HEADS):
            # Most are so: one long string, no lines.
            return "".join(chain.from_iterable(zip(_HEADS, self.names, self.kinds, strict=False)))
        return LINE.join(self.lines())

    def digest(self) -> bytes:
        """Bytes that stand for the text."""
        if self.ordinals is not None:
            return self.text.encode()
        return b"".join([FIELD.join(self.names).encode(), *map(_digest, self.kinds)])

    def lines(self, places: Iterable[int] | None = None) -> list[str]:
        """All lines, or those of these places (from 0)."""
        ordinals = self.ordinals or range(1, len(self.names) + 1)
        every = range(len(self.names)) if places is None else places
        return [f"{_LETTER}{ordinals[n]:0>{_DIGITS}}{FIELD}{self.names[n]}{self.kinds[n]}" for n in every]

    def unlike(self, other: Piece) -> list[int] | None:
        """The places at which lines differ; None where the tables have not the same names at the same places,
        or ordinals do not count.
        """
        if self.names != other.names or self.ordinals is not None or other.ordinals is not None:
            return None
        return list(compress(count(), map(ne, self.kinds, other.kinds)))


@lru_cache(maxsize=_KINDS)
def _digest(kind: str) -> bytes:
    return blake2b(kind.encode(), digest_size=16).digest()


#: Pieces with the names of their tables, database first, as the file has them.
_Named = tuple[tuple[str, str], Piece]
Pieces = Sequence[_Named]
#: A table's rows as they were dumped, and what they are.
_Block = tuple[str, _Named]


def read(rows: ViewRows) -> Pieces:
    """The pieces of a view's rows, in their order. Raises Misfit."""
    rows = _in_order(rows)
    return _reader(rows.heading, rows.null, rows.escaped).pieces(rows.text)


def _in_order(rows: ViewRows) -> ViewRows:
    """Rows whose heading begins as servers begin it."""
    if rows.heading[: len(_FIRST)] == _FIRST:
        return rows
    names = [*_FIRST[1:], *dict.fromkeys(name for name in rows.heading if name not in _FIRST)]
    pick = itemgetter(*map(rows.heading.index, names))
    fields = [line.split("\t") for line in rows.text.split("\n")[:-1]]
    if any(len(some) != len(rows.heading) for some in fields):
        raise Misfit
    text = "".join(["def\t" + "\t".join(pick(some)) + "\n" for some in fields])
    return ViewRows(rows.view, (_FIRST[0], *names), text, rows.null, rows.escaped)


class _Reader:
    """Files of one heading, and what of their rows is known."""

    def __init__(self, heading: tuple[str, ...], null: str, escaped: bool) -> None:
        self._null, self._escaped = null, escaped
        behind = heading[len(_FIRST) :]
        self._width = len(behind)
        #: Where what a line carries stands behind the ordinal, as far as it is dumped.
        self._told = [(name, at) for at, name in enumerate(behind) if name in _VIEW.carried]
        #: What the rows of a table were when they were last seen, by what their lines begin with.
        self._last: dict[str, _Block] = {}
        self._size = 0
        #: Rows that are alike from behind the ordinal on: what of their lines is; and those of which only
        #: the engine can tell if they make sense. (One value: another thread may begin anew.)
        self._kinds: tuple[dict[str, str], set[str]] = ({}, set())

    def pieces(self, text: str) -> Pieces:
        """The pieces of a text. Raises Misfit."""
        if self._size > _TEXTS:
            # (Another thread may be at work with the old ones.)
            self._last, self._size = {}, 0
        if len(self._kinds[0]) > _KINDS:
            self._kinds = ({}, set())
        last = self._last
        pieces = []
        at = 0
        for match in _BLOCK.finditer(text):
            if match.start() != at:
                raise Misfit
            at = match.end()
            lines, prefix = match[0], match[1]
            block = last.get(prefix)
            if block is None or block[0] != lines:
                name = (self._name(match[2]), self._name(match[3]))
                block = last[prefix] = lines, (name, self._read(lines, prefix))
                self._size += len(lines)
            pieces.append(block[1])
        if at != len(text):
            raise Misfit
        return pieces

    def _name(self, text: str) -> str:
        """A name; null is none."""
        return "" if text == self._null else unescaped(text) if self._escaped else text

    def _read(self, lines: str, prefix: str) -> Piece:
        """The piece of lines that begin with this. Raises Misfit."""
        fields = [row.split("\t", 2) for row in lines[len(prefix) : -1].split("\n" + prefix)]
        try:
            names, ordinals, rests = zip(*fields, strict=True)
        except ValueError:
            raise Misfit from None
        kinds, strange = self._kinds
        try:
            texts = [kinds[rest] for rest in rests]
        except KeyError:
            texts = [kinds.get(rest) or self._learn(kinds, strange, rest) for rest in rests]
        odd = "" in names or self._null in names or not strange.isdisjoint(texts)
        if odd or (self._escaped and "\\" in lines):
            names = tuple([self._name(name) or NULL for name in names])
        if ordinals == _COUNT[: len(ordinals)]:
            return Piece(names, texts, None, odd=odd)
        numbers = [int(ordinal) if _is_ordinal(ordinal) else 0 for ordinal in ordinals]
        counted = None if numbers == list(range(1, len(numbers) + 1)) else numbers
        return Piece(names, texts, counted, odd=odd or max(map(len, ordinals)) > 2)

    def _learn(self, kinds: dict[str, str], strange: set[str], text: str) -> str:
        """What of a line is behind the ordinal. Raises Misfit."""
        fields = text.split("\t")
        if len(fields) != self._width:
            raise Misfit
        values = {name: NULL if fields[at] == self._null else fields[at] for name, at in self._told}
        raw = FIELD + FIELD.join([values.get(name, NULL) for name in _VIEW.carried[1:]])
        result = kinds[text] = unescaped(raw) if self._escaped else raw
        if kind_needs_engine(raw):
            strange.add(result)
        return result


def _is_ordinal(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS


@lru_cache(maxsize=8)
def _reader(heading: tuple[str, ...], null: str, escaped: bool) -> _Reader:
    return _Reader(heading, null, escaped)
