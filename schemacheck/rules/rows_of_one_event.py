"""The replica changes the rows of one event in another order.

## What it finds
Tables that the replica (MySQL 8.0 and later) has to search without a primary key or a unique key of NOT NULL
columns whose values the before image carries, and in which one statement can give a row the key of another
or change a row twice.

## What the replica does
The rows of an event are put into a hash and changed in the order in which the table is read, not in the
source's order. UPDATE t SET a = a + 1 ORDER BY a DESC then meets a duplicate: error 1062. A row that one
statement changes twice (REPLACE or ON DUPLICATE KEY UPDATE with several rows) is in the hash by its first
value: error 1032. Both need such a statement: of equal tables under a FULL image it is a note.

## Example
    source:  CREATE TABLE t (a INT, b INT, UNIQUE KEY (a));
    replica: CREATE TABLE t (a INT, b INT, UNIQUE KEY (a));

## Fix
Give the table a primary key on the replica.

## References
Rows_log_event::do_hash_scan_and_update; recorded on MySQL 9.7.4, not on 5.6 and MariaDB.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.before_image import found_alone_by
from schemacheck.alignment.pair import Pair
from schemacheck.conversion.error import ANY
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Example, Finding, ServerError
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if (
        not pair.logs_rows
        or not pair.link.replica.has("rows-searched-by-hash")
        or found_alone_by(pair) is not None
    ):
        return
    ours, theirs = (any(key.unique for key in table.keys) for table in (pair.source, pair.replica))
    if theirs:
        yield _finding(
            pair,
            "an UPDATE that swaps keys between rows may meet a duplicate, since the "
            "replica changes the rows in another order",
            pair.error("duplicate-key", event="Update_rows", key=ANY),
        )
    if ours and pair.terms.row_image == "MINIMAL":
        yield on_table(
            pair,
            Effect.DIVERGES,
            f"{_why(pair)}: under binlog_row_image=MINIMAL the replica may apply two "
            "changes of one row in one statement in the wrong order",
            setting="binlog_row_image=MINIMAL",
            remedy="Give the table a primary key on both ends",
            example=Example("the row of the last change", "the row of the first"),
            reference="recorded on MySQL 9.7",
        )
    if ours:
        yield _finding(
            pair,
            "a statement that changes one row twice (REPLACE with several rows) stops the "
            "applier, since the replica searches all rows first",
            pair.error("key-not-found", event="Update_rows"),
        )


def _why(pair: Pair) -> str:
    if pair.lookup_key() is not None:
        return "the before image does not carry the replica's primary key, nor a unique key without NULLs"
    return "the replica's table has neither a primary key nor a unique key without NULLs"


def _finding(pair: Pair, what: str, error: ServerError | None) -> Finding:
    whole = pair.terms.row_image in ("FULL", "FULL_NODUP")
    return on_table(
        pair,
        Effect.COMPATIBLE if pair.source.same_definition(pair.replica) and whole else Effect.UNSUPPORTED,
        f"{_why(pair)}: {what}",
        error=error,
        depends_on_rows=True,
        remedy="Give the table a primary key on both ends",
        reference="recorded on MySQL 9.7",
    )


RULE = Rule(
    "SC411",
    "rows-of-one-event",
    _check,
    (About.NO_PRIMARY_KEY, About.PARTIAL_IMAGE),
    evidence=lambda ask: ask.changes(certain=False),
)
