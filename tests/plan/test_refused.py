"""What servers refuse or run of a change (`data/refused.txt`): of what the source refuses nothing is safe."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemacheck import parse
from schemacheck.model import Link
from schemacheck.plan import plan_change
from schemacheck.plan.verdict import EXISTS, exit_status
from schemacheck.replay.change import replay

SERVERS = ("mysql-5.6", "mysql-9.7", "mariadb-10.11", "mariadb-11.8")
LINES = (Path(__file__).parent / "data" / "refused.txt").read_text().splitlines()
BASE = "\n".join(line[2:] for line in LINES if line.startswith("- "))
ANSWERS = [
    (line.split(" ", 4)[4], *map(int, line.split(" ", 4)[:4])) for line in LINES if line[0] not in "#-"
]
#: What no definition of a table tells: programs, accounts, other databases, hints, values; 5.6: new grammar.
UNTOLD = {
    "CREATE TABLE nodb.n1 (id INT PRIMARY KEY)",
    "DROP TRIGGER nosuch",
    "DROP PROCEDURE pr",
    "DROP FUNCTION nofunc",
    "DROP DATABASE nodb",
    "DROP EVENT nosuch",
    "DROP USER nosuch@localhost",
    "INSERT INTO t (a, a) VALUES (1, 2)",
    "INSERT INTO p (id) VALUES (1)",
    "CREATE VIEW v2 AS SELECT nosuch.t.id FROM t",
    "CREATE VIEW v2 AS SELECT id FROM t FORCE INDEX (zz) WHERE a = 1",
    "CREATE VIEW v2 AS SELECT q.id FROM (SELECT id FROM t) q",
    "WITH q AS (SELECT 1 AS a) SELECT * FROM q",
    "CREATE VIEW v2 AS WITH q AS (SELECT id FROM t) SELECT id FROM q",
    "CREATE VIEW v2 AS SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) AS r FROM t",
}


@pytest.mark.parametrize("at", range(4), ids=SERVERS)
def test_what_the_source_refuses_is_no_plan(at):
    link = Link.of(SERVERS[at])
    base = parse(BASE, link.source)
    plans = {sql: (errors[at], plan_change(base, sql, link)) for sql, *errors in ANSWERS}
    assert {sql for sql, (error, plan) in plans.items() if error and exit_status(plan) == EXISTS} <= UNTOLD
    # And what it runs is not said to be refused.
    assert not [
        sql for sql, (error, plan) in plans.items() if not error and any(p.refusal for p in plan.problems)
    ]


@pytest.mark.parametrize("at", range(4), ids=SERVERS)
def test_what_the_source_refuses_is_told_of_a_change_that_is_checked(at):
    link = Link.of(SERVERS[at])
    base = parse(BASE, link.source)
    refused = [sql for sql, *errors in ANSWERS if errors[at]]
    runs = {sql: replay(base, base, [("-", sql)], link) for sql in refused}
    assert {
        s for s, run in runs.items() if all(p.skipped for p in run.problems) and not run.refused
    } <= UNTOLD
