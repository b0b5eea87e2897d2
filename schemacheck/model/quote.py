"""Names and strings in SQL's quotes, as the servers print them, and back.

Every SQL text that is written here (definitions, remedies, plans, canonical expressions) quotes with these
two, so that reading it back gives the same name and the same value.
"""

from __future__ import annotations

import re

_ZONED = re.compile(r"\bTIMESTAMP/\*WITH LOCAL TIME ZONE\*/('[^']*?)(?: 00:00:00)?'", re.ASCII)
_PLAIN = re.compile(r"[a-z_][a-z0-9_$]*\Z")
#: What SHOW CREATE TABLE and COLUMN_TYPE escape in a string (append_unescaped; seen on MySQL 5.6.24, 9.7.4,
#: MariaDB 10.11.19 and 11.8.6).
_PRINTED = str.maketrans({"\\": "\\\\", "'": "''", "\0": "\\0", "\n": "\\n", "\r": "\\r"})
_ESCAPES = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}
_ESCAPED = {
    ("'", True): re.compile(r"\\(.)|''", re.DOTALL), ('"', True): re.compile(r'\\(.)|""', re.DOTALL),
    ("'", False): re.compile(r"()''"), ('"', False): re.compile(r'()""'),
}  # fmt: skip


def quoted(name: str) -> str:
    """An identifier in backquotes."""
    return "`" + name.replace("`", "``") + "`"


def where_needed(name: str) -> str:
    """An identifier, in backquotes only where it is not a plain lower-case word."""
    return name if _PLAIN.match(name) else quoted(name)


def string(text: str) -> str:
    """A string literal. Not for servers under NO_BACKSLASH_ESCAPES."""
    return "'" + text.translate(_PRINTED) + "'"


def unquote(literal: str, *, backslash: bool = True) -> str:
    """The value of a quoted SQL string: doubled quotes and, with `backslash`, backslash escapes undone."""
    quote, body = literal[0], literal[1:-1]
    if quote not in body and "\\" not in body:
        return body
    return _ESCAPED[quote, backslash].sub(
        lambda m: _ESCAPES.get(m.group(1), m.group(1)) if m.group(1) else quote, body
    )


def unzoned(text: str) -> str:
    """An expression with its moments as they were written: where a TIMESTAMP is compared with '2000-01-01'
    MariaDB 11.8 prints TIMESTAMP/*WITH LOCAL TIME ZONE*/'2000-01-01 00:00:00'.
    """
    return _ZONED.sub(r"\1'", text)
