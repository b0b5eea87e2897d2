"""A linted history as text and JSON. What is said of a step
is what `plan` says of its change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from typing import Any

from schemacheck.model import InputProblem
from schemacheck.model.quantity import plural
from schemacheck.plan import document
from schemacheck.plan import text as plan_text
from schemacheck.plan.github import problem_text
from schemacheck.plan.history import Linted, OverLink, Refused, Step
from schemacheck.plan.model import Plan
from schemacheck.plan.verdict import EXISTS, NONE, UNDECIDED, way
from schemacheck.text.document_parts import location
from schemacheck.text.printable import as_json, one_line

SCHEMA_VERSION = 1
#: What is shown of what a step's statements were not understood in.
_SHOWN = 3
_WORDS = {EXISTS: "can be rolled out", NONE: "cannot be rolled out", UNDECIDED: "not decided"}

Json = dict[str, Any]


def summary(result: Linted) -> str:
    """`12 migrations of 12 over 2 links: 22 can be rolled out, 1 cannot, 1 not decided`."""
    steps = [step for over in result.links for step in over.steps if step.linted]
    counts = Counter(step.status for step in steps)
    words = {EXISTS: "can be rolled out", NONE: "cannot", UNDECIDED: "not decided"}
    parts = [f"{counts[status]} {word}" for status, word in words.items() if counts[status]]
    unread = sum(not problem.skipped for problem in result.problems)
    if unread:
        parts.append(f"{unread} not understood")
    linted = {step.migration for step in steps}
    return (
        f"{plural(len(linted), 'migration')} of {len(result.history.migrations)} over "
        f"{plural(len(result.links), 'link')}: {', '.join(parts) or 'nothing to lint'}"
    )


def text(linted: Linted, *, verbose: bool = False, quiet: bool = False) -> str:
    """What stands in the way, step by step and link by link; the summary is the last line."""
    if quiet:
        return one_line(summary(linted)) + "\n"
    blocks = []
    problems = [
        problem for problem in linted.problems if verbose or not problem.skipped or problem.code == "SC003"
    ]
    if problems:
        blocks.append("\n".join(one_line(_problem_line(problem)) for problem in problems))
    for over in linted.links:
        lines = [f"{_heading(over)}:"]
        lines += [f"  {text}" for text in _of_link(over)]
        common = _common(over)
        lines += [f"  {line}" for line in _once(over, common)]
        shown = [step for step in over.steps if step.linted and (verbose or step.status != EXISTS)]
        for step in shown:
            lines += (
                f"  {line}" for line in _step(step, common, verbose=verbose) if verbose or not step.baseless
            )
        rest = sum(step.linted for step in over.steps) - len(shown)
        if rest:
            more = " more" if shown else ""
            lines.append(f"  {plural(rest, 'migration')}{more}: can be rolled out")
        blocks.append("\n".join(map(one_line, lines)))
    return "\n\n".join([*blocks, one_line(summary(linted))]) + "\n"


def json(linted: Linted) -> str:
    """JSON text with a line feed at its end."""
    return as_json({
        "schema_version": SCHEMA_VERSION,
        "path": linted.path,
        "kind": linted.history.kind,
        "exit_status": linted.status,
        "summary": summary(linted),
        "problems": [_problem(problem) for problem in linted.problems],
        "links": [
            {
                "name": over.name or None,
                "source": str(over.link.source),
                "replica": str(over.link.replica),
                "binlog_format": over.link.binlog_format,
                "assumptions": list(over.assumptions),
                "link_findings": _of_link(over),
                "steps": [_step_document(step) for step in over.steps],
            }
            for over in linted.links
        ],
    })  # fmt: skip


def _heading(over: OverLink) -> str:
    ends = f"{over.link.source} to {over.link.replica}, {over.link.binlog_format}"
    return f"link {over.name} ({ends})" if over.name else ends


def _of_link(over: OverLink) -> list[str]:
    """What is said of the link itself, once."""
    plan = next((step.plan for step in over.steps if step.plan is not None), None)
    return [plan.of_link(finding) for finding in plan.link_findings] if plan else []


def _once(over: OverLink, common: dict[str, list[str]]) -> Iterator[str]:
    """What is so of several migrations, once: tables that none makes, what is not understood of many."""
    if over.baseless:
        some = plural(sum(bool(step.baseless) for step in over.steps), "migration")
        names = ", ".join(over.baseless[:5]) + (", ..." if len(over.baseless) > 5 else "")
        yield f"{some} not decided: no migration makes {names}; give what is there before (--base FILE)"
    for message, places in common.items():
        yield f"not understood in {len(places)} places ({places[0]}, ...): {message}"


def _common(over: OverLink) -> dict[str, list[str]]:
    """What is said at several places, and where."""
    result: dict[str, list[str]] = {}
    for step in over.steps:
        for problem in _unread(step) if step.linted and not step.baseless else ():
            result.setdefault(problem_text(problem), []).append(str(problem.location))
    return {message: places for message, places in result.items() if len(places) > 1}


def _step(step: Step, common: Container[str], *, verbose: bool) -> Iterator[str]:
    migration = step.migration
    yield f"{migration.name} ({migration.file}:{migration.line}): {'; '.join(_verdict(step))}"
    if step.plan is None:
        return
    yield from (f"  {_refused(refused)}" for refused in step.refused)
    # What a placeholder without a value leads to is said by its name already.
    problems = [
        problem
        for problem in _unread(step)
        if verbose or not (problem_text(problem) in common or "${" in problem.message)
    ]
    yield from (
        f"  not understood: {_problem_line(problem)}" for problem in problems[: None if verbose else _SHOWN]
    )
    if not verbose and len(problems) > _SHOWN:
        yield f"  and {len(problems) - _SHOWN} more (-v)"
    replicated = step.plan.replicated
    for item in step.plan.statements if verbose or not step.plan.dead else ():
        goes = item.number in replicated or item.writes or item.order.exists
        if verbose or not goes:
            yield from (
                f"  {line}"
                for line in plan_text.statement(item, replicated=item.number in replicated, verbose=verbose)
            )


def _verdict(step: Step) -> list[str]:
    if step.plan is None:
        return ["not run there" if step.linted else "not linted"]
    if step.baseless:
        return [f"needs --base: {', '.join(step.baseless)}"]
    if step.refused:
        return [f"refused by {', '.join(dict.fromkeys(str(refused.server) for refused in step.refused))}"]
    if not step.plan.stages and not step.plan.problems:
        return ["replication sees nothing of it"]
    how = {"replicated": "replicate it", "both": "in stages"}
    return [how.get(way(step.plan), step.order.value)]


def _unread(step: Step) -> list[InputProblem]:
    """What was not understood, beside the errors of servers."""
    named = [refused.problem for refused in step.refused]
    problems = step.plan.problems if step.plan else ()
    return [problem for problem in problems if not problem.skipped and problem not in named]


def _refused(refused: Refused) -> str:
    refusal = refused.problem.refusal
    number = f"error {refusal.number}: " if refusal else ""
    message = refusal.message if refusal else refused.problem.message
    return f"{refused.server} refuses {refused.problem.location}: {number}{message}"


def _problem_line(problem: InputProblem) -> str:
    return f"{problem.location or ''} {problem_text(problem)}".strip()


def _problem(problem: InputProblem) -> Json:
    return {
        "code": problem.code,
        "message": problem.message,
        "location": location(problem.location),
        "table": problem.table,
        "left_out": problem.skipped,
    }


def _step_document(step: Step) -> Json:
    migration = step.migration
    return {
        "version": migration.version,
        "title": migration.title,
        "file": migration.file,
        "line": migration.line,
        "linted": step.linted,
        "needs_base": list(step.baseless),
        "exit_status": step.status,
        "order": step.order.value,
        "refused": [
            {
                "server": str(refused.server),
                "error": refused.problem.refusal.number if refused.problem.refusal else None,
                "message": refused.problem.refusal.message
                if refused.problem.refusal
                else refused.problem.message,
                "location": location(refused.problem.location),
            }
            for refused in step.refused
        ],
        "plan": _plan(step.plan) if step.plan else None,
    }


def _plan(plan: Plan) -> Json:
    """As `plan --format json` has it, without its runbook."""
    whole = document.document(plan)
    return {
        key: whole[key]
        for key in ("order", "way", "exit_status", "summary", "tables", "statements", "problems")
    }
