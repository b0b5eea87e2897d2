"""What a statement is about, told from its first words: enough to pass over what is no table."""

from __future__ import annotations

import re

from schemacheck.sql.lexer import Tokens

Name = tuple[str | None, str]

#: Statements that leave tables as they are.
PASSED = frozenset((
    "ANALYZE", "BEGIN", "BINLOG", "CACHE", "CALL", "CHANGE", "CHECK", "CHECKSUM", "CLONE", "COMMIT", "DEALLOCATE", "DELETE", "DESC", "DESCRIBE", "DO",
    "END", "EXECUTE", "EXPLAIN", "FLUSH", "GET", "GRANT", "HANDLER", "HELP", "IMPORT", "INSERT", "INSTALL", "KILL", "LOAD", "LOCK", "MERGE", "OPTIMIZE",
    "PREPARE", "PURGE", "RELEASE", "REPAIR", "REPLACE", "RESET", "RESIGNAL", "RESTART", "REVOKE", "ROLLBACK", "SAVEPOINT", "SELECT", "SHOW", "SHUTDOWN",
    "SIGNAL", "SOURCE", "START", "STOP", "TRUNCATE", "UNINSTALL", "UNLOCK", "UPDATE", "VALUES", "WITH", "XA", "EXIT", "QUIT", "WARNINGS", "NOWARNING",
    "CHARSET", "CONNECT", "PAGER", "NOPAGER", "TEE", "NOTEE", "PRINT", "STATUS", "SYSTEM", "PROMPT", "REHASH", "CLEAR", "GO", "EGO", "EDIT",
))  # fmt: skip
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


def object_of(words: list[str]) -> str:
    """What a CREATE, ALTER or DROP is about: its first word that is no modifier."""
    return next((word for word in words[1:] if word in _OBJECTS), words[1] if len(words) > 1 else "")


def told_name(tokens: Tokens, database: str | None) -> Name | None:
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


_CUT = re.compile(
    r"\b(?:TABLES?|ON)\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(?:(`[^`]+`|[\w$]+)\s*\.\s*)?(`[^`]+`?|[\w$]+)",
    re.IGNORECASE,
)


def cut_name(text: str, database: str | None) -> Name | None:
    """The table's name of a statement that is cut off."""
    found = _CUT.search(text[:1000])
    return (
        (found.group(1).strip("`") if found.group(1) else database, found.group(2).strip("`"))
        if found
        else None
    )
