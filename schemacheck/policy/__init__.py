"""Policy: what a team tolerates; findings are marked with the first reason."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from schemacheck.dataclass import replace
from schemacheck.model import Effect, Finding, PairReport, Report, Tolerance, ToleratedBy
from schemacheck.model.rollout import Rollout
from schemacheck.policy.mark import Policy, Trusted, remarks, tolerate

__all__ = ["Policy", "Trusted", "apply"]


def apply(report: Report, policy: Policy, texts: Mapping[str, str], today: dt.date) -> Report:
    """The report with its tolerated findings marked, remarks about suppressions that match nothing
    or have expired, and what of the baseline is fixed."""
    out = replace(report, fail_on=policy.fail_on)
    if policy.select or policy.ignore:
        from schemacheck.policy import selection

        out = selection.apply(out, policy.select, policy.ignore)
    if texts:
        from schemacheck.policy import comments, trusted

        followed, refused = [], []
        for file, text in texts.items():
            suppressions = comments.scan(text, file)
            some, others = trusted.followed(suppressions, file, policy)
            followed += some
            refused += others
        out = comments.apply(out, followed, policy.select, policy.ignore)
        out = replace(out, remarks=(*out.remarks, *remarks(refused)))
    if policy.tolerate:
        from schemacheck.policy import configured

        out = configured.apply(out, policy.tolerate, today)
    if policy.known is not None:
        from schemacheck.policy import baseline

        out = baseline.apply(out, policy.known, policy.baseline_file)
    if policy.trusted is not None:
        out = replace(out, remarks=(*out.remarks, *remarks(policy.trusted.differences)))
    return _rolled_out(out, out.rollout) if out.rollout else out


def _rolled_out(report: Report, rollout: Rollout) -> Report:
    """What a replica would meet that has the change before its source counts no more for a table whose change
    has an order; the remedy is what the change needs, never to undo it.
    """

    def decide(finding: Finding, pair: PairReport) -> Tolerance | None:
        step = rollout.step(pair.database, pair.table)
        # What is unknown is never a pass, in whatever order.
        passes = step is not None and not step.held_up and finding.effect is not Effect.UNKNOWN
        return Tolerance(ToleratedBy.ROLLOUT, step.order) if step and passes else None

    def remedied(pair: PairReport) -> PairReport:
        step = rollout.step(pair.database, pair.table)
        if step is None:
            return pair
        text = f"This change needs {step.needs}" if step.needs else f"None is needed: {step.order}"
        return replace(pair, findings=tuple(replace(f, remedy=text, remedy_sql=None) for f in pair.findings))

    return tolerate(replace(report, pairs=tuple(map(remedied, report.pairs))), decide)
