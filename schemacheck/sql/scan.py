"""A look at a statement's text before it is understood: its words, and what stands in it by mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from schemacheck.sql.script import COMMENT, strings


@cache
def _token(backslash: bool) -> re.Pattern[str]:
    return re.compile(
        r"(?P<blank>\s++|"
        + COMMENT
        + ")|(?P<opaque>"
        + strings(backslash=backslash)
        + r"|`[^`]*+`)|[\w$]++|:=|.",
        re.DOTALL,
    )


def tokens(text: str, *, backslash: bool = True) -> Iterator[str]:
    """Words in capitals and punctuation, without comments; strings and quoted names come as a single quote."""
    for found in _token(backslash).finditer(text):
        if found.lastgroup != "blank":
            yield "'" if found.lastgroup == "opaque" else found.group().upper()


#: A statement that makes or changes a table or what tables depend on; GRANT's lists of privileges name no object.
_DEFINES = (
    r"\b(?:CREATE|ALTER|DROP|RENAME)\s+(?:(?:OR\s+REPLACE|UNIQUE|FULLTEXT|SPATIAL|ONLINE|OFFLINE|IGNORE)\s+)*"
    r"(?:(?:TABLES?|VIEW|SEQUENCE|DATABASE|SCHEMA)\s+(?!ON\b|FOR\b)|INDEX\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?[^\s(,]+\s+ON\s+)(?=[`\"\w])"
)
_MAYBE = re.compile(_DEFINES, re.IGNORECASE)


@cache
def _defines(backslash: bool) -> re.Pattern[str]:
    return re.compile(
        strings(backslash=backslash) + "|`[^`]*+`|" + COMMENT + "|(?P<found>" + _DEFINES + ")",
        re.DOTALL | re.IGNORECASE,
    )


def defined_inside(text: str, skip: int, *, backslash: bool = True) -> list[int]:
    """Where behind the first `skip` words statements begin that define something: a semicolon before them is missing."""
    if not _MAYBE.search(text):
        return []
    words = (found.end() for found in _token(backslash).finditer(text) if found.lastgroup != "blank")
    at = list(islice(words, skip))[-1]
    return [
        found.start()
        for found in _defines(backslash).finditer(text)
        if found.lastgroup == "found" and found.start() >= at
    ]


_DELIMITER = r"^[ \t]*DELIMITER[ \t]+\S"


def delimiter_inside(text: str, *, backslash: bool = True) -> int | None:
    """Where a line with DELIMITER stands in a statement: the client does not see it there (recorded on three clients)."""
    if not re.search(_DELIMITER, text, re.IGNORECASE | re.MULTILINE):
        return None
    pattern = strings(backslash=backslash) + "|`[^`]*+`|" + COMMENT + "|(?P<found>" + _DELIMITER + ")"
    return next(
        (
            found.start()
            for found in re.finditer(pattern, text, re.DOTALL | re.IGNORECASE | re.MULTILINE)
            if found.lastgroup == "found"
        ),
        None,
    )
