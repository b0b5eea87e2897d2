"""How long a replica's filters take over a whole schema: 100,000 tables against 50 rules, plain Python.

python benchmarks/filters.py [TABLES]
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from schemacheck.filters.tables import TableFilter
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet

FILTERS = FilterSet(
    ignore_db=tuple(f"scratch{i}" for i in range(5)),
    do_table=tuple(f"db{i}.t{i}" for i in range(10)),
    wild_do_table=tuple(f"app{i}\\_%.t{i}%" for i in range(20)),
    wild_ignore_table=tuple(f"%.tmp{i}%" for i in range(15)),
)


def main(count: int) -> None:
    rules = len(FILTERS.options())
    tables = [(f"app{i % 200}_{i % 7}", f"t{i % 300}_{i}") for i in range(count)]
    for form in ("ROW", "STATEMENT", "MIXED"):
        start = time.perf_counter()
        states = Counter(
            state.state.value for state in TableFilter(FILTERS, Link.of("mysql-8.0.36"), form).states(tables)
        )
        print(
            f"{form:<9} {count:,} tables, {rules} rules: {time.perf_counter() - start:.2f} s  {dict(states)}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
