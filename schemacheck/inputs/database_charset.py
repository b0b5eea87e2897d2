"""The character sets that scripts give to databases, for scripts that come after them in other files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.model import charset as charsets

if TYPE_CHECKING:
    from schemacheck.model import Server

_STATEMENT = re.compile(
    r"^\s*(?:CREATE|ALTER)\s+(?:DATABASE|SCHEMA)\b(?P<rest>[^;]{0,2000})", re.IGNORECASE | re.MULTILINE
)
_MARKS = re.compile(r"/\*M?!\d*|\*/")
_NAME = re.compile(
    r"\s*(?:IF\s+NOT\s+EXISTS\s+)?(?:`(?P<quoted>(?:[^`]|``)+)`|(?P<plain>[\w$]+))", re.IGNORECASE
)
_CHARSET = re.compile(r"\b(?:CHARACTER\s+SET|CHARSET)\s*=?\s*['\"`]?(?P<name>\w+)", re.IGNORECASE)
_COLLATE = re.compile(r"\bCOLLATE\s*=?\s*['\"`]?(?P<name>\w+)", re.IGNORECASE)


def of_script(text: str, server: Server) -> dict[str, tuple[str, str]]:
    """(character set, collation) of every database for which a CREATE or ALTER DATABASE statement names one."""
    out: dict[str, tuple[str, str]] = {}
    for statement in _STATEMENT.finditer(text):
        rest = _MARKS.sub(" ", statement["rest"])
        name = _NAME.match(rest)
        charset, collation = _CHARSET.search(rest), _COLLATE.search(rest)
        if name is None or (charset is None and collation is None):
            continue
        set_ = (
            charsets.canonical(charset["name"])
            if charset
            else charsets.of_collation(collation["name"])
            if collation
            else None
        )
        if set_ is None or not charsets.known(set_):
            continue
        default = charsets.default_collation(set_, server.flavor, server.version)
        plain = name["quoted"].replace("``", "`") if name["quoted"] else name["plain"]
        out[plain] = (set_, charsets.canonical_collation(collation["name"]) if collation else default)
    return out
