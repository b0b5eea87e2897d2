"""A pair could not be decided.

## What it finds
Pairs about which something is missing that decides the verdict: a character set that nobody named, a type
that is not known.

## What the replica does
Unknown. It is never counted as a pass.

## Example
    CREATE TABLE t (c VARCHAR(20)) CHARACTER SET klingon;

## Fix
Name the missing character set, setting or type, and check again.

## References
design of schemacheck: unknown is never a pass.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment import Match
from schemacheck.findings.on_input import unread
from schemacheck.findings.on_match import on_match
from schemacheck.model import Effect, Finding, InputProblem
from schemacheck.rules import About, Rule


def _check(subject: Match | InputProblem) -> Iterator[Finding]:
    if isinstance(subject, InputProblem):
        if subject.code == RULE.code:
            yield unread(subject)
    elif subject.unclear:
        message = f"{subject.source.name} could not be decided: {subject.unclear}"
        yield on_match(subject, Effect.UNKNOWN, message, remedy="Name what is missing, and check again")


RULE = Rule("SC004", "undecided", _check, (About.MATCH, About.INPUT))
