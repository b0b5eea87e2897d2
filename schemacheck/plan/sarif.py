"""A plan as SARIF 2.1.0: a result for each statement that stands in a file, with its order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from schemacheck.model import InputProblem, Location
from schemacheck.plan.model import Plan, StatementPlan
from schemacheck.plan.verdict import exit_status, summary
from schemacheck.text import code_host
from schemacheck.text.code_host import SARIF_SCHEMA, physical
from schemacheck.text.printable import json_text, one_line

_RULES = {
    "plan-order": "The order in which a statement gets to the servers",
    "plan-unread": "What was not understood",
}

Json = dict[str, Any]


def render(plan: Plan) -> str:
    """One run; statements that were written here have no place and are not in it."""
    replicated = _replicated(plan)
    results = []
    for one, goes, said in statements(plan):
        found = result("plan-order", "note" if goes else "error", one.location, said)
        found["properties"] = {"order": one.order.value, "replicated": one.number in replicated}
        results.append(found)
    results += [
        result("plan-unread", "error", p.location, problem_text(p)) for p in plan.problems if not p.skipped
    ]
    return page(results, exit_status(plan), summary(plan))


def page(results: list[Json], status: int, summarised: str) -> str:
    """A document of one run with these results, which ended with an exit status and a line that sums it
    up.
    """
    from schemacheck.version import __version__

    help_uri = code_host.page("plan.md")
    rules = [
        {"id": name, "shortDescription": {"text": text}, "helpUri": help_uri} for name, text in _RULES.items()
    ]
    run = {
        "tool": {"driver": {"name": "schemacheck", "semanticVersion": __version__, "rules": rules}},
        "invocations": [{"executionSuccessful": True, "exitCode": status, "exitCodeDescription": summarised}],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            "%SRCROOT%": {"description": {"text": "The directory in which schemacheck ran."}}
        },
        "results": results,
    }
    whole = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_text(json.dumps(whole, indent=2, ensure_ascii=False)) + "\n"


def result(rule: str, level: str, place: Location | None, message: str) -> Json:
    """One result of a rule of `_RULES`."""
    locations = [{"physicalLocation": physical(place)}] if place else []
    return {"ruleId": rule, "level": level, "message": {"text": message}, "locations": locations}


def statements(plan: Plan) -> Iterator[tuple[StatementPlan, bool, str]]:
    """(statement, whether it has a way, what is said of it in one line), of those that have a file."""
    replicated = _replicated(plan)
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


def _replicated(plan: Plan) -> set[int]:
    return {one.number for stage in plan.stages if stage.replicated for one in stage.statements}
