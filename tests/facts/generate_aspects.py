"""Fresh questions about what stands around statements: temporary tables, savepoints, XA, engines that keep no
transactions, joins that change rows, user variables, partial JSON, numbers that the server gives.

    python -m tests.facts.generate_aspects SOURCE REPLICA COUNT [SEED] > cases.jsonl

Two tables `t` and `u` (id, a, b, c) that differ on the replica in one or two things, and groups of
statements.
"""

from __future__ import annotations

import random
import sys
from typing import Any

from tests.facts.drawn import write

COLUMNS = {"a": "a int", "b": "b varchar(12)", "c": "c decimal(8,2)"}
CHANGED = {
    "a": (
        "a bigint",
        "a smallint",
        "a int NOT NULL DEFAULT 4",
        "a int unsigned",
        "a varchar(20)",
        "a double",
    ),
    "b": (
        "b varchar(4)",
        "b char(12)",
        "b text",
        "b varchar(12) NOT NULL",
        "b varchar(12) CHARACTER SET latin1",
    ),
    "c": ("c decimal(6,1)", "c float", "c decimal(8,2) DEFAULT 1", "c bigint", "c decimal(10,4)"),
}
KEYS = ("", "", "KEY ka (a)", "UNIQUE KEY ua (a)", "KEY kb (b)", "UNIQUE KEY ub (b)", "UNIQUE KEY uab (a, b)")
GROUPS: tuple[tuple[str, ...], ...] = (
    ("CREATE TEMPORARY TABLE tmp (id int, a int)", "INSERT INTO tmp VALUES (1, {n}), (2, {m})",
     "INSERT INTO t (a) SELECT a FROM tmp", "UPDATE t, tmp SET t.a = tmp.a + 1 WHERE t.id = tmp.id"),
    ("CREATE TEMPORARY TABLE t (id int, a int, b int, c int)", "INSERT INTO t VALUES (9, 9, 9, 9)",
     "DROP TEMPORARY TABLE t", "INSERT INTO t (a) VALUES ({n})"),
    ("CREATE TEMPORARY TABLE tmp LIKE t", "INSERT INTO tmp (a, b) VALUES ({n}, 'q')",
     "REPLACE INTO u (a, b) SELECT a, b FROM tmp"),
    ("BEGIN", "INSERT INTO t (a) VALUES ({n})", "SAVEPOINT s1", "INSERT INTO t (a) VALUES ({m})",
     "ROLLBACK TO s1", "UPDATE t SET b = 'sp'", "COMMIT"),
    ("BEGIN", "DELETE FROM t", "SAVEPOINT s1", "INSERT INTO u (a) VALUES ({m})",
     "RELEASE SAVEPOINT s1", "COMMIT"),
    ("XA START 'x'", "INSERT INTO t (a, b) VALUES ({n}, 'xa')", "XA END 'x'", "XA PREPARE 'x'",
     "XA COMMIT 'x'"),
    ("XA START 'x'", "UPDATE t SET a = {n}", "XA END 'x'", "XA COMMIT 'x' ONE PHASE"),
    ("UPDATE t AS x JOIN u AS y ON x.id = y.id SET x.a = y.a, y.b = 'j'",),
    ("UPDATE t x LEFT JOIN u y ON x.a = y.a SET x.c = IFNULL(y.c, {n})",),
    ("UPDATE u, t SET u.a = t.a + {n}, t.b = CONCAT(t.b, '!') WHERE u.id = t.id",),
    ("DELETE x FROM t AS x JOIN u AS y ON x.id = y.id WHERE y.a > {n}",),
    ("DELETE FROM x, y USING t AS x JOIN u AS y ON x.b = y.b",),
    ("SET @v = {n}", "INSERT INTO t (a) VALUES (@v)", "UPDATE t SET a = @v := @v + 1 ORDER BY id"),
    ("SET @w = '1.50'", "INSERT INTO t (b, c) VALUES (@w, @w)", "DELETE FROM u WHERE b = @w"),
    ("INSERT INTO t (b) VALUES (CONCAT('k', LAST_INSERT_ID()))",
     "INSERT INTO u (a) VALUES (LAST_INSERT_ID())"),
    ("INSERT INTO t (id, a) VALUES (LAST_INSERT_ID(40), {n})", "INSERT INTO t (a) VALUES ({m}), ({n})"),
    ("SET SESSION auto_increment_increment = 5, auto_increment_offset = 3",
     "INSERT INTO t (a) VALUES ({n}), ({m})"),
    ("SET insert_id = 77", "INSERT INTO t (a) VALUES ({n})"),
    ("INSERT INTO t (a, b) SELECT a + 20, b FROM u ON DUPLICATE KEY UPDATE b = 'dup'",),
    ("INSERT IGNORE INTO t (id, a, b) SELECT id, a, b FROM u ORDER BY a DESC",),
    ("REPLACE INTO t (id, a) SELECT id, MAX(a) FROM u GROUP BY id",),
    ("UPDATE t SET a = (SELECT MIN(a) FROM u) WHERE id IN (SELECT id FROM u WHERE a < {n})",),
    ("DELETE FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a)",),
    ("INSERT INTO m VALUES ({n}, 'm')", "BEGIN", "INSERT INTO t (a) VALUES ({n})",
     "INSERT INTO m VALUES ({m}, 'n')", "ROLLBACK"),
    ("BEGIN", "INSERT INTO m SELECT a, b FROM t", "UPDATE t SET b = 'x' WHERE id = 1", "COMMIT"),
    ("DELETE FROM m WHERE x = {n}", "UPDATE m SET y = 'z' ORDER BY x LIMIT 1"),
    ("TRUNCATE TABLE u", "INSERT INTO u (a) VALUES ({n})"),
    ("UPDATE t SET a = a + 1 ORDER BY a DESC", "UPDATE u SET id = id + 10 ORDER BY id DESC"),
    ("INSERT INTO t (c) VALUES (RAND(3) * 10)", "INSERT INTO t (b) VALUES (LEFT(VERSION(), 0))"),
    ("INSERT INTO t (b) VALUES (DATABASE())", "INSERT INTO t (a) VALUES (CONNECTION_ID() * 0 + {n})"),
)  # fmt: skip
NEWER: tuple[tuple[str, ...], ...] = (
    ("INSERT INTO j VALUES (1, '{{\"a\": [1, 2], \"b\": \"x\"}}')",
     "UPDATE j SET d = JSON_SET(d, '$.a[0]', {n})"),
    ("INSERT INTO j VALUES (2, '{{\"a\": 1}}')", "UPDATE j SET d = JSON_REMOVE(d, '$.a')", "DELETE FROM j"),
    ("WITH q AS (SELECT id, a FROM u) UPDATE t, q SET t.a = q.a WHERE t.id = q.id",),
    ("INSERT INTO t (a) WITH q AS (SELECT 7 AS x) SELECT x FROM q",),
    ("INSERT INTO t (id, a) SELECT 50 + ROW_NUMBER() OVER (ORDER BY id), a FROM u",),
)  # fmt: skip


class Aspects:
    """A source of cases; `random` alone decides."""

    def __init__(self, seed: int, source: str, replica: str) -> None:
        self.random = random.Random(f"aspects {seed} {source} {replica}")
        self.source, self.replica = source, replica
        old = "mysql-5.6" in (source, replica)
        self.groups = GROUPS + (() if old else NEWER)

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def table(self, name: str, columns: dict[str, str], key: str, engine: str) -> str:
        parts = ["id int AUTO_INCREMENT PRIMARY KEY", *columns.values(), *([key] if key else [])]
        return f"CREATE TABLE {name} ({', '.join(parts)}) ENGINE={engine}"

    def case(self, number: int) -> dict[str, Any]:
        pick = self.random.choice
        ours, theirs = [], []
        for name in ("t", "u"):
            columns, key, engine = dict(COLUMNS), pick(KEYS), pick(("InnoDB", "InnoDB", "InnoDB", "MyISAM"))
            ours.append(self.table(name, columns, key, engine))
            if self.chance(45):
                changed = pick(list(columns))
                columns[changed] = pick(CHANGED[changed])
            if self.chance(12):
                columns["x"] = pick(("x int", "x int NOT NULL", "x timestamp NULL DEFAULT CURRENT_TIMESTAMP"))
            if self.chance(15):
                key = pick(KEYS)
            if "text" in columns["b"]:
                key = key.replace("(b)", "(b(6))").replace(", b)", ", b(6))")
            if self.chance(12):
                engine = pick(("InnoDB", "MyISAM", "MEMORY"))
            theirs.append(self.table(name, columns, key, engine.replace("MEMORY", "InnoDB")
                                     if "text" in columns["b"] else engine))  # fmt: skip
        for end in (ours, theirs):
            end.append(f"CREATE TABLE m (x int, y varchar(9)) ENGINE={pick(('MyISAM', 'MyISAM', 'InnoDB'))}")
        if len(self.groups) > len(GROUPS):
            ours.append("CREATE TABLE j (id int PRIMARY KEY, d json)")
            theirs.append(pick(("CREATE TABLE j (id int PRIMARY KEY, d json)", ours[-1],
                                "CREATE TABLE j (id int PRIMARY KEY, d longtext)")))  # fmt: skip
        logged = pick(("ROW", "ROW", "STATEMENT", "STATEMENT", "MIXED"))
        case: dict[str, Any] = {
            "id": f"aspect {self.source} {self.replica} {number}", "group": "aspects", "source_ddl": ours,
            "replica_ddl": theirs, "source_sql": self.written(), "binlog_format": logged,
            "modes": pick(("", "ALL_NON_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY")), "source_may_fail": True,
            "source_goes_on": True,
        }  # fmt: skip
        if logged != "STATEMENT":
            case["binlog_row_image"] = pick(("FULL", "MINIMAL", "NOBLOB"))
        if self.source == "mysql-9.7" and self.chance(25):
            case["source_vars"] = {"binlog_row_value_options": "PARTIAL_JSON"}
        return case

    def written(self) -> list[str]:
        """Rows first, then one to three groups."""
        values = self.random.sample(range(1, 30), 8)
        out = [
            (
                f"INSERT INTO t (a, b, c) VALUES ({values[0]}, 'aa', 1.25), ({values[1]}, 'Bb', 20), "
                f"({values[2]}, NULL, NULL)"
            ),
            f"INSERT INTO u (a, b, c) VALUES ({values[3]}, 'aa', 3.5), ({values[0]}, 'c ', 4)",
        ]
        for _ in range(self.random.choice((1, 1, 2, 3))):
            group = self.random.choice(self.groups)
            out += [one.format(n=values[4], m=values[5]) for one in group]
        out.append("DROP TEMPORARY TABLE IF EXISTS tmp")
        return out


if __name__ == "__main__":
    write(Aspects, *sys.argv[1:])
