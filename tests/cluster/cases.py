"""What the two nodes of a cluster are asked: definitions that differ, and what the first node then writes.

A case: `first` and `second` are the definitions on each node (made there alone), `modes` the second node's
type conversions, `statements` what the first node runs (replicated), `settings` further global variables of
the second node. Galera and Group Replication are asked the same, but for what only one of them has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

PK = "a INT PRIMARY KEY"
WIDE = "ALL_NON_LOSSY"
ANY = "ALL_LOSSY,ALL_NON_LOSSY"


class Case(NamedTuple):
    id: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    statements: tuple[str, ...]
    modes: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    only: str = ""


def table(columns: str) -> str:
    return f"CREATE TABLE t ({PK}, {columns})"


#: name, column on the first node, column on the second, a value
TYPES = (
    ("int-bigint", "b INT", "b BIGINT", "5"),
    ("bigint-int", "b BIGINT", "b INT", "5000000000"),
    ("int-unsigned", "b INT", "b INT UNSIGNED", "-1"),
    ("unsigned-bigint", "b INT UNSIGNED", "b BIGINT", "4294967295"),
    ("varchar-longer", "b VARCHAR(10)", "b VARCHAR(20)", "'abc'"),
    ("varchar-shorter", "b VARCHAR(20)", "b VARCHAR(5)", "'abcdefgh'"),
    ("varchar-text", "b VARCHAR(10)", "b TEXT", "'abc'"),
    ("char-varchar", "b CHAR(10)", "b VARCHAR(10)", "'abc'"),
    ("decimal-wider", "b DECIMAL(5,2)", "b DECIMAL(10,4)", "1.25"),
    ("datetime-fraction", "b DATETIME", "b DATETIME(6)", "'2020-01-02 03:04:05'"),
    ("enum-reordered", "b ENUM('x','y')", "b ENUM('y','x')", "'x'"),
    ("enum-longer", "b ENUM('x','y')", "b ENUM('x','y','z')", "'y'"),
    ("charset", "b VARCHAR(10) CHARACTER SET utf8mb4", "b VARCHAR(40) CHARACTER SET latin1", "'é'"),
    ("float-double", "b FLOAT", "b DOUBLE", "1.1"),
    ("int-varchar", "b INT", "b VARCHAR(10)", "7"),
)  # fmt: skip


def rows() -> Iterator[Case]:
    """What row events do on a node whose definition differs."""
    for name, first, second, value in TYPES:
        for modes in ("", WIDE, ANY):
            yield Case(f"type-{name}-{modes or 'none'}", (table(first),), (table(second),),
                       (f"INSERT INTO t VALUES (1, {value})",), modes)  # fmt: skip
    plain = table("b INT")
    insert = ("INSERT INTO t (a, b) VALUES (1, 2)",)
    for name, second in (
        ("extra-default", table("b INT, c INT NOT NULL DEFAULT 7")),
        ("extra-null", table("b INT, c INT")),
        ("extra-no-default", table("b INT, c INT NOT NULL")),
        ("extra-in-the-middle", f"CREATE TABLE t ({PK}, c INT, b INT)"),
        ("extra-text-in-the-middle", f"CREATE TABLE t ({PK}, c VARCHAR(9), b INT)"),
        ("fewer", f"CREATE TABLE t ({PK})"),
        ("swapped", "CREATE TABLE t (b INT, a INT PRIMARY KEY)"),
        ("generated", table("b INT, c INT AS (b + 1) STORED")),
        ("check-fails", table("b INT, CHECK (b > 5)")),
        ("not-null", table("b INT NOT NULL")),
    ):
        yield Case(f"structure-{name}", (plain,), (second,), insert)
    yield Case("structure-missing-table", (plain,), (), insert)
    yield Case(
        "structure-fewer-on-the-first", (f"CREATE TABLE t ({PK})",), (plain,), ("INSERT INTO t VALUES (1)",)
    )
    yield Case(
        "null-into-not-null", (plain,), (table("b INT NOT NULL"),), ("INSERT INTO t VALUES (1, NULL)",)
    )
    yield Case("unique-on-the-second", (plain,), (table("b INT, UNIQUE (b)"),),
               ("INSERT INTO t VALUES (1, 2), (2, 2)",))  # fmt: skip
    yield Case("row-missing-update", (plain,), (plain,),
               ("SET @here = 1", *HERE, "UPDATE t SET b = 3 WHERE a = 9"))  # fmt: skip
    yield Case(
        "row-missing-delete", (plain,), (plain,), ("SET @here = 1", *HERE, "DELETE FROM t WHERE a = 9")
    )
    parent = "CREATE TABLE p (a INT PRIMARY KEY)"
    yield Case("foreign-key-on-the-second", (parent, plain),
               (parent, table("b INT, FOREIGN KEY (b) REFERENCES p (a)")), insert)  # fmt: skip
    yield Case(
        "trigger-on-the-second",
        (plain,),
        (plain, "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.b = 9"),
        insert,
    )
    yield Case("no-key", ("CREATE TABLE t (a INT, b INT)",), ("CREATE TABLE t (a INT, b INT)",), insert)
    yield Case("no-key-extra", ("CREATE TABLE t (a INT, b INT)",), ("CREATE TABLE t (a INT, b INT, c INT)",),
               ("INSERT INTO t (a, b) VALUES (1, 2)", "UPDATE t SET b = 3 WHERE a = 1"))  # fmt: skip
    yield Case("key-on-the-second-only", ("CREATE TABLE t (a INT, b INT)",), (plain,),
               ("INSERT INTO t VALUES (1, 2)", "UPDATE t SET b = 3"))  # fmt: skip
    yield Case("key-on-the-first-only", (plain,), ("CREATE TABLE t (a INT, b INT)",),
               ("INSERT INTO t VALUES (1, 2)", "UPDATE t SET b = 3"))  # fmt: skip
    yield Case("engine-myisam", (plain,), (plain + " ENGINE=MyISAM",), insert)
    yield Case("engine-myisam-both", (plain + " ENGINE=MyISAM",), (plain + " ENGINE=MyISAM",), insert)


#: A row that only the first node has.
HERE = ("-- local", "INSERT INTO t VALUES (9, 9)", "-- shared")


def definitions() -> Iterator[Case]:
    """What DDL in total order (TOI; Group Replication: the binary log) does where the second node differs."""
    plain = table("b INT")
    wider = table("b INT, c INT")
    insert = "INSERT INTO t (a, b) VALUES (1, 2)"
    for name, first, second, change in (
        ("equal-add", plain, plain, "ALTER TABLE t ADD COLUMN c INT"),
        ("add-there", plain, wider, "ALTER TABLE t ADD COLUMN c INT"),
        ("drop-missing", wider, plain, "ALTER TABLE t DROP COLUMN c"),
        ("modify-missing", wider, plain, "ALTER TABLE t MODIFY c BIGINT"),
        ("index-missing", table("b INT, KEY k (b)"), plain, "DROP INDEX k ON t"),
        ("index-there", plain, table("b INT, KEY k (b)"), "CREATE INDEX k ON t (b)"),
        ("modify-differs", plain, table("b VARCHAR(10)"), "ALTER TABLE t MODIFY b BIGINT"),
        ("rename-missing", plain, "", "RENAME TABLE t TO u"),
        ("drop-table-missing", plain, "", "DROP TABLE t"),
        ("create-there", "", plain, "CREATE TABLE t (a INT PRIMARY KEY, b BIGINT)"),
        ("truncate-missing", plain, "", "TRUNCATE TABLE t"),
        ("view-missing-table", plain, "", "CREATE VIEW v AS SELECT a FROM t"),
    ):
        after = {"equal-add": insert, "add-there": "INSERT INTO t (a, b) VALUES (1, 2)",
                 "drop-missing": insert, "modify-differs": insert,
                 "create-there": insert}.get(name)  # fmt: skip
        for ignore in ("", "0"):
            settings = (("wsrep_ignore_apply_errors", ignore),) if ignore else ()
            yield Case(f"ddl-{name}{'-strict' if ignore else ''}", (first,) if first else (), (second,
                ) if second else (),
                       (change, *((after,) if after else ())), settings=settings,
                       only="galera" if ignore else "")  # fmt: skip
    for name, words in (("create-select", "CREATE TABLE u (a INT PRIMARY KEY) AS SELECT a FROM t"),
                        ("lock", "LOCK TABLES t WRITE"), ("create-myisam", ("CREATE TABLE u (a INT) "
                                                                           "ENGINE=MyISAM")),
                        ("create-no-key", "CREATE TABLE u (a INT)")):  # fmt: skip
        yield Case(f"statement-{name}", (plain,), (plain,), (insert, words))


def beside() -> Iterator[Case]:
    """Both nodes write: DDL on one beside an open transaction on the other, and the same row on both."""
    plain = table("b INT")
    insert, update = "INSERT INTO t VALUES (1, 2)", "UPDATE t SET b = 7 WHERE a = 9"
    held = (*HERE_TOO, "BEGIN")
    for name, change in (
        ("add-column", "ALTER TABLE t ADD COLUMN c INT DEFAULT 3"),
        ("add-column-first", "ALTER TABLE t ADD COLUMN c VARCHAR(9) FIRST"),
        ("drop-column", "ALTER TABLE t DROP COLUMN b"),
        ("modify", "ALTER TABLE t MODIFY b BIGINT"),
        ("modify-varchar", "ALTER TABLE t MODIFY b VARCHAR(20)"),
        ("rename-column", "ALTER TABLE t CHANGE b d INT"),
        ("add-unique", "ALTER TABLE t ADD UNIQUE KEY k (b)"),
        ("rename-table", "RENAME TABLE t TO u"),
        ("drop-table", "DROP TABLE t"),
        ("truncate", "TRUNCATE TABLE t"),
        ("create-other", "CREATE TABLE u (a INT PRIMARY KEY)"),
    ):
        for write, words in (("insert", insert), ("update", update)):
            yield Case(f"beside-{name}-{write}", (plain,), (plain,),
                       (*held, words, "-- second", change, "-- first", "COMMIT"), only=BOTH)  # fmt: skip
    for name, second in (
        ("same-row", "UPDATE t SET b = 8 WHERE a = 9"),
        ("other-row", "INSERT INTO t VALUES (3, 3)"),
        ("same-key", "INSERT INTO t VALUES (1, 5)"),
        ("delete", "DELETE FROM t WHERE a = 9"),
    ):
        for write, words in (("insert", insert), ("update", update)):
            yield Case(f"beside-{name}-{write}", (plain,), (plain,),
                       (*held, words, "-- second", second, "-- first", "COMMIT"), only=BOTH)  # fmt: skip
    parent = "CREATE TABLE p (a INT PRIMARY KEY)"
    child = table("b INT, FOREIGN KEY (b) REFERENCES p (a) ON DELETE CASCADE")
    yield Case("beside-cascade", (parent, child), (parent, child),
               ("INSERT INTO p VALUES (2)", "INSERT INTO t VALUES (1, 2)"), only=BOTH)  # fmt: skip
    yield Case("beside-serializable", (plain,), (plain,),
               ("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE", insert), only=BOTH)  # fmt: skip


#: Clusters in which both nodes write.
BOTH = "galera group-multi"
#: A row that both nodes have.
HERE_TOO = ("INSERT INTO t VALUES (9, 9)",)


def all_cases(kind: str, *, multi: bool = False) -> list[Case]:
    """What a cluster of a kind is asked; `multi`: a group with several primaries, of DDL beside DML alone."""
    if multi:
        return [case for case in beside() if f"{kind}-multi" in case.only.split()]
    return [
        case for case in (*rows(), *definitions(), *beside()) if not case.only or kind in case.only.split()
    ]
