"""The source has more columns.

## What it finds
Columns behind the common ones that only the source has.

## What the replica does
The replica skips them, by the type in the table map event. Their values do not arrive: they exist on the
source only, and a failover to this replica loses them. A generated column loses nothing, since its values
follow from the other columns; the replica does not have it either way. MariaDB
(and MySQL 5.5) cannot skip a CHAR or BINARY of more than 255 bytes: it reads the wrong number of bytes and
stops. MariaDB 12, where it pairs by name, stops with 4254 if slave_type_conversions has
ERROR_IF_MISSING_FIELD.

## Example
    source:  CREATE TABLE t (c1 INT, c2 INT, c3 INT);
    replica: CREATE TABLE t (c1 INT, c2 INT);

## Fix
Add the column to the replica.

## References
MySQL manual, Replication with More Columns on Master or Slave; rpl_extra_col_master; recorded on four
servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.wire import Real, image
from schemacheck.findings.changed_value import AFTER_MISREAD, setting_text
from schemacheck.findings.on_pair import on_table, side
from schemacheck.model import Effect, Finding
from schemacheck.model.definition_sql import add
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_rows:
        return
    for column in pair.extra_source:
        added = add(pair.replica, column, pair.link.replica)
        sent = image(column.type, pair.link.source)
        if (
            sent.real is Real.STRING
            and sent.size > 255
            and pair.link.replica.has("long-char-skipped-wrongly")
        ):
            yield on_table(
                pair,
                Effect.STOPS,
                f"{column.name} exists only on the source: {column.type.sql()} takes {sent.size} bytes, and "
                f"{pair.link.replica} skips a CHAR of "
                "more than 255 bytes wrongly; the applier stops at the first row with a value",
                column=column.name,
                source=side(pair.source, column),
                error=pair.error("corrupt-event"),
                depends_on_rows=True,
                also=AFTER_MISREAD,
                remedy=f"Add {column.name} to the replica",
                remedy_sql=added,
                reference="recorded on MariaDB 10.11 and 11.8",
            )
            continue
        if pair.by_name and "ERROR_IF_MISSING_FIELD" in pair.terms.modes:
            yield on_table(
                pair,
                Effect.STOPS,
                f"{column.name} exists only on the source, and {setting_text(pair)} makes that an error; "
                "the applier stops at the first row event that carries it",
                column=column.name,
                source=side(pair.source, column),
                error=pair.error("missing-field"),
                setting=setting_text(pair),
                remedy=f"Add {column.name} to the replica, or leave ERROR_IF_MISSING_FIELD out",
                remedy_sql=added,
                reference="MDEV-36290, read and not run",
            )
            continue
        effect, why, lost = Effect.INCOMPLETE, "", "its values do not reach the replica"
        if column.generated:
            effect, lost = Effect.COMPATIBLE, "it is generated, so no value is lost"
        elif not (column.has_default or column.nullable):
            effect = Effect.UNSUPPORTED
            why = ", and has no default, which the manual demands of extra columns"
        yield on_table(
            pair,
            effect,
            f"{column.name} exists only on the "
            f"source{'' if pair.by_name else ', behind the common columns'}{why}; {lost}",
            column=column.name,
            source=side(pair.source, column),
            remedy=f"Add {column.name} to the replica",
            remedy_sql=added,
        )


RULE = Rule(
    "SC104",
    "extra-source-column",
    _check,
    (About.PLACES,),
    evidence=lambda ask: ask.writes() if ask.finding.setting else ask.filled(),
)
