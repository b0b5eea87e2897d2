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

## Remedy
Correct the tables and remove the entry; or agree on a new date, with a reason.

## References
The configuration: `schemacheck config schema` prints the configuration's JSON schema.
"""

from __future__ import annotations

from schemacheck.rules.rule import Rule

RULE = Rule("SC091", "expired-suppression", "A tolerance has expired", __doc__ or "")
