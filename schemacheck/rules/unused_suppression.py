"""A suppression matches nothing.

## What it finds
A suppression that matches no finding: a comment `-- schemacheck: ignore[...]` in the SQL, or an entry
of `tolerate:` in `schemacheck.yaml`.

## What the replica does
Nothing: this is about the check. But a suppression that outlives its finding will hide the next one
at the same place.

## Example
```sql
CREATE TABLE t (
  a bigint -- schemacheck: ignore[SC201] the replica has bigint since March
);
```
The replica's `a` is a `bigint` too: there is no finding left.

## Fix
Remove the suppression; where it was meant for another rule, table or line, correct it. A comment
speaks for its own line, or, alone on its line, for the next one.

## References
`schemacheck check --help` describes suppressions.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.findings.on_input import about_the_check
from schemacheck.model import Finding
from schemacheck.model.policy import SuppressionUse
from schemacheck.rules import About, Rule


def _check(use: SuppressionUse) -> Iterator[Finding]:
    if not (use.matched or use.ended or use.wrong or use.untrusted):
        message = f"The {use.what} matches no finding."
        yield about_the_check(message, f"Remove it, or correct {use.correct}.", use.location)


RULE = Rule("SC090", "unused-suppression", _check, (About.SUPPRESSION,))
