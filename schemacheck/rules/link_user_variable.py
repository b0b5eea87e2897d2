"""User variables with a collation that the replica does not know.

## What it finds
Sources that log statements, and have a default collation that the replica does not know.

## What the replica does
The event of the variable stops the applier: 1593 on MariaDB, 13117 on MySQL 8.0 and later, without a number
on 5.6.

## Example
    SET @v = 'a';  INSERT INTO t VALUES (@v)

## Fix
Log rows, or COLLATE the variable.

## References
User_var_log_event; recorded.
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC914",
    "link-user-variable",
    found(by_settings.user_variables, "where statements use user variables"),
    (About.LINK,),
)
