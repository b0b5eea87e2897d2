"""Recorded cases whose statements define something: both ends are followed from one statement to the next."""

from __future__ import annotations

import re

from schemacheck.dataclass import replace
from schemacheck.engine import check, with_refused
from schemacheck.model import Link, PairReport, Report, Schema, Server
from schemacheck.prove.arrived import Record
from schemacheck.replay.change import replay
from schemacheck.sql.statements import Statement, parse

_DEFINES = re.compile(r"\s*(ALTER|CREATE|DROP|RENAME|TRUNCATE)\b", re.IGNORECASE)
_WRITES = re.compile(r"\s*(INSERT|REPLACE|UPDATE|DELETE|LOAD)\b", re.IGNORECASE)


def statements_of(record: Record) -> list[str]:
    """What the source ran."""
    given = record.get("source_sql") or []
    return [given] if isinstance(given, str) else list(given)


def defines(record: Record) -> bool:
    """Whether the source ran a definition."""
    return any(_DEFINES.match(one) for one in statements_of(record))


def answers(source: Schema, replica: Schema, record: Record, link: Link) -> tuple[PairReport, ...] | str:
    """The engine's answers for the tables as they are where rows are written, and for each definition; what
    stops the applier ends the list. Or why a definition could not be followed.
    """
    out: list[PairReport] = []
    failed = dict(record.get("source_failed") or ())
    server = link.source
    for place, statement in enumerate(statements_of(record)):
        if place in failed and not _logs_failures(server, parse(statement, server)):
            if record.get("source_goes_on"):
                continue
            break
        if _WRITES.match(statement):
            out += _written(check(source.tables, replica.tables, link), statement)
        if not _DEFINES.match(statement):
            continue
        after = replay(source, replica, [("-", statement)], link, database="test")
        left = [problem.message for problem in after.problems if not problem.skipped]
        if left:
            return "; ".join(left)
        source, replica = after.source, after.replica
        out += with_refused(Report(link), after.refused, *after.differing).pairs
        if after.refused and after.refused.error is not None:
            break
        # What was said of a table holds under its new name.
        names = {old[1]: new[1] for old, new in parse(statement, server).renames}
        out += [_named(pair, names[pair.table]) for pair in out if pair.table in names]
    return tuple(out)


def _named(pair: PairReport, name: str) -> PairReport:
    return replace(pair, table=name, findings=tuple(replace(f, table=name) for f in pair.findings))


def _logs_failures(server: Server, statement: Statement) -> bool:
    """Whether some statements of this kind that fail are logged all the same: a DROP of several tables."""
    verb, several = statement.verb, len(statement.refs) > 1
    views = server.has("failed-views-logged") and verb in ("create-view", "alter-view")
    return views or (several and verb in ("drop-table", "drop-view") and not server.has("data-dictionary"))


def _written(report: Report, statement: str) -> list[PairReport]:
    """The tables that a statement names."""
    return [pair for pair in report.pairs if re.search(rf"\b{re.escape(pair.table)}\b", statement)]
