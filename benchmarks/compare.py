"""How many pairs of parsed tables the engine compares in a second, on one core.

    python benchmarks/compare.py [SECONDS]

Tables of 20 columns in three kinds: equal on both ends, one column drifted, five drifted. Prints
the median of seven rounds each, and how much memory grows over the rounds.
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import time

from schemacheck import catalog
from schemacheck.engine import check_pair
from schemacheck.model import Link, Server, Table

TYPES = (
    "int",
    "bigint unsigned",
    "varchar(50)",
    "varchar(255)",
    "decimal(10,2)",
    "datetime",
    "datetime(6)",
    "text",
    "tinyint(1)",
    "char(2)",
    "json",
    "double",
)
DRIFTS = {
    "int": "bigint",
    "varchar(50)": "varchar(100)",
    "decimal(10,2)": "decimal(12,2)",
    "datetime": "datetime(6)",
    "text": "mediumtext",
    "char(2)": "char(5)",
}


def table(rng: random.Random, number: int, drifted: int, server: Server) -> tuple[Table, Table]:
    """A table of 20 columns and its drifted counterpart."""
    types = ["bigint unsigned", *(rng.choice(TYPES) for _ in range(19))]
    changed = (
        set(rng.sample([i for i, t in enumerate(types) if t in DRIFTS], k=drifted)) if drifted else set()
    )
    sides = []
    for side in (0, 1):
        columns = ", ".join(
            f"c{i} {DRIFTS[t] if side and i in changed else t}{' NOT NULL' if i % 3 == 0 else ''}"
            for i, t in enumerate(types)
        )
        sides.append(
            catalog.read(
                f"CREATE TABLE t{number} ({columns}, PRIMARY KEY (c0))", server, database="db"
            ).tables[0]
        )
    return sides[0], sides[1]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    server = Server.parse("mysql-8.0.36", {"slave_type_conversions": "ALL_NON_LOSSY"})
    link = Link(server, server)
    rng = random.Random(7)
    for name, drifted in (("equal", 0), ("one column drifted", 1), ("five columns drifted", 5)):
        pairs = [table(rng, n, drifted, server) for n in range(200)]
        for source, replica in pairs:
            check_pair(source, replica, link)
        rates, before = [], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(7):
            done, begin = 0, time.perf_counter()
            while time.perf_counter() - begin < seconds:
                for source, replica in pairs:
                    check_pair(source, replica, link)
                done += len(pairs)
            rates.append(done / (time.perf_counter() - begin))
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(
            f"{name}: {statistics.median(rates):,.0f} pairs/s (min {min(rates):,.0f}, max "
            f"{max(rates):,.0f}); memory grew by {grown} KiB"
        )


if __name__ == "__main__":
    main()
