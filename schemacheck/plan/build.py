"""From definitions and a change to a Plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from schemacheck.binlog.check.change import replay
from schemacheck.model import InputProblem, Link, Schema, Table
from schemacheck.model.filters import FilterSet
from schemacheck.plan import change, difference, ghost, rewrite, whole_link
from schemacheck.plan.alter import changes
from schemacheck.plan.change import Statement, Touched
from schemacheck.plan.consumer import Consumer, consequences
from schemacheck.plan.decide import End, differs, table_plan
from schemacheck.plan.difference import Name
from schemacheck.plan.model import (
    Action,
    Ghost,
    Order,
    Plan,
    Stage,
    StatementPlan,
    TablePlan,
    after_one_another,
    combined,
)
from schemacheck.plan.passage import Renames, passage
from schemacheck.plan.runbook import runbook


def plan(
    old: Schema, new: Schema, link: Link | None = None, *, chain: Sequence[Link] = (),
    filters: FilterSet | None = None, assumptions: tuple[str, ...] = (),
    consumers: Sequence[Consumer] = (), unlogged: bool = False,
) -> Plan:  # fmt: skip
    """How to roll out the step from one schema to another.

    `old` and `new` are what the source has before and after; every server of the chain has the same.
    `link` is the way from the source to its replica, or `chain` all hops from the source to the last
    replica. The statements of the change are written here out of both definitions. What could not be
    read on either side stands in `problems`, and the plan's order is unknown. A statement that is safe when
    it is replicated is rolled out so; `unlogged` changes each server by itself instead. Raises UsageError
    where neither `link` nor `chain` is given.
    """
    links = _links(link, chain)
    sides = difference.one_database(old.tables, new.tables)
    before, after = difference.named(sides[0]), difference.named(sides[1])
    marks = ghost.ghosts((*old.tables, *new.tables))
    copies = difference.copies(marks, before, after)
    problems = [*old.problems, *new.problems]
    unread = {(p.database, p.table) for p in problems if not p.skipped and p.table}
    hidden = {(g.database, g.name) for g in marks}
    pairs: dict[Name, tuple[Table | None, Table | None]] = {}
    for name in (*before, *(n for n in after if n not in before)):
        if name in unread or name in hidden:
            continue
        target = after.get(name)
        if name in copies and not differs(before.get(name), target):
            target = copies[name]
        if changes(before.get(name), target, links[0].source):
            pairs[name] = before.get(name), target
    written = difference.written(pairs, links)
    problems += written.problems
    return _plan(
        written.statements,
        links,
        filters,
        problems=tuple(problems),
        ghosts=marks,
        assumptions=assumptions,
        consumers=consumers,
        unlogged=unlogged,
    )


def plan_change(
    old: Schema, scripts: str | Sequence[tuple[str, str]], link: Link | None = None, *,
    chain: Sequence[Link] = (), database: str | None = None,
    filters: FilterSet | None = None, assumptions: tuple[str, ...] = (), consumers: Sequence[Consumer] = (),
    replica: Schema | None = None, unlogged: bool = False,
) -> Plan:  # fmt: skip
    """How to roll out a migration: ALTERs, CREATEs, DROPs, RENAMEs, statement by statement.

    `scripts` is SQL text, or (file, text) of several scripts that run in this order; `database` is the
    default database (without it the one that all tables of `old` are in). `replica` holds the definitions of
    the last replica where they are not the source's: replicated statements run on them. Otherwise as `plan`.
    """
    links = _links(link, chain)
    servers = [links[0].source, *(one.replica for one in links)]
    databases = {t.database for t in old.tables}
    default = database or (next(iter(databases)) if len(databases) == 1 else None)
    texts = [("-", scripts)] if isinstance(scripts, str) else scripts
    statements, problems = change.read(texts, servers, old, database=default)
    if replica is not None:
        whole = Link(links[0].source, links[-1].replica)
        after = replay(old, replica, texts, whole, database=default, filters=filters)
        statements = change.refused_by(statements, after.refused)
        if after.refused and not any(t.refused for s in statements for t in s.touched):
            why = f"{after.refused.replica} does not run this statement of the change when it is replicated"
            problems += (InputProblem("SC002", why, after.refused.location),)
        problems += tuple(one for one in (*replica.problems, *after.problems) if one not in problems)
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
        consumers=consumers,
        unlogged=unlogged,
    )


def _links(link: Link | None, chain: Sequence[Link]) -> tuple[Link, ...]:
    if not chain and link is None:
        from schemacheck.errors import UsageError

        message = "a plan needs a link, or the links of a chain"
        raise UsageError(message)
    return tuple(chain) or (link,)  # type: ignore[return-value]


def _plan(
    statements: Sequence[Statement], links: tuple[Link, ...], filters: FilterSet | None, *,
    problems: tuple[InputProblem, ...], ghosts: tuple[Ghost, ...],
    assumptions: tuple[str, ...], consumers: Sequence[Consumer], unlogged: bool,
) -> Plan:  # fmt: skip
    hidden = {(g.database, g.name) for g in ghosts if g.role != "copy"}
    copies = {(g.database, g.name): g for g in ghosts if g.role == "copy"}
    planned = [_statement(n, s, links, filters, hidden, copies) for n, s in enumerate(statements, 1)]
    by_server = _stages(statements, planned, links, filters)
    tables = tuple(_staged(t, by_server) for t in _whole(statements, planned, links, filters))
    stages = by_server if unlogged else _replicated(by_server)
    made = Plan(
        links,
        tables,
        tuple(planned),
        stages,
        runbook(stages, links),
        tuple(dict.fromkeys(ghosts)),
        problems,
        assumptions,
        tuple(
            one
            for table in tables
            for kind in consumers
            for one in consequences(kind, table.old, table.new, links[0], table.renames)
        ),
        unlogged=unlogged,
    )
    return whole_link.judged(made)


def _statement(
    number: int, given: Statement, links: tuple[Link, ...], filters: FilterSet | None, hidden: set[Name],
    copies: dict[Name, Ghost]
) -> StatementPlan:  # fmt: skip
    tables = []
    for touched in given.touched:
        if touched.name in hidden or (touched.name in copies and touched.ends[0].new is None):
            continue
        tables.append(_table(touched, links, filters))
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


def _table(touched: Touched, links: tuple[Link, ...], filters: FilterSet | None) -> TablePlan:
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
        found = replace(
            found, order=Order.LOCK_STEP, failover=None, notes=(*found.notes, touched.note, *definitions)
        )
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
    if filters is not None and not filters.empty and found.replicates:
        found = replace(
            found,
            notes=(
                *found.notes,
                "filters are set: a replicated statement must pass them too (`schemacheck filter` answers)",
            ),
        )
    return replace(found, rewrites=rewrite.rewrites(found, links, filters))


def _merged(
    statements: Sequence[Statement], links: tuple[Link, ...], filters: FilterSet | None
) -> tuple[TablePlan, ...]:
    """Every table that several statements touch, from before the first to after the last."""
    first: dict[Name, Touched] = {}
    last: dict[Name, Touched] = {}
    renames: dict[Name, Renames] = {}
    for given in statements:
        for touched in given.touched:
            if touched.action is None:
                first.setdefault(touched.name, touched)
                last[touched.name] = touched
                renames[touched.name] = followed(renames.get(touched.name, frozenset()), touched.renames)
    out = []
    for name, start in first.items():
        ends = tuple(End(a.old, b.new) for a, b in zip(start.ends, last[name].ends, strict=True))
        if any(differs(e.old, e.new) for e in ends) and ends[0] != End(None, None):
            out.append(table_plan(ends, links, filters, renames=renames[name]))
    return tuple(out)


def followed(first: Renames, then: Renames) -> Renames:
    """Renames one after the other: a to b and b to c is a to c."""
    onward = dict(then)
    ends = {there for _, there in first}
    return frozenset((here, onward.get(there, there)) for here, there in first) | frozenset(
        pair for pair in then if pair[0] not in ends
    )


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
    merged = {(t.database, t.table): t for t in _merged(statements, links, filters)}
    out = []
    for name, found in single.items():
        if (
            len(found) == 1
            or name not in merged
            or any(t.action in (Action.RENAME, Action.DATA) for t in found)
        ):
            out.append(max(found, key=lambda t: (not t.order.exists, t.order.value)))
        else:
            out.append(replace(merged[name], rewrites=tuple(r for t in found for r in t.rewrites)))
    return tuple(out)


def _agree(tables: Sequence[TablePlan], order: Order, filters: FilterSet | None) -> bool:
    """Whether the tables of a stage can live under one slave_type_conversions while it lasts."""
    for hop in zip(
        *(
            t.source_first if order is Order.SOURCE_FIRST else t.replica_first
            for t in tables
            if t.replica_first
        ),
        strict=True,
    ):
        needed = [p.modes for p in hop if p.modes is not None]
        if len(set(needed)) < 2 and (not needed or len(needed) == len(hop)):
            continue
        together = ",".join(sorted({word for modes in needed for word in modes.split(",") if word}))
        again = [passage(p.source, p.replica, p.link.with_modes(together), filters=filters) for p in hop]
        if any(p.modes is not None or not p.safe for p in again):
            return False
    return True


def _stages(
    statements: Sequence[Statement],
    planned: Sequence[StatementPlan],
    links: tuple[Link, ...],
    filters: FilterSet | None,
) -> tuple[Stage, ...]:
    """Statements in their order, as many together as one order suits: checked as one change."""
    out: list[Stage] = []
    at = 0
    while at < len(planned):
        best = Stage(planned[at].order, (planned[at],), planned[at].tables)
        end = at + 1
        while (
            best.order.exists
            and not planned[at].writes
            and end < len(planned)
            and planned[end].order.exists
            and not planned[end].writes
        ):
            group = planned[at : end + 1]
            hidden = {(t.database, t.table) for p in group for t in p.tables}
            tables = tuple(
                t
                for t in _merged(statements[at : end + 1], links, filters)
                if (t.database, t.table) in hidden
            )
            order = combined((*(t.order for t in tables), *(p.order for p in group)))
            if not order.exists or not _agree(tables, order, filters):
                break
            best = Stage(order, tuple(group), tables)
            end += 1
        out.append(best)
        at = end
    return tuple(out)


def _staged(table: TablePlan, stages: Sequence[Stage]) -> TablePlan:
    """The whole change of a table, with the order of the stages that it goes through."""
    orders = [
        s.order for s in stages if any(t.name == table.name for one in s.statements for t in one.tables)
    ]
    if len(orders) < 2:
        return table
    order = after_one_another(orders)
    return replace(table, order=Order.STAGED if order.exists else order)


def _replicated(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """The stages, with neighbours together that may all be replicated as they stand in the change."""
    out: list[Stage] = []
    for stage in stages:
        safe = stage.order not in (Order.IMPOSSIBLE, Order.UNKNOWN) and all(
            t.replicates for one in stage.statements for t in one.tables
        )
        if not safe:
            out.append(stage)
        elif out and out[-1].replicated:
            before = out[-1]
            out[-1] = Stage(
                after_one_another((before.order, stage.order)),
                (*before.statements, *stage.statements),
                (*before.tables, *stage.tables),
                replicated=True,
            )
        else:
            out.append(replace(stage, replicated=True))
    return tuple(out)
