"""Compressed tables, which a replica's settings may refuse."""

from __future__ import annotations

import re

from schemacheck.link.ends import on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.workload.state import Workload


def in_system_space(work: Workload, text: str) -> Outcome | None:
    """ROW_FORMAT=COMPRESSED where innodb_file_per_table is off, in strict mode (recorded: 1031, MariaDB
    1005).
    """
    replica = work.server
    off = replica.setting("innodb_file_per_table").upper() in ("0", "OFF")
    if not off or not re.search(r"\bROW_FORMAT\s*=?\s*COMPRESSED\b|\bKEY_BLOCK_SIZE\b", text, re.IGNORECASE):
        return None
    if not on(replica, "innodb_strict_mode"):
        return None
    why = "a compressed table needs innodb_file_per_table, which is off on the replica"
    return fails(Kind.SQL, "SC943", "strict", replica, why, change="Set innodb_file_per_table = ON there")
