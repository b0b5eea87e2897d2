"""Whether statements of a source's sessions get lost, or stop, because of their collation."""

from __future__ import annotations

from schemacheck.model import Link


def skips_statements(link: Link) -> bool:
    """Whether the replica passes over statements of sessions that use the source's default collation.

    Every logged statement names its session's collation by number. MySQL skips those with a number of
    MariaDB's (utf8mb4_uca1400_ai_ci, 2304) without an error (recorded: MariaDB 11.8.6 to MySQL 5.6.24, 9.7.4).

    One that names a character set without a collation is executed: MariaDB writes a status variable for it whose
    number MySQL does not know, so that MySQL reads no variable behind it, and does not see the collation either.
    """  # noqa: E501
    source, replica = link.source, link.replica
    if not source.has("session-collation-uca1400") or replica.has("reads-collation-uca1400"):
        return False
    chosen = source.setting("character_set_collations")
    return not chosen or "uca1400" in chosen


def unknown_number(link: Link) -> bool:
    """Whether a statement of a session with the source's default collation stops the replica (error 22)."""
    return link.source.has("session-collation-0900") and not link.replica.has("reads-collation-0900")
