"""A plan as GitHub workflow commands: the order of each statement at its line of the pull request."""

from __future__ import annotations

from schemacheck.plan import sarif
from schemacheck.plan.model import Plan
from schemacheck.plan.verdict import exit_status, summary
from schemacheck.text.code_host import annotation


def render(plan: Plan) -> str:
    """One annotation per statement of a file, finding of the link, and thing that was not understood; then
    the summary as a plain line.
    """
    lines = [
        annotation("note" if goes else "error", one.location, f"plan: {said.partition(';')[0]}", said)
        for one, goes, said in sarif.statements(plan)
    ]
    failed = "error" if exit_status(plan) else "note"
    lines += [
        annotation(failed, None, f"{one.finding.code} {one.finding.rule}", f"{one.text} {one.finding.remedy}")
        for one in plan.link_findings
    ]
    lines += [
        annotation("error", p.location, "plan: not understood", sarif.problem_text(p))
        for p in plan.problems
        if not p.skipped
    ]
    return "\n".join([*lines, f"plan: {summary(plan)}"]) + "\n"
