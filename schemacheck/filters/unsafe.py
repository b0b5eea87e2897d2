"""Why MIXED logs a statement as rows."""

from __future__ import annotations

from schemacheck.catalog.presence import Presence
from schemacheck.filters.effects import Effects
from schemacheck.model import Server
from schemacheck.sql.statements import Statement


def unsafe(statement: Statement, effects: Effects, server: Server, catalog: Presence) -> list[str]:
    """The reasons for which a statement is unsafe; none where it is logged as a statement."""
    reasons = [
        reason
        for reason in dict.fromkeys([*statement.unsafe, *effects.unsafe])
        if reason != "RAND()" or not server.has("rand-is-safe")
    ]
    if server.has("temporary-tables-only-in-statement-format") and (
        effects.temporary_read or any(key in catalog.temporary for key in effects.changed)
    ):
        reasons.append("a temporary table")
    return reasons
