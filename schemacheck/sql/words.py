"""What a statement is about, by its first words: enough to pass over what is no table."""

from __future__ import annotations

import re
from functools import cache

from schemacheck.dataclass import dataclass
from schemacheck.knowledge import characters
from schemacheck.sql.cut import TokenType
from schemacheck.sql.lexer import Refused, Tokens

_DEFINES = ("CREATE", "ALTER", "DROP", "RENAME")
Name = tuple[str | None, str]

#: Statements that leave tables as they are.
PASSED = frozenset((
    "ANALYZE", "BEGIN", "BINLOG", "CACHE", "CALL", "CHANGE", "CHECK", "CHECKSUM", "CLONE", "COMMIT",
    "DEALLOCATE", "DELETE", "DESC", "DESCRIBE", "DO",
    "END", "EXECUTE", "EXPLAIN", "FLUSH", "GET", "GRANT", "HANDLER", "HELP", "INSERT", "INSTALL", "KILL",
    "LOAD", "LOCK", "MERGE", "OPTIMIZE",
    "PREPARE", "PURGE", "RELEASE", "REPAIR", "REPLACE", "RESET", "RESIGNAL", "RESTART", "REVOKE", "ROLLBACK",
    "SAVEPOINT", "SELECT", "SHOW", "SHUTDOWN",
    "SIGNAL", "START", "STOP", "UNINSTALL", "UNLOCK", "UPDATE", "VALUES", "WITH", "XA",
))  # fmt: skip
#: Statements that change nothing that is replicated. SIGNAL, KILL, SHUTDOWN and the like end a script.
UNREPLICATED = frozenset((
    "SET", "USE", "SELECT", "SHOW", "LOCK", "UNLOCK", "START", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT",
    "RELEASE", "XA", "DESC", "DESCRIBE", "EXPLAIN", "HELP", "VALUES",
    "CHECK", "CHECKSUM", "DEALLOCATE",
))  # fmt: skip
#: First words of definitions.
DEFINES = frozenset(("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE"))
ROUTINES = frozenset(("TRIGGER", "PROCEDURE", "FUNCTION", "EVENT", "PACKAGE"))
#: What else CREATE, ALTER and DROP make and unmake.
OTHERS = frozenset(
    (
        "USER",
        "ROLE",
        "SERVER",
        "TABLESPACE",
        "LOGFILE",
        "UNDO",
        "SPATIAL",
        "RESOURCE",
        "LIBRARY",
        "INSTANCE",
        "PREPARE",
        "SRID",
        "CATALOG",
    )
)
_OBJECTS = frozenset(
    ("TABLE", "VIEW", "SEQUENCE", "INDEX", "DATABASE", "SCHEMA", "TABLES", *ROUTINES, *OTHERS)
) - {"SPATIAL", "UNDO"}


_WORD_OR_SPACE = re.compile(
    rf"(?:{characters.SPACE}++|{characters.COMMENT})|(?P<word>[A-Za-z_][A-Za-z_0-9]*+)|(?P<other>"
    rf"{characters.string(chr(39))}|`[^`]*+`|.)",
    re.DOTALL,
)


def first_words(text: str, most: int = 14) -> list[str]:
    """A statement's first unquoted words in capitals, up to a parenthesis; [] where no word begins it."""
    words: list[str] = []
    for match in _WORD_OR_SPACE.finditer(text):
        if match.group("word"):
            words.append(match.group().upper())
            if len(words) >= most:
                break
        elif match.group("other") is not None and (
            # DEFINER=CURRENT_USER() goes on.
            not words or (match.group() == "(" and words[-1] != "CURRENT_USER")
        ):
            break
    return words


def defines_table(text: str) -> bool:
    """Whether a statement makes, changes, drops or renames a table."""
    words = first_words(text)
    return words[:1] != [] and words[0] in _DEFINES and object_of(words) == "TABLE"


def states_nothing(text: str) -> bool:
    """Whether a script has no statement, but comments that no server runs."""
    for match in _WORD_OR_SPACE.finditer(text):
        spoken = match.group("word") is not None or match.group("other") is not None
        if (spoken and match.group() != ";") or "/*!" in match.group() or "/*M!" in match.group():
            return False
    return True


def object_of(words: list[str]) -> str:
    """What a CREATE, ALTER or DROP is about: its first word that is no modifier."""
    if words[:1] == ["TRUNCATE"]:
        return "TABLE"
    return next((word for word in words[1:] if word in _OBJECTS), words[1] if len(words) > 1 else "")


def unknown_verb(verb: str) -> str:
    """What is said of a statement of which nothing else is known."""
    return f"{verb[:40]}: what it does to rows and tables is not known here"


_MAIN = ("SELECT", "VALUES", "TABLE", "INSERT", "REPLACE", "UPDATE", "DELETE")


def main_verb(text: str) -> str:
    """The verb behind the definitions of a WITH; '' where there is none. Raises nothing."""
    depth = 0
    try:
        words = Tokens(text).words
    except Refused:
        return ""
    for word in words:
        depth += (word == "(") - (word == ")")
        if depth == 0 and word in _MAIN:
            return "SELECT" if word in ("VALUES", "TABLE") else word
    return ""


def table_named(tokens: Tokens, database: str | None) -> Name | None:
    """The table's name of a statement that could not be read otherwise."""
    for index, word in enumerate(tokens.words[:12]):
        if word == "TABLE":
            tokens.at = index + 1
            tokens.take("IF", "NOT", "EXISTS") or tokens.take("IF", "EXISTS")
            if tokens.is_name():
                name = tokens.name()
                if tokens.take(".") and tokens.is_name():
                    return name, tokens.name()
                return database, name
    return None


@cache
def _cut() -> re.Pattern[str]:
    space, name = characters.SPACE, characters.NAME
    return re.compile(
        rf"(?<!{name})(?:TABLES?|ON){space}+(?:IF{space}+(?:NOT{space}+)?EXISTS{space}+)?"
        rf"(?:(`[^`]+`|\"[^\"]+\"|{name}+){space}*\.{space}*)?(`[^`]+`?|\"[^\"]+\"|{name}+)",
        re.IGNORECASE | re.ASCII,
    )


def cut_name(text: str, database: str | None) -> Name | None:
    """The table's name of a statement that is cut off."""
    match = _cut().search(text[:1000])
    return (
        (match.group(1).strip('`"') if match.group(1) else database, match.group(2).strip('`"'))
        if match
        else None
    )


#: With ANSI_QUOTES a name stands in double quotes; without it a text there is an error.
_PART = r"(?:`[^`]+`|\"[^\"]+\"|[A-Za-z0-9_$]+)"
_NAMED = rf"{_PART}(?:\s*\.\s*{_PART})?"
#: The table behind a verb that changes rows; none where several stand.
_CHANGED = re.compile(
    rf"\s*(?:(?:INSERT|REPLACE)(?:\s+(?:LOW_PRIORITY|HIGH_PRIORITY|DELAYED|IGNORE))*(?:\s+INTO)?\s*(?={_NAMED})"
    rf"|UPDATE(?:\s+(?:LOW_PRIORITY|IGNORE))*\s*(?={_NAMED}\s+SET\b)"
    rf"|DELETE(?:\s+(?:LOW_PRIORITY|QUICK|IGNORE))*\s+FROM\s*(?={_NAMED}\s*(?:\Z|\bWHERE\b))"
    rf"|TRUNCATE(?:\s+TABLE)?\s*(?={_NAMED}\s*\Z))(?P<table>{_NAMED})",
    re.IGNORECASE | re.ASCII,
)
_LOCKED = re.compile(rf"(?:LOCK\s+TABLES?|,)\s*(?P<table>{_NAMED})", re.IGNORECASE | re.ASCII)


def changed_tables(text: str) -> list[Name]:
    """The table whose rows a statement changes; [] where that does not show at its beginning."""
    match = _CHANGED.match(text[:1000])
    return [] if match is None else [_parted(match["table"])]


def locked_tables(text: str) -> list[Name]:
    """The tables of LOCK TABLES."""
    return [_parted(match["table"]) for match in _LOCKED.finditer(text)]


def _parted(written: str) -> Name:
    names = [name.strip('`"') for name in re.findall(_PART, written)]
    return (names[0] if len(names) > 1 else None), names[-1]


def names_charset(sql: str, *, ansi_quotes: bool = False, backslash: bool = True) -> bool:
    """CHARACTER SET or CHARSET without COLLATE, CONVERT(... USING name), _name'text'."""
    try:
        t = Tokens(sql, ansi_quotes=ansi_quotes, backslash=backslash)
    except Refused:
        return False
    words = [t.words[index] or "" for index in range(t.size)]
    for index, word in enumerate(words):
        at = index + 1
        if word == "CHARACTER" and words[at : at + 1] == ["SET"]:
            at += 1
        elif word not in ("CHARSET", "USING"):
            string = at < t.size and t.kinds[at] is TokenType.STRING
            if string and t.kinds[index] is TokenType.VAR and word.startswith("_"):
                return True
            continue
        at += words[at : at + 1] == ["="]
        behind = [word for word in words[at + 1 : at + 3] if word != "DEFAULT"][:1]
        if at < t.size and behind != ["COLLATE"]:
            return True
    return False


_LITERAL = (
    r"(?:NULL|TRUE|FALSE|DEFAULT|0x[0-9a-f]+|[+-]?[0-9][0-9.]*(?:e[+-]?[0-9]+)?"
    r"|(?:_[a-z0-9]+ ?)?'(?:[^'\\]|\\.|'')*'|NOW\(\)|CURRENT_TIMESTAMP(?:\(\))?|UUID\(\))"
)
_ROW = re.compile(
    rf"\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL})*)?\s*\)\s*(,?)\s*", re.IGNORECASE | re.DOTALL | re.ASCII
)
_VALUE = re.compile(_LITERAL, re.IGNORECASE | re.DOTALL | re.ASCII)
_COLUMN_NAME = r"(?:`[^`]+`|[A-Za-z_][\w$]*)"
_INSERT = re.compile(
    rf"\s*(?:INSERT|REPLACE)(?: IGNORE)?(?: INTO)?\s+({_COLUMN_NAME})\s*"
    rf"(?:\(\s*({_COLUMN_NAME}(?:\s*,\s*{_COLUMN_NAME})*)\s*\))?\s*VALUES?\s*",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class LiteralRows:
    """The table, the columns that are named (() for all), and the numbers of values that rows have."""

    table: str
    columns: tuple[str, ...]
    values: frozenset[int]


def literal_rows(text: str) -> LiteralRows | None:
    """The rows of a statement; None where it is another one."""
    head = _INSERT.match(text)
    if head is None:
        return None
    at, counts = head.end(), set()
    while (row := _ROW.match(text, at)) is not None:
        counts.add(len(_VALUE.findall(row[1] or "")))
        at = row.end()
        if not row[2]:
            break
    if at != len(text) or not counts:
        return None
    names = (characters.strip(name).strip("`") for name in (head[2] or "").split(","))
    return LiteralRows(head[1].strip("`"), tuple(filter(None, names)), frozenset(counts))
