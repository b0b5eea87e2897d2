"""How many CREATE TABLE texts become tables in a second, on one core.

    python benchmarks/read.py [TABLES [ROUNDS]]

Tables of 11 columns, no two alike in names, lengths, defaults, comments and keys: their CREATE TABLEs alone,
and with what mysqldump writes around each. Prints the median and the best of the rounds (CPU time; the tables
of each round are new), how much memory grew behind the first round, and how much longer than ours sqlglot's
parser takes for the same CREATE TABLEs.
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import sqlglot

from schemacheck.inputs import open_schema
from schemacheck.model import Server

WORDS = ("account", "amount", "body", "city", "code", "created", "email", "kind", "label", "owner", "price",
         "rank", "score", "state", "title", "total", "updated", "user", "value", "weight")  # fmt: skip
#: What mysqldump writes before and behind a table.
BEFORE = """--
-- Table structure for table `{name}`
--

DROP TABLE IF EXISTS `{name}`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
"""
BEHIND = "/*!40101 SET character_set_client = @saved_cs_client */;\n\n"


def kind(draw: random.Random) -> str:
    """What stands behind a column's name."""
    null = draw.choice(("NOT NULL", "DEFAULT NULL"))
    number = draw.randrange(1, 255)
    return draw.choice((
        f"int {null}", f"bigint unsigned {null}", f"varchar({number}) {null}", f"varchar(255) {null}",
        f"varchar({number}) COLLATE utf8mb4_bin {null}", "text", f"datetime {null}",
        f"decimal({10 + number % 50},{number % 10}) {null}", "tinyint(1) NOT NULL DEFAULT '0'",
        f"int NOT NULL DEFAULT '{number}'", f"char({number}) NOT NULL DEFAULT ''",
        "timestamp NULL DEFAULT CURRENT_TIMESTAMP", f"enum('new','open','s{number}') {null}",
        f"varchar({number}) {null} COMMENT 'what {number} is'",
    ))  # fmt: skip


def dump(tables: int, seed: int, *, around: bool = False) -> str:
    """The tables of a database as SHOW CREATE TABLE prints them; `around`: as mysqldump does."""
    draw = random.Random(seed)
    out = []
    for number in range(tables):
        columns = [(f"{word}_{draw.randrange(100)}", kind(draw)) for word in draw.sample(WORDS, 10)]
        name = f"{columns[0][0]}_{seed}_{number}"
        keyed = [one for one, written in columns if not written.startswith(("text", "varchar", "char"))]
        lines = ["`id` bigint NOT NULL AUTO_INCREMENT", *(f"`{one}` {written}" for one, written in columns)]
        lines += ["PRIMARY KEY (`id`)", *(f"UNIQUE KEY `one_{one}` (`{one}`)" for one in keyed[:1])]
        lines += [f"KEY `by_{one}` (`{one}`,`id`)" for one in keyed[1:3]]
        end = f"ENGINE=InnoDB AUTO_INCREMENT={draw.randrange(1, 9999)} DEFAULT CHARSET=utf8mb4"
        body = ",\n  ".join(lines)
        made = f"CREATE TABLE `{name}` (\n  {body}\n) {end};\n"
        out += [BEFORE.format(name=name), made, BEHIND] if around else [made]
    return "".join(out)


def timed(run: Callable[[], object]) -> float:
    """CPU seconds."""
    start = time.process_time()
    run()
    return time.process_time() - start


def memory() -> int:
    """The most that the process held, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    ours, seed = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dump.sql"
        for name in ("mysql-8.4", "mariadb-10.11"):
            for around in (False, True):
                server, found, first = Server.parse(name), [], 0
                for number in range(rounds):
                    seed += 1
                    path.write_text(dump(tables, seed, around=around))
                    found.append(timed(lambda given=server: open_schema(str(path), server=given)) / tables)
                    first = first if number else memory()
                ours = ours or statistics.median(found)
                print(f"{server}, {'as mysqldump writes it' if around else 'CREATE TABLEs alone'}: "
                      f"{1 / statistics.median(found):,.0f} tables/s, at best {1 / min(found):,.0f}; "
                      f"memory + {memory() - first} KiB")  # fmt: skip
    text = dump(100, seed + 1)
    theirs = min(timed(lambda: sqlglot.parse(text, read="mysql")) for _ in range(3)) / 100
    print(f"sqlglot's parser: {1 / theirs:,.0f} tables/s, {theirs / ours:.1f} times our time")


if __name__ == "__main__":
    main()
