"""Definitions that two servers take alike and make different things of."""

from __future__ import annotations

import re

from schemacheck.link.outcome import Kind, Outcome
from schemacheck.workload import dialect
from schemacheck.workload.state import Workload

_DIRECTORY = re.compile(r"\b(?:DATA|INDEX)\s+DIRECTORY\b", re.IGNORECASE)
_SHORT_YEAR = re.compile(r"\bYEAR\s*\(\s*2\s*\)", re.IGNORECASE)


def apart(work: Workload, text: str, name: str) -> Outcome | None:
    """What the two hosts and versions make of one text: directories, and YEAR(2), which MySQL 5.6.6 and later
    make YEAR(4) and MariaDB keeps (recorded on 5.6.24, 9.7.4, 10.11.19).
    """
    plain = dialect.plain(text)
    if _DIRECTORY.search(plain):
        why = (
            "whether the replica may write to the directory its host and innodb_directories tell (3121, 1030)"
        )
        return Outcome(Kind.UNKNOWN, "SC932", 0, why, "Leave DATA DIRECTORY and INDEX DIRECTORY out")
    if _SHORT_YEAR.search(plain) and work.ends.source.mariadb != work.server.mariadb:
        work.years.add(name.casefold())
    return None
