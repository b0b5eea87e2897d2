"""Numbers that stand for values which are compared often: equal values have one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import count

_BYTES = 4
#: How many bits of `side_by_side` a number has.
BITS = 8 * _BYTES
#: No number is lower.
LOWEST = 256

_numbers: dict[Hashable, int] = {}
_MOST_NUMBERS = 65_536
_next_number = count(LOWEST)


def is_full() -> bool:
    """Whether no further values are to be numbered: those that are, are kept."""
    return len(_numbers) > _MOST_NUMBERS


def number(value: Hashable) -> int:
    """The value's number."""
    return _numbers.get(value) or _numbers.setdefault(value, next(_next_number))


def side_by_side(numbers: Iterable[int]) -> int:
    """Numbers as one, the first in its lowest bits."""
    return int.from_bytes(b"".join([entry.to_bytes(_BYTES, "little") for entry in numbers]), "little")


def unlike(ours: int, theirs: int, common: int) -> list[int]:
    """The places, among the first `common`, at which two rows of numbers differ."""
    other = (ours ^ theirs) & ((1 << common * BITS) - 1)
    places = []
    place = 0
    while other:
        alike = ((other & -other).bit_length() - 1) // BITS
        places.append(place + alike)
        place += alike + 1
        other >>= (alike + 1) * BITS
    return places
