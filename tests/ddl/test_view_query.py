"""Queries of views: what a server refuses is not taken for a view, and what it takes mostly is.

All were asked of MariaDB 10.11, by `tests/live/view_fuzz.py` for the most part.
"""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

TABLES = (
    "CREATE TABLE t1 (a INT, b VARCHAR(10));\nCREATE TABLE t2 (a INT, b VARCHAR(10), c INT);\n"
    "CREATE TABLE `left` (d DATETIME, j JSON);\n"
)
TAKEN = [
    "SELECT x.a FROM t1 x LEFT JOIN t2 y ON x.a = y.a WHERE y.b IS NULL",
    "select `t1`.`a` AS `a` from ((`t1` join `t2` on((`t1`.`a` = `t2`.`a`))) left join `left` on((1 = 1)))",
    "SELECT t1.*, t2.c FROM t1 JOIN t2 USING (a)",
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n",
    "SELECT a FROM t1 UNION ALL SELECT b FROM t2 ORDER BY 1 LIMIT 3",
    "(SELECT a FROM t1) UNION (SELECT b FROM t2)",
    "SELECT m FROM (SELECT a, MAX(b) AS m FROM t1 GROUP BY a) x WHERE m <> ''",
    "SELECT COUNT(*), MAX(a) AS m FROM t1 GROUP BY b HAVING COUNT(*) > 1 AND m IS NOT NULL ORDER BY m DESC",
    "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END AS c, CASE a WHEN 1 THEN 2 END AS d FROM t1",
    "SELECT a FROM t1 WHERE NOT EXISTS (SELECT 1 FROM t2 WHERE t2.a = t1.a)",
    "SELECT a FROM t1 WHERE a IN (SELECT a FROM t2) OR a = ANY (SELECT c FROM t2)",
    "SELECT a, (SELECT MAX(b) FROM t2 WHERE c = t1.a) AS m FROM t1",
    "SELECT IF(a, 1, 2) AS i, CAST(a AS CHAR(3)) AS c, CONVERT(b USING utf8mb4) AS u FROM t1",
    "SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) AS r, SUM(a) OVER () AS s FROM t1",
    "SELECT DATE_ADD(d, INTERVAL 1 DAY) AS n, d - INTERVAL 2 HOUR AS o, YEAR(d) AS z FROM `left`",
    "SELECT GROUP_CONCAT(DISTINCT a ORDER BY b DESC SEPARATOR ', ') AS g FROM t1",
    "SELECT TRIM(BOTH 'x' FROM b) AS t, SUBSTRING(b FROM 2 FOR 3) AS s, POSITION('a' IN b) AS p FROM t1",
    "SELECT -a + ~a * 2 DIV 3 AS x, a <=> 1 AS y, a << 1 | 2 AS z FROM t1 WHERE b LIKE 'x!%' ESCAPE '!'",
    "SELECT _utf8mb4'x' AS a, N'y' AS b, DATE'2020-01-01' AS c, 0x41 AS d, CURRENT_TIMESTAMP AS e",
    "SELECT a AS x FROM t1 ORDER BY x LIMIT 1 OFFSET 2",
    "VALUES (1, 2), (3, 4)",
    "SELECT o.a FROM other.o o",
]
REFUSED = [
    "SELECT FROM t1", "SELECT a FROM FROM t1", "SELECT a FROM", "SELECT a, FROM t1", "SELECT a a a FROM t1",
    "(SELECT 1 AS a)`a;b`", "(SELECT 1 AS a) x", "SELECT 1 AS", "SELECT IF(, 1, 2)", "SELECT IF(1, 2)",
    "SELECT a FROM t1 JOIN", "SELECT a FROM t1 LEFT JOIN t2", "SELECT t1.a FROM t1 LEFT JOIN t2 USING a",
    "SELECT a FROM t1. GROUP GROUP BY a", "SELECT NOW('a') AS n", "SELECT (a, 1) AS i FROM t1",
    "SELECT AS() AS y",
    "SELECT nothing(a) AS n FROM t1", "SELECT COUNT(*), a FROM t1 JOIN t2 USING (a) GROUP BY 1",
    "SELECT a FROM (SELECT a FROM t1)", "SELECT a FROM t1 GROUP GROUP BY a", "SELECT a FROM t1 GROUP BY",
    "SELECT a FROM t1 LIMIT 1 UNION SELECT 2", "SELECT a FROM t1 UNION SELECT 1, 2",
    "SELECT a FROM t1 UNION SELECT 1 ORDER BY nothing", "SELECT a FROM t1 UNION SELECT 1 ORDER BY 2",
    "SELECT CASE a END FROM t1", "SELECT CASE WHEN a THEN END FROM t1", "SELECT CAST(a AS) FROM t1",
    "SELECT CAST(a AS CHAR(3) FROM t1", "SELECT EXTRACT(FROM NOW())", "SELECT EXTRACT(YEAR FROM ())",
    "SELECT COUNT(*, a) FROM t1", "SELECT ROW_NUMBER() FROM t1",
    "SELECT ROW_NUMBER() OVER (PARTITION BY ORDER BY a)", "SELECT a FROM t1 WHERE a IN ()",
    "SELECT a FROM t1 WHERE a BETWEEN 1", "SELECT a FROM t1 WHERE a = = 1",
    "SELECT a FROM t1 WHERE b LIKE 'x' ESCAPE 'xy'",
    "SELECT a FROM t1 WHERE EXISTS (SELECT 1 FROM FROM t2)",
    "SELECT a FROM t1 WHERE a IN (SELECT a FROM t2 LIMIT 1)", "SELECT a FROM nowhere x, t1",
    "SELECT x.a FROM t1 x LEFT JOIN t2 y ON x.a = y.nothing", "SELECT x.nothing FROM t1 x JOIN t2 y",
    "SELECT a FROM t1 x JOIN t2 y ON x.a = y.a", "SELECT x.a FROM t1 x JOIN t2 x",
    "SELECT nothing.* FROM t1, t2", "SELECT (SELECT nothing FROM t1) FROM t2", "SELECT * FROM t1 JOIN t2",
    "SELECT 1 x, 2 X", "SELECT a FROM t1 WHERE a = @x OR a > 1", "VALUES (1), (2, 3)", "VALUES (1), (a)",
    "WITH c AS SELECT 1 SELECT 2", "WITH c (x, y) AS (SELECT 1) SELECT * FROM c",
    "SELECT a FROM t1 INTO @a", "SELECT COUNT (*) FROM t1, t2", "SELECT " + "CASE WHEN " * 2000 + "1",
    "SELECT a FROM t1 " + "NATURAL JOIN t2 " * 2,
]  # fmt: skip


def sure(query: str, server: str) -> bool:
    text = f"{TABLES}CREATE VIEW v AS {query};\nCREATE TABLE z (a INT);\n"
    found = read(text, Server.parse(server), database="d")
    return not any(not problem.skipped for problem in found.problems)


@pytest.mark.parametrize("server", ["mariadb-10.11", "mysql-8.0.36"])
@pytest.mark.parametrize("query", TAKEN)
def test_what_a_server_takes(query, server):
    assert sure(query, server)


@pytest.mark.parametrize("query", REFUSED, ids=lambda text: text[:60])
def test_what_a_server_refuses(query):
    assert not sure(query, "mariadb-10.11")


def test_with_a_list_of_columns_the_querys_names_may_be_equal():
    text = f"{TABLES}CREATE VIEW v (p, q) AS SELECT x.a, y.a FROM t1 x JOIN t2 y;\nCREATE TABLE z (a INT);\n"
    assert not any(not one.skipped for one in read(text, Server.parse("mariadb-10.11")).problems)


DUMPED = (
    "/*!50001 CREATE ALGORITHM=UNDEFINED */\n/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */\n"
    "/*!50001 VIEW `v` AS {} */;\nCREATE TABLE z (a INT);\n"
)


@pytest.mark.parametrize(
    "query",
    [
        "select `t1`.`a` AS `a`,(`t1`.`b` collate utf8mb4_bin) AS `b` from `t1`",
        "select `f`(`t1`.`a`) AS `f` from `t1` USE INDEX (`k`)",
        "select distinct row_number() OVER (ORDER BY `t1`.`a` ROWS UNBOUNDED PRECEDING ) AS `r` from `t1`",
    ],
)
def test_a_dumps_view_is_one_that_the_server_has(query):
    """As mysqldump writes it; written by hand, the same query is not understood."""
    found = read(TABLES + DUMPED.format(query), Server.parse("mysql-8.0.36"), database="d")
    assert not any(not one.skipped for one in found.problems)
    assert not sure(query, "mysql-8.0.36")


@pytest.mark.parametrize(
    "query", ["SELECT FROM t1", "select from `t1`", "select `t1`.`a` AS `a` from from `t1`"]
)
def test_a_dumps_view_with_a_query_that_is_none(query):
    found = read(TABLES + DUMPED.format(query), Server.parse("mysql-8.0.36"), database="d")
    assert any(not one.skipped for one in found.problems)
