"""Tables without a primary key.

## What it finds
sql_require_primary_key and innodb_force_primary_key of the replica, generated invisible keys of the source.

## What the replica does
3750 or 1173 at CREATE TABLE; a generated key is a visible column on MariaDB.
Under REQUIRE_TABLE_PRIMARY_KEY_CHECK = OFF the channel asks for no key, whatever the replica's setting says.

## Example
    replica: sql_require_primary_key = ON

## Fix
Give every table a primary key, or set both ends alike.

## References
Recorded on MySQL 5.6.24, 9.7.4, MariaDB 10.11.19 and 11.8.6 (docs/link.md).
"""

from __future__ import annotations

from schemacheck.findings.on_link import found
from schemacheck.link import by_settings
from schemacheck.rules import About, Rule

RULE = Rule(
    "SC945",
    "link-primary-keys",
    found(by_settings.primary_keys, "where tables without a primary key are made"),
    (About.LINK,),
)
