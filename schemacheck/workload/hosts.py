"""Definitions that two servers take alike and make different things of."""

from __future__ import annotations

import re

from schemacheck.link import dialect
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.sql.statements import Statement
from schemacheck.workload import defaults
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


def years(work: Workload, statement: Statement, text: str) -> None:
    """A change that gives a YEAR(2) a value, which the other end shows with other digits."""
    for ref in statement.updated:
        table = work.source.table(ref.name)
        if ref.name.casefold() not in work.years or table is None or statement.verb.startswith("delete"):
            continue
        given = defaults.COLUMNS.match(text.strip())
        named = {word.strip().strip("`").casefold() for word in given.group(1).split(",")} if given else None
        if any(
            one.type.base == "year" and (named is None or one.name.casefold() in named)
            for one in table.columns
        ):
            work.lose(f"YEAR(2) of {ref.name} has four digits on one end, and two on the other")
