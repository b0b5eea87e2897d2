"""A change brings a policy of its own, and it is not followed.

## What it finds
With a policy from a trusted place (`--config git:REF:PATH`): every comment that suppresses findings and every
setting of the configuration, the filters and the baseline that the change has and the trusted place does not
have. With `--no-inline-suppressions`: every comment that suppresses findings. With `--against` or such a
policy: files that the change turns into migrations of a tool, of which only a part is run.

## What the replica does
Nothing: this is about the check. What the change would suppress or relax counts as before; what a tool
would leave out of a file is unknown.

## Example
```sql
CREATE TABLE t (
  a int unsigned -- schemacheck: ignore[SC204] nobody will see this
);
```

## Fix
Have those who answer for the policy agree, and bring it to the trusted place first.

## References
docs/forks.md says how pull requests from strangers are checked.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.findings.on_input import about_the_check, unread
from schemacheck.model import Finding, InputProblem
from schemacheck.model.policy import SuppressionUse
from schemacheck.rules import About, Rule


def _check(use: SuppressionUse | InputProblem) -> Iterator[Finding]:
    if isinstance(use, InputProblem):
        if use.code == "SC093":
            yield unread(use)
    elif use.untrusted:
        message = f"The {use.what} is not followed: {use.untrusted}."
        yield about_the_check(
            message, "Have it agreed on, and bring it to the trusted policy first.", use.location
        )


RULE = Rule("SC093", "untrusted-policy", _check, (About.SUPPRESSION, About.INPUT))
