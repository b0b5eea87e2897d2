"""What a statement's meaning depends on besides its text."""

from __future__ import annotations

from bisect import bisect_right

from schemacheck.dataclass import dataclass, field, maker
from schemacheck.model.location import Location
from schemacheck.model.server import STRICT, Server
from schemacheck.model.words import printed_by
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.flavor import of as flavor_of


class Lines:
    """Offsets of a text as line and column, both from 1, in characters."""

    __slots__ = ("_location", "file", "starts", "text")

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self._location = maker(Location)
        starts = [0]
        at = text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        self.starts = starts

    def at(self, offset: int, end: int | None = None) -> Location:
        """The location of an offset; `end` on the same line gives end_column."""
        starts = self.starts
        line = bisect_right(starts, offset)
        begin = starts[line - 1]
        last = None
        if end is not None and (line == len(starts) or end <= starts[line]):
            last = end - begin + 1
        return self._location(self.file, line, offset - begin + 1, None, last)


class Place(Lines):
    """The lines of a text that is not written down, as a prepared statement's: all stand where it runs."""

    __slots__ = ("location",)

    def __init__(self, location: Location) -> None:
        super().__init__("", location.file or "-")
        self.location = location

    def at(self, offset: int, end: int | None = None) -> Location:
        """That place."""
        del offset, end
        return self.location


def drops_checks(server: Server) -> bool:
    """Whether an applier makes tables without their CHECKs: the statement comes from a server without any."""
    return server.setting("original_server_version") == "0" and server.has("drops-checks-of-older-sources")


@dataclass(slots=True)
class Context:
    """The server, the place in the file, and the database's character set."""

    server: Server
    lines: Lines
    offset: int = 0
    charset: str | None = None
    collation: str | None = None
    database: str | None = None
    row_format: str | None = None
    flavor: Flavor = field(init=False)
    modes: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.flavor = flavor_of(self.server)
        self.modes = self.server.sql_mode | printed_by(mariadb=self.server.mariadb)

    @property
    def strict(self) -> bool:
        """Whether sql_mode refuses bad values."""
        return not STRICT.isdisjoint(self.modes)

    def location(self, span: tuple[int, int]) -> Location:
        """A span of the statement as a place in the file."""
        return self.lines.at(self.offset + span[0], self.offset + span[1])
