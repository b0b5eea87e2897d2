"""What can be wrong with a binary log. Every error names the file offset (bytes) where it stands.

BinlogError
├── NotABinlog          the file does not begin as a binary log does
├── EncryptedLog        binlog_encryption (MySQL) or encrypt_binlog (MariaDB)
├── TruncatedLog        the file ends inside an event
├── DamagedEvent        an event contradicts itself, or its rows contradict their table map
│   └── ChecksumMismatch    the CRC32 says that bytes have changed
└── MissingLibrary      an optional library is needed for this event
"""

from __future__ import annotations

from schemacheck.errors import InputError


class BinlogError(InputError):
    """Base; `offset` counts bytes of the (decompressed) file, `file` is its name where known."""

    def __init__(self, message: str, offset: int, file: str | None = None) -> None:
        super().__init__(
            f"{file}: {message} (at offset {offset})" if file else f"{message} (at offset {offset})"
        )
        self.offset = offset
        self.reason = message
        self.file = file

    def __reduce__(self) -> tuple[type[BinlogError], tuple[str, int, str | None]]:
        return type(self), (self.reason, self.offset, self.file)

    def within(self, file: str) -> BinlogError:
        """The same error, with the file's name."""
        return type(self)(self.reason, self.offset, file)


class NotABinlog(BinlogError):
    """The bytes do not begin with the magic number fe 62 69 6e and a known first event."""


class EncryptedLog(BinlogError):
    """The log is encrypted; read it through the server (mysqlbinlog --read-from-remote-server)."""


class TruncatedLog(BinlogError):
    """The input ended inside an event; `offset` is where that event begins."""


class DamagedEvent(BinlogError):
    """The event at `offset` cannot be what its type says."""


class ChecksumMismatch(DamagedEvent):
    """The event's CRC32 does not match its bytes."""


class MissingLibrary(BinlogError):
    """An optional dependency is not installed."""


class ShortRead(Exception):
    """Internal: an event's fields run past its end. The decoder turns it into DamagedEvent."""
