"""A replicated table leans on one that is filtered out.

## What it finds
Tables that are replicated and have a foreign key to a table that the filters keep out; under STATEMENT and
MIXED also triggers of replicated tables, functions and procedures that name one.

## What the replica does
A logged statement runs triggers and functions on the replica, whatever the filters say of the tables in them:
they read other rows, and write rows that the source's table does not get; without the table the applier stops
with error 1146. That statements themselves read no such table is a stated assumption.
A row whose parent is not on the replica stops the applier with error 1452, if the replica enforces the key.
What the source's key changes by CASCADE or SET NULL is not changed on the replica, without any error, unless
the source logs it as rows (MySQL 9.6 and later, row format).

## Example
    replica: replicate-ignore-table=shop.customers
    source:  CREATE TABLE orders (..., FOREIGN KEY (customer) REFERENCES customers (id));

## Fix
Replicate the parent too, or drop the foreign key on the replica.

## References
MySQL manual, How Servers Evaluate Replication Filtering Rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment import Match
from schemacheck.alignment.foreign_keys import RESTRICT, described
from schemacheck.alignment.terms import terms
from schemacheck.conversion.error import server_error
from schemacheck.findings.on_match import on_match
from schemacheck.model import Effect, Example, Finding, Side
from schemacheck.model.replicated import CalledFunction
from schemacheck.rules import About, Rule


def _check(match: Match | CalledFunction) -> Iterator[Finding]:
    if isinstance(match, CalledFunction):
        yield from _program(match)
        return
    source, link = match.source, match.link
    for key, reason in match.hidden_parents:
        kept_out = f"{source.name} references {key.ref_table}, which is kept out ({reason})"
        remedy = f"Replicate {key.ref_table} too, or drop the foreign key on the replica"
        ours = Side(key.location or source.location, described(key))
        yield on_match(
            match,
            Effect.UNSUPPORTED,
            f"{kept_out}: a row whose parent is missing stops the applier",
            column=key.columns[0],
            ours=ours,
            error=match.error("no-referenced-row", key=key.name),
            depends_on_rows=True,
            remedy=remedy,
            reference="MySQL manual, How Servers Evaluate Replication Filtering Rules",
        )
        if (key.on_delete, key.on_update) != (RESTRICT, RESTRICT) and not terms(link).logged_cascades:
            yield on_match(
                match,
                Effect.DIVERGES,
                f"{kept_out}: the rows that {described(key)} changes stay as they were on the replica",
                column=key.columns[0],
                ours=ours,
                remedy=remedy,
                example=Example("the row, after its parent was changed", "the row as it was"),
                reference="recorded on MySQL 9.7 and MariaDB 10.11",
            )


def _program(called: CalledFunction) -> Iterator[Finding]:
    if called.hidden is None:
        return
    program, (table, reason) = called.function, called.hidden
    names = f"{program.kind} {program.name} names {table}, which is kept out ({reason})"
    for effect, what, error in (
        (Effect.DIVERGES, "a logged statement that runs it meets the replica's rows", None),
        (Effect.UNSUPPORTED, "without the table the applier stops", "no-such-table"),
    ):
        yield Finding(
            "", "", effect, f"{names}: {what}", program.database, program.name, None,
            Side(program.location, f"{program.kind.upper()} {program.name}"),
            error=server_error(error, called.link.replica, program.database, table) if error else None,
            depends_on_rows=error is not None,
            setting=f"binlog_format={called.link.binlog_format}",
            remedy=f"Replicate {table} too, or set binlog_format=ROW on the source",
            example=None if error else Example("the source's rows", f"the rows of the replica's {table}"),
            reference="asked of MySQL 9.7, MariaDB 10.11 and 11.8",
        )  # fmt: skip


RULE = Rule(
    "SC602", "leans-on-filtered-table", _check, (About.MATCH, About.FUNCTION), evidence=lambda ask: ask.rows()
)
