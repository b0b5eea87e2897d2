"""What one file of an input holds, before it is put together: rows of a view, DDL text, or an option file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from schemacheck.dataclass import dataclass, field
from schemacheck.model.account import FileAccount
from schemacheck.model.history import History, Part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemacheck.inputs.heading import Rows
    from schemacheck.inputs.source import Source


@dataclass(frozen=True, slots=True)
class RowsPiece:
    """Rows of one view: `COLUMNS`, ..., `VARIABLES`, `SHOW_CREATE`, or `OTHER` (not needed)."""

    view: str
    rows: Rows
    file: str


class Joined(tuple[RowsPiece, ...]):
    """Rows of one view in several files."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class DdlPiece:
    """SQL text from `line` on; `parts` are run (None: all) by `families` (() for all); `anyhow`: nobody said
    in which order its folder's files are run; `dumped`: a program wrote it out of a server.
    """

    text: str
    file: str
    line: int = 1
    database: str | None = None
    parts: tuple[Part, ...] | None = None
    families: tuple[str, ...] = ()
    encoding: str = "utf-8"
    anyhow: bool = False
    dumped: bool = False


@dataclass(frozen=True, slots=True)
class SettingsPiece:
    """Server variables of an option file or a dump's metadata; later ones win."""

    values: dict[str, str]
    file: str
    #: The raw text that replication filters are read from, where there is one.
    text: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class NotePiece:
    """What a person should know about this file: listed, no finding. A `problem` is never a pass."""

    message: str
    file: str
    line: int | None = None
    problem: bool = False
    code: str = "SC001"


@dataclass(frozen=True, slots=True)
class FilePiece:
    """What became of a file."""

    account: FileAccount


@dataclass(frozen=True, slots=True)
class HistoryPiece:
    """The migrations that DDL pieces of this input are made of."""

    history: History
    file: str


Piece = RowsPiece | DdlPiece | SettingsPiece | NotePiece | FilePiece | HistoryPiece


@dataclass(frozen=True, slots=True)
class HistoryOptions:
    """What a person says about a history; `kind` `none`: there is none, '': it is recognised."""

    kind: str = ""
    placeholders: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """What a person says about a file that it does not say itself."""

    null_token: str | None = None
    #: The directory that is read, which files that it includes must lie in.
    within: str | None = None
    history: HistoryOptions = HistoryOptions()


class Format(Protocol):
    """A module of `schemacheck.inputs.formats` with these names; nothing else lists it."""

    NAME: str

    def sniff(self, source: Source) -> int:
        """How sure this format is that the input is its own: 0 (no) to 100."""

    def read(self, source: Source, options: Options) -> Iterable[Piece]:
        """The pieces. Raises InputError."""
