"""A report with what evidence says of its findings: one state for each that matters."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from schemacheck.alignment.pair import Pair
from schemacheck.dataclass import replace
from schemacheck.errors import InputError
from schemacheck.evidence.ask import Ask
from schemacheck.evidence.given import Given, Looked
from schemacheck.evidence.headroom import headroom
from schemacheck.evidence.setting import smallest_today
from schemacheck.evidence.statements import Log
from schemacheck.model import Effect, Finding, Link, PairReport, Report, Server
from schemacheck.model.difference import CARRIED, FOLLOWS
from schemacheck.model.evidence import Bite, Evidence
from schemacheck.model.quantity import plural
from schemacheck.model.report import EvidenceOfReport
from schemacheck.rules import find

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from schemacheck.evidence.ask import Answer
    from schemacheck.profile.document import Profile

#: Tables that a line names.
_NAMED = 3


def with_evidence(report: Report, profiles: Iterable[Profile], *, only_biting: bool = False) -> Report:
    """The report with the state of each finding, its headroom and the smallest setting for today's data.
    Raises InputError where a profile is of the other flavour than the source.
    """
    given = Given(profiles)
    for profile in given.profiles if "source" not in report.assumed_servers else ():
        of_flavor(profile, report.link.source)
    link = report.link.of_rows
    log = Log(given, report)
    asked = [
        (pair, given.of(pair.source) if pair.source else Looked(), _pair(pair, link)) for pair in report.pairs
    ]
    compared = [(both, looked) for pair, looked, both in asked if both and pair.smallest is not None]
    pair_reports = [
        replace(pair, findings=tuple(stated(finding, both, looked, log) for finding in pair.findings))
        for pair, looked, both in asked
    ]
    of_link = tuple(stated(finding, None, given.of_link(), log) for finding in report.link_findings)
    return replace(
        report,
        pairs=tuple(_derived(pair_reports)),
        link_findings=of_link,
        evidence=EvidenceOfReport(
            (*map(_source, given.profiles), *_not_believed(asked)),
            tuple(line for _, looked, both in asked if both for line in headroom(both, looked)),
            None if report.dead else smallest_today(compared, link, log),
            only_biting,
        ),
    )


def of_flavor(profile: Profile, source: Server) -> None:
    """Raise InputError where a profile cannot be of this source."""
    server = profile.server
    if (server.flavor == "mariadb") is not source.mariadb:
        text = f"{server.flavor} {server.version}"
        raise InputError(f"the evidence is of {text}, the source is {source}: take it from the source")


def _pair(pair: PairReport, link: Link) -> Pair | None:
    """Both tables side by side; None where one is missing, or of a type that is not known."""
    if pair.source is None or pair.replica is None:
        return None
    try:
        return Pair.of(pair.source, pair.replica, link)
    except KeyError:
        return None


def _source(profile: Profile) -> str:
    """What a profile is, and of when."""
    server = f"{profile.server.flavor} {profile.server.version}"
    sampled = f", one row of {profile.sample:,}" if profile.sample else ""
    kind = "log" if profile.kind == "binlog" else "data"
    whole = "" if profile.log is None or profile.log.complete else ", with gaps"
    span = f"{profile.taken_from} to {profile.taken_to}" if kind == "log" else profile.taken_to
    return f"{kind} of {server}, {plural(len(profile.tables), 'table')}{sampled}{whole}, {span}"


def _not_believed(asked: Iterable[tuple[PairReport, Looked, Pair | None]]) -> Iterator[str]:
    """A line for each reason why the evidence says nothing of the rows of tables with findings."""
    tables: defaultdict[str, list[str]] = defaultdict(list)
    for pair, looked, _ in asked:
        if looked.why and any(finding.matters for finding in pair.findings):
            tables[looked.why].append(f"{pair.database or ''}.{pair.table}".lstrip("."))
    for why, names in tables.items():
        more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        yield f"{why}: {', '.join(names[:_NAMED])}{more}"


def stated(finding: Finding, pair: Pair | None, looked: Looked, log: Log) -> Finding:
    """The finding with its state; one that harms nothing has none."""
    if finding.effect <= Effect.COMPATIBLE:
        return finding
    rule = find(finding.code)
    if rule is None or rule.evidence is None or finding.effect is Effect.UNKNOWN:
        return replace(finding, evidence=Evidence(Bite.COULD, of="no evidence tells", until=looked.until))
    return replace(finding, evidence=state(rule.evidence(Ask(finding, pair, looked, log)), looked))


def _derived(pairs: list[PairReport]) -> Iterator[PairReport]:
    """The pairs, whose findings that follow from others are absent where all of those are: others of the
    table (FOLLOWS), or of the same rule in all tables (CARRIED).
    """
    every = [finding for pair in pairs for finding in pair.findings if finding.statements != CARRIED]
    for pair in pairs:
        findings = [
            replace(finding, evidence=_least(f for f in every if f.code == finding.code))
            if finding.evidence and finding.statements == CARRIED
            else finding
            for finding in pair.findings
        ]
        least = _least(f for f in findings if f.statements != FOLLOWS)
        yield replace(
            pair,
            findings=tuple(
                replace(f, evidence=least) if f.evidence and f.statements == FOLLOWS else f for f in findings
            ),
        )


def _least(causes: Iterable[Finding]) -> Evidence:
    """The state of what follows from these: absent where all are."""
    worst = min(
        (cause.evidence for cause in causes if cause.evidence), key=lambda given: given.rank, default=None
    )
    return replace(worst, of="what it follows from") if worst and worst.absent else Evidence(Bite.COULD)


def state(answer: Answer, looked: Looked) -> Evidence:
    """What an answer comes to: it bites where something certain was seen, it cannot where all was looked at
    and nothing is there.
    """
    hits = [(unit, seen) for unit, seen in answer.items() if seen is not None and seen.number]
    since = looked.since if any(unit != "row" for unit, seen in answer.items() if seen is not None) else ""
    if hits:
        unit, seen = max(hits, key=lambda hit: (hit[1].certain, not hit[1].least, hit[1].number))
        bite = Bite.BITES if seen.certain else Bite.COULD
        return Evidence(
            bite, seen.number, seen.least, unit, of=_of(answer, looked), since=since, until=looked.until
        )
    absent = any(seen is not None for seen in answer.values())
    bite = Bite.CANNOT if absent and None not in answer.values() else Bite.COULD
    why = _of(answer, looked) if absent else looked.why or "nothing that was measured tells"
    return Evidence(bite, absent=absent, of=why, since=since, until=looked.until)


def _of(answer: Answer, looked: Looked) -> str:
    """What was looked at."""
    parts = []
    if answer.get("row") is not None and looked.rows and looked.rows.rows is not None:
        parts.append(plural(looked.rows.rows, "row"))
    if answer.get("write") is not None:
        parts.append(plural(looked.writes.rows, "written row"))
    if answer.get("statement") is not None:
        parts.append("the statements of the log")
    return " and ".join(parts)
