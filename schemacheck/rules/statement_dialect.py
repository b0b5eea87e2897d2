"""The servers read statements differently.

## What it finds
Under STATEMENT or MIXED format: a MariaDB source with a MySQL replica, or the other way round.

## What the replica does
Each server runs a statement by its own rules: MySQL rounds fractions of a second and MariaDB cuts them, words
in versioned comments run on one of them only, a time beyond 838:59:59 and text that is no date become other
values, ON DUPLICATE KEY UPDATE asks for defaults at another moment, and functions and syntax of one are an
error of the other (1064, 1305).

## Example
    source:  CREATE TABLE t (a INT);
    replica: CREATE TABLE t (a INT);

`INSERT INTO t VALUES (CAST('10:11:12.7' AS TIME))` stores 101112 on MariaDB, 101113 on MySQL.

## Remedy
Set binlog_format=ROW on the source.

## References
MariaDB knowledge base, TIME_ROUND_FRACTIONAL; recorded on links between MySQL 5.6.24, 9.7.4 and MariaDB
10.11.19, 11.8.6.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import server_error
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Example, Finding
from schemacheck.rules import About, Rule

#: What one server says to a statement that the other runs: no such function, variable or collation, a missing
#: default, a
#: value or a mix of collations that it does not take.
_OTHER = (1193, 1267, 1271, 1273, 1292, 1305, 1364, 1366, 1264, 1265, 1406, 1411, 1525)


def _check(pair: Pair) -> Iterator[Finding]:
    source, replica = pair.link.source, pair.link.replica
    if not pair.statement_format or source.mariadb == replica.mariadb:
        return
    setting = f"binlog_format={pair.link.binlog_format}"
    remedy = "Set binlog_format=ROW on the source"
    kept = ("101112", "101113") if source.mariadb else ("101113", "101112")
    yield on_table(
        pair,
        Effect.DIVERGES,
        f"{source} and {replica} read statements differently: fractions of a second, times out of range and "
        "versioned comments give other values",
        setting=setting,
        remedy=remedy,
        example=Example(f"CAST('10:11:12.7' AS TIME) in a statement: {kept[0]}", kept[1]),
        reference="recorded on links between four servers",
    )
    yield on_table(
        pair,
        Effect.STOPS,
        f"{source} runs statements that {replica} refuses: syntax, functions, collations and values of the "
        "one only",
        error=server_error("syntax-error", replica, pair.source.database, pair.source.name),
        depends_on_rows=True,
        also=_OTHER,
        setting=setting,
        remedy=remedy,
        reference="recorded on links between four servers",
    )


RULE = Rule(
    "SC806",
    "statement-dialect",
    "The servers read statements differently",
    __doc__ or "",
    _check,
    (About.STATEMENTS,),
)
