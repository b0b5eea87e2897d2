"""The events inside a transaction payload."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.binlog.decoder import Decoder
from schemacheck.binlog.errors import BinlogError, DamagedEvent
from schemacheck.binlog.events.payload import TransactionPayload
from schemacheck.binlog.readers import Event


def unpacked(event: TransactionPayload) -> Iterator[Event]:
    """The events inside; positions count from the payload's beginning. Raises BinlogError."""
    decoder = Decoder.inside(event.format)
    size = 0
    for piece in event.pieces():
        size += len(piece)
        if size > event.uncompressed_size:
            break
        decoder.feed(piece)
        yield from _of(decoder, event)
    if size != event.uncompressed_size:
        text = "more than" if size > event.uncompressed_size else f"{size} bytes, not"
        why = f"the payload holds {text} the {event.uncompressed_size} that it announces"
        raise DamagedEvent(why, event.header.position)
    decoder.close()
    yield from _of(decoder, event)


def _of(decoder: Decoder, event: TransactionPayload) -> Iterator[Event]:
    """The decoder's events; its errors with the offset of the outer event."""
    try:
        yield from decoder.events()
    except BinlogError as error:
        raise DamagedEvent(f"inside the transaction payload: {error}", event.header.position) from None
