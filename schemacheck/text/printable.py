"""Text that others wrote (names, comments, file names, a server's messages), made harmless for terminals and
line readers.

A control character can steer a terminal; a line break can begin a line that a reader takes for a command
(GitHub's runner obeys `::stop-commands::` at a line's start and `##[...]` anywhere, a person may run a line
of SQL).
"""

from __future__ import annotations

import re
from typing import Any

#: Words that GitHub's runner obeys: at the start of a line, blanks not counted, and anywhere in it.
_OBEYED = re.compile(r"^([^\S\n]*+):(?=:)|#(?=#\[)", re.MULTILINE)
#: What JSON may hold raw and a terminal or an editor may obey: the second control block, direction marks,
#: line separators.
_STEERS = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
#: Names, strings and comments, one after the other; a backslash may be a character like any other.
_QUOTED = tuple(
    re.compile(
        rf"`[^`]*`?|'(?:[^'{stop}]{escape})*'?|\"(?:[^\"{stop}]{escape})*\"?|--[^\n]*|#[^\n]*|/\*.*?\*/",
        re.DOTALL,
    )
    for stop, escape in (("\\\\", r"|\\."), ("", ""))
)


def visible(text: str) -> str:
    r"""`text` without anything that steers a terminal: control and direction characters as \\xNN; lines stay,
    a tab is four spaces.
    """
    if text.isprintable():
        return text
    out = []
    for char in text:
        if char == "\t":
            out.append("    ")
        elif char == "\n" or char.isprintable():
            out.append(char)
        else:
            out.append(f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}")
    return "".join(out)


def one_line(text: str) -> str:
    r"""`text` on one line: as `visible`, with line breaks as \\n, and nothing that a runner obeys."""
    shown = visible(text)
    if "\n" in shown:
        shown = shown.replace("\n", "\\n")
    return disarmed(shown)


def disarmed(text: str) -> str:
    """Lines of which none is a command for a runner that reads them."""
    if "::" not in text and "##[" not in text:
        return text
    return _OBEYED.sub(lambda match: f"{match[1]}\\x3a" if match[0][-1] == ":" else "\\x23", text)


def statement_lines(sql: str) -> list[str]:
    """A statement's lines; just one where a name or string holds a line break."""
    quoted = (match.group() for pattern in _QUOTED for match in pattern.finditer(sql))
    if any("\n" in text and text[0] in "`'\"" for text in quoted):
        return [one_line(sql)]
    return [visible(line) for line in sql.splitlines()]


def as_json(value: object) -> str:
    """A value as a page of JSON, ending with a newline."""
    import json

    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def json_text(text: str) -> str:
    r"""JSON in which what steers a terminal is written as \\uNNNN."""
    return _STEERS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """`object_pairs_hook`. Raises ValueError for a key that is there twice."""
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise ValueError(f"the key {name[:80]!r} is there twice in one object")
        made[name] = value
    return made
