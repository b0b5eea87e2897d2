"""An ENUM or SET number means another member.

## What it finds
ENUM and SET columns whose members differ by position.

## What the replica does
The event carries the number of the member (or the bits of a SET), never the word. Reordered, renamed or
inserted members change the meaning without any error; a number beyond the list reads as the empty string.

## Example
    source:  CREATE TABLE t (id INT PRIMARY KEY, c ENUM('x','y','z'));
    replica: CREATE TABLE t (id INT PRIMARY KEY, c ENUM('z','y','x'));

## Fix
Keep the members in the same order on both ends; append new ones at the end, on the replica first.

## References
Recorded on four servers; rpl_row tests of the vendors.
"""

from __future__ import annotations

from schemacheck.findings.changed_value import changed
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC208",
    "enum-set-members",
    changed(
        lambda cell: cell.source.type.has_members,
        "List the members in the same order on both ends; append new ones last",
    ),
    (About.MEMBERS,),
    evidence=lambda ask: ask.changed(),
)
