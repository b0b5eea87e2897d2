"""The manuals' "How Servers Evaluate Replication Filtering Rules", step by step."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.filters.decision import Stage, Step, Verdict
from schemacheck.filters.rules import NO_TABLE_RULES, ReplicaRules, SourceRules, option
from schemacheck.model.filters import FilterSet

DEFAULT_ONLY = (
    "under statement format the default database is tested, not the database of the tables that the "
    "statement names"
)
IGNORE_UNREAD = "--replicate-ignore-db is never read once there is a --replicate-do-db"
DO_MAKES_REST_IGNORED = "one do rule on tables makes every table without a match ignored, in every database"


def source(rules: SourceRules, database: str | None, *, rows: bool, others: bool = False) -> Verdict:
    """Whether the source logs a change. `others`: the statement names tables of other databases."""
    passes, rule = rules.logs(database)
    if not rules:
        step = Step(
            Stage.SOURCE, "Are there --binlog-do-db or --binlog-ignore-db options?", "no: logged", rule
        )
        return Verdict(passes=True, rule=rule, steps=(step,))
    what = f"the table's database {database}" if rows else f"the default database {database or '(none)'}"
    question = f"Does {what} pass --binlog-do-db and --binlog-ignore-db?"
    answer = "yes: logged" if passes else "no: not in the binary log, no replica ever sees it"
    surprise = DEFAULT_ONLY if others and not rows else ""
    return Verdict(passes, rule, (Step(Stage.SOURCE, question, answer, rule, surprise),))


def domains(filters: FilterSet) -> str:
    """MariaDB's DO_DOMAIN_IDS (it wins) or IGNORE_DOMAIN_IDS as they are written; '' without such lists."""
    name = "DO_DOMAIN_IDS" if filters.do_domain_ids else "IGNORE_DOMAIN_IDS"
    numbers = filters.do_domain_ids or filters.ignore_domain_ids
    return f"{name}=({','.join(map(str, numbers))})" if numbers else ""


def domain(filters: FilterSet, number: int) -> bool:
    """Whether the receiver takes a GTID domain's transactions."""
    wanted = filters.do_domain_ids
    return number in wanted if wanted else number not in filters.ignore_domain_ids


def rewrite(rules: ReplicaRules, database: str | None) -> tuple[str | None, tuple[Step, ...]]:
    """The database after rewriting, and the step if there are such rules."""
    if not rules.filters.rewrite_db:
        return database, ()
    if database is None:
        question, answer = "Does a --replicate-rewrite-db match?", "no: there is no default database"
        return None, (Step(Stage.REWRITE, question, answer, ""),)
    new, rule = rules.rewrite(database)
    question = f"Does a --replicate-rewrite-db match {database}?"
    answer = f"yes: {database} becomes {new}" if rule else f"no: {database} stays"
    surprise = "all later rules see the new name" if rule else ""
    return new, (Step(Stage.REWRITE, question, answer, rule, surprise),)


def database(rules: ReplicaRules, name: str | None, *, subject: str, others: bool = False) -> Verdict:
    """Stage 1: the database options. `subject` says whose database it is."""
    passes, rule = rules.database(name)
    shown = name if name is not None else "(none: the empty name)"
    surprise = DEFAULT_ONLY if others else ""
    databases = rules.databases
    first, second = (f"Are there any --replicate-{kind}-db options?" for kind in ("do", "ignore"))
    on = "go on to the table options"
    if not (databases.do or databases.ignore):
        steps = [Step(Stage.DATABASE, first, "no"), Step(Stage.DATABASE, second, f"no: {on}", rule)]
        return Verdict(passes, rule, tuple(steps))
    if databases.do:
        steps = [Step(Stage.DATABASE, first, "yes")]
        answer = f"yes: {on}" if passes else "no: ignored"
        surprise = "; ".join(filter(None, (IGNORE_UNREAD * bool(databases.ignore), surprise)))
    else:
        steps = [Step(Stage.DATABASE, first, "no"), Step(Stage.DATABASE, second, "yes")]
        answer = f"no: {on}" if passes else "yes: ignored"
    question = f"Does the {subject} {shown} match one of them?"
    return Verdict(passes, rule, (*steps, Step(Stage.DATABASE, question, answer, rule, surprise)))


def tables(rules: ReplicaRules, names: Sequence[tuple[str, str]], *, before: str = "") -> Verdict:
    """Stage 2: the table options, for the updated tables in the server's order; the first one that a
    rule decides decides for all. `before` is the rule that decided stage 1, where it did."""
    if not rules.has_table_rules:
        step = Step(
            Stage.TABLE,
            "Are there any --replicate-*-table options?",
            "no: executed",
            before or NO_TABLE_RULES,
        )
        return Verdict(passes=True, rule=step.rule, steps=(step,))
    steps = [Step(Stage.TABLE, "Are there any --replicate-*-table options?", "yes")]
    for position, (schema, table) in enumerate(names):
        answer, rule = rules.table(schema, table)
        steps += _one_table(rules, f"{schema}.{table}", rule)
        if answer is not None:
            rest = [f"{a}.{b}" for a, b in names[position + 1 :]]
            verb = "executed" if answer else "ignored"
            surprise = f"decided for the whole statement: {', '.join(rest)} {verb} with it" if rest else ""
            steps[-1] = Step(Stage.TABLE, steps[-1].question, steps[-1].answer, rule, surprise)
            return Verdict(answer, rule, tuple(steps))
        more = [f"yes: {a}.{b}" for a, b in names[position + 1 : position + 2]]
        steps.append(Step(Stage.TABLE, "Is there another table to be tested?", *(more or ["no"])))
    passes, rule = rules.unmatched()
    question = "Are there any --replicate-do-table or --replicate-wild-do-table options?"
    surprise = DO_MAKES_REST_IGNORED if not passes else ""
    steps.append(Step(Stage.TABLE, question, "no: executed" if passes else "yes: ignored", rule, surprise))
    return Verdict(passes, rule, tuple(steps))


def _one_table(rules: ReplicaRules, name: str, decided: str) -> list[Step]:
    """The four questions about one table, as far as they are asked."""
    filters = rules.filters
    steps: list[Step] = []
    for words, values, yes in (
        ("do-table", filters.do_table, "executed"),
        ("ignore-table", filters.ignore_table, "ignored"),
        ("wild-do-table", filters.wild_do_table, "executed"),
        ("wild-ignore-table", filters.wild_ignore_table, "ignored"),
    ):
        question = f"Does {name} match one of the --replicate-{words} options?"
        if decided.startswith(f"--replicate-{words}="):
            return [*steps, Step(Stage.TABLE, question, f"yes: {yes}", decided)]
        if values:
            steps.append(Step(Stage.TABLE, question, "no"))
    return steps


def wild_database(rules: ReplicaRules, name: str) -> Verdict:
    """The wild table rules on CREATE, ALTER, DROP DATABASE."""
    passes, rule = rules.wild_database(name)
    question = (
        f"Do the wild rules let a statement on the database {name} pass (tested as {name}. with an "
        "empty table name)?"
    )
    return Verdict(
        passes, rule, (Step(Stage.DATABASE, question, "yes: executed" if passes else "no: ignored", rule),)
    )


def row(rules: ReplicaRules, schema: str, table: str) -> tuple[Verdict, str, str]:
    """One table's row events: verdict, and the table's name on the replica."""
    arrived, name = rules.arriving(schema), rules.arriving(table)
    new, steps = rewrite(rules, arrived)
    new = new if new is not None else arrived
    stage1 = database(rules, new, subject="database of the changed table,")
    if not stage1.passes:
        return Verdict(passes=False, rule=stage1.rule, steps=steps + stage1.steps), new, name
    decided = stage1.rule if rules.databases else next((s.rule for s in steps if s.rule), "")
    stage2 = tables(rules, [(new, name)], before=decided)
    return Verdict(stage2.passes, stage2.rule, steps + stage1.steps + stage2.steps), new, name


__all__ = ["database", "domain", "domains", "option", "rewrite", "row", "source", "tables", "wild_database"]
