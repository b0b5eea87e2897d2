"""A plan for a person: table by table, then the runbook."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from schemacheck.model import InputProblem
from schemacheck.model.quantity import plural
from schemacheck.plan import words
from schemacheck.plan.book import PATIENCE
from schemacheck.plan.model import (
    Action,
    Ghost,
    Look,
    Obstacle,
    Order,
    Passage,
    Plan,
    RunbookStep,
    StatementPlan,
    TablePlan,
    after_one_another,
)
from schemacheck.plan.verdict import summary
from schemacheck.text.printable import one_line, statement_lines

_VERTICAL = "\\G"
_PATIENCE = (f"{PATIENCE};",)
#: The rule of a column that one end alone has, before common ones: what it moves comes behind it.
_CAUSE = "SC102"
#: Obstacles of one passage that are shown; the rest is counted.
_SHOWN = 3

#: How a line within a statement of a way back begins.
_INNER = "--     "
#: Lines of a way back that are shown.
_BACK = 8
#: Columns of a terminal.
_WIDTH = 80

_BY_SERVER = {
    Order.ANY: "server by server in any order too",
    Order.REPLICA_FIRST: "server by server the replicas are first",
    Order.SOURCE_FIRST: "server by server the source is first",
    Order.STAGED: "server by server it goes in stages",
    Order.LOCK_STEP: "server by server no end can go first",
}
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
    blocks = []
    for finding in plan.link_findings:
        blocks += [one_line(plan.of_link(finding))]
        blocks += [one_line(f"  {finding.remedy}")] if finding.remedy else []
    problems = [problem_line(problem) for problem in plan.problems if verbose or not problem.skipped]
    blocks += ["\n".join(problems)] if problems else []
    replicated = plan.replicated
    # Their text stands in the runbook.
    brief = {
        item.number
        for item in plan.statements
        if not verbose and item.number in replicated and _is_plain(item)
    }
    blocks += (
        ["\n".join(_briefly([item for item in plan.statements if item.number in brief]))] if brief else []
    )
    blocks += [
        "\n".join(map(one_line, statement(item, replicated=item.number in replicated, verbose=verbose)))
        for item in plan.statements
        if item.number not in brief
    ]
    times = Counter(t.name for item in plan.statements for t in item.tables)
    several = [t for t in plan.tables if times[t.name] > 1]
    if several and not brief:
        blocks.append(
            "whole change, server by server:\n"
            + "\n".join(one_line(f"  {t.name}: {t.order.value}") for t in several)
        )
    blocks += [one_line(_ghost(ghost)) for ghost in plan.ghosts]
    if plan.runbook:
        blocks.append("\n".join(map(one_line, _runbook(plan, verbose=verbose))))
    closing = [f"link: {plan.link.source} to {plan.link.replica}, {plan.link.binlog_format}"]
    if plan.assumptions:
        sentences = [
            a if "sql_mode" not in a else f"{a.split(' = ')[0]} = (the version's default)"
            for a in plan.assumptions
        ]
        more = len(sentences) - 1
        sentences = sentences if verbose or not more else [sentences[0], f"{more} more (-v)"]
        closing.append(f"assumed: {'; '.join(sentences)}")
    return "\n\n".join([*blocks, "\n".join(map(one_line, [*closing, summary(plan)]))]) + "\n"


def problem_line(problem: InputProblem) -> str:
    """Where something was not planned, and why, in one line."""
    subject = f"{problem.table}: " if problem.table else ""
    return one_line(f"{problem.location or ''} {words.problem(problem)}: {subject}{problem.message}".strip())


def statement(entry: StatementPlan, *, replicated: bool, verbose: bool) -> Iterator[str]:
    """The lines about one statement of a plan; `replicated`: it is rolled out so."""
    place = f" ({entry.location})" if entry.location and not entry.generated else ""
    yield f"{entry.number}. {_heading(entry, replicated=replicated)}{place}"
    for line in statement_lines(entry.sql or "(nothing)"):
        yield f"     {line}"
    if entry.generated and entry.sql:
        yield "     (written here from both definitions)"
    for table in entry.tables:
        brief = replicated and not verbose
        for line in _table(table, brief=brief, verbose=verbose):
            yield from _wrapped(f"   {line}", " " * (5 + len(line) - len(line.lstrip())))


def _is_plain(entry: StatementPlan) -> bool:
    """Whether a line for each table says of a replicated statement what its text does not."""
    return entry.writes or (bool(entry.tables) and not any(t.blocked for t in entry.tables))


def _briefly(statements: Sequence[StatementPlan]) -> Iterator[str]:
    """Replicated statements whose text stands in the runbook: a line for each order of their tables."""
    tables: dict[str, list[TablePlan]] = {}
    for item in statements:
        for table in item.tables:
            tables.setdefault(table.name, []).append(table)
    orders: dict[Order, list[str]] = {}
    for name, plans in tables.items():
        orders.setdefault(after_one_another(t.order for t in plans), []).append(name)
    for order, names in orders.items():
        yield from _wrapped(f"safe to replicate ({_BY_SERVER[order]}): {', '.join(names)}", "  ")
    for name, plans in tables.items():
        notes = dict.fromkeys(note for t in plans for note in t.notes if "discards" not in note)
        yield from (line for note in notes for line in _wrapped(f"note: {name}: {note}", "  "))
    if any(item.generated for item in statements):
        yield "note: the statements are written here, out of both definitions"
    others = sum(entry.writes for entry in statements)
    if others:
        yield f"safe to replicate (no table's definition): {plural(others, 'statement')}"


def _heading(entry: StatementPlan, *, replicated: bool) -> str:
    if entry.writes and entry.order.exists:
        return "no definition of a table: run on the source, and replicated"
    if not entry.tables:
        return f"{_HEADINGS[entry.order]}: replication sees nothing of it"
    if replicated:
        return f"replicate it (server by server: {entry.order.value})"
    return _HEADINGS[entry.order]


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
    for label, passage in (("replica first", table.replica_first), ("source first", table.source_first)):
        if passage is not None:
            yield from _passage(label, passage, verbose=verbose)
    if table.failover is not None and (
        verbose or not table.failover.safe or table.failover.modes is not None
    ):
        yield from _failover(table.failover, {o.text for p in table.passages for o in p.obstacles})
    if table.order is Order.LOCK_STEP and table.replicates:
        yield (
            "  as a replicated statement: safe, it stands between the rows of both definitions in "
            "the binary log; each applier waits while it runs"
        )
    elif table.order.exists and verbose and table.replicates:
        yield "  as a replicated statement: safe too"
    if table.replicates_not and table.replicates_not not in (table.blocked, *table.notes):
        yield f"  as a replicated statement: not safe: {table.replicates_not}"


def _settings(table: TablePlan) -> str:
    """`, with slave_type_conversions = 'ALL_NON_LOSSY' until both ends have it`."""
    chosen = table.passage(table.order)
    if chosen is None or chosen.modes is None:
        return ""
    name = words.conversions(chosen.link.replica)
    return f", with {name} = '{chosen.modes}' on the replica until both ends have it"


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
    ranked = sorted(obstacles, key=lambda o: (o.code == _CAUSE, o.effect), reverse=True)
    for obstacle in ranked[:_SHOWN]:
        yield f"    {obstacle.text}" + (f" [{obstacle.code}]" if obstacle.code else "")
        if obstacle.error:
            yield (
                f"      error "
                f"{obstacle.error.number}{' (some rows)' if obstacle.rows else ''}: {obstacle.error.message}"
            )
        if obstacle.example:
            yield (
                f"      {obstacle.example.source} on the source becomes "
                f"{obstacle.example.replica} on the replica"
            )
    if len(obstacles) > _SHOWN:
        yield f"    and {len(obstacles) - _SHOWN} more"


def _failover(passage: Passage, listed: set[str]) -> Iterator[str]:
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
    if worst.text not in listed:
        yield from _obstacles((worst,))


def _ghost(ghost: Ghost) -> str:
    if ghost.role == "copy":
        return (
            f"{ghost.name} is a copy of {ghost.table} that {ghost.tool} is filling: its rows "
            f"and the cut-over "
            f"(RENAME) reach the replicas like any others, unless a filter keeps {ghost.name} out."
        )
    what = "changelog of" if ghost.role == "changelog" else "old version of"
    return (
        f"{ghost.name} is {ghost.tool}'s {what} {ghost.table}: drop "
        f"it by a replicated statement when it is done."
    )


def _runbook(plan: Plan, *, verbose: bool) -> Iterator[str]:
    yield "runbook:" if verbose else "runbook (-v shows more; --out-dir DIR writes it as scripts):"
    if verbose:
        yield "  (the way back: the `back` of each step that was done, from the last one to the first)"
    waits: set[str] = set()
    for step in plan.runbook:
        yield from _wrapped(f"  {step.number}. {heading(step)}", "     ")
        for shown in step_lines(step, verbose=verbose, waits=step.side in waits):
            # Lines of a statement are not broken: a string of it may be.
            if shown.startswith("-- ") and not shown.endswith(";") and not shown.startswith(_INNER):
                yield from _wrapped(f"       {shown}", "       --   ")
            else:
                yield from (f"       {line}" for line in statement_lines(shown))
        waits |= {step.side} if step.sql[:1] == _PATIENCE else set()


def heading(step: RunbookStep) -> str:
    """Where, what, and how long it takes."""
    where = f"on {step.where}: " if step.where != "nowhere" else ""
    return one_line(f"{where}{step.text}" + (f" Time: {'; '.join(step.cost)}." if step.cost else ""))


def _wrapped(line: str, indent: str) -> list[str]:
    """A line of words in lines of a terminal."""
    return textwrap.wrap(
        one_line(line), _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def step_lines(step: RunbookStep, *, verbose: bool = True, waits: bool = False) -> Iterator[str]:
    """What is below a step's heading: what it loses, what to see before, the SQL, what to see then, when to
    worry, and how it is taken back. Without `verbose` no more than what has to be seen before and typed;
    `waits`: a step before has set how long the session waits.
    """
    yield from (f"-- loses: {one_line(note)}" for note in step.discards)
    yield from _looks(step.before)
    for sql in step.sql[not verbose and waits and step.sql[:1] == _PATIENCE :]:
        yield from [f"{sql}  -- error 1205: try again"] if (sql,) == _PATIENCE else words.typed(sql)
    for look in step.after:
        if f"{look.sql};" in step.sql:
            yield _expected(look)
        elif verbose:
            yield from _looks((look,))
    if step.timeout and verbose:
        yield f"-- longer than {step.timeout} s: see in SHOW FULL PROCESSLIST what holds it up"
    first = [f"first {look.sql}; must show {look.expect}" for look in step.rollback_before]
    taken = [text for sql in step.rollback if verbose or (sql,) != _PATIENCE for text in words.typed(sql)]
    back = [*first, *taken]
    lines = [line for sql in back for line in statement_lines(sql)]
    if len(lines) > _BACK and not verbose:
        lines = [f"{plural(len(lines), 'line')} (-v shows them)"]
    yield from (f"--{'  ' if number else ' back:'} {line}" for number, line in enumerate(lines))
    if step.rollback_note and (verbose or not (back and step.discards)):
        yield f"--{'  ' if back else ' back:'} {one_line(step.rollback_note)}"


def _looks(looks: Sequence[Look]) -> Iterator[str]:
    for look in looks:
        yield f"{look.sql}{'' if look.sql.endswith(_VERTICAL) else ';'}"
        yield _expected(look)


def _expected(look: Look) -> str:
    return f"-- must show {one_line(look.expect)}"
