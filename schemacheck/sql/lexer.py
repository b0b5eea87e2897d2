"""sqlglot's tokenizer under the lexical rules of MySQL and MariaDB, and a cursor over its tokens.

Our dialect keeps words as words: sqlglot's keyword table would read INT8 as TINYINT and glue
PRIMARY KEY together. Its compiled parser cannot be subclassed ("interpreted classes cannot inherit
from compiled"), so the grammar of definitions stands in this package's modules, on these tokens;
expressions go to sqlglot's own MySQL parser (`expression.py`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from sqlglot.dialects.mysql import MySQL
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import TokenType

from schemacheck.model.quote import unquote

if TYPE_CHECKING:
    from sqlglot.tokenizer_core import Token


class Refused(Exception):
    """A statement that is no SQL of this server, or that it would refuse.

    `at` is the offset in the statement's text, `code` SC001 (syntax) or SC002 (not understood, or
    refused by the server for its meaning), `errno` the server's error number where it is known.
    """

    def __init__(self, message: str, at: int = 0, code: str = "SC001", errno: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.code = code
        self.errno = errno


class SchemacheckMySQL(MySQL):
    """MySQL's lexical rules without keywords: every unquoted word is a word."""

    class Tokenizer(MySQL.Tokenizer):
        """Plain words; backslash escapes."""

        KEYWORDS: ClassVar[dict[str, TokenType]] = {}
        COMMANDS: ClassVar[set[TokenType]] = set()


@cache
def _dialect(ansi_quotes: bool, backslash: bool) -> SchemacheckMySQL:
    """The dialect under ANSI_QUOTES and NO_BACKSLASH_ESCAPES. Made when needed: each costs a millisecond."""
    if backslash and not ansi_quotes:
        return SchemacheckMySQL()
    quotes = ["'"] if ansi_quotes else ["'", '"']

    class _Variant(SchemacheckMySQL):
        class Tokenizer(SchemacheckMySQL.Tokenizer):
            QUOTES: ClassVar[list[tuple[str, str] | str]] = list(quotes)
            IDENTIFIERS: ClassVar[list[str | tuple[str, str]]] = ["`", '"'] if ansi_quotes else ["`"]
            STRING_ESCAPES: ClassVar[list[str]] = [*quotes, "\\"] if backslash else list(quotes)

    return _Variant()


#: What an unquoted name may consist of, in all servers.
_NAME = re.compile(r"[0-9A-Za-z_$\u0080-\uffff]+")
#: Nesting beyond this is refused rather than followed: sqlglot's parser recurses.
MAX_DEPTH = 80
#: The most tokens of one statement: a table of 4,096 columns needs far fewer.
MAX_TOKENS = 400_000

#: Names are kept in utf8mb3: what lies beyond becomes a question mark.
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")

_STRING, _NATIONAL, _QUOTED, _NUMBER, _HEX, _BIT, _VAR = (
    TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.IDENTIFIER, TokenType.NUMBER,
    TokenType.HEX_STRING, TokenType.BIT_STRING, TokenType.VAR,
)  # fmt: skip
_OPAQUE = frozenset((_STRING, _NATIONAL, _QUOTED, _NUMBER, _HEX, _BIT))


class Tokens:
    """A cursor over one statement's tokens. `words` has unquoted words in upper case, punctuation as it is."""

    __slots__ = ("ansi", "at", "backslash", "items", "size", "text", "words")

    def __init__(self, text: str, *, ansi_quotes: bool = False, backslash: bool = True) -> None:
        self.text = text
        self.ansi = ansi_quotes
        self.backslash = backslash
        try:
            items: list[Token] = _dialect(ansi_quotes, backslash).tokenize(text)
        except TokenError as error:
            raise Refused(f"cannot be split into words: {_reason(error)}", 0) from None
        while items and items[-1].token_type is TokenType.SEMICOLON:
            items.pop()
        if len(items) > MAX_TOKENS:
            raise Refused(f"a statement of {len(items)} words is too long", 0)
        self.items = items
        self.size = len(items)
        self.words = ["" if t.token_type in _OPAQUE else t.text.upper() for t in items]
        self.words.append("")
        self.at = 0
        self._check_depth()

    def _check_depth(self) -> None:
        depth = 0
        for index, word in enumerate(self.words):
            if word == "(":
                depth += 1
                if depth > MAX_DEPTH:
                    raise Refused(
                        f"parentheses are nested more than {MAX_DEPTH} deep", self.items[index].start
                    )
            elif word == ")":
                depth -= 1

    # -- where we are ---------------------------------------------------------------------------

    @property
    def end(self) -> bool:
        """Whether all tokens are consumed."""
        return self.at >= self.size

    def offset(self, index: int | None = None) -> int:
        """Where the current (or that) token starts in the text."""
        index = self.at if index is None else index
        return self.items[index].start if index < self.size else len(self.text)

    def last_end(self) -> int:
        """Where the last consumed token ends, exclusive."""
        return self.items[self.at - 1].end + 1 if 0 < self.at <= self.size else 0

    def peek(self, ahead: int = 0) -> str:
        """The word or punctuation that comes next, '' for names in quotes, strings, numbers and the end."""
        index = self.at + ahead
        return self.words[index] if index < self.size else ""

    def kind(self, ahead: int = 0) -> TokenType | None:
        """The type of the token that comes next."""
        index = self.at + ahead
        return self.items[index].token_type if index < self.size else None

    def raw(self, index: int) -> str:
        """A token as it stands in the text."""
        token = self.items[index]
        return self.text[token.start : token.end + 1]

    def slice(self, first: int, last: int) -> str:
        """The text of tokens first..last (exclusive), without comments, white space made single."""
        if first >= last:
            return ""
        text = self.text[self.items[first].start : self.items[last - 1].end + 1]
        if "/*" in text or "#" in text or "--" in text or "\n" in text:
            return " ".join(self.raw(index) for index in range(first, last))
        return text

    # -- consuming ------------------------------------------------------------------------------

    def take(self, *words: str) -> bool:
        """Consume these words in a row if they come next."""
        at = self.at
        known = self.words
        if known[at] != words[0]:
            return False
        count = len(words)
        if count > 1 and tuple(known[at : at + count]) != words:
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
        return Refused(f"not understood near {near!r}" + (f" ({why})" if why else ""), self.offset())

    def is_name(self, ahead: int = 0) -> bool:
        """Whether a name in quotes or an unquoted word comes next."""
        kind = self.kind(ahead)
        if kind is _QUOTED:
            return True
        return kind is _VAR and _NAME.fullmatch(self.items[self.at + ahead].text) is not None

    def name(self, reserved: frozenset[str] = frozenset()) -> str:
        """Consume an identifier; an unquoted reserved word is none."""
        if not self.is_name() or (self.kind() is _VAR and self.words[self.at] in reserved):
            raise self.fail("a name is expected")
        self.at += 1
        return self.name_at(self.at - 1)

    def name_at(self, index: int) -> str:
        """The identifier that a token is, without its quotes."""
        token = self.items[index]
        if token.token_type is _QUOTED:
            raw = self.text[token.start : token.end + 1]
            if raw in {"``", '""'}:
                raise Refused("a name is empty", token.start, "SC002", 1166)
            return _ASTRAL.sub("?", raw[1:-1].replace(raw[0] * 2, raw[0]))
        return token.text

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
        if not self.is_number() or not self.items[self.at].text.isdigit():
            raise self.fail("a number is expected")
        self.at += 1
        return int(self.items[self.at - 1].text)

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


def _reason(error: TokenError) -> str:
    cause = str(error.__cause__ or error).split("\n", 1)[0]
    return cause[:120]
