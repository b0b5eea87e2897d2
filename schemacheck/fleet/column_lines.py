"""Rows of COLUMNS in the text of a tab-separated file, as lines of definitions.

A table's rows stand together, and its counterpart's are most often the same text: each such text is read once
in a process. Behind a column's name and ordinal rows repeat too, whatever their table. Whatever is unusual
about a file is left to Arrow's reader (`dump_file.tsv`), which says what is wrong with which row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, compress, count, pairwise
from operator import ne
from typing import TYPE_CHECKING, Any

from schemacheck.fleet.definition import BY_NAME, FIELD, LINE, NULL
from schemacheck.fleet.dump_file import has_reserved, opened, unescaped
from schemacheck.fleet.needs_engine import kind_needs_engine

if TYPE_CHECKING:
    from schemacheck.fleet.snapshots import File

#: How a heading begins whose rows are read here: what names the table, then what differs from row to row.
_FIRST = ("TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION")
#: Lines with the same first three fields: a table's rows, as far as they stand together.
_BLOCK = re.compile(r"([^\t\n]*\t([^\t\n]*)\t([^\t\n]*)\t)[^\n]*+\n(?:\1[^\n]*+\n)*+")
#: How the word for null is written.
_WORD = "NULL"
_VIEW = BY_NAME["columns"]
#: Characters of texts, and rows behind name and ordinal, that are remembered at most.
_TEXTS, _KINDS = 16 << 20, 100_000
_DIGITS = 6
_LETTER = _VIEW.letter
#: Ordinals as they are counted, and how the lines begin that have them.
_COUNT = tuple(map(str, range(1, 100)))
_HEADS = tuple(f"{LINE if one != '1' else ''}{_LETTER}{one:0>{_DIGITS}}{FIELD}" for one in _COUNT)


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
        return self.ordinals is None or all(one < other for one, other in pairwise(self.lines()))

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
Pieces = Sequence[tuple[tuple[str, str], Piece]]


def read(file: File) -> Pieces | None:
    """The pieces of a file with a heading, in its order; None where Arrow's reader has to read it."""
    heading = file.heading
    if heading[: len(_FIRST)] != _FIRST or len(set(heading)) < len(heading):
        return None
    data = opened(file)
    if has_reserved(data) or b"\r" in data or not data.endswith(b"\n"):
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return _reader(heading).pieces(text)


class _Reader:
    """Files of one heading, and what of their rows is known."""

    def __init__(self, heading: tuple[str, ...]) -> None:
        behind = heading[len(_FIRST) :]
        self._width = len(behind)
        #: Where what a line carries stands behind the ordinal, as far as it is dumped.
        self._told = [(name, at) for at, name in enumerate(behind) if name in _VIEW.carried]
        self._known: dict[str, Piece] = {}
        self._size = 0
        #: Rows that are alike from behind the ordinal on: what of their lines is; and those of which only
        #: the engine can tell if they make sense. (One value: another thread may begin anew.)
        self._kinds: tuple[dict[str, str], set[str]] = ({}, set())

    def pieces(self, text: str) -> Pieces | None:
        """The pieces of a file's text, None where a line is unusual."""
        if self._size > _TEXTS:
            # (Another thread may be at work with the old ones.)
            self._known, self._size = {}, 0
        if len(self._kinds[0]) > _KINDS:
            self._kinds = ({}, set())
        known = self._known
        found = []
        at = text.index("\n") + 1
        for block in _BLOCK.finditer(text, at):
            if block.start() != at:
                return None
            at = block.end()
            lines = block[0]
            piece = known.get(lines)
            if piece is None:
                piece = self._read(lines, block[1])
                if piece is None or block[3].upper() == _FIRST[2]:
                    return None
                known[lines] = piece
                self._size += len(lines)
            found.append(((block[2], block[3]), piece))
        return found if at == len(text) else None

    def _read(self, lines: str, prefix: str) -> Piece | None:
        """The piece of lines that begin with this; None where one is unusual."""
        fields = [row.split("\t", 2) for row in lines[len(prefix) : -1].split("\n" + prefix)]
        try:
            names, ordinals, rests = zip(*fields, strict=True)
        except ValueError:
            return None
        kinds, strange = self._kinds
        try:
            texts = [kinds[rest] for rest in rests]
        except KeyError:
            texts = [kinds.get(rest) or self._learn(kinds, strange, rest) for rest in rests]
            if "" in texts:
                return None
        if ordinals != _COUNT[: len(ordinals)] and not all(map(_is_ordinal, ordinals)):
            return None
        given = [None if name == _WORD else name for name in names] if _WORD in names else names
        return piece_of(given, ordinals, texts, strange, escaped="\\" in lines)

    def _learn(self, kinds: dict[str, str], strange: set[str], text: str) -> str:
        """What of a line is behind the ordinal; '' for a row that has not as many fields as its heading."""
        fields = text.split("\t")
        if len(fields) != self._width:
            return ""
        values = {name: NULL if fields[at] == _WORD else fields[at] for name, at in self._told}
        raw = FIELD + FIELD.join([values.get(name, NULL) for name in _VIEW.carried[1:]])
        found = kinds[text] = unescaped(raw)
        if kind_needs_engine(raw):
            strange.add(found)
        return found


def piece_of(
    names: Sequence[str | None],
    ordinals: Sequence[str | None],
    kinds: Sequence[str],
    strange: set[str],
    *,
    escaped: bool,
) -> Piece:
    """The piece of rows. `strange` are the kinds of which only the engine can tell if they make sense."""
    nameless = not all(names)
    odd = nameless or (bool(strange) and not strange.isdisjoint(kinds))
    given: Sequence[Any] = names
    if nameless or escaped:
        given = [NULL if name is None else unescaped(name) if escaped else name for name in names]
    count = len(given)
    if tuple(ordinals) == _COUNT[:count]:
        return Piece(tuple(given), tuple(kinds), None, odd=odd)
    numbers = [int(ordinal) if ordinal is not None and _is_ordinal(ordinal) else 0 for ordinal in ordinals]
    counted = None if numbers == list(range(1, count + 1)) else numbers
    return Piece(
        tuple(given), tuple(kinds), counted, odd=odd or max(len(ordinal or "") for ordinal in ordinals) > 2
    )


def _is_ordinal(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS


@lru_cache(maxsize=8)
def _reader(heading: tuple[str, ...]) -> _Reader:
    return _Reader(heading)
