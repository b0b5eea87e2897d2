"""The engine: tables in, a Report out. Pure: no files, no clock, no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemacheck.alignment import Match, Pair
from schemacheck.alignment.match import equal_tables_may_differ
from schemacheck.alignment.pair import unlike
from schemacheck.alignment.terms import Terms, terms
from schemacheck.dataclass import maker, replace
from schemacheck.engine.carried import with_carried
from schemacheck.engine.gate import as_finding
from schemacheck.engine.pairing import Matcher, unread_by_name, unread_replica, unread_source, unread_ways
from schemacheck.engine.smallest import smallest_of, smallest_setting, untold, untouched
from schemacheck.errors import BadSetting, by_name, defect, sound
from schemacheck.findings.consequences import as_one_way, consequences
from schemacheck.findings.order import worst_first
from schemacheck.link import Ends, installation
from schemacheck.model import (
    Column,
    Default,
    DefaultKind,
    Effect,
    Finding,
    InputProblem,
    Key,
    KeyKind,
    KeyPart,
    Link,
    PairReport,
    PairState,
    Report,
    SmallestSetting,
    Table,
    TableKind,
    with_incoming,
)
from schemacheck.model.filters import FilterSet
from schemacheck.model.partitioning import UNKNOWN
from schemacheck.model.quantity import plural
from schemacheck.model.replicated import RefusedStatement
from schemacheck.model.schema import without_unread_children
from schemacheck.model.storage_engine import compressed_page_size
from schemacheck.rules import About, rules_about, rules_for

_COMPARED = PairState.COMPARED


_match, _report = maker(Match), maker(PairReport)


def check_pair(source: Table, replica: Table | None, link: Link) -> PairReport:
    """Decide one pair whose names are not compared. `replica` None: the replica has no such table."""
    return check_match(_match(source, replica, link))


def check_match(match: Match) -> PairReport:
    """Decide one pair: what its names and the filters say, and how the definitions compare."""
    source, replica, link = match.source, match.replica, match.link
    if match.kept_out:
        return _pair_report(match, PairState.NOT_REPLICATED, reason=match.kept_out)
    if match.unclear:
        return _undecided(match, match.unclear)
    try:
        findings: tuple[Finding, ...] = ()
        if replica is None or not match.plain:
            if not match.writes_rows:
                match = replace(
                    match, partly=""
                )  # there are no changes of which a filter could keep some out
            findings = _match_findings(match)
            if not match.writes_rows and not findings:
                reason = "a view of the source writes no row events of its own"
                return _pair_report(match, PairState.NOT_REPLICATED, findings, reason=reason)
            if replica is None:
                return _pair_report(match, PairState.MISSING, findings)
            if not match.same_kind:
                return _pair_report(match, PairState.COMPARED, findings)
        if source.kind is TableKind.SEQUENCE and source.query == "CYCLE" != replica.query:
            return _undecided(match, "the sequence starts again on the source alone: CYCLE (error 4084)")
        holds = terms(link)
        other = unlike(source, replica)
        if _same_on_both(source, replica, other, holds):
            return _pair_report(match, _COMPARED, findings, untouched(link.replica), _asked(source, replica))
        unsaid = source.without_charset() or replica.without_charset()
        if unsaid is not None:
            return _undecided(match, _unsaid(unsaid))
        try:
            pair = Pair.of(source, replica, link, other, holds)
            smallest = smallest_setting(pair)
        except KeyError as error:
            return _undecided(match, str(error.args[0]))
        result: list[Finding] = []
        for rule in rules_for(pair):
            # Not by `rule.findings`, nor by a comprehension: one frame more for each rule that finds nothing
            # costs as much as most rules.
            for finding in rule.check(pair):
                result.append(finding.by(rule.code, rule.name))  # noqa: PERF401 see above
        result = consequences(pair, result)
        if why := untold(pair, result):
            result.append(as_finding(_defect(source, why)))
        if holds.logs_rows and holds.logs_statements:
            result = [as_one_way(finding) for finding in result]
        if len(result) > 1:
            result = worst_first(result, pair)
        if findings:
            result = sorted((*result, *findings), key=lambda f: -f.effect.rank)
        return _pair_report(match, _COMPARED, tuple(result), smallest, _asked(source, replica))
    except Exception as error:  # noqa: BLE001 a defect costs this pair, not the report
        return _unreadable(source, as_finding(_defect(source, defect(error))), replica)


def _defect(table: Table, why: str) -> InputProblem:
    return InputProblem("SC004", why, table.location, table.database, table.name)


def _asked(source: Table, replica: Table) -> str:
    """Which of the two a server told, and which server."""
    ends = (("source", source.asked), ("replica", replica.asked))
    return "; ".join(f"the {end}'s definition: {text}" for end, text in ends if text)


def _unsaid(column: Column) -> str:
    name = column.type.charset
    return (
        f"the character set {name!r} is not known"
        if name
        else f"the character set of {column.name} is not given"
    )


def undecided(database: str | None, name: str, reason: str, link: Link) -> PairReport:
    """The report about a pair of which no definition is known, and why."""
    return replace(_undecided(Match(Table(name, (), database), None, link), reason), source=None)


def _same_on_both(source: Table, replica: Table, unlike: list[int], holds: Terms) -> bool:
    """One definition on two servers of one version: whatever is written is read as it was meant."""
    if holds.cluster:
        return False  # nodes have demands of their own on a table
    same_columns = not unlike and len(source.columns) == len(replica.columns)
    if same_columns and source.kind is replica.kind is TableKind.SEQUENCE:
        return True  # rows of a sequence are applied to a sequence
    if not same_columns or not holds.same_servers:
        return False
    if not source.same_but_columns(replica):
        return False
    if source.partitioning != replica.partitioning or source.partitioning == UNKNOWN:
        return False
    other_default = holds.other_row_format and source.row_format is None
    if other_default or (source.row_format != replica.row_format and holds.logs_rows):
        return False  # a row of the one may not fit the other's page
    if compressed_page_size(source) != compressed_page_size(replica):
        return False
    if holds.logs_statements and (
        source.key_order != replica.key_order
        or (source.hides_unique_order and not holds.logs_rows)
        or source.triggers
        or replica.triggers
        or any(c.generated or _computes(c.default) for c in source.columns)
        or _beside_rows(source) != _beside_rows(replica)
    ):
        return False  # statements see more of a table than rows do
    if equal_tables_may_differ(source, replica, holds):
        return False
    return source.without_charset() is None


def _beside_rows(table: Table) -> list[object]:
    return [(c.type.padded_to, c.attributes) for c in table.columns] + [key.attributes for key in table.keys]


def _computes(default: Default | None) -> bool:
    return default is not None and default.kind is DefaultKind.EXPRESSION


def settles_equal_tables(link: Link, *, primary_key: bool) -> bool:
    """Whether equal tables on this link are always identical, whatever else is in them: no rule has to be
    asked about them. (Of tables whose character sets are known, and that no trigger was read with;
    `primary_key`: that have one.)
    """
    holds = terms(link)
    if link.kind.cluster or not holds.same_servers or holds.other_row_format or holds.own_foreign_keys:
        return False
    if holds.logs_statements and not (link.source.mariadb and link.binlog_format == "MIXED"):
        return False  # each end computes generated columns and the functions of defaults for itself
    table = _KEYED if primary_key else _BARE
    return not equal_tables_may_differ(table, table, holds)


def computes_equal_tables(link: Link) -> bool:
    """Whether a generated column of equal tables may get another value on this replica."""
    return terms(link).own_time_zone


#: Tables that show nothing beside their rows.
_BARE = Table("", ())
_KEYED = Table("", (), keys=(Key(KeyKind.PRIMARY, (KeyPart(""),), "PRIMARY"),))


def _match_findings(match: Match) -> tuple[Finding, ...]:
    """What the rules about names, kinds and filters find, worst first."""
    if match.plain:
        return ()
    findings = [finding for rule in rules_about(About.MATCH) for finding in rule.findings(match)]
    return tuple(sorted(findings, key=lambda f: -f.effect.rank))


def _pair_report(
    match: Match,
    state: PairState,
    findings: tuple[Finding, ...] = (),
    smallest: SmallestSetting | None = None,
    reason: str = "",
) -> PairReport:
    source = match.source
    return _report(source.database, source.name, state, findings, smallest, reason, source, match.replica)


def _undecided(match: Match, reason: str) -> PairReport:
    """A pair that nobody can decide by what was read."""
    return _pair_report(
        match, PairState.UNREADABLE, _match_findings(replace(match, unclear=reason)), reason=reason
    )


def check(
    sources: Iterable[Table],
    replicas: Iterable[Table],
    link: Link,
    problems: Iterable[InputProblem] = (),
    replica_problems: Iterable[InputProblem] = (),
    filters: FilterSet | None = None,
) -> Report:
    """Pair the tables of both ends, decide each pair, and sum up.

    `problems` are what could not be read of the source, `replica_problems` of the replica: a table among
    them is `unknown`, never missing nor surplus; and where something of the replica was not read that names
    no table, no table is missing. `filters` keep tables out, and rewrite databases. Tables that only the
    replica has are listed as surplus. Raises BadSetting where the replica's version would refuse its
    slave_type_conversions.

    Where MIXED is a default that nobody gave, tables are decided by the rows that it logs; an assumption says
    how many statements may harm beyond that.
    """
    if link.refused_modes:
        raise BadSetting(
            f"{link.replica} does not know {', '.join(link.refused_modes)} in slave_type_conversions "
            "and would refuse the setting"
        )
    here, there = tuple(problems), tuple(replica_problems)
    ours = with_incoming(tuple(sources), fold=link.source.folds_names)
    theirs = with_incoming(tuple(replicas), fold=link.replica.folds_names)
    try:
        return _checked(ours, theirs, link, here, there, filters)
    except Exception:
        ends = by_name(ours), by_name(theirs)

        def of(name: str) -> tuple[list[Table], list[Table]]:
            return ends[0].get(name, []), ends[1].get(name, [])

        intact, lost = sound({**ends[0], **ends[1]}, lambda name: _checked(*of(name), link, (), (), filters))
        if not lost:
            raise
        here += tuple(_defect(table, why) for name, why in lost for table in of(name)[0] or of(name)[1])
        ours, theirs = (tuple(table for name in intact for table in end.get(name, ())) for end in ends)
        return _checked(ours, theirs, link, here, there, filters)


def _checked(
    ours: Sequence[Table], theirs: Sequence[Table], link: Link, here: tuple[InputProblem, ...],
    there: tuple[InputProblem, ...], filters: FilterSet | None,
) -> Report:  # fmt: skip
    sources_unread = {(p.database, p.table): p for p in here if p.table is not None and not p.skipped}
    hidden = [p for p in there if p.table is not None and not p.skipped]
    of_name = unread_by_name(hidden)
    whole = not any(problem.hides_tables for problem in there)
    ours, theirs = (without_unread_children(end, (*here, *there)) for end in (ours, theirs))
    matcher = Matcher(theirs, link.of_rows, filters, [Table(p.table or "", (), p.database) for p in hidden])
    # Which of two tables is the other's twin does not depend on their order in a file.
    result = {id(table): matcher.match(table) for table in sorted(ours, key=_by_name)}
    pairs = []
    for match in (result[id(table)] for table in ours):
        ours_unread = theirs_unread = None
        if not match.kept_out:
            ours_unread = sources_unread.get((match.source.database, match.source.name))
            theirs_unread = unread_replica(match, of_name, matcher)
        if ours_unread is not None:
            pair = _unreadable(match.source, as_finding(ours_unread))
        elif theirs_unread is not None:
            found_there = as_finding(theirs_unread)
            there_only = replace(found_there, source=found_there.replica, replica=found_there.source)
            pair = _unreadable(match.source, there_only)
        else:
            pair = check_match(match)
        if pair.state is PairState.MISSING and not whole:
            pair = _undecided(match, "not all of the replica's input was read, so it may be there")
        pairs.append(pair)
    ways = unread_ways(sources_unread.values(), matcher)
    for table in matcher.surplus():
        lacks = unread_source(table, ways, matcher)
        why = "only the replica has this table"
        pairs.append(
            _unreadable(None, as_finding(lacks), table)
            if lacks
            else PairReport(table.database, table.name, PairState.SURPLUS, reason=why, replica=table)
        )
    pairs = with_carried(pairs, link)
    unsaid = () if link.of_rows is link else _of_statements(pairs, link)
    unsaid += _of_rare_statements(pairs)
    of_link = link_findings(link, filtered=filters is not None)
    report = Report(link, tuple(pairs), (*here, *there), unsaid, link_findings=of_link)
    if report.dead:
        says = {Effect.STOPS: "does not run", Effect.UNKNOWN: "is not decided"}
        why = f"the link {says.get(of_link[0].effect, 'loses statements')} ({of_link[0].code})"
        return replace(report, smallest=SmallestSetting(None, why))
    return replace(report, smallest=smallest_of(pairs))


def _of_statements(pairs: Iterable[PairReport], link: Link) -> tuple[str, ...]:
    """What statements may do that MIXED logs, in one sentence; none where they do no more than rows."""
    count = sum(
        check_pair(pair.source, pair.replica, link).verdict > max(pair.verdict, Effect.INCOMPLETE)
        for pair in pairs
        if pair.source is not None and pair.replica is not None and pair.state is PairState.COMPARED
    )
    tables = plural(count, "table")
    text = f"row events are checked; {link.source} also logs statements (MIXED is its default), "
    return (f"{text}which may fail or make rows differ in {tables}: --binlog-format MIXED",) if count else ()


def _of_rare_statements(pairs: Iterable[PairReport]) -> tuple[str, ...]:
    """What certain statements do though both ends agree, in one sentence; none where nothing is known."""
    notes = [
        {f.code for f in pair.findings if f.depends_on_rows and f.effect is Effect.COMPATIBLE}
        for pair in pairs
    ]
    if not any(notes):
        return ()
    tables, codes = plural(sum(map(bool, notes)), "table"), ", ".join(sorted(set().union(*notes)))
    return (
        f"certain statements may stop the replica or change its rows in {tables} that agree: {codes} (-v)",
    )


def _by_name(table: Table) -> tuple[str, str]:
    return table.database or "", table.name


def with_refused(report: Report, *statements: RefusedStatement | None) -> Report:
    """The report with what statements of a change mean that the replica refuses or runs otherwise, each at
    its first table, which gets an entry if it is in no pair."""
    for statement in statements:
        report = report if statement is None else _with_refused(report, statement)
    return report


def _with_refused(report: Report, refused: RefusedStatement) -> Report:
    findings = tuple(finding for rule in rules_about(About.CHANGE) for finding in rule.findings(refused))
    does = (
        "runs a statement of the change otherwise" if refused.differs else "refuses a statement of the change"
    )
    report = replace(report, smallest=SmallestSetting(None, f"the replica {does}"))
    pairs = list(report.pairs)
    for place, pair in enumerate(pairs):
        if (pair.database, pair.table) == (refused.database, refused.table):
            pairs[place] = replace(pair, findings=(*findings, *pair.findings))
            return replace(report, pairs=tuple(pairs))
    pairs.append(PairReport(refused.database, refused.table, PairState.COMPARED, findings))
    return replace(report, pairs=tuple(pairs))


def link_findings(link: Link, *, filtered: bool = False, checked: bool = True) -> tuple[Finding, ...]:
    """What keeps a link from running, or loses rows on it, whatever its tables are; worst first. `filtered`:
    its filters are followed; `checked`: any statement may change its tables. Notes about what somebody might
    use are left to `preflight`.
    """
    findings = () if link.kind.cluster else preflight(Ends(link, filtered=filtered, checked=checked))
    return tuple(finding for finding in findings if finding.effect > Effect.COMPATIBLE)


def preflight(ends: Ends) -> tuple[Finding, ...]:
    """Everything that rules say of a link, worst first."""
    findings = installation.certain(_of_ends(ends := ends.connected()), ends, _of_ends)
    return tuple(sorted(findings, key=lambda finding: -finding.effect.rank))


def _of_ends(ends: Ends) -> list[Finding]:
    return [finding for rule in rules_about(About.LINK) for finding in rule.findings(ends)]


def _unreadable(source: Table | None, finding: Finding, replica: Table | None = None) -> PairReport:
    """A pair of which one end could not be read; the other one names it."""
    named = source or replica
    assert named is not None
    return PairReport(
        named.database, named.name, PairState.UNREADABLE, (finding,), reason=finding.message,
        source=source, replica=replica,
    )  # fmt: skip
