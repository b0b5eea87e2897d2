"""A seventh set of link cases: the replication account as it is left by statements on the source, kinds of
statements and definitions that the other sets do not have, objects that use each other.

`for_pair(source, replica)` gives the cases of two of the five recorded servers, in the form of `cases.py`.
"""

# Statements are one literal each, as the servers are asked.
# ruff: noqa: E501

from __future__ import annotations

import random
import zlib
from typing import Any

from tests.link import aspects
from tests.link.aspects import FORMATS
from tests.link.cases import DML, M97, Maker, T
from tests.link.combinations import LAST, ONE
from tests.link.operations import ALL, D10, D11, M56, MARIA, NEW, _operation
from tests.link.variables import U

REPL = "repl@'127.0.0.1'"
N = "CREATE TABLE n (a INT PRIMARY KEY, b INT, v VARCHAR(30))"
FILL = "INSERT INTO n VALUES (1,10,'x'),(2,20,'y'),(3,30,'z')"
P = ["CREATE TABLE p (id INT PRIMARY KEY)", "CREATE TABLE t (id INT PRIMARY KEY, p INT, KEY (p))"]

#: (name, sources, replicas, options of the case as in `operations.py`)
FURTHER: tuple[tuple[str, tuple[str, ...], tuple[str, ...], dict[str, Any]], ...] = (
    # the replication account
    ("account locked", NEW, ALL, {"session": [f"ALTER USER {REPL} ACCOUNT LOCK"]}),
    ("account expired", NEW, ALL, {"session": [f"ALTER USER {REPL} PASSWORD EXPIRE"]}),
    ("account with another password", NEW, ALL, {"session": [f"ALTER USER {REPL} IDENTIFIED BY 'another'"]}),
    ("account dropped", ALL, ALL, {"session": [f"DROP USER {REPL}"]}),
    ("account renamed", ALL, ALL, {"session": [f"RENAME USER {REPL} TO other@'127.0.0.1'"]}),
    ("account revoked", ALL, ALL, {"session": [f"REVOKE REPLICATION SLAVE ON *.* FROM {REPL}"]}),
    ("account with all", ALL, ALL, {"session": [f"GRANT ALL ON *.* TO {REPL}"]}),
    ("account that needs tls", NEW, ALL, {"session": [f"ALTER USER {REPL} REQUIRE SSL"]}),
    ("account of few connections", NEW, ALL, {"session": [f"ALTER USER {REPL} WITH MAX_USER_CONNECTIONS 1"]}),
    ("account of few queries", NEW, ALL, {"session": [f"ALTER USER {REPL} WITH MAX_QUERIES_PER_HOUR 2"]}),
    ("anonymous account", (M56, *MARIA), ALL, {"session": ["CREATE USER ''@'127.0.0.1'"]}),
    ("password with quotes", ALL, ALL, {"user": {"password": "a'b\"c\\\\d e"}}),
    ("password with letters of others", ALL, ALL, {"user": {"password": "pässwörd"}}),
    ("password of 31", ALL, ALL, {"user": {"password": "p" * 31}}),
    ("no password", ALL, ALL, {"user": {"password": ""}}),
    ("grant of a role", (M97, D10, D11), ALL, {"user": {"grant": "SELECT"}, "session": ["CREATE ROLE rr", "GRANT REPLICATION SLAVE ON *.* TO rr", f"GRANT rr TO {REPL}"]}),
    ("account that may select", ALL, ALL, {"user": {"grant": "SELECT"}}),
    ("account that may be a client", ALL, ALL, {"user": {"grant": "REPLICATION CLIENT"}}),
    # kinds of changes
    ("insert set", ALL, ALL, {"st": ["INSERT INTO t SET id=1, v='a'", "REPLACE INTO t SET id=1, v='b'", "INSERT LOW_PRIORITY INTO t (v,id) VALUES (DEFAULT,2)"]}),
    ("insert select", ALL, ALL, {"tables": [*T, U], "st": [ONE, "INSERT INTO u SELECT id,v FROM t ORDER BY id", "INSERT INTO u SELECT id+5,v FROM t ON DUPLICATE KEY UPDATE u.v='k'"]}),
    ("replace select", ALL, ALL, {"tables": [*T, U], "st": [ONE, LAST, "REPLACE INTO u SELECT id,'r' FROM t ORDER BY id"]}),
    ("update of joined", ALL, ALL, {"tables": [*T, U], "st": [ONE, "INSERT INTO u VALUES (1,'q')", "UPDATE t, u SET t.v=u.v WHERE t.id=u.id", "UPDATE t LEFT JOIN u ON u.id=t.id SET t.b=NULL"]}),
    ("delete of joined", ALL, ALL, {"tables": [*T, U], "st": [ONE, LAST, "INSERT INTO u VALUES (1,'q')", "DELETE t FROM t JOIN u ON t.id=u.id", "DELETE FROM u USING u, t WHERE t.id<>u.id"]}),
    ("update with a subquery", ALL, ALL, {"tables": [*T, U], "st": [ONE, "INSERT INTO u VALUES (1,'q')", "UPDATE t SET v=(SELECT MAX(v) FROM u)", "DELETE FROM t WHERE id IN (SELECT id FROM u)"]}),
    ("update of the key", ALL, ALL, {"st": [ONE, LAST, "UPDATE t SET id=id+100 ORDER BY id DESC", "UPDATE t SET id=7 WHERE id=101"]}),
    ("update in order with a limit", ALL, ALL, {"st": [ONE, LAST, "UPDATE t SET v='o' ORDER BY id LIMIT 1", "DELETE FROM t ORDER BY id DESC LIMIT 1"]}),
    ("update ignore", ALL, ALL, {"st": [ONE, LAST, "UPDATE IGNORE t SET id=1", "DELETE QUICK IGNORE FROM t WHERE id=99"]}),
    ("update that changes nothing", ALL, ALL, {"st": [ONE, "UPDATE t SET v='a'", "UPDATE t SET v='q' WHERE id=55", "DELETE FROM t WHERE id=55"]}),
    ("ordered by a text", ALL, ALL, {"st": ["INSERT INTO t VALUES (3,'B','x'),(1,'a','x'),(2,'c','x')", "UPDATE t SET b='first' ORDER BY v LIMIT 1"]}),
    ("with", NEW, ALL, {"tables": [*T, U], "st": [ONE, "INSERT INTO u WITH c AS (SELECT id,v FROM t) SELECT * FROM c"]}),
    ("window", NEW, ALL, {"tables": [*T, U], "st": ["INSERT INTO t VALUES (1,'a','x'),(2,'b','x')", "INSERT INTO u SELECT id, ROW_NUMBER() OVER (ORDER BY id) FROM t"]}),
    ("union and values", ALL, ALL, {"tables": [*T, U], "st": ["INSERT INTO u SELECT 1,'a' UNION ALL SELECT 2,'b'", "INSERT INTO u (SELECT 3,'c') LIMIT 1"], "needs_all": False}),
    ("case and regexp", ALL, ALL, {"st": [ONE, "UPDATE t SET v=CASE WHEN v REGEXP '^a' THEN 'yes' ELSE 'no' END", "UPDATE t SET v=IF(v RLIKE 'Y','u','l')"]}),
    ("dates of the session", ALL, ALL, {"tables": ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(40))"], "st": ["INSERT INTO t VALUES (1,DATE_FORMAT('2020-02-03','%W %D %M'))", "INSERT INTO t VALUES (2,STR_TO_DATE('03,5,2013','%d,%m,%Y'))", "INSERT INTO t VALUES (3,TIMESTAMPDIFF(DAY,'2020-01-01','2020-03-01'))"]}),
    ("conversions of text", ALL, ALL, {"tables": ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(40))"], "st": ["INSERT INTO t VALUES (1,CONVERT('ä' USING latin1))", "INSERT INTO t VALUES (2,HEX(CAST('ä' AS BINARY)))", "INSERT INTO t VALUES (3,CONCAT(1,NULL))", "INSERT INTO t VALUES (4,CHAR(228 USING latin1))"]}),
    ("arithmetic", ALL, ALL, {"tables": ["CREATE TABLE t (id INT PRIMARY KEY, d DOUBLE, n DECIMAL(20,6), u BIGINT UNSIGNED)"], "st": ["INSERT INTO t VALUES (1,0.1+0.2,1/3,5)", "UPDATE t SET d=POW(2,0.5), n=ROUND(2.5)+TRUNCATE(9.99,1)", "UPDATE t SET u=u-1"]}),
    ("bits", ALL, ALL, {"tables": ["CREATE TABLE t (id INT PRIMARY KEY, a BIT(5), b BIGINT)"], "st": ["INSERT INTO t VALUES (1,b'10101',5|8)", "UPDATE t SET a=a^b'1', b=~b", "UPDATE t SET b=BIT_COUNT(a)<<2"]}),
    ("enum by number", ALL, ALL, {"tables": ["CREATE TABLE t (id INT PRIMARY KEY, e ENUM('x','y'), s SET('p','q'))"], "st": ["INSERT INTO t VALUES (1,2,3)", "UPDATE t SET e=1, s='q'", "UPDATE t SET e=e+1"]}),
    ("negative times", ALL, ALL, {"tables": ["CREATE TABLE t (id INT PRIMARY KEY, a TIME, b TIME(2), y YEAR)"], "st": ["INSERT INTO t VALUES (1,'-838:59:59','-00:00:00.01',1901)", "UPDATE t SET a=ADDTIME(a,'1:00:00'), y=0"]}),
    ("trailing spaces", ALL, ALL, {"tables": ["CREATE TABLE t (id INT PRIMARY KEY, c CHAR(9), v VARCHAR(9), b BINARY(4))"], "st": ["INSERT INTO t VALUES (1,'a  ','a  ','a')", "UPDATE t SET v='hit' WHERE c='a' AND v='a'", "DELETE FROM t WHERE b='a'"]}),
    ("emoji", ALL, ALL, {"st": ["INSERT INTO t VALUES (1,'😀','😀')", "UPDATE t SET v='😁' WHERE v='😀'"]}),
    ("on update now", ALL, ALL, {"tables": ["CREATE TABLE t (id INT PRIMARY KEY, v INT, ts TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)"], "st": ["INSERT INTO t (id,v) VALUES (1,1)", "SET timestamp=1500000000", "UPDATE t SET v=2", "INSERT INTO t (id,v) VALUES (2,2)"]}),
    ("stored generated", ALL, ALL, {"tables": [], "st": ["CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))", "INSERT INTO t VALUES (1,'a')", "ALTER TABLE t ADD UNIQUE (v)", "INSERT INTO t VALUES (2,'b') ON DUPLICATE KEY UPDATE v='c'"]}),
    ("cascades that set null", ALL, ALL, {"tables": [P[0], "CREATE TABLE t (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (id) ON DELETE SET NULL ON UPDATE CASCADE)"], "st": ["INSERT INTO p VALUES (1),(2)", "INSERT INTO t VALUES (1,1),(2,2)", "DELETE FROM p WHERE id=1", "UPDATE p SET id=9"]}),
    ("trigger chain", ALL, ALL, {"tables": [*T, U, "CREATE TABLE w (id INT PRIMARY KEY, v VARCHAR(20))", "CREATE TRIGGER t1 AFTER INSERT ON t FOR EACH ROW INSERT INTO u VALUES (NEW.id,'1')", "CREATE TRIGGER t2 AFTER INSERT ON u FOR EACH ROW INSERT INTO w VALUES (NEW.id,'2')"], "st": [ONE, LAST]}),
    ("trigger of the replica writes", ALL, ALL, {"tables": [*T, U], "rsession": ["CREATE TRIGGER d.t1 AFTER INSERT ON d.t FOR EACH ROW INSERT INTO d.u VALUES (NEW.id,'1')"], "st": [ONE]}),
    ("trigger of the source alone", ALL, ALL, {"tables": [*T, U], "session": ["SET SESSION sql_log_bin=0", "CREATE TRIGGER t1 AFTER INSERT ON t FOR EACH ROW INSERT INTO u VALUES (NEW.id,'1')", "SET SESSION sql_log_bin=1"], "st": [ONE]}),
    ("procedure of the replica differs", ALL, ALL, {"session": ["SET SESSION sql_log_bin=0", "CREATE PROCEDURE p() INSERT INTO t VALUES (5,'s','s')", "SET SESSION sql_log_bin=1"], "rsession": ["CREATE PROCEDURE d.p() INSERT INTO d.t VALUES (6,'r','r')"], "st": ["CALL p()"]}),
    ("function of the replica differs", ALL, ALL, {"session": ["SET SESSION sql_log_bin=0", "CREATE FUNCTION f() RETURNS INT DETERMINISTIC NO SQL RETURN 5", "SET SESSION sql_log_bin=1"], "rsession": ["CREATE FUNCTION d.f() RETURNS INT DETERMINISTIC NO SQL RETURN 6"], "st": ["INSERT INTO t VALUES (f(),'f','f')"]}),
    ("view over two", ALL, ALL, {"tables": [*T, U], "st": ["CREATE VIEW w AS SELECT t.id, t.v, u.v uv FROM t JOIN u USING (id)", ONE, "INSERT INTO u VALUES (1,'q')", "UPDATE w SET v='x' WHERE id=1"]}),
    ("procedure with out", ALL, ALL, {"tables": [*T, "CREATE PROCEDURE p(IN a INT, OUT b INT) BEGIN INSERT INTO t VALUES (a,'p','p'); SET b=a+1; END"], "st": ["CALL p(4,@x)", "INSERT INTO t VALUES (@x,'q','q')"]}),
    ("function that changes", ALL, ALL, {"tables": [*T, U, "CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC MODIFIES SQL DATA BEGIN INSERT INTO u VALUES (a,'f'); RETURN a; END"], "st": ["INSERT INTO t VALUES (f(1),'x','y')", "DO f(2)", "SELECT f(3)"]}),
    # kinds of definitions
    ("index options", ALL, ALL, {"st": ["CREATE INDEX i1 ON t (v) COMMENT 'c'", "CREATE INDEX i2 USING BTREE ON t (v,id)", "ALTER TABLE t ADD UNIQUE KEY i3 (id) KEY_BLOCK_SIZE=4", ONE]}),
    ("several actions", ALL, ALL, {"st": [ONE, "ALTER TABLE t ADD x INT NOT NULL DEFAULT 3, ADD KEY k (x), DROP COLUMN b, RENAME TO s, COMMENT 'c'", "INSERT INTO s VALUES (2,'s',4)"]}),
    ("foreign key added", ALL, ALL, {"tables": P, "st": ["INSERT INTO p VALUES (1)", "INSERT INTO t VALUES (1,1)", "ALTER TABLE t ADD CONSTRAINT f1 FOREIGN KEY (p) REFERENCES p (id)", "ALTER TABLE t DROP FOREIGN KEY f1"]}),
    ("foreign key to nothing", ALL, ALL, {"st": ["SET foreign_key_checks=0", "CREATE TABLE n (a INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES nosuch (id))", "INSERT INTO n VALUES (1,1)"]}),
    ("foreign key of other types", MARIA, ALL, {"tables": ["CREATE TABLE p (id INT PRIMARY KEY, k VARCHAR(5) UNIQUE)"], "st": ["CREATE TABLE n (a INT PRIMARY KEY, p VARCHAR(9), FOREIGN KEY (p) REFERENCES p (k))"]}),
    ("tablespace discarded", ALL, ALL, {"st": [N, "ALTER TABLE n DISCARD TABLESPACE", ONE]}),
    ("table options", ALL, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY) STATS_PERSISTENT=1 STATS_AUTO_RECALC=0 MAX_ROWS=5 AVG_ROW_LENGTH=10 CHECKSUM=1 PACK_KEYS=0", "INSERT INTO n VALUES (1)"]}),
    ("encryption", (M97,), ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY) ENCRYPTION='N'", "CREATE TABLE m (a INT PRIMARY KEY) COMPRESSION='zlib'", "INSERT INTO n VALUES (1)"], "needs_all": False}),
    ("encrypted of MariaDB", MARIA, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY) ENCRYPTED=NO", "INSERT INTO n VALUES (1)"]}),
    ("merge", ALL, ALL, {"st": ["CREATE TABLE a1 (a INT) ENGINE=MyISAM", "CREATE TABLE n (a INT) ENGINE=MERGE UNION=(a1) INSERT_METHOD=LAST", "INSERT INTO n VALUES (1)"]}),
    ("memory table", ALL, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(9)) ENGINE=MEMORY", "INSERT INTO n VALUES (1,'m')", "UPDATE n SET v='q'"]}),
    ("federated", ALL, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY) ENGINE=FEDERATED CONNECTION='mysql://u@h/d/t'", ONE], "needs_all": False}),
    ("aria", MARIA, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY) ENGINE=Aria TRANSACTIONAL=1", "INSERT INTO n VALUES (1)"]}),
    ("hash partitions", ALL, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, b INT) PARTITION BY LINEAR HASH (a) PARTITIONS 3", "INSERT INTO n VALUES (1,1)", "ALTER TABLE n COALESCE PARTITION 1", "ALTER TABLE n ADD PARTITION PARTITIONS 2"]}),
    ("key partitions", ALL, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, b INT) PARTITION BY KEY ALGORITHM=1 () PARTITIONS 2", "INSERT INTO n VALUES (1,1)"]}),
    ("subpartitions", ALL, ALL, {"st": ["CREATE TABLE n (a INT, d DATE) PARTITION BY RANGE (YEAR(d)) SUBPARTITION BY HASH (TO_DAYS(d)) SUBPARTITIONS 2 (PARTITION p0 VALUES LESS THAN (2000), PARTITION p1 VALUES LESS THAN MAXVALUE)", "INSERT INTO n VALUES (1,'2020-01-01')", "ALTER TABLE n REORGANIZE PARTITION p1 INTO (PARTITION p1 VALUES LESS THAN (2010), PARTITION p2 VALUES LESS THAN MAXVALUE)"]}),
    ("partitions of history", MARIA, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY) WITH SYSTEM VERSIONING PARTITION BY SYSTEM_TIME (PARTITION h HISTORY, PARTITION c CURRENT)", "INSERT INTO n VALUES (1)", "DELETE FROM n"]}),
    ("partition by text range", ALL, ALL, {"st": ["CREATE TABLE n (v VARCHAR(9), a INT) PARTITION BY RANGE COLUMNS (v,a) (PARTITION p0 VALUES LESS THAN ('m',5), PARTITION p1 VALUES LESS THAN (MAXVALUE,MAXVALUE))", "INSERT INTO n VALUES ('a',1)"]}),
    ("partition made a table", (D10, D11), ALL, {"st": ["CREATE TABLE n (a INT) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (5), PARTITION p1 VALUES LESS THAN (9))", "INSERT INTO n VALUES (1)", "ALTER TABLE n CONVERT PARTITION p0 TO TABLE m"]}),
    ("create or replace select", MARIA, ALL, {"st": [N, FILL, "CREATE OR REPLACE TABLE m AS SELECT a, v FROM n", "INSERT INTO m VALUES (9,'q')"]}),
    ("create ignore select", ALL, ALL, {"st": [N, FILL, "CREATE TABLE m (a INT PRIMARY KEY) IGNORE SELECT 1 a UNION ALL SELECT 1", "CREATE TABLE k (z INT DEFAULT 4) REPLACE SELECT a FROM n ORDER BY a"]}),
    ("create like a view", ALL, ALL, {"st": ["CREATE VIEW w AS SELECT id FROM t", "CREATE TABLE IF NOT EXISTS t (other INT)", ONE], "needs_all": False}),
    ("sequence tables", MARIA, ALL, {"tables": [*T, U], "st": ["INSERT INTO u SELECT seq, CONCAT('s',seq) FROM seq_1_to_5"]}),
    ("sequence in a trigger", MARIA, ALL, {"tables": [*T], "st": ["CREATE SEQUENCE s1", "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.v=NEXTVAL(s1)", ONE, LAST]}),
    ("checks", ALL, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, b INT, CONSTRAINT c1 CHECK (b<100))", "INSERT INTO n VALUES (1,5)", "ALTER TABLE n ADD CHECK (a>0)", "INSERT INTO n VALUES (2,7)"]}),
    ("check not enforced", (M97,), ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, b INT, CONSTRAINT c1 CHECK (b<100) NOT ENFORCED)", "INSERT INTO n VALUES (1,500)", "ALTER TABLE n DROP CHECK c1"]}),
    ("default of another column", MARIA, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, b INT DEFAULT (a+1))", "INSERT INTO n (a) VALUES (1)"]}),
    ("virtual and indexed", (M97, *MARIA), ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, b VARCHAR(9), c VARCHAR(9) AS (UPPER(b)) VIRTUAL, KEY (c))", "INSERT INTO n (a,b) VALUES (1,'x')", "UPDATE n SET b='y' WHERE c='X'"]}),
    ("json column", (M97, *MARIA), ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, j JSON)", "INSERT INTO n VALUES (1,'{\"k\": 1.50}')", "UPDATE n SET j=JSON_SET(j,'$.k',2)"]}),
    ("json index", (M97,), ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, j JSON, KEY k ((CAST(j->'$.z' AS UNSIGNED ARRAY))))", "INSERT INTO n VALUES (1,'{\"z\":[1,2]}')"]}),
    ("hash key", MARIA, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, b TEXT, UNIQUE (b))", "INSERT INTO n VALUES (1,'x')"]}),
    ("column of a blob key", ALL, ALL, {"st": ["CREATE TABLE n (a BLOB, KEY (a(20)))", "INSERT INTO n VALUES ('x')", "UPDATE n SET a='y'"]}),
    ("no key at all", ALL, ALL, {"st": ["CREATE TABLE n (a INT, v VARCHAR(9))", "INSERT INTO n VALUES (1,'x'),(1,'x'),(2,'y')", "UPDATE n SET v='z' WHERE a=1 LIMIT 1", "DELETE FROM n WHERE a=2"]}),
    ("null in keys", ALL, ALL, {"st": ["CREATE TABLE n (a INT, b INT, UNIQUE (a))", "INSERT INTO n VALUES (NULL,1),(NULL,2),(3,3)", "UPDATE n SET b=b+1 WHERE a IS NULL", "DELETE FROM n WHERE b=3"]}),
    ("timestamps without defaults", ALL, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, x TIMESTAMP NOT NULL, y TIMESTAMP NOT NULL)", "INSERT INTO n VALUES (1,'2020-01-01','2020-01-01')", "UPDATE n SET a=2"], "needs_all": False}),
    ("zero default", ALL, ALL, {"st": ["SET sql_mode=''", "CREATE TABLE n (a INT PRIMARY KEY, d DATE NOT NULL DEFAULT '0000-00-00')", "INSERT INTO n (a) VALUES (1)"]}),
    ("float and real", ALL, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, f FLOAT, g FLOAT(30), r REAL)", "INSERT INTO n VALUES (1,1.1,1.1,1.1)", "SET sql_mode='REAL_AS_FLOAT'", "CREATE TABLE m (a INT PRIMARY KEY, r REAL)", "INSERT INTO m VALUES (1,1.1)"]}),
    ("text of bytes", ALL, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, t TEXT(70000), b BLOB(300), c CHAR BYTE, l LONG)", "INSERT INTO n VALUES (1,'x','y','z','w')"]}),
    ("column charsets", ALL, ALL, {"st": ["CREATE TABLE n (a INT PRIMARY KEY, u VARCHAR(9) CHARACTER SET ucs2, g VARCHAR(9) CHARACTER SET greek, s VARCHAR(9) CHARACTER SET sjis, k VARCHAR(9) ASCII, z VARCHAR(9) UNICODE)", "INSERT INTO n VALUES (1,'a','a','a','a','a')"]}),
    ("binary attribute", ALL, ALL, {"st": ["CREATE TABLE n (a VARCHAR(9) BINARY PRIMARY KEY, b CHAR(5) CHARACTER SET latin1 BINARY)", "INSERT INTO n VALUES ('a','b')", "INSERT INTO n VALUES ('A','b')"]}),
    ("drop and create again", ALL, ALL, {"st": [ONE, "DROP TABLE t", "CREATE TABLE t (id INT PRIMARY KEY, w INT)", "INSERT INTO t VALUES (1,2)", "DROP TABLE IF EXISTS t, nosuch"]}),
    ("drop of a view with a table's name", ALL, ALL, {"st": ["CREATE VIEW w AS SELECT 1 a", "DROP TABLE IF EXISTS w", "DROP VIEW w", ONE], "needs_all": False}),
    ("database dropped with tables", ALL, ALL, {"st": ["CREATE DATABASE d6", "CREATE TABLE d6.x (a INT PRIMARY KEY)", "INSERT INTO d6.x VALUES (1)", "DROP DATABASE d6", ONE]}),
    ("optimized", ALL, ALL, {"st": [ONE, "ALTER TABLE t ENGINE=InnoDB", "OPTIMIZE NO_WRITE_TO_BINLOG TABLE t", "ANALYZE LOCAL TABLE t", LAST]}),
    ("engine changed", ALL, ALL, {"st": [ONE, "ALTER TABLE t ENGINE=MyISAM", "INSERT INTO t VALUES (2,'m','m')", "ALTER TABLE t ENGINE=InnoDB ROW_FORMAT=DYNAMIC"]}),
    ("set role", (M97, *MARIA), ALL, {"st": ["SET ROLE NONE", ONE]}),
    ("alter the database's name", ALL, ALL, {"st": ["ALTER DATABASE d CHARACTER SET utf8", "CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(9))", "INSERT INTO n VALUES (1,'a')"]}),
    ("full image without doubles", (D11,), ALL, {"ss": {"binlog_row_image": "FULL_NODUP", "binlog_format": "ROW"}}),
    ("prepared definition", ALL, ALL, {"st": ["PREPARE s FROM 'CREATE TABLE n (a INT PRIMARY KEY)'", "EXECUTE s", "PREPARE s FROM 'INSERT INTO n VALUES (?)'", "SET @x=4", "EXECUTE s USING @x", "DROP PREPARE s"]}),
    ("comments in statements", ALL, ALL, {"st": ["INSERT /* c */ INTO t VALUES (1,'a','b') -- end", "# first\nUPDATE t SET v='c'", "DELETE FROM t /* WHERE id=5 */"]}),
    ("quotes of all kinds", ALL, ALL, {"st": ["INSERT INTO t VALUES (1,'it''s',\"say \\\"x\\\"\")", "UPDATE t SET v='a\\nb\\0c'", "INSERT INTO t VALUES (2,_binary'x',X'41')"]}),
    ("row constructors", ALL, ALL, {"st": [ONE, "UPDATE t SET v='r' WHERE (id,v)=(1,'a')", "DELETE FROM t WHERE ROW(id,v) IN ((1,'r'))"]}),
)  # fmt: skip


def for_pair(s: str, r: str, drawn: str = "") -> list[dict[str, Any]]:
    """Every case of this source and this replica, in one of the formats; `drawn` names another draw."""
    k = Maker(s, r)
    k.base = aspects._mend(s, r)
    draw = random.Random(zlib.crc32(f"further{drawn} {s} {r}".encode()))
    for name, sources, replicas, given in FURTHER:
        logged = draw.choice(FORMATS)
        if s in sources and r in replicas:
            more = {key: given[key] for key in ("needs_all", "user") if key in given}
            _operation(k, f"{name} {logged}", {"st": DML, **given}, logged, **more)
    return k.out
