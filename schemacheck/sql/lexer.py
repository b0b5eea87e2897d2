"""SQL text cut into words as the servers' lexers cut it, and a cursor over the words.

The rules are those of `lex_one_token` (sql/sql_lex.cc): which characters are blanks, that a name may begin
with digits (`1a`, `0xg`, `1e`), that what follows a name and a dot is a name whatever it looks like, what is
a comment. Versioned comments are resolved before (`versioned_comment.interpret`). Keywords are words here:
the grammars decide.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import overload

from schemacheck.knowledge import characters
from schemacheck.model import charset
from schemacheck.model.quote import unquote, unzoned
from schemacheck.model.server import Server
from schemacheck.sql.cut import CONTROL, FUNCTIONS, Token, TokenType, cut


class Refused(Exception):
    """A statement that is no SQL of this server, or that it would refuse.

    `at` is the offset in the statement's text, `code` SC001 (syntax) or SC002 (not understood, or
    refused by the server for its meaning), `errno` the server's error number where it is known,
    `name` and `kind` what that error names (a column, COLUMN), `words` what else.
    """

    def __init__(
        self, message: str, at: int = 0, errno: int | None = None, *, code: str = "SC002",
        name: str | None = None, kind: str = "", words: Mapping[str, str] | None = None
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.message = message
        self.at = at
        self.code = code
        self.errno = errno
        self.name = name
        self.kind = kind
        self.words = tuple((words or {}).items())


def unasked(what: str, at: int = 0) -> Refused:
    """What is raised for a rare form: `what` nobody knows a server to take."""
    return Refused(f"whether a server takes {what} is not known", at)


#: The deepest nesting, the most tokens of a statement and characters of a number: far beyond the servers'.
MAX_DEPTH, MAX_TOKENS, MAX_DIGITS = 80, 400_000, 4_000

#: Names are kept in utf8mb3: what lies beyond becomes a question mark.
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")

_STRING, _NATIONAL, _QUOTED, _NUMBER, _HEX, _BIT, _VAR, _DOT = (
    TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.IDENTIFIER, TokenType.NUMBER,
    TokenType.HEX_STRING, TokenType.BIT_STRING, TokenType.VAR, TokenType.DOT,
)  # fmt: skip


class _Items(Sequence[Token]):
    """The tokens as values, made when somebody looks at one."""

    __slots__ = ("_tokens",)

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def __len__(self) -> int:
        return self._tokens.size

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> list[Token]: ...
    def __getitem__(self, index: int | slice) -> Token | list[Token]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        tokens = self._tokens
        kind, start, end = tokens.kinds[index], tokens.starts[index], tokens.ends[index]
        text = tokens.text[start:end]
        if kind is _QUOTED:
            text = text[1:-1].replace(text[0] * 2, text[0])
        elif kind is _STRING:
            text = unquote(text, backslash=tokens.backslash)
        elif kind is _NATIONAL:
            text = unquote(text[1:], backslash=tokens.backslash)
        elif kind in (_HEX, _BIT):
            text = text[2:].removesuffix("'")
        return Token(kind, text, start, end - 1)


class Tokens:
    """A cursor over one statement's tokens. `words` has unquoted words in upper case, punctuation as it is.

    `ansi_quotes` and `backslash` are what sql_mode says of double quotes and of backslashes in strings;
    `dollar_quotes` is for servers on which `$$...$$` is a string, `ignore_space` is of sql_mode. Raises
    Refused for what no server cuts into words, and for more than MAX_TOKENS, MAX_DEPTH or MAX_DIGITS.
    """

    __slots__ = (
        "ansi_quotes", "at", "backslash", "dollar_quotes", "ends", "ignore_space", "kinds", "size", "starts",
        "text", "words",
    )  # fmt: skip

    def __init__(
        self, text: str, *, ansi_quotes: bool = False, backslash: bool = True, dollar_quotes: bool = False,
        ignore_space: bool = False,
    ) -> None:  # fmt: skip
        self.text = text
        self.ansi_quotes = ansi_quotes
        self.backslash = backslash
        self.dollar_quotes = dollar_quotes
        self.ignore_space = ignore_space
        self.at = 0
        result = cut(text, ansi_quotes=ansi_quotes, backslash=backslash, dollar_quotes=dollar_quotes)
        self.kinds, self.starts, self.ends, self.words, rough, controls = result
        if len(self.words) > MAX_TOKENS:
            raise Refused(f"a statement of {len(self.words)} words is too long", 0, code="SC001")
        if controls:
            self._refuse_controls()
        if rough:
            self._split_chains()
        while self.words and self.words[-1] == ";":
            for column in (self.kinds, self.starts, self.ends, self.words):
                column.pop()
        self.size = len(self.words)
        self.words.append("")
        self._check_depth()
        if len(text) > MAX_DIGITS:
            self._check_digits()

    def _split_chains(self) -> None:
        """Take `a.1e5.c` apart into names and dots. Raises Refused for half a number."""
        columns = self.kinds, self.starts, self.ends, self.words
        tokens = list(zip(*columns, strict=True))
        for column in columns:
            column.clear()
        for kind, start, end, word in tokens:
            if kind is TokenType.OPEN:
                raise Refused(_unclosed(self.text[start:end]), start, code="SC001")
            if kind is _NUMBER and self.text[end : end + 1] in ("e", "E"):
                number = self.text[start:end]
                if "." in number and "e" not in number.lower():
                    raise Refused("digits are missing behind the exponent", end, code="SC001")
            if kind is not _VAR or "." not in word:
                self._add(kind, start, end, word)
                continue
            at = start
            for part in word.split("."):
                if at > start:
                    self._add(_DOT, at - 1, at, ".")
                self._add(_VAR, at, at + len(part), part)
                at += len(part) + 1

    def _add(self, kind: TokenType, start: int, end: int, word: str) -> None:
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)
        self.words.append(word)

    def _refuse_controls(self) -> None:
        """Raise Refused for a control character that is no blank: no grammar has any."""
        for kind, start in zip(self.kinds, self.starts, strict=True):
            if kind is TokenType.SIGN and CONTROL.match(self.text, start):
                raise Refused("a control character is between the words", start, code="SC001")

    def _check_depth(self) -> None:
        if self.text.count("(") <= MAX_DEPTH:
            return
        depth = 0
        for index, word in enumerate(self.words):
            if word == "(":
                depth += 1
                if depth > MAX_DEPTH:
                    raise Refused(
                        f"parentheses are nested more than {MAX_DEPTH} deep", self.starts[index], code="SC001"
                    )
            elif word == ")":
                depth -= 1

    def _check_digits(self) -> None:
        """Raise Refused for a number of more digits than Python reads."""
        for kind, start, end in zip(self.kinds, self.starts, self.ends, strict=True):
            if kind is _NUMBER and end - start > MAX_DIGITS:
                raise Refused(f"a number of {end - start} characters is too long", start, code="SC001")

    # -- where we are ---------------------------------------------------------------------------

    @property
    def items(self) -> Sequence[Token]:
        """The tokens as values."""
        return _Items(self)

    @property
    def end(self) -> bool:
        """Whether all tokens are consumed."""
        return self.at >= self.size

    def offset(self, index: int | None = None) -> int:
        """Where the current (or that) token starts in the text."""
        index = self.at if index is None else index
        return self.starts[index] if index < self.size else len(self.text)

    def last_end(self) -> int:
        """Where the last consumed token ends, exclusive."""
        return self.ends[self.at - 1] if 0 < self.at <= self.size else 0

    def peek(self, ahead: int = 0) -> str:
        """The word or punctuation that comes next, '' for names in quotes, strings, numbers and the end."""
        index = self.at + ahead
        return self.words[index] if index < self.size else ""

    def kind(self, ahead: int = 0) -> TokenType | None:
        """The type of the token that comes next."""
        index = self.at + ahead
        return self.kinds[index] if index < self.size else None

    def raw(self, index: int) -> str:
        """A token as it is written."""
        return self.text[self.starts[index] : self.ends[index]]

    def slice(self, first: int, last: int) -> str:
        """The text of tokens first..last (exclusive), without comments, white space single; `<>` is one."""
        if first >= last:
            return ""
        text = self.text[self.starts[first] : self.ends[last - 1]]
        text = unzoned(text) if "/*" in text else text
        if "/*" in text or "#" in text or "--" in text or "\n" in text:
            gaps = [" " * (self.starts[index] > self.ends[index - 1]) for index in range(first + 1, last)]
            return "".join(gap + self.raw(index) for index, gap in enumerate(["", *gaps], first))
        return text

    # -- consuming ------------------------------------------------------------------------------

    def take(self, *words: str) -> bool:
        """Consume these words in a row if they come next."""
        at = self.at
        entries = self.words
        if entries[at] != words[0]:
            return False
        count = len(words)
        if count > 1 and tuple(entries[at : at + count]) != words:
            return False
        self.at = at + count
        return True

    def take_any(self, *words: str) -> str | None:
        """Consume one of these words if it comes next, and say which."""
        word = self.words[self.at]
        if word and word in words:
            self.at += 1
            return word
        return None

    def need(self, *words: str) -> None:
        """Consume these words or raise."""
        if not self.take(*words):
            raise self.fail(f"{' '.join(words)} expected")

    def fail(self, why: str = "") -> Refused:
        """The syntax error at the current token."""
        near = (
            self.text[self.offset() : self.offset() + 40].split("\n", 1)[0]
            if not self.end
            else "the end of the statement"
        )
        return Refused(
            f"not understood near {near!r}" + (f" ({why})" if why else ""), self.offset(), code="SC001"
        )

    def is_name(self, ahead: int = 0) -> bool:
        """Whether a name in quotes or an unquoted word comes next."""
        kind = self.kind(ahead)
        if kind is _QUOTED:
            return True
        if kind is not _VAR:
            return False
        word = self.raw(self.at + ahead)
        # An unquoted name has no character beyond the Basic Multilingual Plane, and is no introducer.
        return _ASTRAL.search(word) is None and not (word[0] == "_" and self._introduces(self.at + ahead))

    def _introduces(self, index: int) -> bool:
        """Whether this word is the name of a character set behind an underscore."""
        start = self.starts[index]
        return self.text[start - 1 : start] != "." and charset.known(self.raw(index)[1:])

    def name(self, reserved: frozenset[str] = frozenset()) -> str:
        """Consume an identifier; an unquoted reserved word is none."""
        if self.kind() is _QUOTED:
            self.at += 1
            return self.name_at(self.at - 1)
        if not self.is_name() or (self.kind() is _VAR and self.words[self.at] in reserved):
            raise self.fail("a name is expected")
        if self.kind() is _VAR and self.words[self.at] in FUNCTIONS and self._is_called(self.at):
            raise self.fail("a function's name is no name before a parenthesis: put it into backquotes")
        self.at += 1
        return self.name_at(self.at - 1)

    def _is_called(self, at: int) -> bool:
        """Whether a parenthesis touches a word (IGNORE_SPACE: comes behind it) which no dot touches."""
        if at + 1 >= self.size or self.words[at + 1] != "(":
            return False
        touches = self.starts[at + 1] == self.ends[at] or self.ignore_space
        return touches and not (at and self.words[at - 1] == "." and self.ends[at - 1] == self.starts[at])

    def name_at(self, index: int) -> str:
        """The identifier that a token is, without its quotes."""
        raw = self.text[self.starts[index] : self.ends[index]]
        if self.kinds[index] is _QUOTED:
            if raw in {"``", '""'}:
                raise Refused("a name is empty", self.starts[index], 1166)
            inner = raw[1:-1]
            return (
                inner
                if inner.isascii() and raw[0] not in inner
                else _ASTRAL.sub("?", inner.replace(raw[0] * 2, raw[0]))
            )
        return raw

    def is_string(self, ahead: int = 0) -> bool:
        """Whether a quoted string comes next."""
        return self.kind(ahead) is _STRING

    def string(self) -> str:
        """Consume one or more adjacent strings: their joint value."""
        if not self.is_string():
            raise self.fail("a string is expected")
        value = ""
        while self.is_string():
            value += unquote(self.raw(self.at), backslash=self.backslash)
            self.at += 1
        return value

    def one_string(self) -> str:
        """Consume one string; adjacent ones are not joined here."""
        if not self.is_string():
            raise self.fail("a string is expected")
        self.at += 1
        return unquote(self.raw(self.at - 1), backslash=self.backslash)

    def is_number(self, ahead: int = 0) -> bool:
        """Whether an unsigned number comes next."""
        return self.kind(ahead) is _NUMBER

    def integer(self) -> int:
        """Consume an unsigned integer."""
        digits = self.raw(self.at) if self.is_number() else ""
        if not characters.is_digits(digits) or len(digits) > MAX_DIGITS:
            raise self.fail("a number is expected")
        self.at += 1
        return int(digits)

    def skip_parentheses(self) -> tuple[int, int]:
        """Consume `( ... )`; the token range between the outer parentheses."""
        self.need("(")
        first = self.at
        depth = 1
        words = self.words
        for index in range(first, self.size):
            word = words[index]
            if word == "(":
                depth += 1
            elif word == ")":
                depth -= 1
                if depth == 0:
                    self.at = index + 1
                    return first, index
        self.at = self.size
        raise self.fail("a closing parenthesis is missing")


def tokens_of(text: str, server: Server) -> Tokens:
    """The words of a statement under a server's sql_mode. Raises Refused."""
    modes = server.sql_mode
    return Tokens(
        text, ansi_quotes="ANSI_QUOTES" in modes, backslash="NO_BACKSLASH_ESCAPES" not in modes,
        ignore_space="IGNORE_SPACE" in modes,
    )  # fmt: skip


def _unclosed(opened: str) -> str:
    what = {"/*": "this comment", "`": "this name in backquotes", "$": "this text in dollar quotes"}
    if opened == "@":
        return "a name is expected directly behind @"
    if len(opened) == 2 and opened[0] in "xXbB":
        return "these digits are not those of a hexadecimal or binary string"
    return f"{what.get(opened, 'this string')} is not closed"
