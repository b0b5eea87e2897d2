"""REPLACE keeps values under a partial row image.

## What it finds
Tables of a MariaDB source under binlog_row_image=MINIMAL or NOBLOB whose unique key lets REPLACE take the
place of a row, with columns that REPLACE may leave out.

## What the replica does
MariaDB turns a REPLACE that meets a row of its last unique key into an update, and logs only the columns that
the statement named (under NOBLOB: all but the BLOB and TEXT columns that it did not name). The source stores
the defaults of the others, the replica keeps its old values, without any error. Not so where the table is
versioned, has a DELETE trigger, or is referenced by a foreign key: then the row is deleted and inserted, and
logged so.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT);
    replica: CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT);

INSERT INTO t VALUES (1,2,3); REPLACE INTO t (a,b) VALUES (1,NULL): c is NULL on the source and 3 on the
replica.

## Fix
Set binlog_row_image=FULL on the source, or name every column in REPLACE.

## References
write_record of sql/sql_insert.cc; recorded on MariaDB 10.11.19 and 11.8.6.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.before_image import is_blob
from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Example, Finding
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    image, source = pair.terms.row_image, pair.source
    if (
        not pair.logs_rows
        or not pair.link.source.has("partial-image-of-replace")
        or image not in ("MINIMAL", "NOBLOB")
    ):
        return
    keys = [key for key in source.keys if key.unique]
    deletes = any(trigger.event == "DELETE" for trigger in source.triggers)
    if not keys or source.system_versioned or source.incoming or deletes:
        return
    key = {part.column.casefold() for part in keys[-1].parts if part.column}
    left_out = [
        cell.source.name
        for cell in pair.cells
        if (image == "MINIMAL" or is_blob(cell.source.type))
        and cell.source.name.casefold() not in key
        and not cell.source.generated
        and not cell.replica.generated
        and (cell.source.nullable or cell.source.has_default or not pair.link.source.strict)
    ]
    if not left_out:
        return
    yield on_table(
        pair,
        Effect.DIVERGES,
        f"binlog_row_image={image}: a REPLACE that leaves out a column sets its default on the source, and "
        "the replica keeps the old value",
        setting=f"binlog_row_image={image}",
        remedy="Set binlog_row_image=FULL on the source",
        example=Example(f"{left_out[0]} is its default", f"{left_out[0]} is as it was"),
        reference="recorded on MariaDB 10.11 and 11.8",
    )


RULE = Rule(
    "SC509",
    "partial-replace",
    _check,
    (About.PARTIAL_IMAGE,),
    evidence=lambda ask: ask.changes(certain=False),
)
