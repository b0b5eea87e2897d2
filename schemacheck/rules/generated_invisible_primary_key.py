"""Only one end has a generated invisible primary key.

## What it finds
Tables of which one end only has a generated invisible primary key (my_row_id), and tables that the applier
cannot align because of one.

## What the replica does
MySQL 8.0.30 and later leave out the key that only one end has. From an older source the number of columns
decides; where it fits neither way, the applier stops with error 13964. A MINIMAL image of such a source
carries nothing but the key, so no row is found (SC402).

## Example
    source:  CREATE TABLE t (my_row_id BIGINT UNSIGNED ... INVISIBLE, a INT);
    replica: CREATE TABLE t (a INT);

## Fix
Create the key on both ends or on neither (sql_generate_invisible_primary_key).

## References
MySQL manual, Generated Invisible Primary Keys and Replication; rpl_gipk tests; recorded on 9.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Finding
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_rows:
        return
    if pair.gipk_mismatch:
        yield on_table(
            pair,
            Effect.STOPS,
            "the replica has a generated invisible primary key, and more or fewer other "
            "columns than the source; the first row event stops the applier",
            error=pair.error("gipk-mismatch"),
            remedy="Give both tables the same number of columns, or drop the generated key on the replica",
        )
    elif pair.source.gipk != pair.replica.gipk and pair.link.replica.has("gipk"):
        end, other = ("source", "replica") if pair.source.gipk else ("replica", "source")
        yield on_table(
            pair,
            Effect.COMPATIBLE,
            f"only the {end} has a generated invisible primary key; the applier skips it "
            f"and pairs the other columns with the {other}'s",
            remedy="Create the key on both ends or on neither",
            reference="recorded on MySQL 9.7",
        )


RULE = Rule(
    "SC505", "generated-invisible-primary-key", _check, (About.OPTIONS,), evidence=lambda ask: ask.writes()
)
