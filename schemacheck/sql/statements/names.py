"""What the readers of statements share: names, lists of names, places in a statement's words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from schemacheck.knowledge import characters
from schemacheck.sql.cut import TokenType
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.statements.value import Name


def name(t: Tokens) -> Name | None:
    """A name with an optional database; None where there is none."""
    first = _identifier(t)
    if first is None:
        return None
    if not t.take("."):
        return None, first
    second = _identifier(t)
    return (first, second) if second is not None else None


def names(t: Tokens) -> list[Name]:
    """Names between commas."""
    result = []
    while (table_name := name(t)) is not None:
        result.append(table_name)
        if not t.take(","):
            break
    return result


def skip(t: Tokens, *words: str) -> frozenset[str]:
    """Go over any of these words in any order; those that were there."""
    result = set()
    while (word := t.take_any(*words)) is not None:
        result.add(word)
    return frozenset(result)


def find(t: Tokens, *words: str) -> str:
    """Go behind the next of these words outside parentheses; '' and the end if there is none."""
    depth = 0
    while not t.end:
        word = t.peek()
        t.at += 1
        depth += (word == "(") - (word == ")")
        if depth == 0 and word in words:
            return word
    return ""


def rest(t: Tokens) -> str:
    """The text from here to the end."""
    return t.text[t.offset() :] if not t.end else ""


def _identifier(t: Tokens) -> str | None:
    try:
        return t.name()
    except Refused:
        return None


NOTHING: Mapping[int, str] = MappingProxyType({})
#: Words in which sqlglot sees names, too.
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789$")


def plain(t: Tokens, first: int = 0, last: int | None = None, *, instead: Mapping[int, str] = NOTHING) -> str:
    """These words in a spelling that does not hang on the server's sql_mode and has no comments, for
    sqlglot's tokenizer: names that are not plain in backquotes, strings in single quotes with backslashes.
    `instead`: texts to write for some of the words.
    """
    pieces: list[str] = []
    end = -1
    for index in range(first, t.size if last is None else last):
        raw, kind = instead.get(index, t.raw(index)), t.kinds[index]
        if index in instead:
            pass
        elif kind is TokenType.STRING:
            value = t.items[index].text
            # Texts of LIKE keep their backslashes.
            raw = "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
        elif kind is TokenType.IDENTIFIER or (kind is TokenType.VAR and not _PLAIN.issuperset(raw)):
            raw = "`" + t.name_at(index).replace("`", "``") + "`" if len(raw) > 2 else raw
        elif kind is TokenType.VAR and characters.is_digits(raw[0]):
            raw = f"`{raw}`"
        pieces.append(raw if t.starts[index] == end else f" {raw}")
        end = t.ends[index]
    return characters.strip("".join(pieces))
