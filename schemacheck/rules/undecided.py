"""A pair could not be decided.

## What it finds
Pairs about which something is missing that decides the verdict: a character set that nobody named, a type
that is not known.

## What the replica does
Unknown. It is never counted as a pass.

## Example
    CREATE TABLE t (c VARCHAR(20)) CHARACTER SET klingon;

## Remedy
Name the missing character set, setting or type, and check again.

## References
design of schemacheck: unknown is never a pass.
"""

from __future__ import annotations

from schemacheck.model import Effect, Finding, Side, Table
from schemacheck.rules.rule import Rule


def undecided(source: Table, reason: str) -> Finding:
    """The finding about a pair that could not be decided, and why."""
    return Finding(
        RULE.code, RULE.name, Effect.UNKNOWN, f"{source.name} could not be decided: {reason}", source.database, source.name, None,
        Side(source.location), remedy="Name what is missing, and check again",
    )  # fmt: skip


RULE = Rule("SC004", "undecided", "A pair could not be decided", __doc__ or "")
