"""A plan as GitHub workflow commands: the order of each statement at its line of the pull request."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.model import InputProblem
from schemacheck.plan import words
from schemacheck.plan.model import Plan, StatementPlan
from schemacheck.plan.verdict import exit_status, summary
from schemacheck.text.code_host import annotation
from schemacheck.text.printable import one_line


def render(plan: Plan) -> str:
    """One annotation per statement of a file, finding of the link, and thing that was not understood; then
    the summary as a plain line.
    """
    lines = [
        annotation("note" if goes else "error", statement.location, f"plan: {text.partition(';')[0]}", text)
        for statement, goes, text in statements(plan)
    ]
    failed = "error" if exit_status(plan) else "note"
    lines += [
        annotation(failed, None, f"{f.code} {f.rule}", f"{plan.of_link(f)} {f.remedy}")
        for f in plan.link_findings
    ]
    lines += [
        annotation("error", p.location, f"plan: {words.problem(p)}", problem_text(p))
        for p in plan.problems
        if not p.skipped
    ]
    return "\n".join([*lines, f"plan: {summary(plan)}"]) + "\n"


def statements(plan: Plan) -> Iterator[tuple[StatementPlan, bool, str]]:
    """(statement, whether it has a way, what is said of it in one line), of those that have a file."""
    replicated = plan.replicated
    for statement in plan.statements:
        if statement.location is None:
            continue
        by_itself = statement.number in replicated or statement.writes
        sentences = ["replicate it" if by_itself else statement.order.value]
        sentences += [f"{t.name}: server by server {t.order.value}" for t in statement.tables]
        sentences += [note for t in statement.tables for note in t.notes]
        sentences += [t.blocked for t in statement.tables if t.blocked]
        yield statement, by_itself or statement.order.exists, one_line("; ".join(dict.fromkeys(sentences)))


def problem_text(problem: InputProblem) -> str:
    """What was not understood, and of which table, in one line."""
    return one_line((f"{problem.table}: " if problem.table else "") + problem.message)
