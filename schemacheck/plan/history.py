"""Each step of a migration history, planned over a link: what it does to the replication of rows, and which
server refuses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemacheck import catalog
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import defect
from schemacheck.model import InputProblem, Link, Location, Schema, Server
from schemacheck.model.filters import FilterSet
from schemacheck.model.history import History, Migration
from schemacheck.plan.build import plan_change
from schemacheck.plan.model import Order, Plan
from schemacheck.plan.verdict import EXISTS, NONE, UNDECIDED, exit_status

NO_SUCH_TABLE = 1146


@dataclass(frozen=True, slots=True)
class Refused:
    """A server does not run a statement of a migration: its error stands in the problem's `refusal`."""

    server: Server
    problem: InputProblem


@dataclass(frozen=True, slots=True)
class Step:
    """A migration on top of those before it. `plan` is over the link, None where the link's source does not
    run the migration at all (it is for the other flavour); `linted` is False where it is run only to have its
    tables; `baseless` are tables that it takes to be there and no migration makes: nothing is decided then.
    """

    migration: Migration
    plan: Plan | None = None
    refused: tuple[Refused, ...] = ()
    linted: bool = True
    baseless: tuple[str, ...] = ()

    @property
    def status(self) -> int:
        """As of `plan`; a refusal with the server's error counts as what has no way."""
        if self.plan is None or not self.linted:
            return EXISTS
        if self.baseless:
            return UNDECIDED
        return NONE if self.refused else exit_status(self.plan)

    @property
    def order(self) -> Order:
        """The plan's; a refused migration is impossible."""
        if self.baseless:
            return Order.UNKNOWN
        if self.refused:
            return Order.IMPOSSIBLE
        return self.plan.order if self.plan else Order.ANY


@dataclass(frozen=True, slots=True)
class OverLink:
    """A history over one link. `name` is the configuration's ('' where it has none), `schema` what the source
    has in the end.
    """

    name: str
    link: Link
    steps: tuple[Step, ...]
    schema: Schema = field(repr=False)
    assumptions: tuple[str, ...] = ()

    @property
    def baseless(self) -> tuple[str, ...]:
        """The tables that migrations take to be there and none makes."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.baseless))


@dataclass(frozen=True, slots=True)
class Linted:
    """A history over all links that were asked for, and what was said where its files were read."""

    path: str
    history: History
    links: tuple[OverLink, ...]
    problems: tuple[InputProblem, ...] = ()

    @property
    def status(self) -> int:
        """The worst of all: 1 before 3 before 0."""
        status = {step.status for over in self.links for step in over.steps}
        if NONE in status:
            return NONE
        return UNDECIDED if UNDECIDED in status or any(not p.skipped for p in self.problems) else EXISTS


def over_link(
    history: History, link: Link, *, name: str = "", base: Schema | None = None, database: str | None = None,
    filters: FilterSet | None = None, assumptions: tuple[str, ...] = (),
    only: Sequence[Migration] | None = None,
) -> OverLink:  # fmt: skip
    """Plan every migration (or those of `only`) on the definitions that the ones before left on the link's
    source; `base` is what is there before all. What was not understood is in each step's plan.
    """
    tables = Schema(base.tables) if base else Schema()
    # What was not understood, and is said in no step that is linted.
    unsaid = [problem for problem in base.problems if not problem.skipped] if base else []
    doubt = _doubtful(unsaid)
    chosen = None if only is None else frozenset(only)
    made: set[str] = set()
    steps = []
    for migration in history.migrations:
        if migration.families and link.source.family not in migration.families:
            steps.append(Step(migration))
            continue
        linted = chosen is None or migration in chosen
        after = tables
        try:
            after = _run(migration, link.source, tables, database)
            step = Step(migration, linted=linted)
            if linted:
                plan = _plan(migration, tables, link, database, filters, assumptions)
                refused = _refused(migration, tables, (plan, after), link, database, doubt=doubt)
                step = Step(migration, _doubted(plan, migration, unsaid), refused)
        except Exception as error:  # noqa: BLE001 a defect costs this step, not the history
            lost = _lost(migration, link, error)
            after = replace(after, problems=(*after.problems, *lost.problems))
            step = Step(migration, lost if linted else None, linted=linted)
        steps.append(step)
        tables = _left(tables, after)
        made.update(table.name.casefold() for table in tables.tables)
        doubt = doubt or _doubtful(after.problems)
        if not linted:
            unsaid += (problem for problem in after.problems if not problem.skipped)
    if base is None or not base.tables:
        steps = [_based(step, made) for step in steps]
    return OverLink(name, link, tuple(steps), tables, assumptions)


def _based(step: Step, made: set[str]) -> Step:
    """A step without the errors about tables that no migration makes: they are there before all of them."""
    missing = [r for r in step.refused if _missing(r.problem) and _missing(r.problem).casefold() not in made]
    names = dict.fromkeys(_missing(refused.problem) for refused in missing)
    return replace(step, baseless=tuple(names)) if missing else step


def _missing(problem: InputProblem) -> str:
    """The table of error 1146; '' for others."""
    return problem.table or "" if problem.refusal and problem.refusal.number == NO_SUCH_TABLE else ""


def _doubted(plan: Plan, migration: Migration, before: Sequence[InputProblem]) -> Plan:
    """A plan with those problems of before it that concern what its migration names: of all tables, or of one
    whose name is in its text.
    """
    text = "\n".join(migration.text[part.start : part.end] for part in migration.parts).casefold()
    problems = [problem for problem in before if problem.table is None or problem.table.casefold() in text]
    return replace(plan, problems=(*problems, *plan.problems)) if problems else plan


def _left(before: Schema, after: Schema) -> Schema:
    """The tables behind a step: those whose statements failed are as they were."""
    lost = {(problem.database, problem.table) for problem in after.problems if not problem.skipped}
    there = {(table.database, table.name) for table in after.tables}
    tables = [
        table
        for table in before.tables
        if (table.database, table.name) in lost and (table.database, table.name) not in there
    ]
    return Schema((*after.tables, *tables))


def _run(migration: Migration, server: Server, base: Schema, database: str | None) -> Schema:
    return catalog.read(
        migration.text, server, file=migration.file, database=database, base=base, parts=migration.parts
    )


def _plan(
    migration: Migration, base: Schema, link: Link, database: str | None, filters: FilterSet | None,
    assumptions: tuple[str, ...],
) -> Plan:  # fmt: skip
    try:
        return plan_change(
            base, [(migration.file, migration.text)], link, database=database, filters=filters,
            assumptions=assumptions,
            parts={migration.file: migration.parts},
        )  # fmt: skip
    except Exception as error:  # noqa: BLE001 a defect costs this step, not the history
        return _lost(migration, link, error)


def _lost(migration: Migration, link: Link, error: Exception) -> Plan:
    return Plan(link, (), problems=(InputProblem("SC004", defect(error), Location(migration.file)),))


def _refused(
    migration: Migration, base: Schema, behind: tuple[Plan, Schema], link: Link, database: str | None, *,
    doubt: bool,
) -> tuple[Refused, ...]:  # fmt: skip
    """The statements that a server of the link refuses with an error of its own; the source's first. `behind`
    are the migration's plan, and what the source has then.
    """
    plan, after = behind
    doubt = doubt or _doubtful(after.problems)
    errors = _errors(dict.fromkeys((*after.problems, *plan.problems)), doubt=doubt)
    refuseds = [Refused(link.source, problem) for problem in errors]
    same = (link.replica.flavor, link.replica.version) == (link.source.flavor, link.source.version)
    if not same and not (migration.families and link.replica.family not in migration.families):
        there = _run(migration, link.replica, base, database)
        doubt = doubt or _doubtful(there.problems)
        refuseds += [Refused(link.replica, problem) for problem in _errors(there.problems, doubt=doubt)]
    return tuple(refuseds)


def _doubtful(problems: Iterable[InputProblem]) -> bool:
    """Whether something is not understood; what a server refuses changes nothing."""
    return any(not problem.skipped and problem.refusal is None for problem in problems)


def _errors(problems: Iterable[InputProblem], *, doubt: bool) -> list[InputProblem]:
    """The errors of a server; none behind what was not understood, from which they may come."""
    if doubt:
        return []
    return [problem for problem in problems if problem.refusal is not None and not problem.skipped]
