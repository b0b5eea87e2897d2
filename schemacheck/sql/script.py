"""A script cut into what its client sends to the server, and that into statements as the server cuts it.

Clients are followed (`read_and_execute` and `add_line`, client/mysql.cc) as far as they read a script alike.
Where they may not, reading stops: what follows is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from schemacheck.dataclass import dataclass
from schemacheck.knowledge import characters
from schemacheck.model.server import Server
from schemacheck.sql.client import HARMLESS, Command, Statement, argument, command_of, line_end, new_delimiter
from schemacheck.sql.multi import server_statements

_INLINE = " \t\v\f\r"
#: A comment of a whole line, as the clients know it: behind `--` a blank must come, a control character does
#: not do.
_LINE_COMMENT = rf"\#[^\n]*+|--[{_INLINE}][^\n]*+|--\n|--\Z"
#: Blanks and comments of a line, between statements. (Not possessive: CPython before 3.11.4 does not step
#: back there.)
_BLANKS = re.compile(rf"(?:{characters.SPACE}++|\#[^\n]*+|--(?={characters.SPACE}|\Z)[^\n]*+)*")
#: Behind what else a client that keeps comments knows no DELIMITER (`skip_over_comments_and_space`).
_BEFORE_DELIMITER = re.compile(
    rf"(?:(?<!\n)(?!\A)[{_INLINE}]*(?:{_LINE_COMMENT})?)?(?:\n|{_LINE_COMMENT})*(?:{characters.SPACE}|/\*[^*/]*\*/)*"
)
#: What may be a command's name at the beginning of a line or of a statement.
_CANDIDATE = re.compile(
    r"(?:\?|clear|connect|delimiter|edit|ego|exit|go|help|nopager|notee|pager|print|prompt|quit|rehash|source|status|system"
    r"|tee|use|charset|warnings|nowarning|costs|sandbox|resetconnection|query_attributes|ssl_session_data_print)",
    re.IGNORECASE | re.ASCII,
)
#: A line of a statement that the client joins with the next one, because it begins like DELIMITER.
_PART = rf"(?:{characters.NAME}|['\"`])"
_JOINED = re.compile(rf"(?:\A|\n)delimiter(?:[^\n]*{_PART})?(?=\n{_PART})", re.IGNORECASE | re.ASCII)
#: Hints, in which clients look for nothing or for all.
_HINT = re.compile(r"/\*\+[^'\"`;\n*/#-]*\*/(?!\*)")
#: What clients end in their own ways inside of a comment.
_NESTED = re.compile(r"/\*(?:[!+/]|M!)")
_NAME = re.compile(characters.NAME)
#: How MariaDB's dumps begin: the only backslash outside of strings that is read.
_SANDBOX = ("/*M!999999\\-", "/*!999999\\-")


def statements(text: str, server: Callable[[], Server], delimiter: str = ";") -> Iterator[Statement]:
    """What the client of this side's server does with a script, in order.

    `server` is asked before each statement: what its sql_mode says of quotes and backslashes may change with
    every one. `delimiter` is the one at the start.
    """
    for sent in _Cutter(text, server, delimiter).sent():
        if sent.whole and ";" in sent.text:
            yield from server_statements(sent, server())
        else:
            yield sent


@lru_cache(maxsize=64)
def _passed(delimiter: str, backslash: bool, escaped_names: bool, dollar: bool) -> re.Pattern[str]:
    """All up to the delimiter, the edge of a comment, and what is not closed or not read alike. (As a whole
    not possessive: CPython before 3.11.4 goes a character too far there.)
    """
    single = characters.string("'", backslash=backslash)
    double = characters.string('"', backslash=escaped_names)
    odd = [re.escape(delimiter), r"/\*", r"\*/", r"--(?:\#|/\*(?!!)|--(?:\s|\Z))"]
    odd += [rf"(?<!{characters.NAME})\$[0-9A-Za-z_\x80-\U0010ffff]*+\$"] if dollar else []
    return re.compile(
        rf"(?:[^'\"`\#\-\\/*${re.escape(delimiter[0])}]++|{single}|{double}|`[^`]*+`"
        rf"|(?!{'|'.join(odd)})(?:{_LINE_COMMENT}|[^'\"`\\\#]))*",
        re.DOTALL,
    )


@dataclass(slots=True)
class _Cutter:
    """A client that reads a script."""

    text: str
    server: Callable[[], Server]
    delimiter: str = ";"
    at: int = 0
    over: bool = False

    def sent(self) -> Iterator[Statement]:
        """The commands and statements, in order."""
        nul = self.text.find("\0")
        if nul >= 0:
            # The client ends at a line with NUL, without a look at what it has read of a statement.
            self.text = self.text[: self.text.rfind("\n", 0, nul) + 1]
        while not self.over:
            server = self.server()
            yield from self._between(server)
            if self.over or self.at >= len(self.text):
                break
            yield from self._statement(server, last=nul < 0)
        if nul >= 0 and not self.over:
            yield self._stop(nul, "the client stops here: it ends at a line with the character NUL")

    def _stop(self, at: int, why: str) -> Statement:
        self.over = True
        return Statement(at, self.text[at : line_end(self.text, at)], command=Command("stop", why))

    def _not_alike(self, at: int) -> Statement:
        piece = self.text[at : line_end(self.text, at)][:40]
        return self._stop(at, f"clients may read {piece!r} in different ways: nothing is read from here on")

    def _between(self, server: Server) -> Iterator[Statement]:
        """Over blanks, comments and commands, to where a statement begins."""
        text, begin, commands = self.text, self.at, not server.has("client-without-commands")
        while True:
            blanks = _BLANKS.match(text, self.at)
            self.at = at = blanks.end() if blanks is not None else self.at
            if server.mariadb and text.startswith("--", at):
                # It takes two dashes at a statement's start for a comment, whatever follows.
                self.at = line_end(text, at)
            elif text.startswith("/*", at) and not self._runs(at, server):
                end = self._comment_end(at)
                if end is None:
                    yield self._not_alike(at)
                    return
                if end < 0:
                    yield Statement(at, text[at:], open="comment")
                self.at = end if end >= 0 else len(text)
            elif _CANDIDATE.match(text, at) and not text[text.rfind("\n", 0, at) + 1 : at].strip(_INLINE):
                line = text[at : line_end(text, at)]
                name = command_of(line, self.delimiter, commands=commands)
                if name is None:
                    return
                if not commands and not _BEFORE_DELIMITER.fullmatch(text, begin, at):
                    yield self._not_alike(at)
                    return
                self.at = begin = at + len(line) + 1
                yield from self._run(name, at, line)
                if self.over:
                    return
            else:
                return

    def _runs(self, at: int, server: Server) -> bool:
        """Whether a comment that begins here is a hint, or one that a server may run."""
        marks = ("/*!", "/*+", "/*M!") if server.mariadb else ("/*!", "/*+")
        return self.text.startswith(marks, at)

    def _comment_end(self, at: int) -> int | None:
        """Behind a comment, -1 where it is not closed; None where clients may end it elsewhere."""
        end = self.text.find("*/", at + 2) + 2
        if end < 2:
            return -1
        # The client leaves no blank in the comment's place before a character beyond ASCII.
        beyond = self.text[end : end + 1] > "\x7f" and _NAME.match(self.text[at - 1 : at] if at else "")
        named = self.text[end : end + len("delimiter")].lower() == "delimiter"
        return None if beyond or named or _NESTED.search(self.text, at + 2, end) else end

    def _statement(self, server: Server, *, last: bool) -> Iterator[Statement]:
        """The statement that begins here, up to its delimiter, or a command that is one."""
        text, start, at = self.text, self.at, self.at
        escaped_names = server.backslash and not (server.mariadb and "ANSI_QUOTES" in server.sql_mode)
        pattern = _passed(self.delimiter, server.backslash, escaped_names, server.has("dollar-quotes"))
        #: Where a comment begins that the server may run; to the client it is open up to its line's end.
        mark = len(text)
        unclosed: str | None = None
        while (match := pattern.match(text, at)) is not None and match.end() < len(text):
            at = match.end()
            on_line = "\n" not in text[mark:at] and mark < at
            if text.startswith(self.delimiter, at):
                if on_line:
                    break
                self.at = at + len(self.delimiter)
                yield from self._ended(start, at, commands=not server.has("client-without-commands"))
                return
            if text.startswith("*/", at):
                mark, at = len(text), at + 1
            elif hint := _HINT.match(text, at):
                at = hint.end()
            elif text.startswith("/*", at) and self._runs(at, server) and text[at + 2] != "+":
                mark, at = at, at + 2
            elif text.startswith("/*", at) and not (on_line or self._runs(at, server)):
                end = self._comment_end(at)
                if end is None:
                    break
                if end < 0:
                    unclosed = "comment"
                    break
                at = end
            elif text[at] in "'\"`":
                unclosed = "string"
                break
            elif text[start : at + 2] in _SANDBOX:
                at += 2
            else:
                break
        else:
            at = len(text)
        if at < len(text) and unclosed is None:
            yield self._not_alike(at)
            return
        self.at = len(text)
        if last or unclosed:
            yield self._made(start, len(text), unclosed, at - start if unclosed else 0)

    def _ended(self, start: int, end: int, *, commands: bool) -> Iterator[Statement]:
        """What a delimiter ends: a statement, or a command that the client finds in its buffer."""
        body = self.text[start:end]
        begins = _CANDIDATE.match(body) is not None
        # What is left of a delimiter stands in comments.
        plain = body.replace(self.delimiter, " ")
        name = command_of(plain, self.delimiter, commands=commands) if begins else None
        if name == "delimiter":
            yield self._not_alike(start)
        elif name not in (None, "go", "ego") and (name != "use" or argument(body) is None):
            yield from self._run(name, start, body)
        elif body.strip(characters.BLANK):
            yield self._made(start, end)

    def _made(self, start: int, end: int, unclosed: str | None = None, opened: int = 0) -> Statement:
        body = self.text[start:end]
        if "delimiter" in body.lower() and _JOINED.search(body):
            return self._not_alike(start)
        if body.startswith(_SANDBOX):
            body = body.replace("\\-", "  ", 1)
        versioned = "/*!" in body or "/*M!" in body
        return Statement(start, body, versioned, unclosed, opened, self.delimiter != ";")

    def _run(self, name: str, start: int, line: str) -> Iterator[Statement]:
        """Do what a command does to the client; give out what matters beyond it."""
        wanted = argument(line)
        if name == "delimiter":
            delimiter = new_delimiter(line)
            if delimiter is None:
                yield self._stop(
                    start, f"the client stops here: which delimiter {line[:60]!r} sets is not followed"
                )
            else:
                self.delimiter = delimiter
        elif name in ("exit", "quit"):
            self.over = True
            rest = self.text[max(self.at, start + len("\\q")) :]
            behind = characters.strip(rest.replace(";", " "))
            yield Statement(start, line, command=Command("quit", behind))
        elif name not in HARMLESS and wanted is None:
            yield self._stop(start, f"the client stops here: what {line[:60]!r} is to it is not followed")
        elif name not in HARMLESS:
            yield Statement(start, line, command=Command(name, wanted or ""))
