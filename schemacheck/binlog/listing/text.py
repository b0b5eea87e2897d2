"""Events as text: a line each, and one for each row. Times are UTC."""

from __future__ import annotations

from collections.abc import Iterator
from time import gmtime, strftime

from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.listing.record import HEADER, encode, record
from schemacheck.binlog.readers import Event
from schemacheck.binlog.unpack import unpacked

#: How rows begin that are shown as bytes.
UNREADABLE = "  rows that cannot be read: "


def lines(event: Event) -> Iterator[str]:
    """Where an event stands, when it was written, its name and its fields; its rows; the events inside a
    transaction payload.
    """
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
