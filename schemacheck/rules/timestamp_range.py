"""The replica does not keep a TIMESTAMP after 2038.

## What it finds
TIMESTAMP columns of a source that keeps values up to 2106 (MariaDB 11.5 and later, on 64-bit systems) whose
MariaDB replica keeps them up to 2038-01-19 03:14:07 UTC.

## What the replica does
Row events: the applier stops with error 1030 (handler error 173) at the first later value. Statements: a
strict sql_mode stops with 1292, otherwise the zero date is stored, without an error.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, ts TIMESTAMP NULL);
    replica: CREATE TABLE t (id INT PRIMARY KEY, ts TIMESTAMP NULL);

`INSERT INTO t VALUES (1, '2038-01-19 03:14:08')` in UTC, from MariaDB 11.8 to 10.11.

## Fix
Upgrade the replica to MariaDB 11.5 first, or keep later values out of the source with a CHECK.

## References
MDEV-32188; recorded from 11.8.6 to 10.11.19. MySQL 5.6.24 keeps and shows the bytes as 11.8 does.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.findings.on_pair import on_cell
from schemacheck.model import Effect, Example, Finding
from schemacheck.rules import About, Rule

_REMEDY = "Upgrade the replica first, or keep values after 2038 out of the source"
_REFERENCE = "MDEV-32188; recorded from MariaDB 11.8.6 to 10.11.19"
_LATER = "'2038-01-19 03:14:08' (UTC)"


def _check(pair: Pair) -> Iterator[Finding]:
    source, replica = pair.link.source, pair.link.replica
    if not source.has("timestamps-to-2106") or not replica.has("timestamps-to-2038-only"):
        return
    for cell in pair.cells:
        both = cell.source.type.is_timestamp and cell.replica.type.is_timestamp
        # The end of time of system versions is the replica's own (SC507).
        if both and cell.allowed and cell.source.expression not in ("row start", "row end"):
            yield from _of(pair, cell)


def _of(pair: Pair, cell: Cell) -> Iterator[Finding]:
    source, replica = pair.link.source, pair.link.replica
    what = f"{source} keeps TIMESTAMP values up to 2106, {replica} up to 2038-01-19 03:14:07 UTC"
    if pair.logs_rows:
        yield on_cell(
            pair,
            cell,
            Effect.UNSUPPORTED,
            f"{what}: a row with a later value stops the applier",
            error=pair.error("timestamp-out-of-range"),
            depends_on_rows=True,
            remedy=_REMEDY,
            reference=_REFERENCE,
        )
    if pair.logs_statements:
        yield on_cell(
            pair,
            cell,
            Effect.STOPS,
            f"{what}: under a strict sql_mode a statement with a later value is an error",
            error=pair.error("incorrect-temporal", key=cell.replica.name),
            depends_on_rows=True,
            setting=f"binlog_format={pair.link.binlog_format}",
            remedy=_REMEDY,
            reference=_REFERENCE,
        )
        yield on_cell(
            pair,
            cell,
            Effect.DIVERGES,
            f"{what}: without a strict sql_mode a statement stores the zero date",
            setting=f"binlog_format={pair.link.binlog_format}",
            example=Example(_LATER, "'0000-00-00 00:00:00'"),
            remedy=_REMEDY,
            reference=_REFERENCE,
        )


RULE = Rule(
    "SC218",
    "timestamp-range",
    _check,
    (About.VERSIONS,),
    evidence=lambda ask: ask.later("2038-01-19 03:14:07"),
)
