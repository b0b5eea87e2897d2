"""The replica does not know the type.

## What it finds
Columns of a type whose byte in the table map event the replica does not know: JSON or VECTOR of MySQL towards
MariaDB or an older MySQL.

## What the replica does
A MariaDB SQL thread stops without reporting an error (Last_SQL_Errno is 0). Where such a column stands behind
the replica's last column, skipping it has crashed the replica.

## Example
    source:  CREATE TABLE t (a INT, c JSON);
    replica: CREATE TABLE t (a INT, c LONGTEXT);

## Remedy
Store the value in LONGTEXT on the source, or filter the table out.

## References
Recorded: MySQL 9.7 to MariaDB 11.8.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.conversion.error import server_error
from schemacheck.model import Effect, Finding
from schemacheck.rules.finding import on_table, side
from schemacheck.rules.pair import Pair
from schemacheck.rules.rule import Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.row_format:
        return
    for column in pair.unreadable:
        extra = column in pair.extra_source
        error = server_error("crash" if extra else "unknown-type", pair.link.replica, pair.source.database, pair.source.name)
        how = "the replica server may die while it skips the column" if extra else "the applier stops at the first row event"
        yield on_table(
            pair,
            Effect.STOPS,
            f"{pair.link.replica} does not know the type byte of {column.type.sql()}; {how}",
            column=column.name,
            source=side(pair.source, column),
            error=error,
            depends_on_rows=extra,
            also=(1030, 1105, 0) if extra else (1105,),
            remedy=f"Change {column.name} to a type that both servers have, such as LONGTEXT",
            reference="recorded: MySQL 9.7 to MariaDB 11.8",
        )


RULE = Rule("SC211", "unknown-type", "The replica does not know the type", __doc__ or "", _check)
