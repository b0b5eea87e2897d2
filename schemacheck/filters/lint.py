"""Lint of a filter set: options that never match, match more than meant, or do half of what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from schemacheck.dataclass import dataclass
from schemacheck.filters.rules import Fold, ReplicaRules, literal, matches, option, plain
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet


@dataclass(frozen=True, slots=True)
class FilterFinding:
    """One thing to look at. `code` is stable, `rules` the options concerned, `remedy` what to do."""

    code: str
    message: str
    rules: tuple[str, ...] = ()
    remedy: str = ""


def lint(
    filters: FilterSet, link: Link, *, tables: Iterable[tuple[str, str]] = ()
) -> tuple[FilterFinding, ...]:
    """All findings about a filter set; with `tables` of the source also what patterns catch there."""
    names = tuple(tables)
    rules = ReplicaRules(filters, link.replica)
    filter_findings: list[FilterFinding] = []
    for check in _CHECKS:
        filter_findings += check(filters, rules)
    filter_findings += _underscore(filters, names)
    filter_findings += _default_database(filters, link.binlog_format.upper())
    return tuple(filter_findings)


def _unread_ignore(filters: FilterSet, _rules: ReplicaRules) -> Iterator[FilterFinding]:
    for prefix, do, ignore in (
        ("replicate", filters.do_db, filters.ignore_db),
        ("binlog", filters.binlog_do_db, filters.binlog_ignore_db),
    ):
        if do and ignore:
            yield FilterFinding(
                "ignore-db-never-read",
                f"--{prefix}-ignore-db is never read once there is a --{prefix}-do-db",
                tuple(option(f"{prefix}-ignore-db", v) for v in ignore),
                "remove it",
            )


def _comma(filters: FilterSet, _rules: ReplicaRules) -> Iterator[FilterFinding]:
    for name, value in filters.options():
        if name.endswith("-db") and "," in value and name != "replicate-rewrite-db":
            yield FilterFinding(
                "comma-in-name",
                "the comma is part of the name: no list of databases",
                (option(name, value),),
                "write one option per database",
            )


def _rewritten(filters: FilterSet, rules: ReplicaRules) -> Iterator[FilterFinding]:
    """Rules that name a database which rewriting has already renamed."""
    targets = {new for _, new in filters.rewrite_db}
    for old, new in filters.rewrite_db:
        if rules.rewrite(old)[0] != new:
            yield FilterFinding(
                "rewrite-never-used",
                f"an earlier pair already rewrites {old}: the first one counts",
                (option("replicate-rewrite-db", f"{old}->{new}"),),
                "remove one of them",
            )
        if rules.rewrite(new)[0] != new and new != old:
            yield FilterFinding(
                "rewrite-is-no-chain",
                f"rewriting happens once: {old} becomes {new} and stays {new}",
                (option("replicate-rewrite-db", f"{old}->{new}"),),
                "write the final name",
            )
        if old in targets or old == new:
            continue
        for name, value in filters.options():
            database = plain(value.split(".", 1)[0]) if "table" in name else value
            if (
                name.startswith("replicate")
                and name != "replicate-rewrite-db"
                and database == old
                and not (name.startswith("replicate-wild") and not literal(value.split(".", 1)[0]))
            ):
                yield FilterFinding(
                    "names-old-database",
                    f"rows and default databases arrive as {new}: only statements that name {old} "
                    "themselves meet this rule",
                    (option(name, value),),
                    f"write {new}",
                )


def _mixed(filters: FilterSet, _rules: ReplicaRules) -> Iterator[FilterFinding]:
    do = filters.do_table or filters.wild_do_table
    ignore = filters.ignore_table or filters.wild_ignore_table
    rules = _table_rules(filters)
    if do and ignore:
        yield FilterFinding(
            "do-and-ignore-mixed",
            "do and ignore rules on tables together: do-table, ignore-table, wild-do, wild-ignore are "
            "asked in this order",
            rules,
            "use one kind where you can",
        )
        yield FilterFinding(
            "one-statement-for-both",
            "a logged statement may update a table of a do rule and one of an ignore rule; the first "
            "of them decides whether all of it runs; where it runs and a table is missing, "
            "the applier stops with 1146",
            rules,
            "log rows, and keep such tables out of one statement (DDL is always a statement)",
        )


def _table_rules(filters: FilterSet) -> tuple[str, ...]:
    return tuple(option(n, v) for n, v in filters.options() if n.endswith("-table"))


def _accounts(filters: FilterSet, rules: ReplicaRules) -> Iterator[FilterFinding]:
    if rules.needs_do_match and not any(
        rules.table("mysql", name)[0] for name in ("user", "db", "global_priv")
    ):
        yield FilterFinding(
            "accounts-are-ignored",
            "CREATE USER, GRANT, REVOKE and SET PASSWORD are tested with the mysql tables that they write: "
            "the do rules make the replica ignore them",
            _table_rules(filters),
            "add --replicate-wild-do-table=mysql.% or create accounts on the replica",
        )
    ignoring = [
        option("replicate-wild-ignore-table", p)
        for p in filters.wild_ignore_table
        if matches(p, "mysql.user", Fold.CASE)
    ]
    ignoring += [
        option("replicate-ignore-table", t) for t in filters.ignore_table if t.lower().startswith("mysql.")
    ]
    if ignoring:
        yield FilterFinding(
            "accounts-are-ignored",
            "account statements are tested with the mysql tables that they write: this keeps them out too",
            tuple(ignoring),
            "create accounts on the replica",
        )


def _shadowed(filters: FilterSet, rules: ReplicaRules) -> Iterator[FilterFinding]:
    """Rules that another one always decides before."""
    for table in filters.ignore_table:
        if rules.table(*table.split(".", 1))[0]:
            yield FilterFinding(
                "rule-never-decides",
                f"{rules.table(*table.split('.', 1))[1]} is asked first and matches the same table",
                (option("replicate-ignore-table", table),),
                "remove one of them",
            )
    for name, patterns in (
        ("replicate-wild-do-table", filters.wild_do_table),
        ("replicate-wild-ignore-table", filters.wild_ignore_table),
    ):
        everything = [p for p in patterns if set(p.replace(".", "", 1)) == {"%"}]
        for pattern in patterns:
            if everything and pattern != everything[0]:
                yield FilterFinding(
                    "rule-never-decides",
                    f"{option(name, everything[0])} matches everything that this matches",
                    (option(name, pattern),),
                    "remove it",
                )
    if any(set(p.replace(".", "", 1)) == {"%"} for p in filters.wild_do_table):
        for pattern in filters.wild_ignore_table:
            yield FilterFinding(
                "rule-never-decides",
                "--replicate-wild-do-table=%.% is asked first and matches every table",
                (option("replicate-wild-ignore-table", pattern),),
                "remove one of them",
            )


def _databases(filters: FilterSet, _rules: ReplicaRules) -> Iterator[FilterFinding]:
    for pattern in filters.wild_do_table:
        database, _, table = pattern.partition(".")
        if set(table) - {"%"} and not filters.has_database_rules:
            yield FilterFinding(
                "database-statements-not-covered",
                f"CREATE, ALTER, DROP DATABASE {database} are tested as `{database}.` with an empty table "
                "name, which this does not match",
                (option("replicate-wild-do-table", pattern),),
                f"add --replicate-wild-do-table={database}.% or create the database on the replica",
            )


def _underscore(filters: FilterSet, names: tuple[tuple[str, str], ...]) -> Iterator[FilterFinding]:
    for name, patterns in (
        ("replicate-wild-do-table", filters.wild_do_table),
        ("replicate-wild-ignore-table", filters.wild_ignore_table),
    ):
        for pattern in patterns:
            if not re.search(r"(?<!\\)_", pattern):
                continue
            strict = re.sub(r"(?<!\\)_", r"\\_", pattern)
            caught = [
                f"{d}.{t}"
                for d, t in names
                if matches(pattern, f"{d}.{t}", Fold.CASE) and not matches(strict, f"{d}.{t}", Fold.CASE)
            ]
            shown = (
                f": here also {', '.join(caught[:5])}{' ...' if len(caught) > 5 else ''}" if caught else ""
            )
            if names and not caught:
                continue
            yield FilterFinding(
                "underscore-is-a-wildcard",
                f"_ matches any one character{shown}",
                (option(name, pattern),),
                f"write {strict}",
            )


def _default_database(filters: FilterSet, form: str) -> Iterator[FilterFinding]:
    given = tuple(
        option(n, v)
        for n, v in filters.options()
        if n in ("binlog-do-db", "binlog-ignore-db", "replicate-do-db", "replicate-ignore-db")
    )
    if given and form != "ROW":
        yield FilterFinding(
            "depends-on-default-database",
            f"under {form} statements are tested by the default database: tables get only some of the "
            "changes",
            given,
            "log rows, or use --replicate-wild-*-table rules",
        )
    elif given:
        yield FilterFinding(
            "ddl-depends-on-default-database",
            "DDL is always a statement: ALTER TABLE db.t from another default database is decided by that "
            "one",
            given,
            "USE the table's database before DDL, or use --replicate-wild-*-table rules",
        )


_CHECKS: tuple[Callable[[FilterSet, ReplicaRules], Iterator[FilterFinding]], ...] = (
    _unread_ignore, _comma, _rewritten, _mixed, _accounts, _shadowed, _databases,
)  # fmt: skip
