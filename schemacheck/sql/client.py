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

#: Long names and short letters of the commands, and which take the rest of the line (`commands[]`).
_COMMANDS = {
    "?": ("?", True), "clear": ("c", False), "connect": ("r", True), "delimiter": ("d", True), "edit": ("e",
    False),
    "ego": ("G", False), "exit": ("q", False), "go": ("g", False), "help": ("h", True), "nopager": ("n",
    False),
    "notee": ("t", False), "pager": ("P", True), "print": ("p", False), "prompt": ("R", True), "quit": ("q",
    False),
    "rehash": ("#", False), "source": (".", True), "status": ("s", False), "system": ("!", True), "tee": ("T",
    True),
    "use": ("u", True), "charset": ("C", True), "warnings": ("W", False), "nowarning": ("w", False),
}  # fmt: skip
#: `costs` (\\Q) is one of MariaDB 11 alone: what has it is not read.
_MARIADB = {"sandbox": ("-", False)}
_MYSQL = {
    "resetconnection": ("x", False), "query_attributes": ("", True), "ssl_session_data_print": ("", True),
}  # fmt: skip
#: Commands that change nothing that is read here.
HARMLESS = frozenset((
    "?", "help", "clear", "go", "ego", "nopager", "pager", "notee", "tee", "print", "prompt", "rehash",
    "status",
    "warnings", "nowarning", "sandbox", "query_attributes", "ssl_session_data_print",
))  # fmt: skip
#: Those that MariaDB's client refuses in its sandbox mode; others that it refuses are not harmless.
FILES = frozenset(("tee", "pager"))
#: HELP as it does no harm. What it is asked goes to the server as it is, quotes and all, up to 100 bytes
#: (`com_server_help`); blanks at its end are lost with what the line holds behind them.
_ASKED = r"(?P<quote>'?)[A-Za-z_ ]{0,60}[A-Za-z_](?P=quote)"
HELPS = re.compile(rf"[{characters.BLANK}]*\\?\S+(?:[{characters.BLANK}]*| +{_ASKED})", re.ASCII)
_DELIMITER = "delimiter"
#: Bytes of a line that a command looks at, and of a delimiter.
_MOST_ARGUMENT, _MOST_DELIMITER = 255, 15


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

    @property
    def known(self) -> dict[str, tuple[str, bool]]:
        """The commands by name."""
        return _COMMANDS | (_MARIADB if self.mariadb else _MYSQL)


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


def argument(line: str, client: Client) -> str:
    """The first argument of a command (`get_arg`); '' where there is none."""
    line = line.encode()[:_MOST_ARGUMENT].decode(errors="ignore").lstrip(characters.BLANK)
    short = line.startswith("\\")
    rest = line[2:] if short else re.sub(rf"\A[^{characters.BLANK}]+", "", line)
    rest = rest.lstrip(characters.BLANK)
    quote = rest[:1] if rest[:1] in ("'", '"', "`") else ""
    rest = rest[len(quote) :]
    out: list[str] = []
    at, closed = 0, not quote
    while at < len(rest):
        char, following = rest[at], rest[at + 1 : at + 2]
        if char == "\\" and following and (client.mariadb or not quote):
            out.append(following)
            at += 2
            continue
        if client.mariadb and quote and not short and char == quote == following:
            out.append(char)
            at += 2
            continue
        if char == (quote or " "):
            closed = True
            break
        out.append(char)
        at += 1
    return "".join(out) if closed or not client.mariadb else ""


def find_long(text: str, delimiter: str, client: Client) -> str | None:
    """The command that a line or a statement's text is (`find_command`), or None."""
    name = text.lstrip(characters.BLANK)
    is_delimiter = name[: len(_DELIMITER)].lower() == _DELIMITER
    if (client.commands and "\\g" in name) or (delimiter in name and not is_delimiter):
        return None
    if not client.commands:
        return _DELIMITER if is_delimiter else None
    word = re.split("[ \t]", name, maxsplit=1)[0]
    entries = client.known.get(word.lower()) if word.isascii() else None
    if entries is None:
        return None
    # A line that has nothing behind the word has no argument.
    has_argument = bool(name[len(word) :].strip(characters.BLANK))
    if has_argument and (not entries[1] or (client.mariadb and not _has_argument(name, client))):
        return None
    return word.lower()


def _has_argument(name: str, client: Client) -> bool:
    return bool(argument(name, client))


def find_short(letter: str, client: Client) -> str | None:
    """The command of a backslash and a letter, or None."""
    if letter == "-":
        # The first line of MariaDB's dumps. A client that does not know it stops there, before anything has
        # run.
        return "sandbox"
    if not client.commands:
        return "charset" if letter == "C" else None
    return next((name for name, (short, _) in client.known.items() if short == letter), None)


def takes_argument(name: str, client: Client) -> bool:
    """Whether what follows a short command belongs to it."""
    return name != "sandbox" and client.known[name][1]


def new_delimiter(line: str, client: Client) -> str | None:
    """What DELIMITER sets (`com_delimiter`), or None where the client refuses it and goes on."""
    wanted = argument(line, client)
    if not wanted or "\\" in wanted:
        return None
    return wanted.encode()[:_MOST_DELIMITER].decode(errors="ignore")


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
