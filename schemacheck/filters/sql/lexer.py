"""Words of a MySQL or MariaDB statement, enough to find its verb and the names it lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from schemacheck.sql import characters

_TOKEN = re.compile(
    rf"""(?P<space> {characters.SPACE}++ | --(?=[\x00-\x20\x7f]|\Z)[^\n]*+ | \#[^\n]*+ | /\*(?!M?!).*?(?:\*/|\Z) | /\*M?![0-9]{{5,6}}{characters.SPACE}? | /\*M?! | \*/ )
      | (?P<quoted> {characters.BACKQUOTED} )
      | (?P<string> {characters.string("'")} | {characters.string('"')} )
      | (?P<variable> @@?[A-Za-z0-9_.$]+ | @`[^`]*` )
      | (?P<number> [0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?!{characters.NAME}) )
      | (?P<word> {characters.NAME}+ )
      | (?P<punct> . )""",  # noqa: E501
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word. `kind` is quoted, string, variable, number, word or punct; offsets count characters."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def upper(self) -> str:
        """The text of a keyword candidate in upper case; '' for anything that cannot be a keyword."""
        return characters.upper(self.text) if self.kind in ("word", "punct") else ""

    @property
    def name(self) -> str | None:
        """The identifier that this token can be, unquoted; a double-quoted string may be one
        (ANSI_QUOTES).
        """
        if self.kind == "word" or (
            self.kind == "number" and not characters.is_digits(self.text.replace(".", ""))
        ):
            return self.text
        if self.kind == "quoted":
            return self.text[1:-1].replace("``", "`")
        if self.kind == "string" and self.text[0] == '"':
            return self.text[1:-1].replace('""', '"')
        return None


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text, without blanks and comments; the content of `/*! ... */` counts."""
    return tuple(
        Token(m.lastgroup or "", m.group(), m.start(), m.end())
        for m in _TOKEN.finditer(text)
        if m.lastgroup != "space"
    )


def split(text: str) -> Iterator[str]:
    """The statements of a script, at each `;` outside quotes and outside the body of a stored program."""
    start, depth, program, cases = 0, 0, False, 0
    words: list[str] = []
    for token in tokens(text):
        if token.text == ";" and token.kind == "punct" and depth == 0:
            if words:
                yield characters.strip(text[start : token.start])
            start, words, program, cases = token.end, [], False, 0
            continue
        word = token.upper
        if (
            len(words) < 12
            and words[:1] in (["CREATE"], ["ALTER"])
            and word in ("TRIGGER", "PROCEDURE", "FUNCTION", "EVENT")
        ):
            program = True
        if program and word == "CASE" and words[-1:] not in (["END"], ["END OF CASE"]):
            cases += 1
        if program and word == "BEGIN":
            depth += 1
        elif program and word == "END" and cases:
            cases -= 1
            word = "END OF CASE"
        elif (
            program
            and depth
            and words[-1:] == ["END"]
            and word not in ("IF", "WHILE", "LOOP", "REPEAT", "CASE")
        ):
            depth -= 1
            if token.text == ";" and depth == 0:
                yield characters.strip(text[start : token.start])
                start, words, program = token.end, [], False
                continue
        words.append(word or token.kind)
    rest = characters.strip(characters.strip(text[start:]).rstrip(";"))
    if rest and words:
        yield rest


class Cursor:
    """Reads tokens from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.items = tokens(text)
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        """The keyword at this position, or '' (also at the end)."""
        position = self.at + ahead
        return self.items[position].upper if position < len(self.items) else ""

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.items)

    def take(self, *words: str) -> bool:
        """Skip this sequence of keywords if it stands here."""
        if all(self.peek(i) == word for i, word in enumerate(words)):
            self.at += len(words)
            return True
        return False

    def skip(self, *words: str) -> frozenset[str]:
        """Skip any of these keywords in any order; those that were there."""
        found = set()
        while self.peek() in words:
            found.add(self.peek())
            self.at += 1
        return frozenset(found)

    def find(self, *words: str) -> str:
        """Go behind the next of these keywords outside parentheses; '' and the end if there is none."""
        depth = 0
        while not self.done:
            word = self.peek()
            self.at += 1
            depth += (word == "(") - (word == ")")
            if depth == 0 and word in words:
                return word
        return ""

    def name(self) -> tuple[str | None, str] | None:
        """A name with an optional database: (database, name); None where no name stands."""
        first = self._identifier()
        if first is None:
            return None
        if self.peek() == ".":
            self.at += 1
            second = self._identifier()
            return (first, second) if second is not None else None
        return None, first

    def names(self) -> list[tuple[str | None, str]]:
        """Names between commas."""
        found = []
        while (name := self.name()) is not None:
            found.append(name)
            self._suffix()
            if not self.take(","):
                break
        return found

    def rest(self) -> str:
        """The text from here to the end."""
        return self.text[self.items[self.at].start :] if not self.done else ""

    def _suffix(self) -> None:
        """Skip `.*` behind a name."""
        if self.peek() == "." and self.peek(1) == "*":
            self.at += 2

    def _identifier(self) -> str | None:
        if self.done:
            return None
        found = self.items[self.at].name
        if found is not None:
            self.at += 1
        return found
