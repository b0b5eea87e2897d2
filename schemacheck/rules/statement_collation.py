"""The replica does not know the collation of the source's sessions.

## What it finds
Under STATEMENT or MIXED format: a source whose sessions use a collation by default that the replica's version
does not have. Every logged statement names its session's collation by number.

## What the replica does
MySQL skips statements that name a MariaDB collation with a large number (utf8mb4_uca1400_ai_ci, 2304): both
threads run, the position advances, nothing is applied, and there is no error; DDL is lost the same way, under
any format. A statement that names a character set without a collation is executed all the same
(CONVERT(... USING latin1), CHARACTER SET latin1). MariaDB before 11.4.5 stops with error 22 at
utf8mb4_0900_ai_ci (255) of MySQL 8.0.

## Example
    source:  CREATE TABLE t (a INT);
    replica: CREATE TABLE t (a INT);

`INSERT INTO t VALUES (1)`, with MariaDB 11.8 as the source and MySQL 9.7 as the replica.

## Fix
Set character_set_collations='utf8mb4=utf8mb4_general_ci' on a MariaDB source, collation_server and the
clients' collation on a MySQL source, to a collation that both servers have.

## References
MDEV-25829; recorded on MariaDB 11.8.6 to MySQL 5.6.24 and 9.7.4, and MySQL 9.7.4 to MariaDB 10.11.19.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table
from schemacheck.link.session import skips_statements, unknown_number
from schemacheck.model import Effect, Example, Finding
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    source, replica = pair.link.source, pair.link.replica
    if not pair.logs_statements:
        return
    setting = f"binlog_format={pair.link.binlog_format}"
    if skips_statements(pair.link):
        yield on_table(
            pair,
            Effect.DIVERGES,
            f"sessions of {source} use utf8mb4_uca1400_ai_ci, which {replica} does not know: it skips their "
            "statements without an error",
            setting=setting,
            remedy="Set character_set_collations='utf8mb4=utf8mb4_general_ci' on the source",
            example=Example(f"INSERT INTO {pair.source.name}: one row", "no row"),
            reference="recorded on MariaDB 11.8.6 to MySQL 5.6.24 and 9.7.4",
        )
    if unknown_number(pair.link):
        error = pair.error("unknown-charset-number")
        yield on_table(
            pair,
            Effect.STOPS,
            f"sessions of {source} use utf8mb4_0900_ai_ci (255) by default, which {replica} does not know: "
            "their statements stop the applier",
            error=error,
            depends_on_rows=True,
            setting=setting,
            remedy="Let clients connect with a collation that both servers have, such as utf8mb4_general_ci",
            reference="recorded on MySQL 9.7.4 to MariaDB 10.11.19",
        )


RULE = Rule(
    "SC805", "statement-collation", _check, (About.STATEMENTS,), evidence=lambda ask: ask.statements()
)
