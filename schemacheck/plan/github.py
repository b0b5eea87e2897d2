"""A plan as GitHub workflow commands: the order of each statement at its line of the pull request."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.model import InputProblem
from schemacheck.plan.model import Plan, StatementPlan
from schemacheck.plan.verdict import exit_status, summary
from schemacheck.text.code_host import annotation
from schemacheck.text.printable import one_line


def render(plan: Plan) -> str:
    """One annotation per statement of a file, finding of the link, and thing that was not understood; then
    the summary as a plain line.
    """
    lines = [
        annotation("note" if goes else "error", one.location, f"plan: {said.partition(';')[0]}", said)
        for one, goes, said in statements(plan)
    ]
    failed = "error" if exit_status(plan) else "note"
    lines += [
        annotation(failed, None, f"{one.finding.code} {one.finding.rule}", f"{one.text} {one.finding.remedy}")
        for one in plan.link_findings
    ]
    lines += [
        annotation("error", p.location, "plan: not understood", problem_text(p))
        for p in plan.problems
        if not p.skipped
    ]
    return "\n".join([*lines, f"plan: {summary(plan)}"]) + "\n"


def statements(plan: Plan) -> Iterator[tuple[StatementPlan, bool, str]]:
    """(statement, whether it has a way, what is said of it in one line), of those that have a file."""
    replicated = {one.number for stage in plan.stages if stage.replicated for one in stage.statements}
    for one in plan.statements:
        if one.location is None:
            continue
        by_itself = one.number in replicated or one.writes
        said = ["replicate it" if by_itself else one.order.value]
        said += [f"{t.name}: server by server {t.order.value}" for t in one.tables]
        said += [note for t in one.tables for note in t.notes]
        said += [t.blocked for t in one.tables if t.blocked]
        yield one, by_itself or one.order.exists, one_line("; ".join(dict.fromkeys(said)))


def problem_text(problem: InputProblem) -> str:
    """What was not understood, and of which table, in one line."""
    return one_line((f"{problem.table}: " if problem.table else "") + problem.message)
