"""A logged statement without its values."""

from __future__ import annotations

import pytest

from schemacheck.sql.statements.features import normalised

STATEMENTS = [
    ("INSERT INTO t (a, b) VALUES (1, 'x')", "INSERT INTO t (a, b) VALUES (?, ?)"),
    ("INSERT t SET a=1, b = c+1", "INSERT t SET a=?, b = c+?"),
    ("INSERT INTO t VALUES (-1, 0x1F), (NULL, 2e-3)", "INSERT INTO t VALUES (-?, ?), ..."),
    (
        "REPLACE INTO t (a) SELECT b FROM u WHERE x = NOW()",
        "REPLACE INTO t (a) SELECT b FROM u WHERE x = NOW()",
    ),
    ("INSERT IGNORE INTO t (a) VALUES (f(1))", "INSERT IGNORE INTO t (a) VALUES (f(?))"),
    (
        "INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE b = 2",
        "INSERT INTO t (a) VALUES (?) ON DUPLICATE KEY UPDATE b = ?",
    ),
    (
        "UPDATE t SET a = 'it''s', b = DEFAULT WHERE c IN (1,2) ORDER BY d LIMIT 1",
        "UPDATE t SET a = ?, b = DEFAULT WHERE c IN (...) ORDER BY d LIMIT ?",
    ),
    ("UPDATE t SET a = a + 1", "UPDATE t SET a = a + ?"),
    ("UPDATE t, u SET t.a = u.b WHERE t.i = u.i", "UPDATE t, u SET t.a = u.b WHERE t.i = u.i"),
    ("DELETE FROM t FORCE INDEX (k) WHERE a > @x", "DELETE FROM t FORCE INDEX (k) WHERE a > @x"),
    (
        "DELETE FROM t PARTITION (p) WHERE a = CURRENT_DATE",
        "DELETE FROM t PARTITION (p) WHERE a = CURRENT_DATE",
    ),
    ("LOAD DATA INFILE 'f' INTO TABLE t", "LOAD DATA INFILE ? INTO TABLE t"),
    ("CREATE TABLE t (a INT DEFAULT 5)", "CREATE TABLE t (a INT DEFAULT ?)"),
    ("GRANT SELECT ON a.* TO b", "GRANT SELECT ON a.* TO b"),
    ("no statement at all", "no statement at all"),
    (
        "INSERT INTO t (a) VALUES ((SELECT 1 FROM u /* x */ -- y\n))",
        "INSERT INTO t (a) VALUES ((SELECT ? FROM u ))",
    ),
    ("INSERT INTO `t`.`1` (`2`) VALUES ('`', 1.5)", "INSERT INTO `t`.`1` (`2`) VALUES (?, ?)"),
    ("INSERT /*!50000 IGNORE */ INTO t VALUES (1)", "INSERT /*!? IGNORE */ INTO t VALUES (?)"),
]


@pytest.mark.parametrize(("text", "short"), STATEMENTS, ids=lambda text: text[:50])
def test_a_statement_without_its_values(text, short):
    assert normalised(text) == short


def test_quotes_are_those_of_the_sql_mode():
    text = "UPDATE t SET a = \"x\" WHERE b = 'c:\\'"
    assert normalised(text, backslash=False) == "UPDATE t SET a = ? WHERE b = ?"
    assert normalised(text, ansi_quotes=True, backslash=False) == 'UPDATE t SET a = "x" WHERE b = ?'


@pytest.mark.parametrize(
    "value", ["'a'", "'a''b'", "'\\''", "1", "-1.5", ".5", "0xFF", "b'1'", "x'00'", "1e5", "N'x'"]
)
def test_no_value_is_left(value):
    assert normalised(f"INSERT INTO t1 (a1) VALUES ({value},{value})").replace("-", "") == (
        "INSERT INTO t1 (a1) VALUES (?,?)"
    )
    assert normalised(f"UPDATE t1 SET a1={value}").replace("-", "") == "UPDATE t1 SET a1=?"
