"""A statement cannot be read.

## What it finds
A statement that no server accepts, or that breaks off.

## What the replica does
Nothing can be said. The table counts as unknown, and unknown is never a pass: `schemacheck check`
returns 3 where nothing else stands in the way.

## Example
```sql
CREATE TABLE t (a int,,);
```

## Fix
Correct the statement at the place that the message gives. If the text is a dump, look whether it
broke off.

## References
MySQL Reference Manual, "SQL Statement Syntax"; MariaDB Knowledge Base, "CREATE TABLE".
"""

from __future__ import annotations

from schemacheck.findings.on_input import coded
from schemacheck.rules import About, Rule

RULE = Rule("SC001", "syntax", coded("SC001"), (About.INPUT,))
