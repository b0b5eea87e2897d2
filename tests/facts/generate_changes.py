"""Fresh questions about replicated definitions: statements of the source that meet a drifted replica.

    python -m tests.facts.generate_changes SOURCE REPLICA COUNT [SEED] > cases.jsonl

A table `t` that refers to `p`, the replica's tables with no, one or two differences, and one to three
statements that define something, now and then with a row between them. MySQL 5.6 gets no CHECK, no generated
column and none of the later statements; what only MariaDB reads is asked where both ends are MariaDB.
"""

from __future__ import annotations

import random
import re
import sys
from typing import Any

from tests.facts.drawn import write

PARENT = "CREATE TABLE p (id int primary key, x int, unique key ux (x)) ENGINE=InnoDB"
#: The columns and keys of `t`, in order; a difference takes one away, changes it, or adds one.
PARTS = {"a": "a int primary key", "b": "b int", "c": "c varchar(10)", "e": "e datetime", "kb": "key kb (b)"}
CHANGED = {
    "a": ("a int", "a bigint primary key", "a int auto_increment primary key"),
    "b": ("b bigint", "b int not null", "b varchar(20)", "b2 int"),
    "c": ("c text", "c varchar(5)", "c2 varchar(10)", "c varchar(10) not null default 'x'"),
    "e": ("e date", "e2 datetime", "e varchar(30)"),
    "kb": ("unique key kb (b)", "key kb (c)", "key k2 (b)", "key kb (b, c)"),
}
ADDED = ("d int", "key kc (c)", "key kd (b)", "f float not null", "unique key uc (c)", "e3 int default 5")
NEWER = ("CONSTRAINT ck CHECK (b < 500)", "d int AS (b + 1) STORED", "g int AS (a * 2) VIRTUAL")
REFERS = (
    "CONSTRAINT fk1 FOREIGN KEY (b) REFERENCES p (id)", "CONSTRAINT fk1 FOREIGN KEY (b) REFERENCES p (x)",
    "CONSTRAINT fk1 FOREIGN KEY (b) REFERENCES p (id) ON DELETE SET NULL",
    "FOREIGN KEY (b) REFERENCES p (id) ON DELETE CASCADE",
)  # fmt: skip
STATEMENTS = (
    "ALTER TABLE t ADD COLUMN d int", "ALTER TABLE t ADD COLUMN d int FIRST",
    "ALTER TABLE t ADD COLUMN d int AFTER {c}",
    "ALTER TABLE t DROP COLUMN {c}", "ALTER TABLE t DROP COLUMN {c}, DROP COLUMN {d}",
    "ALTER TABLE t MODIFY {c} bigint",
    "ALTER TABLE t MODIFY {c} varchar(20) NOT NULL DEFAULT ''", "ALTER TABLE t CHANGE {c} {n} varchar(30)",
    "ALTER TABLE t CHANGE {c} d bigint", "ALTER TABLE t MODIFY {c} varchar(40) AFTER {d}",
    "CREATE INDEX kc ON t ({c})",
    "CREATE INDEX kd ON t ({c}, {d})", "ALTER TABLE t ADD KEY k2 (b, {c})",
    "CREATE UNIQUE INDEX uc ON t ({c})",
    "DROP INDEX kb ON t", "ALTER TABLE t DROP KEY kb, ADD KEY kb ({c})", "ALTER TABLE t DROP PRIMARY KEY",
    "ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (a, {c})", "ALTER TABLE t ADD PRIMARY KEY (a)",
    "RENAME TABLE t TO u",
    "ALTER TABLE t RENAME TO u", "RENAME TABLE t TO u, p TO t", "RENAME TABLE t TO t3, u TO t",
    "DROP TABLE t",
    "DROP TABLE IF EXISTS t", "DROP TABLE t, p", "DROP TABLE IF EXISTS u, t", "TRUNCATE TABLE t",
    "TRUNCATE TABLE u",
    "CREATE TABLE u (a int primary key)", "CREATE TABLE IF NOT EXISTS u (a int primary key)",
    "CREATE TABLE u LIKE t",
    "CREATE TABLE IF NOT EXISTS u LIKE t", "CREATE VIEW v AS SELECT {c} FROM t",
    "CREATE VIEW v AS SELECT id FROM p",
    "CREATE OR REPLACE VIEW v AS SELECT a, {c} AS z FROM t", "DROP VIEW v", "DROP VIEW IF EXISTS v",
    "CREATE VIEW v2 AS SELECT * FROM v", "ALTER TABLE t ADD CONSTRAINT fk1 FOREIGN KEY (b) REFERENCES p (id)",
    "ALTER TABLE t ADD FOREIGN KEY (b) REFERENCES p (x)",
    "ALTER TABLE t ADD FOREIGN KEY (b) REFERENCES u (a)",
    "ALTER TABLE t DROP FOREIGN KEY fk1",
    "CREATE TABLE u (a int primary key, FOREIGN KEY (a) REFERENCES p (id))",
    "CREATE TABLE u (a int primary key, FOREIGN KEY (a) REFERENCES t (a))",
    "ALTER TABLE t ALTER {c} SET DEFAULT 5",
    "ALTER TABLE t ALTER COLUMN {c} DROP DEFAULT", "ALTER TABLE t PARTITION BY HASH(a) PARTITIONS 3",
    "ALTER TABLE t REMOVE PARTITIONING", "ALTER TABLE t ADD PARTITION (PARTITION p9 VALUES LESS THAN (900))",
    "ALTER TABLE t ENGINE=InnoDB", "ALTER TABLE t ENGINE=MyISAM", "ALTER TABLE t COMMENT='x'",
    "ALTER TABLE t AUTO_INCREMENT=7",
    "ALTER TABLE t CONVERT TO CHARACTER SET latin1", "ALTER TABLE t ADD COLUMN d int, DROP COLUMN {c}",
    "ALTER TABLE t ADD COLUMN h int, ADD KEY ke (h, {c})", "DROP TABLE p", "ALTER TABLE p DROP KEY ux",
    "ALTER TABLE p ADD COLUMN b int", "ALTER TABLE p DROP COLUMN x", "ALTER TABLE p MODIFY id bigint",
    "ALTER TABLE t ADD FULLTEXT KEY ft (c)", "ALTER TABLE t CHANGE a a2 int", "ALTER TABLE t DISABLE KEYS",
    "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.{c} = NULL", "DROP TRIGGER tr",
    "DROP TRIGGER IF EXISTS tr",
    "CREATE TRIGGER tr2 AFTER DELETE ON t FOR EACH ROW DELETE FROM p WHERE id = OLD.{c}",
    "CREATE TABLE u AS SELECT a, {c} FROM t",
    "ALTER TABLE t ADD INDEX (b), ADD INDEX ({c})", "ALTER TABLE t ADD UNIQUE (b, {c})",
    "ALTER TABLE t CHANGE b b2 int",
    "ALTER TABLE p CHANGE id id2 bigint", "ALTER TABLE p DROP COLUMN id", "TRUNCATE TABLE p",
    "ALTER TABLE p DROP PRIMARY KEY", "ALTER TABLE p DROP KEY ux, ADD KEY ux (x, id)",
    "ALTER TABLE p MODIFY x bigint", "ALTER TABLE p MODIFY x int NOT NULL", "ALTER TABLE p ENGINE=MyISAM",
    "ALTER TABLE p PARTITION BY HASH(id) PARTITIONS 2", "DROP TABLE IF EXISTS p", "DROP TABLE u",
    "ALTER TABLE t MODIFY b bigint, MODIFY c text", "ALTER TABLE t DROP KEY kb, MODIFY c varchar(5)",
    "ALTER TABLE t MODIFY b int NOT NULL", "ALTER TABLE t CHANGE b b2 bigint", "ALTER TABLE t DROP COLUMN b",
    "CREATE TABLE u (a int, c varchar(10) CHARACTER SET latin1)",
    "CREATE TABLE u (a bigint, FOREIGN KEY (a) REFERENCES p (id))", "ALTER TABLE t DROP KEY kb",
    "CREATE VIEW v3 AS SELECT z FROM v", "CREATE VIEW v3 AS SELECT w.a, p.x FROM v AS w JOIN p ON w.a = p.id",
    "CREATE OR REPLACE VIEW v AS SELECT * FROM t", "CREATE VIEW v2 (q) AS SELECT MAX({c}) AS m FROM t",
    "CREATE VIEW v4 AS SELECT q FROM v2", "ALTER VIEW v AS SELECT a, b FROM t", "RENAME TABLE p TO q",
    "CREATE TABLE p (id int primary key, x int)", "CREATE TABLE p (id bigint primary key, x int, KEY (x))",
    "CREATE TABLE q (x int, id int, KEY (x))", "RENAME TABLE q TO p", "ALTER TABLE q RENAME TO p",
    "ALTER TABLE q ADD COLUMN y int, RENAME TO p", "CREATE TABLE p LIKE u",
    "RENAME TABLE p TO q, t TO p, q TO t",
    "ALTER TABLE t ADD FOREIGN KEY (b) REFERENCES v (a)", "ALTER TABLE t CHANGE a a3 int NOT NULL",
    "ALTER TABLE t DROP COLUMN a", "DROP TABLE p, t", "DROP TABLE IF EXISTS p, u, t", "DROP VIEW v, v2",
    "DROP TABLE t, u", "DROP TABLE v", "ALTER TABLE t DROP COLUMN {c}, DROP KEY kb, DROP COLUMN b",
    "ALTER TABLE t DROP FOREIGN KEY fk1, DROP COLUMN b", "ALTER TABLE t ADD KEY kb (b), DROP COLUMN {c}",
)  # fmt: skip
#: Partitions, routines and events, indexes with lengths, what copies or locks a table, numbers that count.
WIDER = (
    "ALTER TABLE t DROP PARTITION p0", "ALTER TABLE t TRUNCATE PARTITION p0",
    "ALTER TABLE t TRUNCATE PARTITION ALL",
    "ALTER TABLE t COALESCE PARTITION 1", "ALTER TABLE t ADD PARTITION PARTITIONS 2",
    "ALTER TABLE t DROP PARTITION p1, p9",
    ("ALTER TABLE t REORGANIZE PARTITION p0 INTO (PARTITION pa VALUES LESS THAN (50), PARTITION pb "
     "VALUES LESS THAN (100))"),
    ("ALTER TABLE t PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (100), PARTITION p1 VALUES "
     "LESS THAN MAXVALUE)"),
    "ALTER TABLE t EXCHANGE PARTITION p0 WITH TABLE u", "ALTER TABLE t REBUILD PARTITION p0",
    "ALTER TABLE t OPTIMIZE PARTITION p0",
    "ALTER TABLE t PARTITION BY LIST (b) (PARTITION p0 VALUES IN (1))",
    "ALTER TABLE t PARTITION BY KEY () PARTITIONS 2",
    "CREATE PROCEDURE pr() SELECT {c} FROM t", "DROP PROCEDURE pr", "DROP PROCEDURE IF EXISTS pr",
    "ALTER PROCEDURE pr COMMENT 'x'",
    "CREATE FUNCTION fn() RETURNS int DETERMINISTIC RETURN 1", "DROP FUNCTION fn",
    "DROP FUNCTION IF EXISTS fn",
    "CREATE EVENT ev ON SCHEDULE AT '2037-01-01' DO DELETE FROM t", "DROP EVENT ev",
    "DROP EVENT IF EXISTS ev",
    "ALTER EVENT ev DISABLE",
    "CREATE EVENT IF NOT EXISTS ev ON SCHEDULE AT '2037-01-01' DO DELETE FROM t",
    "ALTER EVENT ev RENAME TO ev2",
    "CREATE INDEX kp ON t (c(3))", "CREATE INDEX kp ON t ({c}(4))",
    "ALTER TABLE t ADD KEY kq ({c}), ALGORITHM=INPLACE",
    "ALTER TABLE t ADD COLUMN d int, ALGORITHM=INPLACE, LOCK=NONE",
    "ALTER TABLE t MODIFY {c} bigint, ALGORITHM=INPLACE",
    "ALTER TABLE t DROP COLUMN {c}, ALGORITHM=COPY", "ALTER TABLE t ADD PRIMARY KEY ({c})",
    "ALTER TABLE t ADD UNIQUE KEY kb ({c})",
    "ALTER TABLE t MODIFY b int AUTO_INCREMENT",
    "ALTER TABLE t ADD COLUMN n int AUTO_INCREMENT, ADD UNIQUE (n)",
    "ALTER TABLE t MODIFY a int AUTO_INCREMENT",
    "ALTER TABLE t ADD COLUMN j text, ADD FULLTEXT KEY fj (j, c)",
    "ALTER TABLE t ADD SPATIAL KEY sp ({c})", "ALTER TABLE t MODIFY c varchar(20) CHARACTER SET latin1 FIRST",
    "ALTER TABLE t ORDER BY {c}", "ANALYZE TABLE t", "OPTIMIZE TABLE t", "REPAIR TABLE t", "CHECK TABLE u",
    "FLUSH TABLES t",
    "ALTER TABLE t ROW_FORMAT=COMPRESSED", "ALTER TABLE t CHARACTER SET latin1",
    "ALTER TABLE t RENAME AS u, ADD COLUMN d int",
    "ALTER TABLE `t` DROP `{c}` /* gone */", "alter table t drop {c}, drop {c}",
    "ALTER TABLE t ADD {n} int, ADD {n} int",
    "ALTER TABLE t ADD COLUMN (d int, f float)", "ALTER TABLE t CHANGE {c} {d} int",
    "ALTER TABLE t CHANGE {c} {d} int, CHANGE {d} {c} int",
    "ALTER TABLE t DROP {c}, ADD {c} int", "ALTER TABLE t MODIFY {c} int FIRST, MODIFY {d} int FIRST",
    "ALTER TABLE t DROP KEY kb, DROP KEY kb",
    "ALTER TABLE t ADD KEY kb (b)", "ALTER TABLE t DROP PRIMARY KEY, DROP COLUMN a", "CREATE TABLE t (z int)",
    "CREATE TABLE T (z int)",
    "CREATE TABLE IF NOT EXISTS t (z int primary key)", "CREATE TABLE u LIKE v", "CREATE TABLE v (a int)",
    "CREATE VIEW t AS SELECT 1 AS x",
    "CREATE VIEW u AS SELECT * FROM t JOIN p ON t.b = p.id", "CREATE OR REPLACE VIEW t AS SELECT 1 AS x",
    "ALTER TABLE v ADD COLUMN d int",
    "TRUNCATE TABLE v", "RENAME TABLE v TO v9", "RENAME TABLE t TO v", "DROP VIEW t",
    "DROP VIEW IF EXISTS t, v", "DROP TABLE IF EXISTS v",
    "CREATE TABLE u (a int primary key, CONSTRAINT fk1 FOREIGN KEY (a) REFERENCES p (id))",
    "CREATE TABLE u (x int) SELECT {c} FROM t", "CREATE TABLE IF NOT EXISTS u SELECT a FROM t",
    "CREATE TABLE u SELECT * FROM v",
    "CREATE TABLE u AS SELECT t.a, p.x FROM t JOIN p ON p.id = t.b", "INSERT INTO u SELECT a FROM t",
    "CREATE TABLE u SELECT COUNT(*) AS n FROM t",
    "ALTER TABLE t ALTER {c} DROP DEFAULT, ALTER {d} SET DEFAULT 'x'",
    "ALTER TABLE t COMMENT='y', DROP COLUMN {c}", "ALTER TABLE t ADD KEY (nosuch)",
    "ALTER TABLE t MODIFY {c} text, ADD KEY kt ({c}(5))", "ALTER TABLE t MODIFY c int",
    "ALTER TABLE t MODIFY b varchar(3)", "ALTER TABLE t MODIFY e date",
)  # fmt: skip
LATER = (
    "ALTER TABLE t RENAME COLUMN {c} TO {n}", "ALTER TABLE t RENAME INDEX kb TO kx",
    "ALTER TABLE t ADD CONSTRAINT ck CHECK (b < 9000)",
    "ALTER TABLE t ADD COLUMN d int AS (b + 1) STORED", "ALTER TABLE t DROP CONSTRAINT ck",
    "ALTER TABLE t DROP CONSTRAINT fk1",
    "ALTER TABLE t ADD COLUMN d int DEFAULT (5 + 1)", "ALTER TABLE t ADD COLUMN d int INVISIBLE",
    "ALTER TABLE t MODIFY d int AS (b + 2) STORED", "ALTER TABLE t MODIFY d int",
    "ALTER TABLE t ADD COLUMN g int AS (a * 3) VIRTUAL, ADD KEY (g)",
    "ALTER TABLE t RENAME COLUMN {c} TO {d}, RENAME COLUMN {d} TO {c}", "ALTER TABLE t DROP COLUMN d",
    "ALTER TABLE t DROP COLUMN g, DROP COLUMN {c}",
    "ALTER TABLE t ADD CHECK ({c} IS NOT NULL)", "ALTER TABLE t ADD COLUMN d json",
    "ALTER TABLE t CHANGE {c} {n} varchar(9) AS (CONCAT(a)) VIRTUAL",
    "ALTER TABLE t RENAME KEY kb TO kc, RENAME KEY k2 TO kb",
    "ALTER TABLE t ADD COLUMN d int, ALGORITHM=INSTANT", "ALTER TABLE t RENAME COLUMN a TO a9",
)  # fmt: skip
MARIADB = (
    "ALTER TABLE t DROP COLUMN IF EXISTS {c}", "ALTER TABLE t ADD COLUMN IF NOT EXISTS d int",
    "CREATE OR REPLACE TABLE t (a int primary key)",
    "DROP INDEX IF EXISTS kb ON t", "ALTER TABLE IF EXISTS t ADD COLUMN d int",
    "ALTER TABLE t MODIFY COLUMN IF EXISTS {c} bigint",
    "CREATE INDEX IF NOT EXISTS kd ON t ({c})", "CREATE OR REPLACE VIEW v AS SELECT a FROM t",
    "RENAME TABLE IF EXISTS u TO t4",
    "CREATE OR REPLACE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.{c} = NULL", "CREATE SEQUENCE s",
    "DROP SEQUENCE s",
    "ALTER TABLE t ADD SYSTEM VERSIONING", "ALTER TABLE t DROP CONSTRAINT IF EXISTS ck",
    "ALTER TABLE t ADD COLUMN d int CHECK (d < 9)",
)  # fmt: skip
#: What may be beside the tables, and how `t` may be partitioned.
EXTRA = (
    "CREATE TABLE u (a int primary key, z int)", "CREATE VIEW v AS SELECT a FROM t", "",
    "CREATE PROCEDURE pr() SELECT 1",
    "CREATE EVENT ev ON SCHEDULE AT '2037-01-01' DO DELETE FROM t",
    "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.b = 1",
    "CREATE FUNCTION fn() RETURNS int DETERMINISTIC RETURN 2",
    "CREATE TABLE u (a int primary key, b int, c varchar(10), e datetime, key kb (b))",
    "CREATE TABLE u (a int, CONSTRAINT fk9 FOREIGN KEY (a) REFERENCES p (id))",
    "CREATE VIEW u AS SELECT id FROM p",
)  # fmt: skip
SPLIT = (
    " PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (100), PARTITION p1 VALUES LESS THAN MAXVALUE)",
    " PARTITION BY HASH (a) PARTITIONS 2",
    " PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (100))", " PARTITION BY KEY (a) PARTITIONS 3",
)  # fmt: skip
ROWS = (
    "INSERT INTO t (a, b) VALUES (1, NULL)",
    "INSERT INTO p VALUES (1, 1)",
    "UPDATE t SET b = 1",
    "DELETE FROM t",
    "INSERT INTO t (a) VALUES (2)",
    "REPLACE INTO t (a, b) VALUES (1, 2)",
)


class Changes:
    """A source of cases; `random` alone decides."""

    def __init__(self, seed: int, source: str, replica: str) -> None:
        self.random = random.Random(f"changes {seed} {source} {replica}")
        self.source, self.replica = source, replica
        self.old = "mysql-5.6" in (source, replica)
        self.statements = STATEMENTS + WIDER + (() if self.old else LATER)
        if source.startswith("mariadb") and replica.startswith("mariadb"):
            self.statements += MARIADB

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def differ(self, parts: dict[str, str]) -> None:
        name = self.random.choice(list(parts))
        match self.random.randrange(3):
            case 0:
                del parts[name]
            case 1:
                parts[name] = self.random.choice(CHANGED.get(name, ("d int",)))
            case _:
                added = self.random.choice(ADDED if self.old else ADDED + NEWER)
                parts[added] = added

    def table(self, parts: dict[str, str]) -> str:
        columns = [t for t in parts.values() if not re.match(r"(unique )?key |CONSTRAINT|FOREIGN", t)]
        rest = [t for t in parts.values() if t not in columns]
        return f"CREATE TABLE t ({', '.join(columns + rest)}) ENGINE=InnoDB"

    def case(self, number: int) -> dict[str, Any]:
        ours = dict(PARTS)
        if self.chance(20):
            ours["fk"] = self.random.choice(REFERS)
        if self.chance(15) and not self.old:
            ours["new"] = self.random.choice(NEWER)
        theirs = dict(ours)
        for _ in range(self.random.choice((0, 1, 1, 1, 2))):
            self.differ(theirs)
        if self.chance(20):
            theirs["fk"] = self.random.choice(REFERS)
        source, replica = [PARENT, self.table(ours)], [PARENT, self.table(theirs)]
        extra = self.random.choice(EXTRA)
        if extra and self.chance(40):
            source.append(extra)
        if extra and self.chance(40):
            replica.append(extra)
        if self.chance(6):
            replica = [s for s in replica if "TABLE t" not in s and " t" not in s]
        elif self.chance(4):
            replica = [PARENT, "CREATE VIEW t AS SELECT id AS a, x AS b, 'x' AS c FROM p"]
        elif self.chance(4):
            replica[1] += " PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (100))"
        elif self.chance(8):
            source[1] += self.random.choice(SPLIT)
            if self.chance(60):
                replica[1] += self.random.choice(SPLIT)
        case = {
            "id": f"change {self.source} {self.replica} {number}", "group": "changes", "source_ddl": source,
            "replica_ddl": replica, "source_sql": self.written(),
            "modes": self.random.choice(("", "ALL_NON_LOSSY")),
            "binlog_format": self.random.choice(("ROW", "STATEMENT", "MIXED")), "source_may_fail": True,
        }  # fmt: skip
        if self.chance(20):
            case["source_vars"] = {"foreign_key_checks": 0}
        return case

    def written(self) -> list[str]:
        out = []
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3))):
            text = self.random.choice(self.statements)
            out.append(
                text.format(
                    c=self.random.choice("bce"),
                    d=self.random.choice("bce"),
                    n=self.random.choice(("n1", "n2", "c9")),
                )
            )
            if self.chance(8):
                out.append(self.random.choice(ROWS))
        return out


if __name__ == "__main__":
    write(Changes, *sys.argv[1:])
