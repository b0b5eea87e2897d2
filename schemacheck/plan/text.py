"""A plan for a person: table by table, then the runbook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from schemacheck.model import Link
from schemacheck.plan import words
from schemacheck.plan.model import (
    Action,
    LinkFinding,
    Obstacle,
    Order,
    Passage,
    Plan,
    Rewrite,
    RunbookStep,
    StatementPlan,
    TablePlan,
)
from schemacheck.plan.verdict import summary
from schemacheck.printable import one_line, statement_lines

_VERTICAL = "\\G"
#: Obstacles of one passage that are shown; the rest is counted.
_SHOWN = 3

_HEADINGS = {
    Order.STAGED: "in stages",
    Order.ANY: "any order",
    Order.REPLICA_FIRST: "replica-first: the replicas, then the source",
    Order.SOURCE_FIRST: "source-first: the source, then the replicas",
    Order.LOCK_STEP: "lock-step: no end can go first",
    Order.IMPOSSIBLE: "impossible",
    Order.UNKNOWN: "unknown",
}


def render(plan: Plan, *, verbose: bool = False, quiet: bool = False) -> str:
    """Text that ends with the summary line. `quiet`: only that; `verbose`: what is safe is explained too."""
    if quiet:
        return summary(plan) + "\n"
    blocks = [line for one in plan.link_findings for line in _link_finding(one)]
    for problem in plan.problems:
        if verbose or not problem.skipped:
            subject = f"{problem.table}: " if problem.table else ""
            blocks.append(
                (
                    f"{problem.location or ''} {'left out' if problem.skipped else 'not understood'}: "
                    f"{subject}{problem.message}"
                ).strip()
            )
    blocks = [one_line(block) for block in blocks]
    replicated = {one.number for stage in plan.stages if stage.replicated for one in stage.statements}
    blocks += [
        "\n".join(map(one_line, statement(one, replicated=one.number in replicated, verbose=verbose)))
        for one in plan.statements
    ]
    times = Counter(t.name for one in plan.statements for t in one.tables)
    several = [t for t in plan.tables if times[t.name] > 1]
    if several:
        blocks.append(
            "whole change, server by server:\n"
            + "\n".join(one_line(f"  {t.name}: {t.order.value}") for t in several)
        )
    blocks += [one_line(_ghost(ghost.name, ghost.tool, ghost.role, ghost.table)) for ghost in plan.ghosts]
    if plan.profile is not None:
        blocks.append("\n".join(map(one_line, _profile(plan))))
    if plan.consequences:
        lines = (f"  {c.consumer.value}: {c.table}: {c.effect.value}: {c.text}" for c in plan.consequences)
        blocks.append("readers of the source's log:\n" + "\n".join(map(one_line, lines)))
    if plan.runbook:
        blocks.append("\n".join(map(one_line, _runbook(plan))))
    chain = " to ".join([str(plan.links[0].source), *(str(link.replica) for link in plan.links)])
    closing = [f"link: {chain}, {plan.links[0].binlog_format}"]
    if plan.assumptions:
        closing.append(
            "assumed: "
            + "; ".join(
                a if "sql_mode" not in a else a.split(" = ")[0] + " = (the version's default)"
                for a in plan.assumptions
            )
        )
    if any(
        t.rewrites for one in plan.statements if verbose or one.number not in replicated for t in one.tables
    ):
        closing.append("rewritten changes are offered above: each was checked, and goes in the orders given")
    return "\n\n".join([*blocks, "\n".join(map(one_line, [*closing, summary(plan)]))]) + "\n"


def _link_finding(one: LinkFinding) -> Iterator[str]:
    yield one.text
    if one.finding.remedy:
        yield f"  {one.finding.remedy}"


def _profile(plan: Plan) -> Iterator[str]:
    profile = plan.profile
    if profile is None:
        return
    yield f"profile {profile.name}: {profile.title}"
    for stage in plan.against_profile:
        numbers = ", ".join(str(one.number) for one in stage.statements)
        yield f"  not possible there: {numbers} ({stage.order.value}): only the {profile.changed} is changed"
    yield from (f"  {step}" for step in profile.steps)
    yield f"  ({profile.source})"


def statement(one: StatementPlan, *, replicated: bool, verbose: bool) -> Iterator[str]:
    """The lines about one statement of a plan; `replicated`: it is rolled out so."""
    place = f" ({one.location})" if one.location and not one.generated else ""
    yield f"{one.number}. {_heading(one, replicated=replicated)}{place}"
    for line in statement_lines(one.sql or "(nothing)"):
        yield f"     {line}"
    if one.generated and one.sql:
        yield "     (written here from both definitions)"
    for table in one.tables:
        brief = replicated and not verbose
        yield from (f"   {line}" for line in _table(table, brief=brief, verbose=verbose))


def _heading(one: StatementPlan, *, replicated: bool) -> str:
    if one.writes and one.order.exists:
        return "no definition of a table: run on the source, and replicated"
    if not one.tables:
        return f"{_HEADINGS[one.order]}: replication sees nothing of it"
    if replicated:
        return f"replicate it (server by server: {one.order.value})"
    return _HEADINGS[one.order]


def _table(table: TablePlan, *, brief: bool, verbose: bool) -> Iterator[str]:
    yield f"{table.name}: {table.order.value}" + ("" if brief else _settings(table))
    if table.blocked:
        yield f"  {table.blocked}"
    for note in table.notes:
        yield f"  note: {note}"
    if table.action is Action.DATA:
        yield "  replicate the statement: each server then runs it at the same point of the log"
        return
    if brief:
        if table.order is Order.LOCK_STEP:
            yield "  server by server neither end could go first (-v says what stands in the way)"
        return
    first = table.order is Order.LOCK_STEP
    for rewrite in table.rewrites if first else ():
        yield from _rewrite(rewrite, table)
    if first and table.rewrites:
        yield "  as it is written neither end can go first; that is what would have to be given up:"
    for label, passages in (("replica first", table.replica_first), ("source first", table.source_first)):
        for passage in passages:
            hop = f" ({passage.link.source} to {passage.link.replica})" if len(passages) > 1 else ""
            yield from _passage(f"{label}{hop}", passage, verbose=verbose)
    if table.failover is not None and (
        verbose or not table.failover.safe or table.failover.modes is not None
    ):
        yield from _failover(
            table.failover, {o.text for p in (*table.replica_first, *table.source_first) for o in p.obstacles}
        )
    if table.order is Order.LOCK_STEP and table.replicates:
        yield (
            "  as a replicated statement: safe, it stands between the rows of both definitions in "
            "the binary log; each applier waits while it runs"
        )
    elif table.order.exists and verbose and table.replicates:
        yield "  as a replicated statement: safe too"
    if table.replicates_not and table.replicates_not not in (table.blocked, *table.notes):
        yield f"  as a replicated statement: not safe: {table.replicates_not}"
    for rewrite in () if first else table.rewrites:
        yield from _rewrite(rewrite, table)


def _settings(table: TablePlan) -> str:
    """`, with slave_type_conversions = 'ALL_NON_LOSSY' until both ends have it`."""
    needed = [(p.link, p.modes) for p in table.chosen() if p.modes is not None]
    if not needed:
        return ""
    link, modes = needed[0]
    return f", with {words.conversions(link.replica)} = '{modes}' on the replica until both ends have it"


def _passage(label: str, passage: Passage, *, verbose: bool) -> Iterator[str]:
    if passage.safe:
        if verbose or passage.caveats:
            yield f"  {label}: nothing stops, no value changes" + (
                f" (with '{passage.modes}')" if passage.modes is not None else ""
            )
        yield from (f"    the manual forbids it: {caveat}" for caveat in passage.caveats)
        return
    worst = max(passage.obstacles, key=lambda o: o.effect)
    yield f"  {label}: {worst.effect.value}"
    yield from _obstacles(passage.obstacles)


def _obstacles(obstacles: tuple[Obstacle, ...]) -> Iterator[str]:
    for one in sorted(obstacles, key=lambda o: o.effect, reverse=True)[:_SHOWN]:
        yield f"    {one.text}" + (f" [{one.code}]" if one.code else "")
        if one.error:
            yield f"      error {one.error.number}{' (some rows)' if one.rows else ''}: {one.error.message}"
        if one.example:
            yield f"      {one.example.source} on the source becomes {one.example.replica} on the replica"
    if len(obstacles) > _SHOWN:
        yield f"    and {len(obstacles) - _SHOWN} more"


def _failover(passage: Passage, told: set[str]) -> Iterator[str]:
    if passage.safe:
        more = (
            f", with {words.conversions(passage.link.replica)} = '{passage.modes}' there"
            if passage.modes is not None
            else ""
        )
        yield f"  failover while half done: the promoted replica can feed the old source{more}"
        return
    worst = max(passage.obstacles, key=lambda o: o.effect)
    yield (
        "  failover while half done: the promoted replica cannot feed the old source before that has "
        f"the change ({worst.effect.value})"
    )
    if worst.text not in told:
        yield from _obstacles((worst,))


def _rewrite(one: Rewrite, table: TablePlan) -> Iterator[str]:
    yield f"  rewritten: {one.what}" + ("" if one.same_result else " (another result than asked for)")
    for part in one.parts:
        link = table.replica_first[0].link if table.replica_first else None
        yield from (f"    {line}" for line in statement_lines(f"{part.sql};"))
        yield f"    -- {part.order.value}{_with(link, part.modes)}"


def _with(link: Link | None, modes: str | None) -> str:
    return (
        f", with {words.conversions(link.replica)} = '{modes}'"
        if link is not None and modes is not None
        else ""
    )


def _ghost(name: str, tool: str, role: str, table: str) -> str:
    if role == "copy":
        return (
            f"{name} is a copy of {table} that {tool} is filling: its rows and the cut-over (RENAME) reach "
            "the replicas as statements and rows like any others, "
            f"so the tool needs no order, as long as no filter keeps {name} out. The order shown for "
            f"{table} holds where the copy is made on the replicas themselves."
        )
    if role == "changelog":
        return (
            f"{name} is {tool}'s changelog of {table}: it must replicate while the migration runs, "
            "and is dropped afterwards."
        )
    return (
        f"{name} is {table} as it was before {tool}'s cut-over: drop it with a replicated statement "
        "when nobody needs it."
    )


def _runbook(plan: Plan) -> Iterator[str]:
    yield "runbook:"
    yield "  (the way back: the `back` of each step that was done, from the last one to the first)"
    for step in plan.runbook:
        yield (
            f"  {step.number}. on {step.where}: {step.text}"
            if step.where != "nowhere"
            else f"  {step.number}. {step.text}"
        )
        for shown in step_lines(step):
            yield from (f"       {line}" for line in statement_lines(shown))


def step_lines(step: RunbookStep) -> Iterator[str]:
    """What is below a step's first line: what it loses, what to see before, the SQL, its cost, what to see
    then, when to worry, and how it is taken back.
    """
    yield from (f"-- loses: {one_line(note)}" for note in step.discards)
    for look in step.before:
        yield f"{look.sql}{'' if look.sql.endswith(_VERTICAL) else ';'}"
        yield f"-- must show {one_line(look.expect)}"
    yield from step.sql
    yield from (f"-- costs: {one_line(line)}" for line in step.cost)
    for look in step.after:
        if f"{look.sql};" not in step.sql:
            yield f"{look.sql}{'' if look.sql.endswith(_VERTICAL) else ';'}"
        yield f"-- must show {one_line(look.expect)}"
    if step.timeout:
        yield f"-- longer than {step.timeout} s: see in SHOW FULL PROCESSLIST what holds it up"
    if step.rollback:
        yield "-- back:"
        yield from step.rollback
    if step.rollback_note:
        yield f"-- back: {one_line(step.rollback_note)}"
