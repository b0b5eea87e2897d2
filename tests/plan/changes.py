"""Typical changes of a table, with rows that show what goes wrong: asked of real servers in both orders.

`old_rows` are written under the old definition, `new_rows` under the new one; they hold the values that
the change is about. Two rows from before the change are updated and deleted.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Rows that stand on both ends before the change; NULL and defaults elsewhere.
BEFORE = "INSERT INTO t (id) VALUES (50), (51)"


@dataclass(frozen=True, slots=True)
class Change:
    """`columns` define the old table behind `id`; `alter` is the change (or `sql`, where it is no ALTER
    TABLE); rows are INSERT texts behind `INSERT INTO t `.
    """

    name: str
    columns: str
    alter: str
    old_rows: tuple[str, ...]
    new_rows: tuple[str, ...]
    key: str = "id INT NOT NULL PRIMARY KEY"
    tail: str = ""
    sql: str = ""

    @property
    def create(self) -> str:
        return f"CREATE TABLE t ({', '.join(p for p in (self.key, self.columns) if p)}){self.tail}"

    @property
    def statement(self) -> str:
        return self.sql or f"ALTER TABLE t {self.alter}"

    def written(self, *, new: bool) -> list[str]:
        """What the source writes under one definition."""
        rows = self.new_rows if new else self.old_rows
        return [f"INSERT INTO t {row}" for row in rows] + [
            "UPDATE t SET id = 100 WHERE id = 50",
            "DELETE FROM t WHERE id = 51",
        ]


def both(*rows: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return rows, rows


_INT = both(
    "(id, a) VALUES (1, 1)",
    "(id, a) VALUES (2, 2147483647)",
    "(id, a) VALUES (3, -2147483648)",
    "(id, a) VALUES (4, NULL)",
)
_TEXT = both("(id, a) VALUES (1, 'x')", "(id, a) VALUES (2, 'abcdefghij')", "(id, a) VALUES (3, NULL)")
_TWO = both(
    "(id, a, b) VALUES (1, 1, 'x')", "(id, a, b) VALUES (2, NULL, NULL)", "(id, a, b) VALUES (3, 7, 'y')"
)
_PLAIN = "a INT NULL, b VARCHAR(20) NULL"

CHANGES: tuple[Change, ...] = (
    # -- columns come, go, move, and get other names
    Change(
        "add-last-null",
        _PLAIN,
        "ADD COLUMN c INT NULL",
        _TWO[0],
        ("(id, a, b, c) VALUES (1, 1, 'x', 5)", "(id, a, b, c) VALUES (2, 1, 'x', 6)"),
    ),
    Change(
        "add-last-default",
        _PLAIN,
        "ADD COLUMN c INT NOT NULL DEFAULT 5",
        _TWO[0],
        ("(id, a, b, c) VALUES (1, 1, 'x', 5)", "(id, a, b, c) VALUES (2, 1, 'x', 6)"),
    ),
    Change(
        "add-last-no-default",
        _PLAIN,
        "ADD COLUMN c INT NOT NULL",
        _TWO[0],
        ("(id, a, b, c) VALUES (1, 1, 'x', 5)", "(id, a, b, c) VALUES (2, 1, 'x', 6)"),
    ),
    Change(
        "add-last-long-char",
        _PLAIN,
        "ADD COLUMN c CHAR(100) NULL",
        _TWO[0],
        ("(id, a, b, c) VALUES (1, 1, 'x', 'long')", "(id, a, b, c) VALUES (2, 1, 'x', REPEAT('y', 100))"),
    ),
    Change(
        "add-middle",
        _PLAIN,
        "ADD COLUMN c INT NULL AFTER id",
        _TWO[0],
        ("(id, a, b, c) VALUES (1, 1, 'x', 5)", "(id, a, b, c) VALUES (2, 1, 'x', 6)"),
    ),
    Change(
        "add-middle-same-type",
        "a INT NULL",
        "ADD COLUMN c INT NULL AFTER id",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 2)"),
        ("(id, a, c) VALUES (1, 1, 5)", "(id, a, c) VALUES (2, 1, 6)"),
    ),
    Change(
        "add-first",
        _PLAIN,
        "ADD COLUMN c INT NULL FIRST",
        _TWO[0],
        ("(id, a, b, c) VALUES (1, 1, 'x', 5)", "(id, a, b, c) VALUES (2, 1, 'x', 6)"),
    ),
    Change("drop-last", _PLAIN, "DROP COLUMN b", _TWO[0], ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 2)")),
    Change(
        "drop-last-no-default",
        "a INT NULL, b INT NOT NULL DEFAULT 3",
        "DROP COLUMN b",
        ("(id, a, b) VALUES (1, 1, 4)", "(id, a, b) VALUES (2, 1, 5)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 2)"),
    ),
    Change(
        "drop-middle",
        _PLAIN,
        "DROP COLUMN a",
        _TWO[0],
        ("(id, b) VALUES (1, 'x')", "(id, b) VALUES (2, 'yy')"),
    ),
    Change(
        "drop-middle-same-type",
        "a INT NULL, b INT NULL",
        "DROP COLUMN a",
        ("(id, a, b) VALUES (1, 1, 2)", "(id, a, b) VALUES (2, 3, 4)"),
        ("(id, b) VALUES (1, 1)", "(id, b) VALUES (2, 2)"),
    ),
    Change(
        "move-same-type",
        "a INT NULL, b INT NULL",
        "MODIFY COLUMN b INT NULL AFTER id",
        *both("(id, a, b) VALUES (1, 1, 2)", "(id, a, b) VALUES (2, 3, 4)"),
    ),
    Change("move-other-type", _PLAIN, "MODIFY COLUMN b VARCHAR(20) NULL AFTER id", *_TWO),
    Change(
        "rename-column",
        _PLAIN,
        "CHANGE COLUMN a c INT NULL",
        _TWO[0],
        ("(id, c, b) VALUES (1, 1, 'x')", "(id, c, b) VALUES (2, 3, NULL)"),
    ),
    Change(
        "add-two-and-drop-last",
        _PLAIN,
        "DROP COLUMN b, ADD COLUMN c INT NULL, ADD COLUMN d DATE NULL",
        _TWO[0],
        ("(id, a, c, d) VALUES (1, 1, 5, '2024-01-01')", "(id, a, c) VALUES (2, 1, 6)"),
    ),
    Change(
        "add-current-timestamp",
        _PLAIN,
        "ADD COLUMN c DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)",
        _TWO[0],
        ("(id, a, b, c) VALUES (1, 1, 'x', '2024-01-02 03:04:05')", "(id, a, b) VALUES (2, 1, 'x')"),
    ),
    Change(
        "add-current-timestamp-null",
        _PLAIN,
        "ADD COLUMN c DATETIME(6) NULL DEFAULT CURRENT_TIMESTAMP(6)",
        _TWO[0],
        ("(id, a, b, c) VALUES (1, 1, 'x', '2024-01-02 03:04:05')", "(id, a, b) VALUES (2, 1, 'x')"),
    ),
    Change(
        "add-uuid-default",
        _PLAIN,
        "ADD COLUMN c VARCHAR(36) NULL DEFAULT (UUID())",
        _TWO[0],
        ("(id, a, b, c) VALUES (1, 1, 'x', 'y')", "(id, a, b) VALUES (2, 1, 'x')"),
    ),
    Change(
        "add-auto-increment",
        _PLAIN,
        "ADD COLUMN n BIGINT NOT NULL AUTO_INCREMENT UNIQUE",
        ("(id, a, b) VALUES (9, 1, 'x')", "(id, a, b) VALUES (5, 1, 'x')", "(id, a, b) VALUES (7, 1, 'x')"),
        ("(id, a, b) VALUES (9, 1, 'x')", "(id, a, b) VALUES (5, 1, 'x')"),
    ),
    Change(
        "drop-and-add-same-type",
        "a INT NULL, b INT NULL",
        "DROP COLUMN b, ADD COLUMN c INT NULL",
        ("(id, a, b) VALUES (1, 1, 7)", "(id, a, b) VALUES (2, 3, 8)"),
        ("(id, a, c) VALUES (1, 1, 9)", "(id, a, c) VALUES (2, 3, 10)"),
    ),
    Change(
        "rename-and-widen",
        "a INT NULL, b VARCHAR(10) NULL",
        "CHANGE COLUMN b c VARCHAR(20) NULL",
        ("(id, a, b) VALUES (1, 1, 'x')", "(id, a, b) VALUES (2, 3, 'abcdefghij')"),
        ("(id, a, c) VALUES (1, 1, 'x')", "(id, a, c) VALUES (2, 3, 'abcdefghijklmnopqrst')"),
    ),
    # -- numbers
    Change(
        "int-to-bigint",
        "a INT NULL",
        "MODIFY COLUMN a BIGINT NULL",
        _INT[0],
        (*_INT[1], "(id, a) VALUES (5, 9223372036854775807)"),
    ),
    Change(
        "int-to-bigint-key",
        "a INT NULL",
        "MODIFY COLUMN id BIGINT NOT NULL",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2147483647, 1)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (9223372036854775807, 1)"),
    ),
    Change(
        "int-to-bigint-auto-increment",
        "a INT NULL",
        "MODIFY COLUMN id BIGINT NOT NULL AUTO_INCREMENT",
        ("(a) VALUES (1)", "(id, a) VALUES (2147483646, 1)"),
        ("(a) VALUES (1)", "(id, a) VALUES (9223372036854775806, 1)"),
        key="id INT NOT NULL AUTO_INCREMENT PRIMARY KEY",
    ),
    Change(
        "bigint-to-int",
        "a BIGINT NULL",
        "MODIFY COLUMN a INT NULL",
        (*_INT[0], "(id, a) VALUES (5, 9223372036854775807)"),
        _INT[1],
    ),
    Change(
        "smallint-to-int",
        "a SMALLINT NULL",
        "MODIFY COLUMN a INT NULL",
        ("(id, a) VALUES (1, 32767)", "(id, a) VALUES (2, -32768)"),
        _INT[1],
    ),
    Change(
        "int-to-unsigned",
        "a INT NULL",
        "MODIFY COLUMN a INT UNSIGNED NULL",
        _INT[0],
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 4294967295)"),
    ),
    Change(
        "unsigned-to-signed",
        "a INT UNSIGNED NULL",
        "MODIFY COLUMN a INT NULL",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 4294967295)"),
        _INT[1],
    ),
    Change(
        "int-to-bigint-unsigned",
        "a INT NULL",
        "MODIFY COLUMN a BIGINT UNSIGNED NULL",
        _INT[0],
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 18446744073709551615)"),
    ),
    Change(
        "unsigned-to-bigint",
        "a INT UNSIGNED NULL",
        "MODIFY COLUMN a BIGINT NULL",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 4294967295)"),
        (*_INT[1], "(id, a) VALUES (5, 9223372036854775807)"),
    ),
    Change(
        "unsigned-to-bigint-unsigned",
        "a INT UNSIGNED NULL",
        "MODIFY COLUMN a BIGINT UNSIGNED NULL",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 4294967295)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 18446744073709551615)"),
    ),
    Change(
        "decimal-wider",
        "a DECIMAL(10,2) NULL",
        "MODIFY COLUMN a DECIMAL(14,4) NULL",
        ("(id, a) VALUES (1, 12345678.91)", "(id, a) VALUES (2, -0.01)"),
        ("(id, a) VALUES (1, 1234567890.1234)", "(id, a) VALUES (2, 0.0001)"),
    ),
    Change(
        "decimal-narrower",
        "a DECIMAL(14,4) NULL",
        "MODIFY COLUMN a DECIMAL(10,2) NULL",
        ("(id, a) VALUES (1, 1234567890.1234)", "(id, a) VALUES (2, 0.0001)"),
        ("(id, a) VALUES (1, 12345678.91)", "(id, a) VALUES (2, -0.01)"),
    ),
    Change(
        "float-to-double",
        "a FLOAT NULL",
        "MODIFY COLUMN a DOUBLE NULL",
        ("(id, a) VALUES (1, 0.5)", "(id, a) VALUES (2, 16777216)", "(id, a) VALUES (3, 0.1)"),
        ("(id, a) VALUES (1, 0.1)", "(id, a) VALUES (2, 1e300)"),
    ),
    Change("int-to-varchar", "a INT NULL", "MODIFY COLUMN a VARCHAR(20) NULL", _INT[0], _TEXT[1]),
    # -- text
    Change(
        "varchar-wider",
        "a VARCHAR(10) NULL",
        "MODIFY COLUMN a VARCHAR(20) NULL",
        _TEXT[0],
        (*_TEXT[1], "(id, a) VALUES (4, 'abcdefghijklmnopqrst')"),
    ),
    Change(
        "varchar-wider-two-length-bytes",
        "a VARCHAR(40) NULL",
        "MODIFY COLUMN a VARCHAR(200) NULL",
        _TEXT[0],
        (*_TEXT[1], "(id, a) VALUES (4, REPEAT('a', 200))"),
    ),
    Change(
        "varchar-narrower",
        "a VARCHAR(20) NULL",
        "MODIFY COLUMN a VARCHAR(10) NULL",
        (*_TEXT[0], "(id, a) VALUES (4, 'abcdefghijklmnopqrst')"),
        _TEXT[1],
    ),
    Change(
        "varchar-to-text",
        "a VARCHAR(100) NULL",
        "MODIFY COLUMN a TEXT NULL",
        _TEXT[0],
        (*_TEXT[1], "(id, a) VALUES (4, REPEAT('a', 1000))"),
    ),
    Change(
        "text-to-mediumtext",
        "a TEXT NULL",
        "MODIFY COLUMN a MEDIUMTEXT NULL",
        _TEXT[0],
        (*_TEXT[1], "(id, a) VALUES (4, REPEAT('a', 70000))"),
    ),
    Change(
        "char-to-varchar",
        "a CHAR(10) NULL",
        "MODIFY COLUMN a VARCHAR(10) NULL",
        _TEXT[0],
        (*_TEXT[1], "(id, a) VALUES (4, 'x  ')"),
    ),
    Change(
        "utf8mb3-to-utf8mb4",
        "a VARCHAR(10) CHARACTER SET utf8 NULL",
        "MODIFY COLUMN a VARCHAR(10) CHARACTER SET utf8mb4 NULL",
        _TEXT[0],
        (*_TEXT[1], "(id, a) VALUES (5, _utf8mb4 0xF09F9880)"),
    ),
    Change(
        "utf8mb3-to-utf8mb4-table",
        "a VARCHAR(10) NULL, b TEXT NULL",
        "CONVERT TO CHARACTER SET utf8mb4",
        _TEXT[0],
        (*_TEXT[1], "(id, a) VALUES (5, _utf8mb4 0xF09F9880)"),
        tail=" DEFAULT CHARSET=utf8",
    ),
    Change(
        "latin1-to-utf8mb4",
        "a VARCHAR(10) CHARACTER SET latin1 NULL",
        "MODIFY COLUMN a VARCHAR(10) CHARACTER SET utf8mb4 NULL",
        (*_TEXT[0], "(id, a) VALUES (4, _latin1 0xE9E8)"),
        (*_TEXT[1], "(id, a) VALUES (4, _utf8mb4 0xC3A9)"),
    ),
    Change(
        "collation",
        "a VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL",
        "MODIFY COLUMN a VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL",
        *_TEXT,
    ),
    # -- ENUM and SET
    Change(
        "enum-append",
        "a ENUM('a','b') NULL",
        "MODIFY COLUMN a ENUM('a','b','c') NULL",
        *(
            r + (() if not n else ("(id, a) VALUES (3, 'c')",))
            for n, r in enumerate(both("(id, a) VALUES (1, 'a')", "(id, a) VALUES (2, 'b')"))
        ),
    ),
    Change(
        "enum-insert",
        "a ENUM('a','b') NULL",
        "MODIFY COLUMN a ENUM('a','x','b') NULL",
        ("(id, a) VALUES (1, 'a')", "(id, a) VALUES (2, 'b')"),
        ("(id, a) VALUES (1, 'a')", "(id, a) VALUES (2, 'b')", "(id, a) VALUES (3, 'x')"),
    ),
    Change(
        "enum-reorder",
        "a ENUM('a','b') NULL",
        "MODIFY COLUMN a ENUM('b','a') NULL",
        *both("(id, a) VALUES (1, 'a')", "(id, a) VALUES (2, 'b')"),
    ),
    Change(
        "enum-remove-last",
        "a ENUM('a','b','c') NULL",
        "MODIFY COLUMN a ENUM('a','b') NULL",
        ("(id, a) VALUES (1, 'a')", "(id, a) VALUES (2, 'b')", "(id, a) VALUES (3, 'c')"),
        ("(id, a) VALUES (1, 'a')", "(id, a) VALUES (2, 'b')"),
    ),
    Change(
        "set-append",
        "a SET('a','b') NULL",
        "MODIFY COLUMN a SET('a','b','c') NULL",
        ("(id, a) VALUES (1, 'a,b')", "(id, a) VALUES (2, '')"),
        ("(id, a) VALUES (1, 'a,b')", "(id, a) VALUES (2, 'b,c')"),
    ),
    # -- defaults that a row event may leave out
    *(
        Change(
            f"add-{name}",
            _PLAIN,
            f"ADD COLUMN c {definition}",
            _TWO[0],
            tuple(f"(id, a, b, c) VALUES ({n}, 1, 'x', {value})" for n in (1, 2)),
        )
        for name, definition, value in (
            ("text-default", "TEXT DEFAULT 'x'", "'y'"),
            ("text-expression", "TEXT DEFAULT ('x')", "'y'"),
            ("text-concat", "TEXT NULL DEFAULT (concat('a','b'))", "'y'"),
            ("text-not-null", "TEXT NOT NULL", "'y'"),
            ("text-empty", "TEXT NOT NULL DEFAULT ('')", "'y'"),
            ("blob-not-null-expression", "BLOB NOT NULL DEFAULT ('x')", "'y'"),
            ("json-not-null-expression", "JSON NOT NULL DEFAULT ('{}')", "'[1]'"),
            ("json-default", "JSON NOT NULL DEFAULT '{}'", "'[1]'"),
            ("longtext-json-array", "LONGTEXT DEFAULT (json_array())", "'[1]'"),
            ("point-expression", "POINT NULL DEFAULT (point(1, 2))", "POINT(3, 4)"),
            ("expression", "INT NULL DEFAULT (1 + 1)", "5"),
            ("varchar-concat", "VARCHAR(9) NOT NULL DEFAULT (concat('a', 'b'))", "'z'"),
            ("default-of-column", "INT NULL DEFAULT (a + 1)", "5"),
            ("default-of-key", "INT NOT NULL DEFAULT (id)", "5"),
            ("curdate", "DATE NULL DEFAULT (curdate())", "'2024-01-02'"),
            ("curdate-not-null", "DATE NOT NULL DEFAULT (curdate())", "'2024-01-02'"),
            ("user-default", "VARCHAR(200) NULL DEFAULT (user())", "'z'"),
            ("database-default", "VARCHAR(200) NULL DEFAULT (database())", "'z'"),
            ("server-id-default", "INT NULL DEFAULT (@@server_id)", "5"),
            ("from-unixtime", "TIMESTAMP NULL DEFAULT (from_unixtime(5))", "'2024-01-02 03:04:05'"),
        )
    ),
    # -- NULL, defaults
    Change(
        "null-to-not-null",
        "a INT NULL DEFAULT 1",
        "MODIFY COLUMN a INT NOT NULL DEFAULT 1",
        ("(id, a) VALUES (1, 5)", "(id, a) VALUES (2, NULL)"),
        ("(id, a) VALUES (1, 5)", "(id, a) VALUES (2, 6)"),
    ),
    Change(
        "not-null-to-null",
        "a INT NOT NULL DEFAULT 1",
        "MODIFY COLUMN a INT NULL DEFAULT 1",
        ("(id, a) VALUES (1, 5)", "(id, a) VALUES (2, 6)"),
        ("(id, a) VALUES (1, 5)", "(id, a) VALUES (2, NULL)"),
    ),
    Change(
        "default",
        "a INT NULL DEFAULT 1",
        "ALTER COLUMN a SET DEFAULT 2",
        ("(id) VALUES (1)", "(id) VALUES (2)"),
        ("(id) VALUES (1)", "(id) VALUES (2)"),
    ),
    # -- time
    Change(
        "datetime-fraction",
        "a DATETIME NULL",
        "MODIFY COLUMN a DATETIME(6) NULL",
        ("(id, a) VALUES (1, '2024-01-02 03:04:05')", "(id, a) VALUES (2, '1000-01-01 00:00:00')"),
        ("(id, a) VALUES (1, '2024-01-02 03:04:05.678901')", "(id, a) VALUES (2, '2024-01-02 03:04:05')"),
    ),
    Change(
        "datetime-no-fraction",
        "a DATETIME(6) NULL",
        "MODIFY COLUMN a DATETIME NULL",
        ("(id, a) VALUES (1, '2024-01-02 03:04:05.678901')", "(id, a) VALUES (2, '2024-01-02 03:04:05')"),
        ("(id, a) VALUES (1, '2024-01-02 03:04:05')", "(id, a) VALUES (2, '1000-01-01 00:00:00')"),
    ),
    Change(
        "timestamp-to-datetime",
        "a TIMESTAMP NULL",
        "MODIFY COLUMN a DATETIME NULL",
        ("(id, a) VALUES (1, '2024-01-02 03:04:05')", "(id, a) VALUES (2, NULL)"),
        ("(id, a) VALUES (1, '2024-01-02 03:04:05')", "(id, a) VALUES (2, '1000-01-01 00:00:00')"),
    ),
    Change(
        "date-to-datetime",
        "a DATE NULL",
        "MODIFY COLUMN a DATETIME NULL",
        ("(id, a) VALUES (1, '2024-01-02')", "(id, a) VALUES (2, NULL)"),
        ("(id, a) VALUES (1, '2024-01-02 03:04:05')", "(id, a) VALUES (2, '1000-01-01 00:00:00')"),
    ),
    # -- generated columns
    Change(
        "add-generated-virtual",
        "a INT NULL",
        "ADD COLUMN g INT GENERATED ALWAYS AS (a + 1) VIRTUAL",
        *both("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 7)"),
    ),
    Change(
        "add-generated-stored",
        "a INT NULL",
        "ADD COLUMN g INT GENERATED ALWAYS AS (a + 1) STORED",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 2147483647)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 7)"),
    ),
    Change(
        "drop-generated-stored",
        "a INT NULL, g INT GENERATED ALWAYS AS (a + 1) STORED",
        "DROP COLUMN g",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 7)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 2147483647)"),
    ),
    Change(
        "generated-stored-to-plain",
        "a INT NULL, g INT GENERATED ALWAYS AS (a + 1) STORED",
        "MODIFY COLUMN g INT NULL",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 7)"),
        ("(id, a, g) VALUES (1, 1, 50)", "(id, a, g) VALUES (2, 7, 60)"),
    ),
    # -- keys, constraints, partitions, engine
    Change("add-index", _PLAIN, "ADD INDEX i (a)", *_TWO),
    Change("drop-index", "a INT NULL, b VARCHAR(20) NULL, INDEX i (a)", "DROP INDEX i", *_TWO),
    Change(
        "add-unique",
        _PLAIN,
        "ADD UNIQUE INDEX u (a)",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 3)", "(id, a) VALUES (3, 3)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 3)"),
    ),
    Change(
        "drop-unique",
        "a INT NULL, UNIQUE INDEX u (a)",
        "DROP INDEX u",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 3)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 3)", "(id, a) VALUES (3, 3)"),
    ),
    Change(
        "add-primary-key",
        "a INT NULL",
        "ADD PRIMARY KEY (id)",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 1)", "(id, a) VALUES (2, 1)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 1)"),
        key="id INT NOT NULL",
    ),
    Change(
        "drop-primary-key",
        "a INT NULL",
        "DROP PRIMARY KEY",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 1)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 1)", "(id, a) VALUES (2, 1)"),
    ),
    Change(
        "add-check",
        "a INT NULL",
        "ADD CONSTRAINT k CHECK (a > 0)",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, -1)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 2)"),
    ),
    Change(
        "drop-check",
        "a INT NULL, CONSTRAINT k CHECK (a > 0)",
        "DROP CONSTRAINT k",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 2)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, -1)"),
    ),
    Change(
        "add-partitions",
        "a INT NULL",
        "PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN (1000))",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2000, 1)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (20, 1)"),
    ),
    Change(
        "remove-partitions",
        "a INT NULL",
        "REMOVE PARTITIONING",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (20, 1)"),
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2000, 1)"),
        tail=" PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS "
        "THAN (1000))",
    ),
    Change(
        "engine",
        "a INT NULL",
        "ENGINE=MyISAM",
        *both("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 7)"),
        tail=" ENGINE=InnoDB",
    ),
    # -- rows go without row events
    Change(
        "replace-table",
        _PLAIN,
        "",
        *_TWO,
        sql="CREATE OR REPLACE TABLE t (id INT NOT NULL PRIMARY KEY, a INT NULL, b VARCHAR(20) NULL) "
        "DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci",
    ),
    Change(
        "replace-table-wider",
        _PLAIN,
        "",
        *_TWO,
        sql="CREATE OR REPLACE TABLE t (id INT NOT NULL PRIMARY KEY, a INT NULL, b VARCHAR(20) NULL, "
        "c INT NULL) DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci",
    ),
    Change(
        "ignore-unique",
        "a INT NOT NULL DEFAULT 1, b VARCHAR(20) NULL",
        "",
        ("(id, a) VALUES (1, 3)", "(id, a) VALUES (2, 4)"),
        ("(id, a) VALUES (1, 3)", "(id, a) VALUES (2, 4)"),
        sql="ALTER IGNORE TABLE t ADD UNIQUE INDEX u (a)",
    ),
    # -- several at once, and as rewritten
    Change(
        "widen-and-add-last",
        "a INT NULL",
        "MODIFY COLUMN a BIGINT NULL, ADD COLUMN c INT NULL",
        _INT[0],
        ("(id, a, c) VALUES (1, 1, 5)", "(id, a, c) VALUES (2, 9223372036854775807, 6)"),
    ),
    Change(
        "widen-and-narrow",
        "a INT NULL, b BIGINT NULL",
        "MODIFY COLUMN a BIGINT NULL, MODIFY COLUMN b INT NULL",
        ("(id, a, b) VALUES (1, 1, 9223372036854775807)", "(id, a, b) VALUES (2, 2147483647, 1)"),
        ("(id, a, b) VALUES (1, 9223372036854775807, 1)", "(id, a, b) VALUES (2, 1, 2147483647)"),
    ),
    Change(
        "add-last-and-unique",
        "a INT NULL",
        "ADD COLUMN c INT NULL, ADD UNIQUE INDEX u (a)",
        ("(id, a) VALUES (1, 1)", "(id, a) VALUES (2, 3)", "(id, a) VALUES (3, 3)"),
        ("(id, a, c) VALUES (1, 1, 1)", "(id, a, c) VALUES (2, 3, 2)"),
    ),
)
