"""Server variables that differ between the ends.

## What it finds
Variables of one end whose value keeps events from being applied, or applies them otherwise
(sql_slave_skip_counter, init_slave, secure_timestamp, ...); variables that differ and that statements or
definitions depend on; and variables that differ of which nothing is known.

## What the replica does
It depends on the variable: `rules/link_variables.yaml` has every variable of the recorded servers, most
of them harmless. What is on no list is unknown.

## Example
    replica: sql_slave_skip_counter = 1

## Fix
Set the variable alike on both ends, or leave it at its default.

## References
MySQL manual 19.5.1.39 "Replication and Variables"; recorded (docs/link.md).
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.findings.on_link import of_outcome
from schemacheck.link import Ends, variables
from schemacheck.model import Finding
from schemacheck.rules import About, Rule


def _check(ends: Ends) -> Iterator[Finding]:
    for outcome in variables.of_ends(ends):
        yield of_outcome(outcome)
    if ends.link.of_rows.binlog_format != "ROW":
        for outcome in variables.of_use(ends, "statements"):
            yield of_outcome(outcome, when="" if ends.checked else "where they are used")
    for outcome in variables.of_use(ends, "definitions"):
        yield of_outcome(outcome, when="where they are used")


RULE = Rule("SC946", "link-settings", _check, (About.LINK,))
