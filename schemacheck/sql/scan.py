"""A look at a statement's text before it is understood: its words, and what is in it by mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice

from schemacheck.knowledge import characters
from schemacheck.knowledge.characters import BACKQUOTED, COMMENT, NAME, SPACE


@cache
def _strings(backslash: bool) -> str:
    return "|".join((*(characters.string(quote, backslash=backslash) for quote in "'\""), BACKQUOTED))


@cache
def _token(backslash: bool) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<blank>{SPACE}++|{COMMENT})|(?P<opaque>{_strings(backslash)})|{NAME}++|:=|.", re.DOTALL
    )


def tokens(text: str, *, backslash: bool = True) -> Iterator[str]:
    """Words in capitals and punctuation, without comments; strings and quoted names are a single quote."""
    for match in _token(backslash).finditer(text):
        if match.lastgroup != "blank":
            yield "'" if match.lastgroup == "opaque" else characters.upper(match.group())


_SAVED = re.compile(rf"@(OLD_{NAME}++){SPACE}*+:?={SPACE}*+@@")


#: What programs that write schemas call themselves in the comments at the beginning.
_PROGRAM = re.compile(r"(?i)dump|export|phpmyadmin|workbench|heidi|sequel|navicat|adminer|generat|host:")


def never_given_back(text: str) -> tuple[int, str] | None:
    """Where a dump saves its last variable (`SET @OLD_SQL_MODE=@@SQL_MODE`), and its name, if none is given
    back behind what is created there, as dumps do at their end. Who writes a file by hand may not (Icinga's
    schema): it begins with a comment that names no program, and saves less than mysqldump does.
    """
    at = text.rfind("@OLD_")
    match = _SAVED.match(text, at) if at >= 0 else None
    if match is None or text.find("CREATE ", at) < 0:
        return None
    head = "\n".join(line for line in text[: text.find("@OLD_")].split("\n") if line.startswith("--"))
    by_hand = re.search(r"[A-Za-z]", head) and not _PROGRAM.search(head) and match.group(1) != "OLD_SQL_NOTES"
    return None if by_hand else (at, match.group(1))


#: Comments that a server reads.
_READ = "/*!", "/*M!", "/*+"


def one_spelling(text: str, *, backslash: bool = True) -> str:
    """The text with one blank between its words and none inside parentheses, without comments that no server
    reads (clients take them away), and everything but strings in lower case.
    """
    pieces = [""]
    for match in _token(backslash).finditer(text):
        piece = match.group()
        if match.lastgroup == "blank":
            piece = piece + "\n" if piece.startswith(_READ) else " "
        elif piece[0] not in "'\"":
            piece = piece.casefold()
        if piece == " " and pieces[-1] in ("", " ", "("):
            continue
        if piece == ")" and pieces[-1] == " ":
            pieces.pop()
        pieces.append(piece)
    return "".join(pieces).strip(" ")


@cache
def _comment() -> re.Pattern[str]:
    """A comment, or what may hold its marks; what is not closed goes on to the end."""
    return re.compile(
        r"""(?P<quoted> '(?:[^'\\]++|\\.|'')*+(?:'|\Z)
              | "(?:[^"\\]++|\\.|"")*+(?:"|\Z) | `(?:[^`]++|``)*+(?:`|\Z) )
          | (?P<comment> --(?=[\x00-\x20\x7f]|\Z)[^\n]*+ | \#[^\n]*+ | /\*.*?(?:\*/|\Z) )""",
        re.VERBOSE | re.DOTALL,
    )


def comments(text: str) -> Iterator[re.Match[str]]:
    """The comments of a script, in order, one that is not closed among them."""
    return (match for match in _comment().finditer(text) if match.lastgroup == "comment")


# Not possessive: CPython before 3.11.4 does not step back there.
_NOTHING = re.compile(rf"(?:{SPACE}++|{COMMENT}|;)*", re.DOTALL)


def is_nothing(text: str) -> bool:
    """Whether there are only blanks, comments and semicolons."""
    return _NOTHING.fullmatch(text) is not None


_GAP = rf"(?:{SPACE}|{COMMENT})++"
_BEHIND = rf"(?=[`\"]|{NAME})"
#: A statement that makes or changes a table or what tables depend on; GRANT's lists of privileges name no
#: object.
_DEFINES = (
    rf"(?<!{NAME})(?:CREATE|ALTER|DROP|RENAME){_GAP}"
    rf"(?:(?:OR{_GAP}REPLACE|UNIQUE|FULLTEXT|SPATIAL|ONLINE|OFFLINE|IGNORE){_GAP})*"
    rf"(?:(?:TABLES?|VIEW|SEQUENCE|DATABASE|SCHEMA){_GAP}(?!(?:ON|FOR)(?!{NAME})){_BEHIND}"
    rf"|INDEX{_GAP}(?:IF{_GAP}(?:NOT{_GAP})?EXISTS{_GAP})?(?:`[^`]*+`|{NAME}++){_GAP}ON{_GAP}{_BEHIND})"
)
_WORD = re.compile(f"{NAME}++")
_FLAGS = re.DOTALL | re.IGNORECASE | re.ASCII | re.MULTILINE
#: One of them with what may be behind it.
_VERB = re.compile(rf"(?:CREATE|ALTER|DROP|RENAME)(?={_GAP})", re.DOTALL)


@lru_cache(maxsize=64)
def _outside(wanted: str, backslash: bool) -> re.Pattern[str]:
    """What is looked for, and all in which it does not count."""
    return re.compile(f"{_strings(backslash)}|{COMMENT}|(?P<found>{wanted})", _FLAGS)


def defined_inside(text: str, skip: int, *, backslash: bool = True) -> list[int]:
    """Where behind the first `skip` words definitions begin: a semicolon before them is missing."""
    at = _behind_words(text, skip, backslash)
    # Much faster than a search for the words in any case, and as `created` or `dropped` are in most tables.
    capitals = text[at:].upper()
    if (
        "CREATE" not in capitals and "ALTER" not in capitals and "DROP" not in capitals
        and "RENAME" not in capitals
    ) or _VERB.search(capitals) is None:  # fmt: skip
        return []
    return [
        match.start()
        for match in _outside(_DEFINES, backslash).finditer(text, at)
        if match.lastgroup == "found"
    ]


def _behind_words(text: str, number: int, backslash: bool) -> int:
    """Where the first words of a text end."""
    if number == 1 and (first := _WORD.match(text)) is not None:
        return first.end()
    words = (match.end() for match in _token(backslash).finditer(text) if match.lastgroup != "blank")
    return list(islice(words, number))[-1]


_DELIMITER = r"^[ \t]*DELIMITER[ \t]+[^ \t\n\v\f\r]"


def delimiter_inside(text: str, *, backslash: bool = True) -> int | None:
    """Where a line with DELIMITER is in a statement: the client does not see it (recorded)."""
    if "DELIMITER" not in text.upper():
        return None
    result = (match for match in _outside(_DELIMITER, backslash).finditer(text) if match.lastgroup == "found")
    return next((match.start() for match in result), None)
