"""Text renderings of what the filters' functions return, for terminals."""

from __future__ import annotations

from collections.abc import Iterable

from schemacheck.dataclass import dataclass
from schemacheck.filters.decision import Decision, Outcome
from schemacheck.filters.tables import Reach, TableState


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked, the decision with its trace, and for a table its state over all ways to change it."""

    asked: str
    decision: Decision
    state: TableState | None = None


_HEADLINE = {
    Outcome.EXECUTED: "executed on the replica",
    Outcome.PARTLY: "executed on the replica in part",
    Outcome.IGNORED: "ignored by the replica",
    Outcome.NOT_LOGGED: "not in the source's binary log",
    Outcome.STOPS: "stops the applier",
    Outcome.UNKNOWN: "cannot be decided",
}


def decision(answer: Decision) -> str:
    """A decision with its trace: headline, tables, numbered steps, what is unknown."""
    lines = [
        f"{answer.outcome.value}: {_HEADLINE[answer.outcome]}" + (f" ({answer.rule})" if answer.rule else "")
    ]
    if answer.error:
        lines.append(f"  error {answer.error.number}: {answer.error.message}")
    for table in answer.tables:
        if table.replica is None:
            lines.append(f"  {table.table}: not changed on the replica")
        else:
            lines.append(
                f"  {table.table}: replicated"
                + (f" as {table.replica}" if table.replica != table.table else "")
            )
    stage = ""
    for number, step in enumerate(answer.trace, 1):
        if step.stage.value != stage:
            stage = step.stage.value
            lines.append(f"{stage}:")
        rule = f"  [{step.rule}]" if step.rule else ""
        lines.append(f"  {number}. {step.question} {step.answer}{rule}")
        if step.surprise:
            lines.append(f"     ! {step.surprise}")
    lines += [f"cannot be determined: {text}" for text in answer.unknown]
    return "\n".join(lines) + "\n"


def answer(given: Answer) -> str:
    """The decision, and for a table what holds for all ways to change it."""
    text = decision(given.decision)
    if given.state is not None:
        text += f"all changes of {given.asked}: {given.state.reason}\n"
        if given.state.ddl is not given.state.state:
            text += f"DDL on it: {given.state.ddl.value}\n"
    return text


def tables(states: Iterable[TableState], *, ddl: bool = True) -> str:
    """The table form: one line per table (name, state, name on the replica, reason) and a count."""
    rows = []
    counts = dict.fromkeys(Reach, 0)
    for state in states:
        counts[state.state] += 1
        target = f"{state.replica_database}.{state.replica_table}"
        name = f"{state.database}.{state.table}"
        shown = f"{name} -> {target}" if target != name and state.state is not Reach.NOT_REPLICATED else name
        note = f"; DDL: {state.ddl.value}" if ddl and state.ddl is not state.state else ""
        rows.append((shown, state.state.value, state.reason + note))
    width = max((len(row[0]) for row in rows), default=0)
    lines = [f"{name:<{width}}  {kind:<14}  {reason}" for name, kind, reason in rows]
    lines.append(", ".join(f"{count} {reach.value}" for reach, count in counts.items()))
    return "\n".join(lines) + "\n"
