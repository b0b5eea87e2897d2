"""Events for people and programs: text and JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import gmtime, strftime

from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.listing.record import HEADER, encode, record
from schemacheck.binlog.readers import Event
from schemacheck.binlog.unpack import unpacked


def event_lines(
    files: Iterable[str], *, form: str = "text", start_position: int | None = None
) -> Iterator[str]:
    """Lines about every event, without line ends; `form` is text or jsonl. Raises BinlogError (what came
    before the damage was given), InputError.
    """
    from schemacheck.binlog.errors import DamagedEvent
    from schemacheck.binlog.files import read_logs
    from schemacheck.binlog.listing.record import encode, record

    unreadable: list[tuple[str, int]] = []
    names = list(files)
    current = None
    for file, event in read_logs(names, start_position=start_position):
        position = event.header.position
        if form == "jsonl":
            result = record(event)
            if "unreadable" in result:
                unreadable.append((file, position))
            yield encode({"file": file, **result})
            continue
        if file != current and len(names) > 1:
            yield f"# {file}"
        current = file
        for line in lines(event):
            if line.startswith(UNREADABLE):
                unreadable.append((file, position))
            yield line
    if unreadable:
        file, position = unreadable[0]
        raise DamagedEvent(
            f"the rows of {len(unreadable)} events cannot be read and are shown as bytes, first here",
            position,
            file,
        )


#: How rows begin that are shown as bytes.
UNREADABLE = "  rows that cannot be read: "


def lines(event: Event) -> Iterator[str]:
    """An event's place, time, name and fields; its rows; the events inside a transaction payload."""
    result = record(event, inside=False)
    changed, reason, raw = result.pop("rows", ()), result.pop("unreadable", ""), result.pop("bytes", "")
    fields = (
        f"{name}={encode(value)}"
        for name, value in result.items()
        if name not in HEADER and value not in (None, "", [], {})
    )
    moment = strftime("%Y-%m-%d %H:%M:%S", gmtime(event.header.timestamp))
    yield " ".join((str(event.header.position), moment, event.header.name, *fields))
    for row in changed:
        yield f"  {result['action']} {encode(row)}"
    if reason:
        yield f"{UNREADABLE}{reason}: {raw}"
    if isinstance(event, TransactionPayload):
        for inner in unpacked(event):
            yield from lines(inner)
        yield f"end of the payload at {event.header.position}"
