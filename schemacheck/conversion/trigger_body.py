"""What a trigger or a routine does, told from its body and what it was made under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.model.program import INVOKER, Made, Routine, Trigger
from schemacheck.sql.scan import one_spelling

if TYPE_CHECKING:
    from schemacheck.model import Link

#: What a text must hold for a word of sql_mode to change its meaning.
_NEEDLES = {
    "PIPES_AS_CONCAT": "||", "ANSI_QUOTES": '"', "NO_BACKSLASH_ESCAPES": "\\", "HIGH_NOT_PRECEDENCE": "NOT",
    "REAL_AS_FLOAT": "REAL", "NO_UNSIGNED_SUBTRACTION": "-", "EMPTY_STRING_IS_NULL": "''", "ORACLE": "",
    "PAD_CHAR_TO_FULL_LENGTH": "", "ALLOW_INVALID_DATES": "", "NO_AUTO_VALUE_ON_ZERO": "",
    "SIMULTANEOUS_ASSIGNMENT": "UPDATE", "TIME_ROUND_FRACTIONAL": "", "TIME_TRUNCATE_FRACTIONAL": "",
}  # fmt: skip
#: Of these, what decides when a text is read: a view is read once, and runs under the session's own words.
_READING = {"PIPES_AS_CONCAT", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "HIGH_NOT_PRECEDENCE", "REAL_AS_FLOAT"}
#: Words under which a value is an error, or becomes another one or NULL.
_REFUSING = {
    "STRICT_TRANS_TABLES", "STRICT_ALL_TABLES",
    "ERROR_FOR_DIVISION_BY_ZERO", "NO_ZERO_DATE", "NO_ZERO_IN_DATE",
}  # fmt: skip
#: Texts that have the collation of the session at CREATE, and those that have the database's.
_OF_SESSION = re.compile(r"['\"]|\b(?:CHAR|CAST|CONVERT)\b", re.IGNORECASE)
_OF_DATABASE = re.compile(r"\b(?:\w*CHAR\w*|\w*TEXT|CLOB|LONG|ENUM|TABLE)\b|\bSET\s*\(", re.IGNORECASE)
#: What the applier stops with where a definer's account lacks a privilege: on a table, a column, a routine;
#: 1356 by a view.
LACKS_PRIVILEGE = (1142, 1143, 1370, 1356)

ONE_DEFINER = "Create that account on the replica, or set binlog_format=ROW on the source"


def meaning(program: Trigger | Routine) -> str:
    """The body in one spelling."""
    return one_spelling(program.body, backslash="NO_BACKSLASH_ESCAPES" not in (program.modes or ()))


def deciding_modes(program: Trigger | Routine) -> tuple[str, ...]:
    """Those words of the sql_mode under which words of its body mean something else."""
    return _deciding(program.modes or (), program.body.upper())


def reading_modes(query: str, view: Made) -> tuple[str, ...]:
    """Those words of the sql_mode at a view's CREATE under which words of its query mean something else."""
    return tuple(mode for mode in _deciding(view.modes or (), query.upper()) if mode in _READING)


def _deciding(modes: tuple[str, ...], text: str) -> tuple[str, ...]:
    return tuple(mode for mode in modes if mode in _NEEDLES and _NEEDLES[mode] in text)


def other_refusals(source: Trigger | Routine, replica: Trigger | Routine, link: Link) -> str:
    """The words of sql_mode on one end only under which values are errors. A program of which nothing is told
    was made under its server's; '' where nothing is told of either.
    """
    ours, theirs = source.made.modes, replica.made.modes
    if ours is None and theirs is None:
        return ""
    here = link.source.sql_mode if ours is None else set(ours)
    there = link.replica.sql_mode if theirs is None else set(theirs)
    return ", ".join(sorted((here ^ there) & _REFUSING))


def other_definer(source: Made, replica: Made) -> str:
    """The account whose rights the replica's runs with, where the source's names another; else ''."""
    account = replica.definer
    return account if source.definer and account not in (source.definer, INVOKER) else ""


def other_collation(body: str, source: Made, replica: Made) -> str:
    """Which collation at CREATE gives texts of this body another one on the replica, and both; '' where none
    does, or where an input does not tell it.
    """
    for what, pattern, ours, theirs in (
        ("collation_connection", _OF_SESSION, source.connection, replica.connection),
        ("the database's collation", _OF_DATABASE, source.database, replica.database),
    ):
        if ours and theirs and ours != theirs and pattern.search(body):
            return f"{what} {ours}, and {theirs} on the replica"
    return ""
