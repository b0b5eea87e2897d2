"""A suppression is not understood.

## What it finds
A comment that starts like a suppression and is none: it names no rule, or has another word than
`ignore` or `ignore-file`.

## What the replica does
Nothing: this is about the check. The comment suppresses nothing.

## Example
```sql
CREATE TABLE t (
  a int -- schemacheck: ignore everything
);
```

## Fix
Name the rules in brackets: `-- schemacheck: ignore[SC204] the reason`.

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
    if use.wrong:
        message = f"The comment is not understood and suppresses nothing: {use.wrong}."
        yield about_the_check(message, "Correct the comment.", use.location)


RULE = Rule("SC092", "bad-suppression", _check, (About.SUPPRESSION,))
