"""A plan as Markdown, for a comment on a pull request: the way on its first line, the runbook folded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.plan import text
from schemacheck.plan.model import Plan, RunbookStep
from schemacheck.plan.rollout import rollout
from schemacheck.plan.verdict import summary, way
from schemacheck.text.code_host import escape, steps
from schemacheck.text.printable import one_line, statement_lines

#: GitHub cuts a comment at 65,536 characters.
MOST_CHARACTERS = 60_000

_WAYS = {
    "replicated": "replicate every statement",
    "order": "change server by server",
    "both": "in stages, some replicated and some server by server",
    "none": "there is no way to roll this out as it is",
}


def render(plan: Plan) -> str:
    """The plan; what does not fit into a comment is counted."""
    parts = [heading(plan), escape(summary(plan)) + "."]
    parts += [
        escape(one_line(f"{plan.of_link(finding)} {finding.remedy}".strip()))
        for finding in plan.link_findings
    ]
    unread = [f"- {escape(text.problem_line(p))}" for p in plan.problems if not p.skipped]
    parts += ["\n".join(unread)] if unread else []
    if plan.statements:
        parts.append(steps(rollout(plan, "").steps, ordered=way(plan) == "replicated"))
    if plan.runbook:
        parts.append(_fold(plan, MOST_CHARACTERS - sum(map(len, parts))))
    ends = f"{plan.link.source} to {plan.link.replica}"
    parts.append(f"<sub>{escape(ends)}, {plan.link.binlog_format}</sub>")
    return "\n\n".join(parts) + "\n"


def heading(plan: Plan) -> str:
    """`### schemacheck plan: replicate every statement (server by server: lock-step)`."""
    how = _WAYS[way(plan)] if plan.stages or plan.problems else "nothing changes"
    order = f" (server by server: {plan.order.value})" if plan.stages else ""
    return f"### schemacheck plan: {how}{order}"


def _fold(plan: Plan, room: int) -> str:
    blocks: list[str] = []
    for step in plan.runbook:
        block = "\n".join(_step(step))
        room -= len(block) + 2
        if room < 200:
            blocks.append(f"... and {len(plan.runbook) - len(blocks)} more steps")
            break
        blocks.append(block)
    return "<details><summary>Runbook</summary>\n\n" + "\n\n".join(blocks) + "\n\n</details>"


def _step(step: RunbookStep) -> Iterator[str]:
    yield f"**{step.number}.** {escape(text.heading(step))}"
    lines = [line for shown in text.step_lines(step) for line in statement_lines(shown)]
    if lines:
        fence = "`" * max(
            3, 1 + max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
        )
        yield f"\n{fence}sql"
        yield from lines
        yield fence
