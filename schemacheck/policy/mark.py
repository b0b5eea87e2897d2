"""Marking findings of a report as tolerated."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from schemacheck.dataclass import replace
from schemacheck.model import Effect, Finding, PairReport, PairState, Report, Tolerance
from schemacheck.model.policy import SuppressionUse
from schemacheck.rules import About, means, rules_about

Decide = Callable[[Finding, PairReport], Tolerance | None]


def tolerate(report: Report, decide: Decide) -> Report:
    """Ask `decide` about every finding of every pair, and of the link (as of a pair without a name); the
    first tolerance of a finding stays.
    """
    pairs = []
    for pair in report.pairs:
        findings = tuple(_marked(finding, decide(finding, pair)) for finding in pair.findings)
        pairs.append(pair if findings == pair.findings else replace(pair, findings=findings))
    link = PairReport(None, "", PairState.COMPARED)
    result = tuple(_marked(finding, decide(finding, link)) for finding in report.link_findings)
    return replace(report, pairs=tuple(pairs), link_findings=result)


def _marked(finding: Finding, why: Tolerance | None) -> Finding:
    return finding if why is None or finding.tolerated is not None else replace(finding, tolerated=why)


def covers(selector: str, finding: Finding) -> bool:
    """Whether `SC204`, the beginning `SC2`, the rule's name or `ALL` means this finding's rule. '' means
    none.
    """
    wanted = selector.strip()
    return bool(wanted) and _covers(wanted, finding)


def accepts(selector: str | None, finding: Finding) -> bool:
    """Whether a tolerance of these rules (None: of all) means the finding. What is unknown is accepted only
    where its rule itself is named.
    """
    if finding.effect is Effect.UNKNOWN:
        return selector is not None and selector.strip().casefold() in (
            finding.code.casefold(),
            finding.rule.casefold(),
        )
    return selector is None or covers(selector, finding)


def _covers(wanted: str, finding: Finding) -> bool:
    return wanted.upper() == "ALL" or means(wanted, finding.code, finding.rule)


def remarks(uses: Iterable[SuppressionUse]) -> tuple[Finding, ...]:
    """What the rules about suppressions find in these."""
    rules = rules_about(About.SUPPRESSION)
    return tuple(finding for use in uses for rule in rules for finding in rule.findings(use))
