"""A fourth set of link cases: server variables that nobody had asked about, several at once, with workloads
that would show them; triggers, events, functions and definitions whose values a variable of one end decides.

`for_pair(source, replica)` gives the cases of two of the five recorded servers, in the form of `cases.py`.
`data/variables.txt`: the variables that each server takes (a name, then `value@servers`).
"""

# Statements are one literal each, as the servers are asked.
# ruff: noqa: E501

from __future__ import annotations

import random
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from tests.link import aspects
from tests.link.aspects import FORMATS
from tests.link.cases import Maker, T
from tests.link.combinations import LAST, ONE, WORKLOADS

SERVERS = ("mysql-5.6", "mysql-9.7", "mariadb-10.5", "mariadb-10.11", "mariadb-11.8")
TEXT = (
    "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(200), w TEXT) CHARSET utf8mb4 COLLATE utf8mb4_general_ci"
)
SEARCHED = (
    "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(200), n INT DEFAULT 0, FULLTEXT KEY (v)) CHARSET utf8mb4"
)
STAMPS = "CREATE TABLE t (id INT PRIMARY KEY, ts TIMESTAMP NULL, dt DATETIME, v VARCHAR(40))"
U = "CREATE TABLE u (id INT PRIMARY KEY, v VARCHAR(20))"
FIVE = "INSERT INTO t VALUES (1,'e','x'),(2,'d','x'),(3,'c','x'),(4,'b','x'),(5,'a','x')"
#: (ends: s, r or both; settings; tables; statements)
SHOWN: tuple[tuple[str, dict[str, Any], list[str], list[str]], ...] = (
    ("sr", {"default_week_format": 6}, T, ["INSERT INTO t VALUES (1, WEEK('2008-02-20'), 'x')", "UPDATE t SET v=WEEK('2009-01-01')+1"]),
    ("sr", {"div_precision_increment": 1}, ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(40), d DECIMAL(20,10))"], ["INSERT INTO t VALUES (1, 1/3, 2/3)", "UPDATE t SET d=5/7"]),
    ("sr", {"group_concat_max_len": 6}, [*T, U], [FIVE, "INSERT INTO u SELECT 1, GROUP_CONCAT(v ORDER BY v) FROM t", "INSERT INTO u SELECT 2, COUNT(*) FROM t"]),
    ("sr", {"block_encryption_mode": "aes-256-cbc"}, T, ["INSERT INTO t VALUES (1, 'a', AES_ENCRYPT('text','key','1234567890123456'))", LAST]),
    ("sr", {"max_sort_length": 8}, [TEXT, U], ["INSERT INTO t VALUES (1,'aaaaaaaaaaaa2','x'),(2,'aaaaaaaaaaaa1','x')", "UPDATE t SET w='first' ORDER BY w, v LIMIT 1"]),
    ("sr", {"max_recursive_iterations": 2}, T, ["INSERT INTO t WITH RECURSIVE q(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM q WHERE n<6) SELECT n,'r','r' FROM q"]),
    ("sr", {"cte_max_recursion_depth": 2}, T, ["INSERT INTO t WITH RECURSIVE q(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM q WHERE n<6) SELECT n,'r','r' FROM q", LAST]),
    ("sr", {"default_regex_flags": "EXTENDED"}, T, ["INSERT INTO t VALUES (1, 'a b' REGEXP 'a b', 'x')", "UPDATE t SET b='q' WHERE v REGEXP '0'"]),
    ("sr", {"lc_time_names": "de_DE"}, T, ["INSERT INTO t VALUES (1, DATE_FORMAT('2020-03-01','%M %W'), 'x')", "UPDATE t SET b=MONTHNAME('2020-05-01')"]),
    ("sr", {"max_allowed_packet": 1024}, T, ["INSERT INTO t VALUES (1,'a',REPEAT('x',3000))", LAST]),
    ("sr", {"sql_auto_is_null": 1}, ["CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(20))"], ["INSERT INTO t (v) VALUES ('a')", "UPDATE t SET v='null' WHERE id IS NULL"]),
    ("sr", {"sql_select_limit": 2}, [*T, U], [FIVE, "INSERT INTO u SELECT id, v FROM t", "UPDATE t SET v='q'"]),
    ("sr", {"max_join_size": 2, "sql_big_selects": 0}, [*T, U], [FIVE, "INSERT INTO u SELECT a.id, a.v FROM t a JOIN t b JOIN t c WHERE a.id=b.id AND b.id=c.id", LAST]),
    ("sr", {"sql_safe_updates": 1}, T, [ONE, "UPDATE t SET v='q' WHERE id=1", "UPDATE t SET v='r' WHERE b='x'"]),
    ("sr", {"innodb_autoinc_lock_mode": 0}, ["CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(20))"], ["INSERT INTO t (v) VALUES ('a'),('b'),('c')", "INSERT INTO t (v) SELECT v FROM t", "INSERT INTO t (id,v) VALUES (NULL,'m'),(50,'n'),(NULL,'o')"]),
    ("sr", {"auto_increment_increment": 7, "auto_increment_offset": 3}, ["CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(20))"], ["INSERT INTO t (v) VALUES ('a'),('b')", "INSERT INTO t (v) SELECT v FROM t"]),
    ("sr", {"character_set_filesystem": "latin1"}, T, [ONE, "UPDATE t SET v='ä'"]),
    ("sr", {"default_storage_engine": "MyISAM"}, T, ["CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(800))", "INSERT INTO n VALUES (1,'q')", "BEGIN", "INSERT INTO n VALUES (2,'r')", "ROLLBACK"]),
    ("sr", {"default_tmp_storage_engine": "MyISAM"}, T, ["CREATE TEMPORARY TABLE tt (a INT PRIMARY KEY)", "BEGIN", "INSERT INTO tt VALUES (1)", "INSERT INTO t SELECT a,'q','q' FROM tt", "ROLLBACK", "INSERT INTO t SELECT a+7,'q','q' FROM tt"]),
    ("sr", {"old_alter_table": 1}, T, ["ALTER TABLE t ADD c INT DEFAULT 3", "ALTER TABLE t MODIFY v VARCHAR(90)", ONE.replace(")", ",4)")]),
    ("sr", {"alter_algorithm": "INPLACE"}, T, ["ALTER TABLE t MODIFY v INT", "INSERT INTO t VALUES (1,2,'x')"]),
    ("sr", {"alter_algorithm": "INSTANT"}, T, ["ALTER TABLE t ADD KEY k (v)", ONE]),
    ("sr", {"alter_algorithm": "NOCOPY"}, T, ["ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (v)", ONE]),
    ("sr", {"innodb_strict_mode": 0}, T, ["CREATE TABLE n (a INT PRIMARY KEY) ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=7", "INSERT INTO n VALUES (1)"]),
    ("sr", {"innodb_file_per_table": 0}, T, ["CREATE TABLE n (a INT PRIMARY KEY) ROW_FORMAT=COMPRESSED", "INSERT INTO n VALUES (1)"]),
    ("sr", {"innodb_default_row_format": "redundant"}, T, ["CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(700) CHARACTER SET utf8mb4, KEY (v))", "INSERT INTO n VALUES (1,'q')"]),
    ("sr", {"innodb_compression_default": 1}, T, ["CREATE TABLE n (a INT PRIMARY KEY, v TEXT)", "INSERT INTO n VALUES (1,'q')"]),
    ("sr", {"check_constraint_checks": 0}, ["CREATE TABLE t (id INT PRIMARY KEY, v INT CHECK (v>0))"], ["INSERT INTO t VALUES (1,1)", "INSERT INTO t VALUES (2,-1)", "UPDATE t SET v=-5 WHERE id=1"]),
    ("sr", {"foreign_key_checks": 0}, ["CREATE TABLE p (id INT PRIMARY KEY)", "CREATE TABLE t (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id))"], ["INSERT INTO t VALUES (1,7)", "INSERT INTO p VALUES (1)", "INSERT INTO t VALUES (2,1)"]),
    ("sr", {"unique_checks": 0}, [T[0].replace("v VARCHAR(20)", "v VARCHAR(20) UNIQUE")], [ONE, "INSERT INTO t VALUES (2,'q','r')", "REPLACE INTO t VALUES (3,'q','s')"]),
    ("sr", {"sql_if_exists": 1}, T, ["ALTER TABLE t DROP nosuch", "DROP TABLE nosuch", ONE]),
    ("sr", {"event_scheduler": 1}, T, ["CREATE EVENT e ON SCHEDULE EVERY 1 YEAR STARTS '2035-01-01' DO INSERT INTO t VALUES (5,'e','e')", LAST]),
    ("sr", {"updatable_views_with_limit": 0}, ["CREATE TABLE t (id INT, v VARCHAR(20))", "CREATE VIEW w AS SELECT v FROM t"], ["INSERT INTO t VALUES (1,'a')", "UPDATE w SET v='q' LIMIT 1"]),
    ("sr", {"log_bin_trust_function_creators": 1}, T, ["CREATE FUNCTION f() RETURNS INT RETURN 7", "INSERT INTO t VALUES (f(),'a','b')"]),
    ("sr", {"log_bin_trust_function_creators": 1}, T, ["CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.v='T'", ONE]),
    ("sr", {"max_heap_table_size": 16384}, ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(100)) ENGINE=MEMORY"], ["INSERT INTO t VALUES " + ",".join(f"({i},'v{i}')" for i in range(1, 200)), "UPDATE t SET v='q' WHERE id<5"]),
    ("sr", {"transaction_isolation": "READ-COMMITTED"}, T, [ONE, "UPDATE t SET v='q'", "INSERT INTO t SELECT id+10,v,b FROM t"]),
    ("sr", {"tx_isolation": "READ-UNCOMMITTED"}, T, [ONE, "UPDATE t SET v='q'"]),
    ("sr", {"completion_type": "CHAIN"}, T, ["BEGIN", ONE, "COMMIT", "UPDATE t SET v='q'", "COMMIT"]),
    ("sr", {"old_passwords": 1}, T, ["INSERT INTO t VALUES (1,'a',PASSWORD('x'))", LAST]),
    ("sr", {"explicit_defaults_for_timestamp": 0}, T, ["CREATE TABLE n (a INT PRIMARY KEY, ts TIMESTAMP, tt TIMESTAMP)", "INSERT INTO n (a) VALUES (1)", "INSERT INTO n VALUES (2,NULL,'2020-01-01')"]),
    ("sr", {"explicit_defaults_for_timestamp": 1}, T, ["CREATE TABLE n (a INT PRIMARY KEY, ts TIMESTAMP NOT NULL DEFAULT '2020-01-01 00:00:00', tt TIMESTAMP)", "INSERT INTO n (a) VALUES (1)"]),
    ("sr", {"mysql56_temporal_format": 0}, T, ["CREATE TABLE n (a INT PRIMARY KEY, d DATETIME(3), e TIME, f TIMESTAMP NULL)", "INSERT INTO n VALUES (1,'2020-01-01 10:11:12.345','10:11:12','2020-01-01')"]),
    ("sr", {"old_mode": ""}, T, ["CREATE TABLE n (a VARCHAR(9) CHARACTER SET utf8 PRIMARY KEY)", "INSERT INTO n VALUES ('ä')", "ALTER TABLE t ADD u VARCHAR(9) CHARACTER SET utf8"]),
    ("sr", {"old_mode": "ZERO_DATE_TIME_CAST"}, [STAMPS], ["INSERT INTO t VALUES (1,NULL,CAST('10:11:12' AS TIME),'x')"]),
    ("sr", {"old_mode": "LOCK_ALTER_TABLE_COPY"}, T, ["ALTER TABLE t MODIFY v VARCHAR(99)", ONE]),
    ("sr", {"new_mode": "FIX_DISK_TMPTABLE_COSTS"}, T, [ONE]),
    ("sr", {"system_versioning_alter_history": "KEEP"}, ["CREATE TABLE t (id INT PRIMARY KEY, v INT) WITH SYSTEM VERSIONING"], ["INSERT INTO t VALUES (1,1)", "ALTER TABLE t ADD w INT", "UPDATE t SET v=2"]),
    ("sr", {"system_versioning_insert_history": 1}, ["CREATE TABLE t (id INT PRIMARY KEY, v INT) WITH SYSTEM VERSIONING"], ["INSERT INTO t (id,v,row_start,row_end) VALUES (1,1,'2001-01-01','2002-01-01')", "INSERT INTO t (id,v) VALUES (2,2)"]),
    ("sr", {"restrict_fk_on_non_standard_key": 0}, ["CREATE TABLE p (a INT, b INT, KEY (a))"], ["CREATE TABLE n (a INT PRIMARY KEY, x INT, FOREIGN KEY (x) REFERENCES p (a))", "INSERT INTO p VALUES (1,1)", "INSERT INTO n VALUES (1,1)"]),
    ("sr", {"windowing_use_high_precision": 0}, ["CREATE TABLE t (id INT PRIMARY KEY, d DOUBLE)"], ["INSERT INTO t VALUES (1,0.1),(2,1e20),(3,-1e20)", "INSERT INTO t SELECT id+10, SUM(d) OVER (ORDER BY id ROWS 1 PRECEDING) FROM t"]),
    ("sr", {"sql_require_primary_key": 1}, T, ["CREATE TABLE n (a INT)", "INSERT INTO n VALUES (1)"]),
    ("sr", {"sql_generate_invisible_primary_key": 1}, T, ["CREATE TABLE n (a INT)", "INSERT INTO n VALUES (1)", "UPDATE n SET a=2"]),
    ("sr", {"enable_cascade_triggers": 1}, ["CREATE TABLE p (id INT PRIMARY KEY)", "CREATE TABLE c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id) ON DELETE CASCADE)", "CREATE TABLE l (id INT PRIMARY KEY)", "CREATE TRIGGER tr AFTER DELETE ON c FOR EACH ROW INSERT INTO l VALUES (OLD.id)"], ["INSERT INTO p VALUES (1)", "INSERT INTO c VALUES (5,1)", "DELETE FROM p"]),
    ("sr", {"binlog_direct_non_transactional_updates": 1}, [*T, "CREATE TABLE m (id INT PRIMARY KEY) ENGINE=MyISAM"], ["BEGIN", ONE, "INSERT INTO m VALUES (1)", "ROLLBACK", LAST]),
    ("sr", {"sql_quote_show_create": 0}, T, ["CREATE TABLE `a b` (id INT PRIMARY KEY)", "DROP TABLE `a b`", "CREATE TABLE n AS SELECT 1 AS `x y`", LAST]),
    ("r", {"disabled_storage_engines": "MyISAM"}, T, ["CREATE TABLE n (a INT PRIMARY KEY) ENGINE=MyISAM", "INSERT INTO n VALUES (1)"]),
    ("r", {"sql_slave_skip_counter": 1}, T, [ONE, "INSERT INTO t VALUES (2,'c','d')"]),
    ("r", {"sql_slave_skip_counter": 3}, T, [ONE, "INSERT INTO t VALUES (2,'c','d')"]),
    ("r", {"init_slave": "SET sql_mode=''"}, T, [ONE]),
    ("r", {"init_slave": "INSERT INTO d.t VALUES (99,'i','i')"}, T, [ONE]),
    ("r", {"init_slave": "nonsense"}, T, [ONE]),
    ("r", {"slave_parallel_workers": 3, "slave_pending_jobs_size_max": 1024}, T, ["INSERT INTO t VALUES (1,'a',REPEAT('x',30000))", LAST]),
    ("r", {"slave_parallel_threads": 4, "slave_parallel_mode": "aggressive"}, T, [ONE, "UPDATE t SET v='q'", LAST]),
    ("r", {"slave_max_statement_time": 10}, T, [ONE]),
    ("r", {"max_statement_time": 0.0001}, T, [ONE, "UPDATE t SET v=SLEEP(0.2)"]),
    ("r", {"max_execution_time": 1}, T, [ONE, "INSERT INTO t SELECT 2, SLEEP(0.1), 'x'"]),
    ("r", {"super_read_only": 1}, T, [ONE, "CREATE TABLE n (a INT PRIMARY KEY)"]),
    ("r", {"offline_mode": 1}, T, [ONE]),
    ("s", {"offline_mode": 1}, T, [ONE]),
    ("s", {"protocol_compression_algorithms": "zstd"}, T, [ONE]),
    ("s", {"protocol_compression_algorithms": "zlib,uncompressed"}, T, [ONE]),
    ("s", {"init_connect": "SET sql_log_bin=0"}, T, [ONE]),
    ("sr", {"init_connect": "nonsense"}, T, [ONE]),
    ("sr", {"rpl_semi_sync_master_enabled": 1}, T, [ONE]),
    ("sr", {"rpl_semi_sync_slave_enabled": 1}, T, [ONE]),
    ("s", {"require_secure_transport": 1}, T, [ONE]),
    ("r", {"require_secure_transport": 1}, T, [ONE]),
    ("s", {"max_user_connections": 1}, T, [ONE]),
    ("sr", {"local_infile": 0}, T, [ONE]),
    ("sr", {"partial_revokes": 1}, T, ["CREATE USER g1@localhost", "GRANT SELECT ON *.* TO g1@localhost", "REVOKE SELECT ON d.* FROM g1@localhost", LAST]),
    ("sr", {"mandatory_roles": "nosuch"}, T, ["CREATE USER g1@localhost", "DROP USER g1@localhost", LAST]),
    ("sr", {"default_password_lifetime": 3}, T, ["CREATE USER g1@localhost", LAST]),
    ("sr", {"default_table_encryption": 1}, T, ["CREATE DATABASE d7", "CREATE TABLE n (a INT PRIMARY KEY)", LAST]),
    ("sr", {"table_encryption_privilege_check": 1}, T, ["CREATE TABLE n (a INT PRIMARY KEY) ENCRYPTION='N'", LAST]),
    ("sr", {"innodb_encrypt_tables": "FORCE"}, T, ["CREATE TABLE n (a INT PRIMARY KEY)", LAST]),
    ("sr", {"show_old_temporals": 1}, T, ["CREATE TABLE n (a INT PRIMARY KEY, d DATETIME)", LAST]),
    ("sr", {"ft_query_expansion_limit": 1}, [SEARCHED], ["INSERT INTO t VALUES (1,'one two',0),(2,'two three',0),(3,'four',0)", "UPDATE t SET n=1 WHERE MATCH (v) AGAINST ('one' WITH QUERY EXPANSION)"]),
    ("sr", {"innodb_ft_enable_stopword": 0}, [], [SEARCHED.replace("TABLE t", "TABLE n"), "INSERT INTO n VALUES (1,'about the one',0),(2,'two',0)", "UPDATE n SET n=1 WHERE MATCH (v) AGAINST ('about')"]),
    ("sr", {"ft_boolean_syntax": '+ -><()~*:""&^'}, [SEARCHED], ["INSERT INTO t VALUES (1,'one two',0),(2,'two three',0)", "UPDATE t SET n=1 WHERE MATCH (v) AGAINST ('+two -three' IN BOOLEAN MODE)"]),
    ("sr", {"character_set_server": "latin1"}, T, ["CREATE DATABASE d8", "CREATE TABLE d8.n (v VARCHAR(9) PRIMARY KEY)", "INSERT INTO d8.n VALUES ('ä')"]),
    ("sr", {"collation_database": "latin1_swedish_ci"}, T, ["CREATE TABLE n (v VARCHAR(9) PRIMARY KEY)", "INSERT INTO n VALUES ('ä')"]),
    ("sr", {"character_set_collations": "latin1=latin1_bin"}, T, ["CREATE TABLE n (v VARCHAR(9) CHARACTER SET latin1 PRIMARY KEY)", "INSERT INTO n VALUES ('a')", "INSERT INTO n VALUES ('A')"]),
    ("sr", {"optimizer_switch": "materialization=off"}, [*T, U], [FIVE, "INSERT INTO u SELECT id, v FROM t WHERE v IN (SELECT v FROM t)"]),
    ("sr", {"sql_mode": "NO_ENGINE_SUBSTITUTION"}, T, ["CREATE TABLE n (a TINYINT PRIMARY KEY, v VARCHAR(2))", "INSERT INTO n VALUES (300,'abc')", "INSERT INTO n (a) VALUES ('x')"]),
    ("sr", {"sql_mode": "NO_ZERO_DATE,STRICT_ALL_TABLES"}, T, ["CREATE TABLE n (a INT PRIMARY KEY, d DATE DEFAULT '0000-00-00')", "INSERT INTO n (a) VALUES (1)"]),
    ("sr", {"sql_mode": "NO_AUTO_VALUE_ON_ZERO"}, ["CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(20))"], ["INSERT INTO t VALUES (0,'a'),(NULL,'b')", "INSERT INTO t VALUES (NULL,'c')"]),
    ("sr", {"sql_mode": "NO_UNSIGNED_SUBTRACTION"}, ["CREATE TABLE t (id INT UNSIGNED PRIMARY KEY, v BIGINT)"], ["INSERT INTO t VALUES (1,0)", "UPDATE t SET v=id-5"]),
    ("sr", {"sql_mode": "HIGH_NOT_PRECEDENCE"}, ["CREATE TABLE t (id INT PRIMARY KEY, v INT)"], ["INSERT INTO t VALUES (1, NOT 1 BETWEEN -5 AND 5)"]),
    ("sr", {"sql_mode": "REAL_AS_FLOAT"}, T, ["CREATE TABLE n (a INT PRIMARY KEY, r REAL)", "INSERT INTO n VALUES (1,1.23456789012)"]),
    ("sr", {"sql_mode": "NO_DIR_IN_CREATE"}, T, ["CREATE TABLE n (a INT PRIMARY KEY)", LAST]),
    ("sr", {"sql_mode": "ALLOW_INVALID_DATES"}, ["CREATE TABLE t (id INT PRIMARY KEY, d DATE)"], ["INSERT INTO t VALUES (1,'2020-02-31')", "UPDATE t SET d='2020-04-31'"]),
    ("sr", {"sql_mode": "PAD_CHAR_TO_FULL_LENGTH"}, ["CREATE TABLE t (id INT PRIMARY KEY, c CHAR(6), v VARCHAR(9))"], ["INSERT INTO t VALUES (1,'a','')", "UPDATE t SET v=CONCAT(c,'|')"]),
    ("sr", {"sql_mode": "EMPTY_STRING_IS_NULL"}, T, ["INSERT INTO t VALUES (1,'','b')", "UPDATE t SET b=''"]),
    ("sr", {"sql_mode": "IGNORE_SPACE"}, T, ["INSERT INTO t VALUES (1, LEFT ('abc',2), 'x')"]),
    ("sr", {"sql_mode": "ERROR_FOR_DIVISION_BY_ZERO"}, ["CREATE TABLE t (id INT PRIMARY KEY, a INT)"], ["INSERT INTO t VALUES (1, 5 DIV 0)"]),
)  # fmt: skip
#: Statements never asked before: events, dates, defaults, definitions, databases, accounts.
STATEMENTS: tuple[tuple[str, list[str], list[str]], ...] = (
    ("event far away", T, ["CREATE EVENT e ON SCHEDULE AT '2039-05-05' DO DELETE FROM t", LAST]),
    ("event soon", T, ["CREATE EVENT e ON SCHEDULE EVERY 1 DAY STARTS '2030-01-01' ENDS '2031-01-01' ON COMPLETION PRESERVE COMMENT 'c' DO DELETE FROM t", "ALTER EVENT e DISABLE", "ALTER EVENT e RENAME TO e2", "DROP EVENT e2", LAST]),
    ("stamp far away", [STAMPS], ["INSERT INTO t VALUES (1,'2038-01-19 03:14:07','9999-12-31','x')", "INSERT INTO t (id,ts) VALUES (2,'1970-01-02 00:00:01')", "UPDATE t SET dt=FROM_UNIXTIME(2147483647)"]),
    ("stamp beyond", [STAMPS], ["INSERT INTO t VALUES (1,'2060-01-01 00:00:00','2060-01-01','x')"]),
    ("from unixtime", [STAMPS], ["INSERT INTO t VALUES (1,FROM_UNIXTIME(0),FROM_UNIXTIME(86400),'x')", "INSERT INTO t (id,dt) VALUES (2,FROM_UNIXTIME(4000000000))"]),
    ("database default", T, ["ALTER DATABASE d CHARACTER SET latin1", "CREATE TABLE n (v VARCHAR(20) PRIMARY KEY)", "INSERT INTO n VALUES ('ä')"]),
    ("database with a set", T, ["CREATE DATABASE d9 CHARACTER SET latin2 COLLATE latin2_bin", "CREATE TABLE d9.x (v VARCHAR(9) PRIMARY KEY)", "INSERT INTO d9.x VALUES ('a')"]),
    ("default expression", T, ["CREATE TABLE n (a INT PRIMARY KEY, b VARCHAR(40) DEFAULT (CONCAT('x','y')), c INT DEFAULT (1+2))", "INSERT INTO n (a) VALUES (1)"]),
    ("default uuid", T, ["CREATE TABLE n (a INT PRIMARY KEY, b VARCHAR(40) DEFAULT (UUID()))", "INSERT INTO n (a) VALUES (1)"]),
    ("default now", T, ["CREATE TABLE n (a INT PRIMARY KEY, b DATETIME DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, c VARCHAR(9))", "INSERT INTO n (a) VALUES (1)", "UPDATE n SET c='q'"]),
    ("virtual", T, ["CREATE TABLE n (a INT PRIMARY KEY, b INT AS (a+1) VIRTUAL, c INT AS (a*2) STORED, KEY (c))", "INSERT INTO n (a) VALUES (1)", "UPDATE n SET a=5", "ALTER TABLE n DROP b"]),
    ("generated of a function", T, ["CREATE TABLE n (a VARCHAR(20) PRIMARY KEY, b VARCHAR(40) AS (UPPER(a)) STORED)", "INSERT INTO n (a) VALUES ('straße')"]),
    ("uca order", ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20) COLLATE utf8mb4_unicode_ci UNIQUE) CHARSET utf8mb4"], ["INSERT INTO t VALUES (1,'ss')", "INSERT IGNORE INTO t VALUES (2,'ß')", "DELETE FROM t WHERE v='SS'"]),
    ("update of keys", T, [FIVE, "UPDATE t SET id=id+10 ORDER BY id DESC", "UPDATE t SET id=-1 WHERE id=11"]),
    ("delete with limit", T, [FIVE, "DELETE FROM t WHERE id>1 ORDER BY id LIMIT 2", "UPDATE t SET v='q' LIMIT 1"]),
    ("multi update order", [*T, U], [FIVE, "INSERT INTO u VALUES (1,'q'),(2,'w')", "UPDATE t, u SET t.v=u.v WHERE t.id=u.id", "DELETE t FROM t LEFT JOIN u ON t.id=u.id WHERE u.id IS NULL"]),
    ("insert set", T, ["INSERT INTO t SET id=1, v='a', b='c'", "REPLACE INTO t SET id=1, v='b'", "INSERT INTO t SET id=2, v=DEFAULT"]),
    ("on duplicate", [*T, U], [ONE, "INSERT INTO t VALUES (1,'z','z') ON DUPLICATE KEY UPDATE v=CONCAT(v,VALUES(v))", "INSERT INTO u VALUES (1,'p'),(2,'q') ON DUPLICATE KEY UPDATE v='r'"]),
    ("strings", T, ["INSERT INTO t VALUES (1,'a''b\\\"c','\\0\\n\\Z')", "UPDATE t SET v='\\\\x', b=x'C3A4FF'", "INSERT INTO t VALUES (2,'a' 'b',0x414243)"]),
    ("numbers", ["CREATE TABLE t (id INT PRIMARY KEY, a FLOAT, b DOUBLE, c DECIMAL(65,30), d BIGINT)"], ["INSERT INTO t VALUES (1,1e-3,1.7976931348623157e308,123456789.000000000000000000000000000001,-9223372036854775808)", "UPDATE t SET a=a/3, b=b*0.1, c=c*7"]),
    ("math", ["CREATE TABLE t (id INT PRIMARY KEY, a DOUBLE, b DECIMAL(30,12))"], ["INSERT INTO t VALUES (1, POW(2,0.5), ROUND(2.5))", "UPDATE t SET a=SQRT(3)*PI(), b=TRUNCATE(9.87654,3)", "INSERT INTO t VALUES (2, EXP(1), LOG(10))"]),
    ("bits", ["CREATE TABLE t (id INT PRIMARY KEY, a BIGINT UNSIGNED, b VARBINARY(20))"], ["INSERT INTO t VALUES (1, 5|2, ~0)", "UPDATE t SET a=a<<3, b=x'0F' | x'F0'", "INSERT INTO t VALUES (2, BIT_COUNT(255), HEX(255))"]),
    ("text functions", [TEXT], ["INSERT INTO t VALUES (1, UPPER('äöß'), LPAD('a',5,'xy'))", "UPDATE t SET v=REVERSE(v), w=SUBSTRING_INDEX('a.b.c','.',2)", "INSERT INTO t VALUES (2, FORMAT(12345.678,2), SOUNDEX('hello'))"]),
    ("md5 and sha", [TEXT], ["INSERT INTO t VALUES (1, MD5('a'), SHA1('a'))", "UPDATE t SET v=SHA2('b',256), w=CRC32('c')", "INSERT INTO t VALUES (2, TO_BASE64('abc'), UNHEX('4142'))"]),
    ("aes", T, ["INSERT INTO t VALUES (1,'a',AES_ENCRYPT('text','key'))", "UPDATE t SET v=AES_DECRYPT(b,'key')"]),
    ("compress", T, ["INSERT INTO t VALUES (1,'a',COMPRESS('aaaaaaaaaaaaaaaaaaaa'))", "UPDATE t SET v=UNCOMPRESSED_LENGTH(b)"]),
    ("dates", ["CREATE TABLE t (id INT PRIMARY KEY, a DATE, b DATETIME, c TIME)"], ["INSERT INTO t VALUES (1, DATE_ADD('2020-02-28', INTERVAL 2 DAY), TIMESTAMP('2020-01-01','10:00:00'), SEC_TO_TIME(3661))", "UPDATE t SET a=LAST_DAY(a), b=b - INTERVAL 1 MONTH, c=ADDTIME(c,'01:00:00')", "INSERT INTO t VALUES (2, STR_TO_DATE('03.04.2020','%d.%m.%Y'), MAKEDATE(2020,100), MAKETIME(1,2,3))"]),
    ("bad dates", ["CREATE TABLE t (id INT PRIMARY KEY, a DATE, b DATETIME)"], ["SET SESSION sql_mode=''", "INSERT INTO t VALUES (1,'2020-13-45','x')", "INSERT INTO t VALUES (2,20200101,'20-1-1')", "INSERT INTO t VALUES (3,'2020-01-01 99:00:00','2020-01-01T10:00:00')"]),
    ("time of more than a day", ["CREATE TABLE t (id INT PRIMARY KEY, c TIME, d TIME(6))"], ["INSERT INTO t VALUES (1,'838:59:59','-100:00:00.5')", "UPDATE t SET c='100:00:00', d=c"]),
    ("group by in insert", [*T, U], [FIVE, "INSERT INTO u SELECT COUNT(*), MAX(v) FROM t GROUP BY b", "INSERT INTO u SELECT 100+SUM(id), MIN(v) FROM t"]),
    ("union in insert", [*T], ["INSERT INTO t SELECT 1,'a','b' UNION ALL SELECT 2,'c','d'", "INSERT INTO t (id,v) (SELECT 3,'e')"]),
    ("values in insert", T, ["INSERT INTO t (id) VALUES (1),(2)", "INSERT t VALUES (3,'c',NULL)", "INSERT INTO d.t (b,id) VALUE ('x',4)"]),
    ("case and if", T, [FIVE, "UPDATE t SET v=CASE WHEN id=1 THEN 'one' WHEN id<3 THEN 'few' ELSE 'many' END, b=IF(id>3,'x',NULL)"]),
    ("window", [*T, U], [FIVE, "INSERT INTO u SELECT id, ROW_NUMBER() OVER (ORDER BY id) FROM t"]),
    ("cte", [*T, U], [FIVE, "INSERT INTO u WITH q AS (SELECT id, v FROM t WHERE id<3) SELECT * FROM q"]),
    ("derived", [*T, U], [FIVE, "INSERT INTO u SELECT q.id, q.v FROM (SELECT id, v FROM t) q WHERE q.id>2"]),
    ("locking words", T, ["INSERT LOW_PRIORITY INTO t VALUES (1,'a','b')", "UPDATE LOW_PRIORITY IGNORE t SET v='q'", "DELETE QUICK FROM t WHERE id=1", "INSERT HIGH_PRIORITY INTO t VALUES (2,'a','b')"]),
    ("invisible column", T, ["ALTER TABLE t ADD h INT INVISIBLE DEFAULT 4", "INSERT INTO t VALUES (1,'a','b')"]),
    ("comments and hints", T, ["INSERT /*+ SET_VAR(sort_buffer_size=32768) */ INTO t VALUES (1,'a','b')", "UPDATE /*! LOW_PRIORITY */ t SET v='q' # end", "INSERT INTO t VALUES (2,'/* no */','-- no')"]),
    ("table options", T, ["CREATE TABLE n (a INT PRIMARY KEY) AVG_ROW_LENGTH=50 CHECKSUM=1 COMMENT='c' DELAY_KEY_WRITE=1 MAX_ROWS=1000 MIN_ROWS=1 PACK_KEYS=1 STATS_PERSISTENT=1", "INSERT INTO n VALUES (1)", "ALTER TABLE n AUTO_INCREMENT=5, COMMENT='d'"]),
    ("index kinds", T, ["CREATE INDEX k USING BTREE ON t (v(5)) COMMENT 'i'", "CREATE UNIQUE INDEX k2 ON t (id, v)", "ALTER TABLE t ADD FULLTEXT KEY f (v), ADD INDEX k3 (v DESC)", "DROP INDEX k ON t", LAST]),
    ("rename parts", T, ["ALTER TABLE t RENAME COLUMN v TO w", "INSERT INTO t (id,w) VALUES (1,'a')"]),
    ("rename index", T, ["ALTER TABLE t ADD KEY k (v)", "ALTER TABLE t RENAME INDEX k TO k2", LAST]),
    ("first and after", T, ["ALTER TABLE t ADD c INT DEFAULT 1 FIRST, ADD e INT DEFAULT 2 AFTER v", "INSERT INTO t (id,v) VALUES (1,'a')", "ALTER TABLE t MODIFY e INT FIRST", "UPDATE t SET e=9"]),
    ("enum changes", ["CREATE TABLE t (id INT PRIMARY KEY, e ENUM('a','b'), s SET('x','y'))"], ["INSERT INTO t VALUES (1,'a','x,y')", "ALTER TABLE t MODIFY e ENUM('a','b','c'), MODIFY s SET('x','y','z')", "UPDATE t SET e='c', s='z'", "INSERT INTO t VALUES (2,2,5)"]),
    ("convert", T, [ONE, "ALTER TABLE t CONVERT TO CHARACTER SET latin1", "INSERT INTO t VALUES (2,'é','x')", "ALTER TABLE t DEFAULT CHARACTER SET utf8mb4", "ALTER TABLE t ADD n VARCHAR(9)", "UPDATE t SET n='é'"]),
    ("view of views", T, ["CREATE VIEW w1 AS SELECT id, v FROM t", "CREATE VIEW w2 AS SELECT id FROM w1", "CREATE OR REPLACE VIEW w1 AS SELECT id, v, b FROM t WHERE id>0 WITH CHECK OPTION", "INSERT INTO w1 VALUES (1,'a','b')", "DROP VIEW w1, w2"]),
    ("view algorithm", T, ["CREATE ALGORITHM=MERGE DEFINER=CURRENT_USER SQL SECURITY INVOKER VIEW w AS SELECT * FROM t", "ALTER VIEW w AS SELECT id FROM t", "RENAME TABLE w TO w3", "DROP VIEW w3", LAST]),
    ("procedures", T, ["CREATE PROCEDURE p(IN a INT, OUT b INT) SQL SECURITY INVOKER COMMENT 'p' BEGIN INSERT INTO t VALUES (a,'p','p'); SET b=a; END", "CALL p(3,@x)", "ALTER PROCEDURE p COMMENT 'q'", "INSERT INTO t VALUES (@x+1,'x','x')", "DROP PROCEDURE p"]),
    ("procedure of local names", T, ["CREATE PROCEDURE p(v VARCHAR(9)) BEGIN DECLARE x INT DEFAULT 5; IF x>3 THEN INSERT INTO t VALUES (x, v, NULL); ELSE DELETE FROM t; END IF; END", "CALL p('loc')"]),
    ("procedure with a cursor", T, ["CREATE PROCEDURE p() BEGIN DECLARE d INT DEFAULT 0; DECLARE i INT; DECLARE c CURSOR FOR SELECT id FROM t; DECLARE CONTINUE HANDLER FOR NOT FOUND SET d=1; OPEN c; FETCH c INTO i; WHILE d=0 DO UPDATE t SET v='cur' WHERE id=i; FETCH c INTO i; END WHILE; CLOSE c; END", FIVE, "CALL p()"]),
    ("functions", T, ["CREATE FUNCTION f(a INT) RETURNS VARCHAR(20) CHARSET latin1 DETERMINISTIC READS SQL DATA RETURN CONCAT('f',a)", "INSERT INTO t VALUES (1,f(1),'x')", "DROP FUNCTION f", LAST]),
    ("trigger chain", [*T, U, "CREATE TABLE l (id INT AUTO_INCREMENT PRIMARY KEY, w VARCHAR(9))"], ["CREATE TRIGGER t1 AFTER INSERT ON t FOR EACH ROW INSERT INTO u VALUES (NEW.id, NEW.v)", "CREATE TRIGGER t2 AFTER INSERT ON u FOR EACH ROW INSERT INTO l (w) VALUES (NEW.v)", ONE, LAST]),
    ("two triggers", T, ["CREATE TRIGGER t1 BEFORE INSERT ON t FOR EACH ROW SET NEW.v='1'", "CREATE TRIGGER t2 BEFORE INSERT ON t FOR EACH ROW FOLLOWS t1 SET NEW.v=CONCAT(NEW.v,'2')", ONE]),
    ("trigger of time", [STAMPS], ["CREATE TRIGGER t1 BEFORE INSERT ON t FOR EACH ROW SET NEW.dt=NOW()", "INSERT INTO t (id) VALUES (1)"]),
    ("partition kinds", T, ["CREATE TABLE n (a INT PRIMARY KEY) PARTITION BY KEY () PARTITIONS 3", "CREATE TABLE m (a INT, b INT) PARTITION BY LIST COLUMNS (a) (PARTITION p0 VALUES IN (1,2))", "INSERT INTO n VALUES (1)", "INSERT INTO m VALUES (1,1)", "ALTER TABLE m ADD PARTITION (PARTITION p1 VALUES IN (3))"]),
    ("subpartitions", T, ["CREATE TABLE n (a INT, b DATE) PARTITION BY RANGE (YEAR(b)) SUBPARTITION BY HASH (a) SUBPARTITIONS 2 (PARTITION p0 VALUES LESS THAN (2020), PARTITION p1 VALUES LESS THAN MAXVALUE)", "INSERT INTO n VALUES (1,'2019-01-01')", "ALTER TABLE n DROP PARTITION p0"]),
    ("temporary over a table", T, ["CREATE TEMPORARY TABLE t (id INT PRIMARY KEY, v VARCHAR(20), b BLOB)", "INSERT INTO t VALUES (5,'tmp','x')", "DROP TEMPORARY TABLE t", ONE]),
    ("drop of several", [*T, U], ["DROP TABLE IF EXISTS nosuch, u", "CREATE TABLE IF NOT EXISTS t (x INT)", ONE, "DROP VIEW IF EXISTS nov", "DROP PROCEDURE IF EXISTS nop"]),
    ("create if exists", T, ["CREATE TABLE IF NOT EXISTS n (a INT PRIMARY KEY)", "CREATE TABLE IF NOT EXISTS n (b INT)", "INSERT INTO n VALUES (1)", "CREATE DATABASE IF NOT EXISTS d", LAST]),
    ("create as", T, [FIVE, "CREATE TABLE n (PRIMARY KEY (id)) SELECT id, v FROM t", "INSERT INTO n VALUES (77,'n')"]),
    ("create as with columns", T, [FIVE, "CREATE TABLE n (x INT DEFAULT 3, id INT PRIMARY KEY) AS SELECT id FROM t WHERE id<3", "UPDATE n SET x=4"]),
    ("create like", T, ["CREATE TABLE n LIKE t", "ALTER TABLE n ADD x INT", "INSERT INTO n (id) VALUES (1)", "INSERT INTO t SELECT id, v, b FROM n"]),
    ("accounts", T, ["CREATE USER g1@localhost, g2@'%'", "RENAME USER g1@localhost TO g3@localhost", "GRANT ALL ON d.* TO g3@localhost", "REVOKE ALL PRIVILEGES, GRANT OPTION FROM g3@localhost", "DROP USER g2@'%', g3@localhost", LAST]),
    ("column grants", T, ["CREATE USER g1@localhost", "GRANT SELECT (id, v), UPDATE (v) ON d.t TO g1@localhost WITH GRANT OPTION", "GRANT EXECUTE ON d.* TO g1@localhost", "DROP USER g1@localhost", LAST]),
    ("set password", T, ["CREATE USER g1@localhost", "SET PASSWORD FOR g1@localhost = ''", "FLUSH PRIVILEGES", LAST]),
    ("flush kinds", T, ["FLUSH TABLES t", "FLUSH PRIVILEGES", "FLUSH BINARY LOGS", "RESET QUERY CACHE", ONE]),
    ("large transaction", T, ["BEGIN", *(f"INSERT INTO t VALUES ({n},'v',REPEAT('b',3000))" for n in range(1, 12)), "UPDATE t SET v='w'", "COMMIT"]),
    ("statements of nothing", T, ["DELETE FROM t WHERE id=5", "UPDATE t SET v='q' WHERE id=7", "INSERT INTO t SELECT * FROM t WHERE 0", "TRUNCATE t", "ALTER TABLE t COMMENT 'c'", LAST]),
)  # fmt: skip


@cache
def _taken() -> dict[str, list[tuple[str, str]]]:
    """Variables and values that each server takes."""
    out: dict[str, list[tuple[str, str]]] = {server: [] for server in SERVERS}
    for line in (Path(__file__).parent / "data" / "variables.txt").read_text().splitlines():
        name, *values = line.split()
        for value, _, where in (one.rpartition("@") for one in values):
            for place in where:
                out[SERVERS[int(place)]].append((name, value))
    return out


def for_pair(s: str, r: str) -> list[dict[str, Any]]:
    """Every case of this source and this replica."""
    k = Maker(s, r)
    k.base = aspects._mend(s, r)
    draw = random.Random(zlib.crc32(f"variables {s} {r}".encode()))
    for ends, settings, tables, statements in SHOWN:
        for end in ends:
            logged = draw.choice(FORMATS)
            name = " ".join(f"{key}={value}" for key, value in settings.items())
            given = {"rs": settings} if end == "r" else {}
            mine = settings if end == "s" else {}
            k.case(
                "shown variable", f"{end} {name[:60]} {logged} {statements[0][:40]}", tables=tables or T, st=statements,
                needs_all=False, ss={"binlog_format": logged, **mine}, **given,
            )  # fmt: skip
    for name, tables, statements in STATEMENTS:
        logged = draw.choice(FORMATS)
        ends = {"ss": _some(s, draw, 2), "rs": _some(r, draw, 2)} if draw.random() < 0.3 else {}
        k.case(
            "statement", f"{name} {logged} {' '.join(map(str, ends.values()))}", tables=tables, st=statements,
            needs_all=False, ss={"binlog_format": logged, **ends.get("ss", {})}, rs=ends.get("rs"),
        )  # fmt: skip
    for at in range(60):
        name, tables, statements = draw.choice([*WORKLOADS, *STATEMENTS])
        logged = draw.choice(FORMATS)
        mine, theirs = _some(s, draw, 3), _some(r, draw, 6)
        k.case(
            "any variables", f"{at} {name} {logged} {mine} {theirs}", tables=tables, st=statements,
            needs_all=False, ss={"binlog_format": logged, **mine}, rs=theirs,
        )  # fmt: skip
    return k.out


def _some(server: str, draw: random.Random, number: int) -> dict[str, str]:
    """Values of so many variables of a server."""
    return dict(draw.sample(_taken()[server], number))
