"""A third set of link cases: workloads that `cases.py` and `aspects.py` do not have (triggers, character sets
of data, dates, transactions, prepared statements, partitions, databases, logins, objects), and combinations
of two or three cases of all sets.

`for_pair(source, replica)` gives the cases of two of the five recorded servers, in the form of `cases.py`.
"""

# Statements are one literal each, as the servers are asked.
# ruff: noqa: E501, Q003

from __future__ import annotations

import random
import zlib
from typing import Any

from tests.link import aspects, cases
from tests.link.aspects import D5, FORMATS
from tests.link.cases import M97, Maker, T

ONE = "INSERT INTO t VALUES (1,'a','b')"
LAST = "INSERT INTO t VALUES (99,'z','z')"
LOGGED = "CREATE TABLE log (n INT AUTO_INCREMENT PRIMARY KEY, w VARCHAR(40))"
#: (name, tables, statements): every one is asked in the three formats over the pairs.
WORKLOADS: tuple[tuple[str, list[str], list[str]], ...] = (
    ("trigger writes", [T[0], LOGGED, "CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW INSERT INTO log (w) VALUES (NEW.v)"], [ONE, "INSERT INTO t VALUES (2,'c','d'),(3,'e','f')"]),
    ("trigger of uuid", [T[0], LOGGED, "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.v=LEFT(UUID(),8)"], [ONE]),
    ("trigger signals", [T[0], "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN IF NEW.id=5 THEN SIGNAL SQLSTATE '45000'; END IF; END"], [ONE, LAST]),
    ("cascade", ["CREATE TABLE p (id INT PRIMARY KEY)", "CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE)"], ["INSERT INTO p VALUES (1),(2)", "INSERT INTO c VALUES (1,1),(2,2)", "UPDATE p SET id=9 WHERE id=1", "DELETE FROM p WHERE id=2"]),
    ("multi-table", [T[0], "CREATE TABLE u (id INT PRIMARY KEY, v VARCHAR(20))"], [ONE, "INSERT INTO u VALUES (1,'q')", "UPDATE t JOIN u USING (id) SET t.v=u.v, u.v='done'", "DELETE t, u FROM t JOIN u USING (id)", LAST]),
    ("view", [T[0], "CREATE VIEW w AS SELECT id, v FROM t WHERE id<50"], ["INSERT INTO w VALUES (3,'q')", "UPDATE w SET v='r' WHERE id=3", "DELETE FROM w WHERE id=3", LAST]),
    ("other database", T, ["CREATE DATABASE d3", "CREATE TABLE d3.x (a INT PRIMARY KEY, v VARCHAR(9))", "INSERT INTO d3.x VALUES (1,'ä')", "USE d3", "UPDATE x SET v='b'", "INSERT INTO d.t SELECT a, v, v FROM x", "DROP DATABASE d3"]),
    ("quoted database", T, ["CREATE DATABASE `a-b`", "CREATE TABLE `a-b`.`x y` (`a b` INT PRIMARY KEY)", "INSERT INTO `a-b`.`x y` VALUES (1)"]),
    ("drop the database", T, [ONE, "DROP DATABASE d", "CREATE DATABASE d", "CREATE TABLE d.q (a INT PRIMARY KEY)", "INSERT INTO d.q VALUES (1)"]),
    ("savepoints", T, ["BEGIN", ONE, "SAVEPOINT a", "INSERT INTO t VALUES (2,'c','d')", "ROLLBACK TO SAVEPOINT a", "INSERT INTO t VALUES (3,'e','f')", "RELEASE SAVEPOINT a", "COMMIT"]),
    ("transaction and definition", T, ["START TRANSACTION", ONE, "CREATE TABLE n (a INT PRIMARY KEY)", "INSERT INTO n VALUES (1)", "ROLLBACK", LAST]),
    ("consistent snapshot", T, ["START TRANSACTION WITH CONSISTENT SNAPSHOT", ONE, "COMMIT AND CHAIN", "UPDATE t SET v='n'", "COMMIT"]),
    ("autocommit off", T, ["SET autocommit=0", ONE, "UPDATE t SET v='m'", "COMMIT", "INSERT INTO t VALUES (2,'x','x')", "ROLLBACK", "SET autocommit=1"]),
    ("lock tables", T, ["LOCK TABLES t WRITE", ONE, "UNLOCK TABLES", LAST]),
    ("myisam", [T[0].replace("InnoDB", "MyISAM")], [ONE, "BEGIN", "UPDATE t SET v='q'", "ROLLBACK", "INSERT DELAYED INTO t VALUES (7,'d','d')", LAST]),
    ("prepared", T, ["SET @s='INSERT INTO t VALUES (?,?,?)'", "PREPARE p FROM @s", "SET @a=4, @b='u', @c='w'", "EXECUTE p USING @a, @b, @c", "DEALLOCATE PREPARE p"]),
    ("user variables", T, ["SET @a=7, @b=CONCAT('x','y'), @c=NULL, @d=1.5", "INSERT INTO t VALUES (@a,@b,@c)", "UPDATE t SET v=@d", "INSERT INTO t VALUES (8, @undefined, @a+1)"]),
    ("variable in a query", T, ["SET @n=0", ONE, "UPDATE t SET v=(@n:=@n+1)"]),
    ("string variable latin1", T, ["SET @x=_latin1'abc'", "INSERT INTO t VALUES (1,@x,@x)"]),
    ("binary variable", T, ["SET @x=x'00FF41'", "INSERT INTO t VALUES (1,'v',@x)"]),
    ("last insert id", ["CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(20))", "CREATE TABLE u (id INT PRIMARY KEY)"], ["INSERT INTO t (v) VALUES ('a')", "INSERT INTO u VALUES (LAST_INSERT_ID())", "INSERT INTO t (v) VALUES ('b'),('c')", "UPDATE t SET v='d' WHERE id=LAST_INSERT_ID()"]),
    ("rand", T, ["INSERT INTO t VALUES (1, FLOOR(RAND()*1000000), 'x')", "INSERT INTO t VALUES (2, FLOOR(RAND(5)*1000000), 'x')"]),
    ("now", ["CREATE TABLE t (id INT PRIMARY KEY, a DATETIME, b DATE, c TIME)"], ["INSERT INTO t VALUES (1, NOW(), CURDATE(), CURTIME())", "INSERT INTO t VALUES (2, UTC_TIMESTAMP(), CURRENT_DATE, '10:11:12')"]),
    ("connection functions", T, ["INSERT INTO t VALUES (1, CONNECTION_ID(), 'x')", "INSERT INTO t VALUES (2, CURRENT_USER(), 'x')", "INSERT INTO t VALUES (3, DATABASE(), 'x')"]),
    ("get_lock", T, ["DO GET_LOCK('a',0)", "INSERT INTO t VALUES (1, IS_FREE_LOCK('a'), 'x')", "DO RELEASE_LOCK('a')"]),
    ("found rows", T, [ONE, "INSERT INTO t VALUES (2, ROW_COUNT(), 'x')"]),
    ("zero dates", ["CREATE TABLE t (id INT PRIMARY KEY, a DATE, b DATETIME)"], ["SET SESSION sql_mode=''", "INSERT INTO t VALUES (1,'0000-00-00','2020-00-00 00:00:00')", "UPDATE t SET a='2021-02-30'"]),
    ("bad values without strict mode", ["CREATE TABLE t (id INT PRIMARY KEY, a TINYINT, b VARCHAR(3), c ENUM('x','y'))"], ["SET SESSION sql_mode=''", "INSERT INTO t VALUES (1,300,'abcdef','q')", "UPDATE t SET a='12x'"]),
    ("bad values ignored", ["CREATE TABLE t (id INT PRIMARY KEY, a TINYINT, b VARCHAR(3))"], ["INSERT IGNORE INTO t VALUES (1,300,'abcdef')", "INSERT IGNORE INTO t VALUES (1,3,'a'),(2,4,'b')"]),
    ("division by zero", ["CREATE TABLE t (id INT PRIMARY KEY, a INT)"], ["SET SESSION sql_mode=''", "INSERT INTO t VALUES (1,5 DIV 0)", "INSERT INTO t VALUES (2, MOD(5,0))"]),
    ("quotes", T, ["SET SESSION sql_mode='ANSI_QUOTES'", "INSERT INTO \"t\" VALUES (1,'a','b')", "CREATE TABLE \"n\" (\"a\" INT PRIMARY KEY)"]),
    ("no backslash", T, ["SET SESSION sql_mode='NO_BACKSLASH_ESCAPES'", "INSERT INTO t VALUES (1,'a\\','b')", "UPDATE t SET v='\\n'"]),
    ("pipes", T, ["SET SESSION sql_mode='PIPES_AS_CONCAT'", "INSERT INTO t VALUES (1,'a'||'b','c')"]),
    ("oracle", T, ["SET SESSION sql_mode='ORACLE'", ONE, "UPDATE t SET v='o'"]),
    ("types", ["CREATE TABLE t (id INT PRIMARY KEY, a BIT(9), b DECIMAL(30,10), c DOUBLE, d SET('a','b','c'), e TIME(3), f YEAR, g BINARY(4), h BIGINT UNSIGNED)"], ["INSERT INTO t VALUES (1,b'101',12345.6789,1.5e10,'a,c','10:11:12.500',2020,'ab',18446744073709551615)", "UPDATE t SET a=b'1', d='b'"]),
    ("spatial", ["CREATE TABLE t (id INT PRIMARY KEY, g GEOMETRY)"], ["INSERT INTO t VALUES (1, ST_GeomFromText('POINT(1 2)'))", "UPDATE t SET g=POINT(3,4)", "INSERT INTO t VALUES (2, LINESTRING(POINT(0,0),POINT(1,1)))"]),
    ("generated", ["CREATE TABLE t (id INT PRIMARY KEY, a INT)"], ["CREATE TABLE n (id INT PRIMARY KEY, a INT, b INT GENERATED ALWAYS AS (a*2) STORED)", "INSERT INTO n (id,a) VALUES (1,2)", "UPDATE n SET a=3"]),
    ("check", ["CREATE TABLE t (id INT PRIMARY KEY, a INT)"], ["CREATE TABLE n (id INT PRIMARY KEY, a INT, CHECK (a>0))", "INSERT INTO n VALUES (1,2)", "INSERT INTO n VALUES (2,3)"]),
    ("no key", ["CREATE TABLE t (id INT, v VARCHAR(20), b BLOB)"], [ONE, "INSERT INTO t VALUES (1,'a','b')", "UPDATE t SET v='q' LIMIT 1", "DELETE FROM t"]),
    ("replace", [T[0].replace("v VARCHAR(20)", "v VARCHAR(20) UNIQUE")], [ONE, "REPLACE INTO t VALUES (2,'a','c')", "INSERT INTO t VALUES (2,'q','r') ON DUPLICATE KEY UPDATE b='u'"]),
    ("long text", ["CREATE TABLE t (id INT PRIMARY KEY, v MEDIUMTEXT)"], ["INSERT INTO t VALUES (1, REPEAT('ä', 20000))", "UPDATE t SET v=CONCAT(v,'b')"]),
    ("latin1 client", ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20) CHARACTER SET latin1)"], ["SET NAMES latin1", "INSERT INTO t VALUES (1,'abc')", "UPDATE t SET v='d' WHERE v='ABC'"]),
    ("cp1251", ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20) CHARACTER SET cp1251)"], ["SET NAMES cp1251", "INSERT INTO t VALUES (1,'abc')", "CREATE TABLE n (a VARCHAR(9) CHARACTER SET koi8r PRIMARY KEY)", "INSERT INTO n VALUES ('x')"]),
    ("utf16 column", ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20) CHARACTER SET utf16, w VARCHAR(9) CHARACTER SET utf32)"], ["INSERT INTO t VALUES (1,'äö','x')", "UPDATE t SET w=v"]),
    ("collation in a query", T, [ONE, "UPDATE t SET v='q' WHERE v='A' COLLATE utf8mb4_general_ci", "UPDATE t SET v='r' WHERE CONVERT(v USING latin1)='q'"]),
    ("collation 0900 in a query", T, [ONE, "UPDATE t SET v='q' WHERE v='A' COLLATE utf8mb4_0900_ai_ci"]),
    ("collation uca1400 in a query", T, [ONE, "UPDATE t SET v='q' WHERE v='A' COLLATE utf8mb4_uca1400_ai_ci"]),
    ("introducer", T, ["INSERT INTO t VALUES (1,_utf8'abc',_binary'x')", "INSERT INTO t VALUES (2,_utf8mb4 x'6162',N'q')"]),
    ("comments", T, ["/* lead */ INSERT INTO t VALUES (1,'a','b') /* trail */", "INSERT INTO t VALUES (2,'a','b') -- end", "INSERT INTO t /*!99999 (nosuch) */ VALUES (3,'c','d')", "INSERT INTO t VALUES (4,'c','d' /*!50000 */)"]),
    ("partitions", ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), b BLOB) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN (100))"], [ONE, "ALTER TABLE t ADD PARTITION (PARTITION p2 VALUES LESS THAN (1000))", "INSERT INTO t VALUES (500,'x','y')", "ALTER TABLE t TRUNCATE PARTITION p0", "ALTER TABLE t DROP PARTITION p2", "ALTER TABLE t REORGANIZE PARTITION p0, p1 INTO (PARTITION p VALUES LESS THAN (200))", LAST]),
    ("partitions by hash", ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), b BLOB) PARTITION BY HASH (id) PARTITIONS 4"], [ONE, "ALTER TABLE t COALESCE PARTITION 2", "ALTER TABLE t ADD PARTITION PARTITIONS 1", "ALTER TABLE t REMOVE PARTITIONING", "UPDATE t PARTITION (p0) SET v='q'", LAST]),
    ("exchange", ["CREATE TABLE t (id INT PRIMARY KEY) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10))", "CREATE TABLE x (id INT PRIMARY KEY)"], ["INSERT INTO x VALUES (5)", "ALTER TABLE t EXCHANGE PARTITION p0 WITH TABLE x", "INSERT INTO x VALUES (6)", "ALTER TABLE t EXCHANGE PARTITION p0 WITH TABLE x WITHOUT VALIDATION"]),
    ("partition selection", ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20)) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN MAXVALUE)"], ["INSERT INTO t PARTITION (p0) VALUES (1,'a')", "DELETE FROM t PARTITION (p1)", "INSERT INTO t VALUES (50,'b')"]),
    ("rename over databases", T, ["CREATE DATABASE d4", "RENAME TABLE t TO d4.t", "INSERT INTO d4.t VALUES (1,'a','b')", "RENAME TABLE d4.t TO t, t TO t9", "INSERT INTO t9 VALUES (2,'a','b')"]),
    ("swap tables", [T[0], T[0].replace("TABLE t", "TABLE u")], [ONE, "RENAME TABLE t TO x, u TO t, x TO u", "INSERT INTO t VALUES (1,'n','n')", "DROP TABLE u"]),
    ("several changes of a table", T, ["ALTER TABLE t ADD w INT DEFAULT 5, ADD INDEX k (w), MODIFY v VARCHAR(50), DROP b", "INSERT INTO t (id,v) VALUES (1,'x')", "ALTER TABLE t RENAME TO s, ADD q INT", "INSERT INTO s (id) VALUES (2)"]),
    ("key changes", T, ["ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (id, v)", ONE, "ALTER TABLE t ADD COLUMN n INT AUTO_INCREMENT UNIQUE", "INSERT INTO t (id,v) VALUES (2,'b')"]),
    ("like and rename", T, ["CREATE TABLE n LIKE t", "INSERT INTO n SELECT 1,'a','b'", "RENAME TABLE n TO n2", "TRUNCATE n2", "DROP TABLE IF EXISTS n2, n3"]),
    ("procedure with variables", T, ["CREATE PROCEDURE p(a INT, b VARCHAR(9)) BEGIN DECLARE c INT DEFAULT 3; INSERT INTO t VALUES (a, b, c); UPDATE t SET v='p' WHERE id=a; END", "CALL p(1,'q')", "DROP PROCEDURE p"]),
    ("procedure with a loop", T, ["CREATE PROCEDURE p() BEGIN DECLARE i INT DEFAULT 1; WHILE i<4 DO INSERT INTO t VALUES (i,'w','w'); SET i=i+1; END WHILE; END", "CALL p()"]),
    ("function in a change", T, ["CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN a*2", "INSERT INTO t VALUES (f(4),'a','b')", "UPDATE t SET v=f(1)"]),
    ("function that writes", [T[0], LOGGED], ["CREATE FUNCTION f() RETURNS INT DETERMINISTIC BEGIN INSERT INTO log (w) VALUES ('f'); RETURN 1; END", "INSERT INTO t VALUES (f(),'a','b')", "SELECT f()"]),
    ("new trigger", [T[0], LOGGED], ["CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW INSERT INTO log (w) VALUES ('t')", ONE, "DROP TRIGGER tr", LAST]),
    ("event", T, ["CREATE EVENT e ON SCHEDULE EVERY 1 YEAR STARTS '2040-01-01' DO DELETE FROM t", "ALTER EVENT e RENAME TO e2", "ALTER EVENT e2 ON SCHEDULE EVERY 2 YEAR", "DROP EVENT e2", LAST]),
    ("temporary", T, ["CREATE TEMPORARY TABLE tt (a INT)", "INSERT INTO tt VALUES (5)", "INSERT INTO t SELECT a,'q','q' FROM tt", "DROP TEMPORARY TABLE tt"]),
    ("temporary like", T, ["CREATE TEMPORARY TABLE tt LIKE t", "INSERT INTO tt VALUES (5,'a','b')", "ALTER TABLE tt ADD x INT", LAST, "DROP TABLE tt"]),
    ("select into", T, [ONE, "SELECT v FROM t LIMIT 1 INTO @z", "UPDATE t SET b=@z"]),
    ("insert select order", [T[0], "CREATE TABLE u (id INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(20))"], ["INSERT INTO t VALUES (1,'c','x'),(2,'a','x'),(3,'b','x')", "INSERT INTO u (v) SELECT v FROM t ORDER BY v", "DELETE FROM t ORDER BY v LIMIT 2"]),
    ("subquery", [T[0], "CREATE TABLE u (id INT PRIMARY KEY)"], [ONE, "INSERT INTO u SELECT id FROM t WHERE v IN (SELECT v FROM t)", "DELETE FROM t WHERE EXISTS (SELECT * FROM u WHERE u.id=t.id)", LAST]),
    ("flush and log", T, [ONE, "FLUSH LOGS", "UPDATE t SET v='l'", "FLUSH TABLES", "FLUSH STATUS", LAST]),
    ("analyze", T, [ONE, "ANALYZE TABLE t", "OPTIMIZE TABLE t", "CHECK TABLE t", "REPAIR TABLE t", "ALTER TABLE t FORCE"]),
    ("names with letters", T, ["CREATE TABLE `tä` (`ö` INT PRIMARY KEY)", "INSERT INTO `tä` VALUES (1)", "ALTER TABLE `tä` ADD `ß` INT", "CREATE TABLE `select` (`from` INT PRIMARY KEY)", "INSERT INTO `select` VALUES (1)"]),
    ("long names", T, [f"CREATE TABLE {'n' * 64} ({'c' * 64} INT PRIMARY KEY, KEY {'k' * 64} ({'c' * 64}))", f"INSERT INTO {'n' * 64} VALUES (1)"]),
    ("json", ["CREATE TABLE t (id INT PRIMARY KEY, j TEXT)"], ["INSERT INTO t VALUES (1,'{\"a\": 1}')", "UPDATE t SET j=JSON_SET(j,'$.a',2)"]),
    ("fulltext", ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(200), FULLTEXT KEY (v)) ENGINE=InnoDB"], ["INSERT INTO t VALUES (1,'some words here')", "UPDATE t SET v='other' WHERE MATCH (v) AGAINST ('nothing')", "DELETE FROM t"]),
    ("grants", T, ["CREATE USER g1@localhost", "GRANT SELECT, INSERT ON d.t TO g1@localhost", "REVOKE INSERT ON d.t FROM g1@localhost", "DROP USER g1@localhost", LAST]),
    ("nothing changed", T, ["UPDATE t SET v='x'", "DELETE FROM t", "INSERT INTO t SELECT * FROM t", LAST]),
    ("same value", T, [ONE, "UPDATE t SET v='a'", "UPDATE t SET v=v, b=b", LAST]),
    ("many rows", T, ["INSERT INTO t VALUES " + ",".join(f"({i},'v{i}','b')" for i in range(1, 300)), "UPDATE t SET b=v WHERE id % 3 = 0", "DELETE FROM t WHERE id > 250"]),
    ("wide row image", ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), b LONGBLOB, j TEXT)"], ["INSERT INTO t VALUES (1,'a',REPEAT('b',5000),'j')", "UPDATE t SET v='c'", "UPDATE t SET j='k' WHERE b IS NOT NULL"]),
    ("enforced engine", T, ["CREATE TABLE n (a INT PRIMARY KEY) ENGINE=MyISAM", "INSERT INTO n VALUES (1)", "ALTER TABLE n ENGINE=InnoDB", "CREATE TABLE m (a INT PRIMARY KEY) ENGINE=MEMORY", "INSERT INTO m VALUES (1)"]),
    ("merge engine", ["CREATE TABLE t (id INT PRIMARY KEY) ENGINE=MyISAM"], ["CREATE TABLE n (id INT PRIMARY KEY) ENGINE=MERGE UNION=(t) INSERT_METHOD=LAST", "INSERT INTO n VALUES (1)"]),
    ("old types", T, ["CREATE TABLE n (a INT(5) ZEROFILL PRIMARY KEY, b YEAR(4), c CHAR(3) BINARY, d NATIONAL VARCHAR(5))", "INSERT INTO n VALUES (1,2020,'a','b')"]),
    ("utf8 in definitions", T, ["CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(9) CHARACTER SET utf8 COLLATE utf8_unicode_ci) DEFAULT CHARSET=utf8", "INSERT INTO n VALUES (1,'ä')", "ALTER TABLE n CONVERT TO CHARACTER SET utf8mb4"]),
)  # fmt: skip
#: Workloads in which a table differs on the replica (what it has run), or which it refuses.
APART: tuple[tuple[str, list[str], list[str]], ...] = (
    ("foreign key on the replica", ["CREATE TABLE d.p (v VARCHAR(20) PRIMARY KEY) CHARSET utf8mb4 COLLATE utf8mb4_general_ci", "ALTER TABLE d.t ADD FOREIGN KEY (v) REFERENCES d.p (v)"], [ONE]),
    ("trigger on the replica", ["CREATE TRIGGER d.tr BEFORE INSERT ON d.t FOR EACH ROW SET NEW.v='R'"], [ONE]),
    ("trigger on the replica signals", ["CREATE TRIGGER d.tr BEFORE INSERT ON d.t FOR EACH ROW SIGNAL SQLSTATE '45000'"], [ONE]),
    ("trigger of updates on the replica", ["CREATE TRIGGER d.tr BEFORE UPDATE ON d.t FOR EACH ROW SET NEW.b='R'"], [ONE, "UPDATE t SET v='q'"]),
    ("another row there", ["INSERT INTO d.t VALUES (77,'r','r')"], [ONE, "UPDATE t SET v='all'"]),
    ("another row there, deleted", ["INSERT INTO d.t VALUES (77,'r','r')"], [ONE, "DELETE FROM t"]),
    ("another row there, truncated", ["INSERT INTO d.t VALUES (77,'r','r')"], [ONE, "TRUNCATE TABLE t", LAST]),
    ("another row there, table dropped", ["INSERT INTO d.t VALUES (77,'r','r')"], [ONE, "DROP TABLE t", *T, LAST]),
    ("same row there", ["INSERT INTO d.t VALUES (1,'a','b')"], [ONE]),
    ("same row there, replaced", ["INSERT INTO d.t VALUES (1,'r','r')"], ["REPLACE INTO t VALUES (1,'a','b')"]),
    ("same row there, ignored", ["INSERT INTO d.t VALUES (1,'r','r')"], ["INSERT IGNORE INTO t VALUES (1,'a','b')"]),
    ("index there", ["CREATE INDEX k ON d.t (v)"], ["CREATE INDEX k ON t (v)", ONE]),
    ("column there", ["ALTER TABLE d.t ADD w INT"], [ONE]),
    ("column there, named", ["ALTER TABLE d.t ADD w INT"], ["INSERT INTO t (id,v,b) VALUES (1,'a','b')", "UPDATE t SET v='q'"]),
    ("column gone there", ["ALTER TABLE d.t DROP b"], ["INSERT INTO t (id,v) VALUES (1,'a')"]),
    ("no table t", ["DROP TABLE d.t"], ["CREATE TABLE n (a INT PRIMARY KEY)", "INSERT INTO n VALUES (1)"]),
    ("no table t, dropped", ["DROP TABLE d.t"], ["DROP TABLE t", "CREATE TABLE n (a INT PRIMARY KEY)"]),
    ("no table t, locked", ["DROP TABLE d.t"], ["LOCK TABLES t WRITE", "UNLOCK TABLES", "CREATE TABLE n (a INT PRIMARY KEY)"]),
    ("view in place of a table", ["RENAME TABLE d.t TO d.u", "CREATE VIEW d.t AS SELECT * FROM d.u"], [ONE]),
    ("engine there", ["ALTER TABLE d.t ENGINE=MyISAM"], [ONE, "BEGIN", "UPDATE t SET v='q'", "COMMIT"]),
    ("user there", ["CREATE USER g1@localhost"], ["CREATE USER g1@localhost", LAST]),
    ("database there", ["CREATE DATABASE d3"], ["CREATE DATABASE d3", LAST]),
    ("procedure there", ["CREATE PROCEDURE d.p() SELECT 1"], ["CREATE PROCEDURE p() INSERT INTO t VALUES (3,'p','p')", "CALL p()"]),
)  # fmt: skip
SETTINGS: tuple[dict[str, Any], ...] = (
    {"rs": {"slave_exec_mode": "IDEMPOTENT"}}, {"rs": {"slave_type_conversions": "ALL_LOSSY,ALL_NON_LOSSY"}}, {"rs": {"slave_parallel_workers": 4}},
    {"rs": {"slave_parallel_threads": 4}}, {"rs": {"foreign_key_checks": 0}}, {"rs": {"sql_mode": "STRICT_ALL_TABLES"}}, {"rs": {"sql_mode": "ANSI"}},
    {"rs": {"sql_mode": ""}}, {"rs": {"time_zone": "+03:00"}}, {"rs": {"read_only": 1}}, {"rs": {"binlog_format": "MIXED"}}, {"rs": {"binlog_row_image": "MINIMAL"}},
    {"rs": {"default_storage_engine": "MyISAM"}}, {"rs": {"innodb_strict_mode": 0}}, {"rs": {"character_set_server": "latin1"}}, {"rs": {"max_allowed_packet": 1048576}},
    {"rs": {"slave_run_triggers_for_rbr": "YES"}}, {"rs": {"slave_ddl_exec_mode": "STRICT"}}, {"rs": {"sql_require_primary_key": 1}}, {"rs": {"event_scheduler": 0}},
    {"ss": {"binlog_row_image": "MINIMAL"}}, {"ss": {"binlog_row_image": "NOBLOB"}}, {"ss": {"binlog_checksum": "NONE"}}, {"ss": {"sql_mode": "TRADITIONAL"}},
    {"ss": {"sql_mode": ""}}, {"ss": {"time_zone": "-05:00"}}, {"ss": {"log_bin_compress": 1}}, {"ss": {"binlog_transaction_compression": 1}}, {"ss": {"collation_server": "latin1_swedish_ci"}},
    {"ss": {"binlog_alter_two_phase": 1}}, {"ss": {"binlog_row_metadata": "FULL"}}, {"ss": {"binlog_rows_query_log_events": 1}}, {"ss": {"default_storage_engine": "MyISAM"}},
    {"ss": {"log_bin_trust_function_creators": 1}}, {"ss": {"innodb_strict_mode": 0}}, {"ss": {"explicit_defaults_for_timestamp": 0}}, {"ss": {"transaction_isolation": "READ-COMMITTED"}},
    {"session": ["SET SESSION binlog_format='ROW'"]}, {"session": ["SET SESSION binlog_format='STATEMENT'"]}, {"session": ["SET time_zone='+02:00'"]}, {"session": ["SET foreign_key_checks=0"]},
    {"session": ["SET SESSION sql_mode='ANSI_QUOTES'"]}, {"session": ["SET timestamp=1500000000"]}, {"session": ["SET auto_increment_increment=3"]}, {"session": ["SET sql_log_bin=0"]}, {},
    {"names": "SET NAMES latin1"}, {"names": "SET NAMES utf8"}, {"names": "SET NAMES binary"}, {"names": "SET NAMES utf8mb4"}, {"names": "SET NAMES utf8mb4 COLLATE utf8mb4_bin"},
    {"names": "SET NAMES cp1250"}, {"names": "SET NAMES gbk"}, {"names": "SET NAMES utf8mb4 COLLATE utf8mb4_unicode_520_ci"},
)  # fmt: skip
USERS: tuple[dict[str, Any], ...] = (
    {"password": ""}, {"password": "p" * 32}, {"password": "p" * 33}, {"password": "päss"}, {"password": "a'b"}, {"grant": "REPLICATION CLIENT"}, {"grant": "SELECT"}, {"grant": "USAGE"},
    {"grant": "ALL PRIVILEGES"}, {"grant": "SUPER"}, {"grant": "REPLICATION SLAVE, REPLICATION CLIENT"}, {"grant": "REPLICATION SLAVE ADMIN"}, {"grant": "REPLICATION REPLICA"}, {"require": "SSL"},
    {"require": "X509"}, {"require": "NONE"}, {"require": "SUBJECT '/CN=x'"}, {"require": "CIPHER 'AES256-SHA'"}, {"account": "other"}, {"name": "root"}, {"name": "root", "password": "wrong"},
    {"plugin": "mysql_native_password"}, {"plugin": "caching_sha2_password"}, {"plugin": "sha256_password"}, {"plugin": "ed25519"}, {"plugin": "mysql_old_password"}, {"plugin": "caching_sha2_password", "logged_in_before": True},
    {"plugin": "sha256_password", "password": ""}, {"plugin": "caching_sha2_password", "password": ""}, {"plugin": "ed25519", "password": ""},
)  # fmt: skip
TLS: tuple[dict[str, Any], ...] = ({}, {"_SSL": 1}, {"_SSL": 0}, {"_SSL": 1, "_SSL_VERIFY_SERVER_CERT": 0}, {"_SSL": 1, "_SSL_VERIFY_SERVER_CERT": 1})  # fmt: skip


def for_pair(s: str, r: str) -> list[dict[str, Any]]:
    """Every case of this source and this replica."""
    k = Maker(s, r)
    k.base = aspects._mend(s, r)
    draw = random.Random(zlib.crc32(f"combinations {s} {r}".encode()))
    for what, workloads in (("workload", WORKLOADS), ("apart", APART)):
        for one in workloads:
            _workload(k, what, one, draw)
    word = "SOURCE" if r == M97 else "MASTER"
    for user in USERS:
        options = {word + key: value for key, value in draw.choice(TLS).items()}
        name = " ".join(f"{key}={value}" for key, value in {**user, **options}.items())
        k.case("account and channel", name, user=user, ch=options, ss=aspects._format(name, s, r))
    _joined(k, draw)
    return k.out


def _workload(k: Maker, what: str, one: tuple[str, list[str], list[str]], draw: random.Random) -> None:
    name, tables, statements = one
    apart = tables if what == "apart" else []
    tables = T if what == "apart" else tables
    for at in range(3):
        logged = FORMATS[(at + zlib.crc32(f"{k.s}{k.r}{name}".encode())) % 3]
        given = SETTINGS[-9] if at == 0 else draw.choice(SETTINGS)
        label = " ".join(str(value) for value in given.values()) or "plain"
        more = {key: value for key, value in given.items() if key != "ss"}
        k.case(
            what, f"{name} {logged} {label}", tables=tables, st=statements, rsession=apart, needs_all=False,
            ss={"binlog_format": logged, **given.get("ss", {})}, **more,
        )  # fmt: skip


def _joined(k: Maker, draw: random.Random) -> None:
    """Two cases of the other sets in one: settings of both, statements one after the other."""
    known = aspects.for_pair(k.s, k.r)
    if D5 not in (k.s, k.r):
        known += cases.for_pair(k.s, k.r)
    usual = [
        c for c in known
        if c["tables"] is T and not any(key.startswith("--") for key in [*c["source_settings"], *c["replica_settings"]])
        and c["what"] not in ("size", "login", "channel option") and "REQUIRE SSL" not in str(c["statements"])
    ]  # fmt: skip
    for at in range(150):
        a, b = draw.sample(usual, 2)
        statements = [
            text
            for text in (*a["statements"], *b["statements"])
            if text != "INSERT INTO t VALUES (1,'a','x'),(2,'b','y')"
        ]
        k.case(
            "combination", f"{at} {a['id'][:70]} + {b['id'][:70]}",
            ss={**a["source_settings"], **b["source_settings"]}, rs={**a["replica_settings"], **b["replica_settings"]},
            session=[x for x in (*a["session"], *b["session"]) if x not in k.base["session"]],
            rsession=[*a["replica_session"], *(x for x in b["replica_session"] if x not in a["replica_session"])],
            st=statements, position=a["position"], ch=a["channel"], user=a["user"], needs_all=False,
        )  # fmt: skip
