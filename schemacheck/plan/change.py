"""A change as a list of statements, each with what it makes of every server's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from schemacheck.catalog.state import server_charset
from schemacheck.catalog.steps import Step, steps
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import defect
from schemacheck.model import InputProblem, Link, Location, Schema, Server, Table, with_incoming
from schemacheck.model.charset import has_collation
from schemacheck.model.history import Part
from schemacheck.model.replicated import RefusedStatement
from schemacheck.plan import statement_reader
from schemacheck.plan.decide import End
from schemacheck.plan.model import Action, Renames
from schemacheck.plan.statement_reader import WRITES, Said
from schemacheck.replay.alter import changes
from schemacheck.replay.change import BothEnds, of_session
from schemacheck.sql.words import Name, cut_name

Tables = dict[Name, Table]


@dataclass(frozen=True, slots=True)
class Touched:
    """A table that a statement changes: before and after on source and replica. `swapped`: another table
    takes its place; `apart` says what is otherwise where the replica runs the statement by itself.
    """

    name: Name
    ends: tuple[End, End]
    action: Action | None = None
    note: str = ""
    refused: str = ""
    renames: Renames = frozenset()
    swapped: bool = False
    apart: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a change and the tables that it touches; `after` are all tables of the source behind
    it, `moves` the names under which rows stand (before it, behind it).
    """

    sql: str
    location: Location | None
    touched: tuple[Touched, ...]
    after: Tables = field(default_factory=dict, compare=False, repr=False)
    generated: bool = False
    writes: bool = False
    database: str | None = None
    session: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    moves: tuple[tuple[Name, Name], ...] = ()


def read(
    scripts: Sequence[tuple[str, str]],
    ends: Sequence[tuple[Server, Schema]],
    *,
    database: str | None = None,
    parts: Mapping[str, Sequence[Part]] | None = None,
) -> tuple[list[Statement], tuple[InputProblem, ...]]:
    """The statements of a migration, simulated on both ends (the source first, each with what it has before);
    and what was not understood. `scripts` are (file, text), `parts` what of a file is run, where that is not
    all. Statements that neither define nor write anything (SET, USE, SELECT) are left out; one of which that
    is not known is a problem."""
    out: list[Statement] = []
    problems: list[InputProblem] = []
    servers = [ends[0][0], _set_up_like(ends[1][0], ends[0][0])]
    bases = [base for _, base in ends]
    source = BothEnds(bases[0], bases[0], Link(servers[0], servers[0]), database, None)
    for file, text in scripts:
        runs: list[list[Step]] = []
        for server, base in zip(servers, bases, strict=True):
            if runs and server == servers[0] and base is bases[0]:
                runs.append(runs[0])
                continue
            mine = (parts or {}).get(file)
            runs.append(list(steps(text, server, file=file, database=database, base=base, parts=mine)))
        session: tuple[str, ...] = ()
        for step, other in zip(*runs, strict=True):
            refused: list[InputProblem] = []
            try:
                refused = source.on_source(step)
                statement, why = _statement(step, other, ends[0][0], ends[1][0], session)
            except Exception as error:  # noqa: BLE001 a defect costs this statement, not the change
                statement, why = None, (*step.problems, _defect(step, defect(error)))
            problems += why
            problems += [] if any(not p.skipped for p in why) else refused
            out += [statement] if statement else []
            if step.words[:1] == ("SET",) and "information_schema" not in step.sql.casefold():
                session = (*session, step.sql)  # else it chooses a text, which stands in its place
        if runs[0]:
            left = [Schema(tuple(_state(run[-1].after).values()), charsets=run[-1].charsets) for run in runs]
            bases = [left[0], left[0] if runs[0] is runs[1] else left[1]]
    return out, tuple(problems)


def _set_up_like(replica: Server, source: Server) -> Server:
    """The replica with the source's character set for new databases, unless somebody gave its own: databases
    arrive with their character set, in a dump or in the event of CREATE DATABASE.
    """
    charset, collation = server_charset(source)
    own = replica.given("character_set_server") or not has_collation(collation, replica.has)
    if own or server_charset(replica) == (charset, collation):
        return replica
    return replica.with_told({"character_set_server": charset, "collation_server": collation})


def _defect(step: Step, why: str) -> InputProblem:
    return InputProblem("SC004", why, step.location, *(cut_name(step.sql, step.database) or ()))


def _statement(
    step: Step, other: Step, source: Server, replica: Server, session: tuple[str, ...]
) -> tuple[Statement | None, tuple[InputProblem, ...]]:
    """One statement of a migration, None where it changes nothing; and what of it was not understood. `other`
    is the same on the replica.
    """
    problems = step.problems
    here = _state(step.before), _state(step.after)
    there = here if other is step else (_state(other.before), _state(other.after))
    reading = _resolved(statement_reader.read(step), step)
    refused = ""
    if other is not step:
        why = next((p.message for p in other.problems if not p.skipped), "")
        refused = f"{replica} does not take the statement: {why}" if why else ""
    touched = tuple(_touched((step, other), reading, here, there, refused))
    unknown = reading.unknown or step.beyond or _lost(reading, step, touched) or _unlogged(reading, step)
    if not unknown and step.sql != other.sql:
        unknown = "it runs another statement on the replica, as the tables there are others"
    unknown = unknown or (of_session(step, source, replica) if reading.defines else "")
    if unknown and not any(not p.skipped for p in step.problems):
        problems += (InputProblem("SC002", unknown, step.location),)
    unseen = reading.defines and not step.problems
    if not (touched or reading.writes or unseen):
        return None, problems
    # A definition that replication does not see (a comment, a row format) goes anywhere; triggers, users,
    # databases are replicated.
    writes = not touched and not (unseen and reading.about in ("TABLE", "TABLES", "INDEX"))
    statement = Statement(
        step.sql, step.location, touched, here[1], writes=writes,
        database=step.database, session=session, moves=reading.moves + _exchanged(reading),
    )  # fmt: skip
    return statement, problems


def apart(statements: Sequence[Statement], alone: Sequence[Statement]) -> list[Statement]:
    """The statements with what becomes of their tables where the replica runs them itself (`alone`)."""
    others = {(s.location, t.name): t.ends[1].new for s in alone for t in s.touched}
    return [
        replace(
            s, touched=tuple(replace(t, apart=_apart(t, others.get((s.location, t.name)))) for t in s.touched)
        )
        for s in statements
    ]


def _apart(touched: Touched, alone: Table | None) -> str:
    made = touched.ends[1].new
    if made is None or alone is None:
        return ""
    names = [c.type.collation for c in made.columns], [c.type.collation for c in alone.columns]
    for ours, theirs in zip((*names[0], made.collation), (*names[1], alone.collation), strict=False):
        if ours != theirs:
            return f"run by each server it makes {theirs}, not {ours}, on the replica: name the collation"
    return ""


def refused_by(statements: Sequence[Statement], refused: RefusedStatement | None) -> list[Statement]:
    """The statements with what the replica does not run when they are replicated: the first one that it
    refuses, and all behind it.
    """
    out: list[Statement] = []
    stopped = ""
    for statement in statements:
        if stopped:
            stopped = "the replica stops at a statement before this one"
        if refused is not None and statement.location == refused.location:
            error = refused.error.message if refused.error else "it skips the statement without an error"
            stopped = f"{refused.replica} does not take the replicated statement: {error}"
        out.append(
            replace(
                statement, touched=tuple(replace(t, refused=t.refused or stopped) for t in statement.touched)
            )
            if stopped
            else statement
        )
    return out


def _unlogged(reading: Said, step: Step) -> str:
    """Why a definition, or change of rows, that the source does not log is not planned; '' for others."""
    if not (step.unlogged and (reading.defines or reading.verb in WRITES)):
        return ""
    return (
        "the source runs this with sql_log_bin = 0 and does not log it: plan it without, --unlogged says how "
        "to run it server by server"
    )


def _resolved(reading: Said, step: Step) -> Said:
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
        reading,
        target=reading.target and known(reading.target),
        tables=tuple((known(old), known(new)) for old, new in reading.tables),
        exchanged=reading.exchanged and known(reading.exchanged),
    )


def _lost(reading: Said, step: Step, touched: Sequence[Touched]) -> str:
    """Why a statement that takes rows is not in the plan; '' where it is, or where there are none to take."""
    if reading.verb == "TRUNCATE" and reading.target is not None and not touched:
        return f"table {reading.target[1]!r} to truncate is not known: give its CREATE TABLE before"
    if reading.verb == "TRUNCATE" and reading.target is None and not step.problems:
        return "this TRUNCATE is not understood"
    return ""


def _state(tables: Tables) -> Tables:
    """Tables with the keys of others that point at them."""
    return dict(zip(tables, with_incoming(tuple(tables.values())), strict=True))


def _touched(
    both: tuple[Step, Step], reading: Said, here: tuple[Tables, Tables], there: tuple[Tables, Tables],
    refused: str,
) -> Iterable[Touched]:  # fmt: skip
    step, (before, after) = both[0], here
    sides = [(s.before, s.after) for s in both]
    every = dict.fromkeys(n for old, new in sides for n in (*old, *new) if old.get(n) is not new.get(n))
    # A server may pass over what another one takes in: a CHECK, an invisible column.
    names = [name for name in every if any(changes(a.get(name), b.get(name)) for a, b in (here, there))]
    if reading.tables or reading.columns:
        mine = {reading.target, *(name for pair in reading.tables for name in pair)}
        names = [
            name for name in names if name in mine or not all(_follows(name, end) for end in (here, there))
        ]
    swapped = _swapped(step, reading)
    # Rows go only where the table was there before.
    gone = (
        reading.rows and reading.target is not None and reading.target in before and reading.target in after
    )
    rows = [reading.target] if gone and reading.target else []
    names += [name for name in (*swapped, *rows) if name not in names]
    names.sort(key=lambda name: name != reading.target)  # behind it those whose foreign keys follow
    broken = {(p.database, p.table) for p in step.problems if not p.skipped and p.table}
    moved = _moved(names, before, after, reading) if reading.tables else {}
    for name in names:
        if name in broken or name in moved.values():
            continue
        target = moved.get(name, name)
        ends = End(before.get(name), after.get(target)), End(there[0].get(name), there[1].get(target))
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
            yield Touched(name, ends, Action.DATA, reading.rows, refused)
        else:
            yield Touched(
                target,
                ends,
                Action.RENAME if target != name or swapped else None,
                refused=refused,
                renames=reading.columns,
            )


def _follows(name: Name, end: tuple[Tables, Tables]) -> bool:
    """Whether nothing of a table changes but what its foreign keys call a parent, or a parent's column."""
    old, new = (tables.get(name) for tables in end)
    if old is None or new is None:
        return old is new
    return not changes(old, replace(new, foreign_keys=old.foreign_keys))


def _exchanged(reading: Said) -> tuple[tuple[Name, Name], ...]:
    return ((reading.exchanged, reading.target),) if reading.exchanged and reading.target else ()


def _swapped(step: Step, reading: Said) -> list[Name]:
    """Names that a RENAME gives to another table while the one that had it goes: the cut-over of a copy."""
    gone = {old for old, new in reading.tables if old != new}
    return [new for _, new in reading.tables if new in gone and new in step.before and new in step.after]


def _moved(names: list[Name], before: Tables, after: Tables, reading: Said) -> dict[Name, Name]:
    """Old name -> new name of tables that go on under another one, be they changed or not."""
    gone = {n for n in names if n in before and n not in after}
    come = {n for n in names if n in after and n not in before}
    return {old: new for old, new in reading.moves if old in gone and new in come}
