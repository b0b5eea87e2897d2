"""A logged statement without its values: statements that are alike but for them have one text."""

from __future__ import annotations

import re
from functools import cache

from schemacheck.knowledge import characters


@cache
def _literals(ansi_quotes: bool, backslash: bool) -> re.Pattern[str]:
    single, double = (characters.string(quote, backslash=backslash) for quote in "'\"")
    keep = characters.BACKQUOTED + ("|" + characters.string('"', backslash=False) if ansi_quotes else "")
    apart = f"(?<!{characters.NAME})"
    texts = single if ansi_quotes else f"{single}|{double}"
    number = r"0[xX][0-9A-Fa-f]++|(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
    comment = rf"(?!/\*M?!)(?:{characters.COMMENT})"  # what servers run is no comment
    blanks = rf"(?:{characters.SPACE}|{comment}){{2,}}+|[\t\n\v\f\r]|{comment}"
    return re.compile(
        rf"({keep})|(?:{apart}[nNxXbB])?(?:{texts})"
        rf"|{apart}(?<![`@.])(?:{number})(?!{characters.NAME})|({blanks})",
        re.DOTALL,
    )


_ROWS = re.compile(r"(\((?:[?, -]|NULL|DEFAULT)++\))(?:, ?\((?:[?, -]|NULL|DEFAULT)++\))++", re.IGNORECASE)
_LIST = re.compile(r"\bIN ?\([?, -]++\)", re.IGNORECASE | re.ASCII)


def normalised(text: str, *, ansi_quotes: bool = False, backslash: bool = True) -> str:
    """The statement without values and comments: `?` for a value, `...` for further ones."""

    def instead(match: re.Match[str]) -> str:
        return match[1] or (" " if match[2] else "?")

    short = _literals(ansi_quotes, backslash).sub(instead, text).strip(" ;")
    return _LIST.sub("IN (...)", _ROWS.sub(r"\1, ...", short))
