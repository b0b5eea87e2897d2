"""The patterns and places of a client's text: comments, strings and lines as `add_line` (client/mysql.cc)
knows them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from schemacheck.knowledge import characters
from schemacheck.sql.client import Client, skip_comments

INLINE = " \t\v\f\r"
#: A comment of a whole line, as the clients know it: behind `--` a blank must come, a control character does
#: not do.
LINE_COMMENT = rf"\#[^\n]*+|--[{INLINE}][^\n]*+|--\n|--\Z"


@cache
def plain(backslash: bool, escaped_names: bool) -> re.Pattern[str]:
    """All up to a semicolon, a backslash outside of strings, or a quote that is not closed."""
    single = characters.string("'", backslash=backslash)
    double = characters.string('"', backslash=escaped_names)
    return re.compile(rf"(?:[^'\"`\#\-\\;]++|{single}|{double}|`[^`]*+`|{LINE_COMMENT}|-)*+", re.DOTALL)


@lru_cache(maxsize=64)
def events(delimiter: str, backslash: bool, escaped_names: bool, dollar: bool) -> re.Pattern[str]:
    """What may end a statement or change how the rest is read."""
    strings = "|".join((
        characters.string("'", backslash=backslash), characters.string('"', backslash=escaped_names),
        "`[^`]*+`",
    ))  # fmt: skip
    kinds = {
        "back": r"\\",
        "delimiter": re.escape(delimiter),
        "line": LINE_COMMENT,
        "open": r"/\*",
        "close": r"\*/",
        "string": strings,
        "quote": "['\"`]",
        "newline": r"\n",
        "dollar": rf"(?<!{characters.NAME})\$[0-9A-Za-z_\x80-\U0010ffff]*+\$" if dollar else r"(?!)",
    }
    return re.compile("|".join(f"(?P<{name}>{kind})" for name, kind in kinds.items()), re.DOTALL)


#: A statement that is one versioned comment, as dumps have it: a line without anything that a client sees.
VERSIONED = re.compile(r"/\*!(?:[A-Za-z0-9_@=,.() ]++|`[A-Za-z0-9_]*+`)*\*/;")
#: Blanks and comments of a line, as far as all clients know them. (Not possessive: CPython before 3.11.4 does
#: not step back there.)
_DROPPED = re.compile(rf"(?:{characters.SPACE}++|\#[^\n]*+|--(?={characters.SPACE}|\Z)[^\n]*+)*")
COMMENT_LINE = re.compile(LINE_COMMENT)
#: What may be a command's name at the beginning of a line or of a statement.
CANDIDATE = re.compile(
    r"(?:\?|clear|connect|delimiter|edit|ego|exit|go|help|nopager|notee|pager|print|prompt|quit|rehash|source|status|system"
    r"|tee|use|charset|warnings|nowarning|costs|sandbox|resetconnection|query_attributes|ssl_session_data_print)",
    re.IGNORECASE | re.ASCII,
)
#: A line of a statement that the client joins with the next one, because it begins like DELIMITER
#: (`add_line`).
_PART = rf"(?:{characters.NAME}|['\"`])"
_JOINED = re.compile(rf"(?:\A|\n)delimiter(?:[^\n]*{_PART})?(?=\n{_PART})", re.IGNORECASE | re.ASCII)


#: A comment behind two dashes, which begin one themselves where the client takes it out.
DASHED = re.compile(rf"--(?:\#|--(?:[{INLINE}\n]|\Z))")


def line_end(text: str, at: int) -> int:
    """Where the line ends, before its newline."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def hint_end(text: str, at: int) -> int:
    """Behind a hint, in which nothing counts; it ends with its line at the latest."""
    eol = line_end(text, at)
    end = text.find("*/", at, eol)
    return end + 1 if end >= 0 else eol


def behind_dropped(text: str, at: int) -> int:
    """Where blanks and comments of a line end that begin at `at`, between two statements."""
    match = _DROPPED.match(text, at)
    return match.end() if match is not None else at


def behind_blanks(text: str, at: int) -> int:
    """Where the blanks of this line begin that end at `at`."""
    while at and text[at - 1] in INLINE:
        at -= 1
    return at


def two_dashes(text: str, at: int, client: Client) -> bool:
    """Whether a comment begins with two dashes at the beginning of a statement."""
    if not text.startswith("--", at):
        return False
    return client.dashes or text[at + 2 : at + 3] in ("", *characters.BLANK)


def begins_comment(text: str, at: int, client: Client) -> bool:
    """Whether a comment begins here that the client takes for one: none that a server may run."""
    if not text.startswith("/*", at) or text.startswith("!", at + 2):
        return False
    return not text.startswith("M!" if client.mariadb else "+" if client.hints else "!", at + 2)


def comment_end(text: str, at: int, client: Client, *, in_versioned: bool = False) -> int:
    """Behind a comment's `*/`, -1 where there is none; `at` is behind its `/*`.

    Where a versioned comment (or a hint) begins in the same line, be it before or inside of the comment, the
    next `*/` of that line ends only that one to the client. Another `/*` inside is passed over whole: `/*/`
    closes nothing.
    """
    marks = ("!", "+") if client.hints else ("!",)
    hint = False
    last = at
    while match := _COMMENT_EDGE.search(text, at):
        begin, at = match.start(), match.end()
        if in_versioned and text.find("\n", last, begin) >= 0:
            in_versioned = hint = False
        last = begin
        if match.group() == "/*":
            if text.startswith(marks, at):
                in_versioned, hint = True, text.startswith("+", at)
                at -= 1
            elif hint or text.startswith("M!" if client.mariadb else "\0", at):
                at -= 1
        elif in_versioned:
            in_versioned = hint = False
            at -= 1
        else:
            return at
    return -1


_COMMENT_EDGE = re.compile(r"/\*|\*/")


def only_comments(text: str) -> bool:
    """Whether a client that keeps comments finds nothing else in its buffer."""
    return skip_comments(text) >= len(text)


_NAME = re.compile(characters.NAME)


def joins_lines(text: str) -> bool:
    """Whether the client joins two lines of a statement's text."""
    return "delimiter" in text.lower() and _JOINED.search(text) is not None


def joined(text: str, begin: int, behind: int) -> bool:
    """Whether what the client takes out of a text, from `begin` to `behind`, leaves something else than a
    blank would: two parts of a name without a blank between them, two dashes that begin a comment now, or a
    line that begins like DELIMITER.

    It puts a blank behind a comment, except before a character beyond ASCII.
    """
    if text.endswith("--", 0, begin) or text[behind : behind + len("delimiter")].lower() == "delimiter":
        return True
    if text[begin] == "\\" and text[behind : behind + 1] == "\n":
        # Nothing is left of a backslash at the end of a line.
        line = text[text.rfind("\n", 0, begin) + 1 : begin] + text[behind : behind + 2]
        return joins_lines(line)
    if not (_NAME.match(text[begin - 1 : begin]) and _NAME.match(text[behind : behind + 1])):
        return False
    return text[begin] != "/" or not text[behind].isascii()
