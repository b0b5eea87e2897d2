"""The servers read statements differently.

## What it finds
Under STATEMENT or MIXED format: a MariaDB source with a MySQL replica, or the other way round; a MySQL source
before 8.0 with a replica of 8.0 or later; MariaDB before 11.1 with a later one, either way round, and a table
with an ENUM, SET or BIT column; MariaDB from 11.5 with an earlier replica, and a column of text.

## What the replica does
Each server runs a statement by its own rules: MySQL rounds fractions of a second and MariaDB cuts them (not
those of MySQL's statements, since 10.4.1), words in versioned comments run on one of them only, a time beyond
838:59:59 and text that is no date become other values, ON DUPLICATE KEY UPDATE asks for defaults at another
moment, and functions and syntax of one are an error of the other (1064, 1305). MySQL 8.0 and later lack
functions and syntax of before (PASSWORD, ENCODE, SQL_CACHE: 1305 and 1064), store fewer digits of a quotient
in a column of text, refuse text that is no TIME in a comparison (1292) and a missing default in a trigger
behind INSERT IGNORE (1364). MariaDB up to 11.4 refuses to compare a column of text with a user variable of
another collation (1267), which later versions run. MariaDB from 11.1 runs `WHERE c IN (SELECT ...)` of a
DELETE or UPDATE as a join, and compares ENUM, SET and BIT with numbers and times in it otherwise than before:
other rows go.

## Example
    source:  CREATE TABLE t (a INT);
    replica: CREATE TABLE t (a INT);

`INSERT INTO t VALUES (CAST('10:11:12.7' AS TIME))` stores 101112 on MariaDB, 101113 on MySQL.

## Fix
Set binlog_format=ROW on the source.

## References
MariaDB knowledge base, TIME_ROUND_FRACTIONAL; recorded on links between MySQL 5.6.24, 9.7.4 and MariaDB
10.11.19, 11.8.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.later_statements import data_errors
from schemacheck.findings.on_pair import on_table
from schemacheck.model import ColumnType, Effect, Example, Finding
from schemacheck.rules import About, Rule

#: Since MariaDB 11.1 (semi-joins in DELETE and UPDATE of one table).
_JOINED = "subqueries-of-changes-are-joins"
#: Since MariaDB 11.5 (user variables in comparisons).
_GIVES_WAY = "user-variables-give-way"
#: What one server says to a statement that the other runs: no such function, variable or collation, a mix of
#: collations or a value that it does not take, the target of an UPDATE in its own subquery (1093, of a view
#: 1443), a value for a generated column (3105, MariaDB 1906), a view and no value at all (1136).
_OTHER = (1093, 1136, 1193, 1267, 1271, 1273, 1305, 1443, 1471, 1525, 1906, 3105)

#: What MySQL 8 says to bytes beside text, and MariaDB to them (1300) and to types that it never compares.
_OPERANDS = {False: (3854,), True: (1300, 4078)}
#: What the other server says to a geometry: another subtype, no geometry, NULL in spite of IGNORE, a damaged
#: one, an SRID, coordinates outside it, an operator or aggregate that takes none (asked of four servers).
_GEOMETRY = {False: (1210, 1416, 3037, 3548, 3616, 3617, 3643, 3673), True: (1416, 4078)}
#: Marks of statements that compute or choose something.
_COMPUTING = (
    "function", "select", "user-variable", "ignore", "on-duplicate-key", "default", "load", "no-column-list",
    "not-strict",
)  # fmt: skip


def _named(pair: Pair, of: Callable[[ColumnType], bool]) -> Iterator[str]:
    """Marks of statements that name a column of such a type."""
    for column in pair.source.columns:
        if of(column.type) or column.generated:
            yield from (f"reads:{column.name}", f"writes:{column.name}")


def _check(pair: Pair) -> Iterator[Finding]:
    source, replica = pair.link.source, pair.link.replica
    if not pair.logs_statements:
        return
    setting = f"binlog_format={pair.link.binlog_format}"
    remedy = "Set binlog_format=ROW on the source"
    if source.mariadb and replica.mariadb:
        if source.has(_JOINED) != replica.has(_JOINED):
            yield from _compared(pair, setting, remedy)
        if source.has(_GIVES_WAY) and not replica.has(_GIVES_WAY):
            yield from _variables(pair, setting, remedy)
        return
    if source.mariadb == replica.mariadb:
        if not source.has("statements-before-8.0") or replica.has("statements-before-8.0"):
            return
        what = "a quotient that is stored as text has other digits"
        example = Example("10 / 3 in a column of text: 3.333333333", "3.3333")
        refused = "statements that were written for it"
    else:
        what = "times out of range and versioned comments give other values"
        example = Example("ADDTIME('838:59:59', '1') in a column of text: 838:59:59", "838:59:59.999999")
        if source.mariadb or not replica.has("rounds-seconds-as-mysql"):
            remaining = ("101112", "101113") if source.mariadb else ("101113", "101112")
            what = "fractions of a second, " + what
            example = Example(f"CAST('10:11:12.7' AS TIME) in a statement: {remaining[0]}", remaining[1])
        refused = "syntax, functions, collations and values that only one of them knows"
    yield on_table(
        pair,
        Effect.DIVERGES,
        f"{source} and {replica} read statements differently: {what}",
        setting=setting,
        remedy=remedy,
        example=example,
        reference="recorded on links between four servers",
        statements=("function", "on-duplicate-key", *_named(pair, lambda kind: kind.tells_time)),
    )
    yield _refused(pair, refused, setting, remedy)
    yield from _no_default(pair, setting, remedy)


def _compared(pair: Pair, setting: str, remedy: str) -> Iterator[Finding]:
    """Columns that subqueries compare otherwise (16 types by 16, six statements, asked of 10.11 and 11.8)."""
    column = next((c for c in pair.source.columns if c.type.has_members or c.type.is_bit), None)
    if column is None:
        return
    other = "a TIME" if column.type.is_bit else "a number"
    yield on_table(
        pair,
        Effect.DIVERGES,
        f"{pair.link.source} and {pair.link.replica} read statements differently: in DELETE and UPDATE they "
        f"compare {column.name}, {column.type.sql()}, by different rules with {other} of a subquery",
        setting=setting,
        remedy=remedy,
        example=Example(
            f"DELETE ... WHERE {column.name} IN (SELECT ...) of {other}: the row is deleted, or not,",
            "the other of the two",
        ),
        reference="asked of MariaDB 10.11.19 and 11.8.6",
        statements=("select",),
    )


def _variables(pair: Pair, setting: str, remedy: str) -> Iterator[Finding]:
    """Text columns that statements compare with a user variable of another collation."""
    column = next((c for c in pair.replica.columns if c.type.charset and c.type.collation), None)
    if column is not None:
        yield on_table(
            pair,
            Effect.STOPS,
            f"{pair.link.source} compares a user variable with {column.name} by the column's collation; "
            f"{pair.link.replica} refuses that where the session has another collation",
            error=pair.error("mixed-collations"),
            depends_on_rows=True,
            setting=setting,
            remedy=remedy,
            reference="asked of MariaDB 11.8.6 to 10.11.19; MDEV-25829",
            statements=("user-variable",),
        )


def _no_default(pair: Pair, setting: str, remedy: str) -> Iterator[Finding]:
    """MariaDB's ON DUPLICATE KEY UPDATE may give the value, MySQL's UPDATE the DEFAULT."""
    source, replica = pair.link.source, pair.link.replica
    if source.mariadb == replica.mariadb:
        return
    bare = [
        there.name
        for there in pair.replica.columns
        if not (there.nullable or there.default or there.auto_increment or there.generated)
        and pair.source.column(there.name) is not None
    ]
    if not bare:
        return
    how = (
        "INSERT without it, with ON DUPLICATE KEY UPDATE of it"
        if source.mariadb
        else "UPDATE to DEFAULT (under a strict sql_mode UPDATE IGNORE)"
    )
    yield on_table(
        pair,
        Effect.STOPS,
        f"{bare[0]} has no default: {source} runs {how}, which {replica} refuses",
        error=pair.error("no-default", key=bare[0] if len(bare) == 1 else "..."),
        depends_on_rows=True,
        setting=setting,
        remedy=remedy,
        reference="asked of nine links between four servers",
        statements=("on-duplicate-key",) if source.mariadb else ("default",),
    )  # fmt: skip


def _refused(pair: Pair, what: str, setting: str, remedy: str) -> Finding:
    """Statements that only the source runs."""
    source, replica = pair.link.source, pair.link.replica
    geometry = _GEOMETRY[replica.mariadb] if any(c.type.is_geometry for c in pair.replica.columns) else ()
    return on_table(
        pair,
        Effect.STOPS,
        f"{source} runs statements that {replica} refuses: {what}",
        error=pair.error("syntax-error"),
        depends_on_rows=True,
        also=(*_OTHER, 1062, *data_errors(pair), *_OPERANDS[replica.mariadb], *geometry),
        setting=setting,
        remedy=remedy,
        statements=(*_COMPUTING, *_named(pair, lambda kind: not kind.is_integer)),
        reference="recorded on links between four servers",
    )


RULE = Rule("SC806", "statement-dialect", _check, (About.STATEMENTS,), evidence=lambda ask: ask.statements())
