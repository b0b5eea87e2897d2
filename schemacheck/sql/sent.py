"""A statement as a client sends it."""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.sql.client import Command


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: where it starts in the script, its text without the delimiter, and whether versioned
    comments are in it.

    `whole` says that a delimiter other than the semicolon cut it: a routine's body is all here.
    `open` names what is not closed at the end of the script ('string', 'comment'), else None; `open_at` is
    where it begins, in the statement's text. `command` is what the client does itself, without the server,
    `altered` that the client joins words of the text in a way that the text does not show.
    """

    start: int
    text: str
    versioned: bool = False
    open: str | None = None
    open_at: int = 0
    whole: bool = False
    command: Command | None = None
    altered: bool = False
