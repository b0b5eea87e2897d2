"""A tolerance has expired.

## What it finds
An entry of `tolerate:` in `schemacheck.yaml` whose `expires` has come. It tolerates nothing any more.

## What the replica does
Nothing: this is about the check. The findings that the entry covered count again.

## Example
```yaml
tolerate:
  - rule: SC204
    tables: [shop.orders]
    reason: migration planned for spring
    expires: 2020-04-01
```

## Fix
Correct the tables and remove the entry; or agree on a new date, with a reason.

## References
The configuration: `schemacheck config schema` prints the configuration's JSON schema.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.findings.on_input import about_the_check
from schemacheck.model import Finding
from schemacheck.model.policy import SuppressionUse
from schemacheck.rules import About, Rule


def _check(use: SuppressionUse) -> Iterator[Finding]:
    if use.ended:
        message = f"The {use.what} ended on {use.ended}" + (
            "." if use.matched else " and matches nothing any more."
        )
        yield about_the_check(
            message, "Correct the tables, or agree on a new date; else remove the entry.", use.location
        )


RULE = Rule("SC091", "expired-suppression", _check, (About.SUPPRESSION,))
