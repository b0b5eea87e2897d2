"""What a task tells the next run of its group: its rows, for as long as nothing changes that they depend on.

They are found by a hash of all that (`basis`), so what is remembered of another program, fleet, setting or
dump is never looked at; what is damaged, or not signed with this user's key, is not used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from schemacheck.dataclass import replace
from schemacheck.errors import InputError
from schemacheck.fleet import decide, dump_file, secret
from schemacheck.fleet.fields import Misfit, joined
from schemacheck.model import transport

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.group import Group
    from schemacheck.fleet.snapshots import Dump, File

_MAGIC = b"schemacheck-memory-5\n"
_DIGEST = 32


class Damaged(ValueError):
    """Bytes that are no memory, or not as they were written."""


def packed(rows: pa.RecordBatch, key: str, basis: str, places: str) -> bytes:
    """Rows as bytes that are signed with the key. `basis` stands for all that they depend on, '' for nothing;
    `places` for where the dumps lie, '' where no row names such a place.
    """
    import pyarrow as pa

    record = {"basis": basis, "places": places}
    sink, schema = pa.BufferOutputStream(), rows.schema.with_metadata(record)
    with pa.ipc.new_stream(sink, schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as stream:
        stream.write_batch(rows.replace_schema_metadata(record))
    data = bytes(sink.getvalue())
    return b"".join((_MAGIC, secret.seal(key, data), data))


def fits(data: bytes, key: str, basis: str, places: str) -> bool:
    """Whether the rows of `packed`'s bytes are those of this basis. Raises Damaged, also where they are
    signed with another key.
    """
    import pyarrow as pa

    end = len(_MAGIC) + _DIGEST
    if data[: len(_MAGIC)] != _MAGIC or not secret.is_sealed(key, data[end:], data[len(_MAGIC) : end]):
        raise Damaged("not as it was written")
    try:
        with pa.ipc.open_stream(data[end:]) as stream:
            record = {name.decode(): value.decode() for name, value in (stream.schema.metadata or {}).items()}
        return record["basis"] == basis != "" and record["places"] in ("", places)
    except (ValueError, LookupError, OSError, pa.ArrowException) as error:
        raise Damaged(str(error)) from None


def rows(data: bytes) -> pa.RecordBatch:
    """The rows of `packed`'s bytes, of which this run knows who has made them."""
    import pyarrow as pa

    with pa.ipc.open_stream(memoryview(data)[len(_MAGIC) + _DIGEST :]) as stream:
        return next(iter(stream)).replace_schema_metadata()


def basis(group: Group, dumps: Sequence[Dump]) -> tuple[str, str]:
    """What stands for all that a group's rows depend on: the program and its facts, the links with their
    servers, settings and filters, and the dumps' bytes; and what stands for where the dumps lie. '' where
    bytes are not known.
    """
    if any(file.data is None for dump in dumps for file in dump.files):
        return "", ""
    streams = tuple(replace(stream, number=0, profile=0) for stream in group.streams)
    about = transport.pack((streams, dict(group.servers), group.owned, dict(group.evidence), group.unlinked))
    digest = hashlib.sha256(f"{decide.rules_version()}\n".encode() + about)
    for dump in dumps:
        # (What else reads native files, beside others, is not known here.)
        content = _content if dump.other else _deciding
        native = [(_name(dump, file), file.view, content(file)) for file in dump.native]
        other = [(_name(dump, file), _content(file)) for file in dump.other]
        unknown = [PurePosixPath(path).name for path in dump.unknown]
        digest.update(repr((dump.instance, native, other, unknown)).encode("utf-8", "surrogatepass"))
    places = repr([(dump.place, [file.path for file in dump.files], dump.unknown) for dump in dumps])
    return digest.hexdigest(), hashlib.sha256(places.encode("utf-8", "surrogatepass")).hexdigest()


def _name(dump: Dump, file: File) -> str:
    path = PurePosixPath(file.path)
    return str(path.relative_to(dump.place)) if path.is_relative_to(dump.place) else path.name


#: What servers only estimate, or count, of tables, keys and partitions: no rule sees it, and it is another
#: every night.
_ESTIMATES = frozenset(
    ("TABLE_ROWS", "AVG_ROW_LENGTH", "DATA_LENGTH", "MAX_DATA_LENGTH", "INDEX_LENGTH", "DATA_FREE",
     "AUTO_INCREMENT", "UPDATE_TIME", "CHECK_TIME", "CHECKSUM", "CARDINALITY")
)  # fmt: skip
_ESTIMATED = ("tables", "statistics", "partitions")


def _deciding(file: File) -> str:
    """A hash of a native file's bytes without the values of what is estimated, where it has lines."""
    if file.view not in _ESTIMATED or dump_file.is_parquet(file):
        return _content(file)
    try:
        rows = dump_file.rows(file)
        fields = rows.fields
    except (InputError, Misfit):
        return _content(file)
    if fields is None or _ESTIMATES.isdisjoint(rows.heading):
        return _content(file)
    result = hashlib.sha256(repr(rows.heading).encode())
    for estimated, some in groupby(enumerate(rows.heading), lambda item: item[1] in _ESTIMATES):
        places = [at for at, _ in some]
        if not estimated:
            result.update(joined(fields.between(places[0], places[-1] + 1))[0])
    return result.hexdigest()


def _content(file: File) -> str:
    """A hash of a file's bytes. When a gzip file was written, which it tells, is no part of it."""
    data = file.data or b""
    if data[:2] != b"\x1f\x8b":
        return hashlib.sha256(data).hexdigest()
    result = hashlib.sha256(data[:4])
    result.update(memoryview(data)[8:])
    return result.hexdigest()
