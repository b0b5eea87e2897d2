"""What a trigger or a routine does, told from its body and the sql_mode that it runs under."""

from __future__ import annotations

from schemacheck.model.program import Routine, Trigger
from schemacheck.sql.scan import one_spelling

#: What a text must hold for a word of sql_mode to change its meaning. The strict modes are left out: they
#: change which values are errors, and versions differ in them.
_NEEDLES = {
    "PIPES_AS_CONCAT": "||", "ANSI_QUOTES": '"', "NO_BACKSLASH_ESCAPES": "\\", "HIGH_NOT_PRECEDENCE": "NOT",
    "REAL_AS_FLOAT": "REAL", "NO_UNSIGNED_SUBTRACTION": "-", "EMPTY_STRING_IS_NULL": "''", "ORACLE": "",
    "PAD_CHAR_TO_FULL_LENGTH": "", "ALLOW_INVALID_DATES": "", "NO_AUTO_VALUE_ON_ZERO": "",
    "SIMULTANEOUS_ASSIGNMENT": "UPDATE", "TIME_ROUND_FRACTIONAL": "", "TIME_TRUNCATE_FRACTIONAL": "",
}  # fmt: skip


def meaning(program: Trigger | Routine) -> str:
    """The body in one spelling."""
    return one_spelling(program.body, backslash="NO_BACKSLASH_ESCAPES" not in (program.modes or ()))


def deciding_modes(program: Trigger | Routine) -> tuple[str, ...]:
    """Those words of the sql_mode under which words of its body mean something else."""
    body = program.body.upper()
    return tuple(mode for mode in program.modes or () if mode in _NEEDLES and _NEEDLES[mode] in body)
