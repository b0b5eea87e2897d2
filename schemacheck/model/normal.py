"""One spelling for what servers spell differently: default values, expressions, the order of keys.

DDL text and information_schema rows both end here, so that the same table is the same value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from schemacheck.model.expression import canonical
from schemacheck.model.quote import unzoned, where_needed
from schemacheck.model.table import Check, ForeignKey, KeyKind
from schemacheck.model.words import PLAIN, introduces, is_introducer
from schemacheck.model.words import tokens as words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from schemacheck.model.table import Column, Key

_WORDLIKE = frozenset(["word", "name", "string", "number", "bits"])


@lru_cache(maxsize=16_384)
def expression(text: str, modes: frozenset[str] = PLAIN) -> str:
    """An expression's one spelling: lower case outside strings, no needless quotes, introducers, blanks or
    outer parentheses.

    `modes` is the sql_mode under which it was written (ANSI_QUOTES, PIPES_AS_CONCAT, ...). Needless
    parentheses go, synonyms of functions become one (`schemacheck.model.expression`); it does not compute or
    reorder: two expressions that mean the same may still differ.
    """
    text = unzoned(text)
    result = canonical(text, modes)
    if result is not None:
        return result
    tokens: list[tuple[str, str]] = []
    for kind, word in words(text, modes):
        value = word
        if kind == "string":
            if (
                tokens
                and tokens[-1][0] == "word"
                and is_introducer(tokens[-1][1])
                and not introduces(tokens[-1][1], value)
            ):
                tokens.pop()
        elif kind == "name":
            value = where_needed(value[1:-1].replace("``", "`"))
        elif value == "<>":
            value = "!="
        elif value == "not" and "HIGH_NOT_PRECEDENCE" in modes:
            value = "!"
        tokens.append((kind, value))
    while len(tokens) > 1 and tokens[0][1] == "(" and _closing(tokens) == len(tokens) - 1:
        tokens = tokens[1:-1]
    out: list[str] = []
    before = ""
    for kind, value in tokens:
        if kind in _WORDLIKE and before in _WORDLIKE:
            out.append(" ")
        out.append(value)
        before = kind
    return "".join(out)


def _closing(tokens: list[tuple[str, str]]) -> int:
    """The index of the parenthesis that closes the first token's, or -1."""
    depth = 0
    for index, (kind, value) in enumerate(tokens):
        if kind == "operator":
            depth += (value == "(") - (value == ")")
            if depth == 0:
                return index
    return -1


def binary_literal(value: bytes) -> str:
    """A binary default's one spelling: text where it is UTF-8, else `0x...`."""
    bare = value.rstrip(b"\0")
    try:
        return bare.decode("utf-8")
    except UnicodeDecodeError:
        return "0x" + bare.hex()


_RANK = {
    KeyKind.PRIMARY: 0,
    KeyKind.UNIQUE: 1,
    KeyKind.INDEX: 2,
    KeyKind.VECTOR: 2,
    KeyKind.SPATIAL: 3,
    KeyKind.FULLTEXT: 4,
}


def keys(result: Iterable[Key]) -> tuple[Key, ...]:
    """Keys in one order, by kind (primary, unique, index, spatial, fulltext) and name."""
    return tuple(sorted(result, key=lambda key: (_RANK[key.kind], key.name.casefold())))


def key_order(result: Iterable[Key], columns: dict[str, Column]) -> tuple[str, ...]:
    """The keys' names in the server's order (`sort_keys`): primary, unique, others, FULLTEXT."""

    def rank(key: Key) -> int:
        parts = [columns.get(p.column.casefold()) if p.column else None for p in key.parts]
        nulls = any(column is None or column.nullable for column in parts)
        if key.unique:
            return 0 if key.kind is KeyKind.PRIMARY else 1 + nulls
        return 3 + (key.kind is KeyKind.FULLTEXT)

    return tuple(key.name for key in sorted(result, key=rank))


_Named = TypeVar("_Named", Check, ForeignKey)


def by_name(nameds: Iterable[_Named]) -> tuple[_Named, ...]:
    """Checks or foreign keys in the order of their names."""
    return tuple(sorted(nameds, key=lambda entry: entry.name.casefold()))
