"""The engine: tables in, a Report out. Pure: no files, no clock, no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from schemacheck.model import Effect, Finding, InputProblem, Link, PairReport, PairState, Report, Table, TableKind
from schemacheck.rules import Pair, Rule, all_rules, find
from schemacheck.rules.missing_table import missing
from schemacheck.rules.not_a_table import not_a_table
from schemacheck.smallest import smallest_of, smallest_setting

#: Rules about what happens before any column is looked at: types that the replica does not know, and its death.
BEFORE_COLUMNS = ("SC211", "SC217")


def check_pair(source: Table, replica: Table | None, link: Link) -> PairReport:
    """Decide one pair. `replica` None: the replica has no such table."""
    if source.kind is not TableKind.TABLE:
        reason = f"a {source.kind.value} of the source writes no row events of its own"
        return PairReport(source.database, source.name, PairState.NOT_REPLICATED, reason=reason, source=source, replica=replica)
    if replica is None:
        return PairReport(source.database, source.name, PairState.MISSING, (missing(source, link),), source=source)
    if replica.kind is not TableKind.TABLE:
        findings: tuple[Finding, ...] = (not_a_table(source, replica, link),)
        return PairReport(source.database, source.name, PairState.COMPARED, findings, source=source, replica=replica)
    try:
        pair = Pair.of(source, replica, link)
    except KeyError as error:
        return _undecided(source, replica, str(error.args[0]))
    places = {column.name: index for index, column in enumerate(source.columns)}
    found = tuple(sorted((f for rule in all_rules() if rule.check for f in _run(rule, pair)), key=lambda f: _order(f, places)))
    return PairReport(
        source.database, source.name, PairState.COMPARED, found, smallest_setting(source, replica, link), source=source, replica=replica
    )


def _run(rule: Rule, pair: Pair) -> Iterator[Finding]:
    assert rule.check is not None
    for finding in rule.check(pair):
        yield replace(finding, code=rule.code, rule=rule.name)


def _order(finding: Finding, places: dict[str, int]) -> tuple[int, bool, int]:
    """Worst first, and of those that stop, the certain ones first, by column: the first one is what the applier reports."""
    place = -1 if finding.column is None or finding.code in BEFORE_COLUMNS else places.get(finding.column, len(places))
    return (-finding.effect.rank, finding.depends_on_rows, place)


def _undecided(source: Table, replica: Table, reason: str) -> PairReport:
    rule = find("undecided")
    finding = Finding(
        rule.code if rule else "SC004", "undecided", Effect.UNKNOWN, f"{source.name} could not be decided: {reason}", source.database, source.name,
        remedy="Name the missing setting or character set, and check again",
    )  # fmt: skip
    return PairReport(source.database, source.name, PairState.UNREADABLE, (finding,), reason=reason, source=source, replica=replica)


def check(sources: Iterable[Table], replicas: Iterable[Table], link: Link, problems: Iterable[InputProblem] = ()) -> Report:
    """Pair tables by database and name and decide each pair."""
    by_name = {(t.database, t.name): t for t in replicas}
    pairs = tuple(check_pair(s, by_name.get((s.database, s.name)), link) for s in sources)
    return Report(link, pairs, tuple(problems), smallest=smallest_of(pairs))
