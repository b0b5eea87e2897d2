"""A change as a list of statements, each with what it makes of every server's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from schemacheck.catalog.steps import Step, steps
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import defect
from schemacheck.model import InputProblem, Location, Schema, Server, Table, with_incoming
from schemacheck.model.history import Part
from schemacheck.model.replicated import RefusedStatement
from schemacheck.plan import statement_reader
from schemacheck.plan.decide import End, differs
from schemacheck.plan.model import Action
from schemacheck.plan.passage import Renames
from schemacheck.plan.statement_reader import Said
from schemacheck.sql.words import Name, cut_name

#: A server of the chain, and which definitions it starts with.
Place = tuple[Server, int]


@dataclass(frozen=True, slots=True)
class Touched:
    """A table that a statement changes: per server of the chain, before and after. `swapped`: another table
    takes its place.
    """

    name: Name
    ends: tuple[End, ...]
    action: Action | None = None
    note: str = ""
    refused: str = ""
    renames: Renames = frozenset()
    swapped: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a change and the tables that it touches. `moves` are the names under which
    rows stand (before it, behind it).
    """

    sql: str
    location: Location | None
    touched: tuple[Touched, ...]
    states: tuple[dict[Name, Table], ...] = field(default=(), compare=False, repr=False)
    generated: bool = False
    writes: bool = False
    database: str | None = None
    session: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    moves: tuple[tuple[Name, Name], ...] = ()


def read(
    scripts: Sequence[tuple[str, str]],
    servers: Sequence[tuple[Server, Schema]],
    *,
    database: str | None = None,
    parts: Mapping[str, Sequence[Part]] | None = None,
) -> tuple[list[Statement], tuple[InputProblem, ...]]:
    """The statements of a migration, simulated on every server of the chain (`servers`, the
    source first, each with what it has before); and what was not understood. `scripts` are (file, text),
    `parts` what of a file is run, where that is not all.
    Statements that neither define nor write anything (SET, USE, SELECT) are left out; one of which
    that is not known is a problem."""
    out: list[Statement] = []
    problems: list[InputProblem] = []
    places = [(server, id(base)) for server, base in servers]
    bases = {place: base for place, (_, base) in zip(places, servers, strict=True)}
    for file, text in scripts:
        runs = {
            place: list(
                steps(
                    text,
                    place[0],
                    file=file,
                    database=database,
                    base=bases[place],
                    parts=(parts or {}).get(file),
                )
            )
            for place in bases
        }
        session: tuple[str, ...] = ()
        for index, step in enumerate(runs[places[0]]):
            try:
                found, why = _statement(step, {p: run[index] for p, run in runs.items()}, places, session)
            except Exception as error:  # noqa: BLE001 a defect costs this statement, not the change
                found, why = None, (*step.problems, _defect(step, defect(error)))
            problems += why
            out += [found] if found else []
            if step.words[:1] == ("SET",):
                session = (*session, step.sql)
        bases = {
            place: Schema(tuple(_state(run[-1].after).values())) if run else bases[place]
            for place, run in runs.items()
        }
    return out, tuple(problems)


def _defect(step: Step, why: str) -> InputProblem:
    return InputProblem("SC004", why, step.location, *(cut_name(step.sql, step.database) or ()))


def _statement(
    step: Step, here: dict[Place, Step], places: Sequence[Place], session: tuple[str, ...]
) -> tuple[Statement | None, tuple[InputProblem, ...]]:
    """One statement of a migration, None where it changes nothing; and what of it was not understood."""
    problems = step.problems
    states = {place: (_state(one.before), _state(one.after)) for place, one in here.items()}
    said = _resolved(statement_reader.read(step), step)
    touched = tuple(_touched(step, said, here, states, places))
    unknown = said.unknown or _lost(said, step, touched) or _unlogged(said, step)
    if unknown and not any(not p.skipped for p in step.problems):
        problems += (InputProblem("SC002", unknown, step.location),)
    unseen = said.defines and not step.problems
    if not (touched or said.writes or unseen):
        return None, problems
    # A definition that replication does not see (a comment, a row format) goes anywhere; triggers, users,
    # databases are replicated.
    writes = not touched and not (unseen and said.about in ("TABLE", "TABLES", "INDEX"))
    found = Statement(
        step.sql, step.location, touched, tuple(states[place][1] for place in places), writes=writes,
        database=step.database, session=session, moves=said.moves + _exchanged(said),
    )  # fmt: skip
    return found, problems


def refused_by(statements: Sequence[Statement], refused: RefusedStatement | None) -> list[Statement]:
    """The statements with what the replica does not run when they are replicated: the first one that it refuses,
    and all behind it.
    """  # noqa: E501
    out: list[Statement] = []
    stopped = ""
    for one in statements:
        if stopped:
            stopped = "the replica stops at a statement before this one"
        if refused is not None and one.location == refused.location:
            error = refused.error.message if refused.error else "it skips the statement without an error"
            stopped = f"{refused.replica} does not take the replicated statement: {error}"
        out.append(
            replace(one, touched=tuple(replace(t, refused=t.refused or stopped) for t in one.touched))
            if stopped
            else one
        )
    return out


def _unlogged(said: Said, step: Step) -> str:
    """Why a definition that the source does not log is not planned; '' for others."""
    if not (said.defines and step.unlogged):
        return ""
    return (
        "the source runs this with sql_log_bin = 0 and does not log it: plan it without, --unlogged says how "
        "to run it server by server"
    )


def _resolved(said: Said, step: Step) -> Said:
    """The names of a statement as the tables are called: where case does not count they are folded."""

    def known(name: Name) -> Name:
        folded = (name[0] and name[0].casefold(), name[1].casefold())
        return (
            folded
            if name not in step.before
            and name not in step.after
            and (folded in step.before or folded in step.after)
            else name
        )

    return replace(
        said,
        target=said.target and known(said.target),
        tables=tuple((known(old), known(new)) for old, new in said.tables),
        exchanged=said.exchanged and known(said.exchanged),
    )


def _lost(said: Said, step: Step, touched: Sequence[Touched]) -> str:
    """Why a statement that takes rows is not in the plan; '' where it is, or where there are none to take."""
    if said.verb == "TRUNCATE" and said.target is not None and not touched:
        return f"table {said.target[1]!r} to truncate is not known: give its CREATE TABLE before"
    if said.verb == "TRUNCATE" and said.target is None and not step.problems:
        return "this TRUNCATE is not understood"
    return ""


def _state(tables: dict[Name, Table]) -> dict[Name, Table]:
    """Tables with the keys of others that point at them."""
    return dict(zip(tables, with_incoming(tuple(tables.values())), strict=True))


def _touched(
    step: Step, said: Said, here: dict[Place, Step], states: dict[Place, tuple[dict[Name, Table], dict[Name,
    Table]]], places: Sequence[Place]
) -> Iterable[Touched]:  # fmt: skip
    before, after = states[places[0]]
    every = dict.fromkeys(name for pair in states.values() for tables in pair for name in tables)
    # A server may pass over what another one takes in: a CHECK, an invisible column.
    names = [name for name in every if any(differs(a.get(name), b.get(name)) for a, b in states.values())]
    swapped = _swapped(step, said)
    # Rows go only where the table was there before.
    rows = (
        [said.target]
        if said.rows and said.target is not None and said.target in before and said.target in after
        else []
    )
    names += [name for name in (*swapped, *rows) if name not in names]
    broken = {(p.database, p.table) for p in step.problems if not p.skipped and p.table}
    moved = _moved(names, before, after, said) if said.tables else {}
    for name in names:
        if name in broken or name in moved.values():
            continue
        target = moved.get(name, name)
        ends = tuple(End(states[p][0].get(name), states[p][1].get(target)) for p in places)
        refused = next(
            (
                f"{place[0]} does not take the statement: {p.message}"
                for place, one in here.items()
                if place != places[0]
                for p in one.problems
                if not p.skipped
            ),
            "",
        )
        if name in swapped:
            yield Touched(
                name,
                ends,
                Action.DATA,
                "another table takes its place, with its own rows: that has to happen at the same point of "
                "the log everywhere",
                refused,
                swapped=True,
            )
        elif name in rows:
            yield Touched(name, ends, Action.DATA, said.rows, refused)
        else:
            yield Touched(
                target, ends, Action.RENAME if target != name else None, refused=refused, renames=said.columns
            )


def _exchanged(said: Said) -> tuple[tuple[Name, Name], ...]:
    return ((said.exchanged, said.target),) if said.exchanged and said.target else ()


def _swapped(step: Step, said: Said) -> list[Name]:
    """Names that a RENAME gives to another table while the one that had it goes: the cut-over of a copy."""
    gone = {old for old, new in said.tables if old != new}
    return [new for _, new in said.tables if new in gone and new in step.before and new in step.after]


def _moved(
    names: list[Name], before: dict[Name, Table], after: dict[Name, Table], said: Said
) -> dict[Name, Name]:
    """Old name -> new name of tables that go on under another one, be they changed or not."""
    gone = {n for n in names if n in before and n not in after}
    come = {n for n in names if n in after and n not in before}
    return {old: new for old, new in said.moves if old in gone and new in come}
