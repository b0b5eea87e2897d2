"""A change as a list of statements, each with what it makes of every server's tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from schemacheck.inputs.ddl.steps import Name, Step, steps
from schemacheck.inputs.ddl.words import object_of
from schemacheck.model import InputProblem, Location, Schema, Server, Table, with_incoming
from schemacheck.plan.decide import End, differs
from schemacheck.plan.model import Action
from schemacheck.plan.passage import Renames

#: DDL that takes rows away, or swaps them, without row events: each server must do it at the same point of the log.
_ROWS = re.compile(r"\A\s*(?:TRUNCATE\b|ALTER\b.*?\b(?:(?P<verb>DROP|TRUNCATE|EXCHANGE|DISCARD|IMPORT)\s+PARTITION|(?:DISCARD|IMPORT)\s+TABLESPACE))", re.IGNORECASE | re.DOTALL)
#: Partitions come or are cut anew: the definition's text is not followed, so what fits where is not known.
_PARTITIONS = re.compile(r"\A\s*ALTER\b.*?\b(?:ADD|REORGANIZE|COALESCE)\s+PARTITION\b", re.IGNORECASE | re.DOTALL)
_TARGET = re.compile(r"\A\s*(?:TRUNCATE(?:\s+TABLE)?|ALTER\s+(?:ONLINE\s+|IGNORE\s+)*TABLE)\s+(?:IF\s+EXISTS\s+)?(?:`(?P<d>[^`]+)`\s*\.\s*|(?P<e>[\w$]+)\s*\.\s*)?(?:`(?P<t>[^`]+)`|(?P<u>[\w$]+))", re.IGNORECASE)
_NAMED = r"(?:`([^`]+)`\s*\.\s*|([\w$]+)\s*\.\s*)?(?:`([^`]+)`|([\w$]+))"
_RENAMED = re.compile(_NAMED + r"\s+TO\s+" + _NAMED, re.IGNORECASE)
_COLUMN = r"(?:`((?:[^`]|``)+)`|([\w$]+))"
_CHANGED = re.compile(r"\bCHANGE\s+(?:COLUMN\s+)?(?:IF\s+EXISTS\s+)?" + _COLUMN + r"\s+" + _COLUMN, re.IGNORECASE)
_RENAMED_COLUMN = re.compile(r"\bRENAME\s+COLUMN\s+(?:IF\s+EXISTS\s+)?" + _COLUMN + r"\s+TO\s+" + _COLUMN, re.IGNORECASE)
#: Statements that write rows or run what is not seen here.
WRITES = frozenset(("INSERT", "REPLACE", "UPDATE", "DELETE", "LOAD", "CALL", "MERGE"))
HIDDEN = frozenset(("PREPARE", "EXECUTE", "CALL"))
DEFINES = frozenset(("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE"))


@dataclass(frozen=True, slots=True)
class Touched:
    """A table that a statement changes: per server of the chain, before and after."""

    name: Name
    ends: tuple[End, ...]
    action: Action | None = None
    note: str = ""
    refused: str = ""
    renames: Renames = frozenset()


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a change and the tables that it touches."""

    sql: str
    location: Location | None
    touched: tuple[Touched, ...]
    states: tuple[dict[Name, Table], ...] = field(default=(), compare=False, repr=False)
    generated: bool = False
    writes: bool = False
    database: str | None = None
    session: tuple[str, ...] = ()


def read(scripts: Sequence[tuple[str, str]], servers: Sequence[Server], base: Schema, *, database: str | None = None) -> tuple[list[Statement], tuple[InputProblem, ...]]:
    """The statements of a migration, run in thought on every server of the chain (`servers`, the
    source first) that starts with `base`; and what was not understood. `scripts` are (file, text).
    Statements that neither define nor write anything (SET, USE, SELECT) are left out."""
    out: list[Statement] = []
    problems: list[InputProblem] = []
    bases = dict.fromkeys(servers, base)
    for file, text in scripts:
        runs = {server: list(steps(text, server, file=file, database=database, base=bases[server])) for server in bases}
        session: tuple[str, ...] = ()
        for index, step in enumerate(runs[servers[0]]):
            here = {server: run[index] for server, run in runs.items()}
            problems += step.problems
            states = {server: (_state(one.before), _state(one.after)) for server, one in here.items()}
            touched = [*_touched(step, here, states, servers), *_rows(step, states, servers)]
            verb = step.words[0] if step.words else ""
            if verb in HIDDEN:
                problems.append(InputProblem("SC002", f"{verb} runs what cannot be seen here: plan the statement itself", step.location))
            if verb == "SET":
                session = (*session, step.sql)
            unseen = verb in DEFINES and not step.problems
            if touched or verb in WRITES or unseen:
                # A definition that replication does not see (a comment, a row format) goes anywhere; triggers, users, databases are replicated.
                writes = not touched and not (unseen and _about_a_table(step))
                out.append(Statement(step.sql, step.location, tuple(touched), tuple(states[s][1] for s in servers), writes=writes, database=step.database, session=session))
        bases = {server: Schema(tuple(_state(run[-1].after).values())) if run else bases[server] for server, run in runs.items()}
    return out, tuple(problems)


def _about_a_table(step: Step) -> bool:
    """Whether a statement defines a table or an index of one."""
    return object_of(list(step.words)) in ("TABLE", "TABLES", "INDEX")


def _state(tables: dict[Name, Table]) -> dict[Name, Table]:
    """Tables with the keys of others that point at them."""
    return dict(zip(tables, with_incoming(tuple(tables.values())), strict=True))


def _target(step: Step) -> Name:
    found = _TARGET.match(step.sql)
    if found is None:
        return None, ""
    name = found["t"] or found["u"]
    database = found["d"] or found["e"] or step.database
    return next((key for key in step.after if key == (database, name)), (database, name))


def _touched(step: Step, here: dict[Server, Step], states: dict[Server, tuple[dict[Name, Table], dict[Name, Table]]], servers: Sequence[Server]) -> Iterable[Touched]:
    before, after = states[servers[0]]
    every = dict.fromkeys(name for pair in states.values() for tables in pair for name in tables)
    # A server may pass over what another one takes in: a CHECK, an invisible column.
    names = [name for name in every if any(differs(a.get(name), b.get(name)) for a, b in states.values())]
    swapped = _swapped(step)
    names += [name for name in swapped if name not in names]
    broken = {(p.database, p.table) for p in step.problems if not p.skipped and p.table}
    moved = _moved(step, names, before, after)
    for name in names:
        if name in broken or name in moved.values():
            continue
        target = moved.get(name, name)
        ends = tuple(End(states[s][0].get(name), states[s][1].get(target)) for s in servers)
        refused = next(
            (f"{server} does not take the statement: {p.message}" for server, one in here.items() if server != servers[0] for p in one.problems if not p.skipped), ""
        )
        if name in swapped:
            yield Touched(name, ends, Action.DATA, "another table takes its place, with its own rows: that has to happen at the same point of the log everywhere", refused)
        else:
            yield Touched(target, ends, Action.RENAME if target != name else None, refused=refused, renames=_renames(step))


def _renames(step: Step) -> Renames:
    """Columns that an ALTER renames."""
    pairs = [(a or b, c or d) for pattern in (_CHANGED, _RENAMED_COLUMN) for a, b, c, d in pattern.findall(step.sql)]
    return frozenset((here.replace("``", "`").casefold(), there.replace("``", "`").casefold()) for here, there in pairs if here.casefold() != there.casefold())


def _swapped(step: Step) -> list[Name]:
    """Names that a RENAME gives to another table while the one that had it goes: the cut-over of a copy."""
    if step.words[:1] != ("RENAME",):
        return []
    pairs = [((a or b or step.database, c or d), (e or f or step.database, g or h)) for a, b, c, d, e, f, g, h in _RENAMED.findall(step.sql)]
    gone = {old for old, _ in pairs}
    return [new for _, new in pairs if new in gone and new in step.before and new in step.after]


def _moved(step: Step, names: list[Name], before: dict[Name, Table], after: dict[Name, Table]) -> dict[Name, Name]:
    """Old name -> new name of tables that were only renamed."""
    if "RENAME" not in step.words and not re.search(r"\bRENAME\b", step.sql, re.IGNORECASE):
        return {}
    gone = [n for n in names if n in before and n not in after]
    come = [n for n in names if n in after and n not in before]
    out: dict[Name, Name] = {}
    for name in gone:
        same = next((n for n in come if n not in out.values() and before[name].columns == after[n].columns), None)
        if same is not None:
            out[name] = same
    return out


def _rows(step: Step, states: dict[Server, tuple[dict[Name, Table], dict[Name, Table]]], servers: Sequence[Server]) -> Iterable[Touched]:
    """DDL that changes rows, or partitions that are not followed."""
    rows, partitions = _ROWS.match(step.sql), _PARTITIONS.match(step.sql)
    name = _target(step)
    table = states[servers[0]][1].get(name)
    if table is None or not (rows or partitions):
        return
    note = "takes rows away (or swaps them) without row events" if rows else "changes partitions: a row for which one end has no partition stops the applier (1526)"
    yield Touched(name, tuple(End(states[s][0].get(name), states[s][1].get(name)) for s in servers), Action.DATA, note)
