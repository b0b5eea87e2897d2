"""Whether statements of a source's sessions get lost, or stop, because of their collation."""

from __future__ import annotations

import re

from schemacheck.model import Link

#: A character set in a definition, behind USING or in front of a string; and a collation behind it.
_CHARSET = re.compile(
    r"\b(?:CHARACTER\s+SET|CHARSET|USING)\b\s*=?\s*[\w'\"`]+(\s*(?:DEFAULT\s+)?COLLATE\b)?"
    r"|(?<!\w)_[a-z]\w*(?=\s*')",
    re.IGNORECASE,
)


def skips_statements(link: Link) -> bool:
    """Whether the replica passes over statements of sessions that use the source's default collation.

    Every logged statement names its session's collation by number. MySQL skips those with a number of
    MariaDB's (utf8mb4_uca1400_ai_ci, 2304) without an error (recorded: MariaDB 11.8.6 to MySQL 5.6.24, 9.7.4).
    """  # noqa: E501
    source, replica = link.source, link.replica
    if not source.has("session-collation-uca1400") or replica.has("reads-collation-uca1400"):
        return False
    chosen = source.setting("character_set_collations")
    return not chosen or "uca1400" in chosen


def passes_over(link: Link, sql: str) -> bool:
    """Whether the replica passes over this statement of such a session.

    MariaDB writes a status variable of its own, with a number that MySQL does not know, for a statement that
    names a character set without a collation. MySQL reads no variable behind it, so it does not see the
    collation either, and executes the statement (asked: MariaDB 11.8.6 to MySQL 5.6.24, 9.7.4).
    """
    if not skips_statements(link):
        return False
    return not any(found[1] is None for found in _CHARSET.finditer(sql))


def unknown_number(link: Link) -> bool:
    """Whether a statement of a session with the source's default collation stops the replica (error 22)."""
    return link.source.has("session-collation-0900") and not link.replica.has("reads-collation-0900")
