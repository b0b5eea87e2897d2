"""A part of a large dump: the lines of some of its tables, so that one dump is work for several tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from schemacheck.dataclass import dataclass
from schemacheck.inputs.formats.tsv import unescape
from schemacheck.inputs.system import EVERY

if TYPE_CHECKING:
    from schemacheck.fleet.snapshots import File

#: Views whose rows are of one table that they name. All others are small, and every part has them.
VIEWS = ("columns", "tables", "statistics", "partitions")


@dataclass(frozen=True, slots=True)
class Part:
    """One of so many parts of a dump's tables."""

    number: int
    of: int

    def __call__(self, name: tuple[str, str]) -> bool:
        """Whether the table of a database and a name is in this part."""
        return bucket_of(name[1], self.of) == self.number


def bucket_of(table: str, buckets: int) -> int:
    """The part that a table is in, by its name as far as no server changes it: tables whose names differ by
    case, or whose databases are renamed on the way, are in one part. What has no name is in the first one.
    """
    return crc32("".join(c for c in table.translate(_LOWER) if c in _SURE).encode()) % buckets


_LOWER = {n: n + 32 for n in range(ord("A"), ord("Z") + 1)}
#: Letters that no letter beyond ASCII becomes when case is not told apart (the Kelvin sign is k).
_SURE = frozenset("abcdefghjlmnopqrtuvwxyz0123456789_")


def can_be_cut(file: File) -> bool:
    """Whether a file's lines can be told apart by table."""
    return file.path.lower().endswith((".tsv", ".tsv.gz"))


def lines(data: bytes, heading: Sequence[str], buckets: int, wanted: Sequence[int]) -> list[bytes]:
    """The `wanted` parts of a tab-separated file's lines: each has an empty line for every one that is not
    its own, so that line numbers stay. Lines of servers' own databases are in all parts, and so is the first
    line of every database, so that every part knows which were dumped, a line that names no table, and a last
    line that is cut off.
    """
    places = [heading.index(name) if name in heading else -1 for name in ("TABLE_SCHEMA", "TABLE_NAME")]
    width = max(places) + 1
    end = len(data)
    at = begun = data.find(b"\n") + 1 or end
    out = [[data[:at]] for _ in wanted]
    has = [1] * len(wanted)  # lines that a part has so far
    cut_off = data.rfind(b"\n") + 1
    seen: set[str] = set()
    prefix, number, line, first_line = b"", -1, 1, 1

    def close() -> None:
        for which, bucket in enumerate(wanted):
            if number in (bucket, -1):
                out[which].append(b"\n" * (first_line - has[which]) + data[begun:at])
                has[which] = line

    while at < end:
        if at == cut_off or not (prefix and data.startswith(prefix, at)):
            after = data.find(b"\n", at) + 1 or end
            fields = data[at:after].rstrip(b"\r\n").split(b"\t", width)
            database, table = (unescape(_text(fields, place)) for place in places)
            everywhere = not table or at == cut_off or database not in seen or database.lower() in EVERY
            of = -1 if everywhere else bucket_of(table, buckets)
            # Lines behind a database's first one may be of a table that not every part has.
            prefix = (
                b"" if database not in seen or len(fields) <= width else b"\t".join((*fields[:width], b""))
            )
            seen.add(database)
            if of != number:
                close()
                number, begun, first_line = of, at, line
        at = data.find(b"\n", at) + 1 or end
        line += 1
    close()
    return [b"".join(chunks) + b"\n" * (line - has[n]) for n, chunks in enumerate(out)]


def _text(fields: Sequence[bytes], place: int) -> str:
    return fields[place].decode("utf-8", "replace") if 0 <= place < len(fields) else ""
