"""The engine: tables in, a Report out. Pure: no files, no clock, no network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from schemacheck.errors import BadSetting
from schemacheck.model import (
    Finding,
    InputProblem,
    Link,
    PairReport,
    PairState,
    Report,
    Table,
    TableKind,
    with_incoming,
)
from schemacheck.model.filters import FilterSet
from schemacheck.model.gate import as_finding
from schemacheck.pairing import Match, Matcher, Route
from schemacheck.rules import About, Pair, Rule, all_rules, shown
from schemacheck.rules.leans_on_filtered_table import leans_on_filtered
from schemacheck.rules.missing_table import missing
from schemacheck.rules.name_case import collides, differs_by_case
from schemacheck.rules.not_a_table import not_a_table
from schemacheck.rules.pair import terms, without_charset
from schemacheck.rules.partly_replicated import partly_replicated
from schemacheck.rules.undecided import undecided
from schemacheck.smallest import smallest_of, smallest_setting, untouched

#: Rules about what happens while the first conversion is prepared, before any column is refused.
BEFORE_COLUMNS = ("SC217",)


def check_pair(source: Table, replica: Table | None, link: Link) -> PairReport:
    """Decide one pair. `replica` None: the replica has no such table."""
    if source.kind is TableKind.VIEW:
        reason = "a view of the source writes no row events of its own"
        return PairReport(
            source.database,
            source.name,
            PairState.NOT_REPLICATED,
            reason=reason,
            source=source,
            replica=replica,
        )
    if replica is None:
        return PairReport(
            source.database, source.name, PairState.MISSING, (missing(source, link),), source=source
        )
    if source.kind is replica.kind is TableKind.SEQUENCE:
        # Rows of a sequence are applied to a sequence (seen in a log that MariaDB applied).
        return PairReport(
            source.database,
            source.name,
            PairState.COMPARED,
            (),
            untouched(link.replica),
            source=source,
            replica=replica,
        )
    if replica.kind is not TableKind.TABLE or source.kind is not TableKind.TABLE:
        findings: tuple[Finding, ...] = (not_a_table(source, replica, link),)
        return PairReport(
            source.database, source.name, PairState.COMPARED, findings, source=source, replica=replica
        )
    unsaid = without_charset(source) or without_charset(replica)
    if unsaid is not None:
        return _undecided(source, replica, f"the character set of {unsaid.name} is not given")
    if terms(link).same_servers and source == replica and source.partitioning == replica.partitioning:
        # One definition on two servers of one version: whatever is written is read as it was meant.
        return PairReport(
            source.database,
            source.name,
            PairState.COMPARED,
            (),
            untouched(link.replica),
            source=source,
            replica=replica,
        )
    try:
        pair = Pair.of(source, replica, link)
        smallest = smallest_setting(pair)
    except KeyError as error:
        return _undecided(source, replica, str(error.args[0]))
    found = [
        finding.by(rule.code, rule.name)
        for rule, check_rule in _checks(shown(pair))
        for finding in check_rule(pair)
    ]
    if len(found) > 1:
        places = {column.name: index for index, column in enumerate(source.columns)}
        found.sort(key=lambda f: _order(f, places))
    return PairReport(
        source.database,
        source.name,
        PairState.COMPARED,
        tuple(found),
        smallest,
        source=source,
        replica=replica,
    )


def _undecided(source: Table, replica: Table, reason: str) -> PairReport:
    """A pair that nobody can decide by what was read."""
    return PairReport(
        source.database,
        source.name,
        PairState.UNREADABLE,
        (undecided(source, reason),),
        reason=reason,
        source=source,
        replica=replica,
    )


@cache
def _checks(shows: tuple[bool, ...]) -> tuple[tuple[Rule, Callable[[Pair], Iterator[Finding]]], ...]:
    """The rules that have something to say of a pair that shows this much (see `shown`)."""
    subjects = {subject for subject, there in zip(About, shows, strict=True) if there}
    return tuple(
        (rule, rule.check)
        for rule in all_rules()
        if rule.check is not None and not subjects.isdisjoint(rule.about)
    )


def _order(finding: Finding, places: dict[str, int]) -> tuple[int, bool, int]:
    """Worst first, and of those that stop, the certain ones first, by column: the first one is what the applier reports."""
    if finding.column is None:
        place = -2
    else:
        place = -1 if finding.code in BEFORE_COLUMNS else places.get(finding.column, len(places))
    return (-finding.effect.rank, finding.depends_on_rows, place)


def check(
    sources: Iterable[Table],
    replicas: Iterable[Table],
    link: Link,
    problems: Iterable[InputProblem] = (),
    filters: FilterSet | None = None,
) -> Report:
    """Pair the tables of both ends, decide each pair, and sum up.

    `problems` are what could not be read on either side: a table among them is `unknown`, never
    missing. `filters` keep tables out, and rewrite databases. Tables that only the replica has are
    listed as surplus. Raises BadSetting where the replica's version would refuse its
    slave_type_conversions.
    """
    if link.refused_modes:
        message = f"{link.replica} does not know {', '.join(link.refused_modes)} in slave_type_conversions and would refuse the setting"
        raise BadSetting(message)
    unread = tuple(problems)
    ours = with_incoming(tuple(sources), fold=link.source.folds_names)
    theirs = with_incoming(tuple(replicas), fold=link.replica.folds_names)
    broken: dict[tuple[str | None, str | None], InputProblem] = {
        (p.database, p.table): p for p in unread if p.table is not None and not p.skipped
    }
    matcher = Matcher(theirs, link, filters)
    matches = [matcher.match(table) for table in ours]
    pairs = []
    for match in matches:
        problem = broken.pop((match.source.database, match.source.name), None) or _unread_replica(
            match, broken.values(), matcher
        )
        pairs.append(
            _unreadable(match.source, problem) if problem else check_match(match, link, matcher.route)
        )
    pairs += [
        PairReport(t.database, t.name, PairState.SURPLUS, reason="only the replica has this table", replica=t)
        for t in matcher.surplus()
    ]
    return Report(link, tuple(pairs), unread, smallest=smallest_of(pairs))


def _unread_replica(match: Match, broken: Iterable[InputProblem], matcher: Matcher) -> InputProblem | None:
    """The problem that hides the counterpart of a source table, or one of the tables that could be it."""
    if match.kept_out or match.unclear:
        return None
    way = matcher.route(match.source.database, match.source.name)
    if match.replica is not None and way.database is not None:
        return None
    return next(
        (p for p in broken if p.table is not None and matcher.same_name(way, p.database, p.table)), None
    )


def _unreadable(source: Table, problem: InputProblem) -> PairReport:
    return PairReport(
        source.database,
        source.name,
        PairState.UNREADABLE,
        (as_finding(problem),),
        reason=problem.message,
        source=source,
    )


def check_match(match: Match, link: Link, route: Callable[[str | None, str], Route]) -> PairReport:
    """One pair, with what its names and the filters add. `route` follows any table of the source through the link."""
    source, replica = match.source, match.replica
    if match.kept_out:
        return PairReport(
            source.database,
            source.name,
            PairState.NOT_REPLICATED,
            reason=match.kept_out,
            source=source,
            replica=replica,
        )
    if match.unclear:
        return PairReport(
            source.database,
            source.name,
            PairState.UNREADABLE,
            (undecided(source, match.unclear),),
            reason=match.unclear,
            source=source,
        )
    if replica is None and match.near is not None:
        return PairReport(
            source.database,
            source.name,
            PairState.MISSING,
            (differs_by_case(source, match.near, link),),
            source=source,
        )
    pair = check_pair(source, replica, link)
    more: list[Finding] = []
    if match.partly:
        more.append(partly_replicated(source, match.partly))
    for key in source.enforced_keys if replica is not None and replica.enforced_keys else ():
        reason = route(key.ref_database or source.database, key.ref_table).kept_out
        if reason:
            more += leans_on_filtered(source, key, reason, link)
    if match.twin is not None:
        more.append(collides(source, match.twin))
    if not more:
        return pair
    return replace(pair, findings=tuple(sorted((*pair.findings, *more), key=lambda f: -f.effect.rank)))
