"""Rows of one table of COLUMNS: names, and numbers of the kinds of what lines carry behind them."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from hashlib import blake2b
from itertools import compress, count
from operator import ne, or_

from schemacheck.fleet.definition import BY_NAME, FIELD, LINE, has_stand_in, is_primary

_LETTER = BY_NAME["columns"].letter
#: Digits of an ordinal in a line; kinds whose digests are remembered.
DIGITS, _KINDS = 6, 100_000
#: What is so of a row: only the engine can judge its kind; it is of the primary key; its ordinal is not the
#: next one; its name or ordinal is none that a server prints; its kind has a letter that stands for names.
STRANGE, PRIMARY, UNCOUNTED, ODD, STAND_IN = 1, 2, 4, 8, 16


class Kinds:
    """What lines carry behind names, by number."""

    #: Those that are made use of: pieces that were made with others are compared line by line.
    now: Kinds

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.marks = bytearray()
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()

    def number(self, text: str) -> int:
        """The number of a kind."""
        with self._lock:
            number = self._numbers.setdefault(text, len(self.texts))
            if number == len(self.texts):
                self.texts.append(text)
                self.marks.append(PRIMARY * is_primary(text) | STAND_IN * has_stand_in(text))
        return number


Kinds.now = Kinds()


class Piece:
    """Rows of one table that stand together; `known` has the kinds that their numbers are of, `marks` are all
    of theirs, and `ordinals` are None where they count from 1 without a gap.
    """

    __slots__ = ("_changed", "_joined", "_kinds", "_names", "_numbers", "known", "marks", "ordinals")

    def __init__(
        self, joined: bytes, numbers: bytes, known: Kinds, marks: int, ordinals: Sequence[int] | None
    ) -> None:
        self._joined, self._numbers, self.known, self.marks = joined, numbers, known, marks
        self.ordinals = ordinals
        self._names: list[str] | None = None
        self._kinds: list[str] | None = None
        #: The piece that this one was made of, and the places that are others.
        self._changed: tuple[Piece | None, list[int]] = None, []

    def with_kinds(self, changes: Mapping[int, int]) -> Piece | None:
        """The piece with other numbers of kinds at some places (from 0); None where more than kinds tell."""
        if self.ordinals is not None or self.marks & ODD:
            return None
        numbers = array("i", self._numbers)
        places = [place for place, number in changes.items() if numbers[place] != number]
        if not places:
            return self
        for place in places:
            numbers[place] = changes[place]
        marks = self.known.marks
        every = reduce(or_, [marks[number] for number in numbers])
        piece = Piece(self._joined, numbers.tobytes(), self.known, every, None)
        piece._changed = self, places
        return piece

    def __len__(self) -> int:
        return len(self._numbers) // 4

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        if self._names is None:
            self._names = self._joined.decode().split(FIELD)[:-1]
        return self._names

    @property
    def kinds(self) -> list[str]:
        """What lines carry behind the names."""
        if self._kinds is None:
            every = self.known.texts
            self._kinds = [every[number] for number in memoryview(self._numbers).cast("i")]
        return self._kinds

    @property
    def text(self) -> str:
        """The lines of a definition."""
        return LINE.join(self.lines())

    def digest(self) -> bytes:
        """Bytes that stand for the text."""
        if self.ordinals is not None:
            return self.text.encode()
        return b"".join([self._joined, *map(_digest, self.kinds)])

    def lines(self) -> list[str]:
        """The lines of a definition, one by one."""
        ordinals = self.ordinals or range(1, len(self) + 1)
        every = zip(ordinals, self.names, self.kinds, strict=True)
        return [f"{_LETTER}{ordinal:0>{DIGITS}}{FIELD}{name}{kind}" for ordinal, name, kind in every]

    def same_as(self, other: Piece) -> bool:
        """Whether the lines are equal."""
        if self._numbers == other._numbers and self.known is other.known:
            return self._joined == other._joined and self.ordinals == other.ordinals
        return self.known is not other.known and self.lines() == other.lines()

    def unlike(self, other: Piece) -> list[int] | None:
        """The places at which lines differ; None where the tables have not the same names at the same places,
        or ordinals do not count.
        """
        if other._changed[0] is self:
            return other._changed[1]
        if self._joined != other._joined or self.ordinals is not None or other.ordinals is not None:
            return None
        return list(compress(count(), map(ne, self.kinds, other.kinds)))


@lru_cache(maxsize=_KINDS)
def _digest(kind: str) -> bytes:
    return blake2b(kind.encode(), digest_size=16).digest()
