"""AUTO_INCREMENT differs.

## What it finds
Columns that are AUTO_INCREMENT on one end only, or different ones.

## What the replica does
A row event carries the value; a 0 or NULL that arrives in an AUTO_INCREMENT column may be replaced by a
generated number. With statements the ends generate different numbers; before 5.6.10 updates could even hit
the wrong table (Bug#12669186).

## Example
    source:  CREATE TABLE t (a INT AUTO_INCREMENT PRIMARY KEY);
    replica: CREATE TABLE t (a INT PRIMARY KEY);

## Fix
Declare AUTO_INCREMENT on the same column of both ends.

## References
MySQL manual, Replication of Columns Having Different Data Types; Bug#12669186.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import on_cell
from schemacheck.model import Effect, Example, Finding
from schemacheck.model.definition_sql import modify
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    for cell in pair.differing:
        if cell.source.auto_increment == cell.replica.auto_increment:
            continue
        end = "source" if cell.source.auto_increment else "replica"
        if pair.logs_statements:
            old = not pair.link.replica.has("auto-increment-may-differ")
            effect = Effect.UNSUPPORTED if old else Effect.DIVERGES
            tail = "statements generate other values on each end" + (
                "; this version may update the wrong table" if old else ""
            )
        else:
            effect, tail, old = Effect.COMPATIBLE, "row events carry the value", False
        statement = f"INSERT INTO {pair.source.name}, a row without {cell.source.name}"
        ends = (f"{statement}: the next number", "its default, or 0")
        yield on_cell(
            pair,
            cell,
            effect,
            f"{cell.source.name} is AUTO_INCREMENT on the {end} only; {tail}",
            also=(1062,) if not cell.source.auto_increment and not old else (),
            example=Example(*(ends if cell.source.auto_increment else ends[::-1]))
            if pair.logs_statements
            else None,
            remedy="Declare AUTO_INCREMENT on both ends"
            if pair.logs_statements
            else "No action is needed for row events",
            remedy_sql=modify(pair.replica, cell.replica, cell.source, pair.link.replica),
            statements=("insert", "replace", "load"),
            texts=(
                "auto_increment" if cell.source.auto_increment else "-",
                "auto_increment" if cell.replica.auto_increment else "-",
            ),
        )


RULE = Rule("SC506", "auto-increment", _check, (About.ATTRIBUTES,), evidence=lambda ask: ask.statements())
