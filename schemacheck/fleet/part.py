"""A part of a large dump: the lines of some of its tables, so that one dump is work for several tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from schemacheck.inputs.formats.tsv import unescape

if TYPE_CHECKING:
    from schemacheck.fleet.snapshots import File

#: Views whose rows are of one table that they name. All others are small, and every part has them.
VIEWS = ("columns", "tables", "statistics", "partitions")


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


def lines(
    data: bytes, heading: Sequence[str], mine: Callable[[tuple[str, str]], bool], whole: Callable[[str], bool]
) -> bytes:
    """The same lines of a tab-separated file with nothing in those of tables that are not `mine`; line
    numbers stay. `whole` databases keep every line, and each database its first one, so that every part knows
    which were dumped.
    """
    places = [heading.index(name) if name in heading else -1 for name in ("TABLE_SCHEMA", "TABLE_NAME")]
    width = max(places) + 1
    seen: set[str] = set()
    out: list[bytes] = []
    end = len(data)
    at = data.find(b"\n") + 1 or end
    out.append(data[:at])
    prefix, kept, begun, dropped = b"", True, at, 0
    while at < end:
        after = data.find(b"\n", at) + 1 or end
        if not (prefix and data.startswith(prefix, at)):
            fields = data[at:after].rstrip(b"\r\n").split(b"\t", width)
            told = [unescape(_text(fields, place)) for place in places]
            first = told[0] not in seen
            seen.add(told[0])
            keeps = first or mine((told[0], told[1])) or whole(told[0])
            # A first line is kept by itself: those behind it may be of a table that is not kept.
            prefix = b"" if first or len(fields) <= width else b"\t".join((*fields[:width], b""))
            if keeps != kept:
                if kept:
                    out.append(data[begun:at])
                else:
                    out.append(b"\n" * dropped)
                begun, dropped, kept = at, 0, keeps
        dropped += 1
        at = after
    out.append(data[begun:end] if kept else b"\n" * dropped)
    return b"".join(out)


def _text(fields: Sequence[bytes], place: int) -> str:
    return fields[place].decode("utf-8", "replace") if 0 <= place < len(fields) else ""
