"""Expressions as a server keeps them: in one spelling, and what MariaDB loses when it writes them down."""

from __future__ import annotations

import re

from schemacheck.catalog.context import Context
from schemacheck.model import charset as charsets
from schemacheck.model import normal
from schemacheck.model.quote import string, unquote
from schemacheck.model.words import MARIADB, MYSQL, is_introducer, tokens

_CHAR_USING = re.compile(r"((?<![a-z_])char\([^()']*) using [a-z0-9]+\)", re.ASCII)
_WEEK = re.compile(r"(?<![a-z_])(week\((?:[^(),]|\([^()]*\))*)\)", re.ASCII)
#: What lasts of the sql_mode behind the words of an expression, and whose it is.
_LASTING = frozenset(("HIGH_NOT_PRECEDENCE", MARIADB, MYSQL))


def printed(text: str, context: Context, *, plain: bool = False) -> str:
    """The expression's one spelling behind SHOW CREATE TABLE. `plain`: it is written under no sql_mode but
    those that last.
    """
    modes = context.modes & _LASTING if plain else context.modes
    if not context.server.mariadb:
        # MySQL prints no character set in CHAR(): what it reads back is a binary string; and WEEK's mode.
        return _WEEK.sub(r"\1,0)", _CHAR_USING.sub(r"\1)", normal.expression(text, modes)))
    if text.isascii():
        return normal.expression(text, modes)
    result = tokens(text, modes)
    pieces = []
    for (before, introducer), (kind, value) in zip([("", ""), *result], result, strict=False):
        introduced = kind == "string" and before == "word" and is_introducer(introducer)
        pieces.append(string(escaped(unquote(value), introducer[1:])) if introduced else value)
    return normal.expression(" ".join(pieces), context.modes & _LASTING)


def escaped(text: str, introducer: str) -> str:
    r"""A literal with an introducer, as MariaDB writes it into the table's definition: bytes beyond ASCII as
    `\\xNN`, which it reads back as `xNN` (`Item_string::print`, ErrConvString; asked of 10.11 and 11.8).
    """
    if charsets.canonical(introducer.lower()) in ("utf8mb3", "ucs2", "utf16", "utf16le", "utf32", "binary"):
        return text
    return "".join(chr(byte) if 0x20 <= byte <= 0x7E else f"x{byte:02X}" for byte in text.encode())
