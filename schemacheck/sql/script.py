"""A script cut into what its client sends to the server, and that into statements as the server cuts it.

`client` says what the clients' commands are and do; this module follows `add_line` (client/mysql.cc) through
the text: where a delimiter counts, what is a comment to the client, which lines it keeps. What a client takes
out of a statement's text becomes blanks, so that every character keeps its offset.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from schemacheck.dataclass import dataclass, field
from schemacheck.knowledge import characters
from schemacheck.model.server import Server
from schemacheck.sql.client import (
    HARMLESS,
    Client,
    Command,
    Statement,
    argument,
    client_of,
    find_long,
    new_delimiter,
    skip_comments,
)
from schemacheck.sql.client_text import (
    CANDIDATE,
    COMMENT_LINE,
    DASHED,
    INLINE,
    VERSIONED,
    begins_comment,
    behind_blanks,
    behind_dropped,
    comment_end,
    events,
    hint_end,
    joined,
    joins_lines,
    line_end,
    only_comments,
    plain,
    two_dashes,
)
from schemacheck.sql.multi import server_statements


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


@dataclass(slots=True)
class _Cutter:
    """A client that reads a script."""

    text: str
    server: Callable[[], Server]
    delimiter: str = ";"
    at: int = 0
    over: bool = False
    #: Where the client's buffer begins, as far as it has anything but a statement's text.
    buffered: int | None = None
    #: Up to where, its line's end, the client takes a versioned comment for open: it looks at that per line.
    versioned: int = -1
    #: What the client takes out of a statement: from, to, and whether the server would see it as more than a
    #: comment.
    cuts: list[tuple[int, int, bool]] = field(default_factory=list)

    def sent(self) -> Iterator[Statement]:
        """The commands and statements, in order."""
        nul = self.text.find("\0")
        if nul >= 0:
            # The client ends at a line with NUL, without a look at what it has read of a statement.
            whole, self.text = self.text, self.text[: self.text.rfind("\n", 0, nul) + 1]
        while not self.over:
            client = client_of(self.server())
            between = self._kept(client) if client.keeps_comments else self._dropped(client)
            yield from between
            if self.over or self.at >= len(self.text):
                break
            yield from self._statement(client, last=nul < 0)
        if nul >= 0 and not self.over:
            yield _command(nul, whole[nul], "stop", "it ends at a line with the character NUL")

    def _dropped(self, client: Client) -> Iterator[Statement]:
        """Between two statements of a client that drops comments: over blanks, comments and commands."""
        text, size = self.text, len(self.text)
        while self.at < size:
            self.at = behind_dropped(text, self.at)
            first = text[self.at : self.at + 1]
            if first == "-" and two_dashes(text, self.at, client):
                self.at = line_end(text, self.at)
            elif first == "/" and begins_comment(text, self.at, client):
                end = comment_end(text, self.at + 2, client, in_versioned=self.at <= self.versioned)
                self.versioned = -1
                if end < 0:
                    yield Statement(self.at, text[self.at :], open="comment")
                    self.at = size
                    return
                self.at = end
            elif CANDIDATE.match(text, self.at) and self._begins_line():
                line = text[self.at : line_end(text, self.at)]
                name = find_long(line, self.delimiter, client)
                if name is None:
                    return
                start = self.at
                self.at += len(line) + 1
                yield from self._run(name, start, line)
                if self.over:
                    return
            else:
                return

    def _kept(self, client: Client) -> Iterator[Statement]:
        """Between two statements of a client that keeps comments as part of the statement behind them."""
        text, size = self.text, len(self.text)
        self.buffered = None
        clear = self.at
        while self.at < size:
            if self._begins_line() and (self.buffered is None or only_comments(text[clear : self.at])):
                clear = self.at
                line = text[self.at : line_end(text, self.at)]
                past = line[skip_comments(line) :]
                if find_long(past, self.delimiter, client):
                    begin = self.at
                    self.at += len(line) + 1
                    self.buffered = None
                    yield from self._delimit(begin, past)
                    if self.over:
                        return
                    continue
            if text.startswith("\n", self.at):
                self.at += 1
            elif text[self.at] in INLINE:
                self.buffered = self.at if self.buffered is None else self.buffered
                while self.at < size and text[self.at] in INLINE:
                    self.at += 1
            elif COMMENT_LINE.match(text, self.at):
                if self.buffered is not None:
                    return
                self.at = line_end(text, self.at) + 1
            elif begins_comment(text, self.at, client):
                self.buffered = self.at if self.buffered is None else self.buffered
                end = comment_end(text, self.at + 2, client)
                if end != text.find("*/", self.at + 2) + 2:
                    return  # the server sees the comment's end elsewhere: it is part of the statement
                if end < 0:
                    yield Statement(self.at, text[self.at :], open="comment")
                    self.at = size
                    return
                self.at = end
            else:
                return

    def _begins_line(self) -> bool:
        at = behind_blanks(self.text, self.at)
        return at == 0 or self.text[at - 1] == "\n"

    def _statement(self, client: Client, *, last: bool) -> Iterator[Statement]:
        """The statement that begins here, up to its delimiter, and the commands inside."""
        text, start = self.text, self.at
        server = self.server()
        backslash = server.backslash
        escaped_names = backslash and not (client.mariadb and "ANSI_QUOTES" in server.sql_mode)
        quick = start > self.versioned and not CANDIDATE.match(text, start)
        if self.delimiter == ";" and quick and self.buffered is None:
            if match := VERSIONED.match(text, start):
                self.versioned, self.at = -1, self._behind(match.end(), client)
                yield Statement(start, match.group()[:-1], versioned=True)
                return
            result = plain(backslash, escaped_names).match(text, start)
            end = result.end() if result else start
            if (text.startswith(";", end) or (end == len(text) and last)) and text.find("/*", start, end) < 0:
                body = text[start:end]
                if not ((client.dollar_quotes and "$" in body) or ("--" in body and DASHED.search(body))):
                    self.at = self._behind(end + 1, client)
                    if body:
                        yield Statement(start, body, altered=joins_lines(body))
                    return
        yield from self._slowly(client, (backslash, escaped_names, client.dollar_quotes), last=last)
        self.buffered = None

    def _behind(self, at: int, client: Client) -> int:
        """Where the client goes on behind a delimiter, or behind the comment that it keeps there."""
        if client.keeps_comments:
            while self.text[at : at + 1] in tuple(INLINE):
                at += 1
            if self.text.startswith(("#", *(f"--{blank}" for blank in INLINE)), at):
                return line_end(self.text, at)
        return at

    def _slowly(self, client: Client, quoting: tuple[bool, bool, bool], *, last: bool) -> Iterator[Statement]:
        text, start = self.text, self.at
        pattern = events(self.delimiter, *quoting)
        self.cuts = []
        unclosed: str | None = None
        opened = 0
        in_versioned, self.versioned = start <= self.versioned, -1
        at = start
        while unclosed is None and (match := pattern.search(text, at)):
            kind, begin = match.lastgroup, match.start()
            at = match.end()
            if kind == "newline":
                in_versioned = False
            elif kind == "line":
                at = line_end(text, begin)
                if not client.keeps_comments:
                    self.cuts.append((begin, at, False))
            elif kind == "close":
                in_versioned = False
                at = begin + 1
            elif kind == "open":
                if text.startswith("!", at):
                    in_versioned = True
                elif not begins_comment(text, begin, client):
                    at = hint_end(text, at) if text.startswith("+", at) else at
                else:
                    plain_end = text.find("*/", at) + 2
                    at = comment_end(text, at, client, in_versioned=in_versioned)
                    if at < 0:
                        unclosed, opened = "comment", begin
                    elif not client.keeps_comments:
                        self.cuts.append((begin, at, at != plain_end))
                    in_versioned = False
            elif kind == "dollar":
                at = text.find(match.group(), at) + len(match.group())
                if at < len(match.group()):
                    unclosed, opened = "string", begin
            elif kind == "quote":
                unclosed, opened = "string", begin
            elif kind == "delimiter":
                self.versioned = line_end(text, begin) if in_versioned else -1
                self.at = self._behind(at, client)
                yield from self._ended(start, begin, client)
                return
            elif kind == "back" and text.startswith("N", at):
                at += 1
            elif kind == "back":
                behind = yield from self._backslash(start, begin, client, in_versioned=in_versioned)
                if behind is None:
                    return
                self.cuts.append((begin, behind, True))
                at = behind
                pattern = events(self.delimiter, *quoting)
        self.at = len(text)
        if last or unclosed:
            yield self._made(start, len(text), unclosed, opened - start)

    def _backslash(
        self, start: int, begin: int, client: Client, *, in_versioned: bool
    ) -> Generator[Statement, None, int | None]:
        r"""A backslash outside of strings, in a statement that began at `start`: where the statement goes on
        behind its command; None where it does not. `\-` is in the first line of MariaDB's dumps.
        """
        letter, behind = self.text[begin + 1 : begin + 2], begin + 2
        if letter in ("g", "G") and client.commands:
            yield from [self._made(start, begin)] if self.text[start:begin].strip(characters.BLANK) else ()
        elif letter != "-" or self.buffered is not None:
            self.over = True
            if letter == "q" and self.text[start:begin].strip(characters.BLANK):
                yield self._made(start, begin)  # at its end a client sends what it has read
            yield _command(begin, self.text[begin:behind], "stop", f"its command \\{letter} is not followed")
            return None
        elif begin > start:
            return behind
        self.versioned = line_end(self.text, begin) if in_versioned else -1
        self.at = behind
        return None

    def _ended(self, start: int, end: int, client: Client) -> Iterator[Statement]:
        """What a delimiter ends: a statement, or a command that the client finds in its buffer."""
        begin = start if self.buffered is None else self.buffered
        buffer = self._buffer(begin, end)
        if client.keeps_comments:
            buffer = buffer[skip_comments(buffer) :]
        begins = CANDIDATE.match(buffer.lstrip(characters.BLANK))
        name = find_long(buffer, self.delimiter, client) if begins else None
        if name is not None and name not in ("go", "ego"):
            yield from self._run(name, start, buffer)
        elif self.text[start:end].strip(characters.BLANK):
            yield self._made(start, end)

    def _buffer(self, start: int, end: int) -> str:
        out: list[str] = []
        at = start
        for begin, behind, _ in self.cuts:
            if begin >= at:
                gap = self.text[begin] == "/" and self.text[behind : behind + 1] not in characters.BLANK
                out += (self.text[at:begin], " " if gap else "")
                at = behind
        buffer = "".join((*out, self.text[at:end]))
        led = self.text.endswith("*/", 0, behind_blanks(self.text, start))
        flushed = bool(self.cuts) and self.cuts[0][0] <= line_end(self.text, start)
        if not (led or flushed) and buffer[: len("delimiter")].lower() == "delimiter":
            # The end of a line that begins so is not kept, as far as nothing is taken out before it.
            buffer = buffer.replace("\n", "", 1)
        return buffer

    def _made(self, start: int, end: int, unclosed: str | None = None, opened: int = 0) -> Statement:
        """The statement, with blanks where the client took something out."""
        text = self.text
        out: list[str] = []
        at = start
        altered = False
        for begin, behind, seen in self.cuts:
            if seen:
                out += (text[at:begin], characters.blanked(text[begin:behind]))
                at = behind
            altered = altered or joined(text, begin, behind)
        out.append(text[at:end])
        body = "".join(out)
        return Statement(
            start, body, "/*!" in body or "/*M!" in body, unclosed, opened, self.delimiter != ";",
            altered=altered or joins_lines(body),
        )  # fmt: skip

    def _run(self, name: str, start: int, line: str) -> Iterator[Statement]:
        """Do what a command does to the client; give out what matters beyond it."""
        wanted = argument(line)
        if name == "delimiter":
            yield from self._delimit(start, line)
        elif name in ("exit", "quit"):
            self.over = True
            rest = self.text[max(self.at, start + len("\\q")) :]
            yield _command(start, line, "quit", characters.strip(rest.replace(";", " ")))
        elif name not in HARMLESS and wanted is None:
            self.over = True
            yield _command(start, line, "stop", f"what {line[:60]!r} is to it is not followed")
        elif name not in HARMLESS:
            yield _command(start, line, name, wanted or "")

    def _delimit(self, start: int, line: str) -> Iterator[Statement]:
        """DELIMITER: one that clients may take otherwise is the end."""
        delimiter = new_delimiter(line)
        if delimiter is None:
            self.over = True
            yield _command(start, line, "stop", f"which delimiter {line[:60]!r} sets is not followed")
        else:
            self.delimiter = delimiter


def _command(start: int, text: str, name: str, wanted: str) -> Statement:
    return Statement(start, text, command=Command(name, wanted))
