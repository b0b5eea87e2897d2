"""Findings about input that could not be read, and about the check itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from schemacheck.model import Effect, Finding, InputProblem, Location, Side


def unread(problem: InputProblem) -> Finding:
    """A problem of the input as a finding: unknown, or identical where it was left out on purpose."""
    effect = Effect.IDENTICAL if problem.skipped else Effect.UNKNOWN
    correct = "Correct the input there, or leave the table out of the check on purpose."
    remedies = {
        "SC002": "Let a scratch server say (--ask local), or give the output of SHOW CREATE TABLE.",
        "SC004": "Settle what it names, or leave the table out of the check on purpose.",
    }
    code = "" if problem.refusal else problem.code  # a server has said already
    remedy = "" if problem.skipped else remedies.get(code, correct)
    return Finding(
        "", "", effect, problem.message, problem.database, problem.table or "",
        source=Side(problem.location, line=problem.line), remedy=remedy,
    )  # fmt: skip


def coded(code: str) -> Callable[[InputProblem], Iterator[Finding]]:
    """A rule's `check` of the problems that bear its code."""
    return lambda problem: iter((unread(problem),) if problem.code == code else ())


def about_the_check(message: str, remedy: str, location: Location | None) -> Finding:
    """A remark: it weighs nothing, and names the place to correct."""
    return Finding("", "", Effect.COMPATIBLE, message, source=Side(location), remedy=remedy)
