"""Queries and data manipulation in front of a definition: where the server refuses one, the client stops."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from schemacheck.catalog import read
from schemacheck.inputs import open_schema
from schemacheck.model import Server

BOTH = [Server.parse("mysql-9.7"), Server.parse("mariadb-11.8")]
BEFORE, BEHIND = "CREATE TABLE t (a INT);\n", "\nALTER TABLE t MODIFY a BIGINT;"
BROKEN = [
    "SELECT 1 FRM t x;", "SELECT * FORM t;", "INSERT INTO t VALUES (1;", "INSERT INTO t (a,) VALUES (1);",
    "UPDATE t SET;", "UPDATE t SET a==1;", "SELECT (1;", "SELECT;", "SELECT FROM;", "SELECT\u00a01;",
    # what may fail by its meaning
    "SELECT * FROM missing;", "SELECT b FROM t;", "SELECT foo();", "SELECT *;", "SELECT 1e999;",
    "SELECT NOW ();",
    "(SELECT 1 FROM missing);", "WITH x AS (SELECT 1) SELECT * FROM x;", "SELECT (SELECT 1 UNION SELECT 2);",
    "INSERT INTO missing VALUES (1);", "INSERT INTO t VALUES (1,2);", "INSERT INTO t (b) VALUES (1);",
    "INSERT INTO t (a, a) VALUES (1, 1);", "INSERT INTO t SELECT 1, 2;", "INSERT INTO t SET b = 1;",
    "UPDATE t SET b = 1;", "UPDATE missing SET a = 1;", "DELETE FROM missing;", "DELETE FROM t WHERE b = 1;",
    "SELECT * FROM (SELECT 1 AS x, 2 AS x) y;", "SELECT * FROM (SELECT b FROM t) y;",
    "SELECT 1 FROM t WHERE (SELECT COUNT(*) FROM missing) = 0;",
    "SELECT 1 INTO @a, @b;", "DO foo();", "DO;", "COMMIT nonsense;", "SET @a = foo();", "SET foo = 1;",
    "SET sql_mode = @unset;", "SET sql_mode = 'FOO';", "SET foreign_key_checks = 'maybe';", "SET NAMES foo;",
    "SET @a = @@foo;", "SET NAMES utf8mb4 COLLATE latin1_bin;", "LOCK TABLES missing WRITE;",
    "LOCK TABLES t READ; INSERT INTO t VALUES (1);", "GRANT nonsense;", "DROP USER;", "SHOW nonsense;",
    "SIGNAL SQLSTATE '45000';", "XA START 'x';", "FLUSH TABLES WITH READ LOCK;", "HANDLER t OPEN;",
    "PREPARE s FROM 'SELECT * FROM missing';", "DEALLOCATE PREPARE s;", "LOAD DATA INFILE 'x' INTO TABLE t;",
    "RELEASE SAVEPOINT x;", "KILL 1;", "INSTALL PLUGIN x SONAME 'x';",

]  # fmt: skip
VALID = [
    "SELECT 1;", "SELECT 'x\u00a0,)';", "SELECT 1 INTO @x;", "SELECT * FROM t FOR UPDATE;",
    "INSERT t VALUES(1);",
    "INSERT LOW_PRIORITY IGNORE INTO t SET a=1;", "DELETE QUICK FROM t;",
    "UPDATE t SET a=1 ORDER BY a LIMIT 1;",
    "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a=VALUES(a);", "REPLACE INTO t SELECT 1;",
    "INSERT INTO t VALUES (_binary 'a\\'\nb'),(0x12),(NULL),(-1.5e3),(2);",
    "INSERT IGNORE INTO d.t (a) VALUES (1), (DEFAULT); REPLACE t VALUES (1);",
    "SET @a = 1, @b = @@sql_mode; SET sql_mode = @b, foreign_key_checks = 0, NAMES utf8mb4;",
    "SELECT a, t.a AS b, NOW(), VERSION(), @x FROM t WHERE a > 1 AND a IS NOT NULL ORDER BY a LIMIT 3;",
    "SET @o = @@sql_notes; SET sql_notes = IFNULL(@o, 1), sql_mode = IFNULL(@never, '');",
    "SELECT COUNT(*) FROM t; SHOW WARNINGS; SHOW VARIABLES LIKE 'x';", "DO 1;",
    "SELECT CONCAT('x: ', @@default_storage_engine, @@version) AS 'INFO';",
    "INSERT INTO t (a) SELECT * FROM (SELECT 1 AS x) y WHERE (SELECT COUNT(*) FROM t) = 0;",
    "LOCK TABLES t WRITE; INSERT INTO t VALUES (1); UNLOCK TABLES;", "LOCK TABLES t WRITE;",
    "BEGIN; INSERT INTO t SELECT a FROM t; COMMIT; START TRANSACTION WITH CONSISTENT SNAPSHOT; ROLLBACK;",
    "GRANT SELECT, INSERT (a) ON d.* TO 'u'@'localhost', v; FLUSH PRIVILEGES; REVOKE ALL ON *.* FROM u@h;",
    "CREATE USER IF NOT EXISTS 'u'@'%' IDENTIFIED BY 'x'; DROP USER IF EXISTS u;",
    "ANALYZE TABLE t; OPTIMIZE LOCAL TABLE d.t, `t`; SAVEPOINT x;",
    "PREPARE s FROM 'SELECT 1'; EXECUTE s; DEALLOCATE PREPARE s;",
]  # fmt: skip


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize("statement", BROKEN)
def test_what_follows_a_broken_statement_is_unknown(statement: str, server: Server) -> None:
    found = read(f"{BEFORE}{statement}{BEHIND}", server, database="d").problems
    assert [(one.location.line, one.skipped) for one in found if one.location][:1] == [(2, False)]
    assert not read(BEFORE + statement, server, database="d").problems, "nothing follows"


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize("statement", VALID)
def test_a_valid_statement_is_no_problem(statement: str, server: Server) -> None:
    assert not read(f"{BEFORE}{statement}{BEHIND}", server, database="d").problems


def test_use_of_a_database_that_the_script_drops() -> None:
    for server in BOTH:
        found = read(
            "DROP DATABASE IF EXISTS e;\nUSE e;CREATE TABLE t (a INT);", server, database="d"
        ).problems
        assert [one.location.line for one in found if one.location] == [2]
        again = "DROP DATABASE IF EXISTS e; CREATE DATABASE e;\nUSE e;CREATE TABLE t (a INT);"
        assert not read(again, server, database="d").problems


def test_rows_of_dumps_need_no_parser() -> None:
    text = "CREATE TABLE t (a INT, b TEXT); INSERT INTO t VALUES (1,'a;'),(NULL,'b'); CREATE TABLE u (a INT);"
    code = (
        "import sys; from schemacheck.catalog import read; from schemacheck.model import Server\n"
        f"found = read({text!r}, Server.parse('mysql-9.7'))\n"
        "print(len(found.tables), len(found.problems), 'sqlglot' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["2", "0", "False"]


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize(
    "statement",
    ["TRUNCATE missing;", "CREATE VIEW v AS SELECT b FROM t;", "CREATE VIEW v AS SELECT 1 FROM missing;",
     "CREATE PROCEDURE p() SELECT 1//\nSELECT 2;", "CREATE PROCEDURE p() BEGIN SELECT 1; END;",
     "LOCK TABLES t WRITE; CREATE TABLE u (a INT);", "LOCK TABLES t READ; ALTER TABLE t ADD b INT;"],
)  # fmt: skip
def test_a_definition_that_may_fail_unseen(statement: str, server: Server) -> None:
    assert read(f"{BEFORE}{statement}{BEHIND}", server, database="d").problems


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE t ADD CHECK (a > > 0)", "ALTER TABLE t ADD c INT DEFAULT (1 1)",
        "CREATE TABLE u (a INT, CHECK (garbage here))", "CREATE VIEW v AS garbage here",
        "CREATE VIEW v AS SELECT FROM", "CREATE VIEW v SELECT a FROM t", "CREATE VIEW v x AS SELECT a FROM t",
        "CREATE VIEW v (a b) AS SELECT a FROM t", "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW garbage",
        "CREATE TRIGGER tr BEFORE INSERT ON missing FOR EACH ROW SET @a = 1",
        "CREATE TRIGGER tr SOMETIME INSERT ON t FOR EACH ROW SET @a = 1",
        "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO garbage", "CREATE PROCEDURE SELECT 1",
        "CREATE PROCEDURE p(a INT) COMMENT 'x' NOT DETERMINISTIC garbage",
        "CREATE DATABASE e; CREATE DATABASE e",
        "CREATE PROCEDURE p() SELECT 1; CREATE PROCEDURE p() SELECT 1", "DROP DATABASE nonesuch",
        "ALTER DATABASE nonesuch CHARACTER SET utf8mb4", "DROP PROCEDURE nonesuch", "DROP FUNCTION nonesuch",
        "DROP TRIGGER nonesuch", "DROP EVENT nonesuch", "ALTER EVENT nonesuch DISABLE",
        "ALTER PROCEDURE nonesuch COMMENT 'x'", "ALTER VIEW nonesuch AS SELECT 1",
        "ALTER TABLE t DROP PARTITION p", "ALTER TABLE t TRUNCATE PARTITION p",
        "ALTER TABLE t DISCARD TABLESPACE",
        "ALTER TABLE t ALGORITHM=nonsense", "ALTER TABLE t ALGORITHM=INSTANT, MODIFY a BIGINT",
        "ALTER TABLE t ALGORITHM=INPLACE, MODIFY a BIGINT",
        "ALTER TABLE t FORCE nonsense", "RENAME TABLE t TO t",
        "CREATE TEMPORARY TABLE u (a nonsense)", "CREATE TEMPORARY TABLE u (a INT, a INT)",
        "CREATE TABLE IF NOT EXISTS t (a nonsense)", "SET SESSION TRANSACTION READ ONLY", "SET NAMES ucs2",
    ],
)  # fmt: skip
def test_a_definition_that_the_server_refuses(statement: str, server: Server) -> None:
    assert any(
        not one.skipped for one in read(f"{BEFORE}{statement};{BEHIND}", server, database="d").problems
    )


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE t ADD CHECK (a > 0 AND (a BETWEEN -1 AND 2 OR a <=> 1) AND NOT a <> - 1)",
        "CREATE TABLE u (a INT, s VARCHAR(9), CHECK (s LIKE 'a' 'b' AND CHAR_LENGTH(s) >= 3))",
        "CREATE TABLE u (a INT, b INT AS (CASE WHEN a = 1 THEN 2 ELSE a * -1 END), CHECK (b IS NOT NULL))",
        "CREATE VIEW v AS SELECT t.a, COUNT(*) AS n FROM t LEFT JOIN t x ON x.a = t.a",
        "DROP DATABASE IF EXISTS e; CREATE DATABASE e; ALTER DATABASE e CHARACTER SET utf8; DROP DATABASE e",
        "DROP PROCEDURE IF EXISTS p; CREATE PROCEDURE p(IN a INT) READS SQL DATA SELECT 1",
        "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1; DROP TRIGGER tr",
        "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t; ALTER EVENT e DISABLE",
        "ALTER TABLE t ADD b INT, ALGORITHM=INPLACE, LOCK=NONE",
        "CREATE TEMPORARY TABLE u (a INT); DROP TABLE u",
    ],
)  # fmt: skip
def test_a_definition_that_the_server_runs(statement: str, server: Server) -> None:
    assert not read(f"{BEFORE}{statement};{BEHIND}", server, database="d").problems


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET NEW.nosuch = 1",
        "CREATE EVENT e ON SCHEDULE EVERY 1 FORTNIGHT DO SELECT 1",
        "CREATE EVENT e ON SCHEDULE EVERY 0 DAY DO SELECT 1",
        "CREATE EVENT e ON SCHEDULE AT 'garbage' DO SELECT 1",
        "CREATE PROCEDURE p(x FOO) SELECT 1",
        "CREATE FUNCTION f(x INT) RETURNS FOO RETURN 1",
        "CREATE FUNCTION f(x INT) RETURN 1",
        "CREATE FUNCTION f RETURNS STRING SONAME 'nosuch.so'",
        "CREATE SEQUENCE s START WITH 1 GARBAGE",
        "CREATE SEQUENCE s MINVALUE 5 MAXVALUE 1",
        "ALTER TABLE t ORDER BY nosuch",
    ],
)
def test_heads_that_servers_refuse(statement: str) -> None:
    """Asked of MariaDB 10.11."""
    found = read(
        f"CREATE TABLE t (a INT);\n{statement};\nALTER TABLE t MODIFY a BIGINT;", Server.parse("mariadb-11.8")
    )
    assert any(not problem.skipped for problem in found.problems)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET NEW.A = OLD_a",
        (
            "CREATE EVENT e ON SCHEDULE EVERY 1 DAY STARTS '2020-01-01 00:00:00' ON COMPLETION NOT PRESERVE "
            "ENABLE COMMENT 'x' DO SELECT 1"
        ),
        "CREATE EVENT e ON SCHEDULE AT CURRENT_TIMESTAMP + INTERVAL 1 HOUR DO SELECT 1",
        "CREATE PROCEDURE p(IN x VARCHAR(10) CHARSET utf8mb4, OUT y INT UNSIGNED, z ENUM('a', 'b')) SELECT 1",
        (
            "CREATE DEFINER=`a`@`b` FUNCTION f(x DECIMAL(5, 2)) RETURNS varchar(20) CHARSET utf8mb4 COLLATE "
            "utf8mb4_bin DETERMINISTIC RETURN 1"
        ),
        (
            "CREATE SEQUENCE `s` start with 1 minvalue 1 maxvalue 9223372036854775806 increment by 1 cache "
            "1000 nocycle ENGINE=InnoDB"
        ),
        "CREATE SEQUENCE s AS INT UNSIGNED NO CYCLE NO MAXVALUE",
        "ALTER TABLE t ORDER BY a DESC",
    ],
)
def test_heads_that_servers_take(statement: str) -> None:
    server = Server.parse("mariadb-11.8")
    found = read(
        f"CREATE TABLE t (a INT);\n{statement};\nALTER TABLE t MODIFY a BIGINT;", server, database="d"
    )
    assert not [problem for problem in found.problems if not problem.skipped]


ROWS = "CREATE TABLE t (a INT, b VARCHAR(3), c INT NOT NULL DEFAULT 1, UNIQUE (a));\n"
#: Statements that a server refuses for rows which the script itself has, and whether its table is unknown.
REFUSED = [
    ("INSERT INTO t (a) VALUES (1); INSERT INTO t (a) VALUES (1);", False),
    ("INSERT INTO t (a) VALUES (7), (+7);", False), ("INSERT INTO t VALUES (1, 'a', NULL);", False),
    ("INSERT INTO t VALUES (1, 'abcd', 1);", False), ("INSERT INTO t (a) VALUES (3000000000);", False),
    ("CREATE TABLE u (x INT, FOREIGN KEY (x) REFERENCES t (a)); INSERT INTO u VALUES (1);", False),
    ("INSERT INTO t VALUES (1, NULL, 1); ALTER TABLE t MODIFY b VARCHAR(3) NOT NULL;", True),
    ("INSERT INTO t VALUES (1, 'abc', 1); ALTER TABLE t MODIFY b VARCHAR(2);", True),
    ("INSERT INTO t VALUES (1, 'a', 1), (2, 'a', 1); ALTER TABLE t ADD UNIQUE (b);", True),
    ("INSERT INTO t (a) VALUES (1), (2); CREATE UNIQUE INDEX x ON t (c);", True),
    ("INSERT INTO t (a) VALUES (500); ALTER TABLE t MODIFY a TINYINT;", True),
]  # fmt: skip
#: Statements that run, or may: how many of them are counted.
TAKEN = [
    ("", 0), ("UPDATE t SET a = 1; DELETE FROM t;", 0), ("INSERT INTO t (a) VALUES (1), (2);", 1),
    ("INSERT INTO t SELECT 1, 2, 3; UPDATE t SET a = 1;", 2),
    ("INSERT IGNORE INTO t (a) VALUES (1), (1); REPLACE INTO t (a) VALUES (1);", 2),
    ("INSERT INTO t (a) VALUES (NULL), (NULL);", 1),
    ("INSERT INTO t (a) VALUES (1); DELETE FROM t; INSERT INTO t (a) VALUES (1);", 2),
    ("INSERT INTO t (a) VALUES (1); TRUNCATE t; INSERT INTO t (a) VALUES (1);", 2),
    ("BEGIN; INSERT INTO t (a) VALUES (1); ROLLBACK; INSERT INTO t (a) VALUES (1);", 2),
    (f"INSERT INTO t (a) VALUES (1); DROP TABLE t; {ROWS} INSERT INTO t (a) VALUES (1);", 2),
    (f"INSERT INTO t (a) VALUES (1); RENAME TABLE t TO u; {ROWS} INSERT INTO t (a) VALUES (1);", 2),
    ("INSERT INTO t VALUES (1, 'a', 1); ALTER TABLE t DROP b, ADD b INT; ALTER TABLE t ADD UNIQUE (b);", 2),
    ("SET sql_mode = ''; INSERT INTO t VALUES (1, 'abcd', 3000000000);", 1),
    ("UPDATE t SET b = 'x' WHERE b IS NULL; ALTER TABLE t MODIFY b VARCHAR(3) NOT NULL;", 0),
    ("SET unique_checks = 0; INSERT INTO t (a) VALUES (1), (1);", 1),
    ("CREATE TABLE u (x INT, FOREIGN KEY (x) REFERENCES t (a)); INSERT INTO u VALUES (NULL);", 1),
    ("INSERT INTO t (a) VALUES (1); ALTER TABLE t ALTER c SET DEFAULT 2; REPLACE INTO t (a) VALUES (2);", 2),
]  # fmt: skip


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize(("script", "own"), REFUSED)
def test_rows_that_a_server_surely_refuses(script: str, own: bool, server: Server) -> None:
    found = read(f"{ROWS}{script}{'' if own else BEHIND}", server, database="d").problems
    assert found
    assert "the server refuses this" in found[0].message
    assert (found[0].table == "t") is own


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize(("script", "count"), TAKEN)
def test_statements_that_are_taken_to_run(script: str, count: int, server: Server) -> None:
    schema = read(f"{ROWS}{script}\nCREATE TABLE z (a INT);", server, database="d")
    assert not schema.problems
    assert sum(one.count for one in schema.taken) == count
    assert not read(f"{ROWS}{script.partition(';')[0]}", server, database="d").taken, "nothing follows"


def test_the_account_says_what_was_taken(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text(f"{ROWS}INSERT INTO t (a) VALUES (1);\nCREATE TABLE u (a INT);", "utf-8")
    for path in (tmp_path, tmp_path / "a.sql"):
        (account,) = open_schema(str(path), server=BOTH[0]).files
        assert account.why == (
            "1 statement in front of definitions taken to run (their rows or bodies decide), "
            "the first in line 2"
        )


FOREIGN = "CONSTRAINT x FOREIGN KEY (a) REFERENCES p (a)"
#: Statements that MariaDB 10.11 was seen to refuse, in front of a definition.
PROGRAMS = [
    "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SELECT 1;",
    "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW SET NEW.a = 1;",
    "CREATE TRIGGER g BEFORE DELETE ON t FOR EACH ROW SET @a = NEW.a;",
    "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW COMMIT;", "CREATE FUNCTION f() RETURNS INT SELECT 1;",
    "CREATE PROCEDURE p() USE mysql;", "CREATE PROCEDURE p() CREATE PROCEDURE q() SELECT 1;",
    "CREATE PROCEDURE p() RETURN 1;", "CREATE VIEW v AS SELECT a FROM t; ALTER TABLE v ADD b INT;",
    "CREATE TABLE u (a INT CHECK ((SELECT 1)));", "CREATE TABLE u (a INT CHECK (a > @x));",
    f"CREATE TABLE p (a INT KEY); CREATE TABLE u (a INT, {FOREIGN}); CREATE TABLE w (a INT, {FOREIGN});",
]  # fmt: skip
#: Bodies that are taken to be read by the server.
BODIES = [
    "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1;",
    "CREATE TRIGGER g AFTER DELETE ON t FOR EACH ROW INSERT INTO t SELECT OLD.a;",
    "CREATE PROCEDURE p() SELECT 1;", "CREATE FUNCTION f() RETURNS INT RETURN 1;",
    """DELIMITER //
    CREATE TRIGGER g BEFORE UPDATE ON t FOR EACH ROW BEGIN DECLARE x INT; SELECT 1 INTO x;
    IF x > 1 THEN SET NEW.a = OLD.a; END IF; DROP TEMPORARY TABLE IF EXISTS y; END//
DELIMITER ;""",
]  # fmt: skip


@pytest.mark.parametrize("statement", PROGRAMS)
def test_programs_that_a_server_refuses(statement: str) -> None:
    assert read(f"{BEFORE}{statement}{BEHIND}", BOTH[1], database="d").problems


@pytest.mark.parametrize("server", BOTH, ids=str)
@pytest.mark.parametrize("statement", BODIES)
def test_bodies_are_taken_to_be_read(statement: str, server: Server) -> None:
    schema = read(f"{BEFORE}{statement}{BEHIND}", server, database="d")
    assert not [one for one in schema.problems if not one.skipped]
    assert sum(one.count for one in schema.taken) == 1
