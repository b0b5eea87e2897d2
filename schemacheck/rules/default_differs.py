"""The default value differs.

## What it finds
Common columns with another DEFAULT, or with ON UPDATE CURRENT_TIMESTAMP on one side only.

## What the replica does
A FULL row image carries every value, so defaults do not matter. Under binlog_row_image=MINIMAL an insert
carries only the columns that the statement named, and the replica fills in its own default; a statement does
the same, also with one literal that the two types store otherwise: BINARY fills it up with zero bytes,
VARBINARY does not. A row event carries what ON UPDATE gave, in every row image; an UPDATE that runs as a
statement sets the time on the side that has the clause alone.

## Example
    source:  CREATE TABLE t (c INT DEFAULT 3);
    replica: CREATE TABLE t (c INT DEFAULT 30);

Under binlog_row_image=MINIMAL.

## Fix
Give both columns the same default.

## References
Recorded on four servers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.findings.changed_value import DUPLICATE, KEY_NOT_FOUND
from schemacheck.findings.on_pair import on_cell
from schemacheck.model import Column, DefaultKind, Effect, Example, Finding
from schemacheck.model.definition_sql import default_sql, modify
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    partial = pair.logs_rows and pair.terms.row_image == "MINIMAL"
    yield from _on_update(pair)
    for cell in pair.differing:
        if cell.source.generated or cell.replica.generated:
            continue
        same = _same(cell.source, cell.replica)
        if same and not (partial and _stored_otherwise(cell)):
            continue
        here, there = default_sql(cell.source) or "no default", default_sql(cell.replica) or "no default"
        filled = (partial or pair.logs_statements) and not _required(pair, cell.source)
        why = "a full row image carries every value, so it does not matter"
        if filled:
            why = "an insert that does not name the column takes the replica's default" + (
                f", which {cell.replica.type.sql()} stores otherwise" if same else ""
            )
        elif partial or pair.logs_statements:
            why = "under the source's strict sql_mode every insert gives a value, so it does not matter"
        yield on_cell(
            pair,
            cell,
            Effect.DIVERGES if filled else Effect.COMPATIBLE,
            f"{cell.source.name} has {here} on the source and {there} on the replica; {why}",
            also=_also(pair, cell) if partial and filled else (),
            setting=f"binlog_row_image={pair.terms.row_image}" if partial and filled else None,
            remedy="Give both columns the same default" if filled else "No action is needed",
            remedy_sql=modify(pair.replica, cell.replica, cell.source, pair.link.replica),
            example=Example(here, there) if filled else None,
            texts=(here, there),
            statements=() if partial else (f"omits:{cell.source.name}",),
            reference="recorded on four servers",
        )


def _also(pair: Pair, cell: Cell) -> tuple[int, ...]:
    """Errors behind another default: duplicates, or rows that a later UPDATE or DELETE does not find."""
    name = cell.replica.name.casefold()
    if any(key.unique and name in key.folded for key in pair.replica.keys):
        return (DUPLICATE, KEY_NOT_FOUND)
    sent = pair.sent_key()
    return (KEY_NOT_FOUND,) if sent is None or cell.source.name.casefold() in sent.folded else ()


def _on_update(pair: Pair) -> Iterator[Finding]:
    """ON UPDATE CURRENT_TIMESTAMP on one side (recorded: FULL and MINIMAL row events say what it gave)."""
    for cell in pair.differing:
        here, there = cell.source, cell.replica
        if here.on_update == there.on_update or here.generated or there.generated:
            continue
        texts = tuple(
            "ON UPDATE CURRENT_TIMESTAMP" if column.on_update else "no ON UPDATE" for column in (here, there)
        )
        runs = pair.logs_statements
        why = (
            "an UPDATE sets the time on one side only"
            if runs
            else "row events carry every value, so it does not matter"
        )
        yield on_cell(
            pair,
            cell,
            Effect.DIVERGES if runs else Effect.COMPATIBLE,
            f"{here.name} has {texts[0]} on the source and {texts[1]} on the replica; {why}",
            setting=f"binlog_format={pair.link.binlog_format}" if runs else None,
            remedy="Give both columns the same ON UPDATE" if runs else "No action is needed",
            remedy_sql=modify(pair.replica, there, here, pair.link.replica),
            example=Example("the time of the UPDATE", "the time as it was")
            if runs and here.on_update
            else Example("the time as it was", "the time of the UPDATE")
            if runs
            else None,
            texts=(texts[0], texts[1]),
            statements=("update", "on-duplicate-key"),
            reference="recorded on four servers",
        )


def _required(pair: Pair, column: Column) -> bool:
    """Whether the source refuses an INSERT that leaves the column out (an ENUM takes its first member)."""
    return not column.has_default and not column.type.is_enum and pair.link.source.strict


def _same(here: Column, there: Column) -> bool:
    if here.default == there.default:
        return True
    # A nullable column without DEFAULT and one with DEFAULT NULL are the same.
    return (
        not default_sql(here).replace("DEFAULT NULL", "")
        and not default_sql(there).replace("DEFAULT NULL", "")
        and here.nullable == there.nullable
    )


def _stored_otherwise(cell: Cell) -> bool:
    """Whether the source sends another value than the replica makes of one literal (asked of four servers:
    zero bytes behind a BINARY's, the digits of a FLOAT in a DOUBLE).
    """
    default, here, there = cell.source.default, cell.source.type, cell.replica.type
    if default is None or default.kind is not DefaultKind.LITERAL:
        return False
    if here.is_binary and not there.is_binary:
        return len(default.text.encode()) < (here.length or 1)
    if here.is_single and there.is_double:
        value = float(default.text)
        return bool(struct.unpack("f", struct.pack("f", value))[0] != value)
    return False


RULE = Rule(
    "SC502",
    "default-differs",
    _check,
    (About.ATTRIBUTES, About.PARTIAL_IMAGE),
    evidence=lambda ask: ask.statements() if ask.finding.statements else ask.writes(certain=False),
)
