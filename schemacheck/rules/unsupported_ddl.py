"""A statement is not understood.

## What it finds
A statement, or a part of one, that a server accepts and schemacheck does not understand.

## What the replica does
Nothing can be said. The table counts as unknown, and unknown is never a pass: `schemacheck check`
returns 3 where nothing else stands in the way.

## Example
```sql
CREATE TABLE t LIKE other.t;  -- other.t is not part of the input
```

## Fix
Give the result of `SHOW CREATE TABLE` instead of the statement. A table that the team has looked at
itself can be left out with a reason, by an entry of `tolerate:` in `schemacheck.yaml` that names
this rule and the table.

## References
`mysqldump --no-data` and `SHOW CREATE TABLE` print every table in a form that is understood.
"""

from __future__ import annotations

from schemacheck.findings.on_input import coded
from schemacheck.rules import About, Rule

RULE = Rule("SC002", "unsupported-ddl", coded("SC002"), (About.INPUT,))
