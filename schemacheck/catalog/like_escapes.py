"""What MariaDB takes behind ESCAPE: a constant of at most one character (asked of 10.11 and 11.8)."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.catalog.constant import NULL, NotComputed, octets_of, text_of
from schemacheck.catalog.constant_value import value_of
from schemacheck.model.expression_tree import Item, NoTree, TooHigh, tree
from schemacheck.sql.lexer import Refused


def check(text: str, at: int, modes: frozenset[str]) -> None:
    """Raise Refused for an expression with another ESCAPE, and for one of which that is not known."""
    if "escape" not in text.lower():
        return
    try:
        found: list[Item | None] = list(_escapes(tree(text, modes)[0]))
    except (NoTree, TooHigh):
        found = [None] if "like" in text.lower() else []
    for one in found:
        fits = _is_character(one) if one is not None else None
        if fits is None:
            raise Refused("whether ESCAPE takes this is not known: write one character", at)
        if not fits:
            raise Refused("ESCAPE takes a constant of one character", at, "SC002", 1210)


def _escapes(item: Item) -> Iterator[Item]:
    """What stands behind each ESCAPE."""
    if item.kind == "call" and item.name == "like" and len(item.args) > 2:
        yield item.args[2]
    for one in item.args:
        yield from _escapes(one)


def _is_character(item: Item) -> bool | None:
    """Whether it is a constant of at most one character; None where that is not known."""
    if _has_column(item):
        return False
    if item.kind == "number" and (item.value[:1] == "0" != item.value or item.value[-1:] == "."):
        # 007 is printed as 7.
        return None
    try:
        found = value_of(item)
        if found.value is None or found == NULL:
            return True
        octets = octets_of(found) if isinstance(found.value, bytes) else text_of(found).encode()
        size = len(octets.decode())
    except (NotComputed, UnicodeDecodeError):
        return None
    # Beyond ASCII it depends on the character set of an introducer or a function.
    plain = item.kind == "string" and not item.charset
    return size < 2 if plain or octets.isascii() else None


def _has_column(item: Item) -> bool:
    return item.kind == "column" or any(map(_has_column, item.args))
