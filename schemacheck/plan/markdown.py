"""A plan as Markdown, for a comment on a pull request: the way on its first line, the runbook folded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.plan import text
from schemacheck.plan.model import Order, Plan, RunbookStep, StatementPlan
from schemacheck.plan.verdict import summary, way
from schemacheck.printable import one_line, statement_lines

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
    parts += [escape(one_line(f"{one.text} {one.finding.remedy}".strip())) for one in plan.link_findings]
    unread = [p for p in plan.problems if not p.skipped]
    if unread:
        said = [one_line(" ".join([str(p.location or ""), p.table or "", p.message]).strip()) for p in unread]
        lines = [f"- {escape(line)}" for line in said]
        parts.append("**Not understood**\n\n" + "\n".join(lines))
    if plan.statements:
        parts.append("\n".join(_table(plan)))
    loses = [note for step in plan.runbook for note in step.discards]
    if loses:
        lines = [f"- {escape(one_line(note))}" for note in dict.fromkeys(loses)]
        parts.append("**What is lost for good**\n\n" + "\n".join(lines))
    if plan.runbook:
        parts.append(_fold(plan, MOST_CHARACTERS - sum(map(len, parts))))
    ends = [str(plan.links[0].source), *(str(link.replica) for link in plan.links)]
    parts.append(f"<sub>{escape(' to '.join(ends))}, {plan.links[0].binlog_format}</sub>")
    return "\n\n".join(parts) + "\n"


def heading(plan: Plan) -> str:
    """`### schemacheck plan: replicate every statement (server by server: lock-step)`."""
    how = _WAYS[way(plan)] if plan.stages or plan.problems else "nothing changes"
    order = f" (server by server: {plan.order.value})" if plan.stages else ""
    return f"### schemacheck plan: {how}{order}"


def _table(plan: Plan) -> Iterator[str]:
    yield "| | statement | table | server by server |"
    yield "|---|---|---|---|"
    for one in plan.statements:
        names = ", ".join(_code(t.name) for t in one.tables)
        order = "run on the source, replicated" if one.writes else one.order.value
        yield f"| {one.number} | {_code(_short(one))} | {names} | {order}{_why(one)} |"


def _why(one: StatementPlan) -> str:
    """What stands in the way of an order, in a few words."""
    if one.order is not Order.LOCK_STEP and one.order.exists:
        return ""
    blocked = next((t.blocked for t in one.tables if t.blocked), "")
    found = [o.text for t in one.tables for p in (*t.replica_first, *t.source_first) for o in p.obstacles]
    said = blocked or (found[0] if found else "")
    return f": {escape(one_line(said))}" if said else ""


def _short(one: StatementPlan) -> str:
    """A statement in one line of a table."""
    line = " ".join(one.sql.split())
    return line if len(line) < 120 else line[:117] + "..."


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


def escape(plain: str) -> str:
    """Text in which nothing is Markdown or HTML."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", plain).replace("@", "@\u200b")


def _code(plain: str) -> str:
    """Text in backquotes, in a table's cell."""
    line = one_line(plain).replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", line)), default=0))
    pad = " " if "`" in line else ""
    return f"{fence}{pad}{line}{pad}{fence}"
