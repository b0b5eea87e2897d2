"""The server that wrote a log."""

from __future__ import annotations

from schemacheck.binlog.events.control import FormatDescription
from schemacheck.binlog.readers import Event
from schemacheck.errors import UnknownServer
from schemacheck.model import Server


def writer(event: Event) -> Server | None:
    """The server that a format description names; None for other events and unknown servers."""
    if not isinstance(event, FormatDescription):
        return None
    try:
        return Server.told(event.server_version)
    except UnknownServer:
        return None
