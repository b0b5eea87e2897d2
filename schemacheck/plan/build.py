"""From definitions and a change to a Plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from schemacheck.dataclass import replace
from schemacheck.errors import UsageError, by_name, defect, sound
from schemacheck.model import InputProblem, Link, Schema, Table
from schemacheck.model.filters import FilterSet
from schemacheck.model.history import Part, only
from schemacheck.plan import change, difference, ghost, rewrite, stages, whole_link
from schemacheck.plan.alter import changes
from schemacheck.plan.change import Statement, Touched
from schemacheck.plan.decide import differs, table_plan
from schemacheck.plan.difference import Name
from schemacheck.plan.filtered import KEPT_OUT, kept_out, parted
from schemacheck.plan.model import Action, Ghost, Order, Plan, StatementPlan, TablePlan, combined
from schemacheck.plan.runbook import runbook
from schemacheck.plan.stages import Merged
from schemacheck.replay.change import Replayed, replay

_SHOWN = 5  # names that a remark lists


def plan(
    old: Schema, new: Schema, link: Link | None = None, *, chain: Sequence[Link] = (),
    filters: FilterSet | None = None, assumptions: tuple[str, ...] = (),
    replicas: Sequence[Schema | None] = (), unlogged: bool = False,
) -> Plan:  # fmt: skip
    """How to roll out the step from one schema to another.

    `old` and `new` are what the source has before and after. `link` is the way from the source to its
    replica, or `chain` all hops from the source to the last replica. `replicas` holds, hop by hop, what the
    server below has before, None where it has what the source has: the statements run on that. The
    statements of the change are written here out of both definitions. What could not be read on either side
    stands in `problems`, and the plan's order is unknown. A statement that is safe when it is replicated is
    rolled out so; `unlogged` changes each server by itself instead. Raises UsageError where neither `link`
    nor `chain` is given.
    """
    links = _links(link, chain)
    more: dict[str, Any] = {
        "filters": filters, "assumptions": assumptions, "replicas": replicas, "unlogged": unlogged,
    }  # fmt: skip
    try:
        return _of_both(old, new, links, **more)
    except Exception:
        ends = by_name(old.tables), by_name(new.tables)

        def of(names: Sequence[str]) -> tuple[Schema, Schema]:
            first, then = (tuple(table for name in names for table in end.get(name, ())) for end in ends)
            return replace(old, tables=first), replace(new, tables=then)

        kept, lost = sound({**ends[0], **ends[1]}, lambda name: _of_both(*of([name]), links, **more))
        if not lost:
            raise
        problems = tuple(
            InputProblem("SC004", why, table.location, table.database, table.name)
            for name, why in lost for table in ends[1].get(name) or ends[0][name]
        )  # fmt: skip
        before, after = of(kept)
        return _of_both(replace(before, problems=(*old.problems, *problems)), after, links, **more)


def _of_both(
    old: Schema, new: Schema, links: tuple[Link, ...], *, filters: FilterSet | None,
    assumptions: tuple[str, ...], replicas: Sequence[Schema | None], unlogged: bool,
) -> Plan:  # fmt: skip
    """The plan of the statements that lead from one schema to the other."""
    sides = difference.one_database(old.tables, new.tables)
    before, after, respelled = difference.respelled(
        difference.named(sides[0]), difference.named(sides[1]), links[0].source
    )
    marks = ghost.ghosts((*old.tables, *new.tables))
    copies = difference.copies(marks, before, after)
    problems = [*old.problems, *new.problems, *respelled]
    unread = {(p.database, p.table) for p in problems if not p.skipped and p.table}
    hidden = {(g.database, g.name) for g in marks}
    pairs: dict[Name, tuple[Table | None, Table | None]] = {}
    for name in (*before, *(n for n in after if n not in before)):
        if name in unread or name in hidden:
            continue
        target = after.get(name)
        if name in copies and not differs(before.get(name), target):
            target = copies[name]
        try:
            if changes(before.get(name), target, links[0].source):
                pairs[name] = before.get(name), target
        except Exception as error:  # noqa: BLE001 a defect costs this table, not the plan
            problems.append(InputProblem("SC004", defect(error), None, *name))
    for name in [*difference.bound(before, after, pairs)]:
        if name not in unread and name not in hidden:
            pairs[name] = before[name], after[name]
    written = difference.written(pairs, links)
    problems += written.problems
    if not any(not p.skipped for p in problems):
        problems += difference.refused(written.statements, before, links[0].source)
    base = Schema(tuple(before.values()))
    statements, bases = written.statements, _bases(base, replicas, links)
    servers = {(s.flavor, s.version) for one in links for s in (one.source, one.replica)}
    if any(replicas) or len(servers) > 1:
        # One text may be two definitions, and one server may refuse what another takes.
        texts = [("-", difference.script(statements))]
        found, more = _on_each(texts, links, bases, filters)
        problems += more
        places = {name: table.location for name, table in {**before, **after}.items()}
        statements = tuple(
            replace(s, generated=True, location=next((places.get(t.name) for t in s.touched), None))
            for s in found
        )
    return _plan(
        statements,
        links,
        filters,
        problems=tuple(problems),
        ghosts=marks,
        assumptions=assumptions,
        unlogged=unlogged,
        bases=bases,
    )


def plan_change(
    old: Schema, scripts: str | Sequence[tuple[str, str]], link: Link | None = None, *,
    chain: Sequence[Link] = (), database: str | None = None,
    filters: FilterSet | None = None, assumptions: tuple[str, ...] = (),
    replicas: Sequence[Schema | None] = (), unlogged: bool = False,
    parts: Mapping[str, Sequence[Part]] | None = None,
) -> Plan:  # fmt: skip
    """How to roll out a migration: ALTERs, CREATEs, DROPs, RENAMEs, statement by statement.

    `scripts` is SQL text, or (file, text) of several scripts that run in this order; `database` is the
    default database (without it the one that all tables of `old` are in); `parts` say what of a file is run,
    where that is not all of it. Otherwise as `plan`.
    """
    links = _links(link, chain)
    databases = {t.database for t in old.tables}
    default = database or (next(iter(databases)) if len(databases) == 1 else None)
    texts = [("-", scripts)] if isinstance(scripts, str) else scripts
    bases = _bases(old, replicas, links)
    statements, problems = _on_each(texts, links, bases, filters, database=default, parts=parts)
    marks = ghost.ghosts(
        (*old.tables, *(t for s in statements for state in s.states[:1] for t in state.values()))
    )
    return _plan(
        statements,
        links,
        filters,
        problems=(*old.problems, *problems),
        ghosts=marks,
        assumptions=assumptions,
        unlogged=unlogged,
        bases=bases,
        # A statement that was not understood has its place between the steps.
        complete=all(one.skipped for one in problems),
    )


def _bases(old: Schema, replicas: Sequence[Schema | None], links: Sequence[Link]) -> tuple[Schema, ...]:
    """What each server of the chain has before the change; `old` itself where it has what the source has."""
    given = (*replicas, *(None,) * (len(links) - len(replicas)))
    out = [old]
    for one in given:
        named = one and difference.one_database(old.tables, one.tables)
        # A dump that does not name its database is one of the source's.
        out.append(
            replace(one, tables=tuple(named[1])) if one and named and named[0] == old.tables else one or old
        )
    return tuple(out)


def _on_each(
    texts: Sequence[tuple[str, str]], links: tuple[Link, ...], bases: Sequence[Schema],
    filters: FilterSet | None, *, database: str | None = None,
    parts: Mapping[str, Sequence[Part]] | None = None,
) -> tuple[list[Statement], tuple[InputProblem, ...]]:  # fmt: skip
    """The statements of scripts as every server of the chain runs them, those of other definitions than the
    source's as they arrive there; and what was not understood.
    """
    servers = [links[0].source, *(one.replica for one in links)]
    ends = list(zip(servers, bases, strict=True))
    statements, problems = change.read(texts, ends, database=database, parts=parts)
    texts = [(file, only(text, (parts or {}).get(file))) for file, text in texts]
    for server, base in zip(servers[1:], bases[1:], strict=True):
        if base is bases[0] and server == servers[0]:
            continue
        whole = Link(links[0].source, server)
        after = replay(bases[0], base, texts, whole, database=database, filters=filters)
        if base is bases[0]:
            # Of tables the orders say more; other definitions are replicated, whatever the order.
            after = _of_others(after, statements)
        statements = change.refused_by(statements, after.refused)
        if after.refused and not any(t.refused for s in statements for t in s.touched):
            why = f"{after.refused.replica} does not run this statement of the change when it is replicated"
            problems += (InputProblem("SC002", why, after.refused.location),)
        problems += tuple(InputProblem("SC002", one.differs, one.location) for one in after.differing)
        problems += tuple(one for one in (*base.problems, *after.problems) if one not in problems)
    return statements, problems


def _of_others(after: Replayed, statements: Sequence[Statement]) -> Replayed:
    """What a replay says of statements that define no table, and which statement the replica refuses."""
    there = {one.location for one in statements if one.writes}
    problems = tuple(one for one in after.problems if one.location in there)
    return replace(after, problems=problems, differing=())


def _drifted(bases: Sequence[Schema]) -> frozenset[Name]:
    """Tables of which some server has another definition than the source."""
    here, *others = (
        {(t.database, t.name): t for t in one.tables}
        for one in (bases[0], *(b for b in bases if b is not bases[0]))
    )
    return frozenset(
        name
        for there in others
        for name in here.keys() | there.keys()
        if differs(here.get(name), there.get(name))
    )


def _untouched(
    drifted: frozenset[Name], statements: Sequence[Statement], bases: Sequence[Schema],
    filters: FilterSet | None,
) -> tuple[str, ...]:  # fmt: skip
    """What is said of tables that differ without the change, which does not touch them. (Filters may keep one
    out, or give it another database: then of those that are on both ends.)
    """
    touched = {t.name for s in statements for t in s.touched}
    touched |= {
        (one.database, one.name)
        for s in statements for t in s.touched for end in t.ends for one in (end.old, end.new) if one
    }  # fmt: skip
    there = [{(t.database, t.name) for t in base.tables} for base in bases]
    wanted = set.intersection(*there) if filters else there[0]
    names = [".".join(filter(None, name)) for name in sorted((drifted - touched) & wanted, key=str)]
    if not names:
        return ()
    shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    tables = "1 table that this change does not touch is" if len(names) == 1 else (
        f"{len(names):,} tables that this change does not touch are"
    )  # fmt: skip
    return (f"{tables} not the same on all servers ({shown}) and no part of this plan: schemacheck check",)


def _links(link: Link | None, chain: Sequence[Link]) -> tuple[Link, ...]:
    if not chain and link is None:
        raise UsageError("a plan needs a link, or the links of a chain")
    return tuple(chain) or (link,)  # type: ignore[return-value]


def _plan(
    statements: Sequence[Statement], links: tuple[Link, ...], filters: FilterSet | None, *,
    problems: tuple[InputProblem, ...], complete: bool = True, **more: Any,
) -> Plan:  # fmt: skip
    """The plan of all statements but those that meet a defect."""
    try:
        return _made(statements, links, filters, problems=problems, complete=complete, **more)
    except Exception:
        kept, lost = sound(statements, lambda one: _made([one], links, filters, problems=(), **more))
        if not lost:
            raise
        for one, why in lost:
            names: list[Name | tuple[()]] = [touched.name for touched in one.touched]
            problems += tuple(InputProblem("SC004", why, one.location, *name) for name in names or [()])
        return _made(kept, links, filters, problems=problems, complete=False, **more)


def _made(
    statements: Sequence[Statement], links: tuple[Link, ...], filters: FilterSet | None, *,
    problems: tuple[InputProblem, ...], ghosts: tuple[Ghost, ...],
    assumptions: tuple[str, ...], unlogged: bool, bases: Sequence[Schema], complete: bool = True,
) -> Plan:  # fmt: skip
    drifted = _drifted(bases)
    hidden = {(g.database, g.name) for g in ghosts if g.role != "copy"}
    kept = kept_out(statements, (bases[0], bases[-1]), links, filters)
    copies = {(g.database, g.name): g for g in ghosts if g.role == "copy"}
    planned = [
        _statement(n, s, links, filters, hidden, copies, drifted, kept) for n, s in enumerate(statements, 1)
    ]
    assumptions = (*assumptions, *_untouched(drifted, statements, bases, filters))
    by_server = stages.stages(statements, planned, links, filters)
    tables = stages.staged(_whole(statements, planned, links, filters), by_server)
    order = by_server if unlogged else stages.replicated(by_server)
    made = Plan(
        links,
        tables,
        tuple(planned),
        order,
        runbook(order, links) if complete else (),
        tuple(dict.fromkeys(ghosts)),
        problems,
        assumptions,
        unlogged=unlogged,
    )
    return whole_link.judged(made)


def _statement(
    number: int, given: Statement, links: tuple[Link, ...], filters: FilterSet | None, hidden: set[Name],
    copies: dict[Name, Ghost], drifted: frozenset[Name], kept: frozenset[Name]
) -> StatementPlan:  # fmt: skip
    tables = []
    away, missed = parted(given, links, filters)
    for touched in given.touched:
        if touched.name in hidden or (touched.name in copies and touched.ends[0].new is None):
            continue
        own = any((t.database, t.name) in drifted for e in touched.ends for t in (e.old, e.new) if t)
        try:
            found = _table(touched, links, filters, drifted=own or touched.name in drifted)
        except Exception as error:  # noqa: BLE001 a defect costs this table, not the plan
            found = TablePlan(*touched.name, Action.ALTER, Order.UNKNOWN, blocked=defect(error))
        if kept & {(t.database, t.name) for e in touched.ends for t in (e.old, e.new) if t}:
            found = replace(found, replicates_not=found.replicates_not or KEPT_OUT)
        if away:
            found = replace(found, order=Order.IMPOSSIBLE, blocked=away, replicates_not=away, failover=None)
        elif missed and touched.action is Action.DATA:
            found = replace(found, replicates_not=missed)
        tables.append(found)
    order = combined(t.order for t in tables)
    return StatementPlan(
        number,
        given.sql,
        order,
        tuple(tables),
        given.location,
        given.generated,
        given.database,
        given.writes,
        given.session,
        given.parts or (given.sql,),
    )


def _table(
    touched: Touched, links: tuple[Link, ...], filters: FilterSet | None, *, drifted: bool
) -> TablePlan:
    found = table_plan(touched.ends, links, filters, action=touched.action, renames=touched.renames)
    if touched.action is Action.DATA:
        definitions = (
            (
                (
                    "where each server makes the new table by itself (gh-ost on a replica), its definition "
                    f"goes {found.order.value}"
                ),
            )
            if touched.swapped and found.replica_first and differs(found.old, found.new)
            else ()
        )
        stands = found.blocked and not touched.swapped
        found = replace(
            found, order=found.order if stands else Order.LOCK_STEP, failover=None,
            notes=(*found.notes, touched.note, *definitions),
        )  # fmt: skip
    elif touched.action is Action.RENAME:
        found = replace(
            found, notes=(*found.notes, "rows under the one name find no table under the other (1146)")
        )
    if touched.refused:
        found = replace(found, replicates_not=touched.refused, notes=(*found.notes, touched.refused))
        found = replace(
            found,
            order=Order.UNKNOWN if found.order is Order.UNKNOWN else Order.IMPOSSIBLE,
            blocked=found.blocked or touched.refused,
        )
    if drifted:
        note = (
            "not every server has the source's definition (it has drifted): the plan takes each server's own"
        )
        return replace(found, drifted=True, notes=(*found.notes, note))
    return replace(found, rewrites=rewrite.rewrites(found, links, filters))


def _whole(
    statements: Sequence[Statement],
    planned: Sequence[StatementPlan],
    links: tuple[Link, ...],
    filters: FilterSet | None,
) -> tuple[TablePlan, ...]:
    """The whole change table by table; a table that one statement touches has that statement's plan."""
    single: dict[Name, list[TablePlan]] = {}
    for one in planned:
        for table in one.tables:
            single.setdefault((table.database, table.table), []).append(table)
    merged = Merged(links, filters)
    for given in statements:
        merged.add(given)
    out = []
    for name, found in single.items():
        alone = len(found) == 1 or any(t.action in (Action.RENAME, Action.DATA) for t in found)
        whole = None if alone else merged.plan(name)
        if whole is None:
            out.append(max(found, key=lambda t: (not t.order.exists, t.order.value)))
        else:
            out.append(replace(whole, rewrites=tuple(r for t in found for r in t.rewrites)))
    return tuple(out)
