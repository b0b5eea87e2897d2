"""`tolerate:` of the configuration: findings that a team lives with, with a reason and a last day."""

from __future__ import annotations

import datetime as dt
from fnmatch import fnmatchcase

from schemacheck.config.model import Tolerated
from schemacheck.dataclass import replace
from schemacheck.engine.gate import as_finding
from schemacheck.model import Finding, InputProblem, PairReport, Report, Tolerance, ToleratedBy
from schemacheck.model.policy import SuppressionUse
from schemacheck.policy.mark import accepts, remarks, tolerate


def apply(report: Report, entries: tuple[Tolerated, ...], today: dt.date) -> Report:
    """Mark what the entries cover. An expired entry covers nothing and is remarked on, as is one
    that matches nothing. Input that was not understood is left out only by an entry that names its
    rule."""
    if not entries:
        return report
    used: set[int] = set()

    def first(finding: Finding, table: str) -> Tolerated | None:
        tolerated = None
        for number, entry in enumerate(entries):
            if matches(entry, finding, table):
                used.add(number)
                if tolerated is None and not expired(entry, today):
                    tolerated = entry
        return tolerated

    def decide(finding: Finding, pair: PairReport) -> Tolerance | None:
        entry = first(finding, pair.name)
        return None if entry is None else _tolerance(entry)

    def left_out(problem: InputProblem) -> InputProblem:
        finding = as_finding(problem)
        entry = None if problem.skipped else first(finding, finding.subject)
        return (
            problem
            if entry is None
            else replace(problem, skipped=True, message=f"{problem.message} (left out: {entry.reason})")
        )

    marked = replace(tolerate(report, decide), problems=tuple(left_out(p) for p in report.problems))
    uses = (
        SuppressionUse(
            f"tolerance of {_what(entry)}",
            entry.location,
            "its rule or tables",
            matched=number in used,
            ended=str(entry.expires) if expired(entry, today) else None,
        )
        for number, entry in enumerate(entries)
    )
    return replace(marked, remarks=(*marked.remarks, *remarks(uses)))


def expired(entry: Tolerated, today: dt.date) -> bool:
    """Whether the entry's day has come."""
    return entry.expires is not None and today >= entry.expires


def matches(entry: Tolerated, finding: Finding, table: str) -> bool:
    """Whether an entry means this finding, its expiry apart."""
    if not accepts(entry.rule, finding):
        return False
    if entry.tables and not any(_like(pattern, table) for pattern in entry.tables):
        return False
    if entry.columns and not any(_like(pattern, finding.column or "") for pattern in entry.columns):
        return False
    if entry.files and not any(_in_file(pattern, finding) for pattern in entry.files):
        return False
    return entry.effect is None or finding.effect <= entry.effect


def _in_file(pattern: str, finding: Finding) -> bool:
    """Whether a finding is in a file of this name: the whole path, or its last parts."""
    names = [side.location.file for side in (finding.source, finding.replica) if side.location]
    return any(fnmatchcase(name, pattern) or fnmatchcase(name, f"*/{pattern}") for name in names)


def _like(pattern: str, name: str) -> bool:
    """Shell patterns, in any case; a pattern without a dot also means the bare table name."""
    folded, wanted = name.casefold(), pattern.casefold()
    return fnmatchcase(folded, wanted) or (
        "." not in wanted and fnmatchcase(folded.rpartition(".")[2], wanted)
    )


def _tolerance(entry: Tolerated) -> Tolerance:
    return Tolerance(
        ToleratedBy.CONFIG, entry.reason, entry.location, entry.expires.isoformat() if entry.expires else None
    )


def _what(entry: Tolerated) -> str:
    where = f" in {', '.join(entry.tables)}" if entry.tables else ""
    return (entry.rule or "all rules") + where
