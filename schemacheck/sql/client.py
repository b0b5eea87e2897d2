"""What the command-line clients make of a script: where they cut it, and which of its lines they keep for
themselves.

The rules are those of `read_and_execute`, `add_line`, `find_command`, `get_arg` and `com_delimiter`
(client/mysql.cc) of MySQL 9.7 and of MariaDB 10.11 and 11.8, in batch mode with the default options. MySQL's
client of 9.7 knows no command but DELIMITER there (`--commands` is off) and sends comments on; the others run
their commands and drop comments.
"""

from __future__ import annotations

import re
from functools import lru_cache

from schemacheck.dataclass import dataclass
from schemacheck.knowledge import characters
from schemacheck.model.server import Server

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
class Client:
    """One client's ways.

    `commands` says that it runs its own commands, `keeps_comments` that it sends comments to the server,
    `dashes` that two dashes at a statement's start begin a comment whatever follows, `hints` that it knows
    `/*+`.
    """

    mariadb: bool = False
    commands: bool = True
    keeps_comments: bool = False
    dashes: bool = False
    hints: bool = False
    dollar_quotes: bool = False


@lru_cache(maxsize=64)
def client_of(server: Server) -> Client:
    """The client that comes with a server of this version."""
    if server.mariadb:
        return Client(mariadb=True, dashes=True)
    commands = not server.has("client-without-commands")
    return Client(
        commands=commands, keeps_comments=not commands, hints=True, dollar_quotes=server.has("dollar-quotes")
    )


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


def find_long(text: str, delimiter: str, client: Client) -> str | None:
    """The command that a line or a statement's text is (`find_command`), or None."""
    name = text.lstrip(characters.BLANK)
    is_delimiter = name[: len(_DELIMITER)].lower() == _DELIMITER
    if (client.commands and "\\g" in name) or (delimiter in name and not is_delimiter):
        return None
    if not client.commands:
        return _DELIMITER if is_delimiter else None
    word = re.split("[ \t]", name, maxsplit=1)[0]
    behind = name[len(word) :].strip(characters.BLANK)
    there = _WITH_ARGUMENT if behind else _WITH_ARGUMENT | _ALONE
    return word.lower() if word.isascii() and word.lower() in there else None


def new_delimiter(line: str) -> str | None:
    """What DELIMITER sets (`com_delimiter`); None where clients may take it otherwise."""
    wanted = argument(line)
    return wanted if wanted and len(wanted.encode()) <= _MOST_DELIMITER else None


def skip_comments(text: str) -> int:
    """Where the first word behind blanks and closed comments is, as MySQL's client finds it
    (`skip_over_comments_and_space`).

    It looks for the end of a comment a character too early, so that `/*x*/` hides nothing from it and `/* a
    */` does.
    """
    at, end = 0, len(text)
    while True:
        while at < end and text[at] in characters.BLANK:
            at += 1
        if at + 2 < end and text.startswith("/*", at):
            at += 2
            while at + 2 < end and text[at] != "*" and text[at + 1] != "/":
                at += 1
            if at + 2 < end and text.startswith("*/", at):
                at += 2
        if not (at < end and (text[at] in characters.BLANK or (at + 2 < end and text.startswith("/*", at)))):
            return at


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
