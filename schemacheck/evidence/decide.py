"""A report with what evidence says of its findings: one state for each that matters."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from decimal import Decimal
from typing import TYPE_CHECKING

from schemacheck.alignment.pair import Pair
from schemacheck.conversion import What
from schemacheck.conversion.setting import candidates
from schemacheck.dataclass import replace
from schemacheck.errors import InputError
from schemacheck.evidence.ask import Ask
from schemacheck.evidence.given import Given, Looked
from schemacheck.evidence.statements import Log
from schemacheck.model import Effect, Finding, Link, PairReport, Report, Server, SmallestSetting
from schemacheck.model.column_type import span
from schemacheck.model.difference import CARRIED, FOLLOWS
from schemacheck.model.evidence import Bite, Evidence
from schemacheck.model.quantity import plural
from schemacheck.model.report import EvidenceOfReport
from schemacheck.rules import find

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from schemacheck.alignment.pair import Cell
    from schemacheck.evidence.ask import Answer
    from schemacheck.profile.document import Profile, TableProfile

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


def smallest_today(compared: Sequence[tuple[Pair, Looked]], link: Link, log: Log) -> SmallestSetting | None:
    """The first setting that refuses no conversion of a table with rows and changes no value that is there;
    None where no table was compared.
    """
    if not compared:
        return None
    for modes in candidates(link.replica):
        under = link.with_modes(modes)
        if all(_harmless(pair, under, looked, log) for pair, looked in compared):
            return SmallestSetting(modes)
    return SmallestSetting(None, "values that are there need it, or nothing tells that they do not")


def _harmless(pair: Pair, link: Link, looked: Looked, log: Log) -> bool:
    both = Pair.of(pair.source, pair.replica, link)
    return all(_spares(cell, both, looked, log) for cell in both.differing)


def _spares(cell: Cell, pair: Pair, looked: Looked, log: Log) -> bool:
    if cell.allowed and cell.outcome.what is What.UNCHANGED:
        return True
    finding = Finding("", "", Effect.STOPS, "", pair.source.database, pair.source.name, cell.source.name)
    ask = Ask(finding, pair, looked, log)
    answer = ask.changed() if cell.allowed else ask.events()
    seen = [seen for seen in answer.values() if seen is not None]
    return bool(seen) and not any(seen.number for seen in seen)


#: Named from this share of a range on, or so many days before its end.
SHARE, DAYS = Decimal("0.8"), 365


def headroom(pair: Pair, looked: Looked) -> Iterator[str]:
    """A line for each integer column of a key whose values are near an end on either server."""
    keyed = {(part.column or "").casefold() for key in pair.source.keys for part in key.parts}
    for cell in pair.cells:
        here, there = cell.source, cell.replica
        integers = here.type.is_integer and there.type.is_integer and here.name.casefold() in keyed
        if looked.rows is None or not integers:
            continue
        name = ".".join(filter(None, (pair.source.database, pair.source.name, here.name)))
        ends = [(span(here.type), f"{here.type.sql()} on the source")]
        ends.append((span(there.type), f"{there.type.sql()} on the replica"))
        (_, top), where = min(ends, key=lambda entry: entry[0][1])
        smallest, largest = _used(cell, looked.rows)
        days = _days(cell, top, looked.rows, looked.before)
        if largest is not None and (largest >= SHARE * top or (days is not None and days <= DAYS)):
            full = f", full in {plural(days, 'day')} at today's rate" if days is not None else ""
            yield f"{name}: {largest:,} of {top:,} ({where}){full}"
        (low, _), where = max(ends, key=lambda entry: entry[0][0])
        if low < 0 and smallest is not None and smallest <= SHARE * low:
            yield f"{name}: {smallest:,} of {low:,} ({where})"


def _used(cell: Cell, table: TableProfile) -> tuple[Decimal | None, Decimal | None]:
    """The smallest and the largest number in use; of an AUTO_INCREMENT column the last that was given out."""
    column = next((c for n, c in table.columns.items() if n.casefold() == cell.source.name.casefold()), None)
    ends = (column.minimum, column.maximum) if column else (None, None)
    low, high = (end if isinstance(end, Decimal) else None for end in ends)
    if cell.source.auto_increment and table.auto_increment:
        high = max(high or Decimal(0), Decimal(table.auto_increment - 1))
    return low, high


def _days(cell: Cell, top: int, now: TableProfile, before: TableProfile | None) -> int | None:
    """Days until the range is used up at the rate between two profiles; None where nothing tells."""
    if before is None or before.definition != now.definition:
        return None
    last, first = _used(cell, now)[1], _used(cell, before)[1]
    seconds = (dt.datetime.fromisoformat(now.taken) - dt.datetime.fromisoformat(before.taken)).total_seconds()
    if last is None or first is None or last <= first or seconds <= 0:
        return None
    return max(int((top - last) / (last - first) * Decimal(seconds) / 86400), 0)
