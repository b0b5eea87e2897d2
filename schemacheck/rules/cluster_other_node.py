"""What the other node writes does not arrive here.

## What it finds
Tables of a cluster's nodes whose definitions let rows of the first node reach the second, but not rows of the
second reach the first.

## What the replica does
Every node of a cluster may be written to, at once or after a failover. Row events of the second node meet the
first node's definition: what stops its applier makes the first node leave the cluster, and what changes a
value changes it there.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT);
    replica: CREATE TABLE t (a INT PRIMARY KEY, b BIGINT);

## Fix
Give all nodes one definition, by a statement in total order.

## References
Recorded on two nodes of MariaDB 11.8.6 with Galera and of MySQL 9.7.4 with Group Replication.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.dataclass import replace
from schemacheck.model import Effect, Finding
from schemacheck.rules import About, Rule, rules_for

CODE = "SC953"


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.link.kind.cluster or (pair.terms.same_servers and pair.source.same_definition(pair.replica)):
        return
    try:
        back = Pair.of(pair.replica, pair.source, pair.link.reversed)
    except KeyError:
        return  # a type without a known image leaves the pair unknown in the first direction too
    findings = [
        finding
        for rule in rules_for(back)
        if rule.code != CODE
        for finding in rule.findings(back)
        if finding.effect > Effect.COMPATIBLE
    ]
    if not findings:
        return
    worst = max(findings, key=lambda f: f.effect.rank)
    yield replace(
        worst,
        code="", rule="", database=pair.source.database, table=pair.source.name,
        message=f"what the other node writes ({worst.code}): {worst.message}",
        source=worst.replica, replica=worst.source, remedy_sql=None,
        remedy="Give all nodes one definition, by a statement in total order",
    )  # fmt: skip


RULE = Rule(CODE, "cluster-other-node", _check, (About.CLUSTER,))
