"""Views whose queries were changed by words, given to a real server and to us: what the server refuses is
unknown to us, because the client stops there.

    python -m tests.live.view_fuzz --count 10000 [--server mysql-9.7 --port 33971]

Arguments as those of `script_fuzz`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from schemacheck.catalog import read
from tests.live.script_fuzz import Lab, add_arguments, lab_of, worded

TABLES = (
    "CREATE TABLE t1 (a INT, b VARCHAR(10), KEY k (a)) PARTITION BY HASH (a) (PARTITION p0, PARTITION p1)",
    "CREATE TABLE t2 (a INT, b VARCHAR(10))",
)
HEADS = ("CREATE VIEW v AS ", "CREATE VIEW v AS ", "CREATE VIEW v (x) AS ")
QUERIES = (
    "SELECT a FROM t1", "SELECT x.a FROM t1 x LEFT JOIN t2 y ON x.a = y.a WHERE y.b IS NULL",
    "SELECT a, t1.b FROM t1 JOIN t2 USING (a)", "WITH c AS (SELECT a FROM t1) SELECT * FROM c",
    "SELECT a FROM t1 UNION ALL SELECT b FROM t2 ORDER BY 1 LIMIT 3",
    "(SELECT a FROM t1) UNION (SELECT b FROM t2)", "SELECT * FROM (SELECT a FROM t1) x",
    "SELECT COUNT(*), MAX(a) AS m FROM t1 GROUP BY b HAVING COUNT(*) > 1",
    "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END AS c FROM t1",
    "SELECT a FROM t1 WHERE a IN (SELECT a FROM t2)",
    "SELECT a FROM t1 WHERE EXISTS (SELECT 1 FROM t2 WHERE t2.a = t1.a)", "VALUES (1), (2)",
    "SELECT IF(a, 1, 2) AS i, CAST(a AS CHAR(3)) AS c FROM t1",
    "SELECT DISTINCT a FROM t1 WHERE a BETWEEN 1 AND 2",
    "SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) AS r FROM t1",
    "SELECT t1.* FROM t1 CROSS JOIN t2", "SELECT a, (SELECT MAX(b) FROM t2) AS m FROM t1",
    "SELECT a FROM t1 NATURAL JOIN t2", "SELECT DATE_ADD(NOW(), INTERVAL a DAY) AS d FROM t1",
    "SELECT a COLLATE utf8mb4_bin AS a FROM t2",
    "SELECT GROUP_CONCAT(DISTINCT a ORDER BY a SEPARATOR ',') AS g FROM t1",
    "SELECT a FROM t1 PARTITION (p0)", "SELECT a FROM t1 USE INDEX (k)",
    "SELECT a FROM t1 WHERE b LIKE 'x%' ESCAPE '!'", "(SELECT 1 AS a)", "SELECT 1 AS a LIMIT 1 OFFSET 2",
    "SELECT TRIM(LEADING 'x' FROM b) AS b FROM t1", "SELECT a FROM t1 FOR UPDATE",
    "SELECT EXTRACT(YEAR FROM NOW()) AS y", "SELECT a FROM t1 GROUP BY a WITH ROLLUP", "SELECT 1 x, 2 y",
)  # fmt: skip


def differences(lab: Lab, count: int, seed: int) -> Iterator[tuple[str, str] | Counter[str]]:
    """Each view that the server refuses and that we take to be made, with what the server says; at the end
    what was counted.
    """
    from pymysql import MySQLError

    rng = random.Random(seed)
    counted: Counter[str] = Counter()
    before = ";\n".join(TABLES) + ";\n"
    with lab.connection() as connection, connection.cursor() as cursor:
        cursor.execute("DROP DATABASE IF EXISTS fuzz_views")
        cursor.execute("CREATE DATABASE fuzz_views CHARACTER SET utf8mb4")
        cursor.execute("USE fuzz_views")
        for table in TABLES:
            cursor.execute(table)
        for _ in range(count):
            query = rng.choice(QUERIES)
            for _ in range(rng.choice((0, 1, 1, 1, 2))):
                query = worded(rng, query) if query.strip() else query
            text = rng.choice(HEADS) + query.replace("{n}", "4")
            if ";" in text:
                continue
            found = read(f"{before}{text};\nCREATE TABLE z (a INT);\n", lab.server, database="fuzz_views")
            sure = not any(not problem.skipped for problem in found.problems)
            said = ""
            cursor.execute("DROP VIEW IF EXISTS v")
            try:
                cursor.execute(text)
            except MySQLError as error:
                said = str(error)
            counted[f"{'read' if sure else 'unknown'}, {'refused' if said else 'run'} by the server"] += 1
            if sure and said:
                yield text, said
        cursor.execute("DROP DATABASE fuzz_views")
    yield counted


def main(arguments: Sequence[str]) -> int:
    """Run by hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    parser.add_argument("client", nargs="*", default=["mariadb"])
    given = parser.parse_args(arguments)
    found = 0
    with lab_of(given, given.client) as lab:
        for one in differences(lab, given.count, given.seed):
            if isinstance(one, Counter):
                print(dict(one), "seed", given.seed)
            else:
                found += 1
                print(f"{one[0]!r}\n  {one[1][:200]!r}", flush=True)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
