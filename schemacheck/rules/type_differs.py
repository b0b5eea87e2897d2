"""The types differ and every value arrives.

## What it finds
Columns whose definitions differ while each value arrives unchanged.

## What the replica does
The replica converts, or reads the same bytes; no value changes.

## Example
    source:  CREATE TABLE t (c INT);
    replica: CREATE TABLE t (c BIGINT);

Under ALL_NON_LOSSY.

## Fix
No action is needed. Align the types when convenient.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion import What
from schemacheck.findings.changed_value import deciding_setting
from schemacheck.findings.on_pair import on_cell
from schemacheck.model import Effect, Finding
from schemacheck.rules import About, Rule

_COMPATIBLE, _UNCHANGED = Effect.COMPATIBLE, What.UNCHANGED


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.terms.logs_rows:
        return
    for cell in pair.differing:
        _, _, source, replica, _, allowed, outcome, same = cell
        if same or not allowed or outcome.what is not _UNCHANGED:
            continue
        here, there = source.type.sql(), replica.type.sql()
        if here == there:
            here += f" collate {source.type.collation}"
            there += f" collate {replica.type.collation}"
        yield on_cell(
            pair,
            cell,
            _COMPATIBLE,
            f"{here} on the source, {there} on the replica; every value arrives unchanged",
            setting=deciding_setting(pair, cell),
            remedy="No action is needed",
            texts=(here, there),
        )


RULE = Rule("SC215", "type-differs", _check, (About.COLUMNS,))
