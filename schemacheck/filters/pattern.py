r"""How servers compare the names in filters: folding, and the wildcards `%`, `_` with `\` as escape."""

from __future__ import annotations

import enum
import re
import unicodedata
from functools import lru_cache


class Fold(enum.Enum):
    """What two names must have in common to be one."""

    EXACT = "exact"
    CASE = "case"  # utf8mb3_tolower_ci: case-insensitive, accent-sensitive
    GENERAL = "general"  # utf8mb3_general_ci: case- and accent-insensitive

    def __call__(self, name: str) -> str:
        """The form in which equal names are equal strings."""
        if self is Fold.EXACT:
            return name
        if self is Fold.CASE:
            return name.lower()
        decomposed = unicodedata.normalize("NFD", name)
        return "".join(c for c in decomposed if not unicodedata.combining(c)).upper()


@lru_cache(maxsize=4096)
def compiled(pattern: str, fold: Fold) -> re.Pattern[str]:
    r"""A wild pattern as a regular expression over folded names (`my_wildcmp`; a last `\` is itself)."""
    parts = []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if character == "%":
            parts.append(".*")
        elif character == "_":
            parts.append(".")
        else:
            if character == "\\" and position < len(pattern):
                character = pattern[position]
                position += 1
            parts.append(re.escape(fold(character)))
    return re.compile("".join(parts), re.DOTALL)


def matches(pattern: str, name: str, fold: Fold) -> bool:
    """Whether a wild pattern matches a whole name (`db.table`)."""
    return compiled(pattern, fold).fullmatch(fold(name)) is not None


def literal(pattern: str) -> bool:
    """Whether a pattern holds no wildcard, so that it matches one name only."""
    return not re.search(r"(?<!\\)[%_]", re.sub(r"\\\\", "", pattern))


def plain(pattern: str) -> str:
    """A pattern without its escapes."""
    return re.sub(r"\\(.)", r"\1", pattern)
