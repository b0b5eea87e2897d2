"""The first lines of a report about a change: may it be rolled out, in which order, what each table needs."""

from __future__ import annotations

from schemacheck.engine.gate import UNDECIDED, blocking, exit_status
from schemacheck.model import Report
from schemacheck.model.quantity import plural
from schemacheck.model.rollout import Rollout, RolloutStep
from schemacheck.outputs._style import wrapped
from schemacheck.text.code_host import MOST_STEPS

_ORDERS = {
    "": "",
    "replicated": "Run each statement once, on the source; the replicas get it by replication.",
    "any order": "Change the servers one by one, in any order.",
    "replica-first": "Change the replicas first, then the source.",
    "source-first": "Change the source first, then the replicas.",
    "in stages": "Each line on all servers, before the next one begins.",
}


def heading(report: Report, rollout: Rollout) -> str:
    """May it go: one phrase."""
    held = [step for step in rollout.steps if step.held_up]
    if held and exit_status(report) != UNDECIDED:
        which = "" if len(held) == len(rollout.steps) else f": {len(held)} of {len(rollout.steps)} tables"
        return f"the change cannot be rolled out as it stands{which}"
    if held or exit_status(report) == UNDECIDED:
        return "it could not be decided how this is rolled out"
    if blocking(report):
        return "the change can be rolled out, but something else stops the check"
    if not rollout.steps:
        return "nothing changes for replication"
    warnings = sum(len(step.warnings) for step in rollout.steps)
    return f"can be rolled out; {plural(warnings, 'warning')}" if warnings else "safe to roll out"


def order(report: Report, rollout: Rollout) -> str:
    """The order in a sentence; '' where there is none for all."""
    entries = steps(report, rollout)
    return "" if any(step.held_up for step in entries) or not entries else _ORDERS[rollout.order]


def steps(report: Report, rollout: Rollout) -> tuple[RolloutStep, ...]:
    """What is listed: nothing where a part of the input was not understood, of which all may be other."""
    held = any(step.held_up for step in rollout.steps)
    return rollout.steps if held or exit_status(report) != UNDECIDED else ()


def line(report: Report, rollout: Rollout) -> str:
    """The rollout in one line: `safe to roll out: 2 tables replicated`."""
    counts: dict[str, int] = {}
    for step in (step for step in steps(report, rollout) if step.table):
        counts[step.order] = counts.get(step.order, 0) + 1
    text = ", ".join(f"{plural(count, 'table')} {name}" for name, count in counts.items())
    return heading(report, rollout) + (f"; {text}" if text else "")


def lines(report: Report, rollout: Rollout, columns: int) -> list[str]:
    """The lines for a terminal."""
    sentence = f"{heading(report, rollout)}. {order(report, rollout)}".rstrip()
    out = wrapped(sentence[0].upper() + sentence[1:], columns)
    mixed = rollout.order == "in stages" or not order(report, rollout)
    for step in steps(report, rollout)[:MOST_STEPS]:
        how = f"{step.order}: " if mixed and not step.needs else ""
        texts = [
            f"{step.name}: {how}{step.change}",
            *([f"needs {step.needs}"] if step.needs else []),
            *(f"warning: {warning}" for warning in step.warnings),
        ]
        for number, text in enumerate(texts):
            first, *more = wrapped(text, columns - 4)
            out += ["  " * (1 + bool(number)) + first, *(f"    {text}" for text in more)]
    if rest := len(steps(report, rollout)[MOST_STEPS:]):
        out.append(f"  and {rest:,} more tables")
    # A command that is cut in two is none.
    return [*out, "  the SQL, step by step:", f"    {rollout.command}"] if steps(report, rollout) else out
