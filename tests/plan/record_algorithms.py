"""Asks a server which ALGORITHM and LOCK it takes for each kind of change of an InnoDB table.

`python -m tests.plan.record_algorithms SERVER PORT` prints its entry for `rules/algorithms.yaml`.
"""

from __future__ import annotations

import sys
from typing import Any

#: Kind of change -> (what is behind `id int NOT NULL`, the ALTER's part).
KINDS: dict[str, tuple[str, str]] = {
    "add-column": ("a int", "ADD c int NULL"),
    "add-column-placed": ("a int", "ADD c int NULL AFTER id"),
    "add-column-virtual": ("a int", "ADD c int GENERATED ALWAYS AS (a + 1) VIRTUAL"),
    "add-column-stored": ("a int", "ADD c int GENERATED ALWAYS AS (a + 1) STORED"),
    "add-column-auto-increment": ("a int", "ADD c int NOT NULL AUTO_INCREMENT, ADD KEY (c)"),
    "drop-column": ("a int, b int", "DROP a"),
    "rename-column": ("a int, b int", "CHANGE a c int"),
    "rename-bound-column": (
        "b int, a int, CONSTRAINT f FOREIGN KEY (b) REFERENCES parent (id)",
        "CHANGE b c int",
    ),
    "rename-referenced-column": (
        "b int DEFAULT 1, a int, UNIQUE KEY (b), CONSTRAINT f FOREIGN KEY (a) REFERENCES t (b)",
        "CHANGE b c int",
    ),
    "move-column": ("a int, b int", "MODIFY b int FIRST"),
    "change-type": ("a int", "MODIFY a bigint"),
    "widen-varchar": ("a varchar(10)", "MODIFY a varchar(20)"),
    "widen-short-varchar-past-255": ("a varchar(10)", "MODIFY a varchar(300)"),
    "widen-varchar-past-255": ("a varchar(40)", "MODIFY a varchar(300)"),
    "append-member": ("a enum('1')", "MODIFY a enum('1','y')"),
    "set-not-null": ("a int", "MODIFY a int NOT NULL"),
    "set-null": ("a int NOT NULL", "MODIFY a int NULL"),
    "set-default": ("a int DEFAULT 1", "MODIFY a int DEFAULT 2"),
    "set-on-update": ("a int, b timestamp NULL", "MODIFY b timestamp NULL ON UPDATE CURRENT_TIMESTAMP"),
    "set-width": ("a int(5)", "MODIFY a int(7)"),
    "set-comment": ("a int", "MODIFY a int COMMENT 'x'"),
    "set-invisible": ("a int, b int DEFAULT 1", "MODIFY b int DEFAULT 1 INVISIBLE"),
    "add-index": ("a int", "ADD KEY k (a)"),
    "add-unique": ("a int", "ADD UNIQUE KEY k (a)"),
    "add-fulltext": ("a text", "ADD FULLTEXT KEY k (a)"),
    "add-spatial": ("a point NOT NULL", "ADD SPATIAL KEY k (a)"),
    "add-primary": ("a int NOT NULL", "ADD PRIMARY KEY (a)"),
    "drop-primary": ("a int NOT NULL, PRIMARY KEY (a)", "DROP PRIMARY KEY"),
    "replace-primary": ("a int NOT NULL, PRIMARY KEY (id)", "DROP PRIMARY KEY, ADD PRIMARY KEY (a)"),
    "drop-index": ("a int, KEY k (a)", "DROP KEY k"),
    "rename-index": ("a int, KEY k (a)", "RENAME INDEX k TO l"),
    "show-index": ("a int, KEY k (a)", "ALTER INDEX k INVISIBLE"),
    "ignore-index": ("a int, KEY k (a)", "ALTER INDEX k IGNORED"),
    "add-foreign-key": ("a int, KEY k (a)", "ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES parent (id)"),
    "drop-foreign-key": (
        "b int, a int, CONSTRAINT f FOREIGN KEY (b) REFERENCES parent (id)",
        "DROP FOREIGN KEY f",
    ),
    "add-check": ("a int", "ADD CONSTRAINT c CHECK (a > 0)"),
    "drop-check": ("a int, CONSTRAINT c CHECK (a > 0)", "DROP CONSTRAINT c"),
    "table-comment": ("a int", "COMMENT='x'"),
    "table-charset": ("a int", "DEFAULT CHARACTER SET latin1"),
    "convert-charset": ("a varchar(9)", "CONVERT TO CHARACTER SET latin1"),
    "row-format": ("a int", "ROW_FORMAT=COMPACT"),
    "statistics": ("a int", "STATS_PERSISTENT=1"),
}
#: From what costs least to what costs most.
WAYS = (
    ("INSTANT", ""), ("NOCOPY", "NONE"), ("NOCOPY", "SHARED"), ("INPLACE", "NONE"), ("INPLACE", "SHARED"),
    ("INPLACE", "EXCLUSIVE"), ("COPY", "NONE"), ("COPY", "SHARED"), ("COPY", "EXCLUSIVE"),
)  # fmt: skip


def ask(connection: Any, kind: str) -> str:
    """`INPLACE NONE rebuild`; '' where the server does not know the change."""
    import pymysql

    columns, part = KINDS[kind]
    with connection.cursor() as cursor:
        for algorithm, lock in WAYS:
            cursor.execute("SET foreign_key_checks = 1")
            cursor.execute("DROP TABLE IF EXISTS t")
            try:
                cursor.execute(
                    f"CREATE TABLE t (id int NOT NULL, {columns}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
                )
                if "point" not in columns:
                    cursor.execute("INSERT INTO t (id, a) VALUES (1, 1)")
                before = table_id(cursor)
                clause = f", ALGORITHM={algorithm}" + (f", LOCK={lock}" if lock else "")
                cursor.execute(f"ALTER TABLE t {part}{clause}")
            except pymysql.MySQLError as error:
                if error.args[0] in (1064, 1800, 1845, 1846, 1801, 4138):
                    continue
                return ""
            same = algorithm in ("INSTANT", "NOCOPY") or table_id(cursor) == before
            words = [algorithm, *([lock] if lock else []), *([] if same else ["rebuild"])]
            return " ".join(words)
    return ""


def table_id(cursor: Any) -> object:
    import pymysql

    for view in ("INNODB_TABLES", "INNODB_SYS_TABLES"):
        try:
            cursor.execute(f"SELECT TABLE_ID FROM information_schema.{view} WHERE NAME = 'plan_algorithms/t'")
        except pymysql.MySQLError:
            continue
        return cursor.fetchone()
    return None


def main(server: str, port: str) -> None:
    from tests.plan.carried_out import connect

    connection = connect(int(port))
    with connection.cursor() as cursor:
        cursor.execute("SET foreign_key_checks = 0")
        cursor.execute("DROP DATABASE IF EXISTS plan_algorithms")
        cursor.execute("CREATE DATABASE plan_algorithms")
        cursor.execute("USE plan_algorithms")
        cursor.execute("CREATE TABLE parent (id int PRIMARY KEY)")
        cursor.execute("INSERT INTO parent VALUES (1)")
    print(f"{server}:")
    for kind in KINDS:
        found = ask(connection, kind)
        if found:
            print(f"  {kind}: {found}")


if __name__ == "__main__":
    main(*sys.argv[1:])
