"""From definitions and a change to a Plan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from schemacheck.dataclass import replace
from schemacheck.engine import check_pair, link_findings
from schemacheck.errors import defect
from schemacheck.model import Effect, InputProblem, Link, Schema, Table, TableKind, with_incoming
from schemacheck.model.filters import FilterSet
from schemacheck.model.history import Part, only
from schemacheck.plan import change, data, difference, ghost, stages, whole_link
from schemacheck.plan.change import Statement, Touched
from schemacheck.plan.decide import differs, table_plan
from schemacheck.plan.difference import Name
from schemacheck.plan.filtered import KEPT_OUT, kept_out, parted
from schemacheck.plan.model import Action, Ghost, Order, Plan, StatementPlan, TablePlan, combined
from schemacheck.plan.passage import decide, harmless, mark
from schemacheck.plan.runbook import runbook
from schemacheck.plan.statement_reader import REPLACED
from schemacheck.replay.alter import changes
from schemacheck.replay.change import replay, streamed

_SHOWN = 5  # names that a remark lists


def plan(
    old: Schema, new: Schema, link: Link, *, filters: FilterSet | None = None,
    assumptions: tuple[str, ...] = (), replica: Schema | None = None, unlogged: bool = False,
) -> Plan:  # fmt: skip
    """How to roll out the step from one schema to another.

    `old` and `new` are what the source has before and after, `replica` what the replica has before, None
    where that is what the source has: the statements run on it. The statements of the change are written here
    out of both definitions. What could not be read on either side stands in `problems`, and the plan's order
    is unknown. A statement that is safe when it is replicated is rolled out so; `unlogged` changes each
    server by itself instead.
    """
    sides = difference.one_database(old.tables, new.tables)
    before, after, respelled = difference.respelled(
        difference.named(sides[0]), difference.named(sides[1]), link.source
    )
    marks = ghost.ghosts((*old.tables, *new.tables))
    problems = [*old.problems, *new.problems, *respelled]
    unread = {(p.database, p.table) for p in problems if not p.skipped and p.table}
    hidden = {(g.database, g.name) for g in marks}
    pairs: dict[Name, tuple[Table | None, Table | None]] = {}
    for name in (*before, *(n for n in after if n not in before)):
        if name in unread or name in hidden:
            continue
        try:
            if changes(before.get(name), after.get(name)):
                pairs[name] = before.get(name), after.get(name)
        except Exception as error:  # noqa: BLE001 a defect costs this table, not the plan
            problems.append(InputProblem("SC004", defect(error), None, *name))
    for name in [*difference.bound(before, after, pairs)]:
        if name not in unread and name not in hidden:
            pairs[name] = before[name], after[name]
    written = difference.written(pairs, link)
    problems += written.problems
    if not any(not p.skipped for p in problems):
        problems += difference.refused(written.statements, before, link.source)
    base = Schema(tuple(before.values()))
    statements, bases = written.statements, _bases(base, replica)
    ends = {(s.flavor, s.version) for s in (link.source, link.replica)}
    if replica is not None or len(ends) > 1:
        # One text may be two definitions, and one server may refuse what another takes.
        result, more = _on_both([("-", difference.script(statements))], link, bases, filters)
        problems += more
        places = {name: table.location for name, table in {**before, **after}.items()}
        statements = tuple(
            replace(s, generated=True, location=next((places.get(t.name) for t in s.touched), None))
            for s in result
        )
    return _plan(
        statements, link, filters, problems=tuple(problems), ghosts=marks, assumptions=assumptions,
        unlogged=unlogged, bases=bases,
    )  # fmt: skip


def plan_change(
    old: Schema, scripts: str | Sequence[tuple[str, str]], link: Link, *, database: str | None = None,
    filters: FilterSet | None = None, assumptions: tuple[str, ...] = (), replica: Schema | None = None,
    unlogged: bool = False, parts: Mapping[str, Sequence[Part]] | None = None,
) -> Plan:  # fmt: skip
    """How to roll out a migration: ALTERs, CREATEs, DROPs, RENAMEs, statement by statement.

    `scripts` is SQL text, or (file, text) of several scripts that run in this order; `database` is the
    default database (without it the one that all tables of `old` are in); `parts` say what of a file is run,
    where that is not all of it. Otherwise as `plan`.
    """
    databases = {t.database for t in old.tables}
    default = database or (next(iter(databases)) if len(databases) == 1 else None)
    texts = [("-", scripts)] if isinstance(scripts, str) else scripts
    bases = _bases(old, replica)
    statements, problems = _on_both(
        texts, link, bases, filters, database=default, parts=parts, unlogged=unlogged
    )
    marks = ghost.ghosts(old.tables)  # a table that the change makes is no tool's, whatever its name
    return _plan(
        statements, link, filters, problems=(*old.problems, *problems), ghosts=marks, assumptions=assumptions,
        unlogged=unlogged, bases=bases,
        # A statement that was not understood has its place between the steps.
        complete=all(problem.skipped for problem in problems),
    )  # fmt: skip


def _bases(old: Schema, replica: Schema | None) -> tuple[Schema, Schema]:
    """What both ends have before the change; `old` twice where the replica has what the source has."""
    if replica is None:
        return old, old
    ours, theirs = difference.one_database(old.tables, replica.tables)
    # A dump that does not name its database is one of the source's.
    return old, replace(replica, tables=tuple(theirs)) if ours == old.tables else replica


def _on_both(
    texts: Sequence[tuple[str, str]], link: Link, bases: tuple[Schema, Schema], filters: FilterSet | None, *,
    database: str | None = None, parts: Mapping[str, Sequence[Part]] | None = None, unlogged: bool = False,
) -> tuple[list[Statement], tuple[InputProblem, ...]]:  # fmt: skip
    """The statements of scripts as both ends run them, with what the replica refuses when they are
    replicated; and what was not understood.
    """
    alone = list(zip((link.source, link.replica), bases, strict=True))
    ends = alone if unlogged else [alone[0], (streamed(link).replica, bases[1])]
    statements, problems = change.read(texts, ends, database=database, parts=parts)
    if ends[1][0] is not link.replica:
        statements = change.apart(statements, change.read(texts, alone, database=database, parts=parts)[0])
    texts = [(file, only(text, (parts or {}).get(file))) for file, text in texts]
    problems += tuple(dict.fromkeys(data.problems(statements, texts, link, bases, database)))
    # Not by equality of definitions: triggers and other programs take no part in it.
    if ends[0][0] == ends[1][0] and bases[0] is bases[1]:
        return statements, problems
    after = replay(*bases, texts, Link(link.source, link.replica), database=database, filters=filters)
    if bases[0] is bases[1]:
        # Of tables the orders say more; other definitions are replicated, whatever the order.
        there = {s.location for s in statements if s.writes or not any(map(_of_tables, s.touched))}
        after = replace(after, problems=tuple(p for p in after.problems if p.location in there), differing=())
    statements = change.refused_by(statements, after.refused)
    if after.refused and not any(t.refused for s in statements for t in s.touched):
        why = f"{after.refused.replica} does not run this statement of the change when it is replicated"
        problems += (InputProblem("SC002", why, after.refused.location),)
    problems += tuple(
        InputProblem("SC002", refused_statement.differs, refused_statement.location)
        for refused_statement in after.differing
    )
    # That the replica has no table either is no problem of the first migration.
    theirs = [problem for problem in bases[1].problems if bases[0].tables or not problem.empty]
    # What the source refuses is told already.
    more = [*theirs, *(problem for problem in after.problems if problem.refusal is None)]
    problems += tuple(problem for problem in more if problem not in problems)
    return statements, problems


def _of_tables(touched: Touched) -> bool:
    ends = (table for end in touched.ends for table in (end.old, end.new) if table is not None)
    return any(table.kind is TableKind.TABLE for table in ends)


def _drifted(bases: tuple[Schema, Schema]) -> frozenset[Name]:
    """Tables of which the replica has another definition than the source."""
    if bases[0] is bases[1]:
        return frozenset()
    here, there = ({(t.database, t.name): t for t in base.tables} for base in bases)
    return frozenset(name for name in here.keys() | there.keys() if differs(here.get(name), there.get(name)))


def _stopped(
    names: frozenset[Name], bases: tuple[Schema, Schema], link: Link, filters: FilterSet | None
) -> set[str]:
    """Those of these tables whose first row stops the applier."""
    here, there = ({(t.database, t.name): t for t in base.tables} for base in bases)
    reports = ((name, decide(here[name], there.get(name), link, filters)) for name in names)
    return {
        ".".join(filter(None, name))
        for name, report in reports
        if any(f.effect is Effect.STOPS and not f.depends_on_rows for f in report.findings)
    }


def _harmed(names: frozenset[Name], bases: tuple[Schema, Schema], link: Link) -> set[str]:
    """Those of these tables, to which a change writes rows, whose rows stop the applier or come to differ
    since the replica's definitions are others.
    """
    here, there = ({(t.database, t.name): t for t in with_incoming(base.tables)} for base in bases)
    out = set()
    for name in names & here.keys():
        alike = {mark(finding) for finding in check_pair(here[name], here[name], link).findings}
        findings = check_pair(here[name], there.get(name), link).findings
        if any(f.effect > Effect.INCOMPLETE and not harmless(f) and mark(f) not in alike for f in findings):
            out.add(".".join(filter(None, name)))
    return out


def _untouched(
    drifted: frozenset[Name], statements: Sequence[Statement], bases: tuple[Schema, Schema],
    filters: FilterSet | None,
) -> frozenset[Name]:  # fmt: skip
    """Tables that differ without the change, which does not touch them. (Filters may keep one out, or give it
    another database: then those that are on both ends.)
    """
    touched = {t.name for s in statements for t in s.touched}
    touched |= {name for s in statements for t in s.touched for name in _names(t)}
    ours, theirs = ({(t.database, t.name) for t in base.tables} for base in bases)
    return (drifted - touched) & (ours & theirs if filters else ours)


def _beside(untouched: frozenset[Name]) -> tuple[str, ...]:
    """What is said of these tables."""
    names = [".".join(filter(None, name)) for name in sorted(untouched, key=str)]
    if not names:
        return ()
    shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    tables = "1 table that this change does not touch is" if len(names) == 1 else (
        f"{len(names):,} tables that this change does not touch are"
    )  # fmt: skip
    return (f"{tables} not the same on all servers ({shown}) and no part of this plan: schemacheck check",)


def _names(touched: Touched) -> set[Name]:
    """What a table is called, before and behind, on either end."""
    return {(t.database, t.name) for end in touched.ends for t in (end.old, end.new) if t}


def _plan(
    statements: Sequence[Statement], link: Link, filters: FilterSet | None, *,
    problems: tuple[InputProblem, ...], ghosts: tuple[Ghost, ...], assumptions: tuple[str, ...],
    unlogged: bool, bases: tuple[Schema, Schema], complete: bool = True,
) -> Plan:  # fmt: skip
    drifted = _drifted(bases)
    hidden = {(g.database, g.name) for g in ghosts}
    remaining = kept_out(statements, bases, link, filters)
    own = list(_own_programs(bases, link))
    planned = [
        _statement(n, s, link, filters, hidden, drifted, remaining, own) for n, s in enumerate(statements, 1)
    ]
    findings = tuple(link_findings(link, filtered=filters is not None))
    if dead := whole_link.dead(link, findings):
        planned = [whole_link.judged(statement, *dead) for statement in planned]
    by_server = stages.stages(planned)
    order = by_server if unlogged else stages.replicated(by_server)
    remains = {table.name for statement in planned for table in statement.tables if table.remains}
    untouched = _untouched(drifted, statements, bases, filters)
    remains |= _stopped(untouched, bases, link, filters)
    if bases[0] is not bases[1]:
        remains |= _harmed(data.written(statements, link), bases, link)
    return Plan(
        link,
        stages.staged(_whole(planned), by_server),
        tuple(planned),
        order,
        runbook(order, link) if complete and not dead else (),
        tuple(dict.fromkeys(ghosts)),
        problems,
        (*_beside(untouched), *assumptions),
        link_findings=findings,
        unlogged=unlogged,
        remains=tuple(sorted(remains)),
    )


def _statement(
    number: int, given: Statement, link: Link, filters: FilterSet | None, hidden: set[Name],
    drifted: frozenset[Name], remaining: frozenset[Name], own: Sequence[tuple[Name | None, str, str]]
) -> StatementPlan:  # fmt: skip
    tables = []
    away, missed = parted(given, link, filters)
    for touched in given.touched:
        if touched.name in hidden:
            continue
        names = _names(touched)
        try:
            table = _table(touched, link, filters, drifted=bool(drifted & {touched.name, *names}))
        except Exception as error:  # noqa: BLE001 a defect costs this table, not the plan
            table = TablePlan(*touched.name, Action.ALTER, Order.UNKNOWN, blocked=defect(error))
        if remaining & names:
            table = replace(table, replicates_not=table.replicates_not or KEPT_OUT)
        if away:
            table = replace(table, order=Order.IMPOSSIBLE, blocked=away, replicates_not=away, failover=None)
        elif not table.blocked and (why := _stumbles(touched, own)):
            table = replace(table, order=Order.UNKNOWN, blocked=why, replicates_not=why, failover=None)
        elif missed and touched.action is Action.DATA:
            table = replace(table, replicates_not=missed)
        tables.append(table)
    return StatementPlan(
        number, given.sql, combined(t.order for t in tables), tuple(tables), given.location, given.generated,
        given.database, given.writes, given.session, given.parts or (given.sql,),
    )  # fmt: skip


def _own_programs(bases: tuple[Schema, Schema], link: Link) -> Iterator[tuple[Name | None, str, str]]:
    """What the replica runs for the source's changes and the source does not have so: a trigger's table, else
    None; its name, its text.
    """
    if bases[0] is bases[1]:
        return
    rows = link.binlog_format == "ROW"
    if not rows or link.replica.setting("slave_run_triggers_for_rbr").upper() not in ("", "NO", "OFF", "0"):
        alike = {(t.database, t.name, trigger) for t in bases[0].tables for trigger in t.triggers}
        for table in bases[1].tables:
            for trigger in table.triggers:
                if (table.database, table.name, trigger) not in alike:
                    yield (table.database, table.name), f"trigger {trigger.name}", trigger.body
    if not rows:
        ours = {(t.database, t.name): t.query for t in bases[0].tables if t.kind is TableKind.VIEW}
        for view in bases[1].tables:
            if ours.get((view.database, view.name), view.query) != view.query:
                yield None, f"view {view.name}", view.query or ""
        bodies = {(r.kind, r.database, r.name): r.body for r in bases[0].routines}
        for routine in bases[1].routines:
            if bodies.get((routine.kind, routine.database, routine.name), routine.body) != routine.body:
                yield None, f"{routine.kind} {routine.name}", routine.body


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w$]+", text.casefold()))


def _stumbles(touched: Touched, programs: Sequence[tuple[Name | None, str, str]]) -> str:
    """Why a program of the replica may not run behind a change of what it names; '' where none names it."""
    old, new = touched.ends[1].old, touched.ends[1].new
    # No statement fails for an index that is not unique.
    ends = (t and replace(t, keys=tuple(key for key in t.keys if key.unique)) for t in (old, new))
    if not programs or old is None or not differs(*ends):
        return ""
    remaining = {column.name.casefold() for column in new.columns} if new else set()
    gone = {column.name.casefold() for column in old.columns} - remaining
    for home, name, text in programs:
        words = _words(text)
        if (gone & words) if home == (old.database, old.name) else (old.name.casefold() in words):
            what = "a column that goes" if home == (old.database, old.name) else "the table"
            return f"the replica's own {name} names {what}: whether it runs afterwards is not known"
    return ""


def _table(touched: Touched, link: Link, filters: FilterSet | None, *, drifted: bool) -> TablePlan:
    if not any((touched.ends[0].old, touched.ends[0].new)):
        unread = "its definition on the source is not known"
        return TablePlan(*touched.name, Action.ALTER, Order.UNKNOWN, blocked=unread)
    table = table_plan(
        touched.ends, link, filters, action=touched.action, renames=touched.renames, drifted=drifted,
        anew=touched.swapped or touched.note == REPLACED,
    )  # fmt: skip
    notes = list(table.notes)
    if touched.action is Action.DATA:
        notes.append(touched.note)
        if touched.swapped and table.replica_first and differs(table.old, table.new):
            notes.append(
                "where each server makes the new table by itself (gh-ost on a replica), its definition goes "
                f"{table.order.value}"
            )
        stands = table.blocked and not touched.swapped
        table = replace(table, order=table.order if stands else Order.LOCK_STEP, failover=None)
    elif touched.action is Action.RENAME and table.old and table.new:
        notes.append("rows under the one name find no table under the other (1146)")
    if touched.refused:
        notes.append(touched.refused)
        table = replace(
            table,
            order=Order.UNKNOWN if table.order is Order.UNKNOWN else Order.IMPOSSIBLE,
            blocked=table.blocked or touched.refused,
            replicates_not=touched.refused,
        )
    if touched.apart:
        notes.append(touched.apart)
        if table.order.exists:
            table = replace(table, order=Order.LOCK_STEP, failover=None)
    if drifted:
        notes.append(
            "not every server has the source's definition (it has drifted): the plan takes each server's own"
        )
    own = (touched.ends[1].old, touched.ends[1].new) if drifted else None
    return replace(table, own=own, notes=tuple(notes))


def _whole(planned: Sequence[StatementPlan]) -> tuple[TablePlan, ...]:
    """The change table by table; one that several statements touch has the plan of the worst of them."""
    tables: dict[Name, list[TablePlan]] = {}
    for statement in planned:
        for table in statement.tables:
            tables.setdefault((table.database, table.table), []).append(table)
    return tuple(max(tables, key=lambda t: (not t.order.exists, t.order.value)) for tables in tables.values())
