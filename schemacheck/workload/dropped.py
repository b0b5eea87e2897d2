"""DROP TABLE: tables that one end lacks.

MySQL 8.0 and later drop all tables of a statement or none; others drop those that are there, and log the
statement with its error (mysql_rm_table of sql_table.cc; recorded on 5.6.24, 9.7.4, 10.5.29, 10.11.19).
"""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.sql.statements import Statement
from schemacheck.workload.state import Workload


def take(work: Workload, statement: Statement, text: str, names: Sequence[str]) -> Outcome | None:
    """One DROP TABLE, by both ends."""
    source, replica, lenient = work.ends.source, work.server, work.lenient
    absent = [n for n in names if _nowhere(work, n)] if not statement.conditional else []
    if absent and (source.has("data-dictionary") or len(absent) == len(names)):
        return None  # the source refuses it as a whole
    if absent and not replica.mariadb and source.mariadb:
        return fails(
            Kind.SQL, "SC941", "unknown-table", replica,
            f"{source} drops the tables that are there and logs the statement; {replica} has "
            f"no table {absent[0]} either",
            change="Drop tables with IF EXISTS",
        )  # fmt: skip
    alike = source.mariadb == replica.mariadb and not replica.has("data-dictionary")
    if absent and not (alike and (lenient or not replica.mariadb)):
        why = f"what {replica} makes of a DROP TABLE that half failed on {source} was not recorded"
        return Outcome(Kind.UNKNOWN, "SC941", 0, why, "Drop tables with IF EXISTS")
    if any(n.casefold() in work.gone for n in names) and not statement.conditional and not lenient:
        return fails(
            Kind.SQL,
            "SC941",
            "unknown-table",
            replica,
            f"the replica has no table {names[0]}",
            change="Make the tables of both ends equal first",
        )
    for state in (work.rows.absent, work.rows.extra, work.rows.stale):
        for dropped in names:
            state.pop(dropped, None)
    work.gone |= {n.casefold() for n in names}
    work.source.run(text, source)
    work.replica.run(text, replica)
    work.gone -= {n.casefold() for n in names}
    return None


def _nowhere(work: Workload, name: str) -> bool:
    """Whether neither end has a table of this name."""
    here = work.gone | work.temporary | work.selected | work.refused
    return (
        name.casefold() not in here and work.source.table(name) is None and work.replica.table(name) is None
    )
