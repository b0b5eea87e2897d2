"""A plan in a step for each table: the answer to "may this be rolled out, and how"."""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.dataclass import replace
from schemacheck.model import Column, Effect, Report, Table
from schemacheck.model.rollout import Rollout, RolloutStep
from schemacheck.plan import fits, words
from schemacheck.plan.book import discards
from schemacheck.plan.model import SOURCE, Action, Order, Plan, Stage, StatementPlan, TablePlan
from schemacheck.plan.passage import replaced

#: Characters of a type that are shown.
_SHOWN = 40


def rollout(plan: Plan, command: str) -> Rollout:
    """The steps in the order of the plan; a table that comes again keeps its place."""
    steps: dict[tuple[str | None, str], RolloutStep] = {}
    for stage in plan.stages:
        for statement in stage.statements:
            if statement.writes and not statement.tables:
                text = " ".join(statement.sql.split())
                losses = discards((statement,))
                steps[None, f"#{statement.number}"] = RolloutStep(
                    None, "", text, "replicated", warnings=losses
                )
            for table in statement.tables:
                step = _step(plan, stage, statement, table)
                before = steps.get((step.database, step.table))
                steps[step.database, step.table] = _joined(before, step) if before else step
    return Rollout(tuple(steps.values()), command)


def with_end(result: Rollout, before: Report, after: Report) -> Rollout:
    """The steps held against what replicates when both ends have the change: between servers that differ one
    text may be two definitions. `before` and `after` are reports of both states; what was so before is none
    of the change's.
    """
    names = {(pair.database, pair.table, f.code, f.message) for pair in before.pairs for f in pair.findings}
    ends = {(pair.database, pair.table): pair for pair in after.pairs}

    def held(step: RolloutStep) -> RolloutStep:
        pair = ends.get((step.database, step.table))
        worst = [
            f
            for f in sorted(pair.findings if pair else (), key=lambda f: f.effect, reverse=True)
            if f.effect > Effect.INCOMPLETE and (step.database, step.table, f.code, f.message) not in names
        ]
        if step.held_up or not worst:
            return step
        needs = f"impossible: with the change on both ends: {' '.join(worst[0].message.split())}"
        undecided = worst[0].effect is Effect.UNKNOWN
        return replace(step, order=Order.IMPOSSIBLE.value, needs=needs, undecided=undecided)

    return replace(result, steps=tuple(map(held, result.steps)))


def _step(plan: Plan, stage: Stage, statement: StatementPlan, table: TablePlan) -> RolloutStep:
    order = "replicated" if stage.replicated or statement.writes else stage.order.value
    undecided = stage.order is Order.UNKNOWN and not stage.replicated
    warnings = [note.partition(";")[0] for note in discards((replace(statement, tables=(table,)),))]
    gone = [note.split()[2] for note in warnings if note.startswith("DROP COLUMN ")]
    warnings = [f"loses the values of {', '.join(gone)}"] * bool(gone) + [
        note for note in warnings if not note.startswith("DROP COLUMN ")
    ]
    warnings += [
        f"first, on each server: {' '.join(look.sql.split())} must show {look.expect}"
        for look in (() if table.anew else fits.looks(*table.at(SOURCE), plan.link.source, table.renames))
    ]
    if table.old and table.new:
        for here, there in replaced(table.old, table.new, table.renames):
            before, after = table.old.column(here), table.new.column(there)
            if before and after and before.type == after.type:
                warnings.append(f"if {here} is only renamed, run CHANGE COLUMN {here} {there} instead")
    return RolloutStep(
        table.database, table.table, _change(statement, table), order,
        "" if order == "replicated" else _needs(plan, stage, table), undecided, tuple(warnings),
    )  # fmt: skip


def _change(statement: StatementPlan, table: TablePlan) -> str:
    """What becomes of the table, column by column; where no column is another one, the statement."""
    if table.action is not Action.ALTER or not table.old or not table.new:
        return (
            f"{table.action.value} table"
            if table.action is not Action.DATA
            else " ".join(statement.sql.split())
        )
    return ", ".join(_columns(table.old, table.new, dict(table.renames))) or " ".join(statement.sql.split())


def _columns(old: Table, new: Table, renames: dict[str, str]) -> Iterator[str]:
    """What is said of each column that goes, comes, or is another one."""
    stay = {renames.get(c.name.casefold(), c.name.casefold()): c for c in old.columns}
    names = {c.name.casefold() for c in new.columns}
    yield from (f"drop {before.name}" for name, before in stay.items() if name not in names)
    for column in new.columns:
        before = stay.get(column.name.casefold())
        if before is None:
            yield f"add {column.name} {_type(column)}"
        elif before.name.casefold() != column.name.casefold():
            yield f"rename {before.name} to {column.name}"
        elif before.type != column.type:
            same = _type(before) == _type(column)
            yield f"{column.name} {_type(before, same)} -> {_type(column, same)}"
        elif before != column:
            yield f"other attributes of {column.name}"


def _type(column: Column, charset: bool = False) -> str:
    text = column.type.sql() if charset else column.type.plain()
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _needs(plan: Plan, stage: Stage, table: TablePlan) -> str:
    """What stands against a table's own order, or what must be set for it."""
    if stage.order.exists:
        name = words.conversions(plan.link.replica)
        return f"{name} = '{table.modes}' until every server has it" if table.modes else ""
    if stage.order is Order.LOCK_STEP and table.replicates:
        return "the statement replicated, or no writes meanwhile (lock-step)"
    listed = [o.text for p in table.passages for o in p.obstacles]
    why = table.blocked or table.replicates_not or next(iter(listed), "") or next(iter(table.notes), "")
    return f"{stage.order.value}: {why}" if why else stage.order.value


def _joined(first: RolloutStep, then: RolloutStep) -> RolloutStep:
    """Two steps of one table, of which the second comes later."""
    return replace(
        first,
        change=f"{first.change}; {then.change}",
        order=first.order if first.order == then.order else Order.STAGED.value,
        needs=first.needs or then.needs,
        undecided=first.undecided or then.undecided,
        warnings=tuple(dict.fromkeys((*first.warnings, *then.warnings))),
    )
