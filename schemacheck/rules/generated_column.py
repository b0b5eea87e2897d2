"""A generated column computes another value.

## What it finds
Columns that are generated on the replica and ordinary, or generated otherwise, on the source; and generated
columns that only the replica has.

## What the replica does
The replica computes generated columns itself and ignores what the event carries. An ordinary source column's
value is lost; another expression gives another value. An expression that can fail (JSON functions on text)
stops the applier for such rows. Without a primary key on the replica whole rows are compared, and an UPDATE
or DELETE may not find its row (error 1032).

## Example
    source:  CREATE TABLE t (a INT, g INT);
    replica: CREATE TABLE t (a INT, g INT GENERATED ALWAYS AS (a + 1) STORED);

## Remedy
Use the same expression on both ends, or an ordinary column on the replica.

## References
Recorded on MySQL 9.7 and MariaDB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import server_error
from schemacheck.findings.changed_value import KEY_NOT_FOUND
from schemacheck.findings.on_pair import on_cell, on_table, side
from schemacheck.model import Column, Effect, Example, Finding
from schemacheck.rules import About, Rule

_JSON = re.compile(r"\bjson_\w+\s*\(|->", re.IGNORECASE)


def _check(pair: Pair) -> Iterator[Finding]:
    for cell in pair.differing:
        here, there = cell.source, cell.replica
        if there.generated and (not here.generated or here.expression != there.expression):
            other = "is ordinary" if not here.generated else f"is computed as ({here.expression})"
            hidden = pair.row_format and pair.lookup_key() is None
            yield on_cell(
                pair,
                cell,
                Effect.DIVERGES,
                f"{here.name} {other} on the source and computed as ({there.expression}) on the replica: the replica ignores the value that it is sent"
                + (
                    "; without a primary key an UPDATE or DELETE may not find its row by that value (error 1032)"
                    if hidden
                    else ""
                ),
                also=(KEY_NOT_FOUND,) if hidden else (),
                remedy="Use the same expression on both ends",
                example=Example(f"{here.name} as sent", f"({there.expression})"),
                texts=(_text(here), _text(there)),
                reference="recorded on MySQL 9.7 and MariaDB",
            )
            yield from _may_fail(pair, there)
        elif here.generated != there.generated and pair.row_format:
            yield on_cell(
                pair, cell, Effect.COMPATIBLE,
                f"{here.name} is {here.generated} on the source and {there.generated or 'ordinary'} on the replica; its value arrives",
                remedy="No action is needed", texts=(_text(here), _text(there)),
                reference="recorded on MySQL 9.7 and MariaDB",
            )  # fmt: skip
    for column in pair.extra_replica:
        if column.generated:
            yield from _may_fail(pair, column)


def _may_fail(pair: Pair, column: Column) -> Iterator[Finding]:
    strict = pair.link.replica.strict
    if column.generated == "stored" and strict and pair.link.replica.has("stored-generated-must-fit"):
        yield on_table(
            pair,
            Effect.UNSUPPORTED,
            f"{column.name} is computed and stored as ({column.expression}) on the replica only: under its "
            "strict sql_mode a value that does not fit "
            f"{column.type.sql()} stops the applier",
            column=column.name,
            replica=side(pair.replica, column, _text(column)),
            error=server_error("stored-generated", pair.link.replica, pair.source.database, pair.source.name),
            depends_on_rows=True,
            setting="sql_mode",
            remedy=f"Give {column.name} a type that holds every value of the expression, or make it VIRTUAL",
            reference="recorded on MariaDB 10.11",
        )
    error = server_error("invalid-json", pair.link.replica, pair.source.database, pair.source.name)
    if error is not None and _JSON.search(column.expression or ""):
        yield on_table(
            pair,
            Effect.UNSUPPORTED,
            f"{column.name} is computed as ({column.expression}) on the replica only: a row for which this "
            "fails stops the applier",
            column=column.name,
            replica=side(pair.replica, column, _text(column)),
            error=error,
            depends_on_rows=True,
            remedy=f"Guard the expression of {column.name}, for example with JSON_VALID, or drop the "
            "column on the replica",
            reference="recorded on MySQL 9.7",
        )


def _text(column: Column) -> str:
    generated = f" as ({column.expression}) {column.generated}" if column.generated else ""
    return column.type.sql() + generated


RULE = Rule(
    "SC503",
    "generated-column",
    "A generated column computes another value",
    __doc__ or "",
    _check,
    (About.COLUMNS, About.PLACES),
)
