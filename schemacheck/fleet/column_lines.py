"""Rows of COLUMNS in the text of a tab-separated file, as lines of definitions.

A table's rows stand together, and its counterpart's are most often the same text: each such text is read once
in a process. Behind a column's name and ordinal rows repeat too, whatever their table. Whatever is unusual
about a file is left to Arrow's reader (`dump_file.tsv`), which says what is wrong with which row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

from schemacheck.fleet.definition import BY_NAME, FIELD, LINE, NULL
from schemacheck.fleet.dump_file import has_reserved, opened, unescaped
from schemacheck.fleet.needs_engine import needs_engine

if TYPE_CHECKING:
    from schemacheck.fleet.snapshots import File

#: How a heading begins whose rows are read here: what names the table, then what differs from row to row.
_FIRST = ("TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION")
#: Lines with the same first three fields: a table's rows, as far as they stand together.
_BLOCK = re.compile(r"([^\t\n]*\t([^\t\n]*)\t([^\t\n]*)\t)[^\n]*+\n(?:\1[^\n]*+\n)*+")
_EMPTY = re.compile(r"\n\n+")
#: How the word for null is written.
_WORD = "NULL"
_VIEW = BY_NAME["columns"]
#: Characters of texts, and rows behind name and ordinal, that are remembered at most.
_TEXTS, _KINDS = 64 << 20, 250_000
_DIGITS = 6
_LETTER = _VIEW.letter
#: Ordinals as they are counted, and how the lines begin that have them.
_COUNT = tuple(map(str, range(1, 100)))
_HEADS = tuple(f"{LINE}{_LETTER}{one:0>{_DIGITS}}{FIELD}" for one in _COUNT)


class Piece(NamedTuple):
    """Rows of one table that stand together: their lines, how many there are, whether the lines ascend,
    whether their ordinals count from 1 without a gap, and whether only the engine can tell if one makes
    sense.
    """

    text: str
    rows: int
    straight: bool
    whole: bool
    odd: bool


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
    reader = _reader(heading)
    found = reader.pieces(text)
    if found is None and "\n\n" in text:
        # Lines of other parts are empty (`part`).
        found = reader.pieces(_EMPTY.sub("\n", text))
    return found


class _Reader:
    """Files of one heading, and what of their rows is known."""

    def __init__(self, heading: tuple[str, ...]) -> None:
        self._heading = heading[len(_FIRST) :]
        self._known: dict[str, Piece] = {}
        self._size = 0
        self._kinds: dict[str, str] = {}
        self._odd: set[str] = set()

    def pieces(self, text: str) -> Pieces | None:
        """The pieces of a file's text, None where a line is unusual."""
        if self._size > _TEXTS:
            # (Another thread may be at work with the old ones.)
            self._known, self._size = {}, 0
        if len(self._kinds) > _KINDS:
            self._kinds, self._odd = {}, set()
        known = self._known
        blocks = []
        at = text.index("\n") + 1
        for block in _BLOCK.finditer(text, at):
            if block.start() != at:
                return None
            at = block.end()
            blocks.append(block)
        if at != len(text):
            return None
        new: dict[str, tuple[Sequence[str], ...]] = {}
        for block in blocks:
            lines = block[0]
            if lines not in known and lines not in new:
                prefix = block[1]
                rows = lines[len(prefix) : -1].split("\n" + prefix)
                fields = [row.split("\t", 2) for row in rows]
                if min(map(len, fields)) < 3 or block[3].upper() == _FIRST[2]:
                    return None
                new[lines] = tuple(zip(*fields, strict=True))
        kinds, odd = self._kinds, self._odd
        if not self._learn({rest for _, _, rests in new.values() for rest in rests}.difference(kinds)):
            return None
        for lines, (names, ordinals, rests) in new.items():
            made = _piece(names, ordinals, [kinds[rest] for rest in rests], escaped="\\" in lines)
            if made is None:
                return None
            if not odd.isdisjoint(rests):
                made = made._replace(odd=True)
            known[lines] = made
            self._size += len(lines)
        return [((block[2], block[3]), known[block[0]]) for block in blocks]

    def _learn(self, new: set[str]) -> bool:
        """What these rows, from behind the ordinal on, have of a line; False where one has not as many
        fields as the heading.
        """
        import pyarrow as pa

        if not new:
            return True
        heading = self._heading
        texts = list(new)
        rows = [text.split("\t") for text in texts]
        if any(len(row) != len(heading) for row in rows):
            return False
        places = {name: at for at, name in enumerate(heading) if name in _VIEW.carried}
        columns = {
            name: [None if row[at] == _WORD else row[at] for row in rows] for name, at in places.items()
        }
        nulls = [NULL] * len(rows)
        carried = [
            nulls if name not in columns else [NULL if value is None else value for value in columns[name]]
            for name in _VIEW.carried[1:]
        ]
        joined = (FIELD + FIELD.join(values) for values in zip(*carried, strict=True))
        self._kinds.update(zip(texts, joined, strict=True))
        # Names and ordinals are looked at where they stand.
        arrays = {name: pa.array(values, pa.string()) for name, values in columns.items()}
        arrays[_VIEW.database] = pa.array([""] * len(rows), pa.string())
        strange = needs_engine(_VIEW, arrays).to_pylist()
        self._odd.update(text for text, odd in zip(texts, strange, strict=True) if odd)
        return True


def _piece(
    names: Sequence[str], ordinals: Sequence[str], rests: Sequence[str], *, escaped: bool
) -> Piece | None:
    """The piece of these rows; None where an ordinal is none."""
    count = len(names)
    odd = "" in names or _WORD in names
    if _WORD in names:
        names = [NULL if name == _WORD else name for name in names]
    if not escaped and ordinals == _COUNT[:count]:
        # Most are so: one long string, no lines.
        text = "".join(chain.from_iterable(zip(_HEADS, names, rests, strict=False)))
        return Piece(text[len(LINE) :], count, straight=True, whole=True, odd=odd)
    if not all(one.isascii() and one.isdecimal() and len(one) <= _DIGITS for one in ordinals):
        return None
    lines = [
        f"{_LETTER}{ordinal:0>{_DIGITS}}{FIELD}{name}{rest}"
        for name, ordinal, rest in zip(names, ordinals, rests, strict=True)
    ]
    if escaped:
        lines = [unescaped(line) for line in lines]
    return Piece(
        LINE.join(lines),
        count,
        straight=all(one < other for one, other in pairwise(lines)),
        whole=[int(one) for one in ordinals] == list(range(1, count + 1)),
        odd=odd or max(map(len, ordinals)) > 2,
    )


@lru_cache(maxsize=8)
def _reader(heading: tuple[str, ...]) -> _Reader:
    return _Reader(heading)
