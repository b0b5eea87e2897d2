"""The engine: tables in, a Report out. Pure: no files, no clock, no network."""

from __future__ import annotations

from collections.abc import Iterable

from schemacheck.model import InputProblem, Link, PairReport, PairState, Report, Table
from schemacheck.rules import Pair, all_rules


def check_pair(source: Table, replica: Table | None, link: Link) -> PairReport:
    """Decide one pair. `replica` None: the replica has no such table."""
    if replica is None:
        return PairReport(source.database, source.name, PairState.MISSING, source=source)
    pair = Pair(source, replica, link)
    findings = tuple(f for rule in all_rules() if rule.check for f in rule.check(pair))
    return PairReport(source.database, source.name, PairState.COMPARED, findings, source=source, replica=replica)


def check(sources: Iterable[Table], replicas: Iterable[Table], link: Link, problems: Iterable[InputProblem] = ()) -> Report:
    """Pair tables by database and name and decide each pair."""
    by_name = {(t.database, t.name): t for t in replicas}
    pairs = tuple(check_pair(s, by_name.get((s.database, s.name)), link) for s in sources)
    return Report(link, pairs, tuple(problems))
