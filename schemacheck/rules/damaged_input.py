"""The input breaks off or is damaged.

## What it finds
Input that breaks off or is damaged: a binary log whose checksum does not fit, a dump that ends in the
middle of a statement or without its closing line. So does input that nobody read: a file of a directory that
may hold definitions (`.sql.bz2`, a link that leads out of the directory, a hidden script), and a side without
any table, which is what a mistyped database looks like.

## What the replica does
Nothing can be said about what is missing. It counts as unknown, and unknown is never a pass:
`schemacheck check` returns 3 where nothing else stands in the way.

## Example
```
mysqldump --no-data shop | head -c 4096 > shop.sql
```

## Fix
Take the dump or copy the log again; the message names the file and the place. Decompress or move a file that
was not read, or leave it out on purpose: `tolerate: [{rule: SC003, files: ["old/*.bz2"], reason: ...}]`. A
side that is empty on purpose passes with `--allow-empty`.

## References
MySQL Reference Manual, "mysqldump"; "The Binary Log".
"""

from __future__ import annotations

from schemacheck.findings.on_input import coded
from schemacheck.rules import About, Rule

RULE = Rule("SC003", "damaged-input", coded("SC003"), (About.INPUT,))
