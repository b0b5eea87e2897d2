"""Lines whose fields lie between tabs, taken apart all at once: what is between two signs of every line."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from schemacheck.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    #: A number for each line, or so.
    Numbers = NDArray[Any]

_TAB, _END = 9, 10
#: Bytes that separate fields of a definition, and the end of a line elsewhere.
RESERVED = bytes((0, 1, 2, 3, 0x1E, 0x1F))
_ODD = RESERVED + b"\r"
#: Bytes that are taken apart together: places are numbers of four bytes.
_MOST = (1 << 31) - 1


class Misfit(ValueError):
    """A line that is no row of its heading: `sieved` tells such lines apart."""


class TooLong(InputError):
    """More bytes than are taken apart together."""


class Fields:
    """Whole lines that have as many fields. Field N of a line is what lies behind its sign N - 1."""

    def __init__(self, data: bytes, signs: Numbers) -> None:
        self._data, self._signs = data, signs

    def __len__(self) -> int:
        return len(self._signs)

    @cached_property
    def begins(self) -> Numbers:
        """Where lines begin, and where the last one ends."""
        import numpy as np

        return np.append(np.int32(0), self._signs[:, -1] + 1)

    def between(self, first: int, end: int) -> pa.BinaryArray:
        """The fields of every line from the first to the one before `end`, each with the sign behind it."""
        import numpy as np
        import pyarrow as pa

        offsets = np.empty(2 * len(self) + 1, np.int32)
        offsets[0:-1:2] = self._signs[:, first - 1] + 1 if first else self.begins[:-1]
        offsets[1::2] = self._signs[:, end - 1] + 1
        offsets[-1] = offsets[-2]
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(self._data)]
        every = pa.BinaryArray.from_buffers(pa.binary(), 2 * len(self), buffers)
        return every.take(pa.array(np.arange(0, 2 * len(self), 2)))

    @cached_property
    def _texts(self) -> list[str]:
        return self._data.decode().replace("\n", "\t").split("\t")

    def values(self, field: int) -> list[str]:
        """A field of every line."""
        width = self._signs.shape[1]
        return self._texts[field : width * len(self) : width]


def part(data: bytes, width: int, *, reserved: bool) -> Fields:
    """All lines. Raises Misfit where one has another number of fields, or, unless these may be there
    (`reserved`), a byte that separates fields of a definition; TooLong for 2 GiB and more.
    """
    import numpy as np

    if len(data) > _MOST:
        raise TooLong(f"{len(data):,} bytes of rows are too many together: split the file below 2 GiB")
    seen = np.frombuffer(data, np.uint8)
    signs = np.flatnonzero(seen < 32)
    codes = seen[signs]
    if not _fit(codes, width):
        inside = (codes != _TAB) & (codes != _END)
        if not reserved and np.isin(codes[inside], list(_ODD)).any():
            raise Misfit
        signs = signs[~inside]
        if not _fit(codes[~inside], width):
            raise Misfit
    return Fields(data, signs.astype(np.int32).reshape(-1, width))


def fits(line: bytes, width: int, *, reserved: bool) -> bool:
    """Whether `part` takes a line, without its end, of so many fields."""
    return line.count(b"\t") == width - 1 and (reserved or len(line.translate(None, _ODD)) == len(line))


def _fit(codes: Numbers, width: int) -> bool:
    """Whether signs are those of lines with so many fields."""
    import numpy as np

    if len(codes) % width:
        return False
    ends = np.full(width, _TAB, np.uint8)
    ends[-1] = _END
    return bool((codes.reshape(-1, width) == ends).all() and len(codes))


def joined(values: pa.BinaryArray) -> tuple[bytes, Numbers]:
    """All values as one text, and where each begins, and the last ends."""
    import numpy as np

    _, offsets, data = values.buffers()
    ends = np.frombuffer(offsets, np.int32, len(values) + 1, 4 * values.offset)
    return bytes(data[int(ends[0]) : int(ends[-1])]), ends - ends[0]


def texts(values: pa.BinaryArray, sign: str) -> list[str]:
    """Values that end with a sign, without it."""
    return joined(values)[0].decode().split(sign)[:-1]
