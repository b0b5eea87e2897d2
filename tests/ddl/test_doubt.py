"""Statements that define nothing in front of a definition: which may stop the client, and which run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from schemacheck.catalog import read
from schemacheck.inputs import open_schema
from schemacheck.model import Server
from schemacheck.sql import words

BOTH = [Server.parse("mysql-9.7"), Server.parse("mariadb-11.8")]
BEFORE, BEHIND = "CREATE TABLE t (a INT);\n", "\nALTER TABLE t MODIFY a BIGINT;"
STOP = [
    # no parser reads it
    "SELECT (1;", "INSERT INTO t VALUES (1;", "SELECT 'a;", "FROB x;",
    # a table that is not there
    "INSERT INTO missing VALUES (1);", "REPLACE missing VALUES (1);", "UPDATE missing SET a = 1;",
    "DELETE FROM missing;", "DELETE FROM `missing` WHERE a = 1;", "TRUNCATE missing;",
    "INSERT IGNORE INTO t2 SELECT 1;",
    "INSERT INTO other.x VALUES (1);", "SELECT * FROM missing;", "INSERT INTO t SELECT * FROM missing;",
    "INSERT INTO t (a) SELECT * FROM (SELECT 1) y WHERE NOT EXISTS (SELECT 1 FROM missing);",
    "CREATE VIEW v AS SELECT * FROM missing;", "DESC missing;", "SHOW CREATE TABLE missing;",
    # a query over tables, which may fail in many ways
    "UPDATE t SET a = 1 WHERE a IN (SELECT a FROM t);", "INSERT INTO t SELECT a FROM t, t AS u;",
    "CREATE TABLE u (b INT); INSERT INTO u (b) SELECT b FROM t;", "INSERT INTO t SELECT t.* FROM t;",
    "CREATE TABLE u (b INT, c INT); INSERT INTO t SELECT * FROM u;", "INSERT INTO t SELECT a, 1 FROM t;",
    "INSERT INTO t (a) SELECT * FROM (SELECT 1, 2) y;", "SELECT COUNT(a);",
    "DELETE FROM t WHERE NOT EXISTS (SELECT 1 FROM t);",
    "INSERT INTO t VALUES (COUNT(1));", "INSERT INTO t VALUES ((SELECT 1, 2));", "UPDATE t SET a = COUNT(*);",
    "SELECT a, COUNT(*) FROM t;", "SELECT 1 UNION SELECT 1, 2;",
    "UPDATE t SET t.a = u.a;", "SELECT ARRAY_AGG(1);", "SELECT INITCAP('a');", "SELECT SLEEP();",
    "INSERT INTO t (a) VALUES (1 + 1, 2);", f"UPDATE t SET nocol = 1 /* {' ' * 30_000} */;",
    "CREATE ALGORITHM=MERGE VIEW v AS SELECT * FROM missing;",
    "CREATE VIEW v AS SELECT nofunc(a) AS x FROM t;",
    "/*!50001 CREATE ALGORITHM=MERGE VIEW v AS SELECT * FROM missing */;",
    "CREATE TABLE u (b INT); INSERT INTO u VALUES ((SELECT t.b FROM t));",
    "CREATE TABLE u (b INT); INSERT INTO u VALUES ((SELECT b FROM u));",
    "CREATE TABLE u (b INT); UPDATE t JOIN u ON u.b = t.a SET t.b = 1;",
    "SELECT * FROM t ORDER BY 9;", "SELECT * FROM t USE INDEX (k);", "SELECT t.a FROM t x;",
    "SELECT * FROM t LIMIT -1;", "SELECT *;", "SELECT * FROM DUAL;", "SELECT 1 FROM dual d;",
    "DELETE FROM dual;", "SELECT a, * FROM t;", "SELECT 1 FROM `dual`;", "INSERT INTO dual VALUES (1);",
    "INSERT INTO t SELECT a FROM dual;", "SELECT 1 FROM DUAL LIMIT 18446744073709551616;",
    "INSERT INTO t SELECT 1 FROM (SELECT 1);", "INSERT INTO t SELECT a + 1;",
    "INSERT INTO t SELECT 1 FROM `dual` WHERE EXISTS (SELECT 1 FROM DUAL);",
    "INSERT INTO t SELECT t.a FROM t x WHERE NOT EXISTS (SELECT * FROM t);",
    "INSERT INTO t SELECT 1 FROM DUAL WHERE NOT EXISTS (SELECT b FROM t);",
    "CREATE TABLE u (b INT, c INT); INSERT INTO u SELECT * FROM (SELECT 1, '1') y;",
    "INSERT INTO t VALUES (SHA2('x'));", "INSERT INTO t VALUES (REPLACE('a', 'b'));",
    "UPDATE t SET a = NOW() + INTERVAL '1 DAY';", "UPDATE t SET a = NOW() + INTERVAL 1 DAYS;",
    # a column, a value, a function or another object that is not there
    "UPDATE t SET nocol = 1;", "DELETE FROM t WHERE nocol = 1;", "REPLACE INTO t (a, b) VALUES (1, 2);",
    "INSERT INTO t VALUES (1, 2);", "CREATE VIEW v AS SELECT b FROM t;", "SELECT nofunc();", "DO nofunc();",
    "SET @x = nofunc();", "SET @x = NOW ();", "SET @x = UUID(); SET sql_notes = @x;",
    "DROP TRIGGER x;", "DROP FUNCTION f;", "DROP PROCEDURE p;", "DROP EVENT e;",
    "ALTER EVENT e ENABLE;", "ROLLBACK TO nosp;", "DEALLOCATE PREPARE nos;", "PREPARE s FROM 'nonsense';",
    "PREPARE s FROM 'SELECT 1'; DEALLOCATE PREPARE s;",
    "CREATE TABLE n (a INT NOT NULL, b INT); INSERT INTO n (b) VALUES (1);",
    "GRANT SELECT ON x.* TO nobody@nowhere;", "DROP USER a;", "SET PASSWORD FOR nobody = 'x';",
    # a setting that is not there, or that the server does not take
    "SET nosuchvar = 1;", "SET GLOBAL nosuch = 1;", "SET SESSION foo.bar = 1;", "SET NAMES nosuch;",
    "SET character_set_client = ucs2;", "SET ROLE nosuch;", "SET STATEMENT nosuch = 1 FOR SELECT 1;",
    "SET tx_read_only = 1;", "SET sql_safe_updates = 1; UPDATE t SET a = 1;",
    # nothing is defined behind it
    "LOCK TABLES t READ;", "LOCK TABLES t WRITE, t READ;", "XA START 'x';", "SELECT 1 FROM;", "FLUSH NOSUCH;",
    "SIGNAL SQLSTATE '45000';", "KILL 1;", "SHUTDOWN;", "SET SESSION TRANSACTION READ ONLY;",
    "FLUSH TABLES WITH READ LOCK;", "LOCK TABLES t WRITE; CREATE TABLE u (a INT);",
    # settings that change what statements mean
    "SET sql_mode = @unset;", "SET sql_mode = 'FOO';", "SET foreign_key_checks = (SELECT 1);",
    # client and parser
    "CREATE PROCEDURE p() SELECT 1//\nSELECT 2;", "CREATE PROCEDURE p() BEGIN SELECT 1; END;",
    "CREATE PROCEDURE p(a INT) COMMENT 'x' NOT DETERMINISTIC garbage;",
    "DROP DATABASE IF EXISTS e; USE e;", "CALL p();", "SOURCE x.sql;", "EXECUTE s;",
    # forms that servers refuse
    "SELECT 1 INTO @a, @b;", "INSERT INTO t (a, a) VALUES (1, 2);",
    "CREATE VIEW v AS SELECT a FROM t WHERE @x = 1;",
    "BEGIN; SET TRANSACTION ISOLATION LEVEL READ COMMITTED; COMMIT;", "BEGIN; SET sql_log_bin = 0; COMMIT;",
]  # fmt: skip
RUN = [
    "SET @id = LAST_INSERT_ID(), @now := NOW(); INSERT INTO t VALUES (@id);",
    "SELECT * FROM t; SELECT COUNT(*) FROM t WHERE a > 1; SELECT a FROM t LIMIT 5; SELECT 1 FROM DUAL;",
    "INSERT INTO t (a) SELECT 1 FROM DUAL WHERE NOT EXISTS (SELECT * FROM t WHERE a = 1) LIMIT 1;",
    "INSERT INTO t (a) SELECT * FROM (SELECT 1) AS y WHERE NOT EXISTS (SELECT a FROM t WHERE a = 1) LIMIT 1;",
    "CREATE TABLE u (b TEXT); INSERT INTO u VALUES (SHA2('x', 256)), (REPLACE(UUID(), '-', '')), (USER());",
    "UPDATE t SET a = NOW() - INTERVAL 1 DAY WHERE a = NOW() + INTERVAL '2' HOUR;",
    "SELECT 1;", "INSERT t VALUES(1);", "INSERT t VALUES(1); TRUNCATE `t`;",
    "DELETE QUICK FROM t;", "UPDATE t SET a=1 ORDER BY a LIMIT 1;",
    "INSERT INTO t VALUES (_binary 'a\\'\nb'),(0x12),(NULL),(-1.5e3),(2);",
    "SET @o = @@sql_notes; SET sql_notes = IFNULL(@o, 1), sql_mode = IFNULL(@never, '');",
    "LOCK TABLES t WRITE; INSERT INTO t VALUES (1); UNLOCK TABLES;", "LOCK TABLES t WRITE;",
    "BEGIN; INSERT INTO t VALUES (1); COMMIT; START TRANSACTION READ ONLY; ROLLBACK;",
    "FLUSH PRIVILEGES; DO SLEEP(0); DO RELEASE_LOCK('x'); CREATE USER IF NOT EXISTS 'u'@'localhost';",
    "SET sql_safe_updates = 0; UPDATE t SET a = COALESCE(t.a, 0) + 1 WHERE a > 3 AND t.a < 9;",
    "INSERT INTO t (a) SELECT * FROM (SELECT 1) y WHERE NOT EXISTS (SELECT 1 FROM t WHERE a = 2);",
    "INSERT INTO t (a) SELECT * FROM (SELECT 1 AS a) y WHERE (SELECT COUNT(*) FROM t) = 0;",
    "CREATE TABLE u LIKE t; INSERT INTO u SELECT * FROM t;",
    "INSERT INTO t (a) SELECT t.a FROM t WHERE a > 2;",
    "SELECT 'done' AS info; SELECT NOW(), CONCAT('a', 'b');", "DELETE FROM t WHERE a IS NULL OR a IN (1, 2);",
    "CREATE ALGORITHM=MERGE VIEW v (x) AS SELECT a FROM t WHERE a > 1 WITH CASCADED CHECK OPTION;",
    "CREATE VIEW v AS SELECT a AS x FROM t; CREATE VIEW w AS SELECT v.x FROM v JOIN t ON t.a = v.x;",
    "CREATE PROCEDURE p() SELECT 1; DROP PROCEDURE p; DROP PROCEDURE IF EXISTS q;",
    "INSERT INTO t (a) VALUES (1 + 2), (NULL) ON DUPLICATE KEY UPDATE a = VALUES(a);",
    "CREATE TABLE u (b INT, c TEXT); INSERT INTO u VALUES ((SELECT a FROM t WHERE a = 1 LIMIT 1), MD5('x'));",
    "CREATE TABLE u (b INT); UPDATE t x JOIN u ON u.b = x.a SET x.a = 1 WHERE u.b > 2;",
    "CREATE TABLE u (b INT); DELETE t FROM t LEFT JOIN u ON u.b = t.a WHERE u.b IS NULL;",
]  # fmt: skip


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize("statement", STOP, ids=lambda text: text[:60])
def test_what_may_stop_the_client_hides_what_follows(statement: str, server: Server) -> None:
    found = [
        one for one in read(f"{BEFORE}{statement}{BEHIND}", server, database="d").problems if not one.skipped
    ]
    assert found
    assert min(one.location.line or 0 for one in found if one.location) >= 2


@pytest.mark.parametrize(
    ("server", "mode", "number"),
    [
        ("mysql-5.7", "NO_AUTO_CREATE_USER", None), ("mysql-8.0", "NO_AUTO_CREATE_USER", 1231),
        ("mysql-9.7", "EMPTY_STRING_IS_NULL", 1231), ("mariadb-11.8", "NO_AUTO_CREATE_USER", None),
        ("mariadb-11.8", "TIME_TRUNCATE_FRACTIONAL", 1231),
    ],
)  # fmt: skip
def test_a_mode_that_the_server_has_not(server: str, mode: str, number: int | None) -> None:
    """Each mode asked of four servers; a dump says what its own server had, and passes."""
    text = f"SET @o = @@sql_mode, sql_mode = 'STRICT_TRANS_TABLES,{mode}'; CREATE TABLE t (a INT);"
    problems = read(text, Server.parse(server)).problems
    assert [problem.refusal and problem.refusal.number for problem in problems] == [number] * bool(number)
    assert not read(text, Server.parse(server), dumped=True).problems


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize("statement", RUN)
def test_other_statements_are_taken_to_run(statement: str, server: Server) -> None:
    schema = read(f"{BEFORE}{statement}\nALTER TABLE t ADD KEY k (a);", server, database="d")
    assert not schema.problems
    assert next(table for table in schema.tables if table.name == "t").keys[-1].name == "k"


TAKEN = ["INSERT INTO t VALUES (1);", "CREATE TRIGGER r AFTER INSERT ON t FOR EACH ROW SET NEW.a = 1;",
         "CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN b;",
         "CREATE EVENT e ON SCHEDULE EVERY 0 SECOND DO SELECT 1;"]  # fmt: skip
CORRECTIONS = ["MODIFY a BIGINT", "ADD b INT, DROP COLUMN a", "ADD b INT", "DROP KEY k",
               "PARTITION BY HASH(a)", "ENGINE=MyISAM", "RENAME TO u"]  # fmt: skip


@pytest.mark.parametrize("statement", TAKEN)
@pytest.mark.parametrize("change", [f"ALTER TABLE t {change}" for change in CORRECTIONS] + [
    "DROP INDEX k ON t", "DROP TABLE t; CREATE TABLE t (a BIGINT)", "RENAME TABLE t TO u",
    f"ALTER /* {' ' * 1000} */ TABLE t MODIFY a BIGINT"])  # fmt: skip
def test_a_correction_behind_what_is_taken_to_run_is_no_answer(statement: str, change: str) -> None:
    """Rows and bodies may be refused, and the client stops there: the table is what it was."""
    text = f"CREATE TABLE t (a INT, KEY k (a));\n{statement}\n{change};"
    schema = read(text, BOTH[0], database="d")
    problems = [problem.message for problem in schema.problems if not problem.skipped]
    assert len(problems) == 1, problems
    assert "in front of them" in problems[0]


def test_a_dump_adds_keys_behind_its_rows() -> None:
    text = (
        "CREATE TABLE t (a INT NOT NULL, b INT); INSERT INTO t VALUES (1, 2);"
        "ALTER TABLE t ADD PRIMARY KEY (a);"
        "ALTER TABLE t MODIFY a INT NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=2;"
        "ALTER TABLE t ADD CONSTRAINT f FOREIGN KEY (b) REFERENCES t (a); CREATE INDEX i ON t (b, a);"
    )
    schema = read(text, BOTH[1], database="d")
    assert not schema.problems
    assert schema.tables[0].columns[0].auto_increment


@pytest.mark.parametrize("statement", STOP[4:11])
def test_the_statements_of_a_change_are_judged_one_by_one(statement: str) -> None:
    from schemacheck.catalog.steps import steps

    assert not any(step.problems for step in steps(f"{BEFORE}{statement}{BEHIND}", BOTH[0]))
    assert not read(f"{BEFORE}{statement}", BOTH[0], database="d").problems, "nothing follows"


def test_rows_of_dumps_need_no_parser() -> None:
    text = "CREATE TABLE t (a INT, b TEXT); INSERT INTO t VALUES (1,'a;'),(NULL,'b'); CREATE TABLE u (a INT);"
    code = (
        "import sys; from schemacheck.catalog import read; from schemacheck.model import Server\n"
        f"found = read({text!r}, Server.parse('mysql-9.7'))\n"
        "print(len(found.tables), len(found.problems), 'sqlglot' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["2", "0", "False"]


def test_the_account_says_what_was_taken(tmp_path: Path) -> None:
    rows = "CREATE TABLE t (a INT);\nINSERT INTO t (a) VALUES (1);\nUPDATE t SET a = 2;\n"
    (tmp_path / "a.sql").write_text(f"{rows}CREATE TABLE u (a INT);\nDELETE FROM t;\n", "utf-8")
    for path in (tmp_path, tmp_path / "a.sql"):
        (account,) = open_schema(str(path), server=BOTH[0]).files
        assert account.why == (
            "2 statements in front of definitions taken to run (their rows or bodies decide), "
            "the first in line 2"
        )


@pytest.mark.parametrize(
    "table", ["SET sql_mode = 'ORACLE'; CREATE TABLE t (a BLOB)",
              "SET sql_mode = 'MAXDB'; CREATE TABLE t (a INT)",
              "CREATE TABLE t (a oracle_schema.DATE)", "CREATE TABLE t (a mariadb_schema.DATE)",
              "CREATE TABLE t (a maxdb_schema.TIMESTAMP)",
              "CREATE TABLE t (a CHAR(5)) CHARSET=latin2; ALTER TABLE t CONVERT TO CHARACTER SET DEFAULT",
              "CREATE TABLE t (a CHAR(5)) CHARSET=latin2; ALTER TABLE t CHARACTER SET DEFAULT, ADD b INT"],
)  # fmt: skip
def test_what_another_dialect_or_default_means_is_unknown(table: str) -> None:
    found = read(table, BOTH[1], database="d")
    assert found.problems
    assert not found.tables


def test_names_of_an_insert_are_read_in_one_go() -> None:
    # Each name could be cut at every letter.
    assert words.literal_rows(f"INSERT INTO t ({'a' * 50_000}!) VALUES (1)") is None
    assert words.literal_rows(f"INSERT INTO t (a) VALUES ({chr(39) * 50_001})") is None
