"""The common header, and the file's format."""

from __future__ import annotations

from typing import NamedTuple

from schemacheck.dataclass import dataclass

#: A header flag (log_event.h): the log is being written.
IN_USE = 0x0001


class Header(NamedTuple):
    """The common header (log_event.h), with what the decoder adds.

    =====  =========  ========================================================================
    bytes  field      meaning
    =====  =========  ========================================================================
    4      timestamp  seconds since 1970
    1      code       event type
    4      server_id  the server that made the event first
    4      size       bytes of the whole event, header and checksum included
    4      log_pos    where the event ends in the log of its creation (0 inside a payload
                      and inside MariaDB transactions of 11.x)
    2      flags      of the event (log_event.h)
    =====  =========  ========================================================================

    `position` is the offset of the event's first byte in this file (inside a TRANSACTION_PAYLOAD:
    in the uncompressed payload); `checksum` the CRC32 that stands behind the event, if any.
    """

    position: int
    timestamp: int
    code: int
    server_id: int
    size: int
    log_pos: int
    flags: int
    checksum: int | None = None

    @property
    def end(self) -> int:
        """The offset behind the event."""
        return self.position + self.size


@dataclass(frozen=True, slots=True)
class Format:
    """How a file's events are laid out: lengths in bytes, by type number from its own description."""

    header_length: int
    post_header: tuple[int, ...] = ()
    checksum: bool = False

    def post_header_length(self, code: int, default: int) -> int:
        """The post-header's length of an event type; `default` where the file says nothing about it."""
        return self.post_header[code - 1] if 0 < code <= len(self.post_header) else default
