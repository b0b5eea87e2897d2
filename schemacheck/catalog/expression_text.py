"""Expressions as a server keeps them: in one spelling, and what MariaDB loses when it writes them down."""

from __future__ import annotations

import re

from schemacheck.catalog.context import Context
from schemacheck.model import charset as charsets
from schemacheck.model import normal
from schemacheck.model.quote import string, unquote

_INTRODUCED = re.compile(r"(?<![\w`])_([a-z][a-z0-9]*)(\s*)('(?:[^'\\]|''|\\.)*')", re.IGNORECASE | re.DOTALL)


def printed(text: str, context: Context) -> str:
    """The expression's one spelling behind SHOW CREATE TABLE."""
    if context.server.mariadb and not text.isascii():
        text = _INTRODUCED.sub(
            lambda found: f"_{found[1]}{found[2]}{string(escaped(unquote(found[3]), found[1]))}", text
        )
    return normal.expression(text, context.modes)


def escaped(text: str, introducer: str) -> str:
    r"""A literal with an introducer, as MariaDB writes it into the table's definition: bytes beyond ASCII as
    `\\xNN`, which it reads back as `xNN` (`Item_string::print`, ErrConvString; asked of 10.11 and 11.8).
    """
    if charsets.canonical(introducer.lower()) in ("utf8mb3", "ucs2", "utf16", "utf16le", "utf32", "binary"):
        return text
    return "".join(chr(byte) if 0x20 <= byte <= 0x7E else f"x{byte:02X}" for byte in text.encode())
