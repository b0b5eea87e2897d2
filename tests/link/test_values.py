"""Logged statements between servers with other conversions (asked of MySQL 5.6.24, MariaDB 10.11.19, 11.8.6):
plain values are decided, whatever else becomes another value or stops the applier is not.
"""

from __future__ import annotations

import pytest

from schemacheck import catalog
from schemacheck.link import Ends, Kind
from schemacheck.model import Link, Server
from schemacheck.workload import run_script

TABLE = """CREATE TABLE t (id INT PRIMARY KEY, n INT, bi BIGINT UNSIGNED, de DECIMAL(10,2), d DOUBLE, f FLOAT,
  v VARCHAR(40) CHARACTER SET utf8, tx TEXT CHARACTER SET utf8, da DATE, dt DATETIME, tm2 TIME(2),
  ts TIMESTAMP NULL, tm TIME, y YEAR, e ENUM('a','b','1','2'), s SET('a','b'), bt BIT(1)) CHARSET utf8"""
UP = ("mysql-5.6.24", "mariadb-10.11.19")
NEWER = ("mariadb-10.11.19", "mariadb-11.8.6")
#: What stopped the applier, or left other rows or values.
DIFFER = [
    *((UP, f"INSERT INTO t (id, {column}) VALUES (1, {value})") for column, value in (
        ("v", "ROUND(-0.5e0)"), ("v", "ENCODE('a','b')"), ("v", "COMPRESS('a')"),
        ("n", "MAKETIME(10,10,10.7)"),
        ("tm", "CURDATE()+0"), ("tm", "CRC32('a')"), ("y", "UTC_TIME()"), ("dt", "RAND(3)"),
        ("tm", "'2024-01-01T10:11:12'"), ("tm", "'+1'"), ("tm", "20240101"), ("tm", "'900:00:00'"),
        ("s", "'69'"), ("y", "CURTIME()"), ("y", "NOW()"), ("tm", "''"), ("ts", "0.005"), ("d", "'-0.0'"),
    )),
    *((UP, f"UPDATE t SET {text}") for text in (
        "dt=da + INTERVAL 1 MONTH", "n=tx+0", "d=TIME_TO_SEC(tm2)", "n=CAST(tm2 AS SIGNED)",
        "n=CAST(f AS SIGNED)", "n=IF(id>0,dt,da)", "n=IFNULL(dt,da)", "n=YEAR(y)", "v=CHAR(id*200)",
        "n=dt + INTERVAL 1.5 SECOND", "n=1 WHERE tx=12", "n=1 WHERE dt='2024-02-30'",
        "n=0 WHERE id IN ('a',1)", "n=1 WHERE n=''", "n=1 WHERE dt>='2024-02'", "n=1 WHERE tx",
    )),
    *((UP, f"DELETE FROM t WHERE {text}") for text in ("dt > 'yesterday'", "da=''", "v=0", "id='1x'",
        "dt > '2024'", "dt<='2024-02-29 24:00:00'", "HOUR(tx)=0")),
    (NEWER, "INSERT INTO t (id, ts) VALUES (1, '2038-01-19 03:14:08')"),
    (NEWER, "INSERT INTO t (id, e) VALUES (1, '\uff12')"),
    (NEWER, "UPDATE t SET v='x' WHERE bi=9007199254740992e0"),
]  # fmt: skip
#: Statements of every day, which are the same on both ends.
ALIKE = [
    "INSERT INTO t (id,n,de,d,v,e,s) VALUES (1,-5,1.25,0.5, 'a', 'b', 'a,b'), (2, '7', '1', 2, 8, '1', 'b')",
    "INSERT INTO t (id,da,dt,ts,tm,y) VALUES (1,'2024-02-29','2024-02-29 10:11:12',NOW(), '10:11:12', 2024)",
    "INSERT INTO t (id,da,dt,ts,tm,y) VALUES (2, CURDATE(), NOW(), '2024-01-01', CURTIME(), 2024)",
    "INSERT INTO t (id, n) VALUES (1, 2), (3, 4)",
    "REPLACE INTO t (id, v) VALUES (1, DEFAULT)",
    "UPDATE t SET n=n-1, de=de*1.1, v=CONCAT(v, '-', id), tx='' WHERE n>1 AND v LIKE 'a%'",
    "UPDATE t SET dt=NOW() - INTERVAL 1 DAY, da=DATE_ADD(CURDATE(), INTERVAL 7 DAY) WHERE id IN (1, '2')",
    "UPDATE t SET v='p', bt=1 WHERE e='a' OR y=2024 AND NOT tm>'09:00:00'",
    "UPDATE t SET v=n WHERE dt='2024-02-29' OR da IS NULL",
    "DELETE FROM t WHERE dt < NOW() - INTERVAL 30 DAY AND da BETWEEN '2024-01-01' AND '2024-12-31'",
    "INSERT INTO t () VALUES ()",
]


def _outcome(pair, text):
    link = Link(*(Server.parse(name, {"binlog_format": "STATEMENT"}) for name in pair))
    schemas = tuple(
        catalog.read(TABLE, server, database="d", charsets={"d": ("utf8mb4", "utf8mb4_general_ci")})
        for server in (link.source, link.replica)
    )
    return run_script(Ends(link), text, schemas, database="d").outcome


@pytest.mark.parametrize(("pair", "text"), DIFFER)
def test_values_of_another_family_are_not_decided(pair, text):
    assert _outcome(pair, text).kind is Kind.UNKNOWN


@pytest.mark.parametrize("text", ALIKE)
def test_plain_values_are_decided(text):
    assert _outcome(UP, text).kind is Kind.RUNS


def test_what_two_collations_compare_is_not_decided():
    """11.8 and 10.11 give a table of CHARSET utf8mb4 collations of their own, under its default MIXED."""
    made = "CREATE TABLE n (a VARCHAR(255), k INT, KEY (a)) CHARSET utf8mb4; INSERT INTO n VALUES ('a', 1);"
    link = Link(Server.parse("mariadb-11.8.6", {"binlog_format": "MIXED"}), Server.parse("mariadb-10.11.19"))
    outcome = run_script(Ends(link), f"{made} UPDATE n SET k = 9 WHERE a = 'ss';", database="d").outcome
    assert outcome.kind is Kind.UNKNOWN
