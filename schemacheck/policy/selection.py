"""`--select` and `--ignore`: which rules count this time. What is unknown always counts."""

from __future__ import annotations

from schemacheck.errors import UsageError
from schemacheck.model import Effect, Finding, PairReport, Report, Tolerance, ToleratedBy
from schemacheck.policy.mark import covers, tolerate


def check(selectors: tuple[str, ...]) -> None:
    """Raise UsageError where a selector means no rule at all."""
    from schemacheck import rules

    for selector in selectors:
        plain = selector.strip()
        if plain.upper() == "ALL":
            continue
        if not plain or not any(rules.means(plain, r.code, r.name) for r in rules.all_rules()):
            raise UsageError(f"there is no rule {selector!r}; `schemacheck rules` lists them")


def counts(finding: Finding, select: tuple[str, ...], ignore: tuple[str, ...]) -> bool:
    """Whether a finding is selected and not ignored."""
    if finding.effect is Effect.UNKNOWN:
        return True
    chosen = not select or any(covers(s, finding) for s in select)
    return chosen and not any(covers(s, finding) for s in ignore)


def apply(report: Report, select: tuple[str, ...], ignore: tuple[str, ...]) -> Report:
    """Mark what is not selected or is ignored. Raises UsageError on an unknown selector."""
    if not select and not ignore:
        return report
    check((*select, *ignore))

    def decide(finding: Finding, _: PairReport) -> Tolerance | None:
        if counts(finding, select, ignore):
            return None
        named = next((s for s in ignore if covers(s, finding)), None)
        return Tolerance(
            ToleratedBy.OPTION, f"--ignore {named}" if named else f"not among --select {','.join(select)}"
        )

    return tolerate(report, decide)
