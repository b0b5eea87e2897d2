"""A generated column computes another value.

## What it finds
Columns that are generated on the replica and ordinary, or generated otherwise, on the source; and generated
columns that only the replica has.

## What the replica does
The replica computes generated columns itself and ignores what the event carries. An ordinary source column's
value is lost; another expression gives another value. An expression that can fail (JSON functions on text,
a result outside BIGINT, DECIMAL or DOUBLE, functions of geometries, regular expressions, UUIDs, vectors)
stops the applier for such rows; MariaDB 10.11 stops where a stored result does not fit its column, and where
the index of a virtual column does not have the value that the source sent. Without a primary key on the
replica whole rows are compared, and an UPDATE or DELETE may not find its row (error 1032). MariaDB 11 and
later compute stored columns anew from row events, which do not carry the time zone: a TIMESTAMP that is read
as a date, or UNIX_TIMESTAMP of a date, has another value where the source's session had another time zone.
MariaDB 11.8.9 leaves generated columns out of UPDATE, DELETE and REPLACE events, whatever binlog_row_image
says: a replica that does not compute them itself (MariaDB before 11, or with an ordinary column) keeps their
old values, an index of a virtual column too.
MySQL and MariaDB compute some functions otherwise (JSON documents, LOCATE, TIME_TO_SEC, regular expressions):
then both ends hold other values though the expression is one. Of divisions, casts, and values that are
neither exact numbers nor texts it is unknown.

## Example
    source:  CREATE TABLE t (a INT, g INT);
    replica: CREATE TABLE t (a INT, g INT GENERATED ALWAYS AS (a + 1) STORED);

## Fix
Use the same expression on both ends, or an ordinary column on the replica.

## References
Recorded on MySQL 9.7 and MariaDB.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.conversion.own_values import ROW_TIMES, in_time_zone
from schemacheck.conversion.two_flavors import dialects
from schemacheck.findings.changed_value import KEY_NOT_FOUND
from schemacheck.findings.computed import failures, types
from schemacheck.findings.on_pair import on_cell
from schemacheck.model import Column, Effect, Example, Finding
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    for cell in pair.differing:
        here, there = cell.source, cell.replica
        if there.generated and (not here.generated or here.expression != there.expression):
            other = "is ordinary" if not here.generated else f"is computed as ({here.expression})"
            hidden = pair.logs_rows and pair.lookup_key() is None
            yield on_cell(
                pair,
                cell,
                Effect.DIVERGES,
                (
                    f"{here.name} {other} on the source and computed as ({there.expression}) on the "
                    "replica: the replica ignores the value that the source sends"
                )
                + (
                    "; without a primary key an UPDATE or DELETE may not find its row by that value "
                    "(error 1032)"
                    if hidden
                    else ""
                ),
                also=(KEY_NOT_FOUND,) if hidden else (),
                remedy="Use the same expression on both ends",
                example=Example(f"{here.name} as sent", f"({there.expression})"),
                texts=(_text(here), _text(there)),
                reference="recorded on MySQL 9.7 and MariaDB",
            )
            yield from failures(pair, there)
        elif cell in pair.unsent:
            continue
        elif _is_left_out(pair, cell):
            yield on_cell(
                pair,
                cell,
                Effect.DIVERGES,
                f"{here.name} is virtual on the source and {there.generated or 'ordinary'} on the replica: "
                "under binlog_row_image=MINIMAL MariaDB does not send it",
                setting="binlog_row_image=MINIMAL",
                remedy="Set binlog_row_image=FULL on the source",
                example=Example(f"({here.expression})", "NULL"),
                texts=(_text(here), _text(there)),
                reference="recorded on MariaDB 10.11 and 11.8",
            )
        elif here.generated != there.generated and pair.logs_rows:
            yield on_cell(
                pair, cell, Effect.COMPATIBLE,
                f"{here.name} is {here.generated} on the source and {there.generated or 'ordinary'} "
                f"on the replica; its value arrives",
                remedy="No action is needed", texts=(_text(here), _text(there)),
                reference="recorded on MySQL 9.7 and MariaDB",
            )  # fmt: skip
    yield from _not_sent(pair)
    for cell in pair.cells:
        # IGNORE and no strict mode let the source keep a row whose virtual value does not exist.
        if cell.replica.expression == cell.source.expression and _sent_without(pair, cell):
            yield from failures(pair, cell.replica)
    yield from _in_own_time_zone(pair)
    if not pair.terms.same_servers:
        yield from _in_another_dialect(pair)
    for column in pair.extra_replica:
        if column.generated and column.expression not in ROW_TIMES:
            yield from failures(pair, column)


def _not_sent(pair: Pair) -> Iterator[Finding]:
    """Generated columns that no event of a change has, and that the replica stores or has an index on."""
    for cell in pair.unsent:
        here, there = cell.source, cell.replica
        keys = [key for key in pair.replica.keys if there.name.casefold() in key.folded]
        if there.generated and there.expression != here.expression:
            continue
        if there.generated == "virtual" and not keys:
            continue
        index = "'s index" if there.generated == "virtual" else ""
        unique = any(key.unique for key in keys)
        yield on_cell(
            pair,
            cell,
            Effect.DIVERGES,
            f"{pair.link.source} leaves {here.name} ({here.generated}) out of UPDATE and REPLACE events, and "
            f"the replica does not compute it: {there.name}{index} keeps its old value"
            + ("; a unique key may refuse a later row (error 1062)" if unique else ""),
            also=(1062,) if unique else (),
            remedy=f"Upgrade the replica to a release that computes {there.name} itself"
            if there.generated
            else f"Let {there.name} be computed on the replica too",
            example=Example(f"({here.expression}) of the changed row", "of the row before"),
            texts=(_text(here), _text(there)),
            reference="asked of MariaDB 11.8.9 with replicas of 10.11.19 and 11.8.9",
        )


def _in_own_time_zone(pair: Pair) -> Iterator[Finding]:
    """Stored columns that both ends compute alike, but for the time zone."""
    if not pair.terms.own_time_zone:
        return
    for column in in_time_zone(pair.replica):
        alike = next((cell for cell in pair.cells if cell.replica is column), None)
        if alike is None or alike.source.expression != column.expression:
            continue
        unique = any(key.unique and column.name.casefold() in key.folded for key in pair.replica.keys)
        hidden = pair.lookup_key() is None
        yield on_cell(
            pair,
            alike,
            Effect.DIVERGES,
            (
                f"{column.name} is stored as ({column.expression}), which depends on the time zone: row "
                "events do not carry it, and the applier computes the value in its own"
            )
            + ("; a unique key may refuse it then (error 1062)" if unique else "")
            + (
                "; without a primary key an UPDATE or DELETE may not find its row (error 1032)"
                if hidden
                else ""
            ),
            also=(1062,) * unique + (KEY_NOT_FOUND,) * hidden,
            depends_on_rows=True,
            setting="time_zone",
            remedy=f"Make {column.name} VIRTUAL, compute it of a DATETIME, or let every session of the "
            "source have the replica's time_zone",
            example=Example("'2020-01-01 10:00:00' at '+05:00'", "'2020-01-01 05:00:00'"),
            texts=(_text(alike.source), _text(column)),
            reference="asked of MariaDB 11.8.6",
        )


def _in_another_dialect(pair: Pair) -> Iterator[Finding]:
    """Columns that both ends compute of one expression, which the two servers understand otherwise."""
    here, there = pair.link.source, pair.link.replica
    columns = types(pair.replica)
    for cell in pair.cells:
        ours, theirs = cell.source, cell.replica
        if not theirs.generated or ours.expression != theirs.expression or theirs.expression in ROW_TIMES:
            continue
        if theirs.generated == "stored" and not there.has("applier-computes-virtual-columns"):
            continue
        result = dialects(theirs, columns, here, there)
        names = ", ".join(
            name.upper() if name.isidentifier() else name for name in result.otherwise or result.unasked
        )
        if result.otherwise:
            effect, does = Effect.DIVERGES, f"{names} may give another value"
        elif result.unasked:
            effect, does = Effect.UNKNOWN, f"nobody asked whether {names} gives the same"
        else:
            continue
        yield on_cell(
            pair,
            cell,
            effect,
            f"each end computes {theirs.name} as ({theirs.expression}) for itself, and "
            f"{does} on {here} and {there}",
            depends_on_rows=effect is Effect.DIVERGES,
            remedy=f"Make {theirs.name} an ordinary column on the replica",
            example=Example(f"({ours.expression}) of {here}", f"({theirs.expression}) of {there}"),
            texts=(_text(ours), _text(theirs)),
            reference="asked of MySQL 9.7.4 and MariaDB 11.8.6",
        )


def _sent_without(pair: Pair, cell: Cell) -> bool:
    """Whether a virtual column of the source is in no partial image."""
    return (
        cell.source.generated == "virtual"
        and pair.logs_rows
        and pair.terms.row_image == "MINIMAL"
        and pair.link.source.has("virtual-columns-not-in-partial-images")
        and pair.sent_key() is not None
    )


def _is_left_out(pair: Pair, cell: Cell) -> bool:
    """Whether it is, and the replica does not compute it then."""
    there = cell.replica.generated
    if there == "virtual" or not _sent_without(pair, cell):
        return False
    return there is None or pair.link.replica.has("stored-generated-must-fit")


def _text(column: Column) -> str:
    generated = f" as ({column.expression}) {column.generated}" if column.generated else ""
    return column.type.sql() + generated


RULE = Rule(
    "SC503",
    "generated-column",
    _check,
    (About.ATTRIBUTES, About.PLACES, About.VERSIONS, About.TIME_ZONE, About.PARTIAL_IMAGE),
    evidence=lambda ask: ask.writes(certain=False),
)
