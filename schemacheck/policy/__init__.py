"""Policy: what a team tolerates. Facts stay; findings are only marked with the reason.

`apply` is the one door: options, comments in the SQL, the configuration and the baseline, in this
order; the first that matches gives the reason.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace

from schemacheck.config.model import Tolerated
from schemacheck.model import Effect, KnownFinding, Report

__all__ = ["Policy", "apply"]


@dataclass(frozen=True, slots=True)
class Policy:
    """Everything a team said. `texts` are the input files (name -> text) whose comments count;
    `known` is the baseline's content, None where there is none, `baseline_file` its name."""

    fail_on: Effect = Effect.UNSUPPORTED
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    tolerate: tuple[Tolerated, ...] = ()
    known: tuple[KnownFinding, ...] | None = None
    baseline_file: str = ""


def apply(report: Report, policy: Policy, texts: Mapping[str, str], today: dt.date) -> Report:
    """The report with its tolerated findings marked, remarks about suppressions that match nothing
    or have expired, and what of the baseline is fixed."""
    out = replace(report, fail_on=policy.fail_on)
    if policy.select or policy.ignore:
        from schemacheck.policy import selection

        out = selection.apply(out, policy.select, policy.ignore)
    if texts:
        from schemacheck.policy import comments

        found = [suppression for file, text in texts.items() for suppression in comments.scan(text, file)]
        out = comments.apply(out, found, policy.select, policy.ignore)
    if policy.tolerate:
        from schemacheck.policy import configured

        out = configured.apply(out, policy.tolerate, today)
    if policy.known is not None:
        from schemacheck.policy import baseline

        out = baseline.apply(out, policy.known, policy.baseline_file)
    return out
