"""Which character set and collation a table or column has."""

from __future__ import annotations

import codecs
from functools import lru_cache

from schemacheck.model import charset as charsets
from schemacheck.model.server import Server
from schemacheck.sql.lexer import Refused

Pair = tuple[str | None, str | None]


@lru_cache(maxsize=4096)
def is_text(charset: str, encoding: str) -> bool:
    """Whether a server that takes a client's text for this character set sees the characters of a file that
    is read with this encoding of Python. It keeps binary as it is.
    """
    name = charsets.canonical(charset)
    if name == "binary":
        return True
    try:
        wanted, given = codecs.lookup(charsets.codec(name) or "").name, codecs.lookup(encoding).name
    except LookupError:
        return False
    return wanted == given or (name == "latin1" and given == "iso8859-1")


def representable(text: str, charset: str) -> str:
    """The text with a question mark for every character that the character set lacks."""
    return "".join("?" if charsets.holds(charset, character) is False else character for character in text)


def resolve(charset: str | None, collation: str | None, inherited: Pair, server: Server, at: int) -> Pair:
    """(character set, collation) of what was written and inherited. Raises Refused."""
    if charset is not None:
        if not charsets.has_charset(charset, server.has):
            raise Refused(f"character set {charset!r} is unknown", at, 1115)
        charset = charsets.canonical(charset)
    if collation is not None and collation.upper() == "DEFAULT":
        charset, collation = charset or inherited[0], None
    if collation is not None:
        if not charsets.has_collation(collation, server.has):
            raise Refused(f"collation {collation!r} is unknown", at, 1273)
        own = charsets.of_collation(collation)
        chosen = own or charset or inherited[0]
        unicode = "utf8" in (chosen or "utf8") or chosen in ("ucs2", "utf16", "utf32")
        if (charset and own and own != charset) or (own is None and not unicode):
            why = f"collation {collation!r} does not belong to character set {charset or chosen!r}"
            raise Refused(why, at, 1253)
        return chosen, charsets.full_collation(collation, chosen)
    if charset:
        return charset, server.default_collation(charset)
    return inherited
