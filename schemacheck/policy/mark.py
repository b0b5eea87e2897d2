"""Marking findings of a report as tolerated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from schemacheck.config.model import Tolerated
from schemacheck.dataclass import dataclass, replace
from schemacheck.model import Effect, Finding, KnownFinding, PairReport, PairState, Report, Tolerance
from schemacheck.model.policy import SuppressionUse
from schemacheck.rules import About, means, rules_about


@dataclass(frozen=True, slots=True)
class Trusted:
    """`name` is the trusted place, `texts` the input files as they are there (None: no versions),
    `differences` what the change's policy has beside it.
    """

    name: str
    texts: Mapping[str, str] | None = None
    differences: tuple[SuppressionUse, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """Everything a team said. `texts` have comments; `known` is the baseline (None: none); `inline`: comments
    count, with `needs_reason` those with one, with `trusted` those there.
    """

    fail_on: Effect = Effect.UNSUPPORTED
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    tolerate: tuple[Tolerated, ...] = ()
    known: tuple[KnownFinding, ...] | None = None
    baseline_file: str = ""
    inline: bool = True
    needs_reason: bool = False
    trusted: Trusted | None = None


Decide = Callable[[Finding, PairReport], Tolerance | None]


def tolerate(report: Report, decide: Decide) -> Report:
    """Ask `decide` about every finding of pairs and link; a finding's first tolerance stays."""
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
    """Whether `SC204`, `SC2`, a rule's name or `ALL` means this finding's rule; '' means none."""
    wanted = selector.strip()
    return bool(wanted) and _covers(wanted, finding)


def accepts(selector: str | None, finding: Finding) -> bool:
    """Whether a tolerance of these rules (None: all) means it; what is unknown is named by its rule."""
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
