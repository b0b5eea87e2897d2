"""A replicated table references one that is filtered out.

## What it finds
Tables that are replicated and have a foreign key to a table that the filters keep out.

## What the replica does
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
from schemacheck.findings.on_match import on_match
from schemacheck.model import Effect, Example, Finding, Side
from schemacheck.rules import About, Rule


def _check(match: Match) -> Iterator[Finding]:
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


RULE = Rule("SC602", "leans-on-filtered-table", _check, (About.MATCH,), evidence=lambda ask: ask.rows())
