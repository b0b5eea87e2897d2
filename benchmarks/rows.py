"""How many information_schema columns a second become Tables, on one core.

    python benchmarks/rows.py [TABLES]

Synthetic fleet: 20 columns a table, about 900 distinct type texts, two collations. Prints CPU time.
"""

from __future__ import annotations

import random
import sys
import time

from schemacheck.model import Server
from tests.tables_from_rows import tables_from_rows


def rows(count: int, seed: int = 7) -> list[dict[str, object]]:
    """COLUMNS rows of `count` tables, as a driver would hand them over: fresh mappings with fresh text."""
    draw = random.Random(seed)
    types = [f"varchar({n})" for n in range(1, 500)] + [f"decimal({n},{n % 7})" for n in range(8, 60)]
    types += [
        "int",
        "bigint unsigned",
        "tinyint(1)",
        "datetime(6)",
        "timestamp",
        "text",
        "json",
        "enum('a','b','c')",
        "char(36)",
    ] * 40
    out: list[dict[str, object]] = []
    for table in range(count):
        for ordinal in range(1, 21):
            written = draw.choice(types)
            character = written.startswith(("varchar", "text", "enum", "char"))
            out.append(
                {
                    "TABLE_CATALOG": "def", "TABLE_SCHEMA": f"shop{table % 50}",
                    "TABLE_NAME": f"table_{table}", "COLUMN_NAME": f"column_{draw.randrange(60)}_{ordinal}",
                    "ORDINAL_POSITION": ordinal, "COLUMN_DEFAULT": None, "IS_NULLABLE": draw.choice(["YES",
                    "NO"]), "DATA_TYPE": written.split("(")[0],
                    "CHARACTER_MAXIMUM_LENGTH": None, "NUMERIC_PRECISION": None,
                    "CHARACTER_SET_NAME": "utf8mb4" if character else None,
                    "COLLATION_NAME": "utf8mb4_0900_ai_ci" if character else None, "COLUMN_TYPE": written,
                    "COLUMN_KEY": "PRI" if ordinal == 1 else "",
                    "EXTRA": "auto_increment" if ordinal == 1 else "", "PRIVILEGES": "select",
                    "COLUMN_COMMENT": "", "GENERATION_EXPRESSION": "", "SRS_ID": None,
                }
            )  # fmt: skip
    return out


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    server = Server.parse("mysql-8.4")
    for label, draw in (("distinct definitions", None), ("four copies of each database", 4)):
        data = rows(count if draw is None else count // draw)
        if draw:
            data = [
                row | {"TABLE_SCHEMA": f"{row['TABLE_SCHEMA']}_{copy}"}
                for copy in range(draw)
                for row in data
            ]
        start = time.process_time()
        schema = tables_from_rows(data, server=server)
        used = time.process_time() - start
        assert len(schema.tables) == len(data) // 20
        print(f"{label}: {len(data)} columns in {used:.2f} CPU s: {len(data) / used:,.0f} columns/s")


if __name__ == "__main__":
    main()
