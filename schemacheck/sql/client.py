"""What the command-line clients cut out of a script, and which of its lines they keep for themselves.

The rules are those of `find_command`, `get_arg` and `com_delimiter` (client/mysql.cc) of MySQL 9.7 and of
MariaDB 10.11 and 11.8, in batch mode with the default options. MySQL's client of 9.7 knows no command but
DELIMITER there (`--commands` is off); the others run their commands.
"""

from __future__ import annotations

import re

from schemacheck.dataclass import dataclass
from schemacheck.knowledge import characters

#: Commands that take the rest of the line, and others. `costs` is one of MariaDB 11 alone: it is not read.
_WITH_ARGUMENT = frozenset((
    "?", "connect", "delimiter", "help", "pager", "source", "system", "tee", "use", "charset",
    "prompt", "query_attributes", "ssl_session_data_print",
))  # fmt: skip
_ALONE = frozenset((
    "clear", "edit", "ego", "exit", "go", "nopager", "notee", "print", "quit", "rehash", "status",
    "warnings", "nowarning", "resetconnection",
))  # fmt: skip
#: Commands that change nothing that is read here.
HARMLESS = frozenset((
    "clear", "go", "ego", "nopager", "notee", "print", "prompt", "rehash", "status", "warnings", "nowarning",
))  # fmt: skip
_DELIMITER = "delimiter"
#: An argument that all clients read alike, and bytes of a delimiter.
_ARGUMENT = re.compile(r"(['\"`]?)([^'\"`\\\s]{1,250})\1(?:\s|\Z)", re.ASCII)
_MOST_DELIMITER = 15


@dataclass(frozen=True, slots=True)
class Command:
    """A command that the client keeps for itself, and its argument ('' where it has none)."""

    name: str
    argument: str = ""


def argument(line: str) -> str | None:
    """The first argument of a command (`get_arg`), '' for none; None where clients may read it otherwise."""
    _, *rest = re.split(rf"[{characters.BLANK}]+", line.strip(characters.BLANK), maxsplit=1)
    match = _ARGUMENT.match(rest[0]) if rest else None
    return match[2] if match else None if rest else ""


def command_of(text: str, delimiter: str, *, commands: bool) -> str | None:
    """The command that a line or a statement's text is (`find_command`), or None. `commands`: the client has
    others than DELIMITER.
    """
    name = text.lstrip(characters.BLANK)
    is_delimiter = name[: len(_DELIMITER)].lower() == _DELIMITER
    if (commands and "\\g" in name) or (delimiter in name and not is_delimiter):
        return None
    if not commands:
        return _DELIMITER if is_delimiter else None
    word = re.split("[ \t]", name, maxsplit=1)[0]
    behind = name[len(word) :].strip(characters.BLANK)
    there = _WITH_ARGUMENT if behind else _WITH_ARGUMENT | _ALONE
    return word.lower() if word.isascii() and word.lower() in there else None


def new_delimiter(line: str) -> str | None:
    """What DELIMITER sets (`com_delimiter`); None where clients may take it otherwise."""
    wanted = argument(line)
    return wanted if wanted and len(wanted.encode()) <= _MOST_DELIMITER else None


def line_end(text: str, at: int) -> int:
    """Where the line ends, before its newline."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: where it starts in the script, its text without the delimiter, and whether versioned
    comments are in it.

    `whole` says that a delimiter other than the semicolon cut it: a routine's body is all here.
    `open` names what is not closed at the end of the script ('string', 'comment'), else None; `open_at` is
    where it begins, in the statement's text. `command` is what the client does itself, without the server.
    """

    start: int
    text: str
    versioned: bool = False
    open: str | None = None
    open_at: int = 0
    whole: bool = False
    command: Command | None = None
