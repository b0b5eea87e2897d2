"""From facts to a gate: what blocks, what a finding weighs, the exit status."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from schemacheck.dataclass import replace
from schemacheck.errors import sound
from schemacheck.model import Effect, Finding, InputProblem, PairReport, PairState, Report
from schemacheck.model.difference import without_moved
from schemacheck.rules import About, rules_about

_T = TypeVar("_T")
#: Exit statuses of `schemacheck check`.
PASSED, FOUND, BROKEN, UNDECIDED = 0, 1, 2, 3


def as_finding(problem: InputProblem) -> Finding:
    """A problem of the input as the finding of the rule whose code it bears: unknown, or identical where
    it was left out on purpose. Raises StopIteration where no rule has the code: a bug."""
    return next(finding for rule in rules_about(About.INPUT) for finding in rule.findings(problem))


def with_sound(report: Report, use: Callable[[Report], _T]) -> _T:
    """What `use` makes of a report. A pair by which it meets a defect is unknown, with the defect."""
    try:
        return use(report)
    except Exception:
        _, lost = sound(report.pairs, lambda pair: use(replace(report, pairs=(pair,))))
        if not lost:
            raise
        why = {id(pair): message for pair, message in lost}
        pairs = (_unknown(pair, why[id(pair)]) if id(pair) in why else pair for pair in report.pairs)
        return use(replace(report, pairs=tuple(pairs)))


def _unknown(pair: PairReport, why: str) -> PairReport:
    finding = as_finding(InputProblem("SC004", why, None, pair.database, pair.table))
    return PairReport(pair.database, pair.table, PairState.UNREADABLE, (finding,), reason=why)


def unread(report: Report) -> tuple[Finding, ...]:
    """Problems of the input that no finding of a pair tells already, as findings."""
    listed = {(f.code, side.location, f.message) for f in report.findings for side in (f.source, f.replica)}
    return tuple(
        as_finding(p)
        for p in report.problems
        if not p.skipped and (p.code, p.location, p.message) not in listed
    )


def entries(report: Report) -> tuple[Finding, ...]:
    """All that an output lists: findings of the link and of pairs, unread input, remarks about the check."""
    return (*report.findings, *unread(report), *report.remarks)


def annotated(report: Report) -> tuple[Finding, ...]:
    """The entries that ask somebody for something: columns that another one moves go with it."""
    listed = (f for f in entries(report) if f.effect > Effect.COMPATIBLE or f in report.remarks)
    return tuple(without_moved(listed, report.pairs))


def blocks(finding: Finding, report: Report) -> bool:
    """Whether this finding alone keeps the gate shut."""
    if finding.tolerated is not None or finding.effect < report.fail_on:
        return False
    spared = report.evidence is not None and report.evidence.only_biting
    return not (spared and finding.evidence is not None and finding.evidence.absent)


def blocking(report: Report) -> tuple[Finding, ...]:
    """The findings that keep the gate shut."""
    return tuple(finding for finding in entries(report) if blocks(finding, report))


def exit_status(report: Report) -> int:
    """0 passed; 1 findings from `fail_on` up, or no way to roll out; 3 unknowns alone."""
    shut = blocking(report)
    steps = [step for step in report.rollout.steps if step.held_up] if report.rollout else []
    if any(f.effect is not Effect.UNKNOWN for f in shut) or any(not step.undecided for step in steps):
        return FOUND
    return UNDECIDED if shut or steps else PASSED


def urgency(effect: Effect) -> int:
    """The place of an effect where a person reads from the top: stops, diverges, unknown, the others."""
    first = (Effect.STOPS, Effect.DIVERGES, Effect.UNKNOWN)
    return first.index(effect) if effect in first else len(first) + Effect.UNKNOWN.rank - effect.rank


def level(finding: Finding, report: Report) -> str:
    """`error`, `warning` or `note`, the three words that every consumer of findings knows."""
    if blocks(finding, report):
        return "error"
    if finding in report.remarks or (finding.tolerated is None and finding.effect > Effect.COMPATIBLE):
        return "warning"
    return "note"
