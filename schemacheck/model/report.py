"""What the engine answers about a link and all its tables."""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.model import notebook
from schemacheck.model.account import FileAccount
from schemacheck.model.difference import Difference, differences
from schemacheck.model.finding import Effect, Finding, PairReport, SmallestSetting
from schemacheck.model.link import Link
from schemacheck.model.policy import KnownFinding
from schemacheck.model.problem import InputProblem
from schemacheck.model.quantity import plural
from schemacheck.model.rollout import Rollout


@dataclass(frozen=True, slots=True)
class EvidenceOfReport:
    """What was looked at: a line for each profile. `headroom`: keys that are near their end. `smallest` is
    the smallest setting under which nothing bites today's rows; `only_biting`: what is absent does not block.
    """

    sources: tuple[str, ...] = ()
    headroom: tuple[str, ...] = ()
    smallest: SmallestSetting | None = None
    only_biting: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """Everything about one check.

    `assumptions` lists each setting that nobody gave and the default that was taken for it;
    `assumed_servers` are the ends (`source`, `replica`) whose server nobody named at all.
    `link_findings` are about the link by itself: versions and settings, whatever its tables are.
    `fail_on` is the effect from which the gate fails; `remarks` are findings about the check
    itself (a suppression that matches nothing), no part of the verdict; `fixed` are the entries of
    the baseline that are gone, None where there is no baseline; `files` says what became of every
    file of both sides; `rollout` how a change gets to the servers, where both sides are states of one schema.
    `evidence` is what was looked at, where evidence was given; `later` what both ends' settings make of later
    definitions.
    """

    link: Link
    pairs: tuple[PairReport, ...] = ()
    problems: tuple[InputProblem, ...] = ()
    assumptions: tuple[str, ...] = ()
    smallest: SmallestSetting | None = None
    assumed_servers: tuple[str, ...] = ()
    fail_on: Effect = Effect.UNSUPPORTED
    remarks: tuple[Finding, ...] = ()
    fixed: tuple[KnownFinding, ...] | None = None
    link_findings: tuple[Finding, ...] = ()
    files: tuple[FileAccount, ...] = ()
    rollout: Rollout | None = None
    evidence: EvidenceOfReport | None = None
    later: tuple[str, ...] = ()

    @property
    def verdict(self) -> Effect:
        """The worst verdict of the link and all pairs; `unknown` also where something could not be read."""
        worst = max((pair.verdict for pair in self.pairs), default=Effect.IDENTICAL)
        worst = max((worst, *(finding.effect for finding in self.link_findings)))
        if any(not problem.skipped for problem in self.problems):
            return Effect.UNKNOWN
        return worst

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings: of the link, then of all pairs, in order."""
        return (*self.link_findings, *(finding for pair in self.pairs for finding in pair.findings))

    @property
    def differences(self) -> tuple[Difference, ...]:
        """What matters, each cause once: findings that one fix ends, and tables with the same, are one."""
        return differences(self.link_findings, self.pairs)

    @property
    def dead(self) -> bool:
        """Whether the link itself carries nothing, or not all: no setting helps its tables then."""
        return any(f.kills_link and f.tolerated is None for f in self.link_findings)

    def __repr__(self) -> str:
        """One line; `render(report)` has the rest."""
        counted = [plural(len(self.pairs), "table"), plural(len(self.findings), "finding")]
        counted += [plural(len(self.problems), "problem")] if self.problems else []
        return f"<Report {self.verdict.value}: {', '.join(counted)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows; `render(report, "html")` is the whole page."""
        rows = [
            (d.effect.value, d.finding.code, d.subject, d.finding.message, d.fix)
            for d in sorted(self.differences, key=lambda d: d.effect, reverse=True)
        ]
        rows += [("unknown", p.code, p.table or "", p.message, "") for p in self.problems if not p.skipped]
        return notebook.table(repr(self)[1:-1], ("effect", "rule", "where", "what", "fix"), rows)
