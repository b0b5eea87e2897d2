"""Recorded facts in the form that the tests keep (see README.md beside this file).

    python -m tests.facts.compact OUT.jsonl.xz EVERY FILE...

What OUT has stays: the facts are added at its end. A file of `data/` is named, with its number of facts, in
`EXPECTED` of test_definitions.py. One fact a line, with its statements and its rows: it can be read in a
diff, and asked again. What a recorder adds for itself is left out.
"""

from __future__ import annotations

import json
import lzma
import sys
from itertools import islice
from pathlib import Path
from typing import Any

from schemacheck.prove.judging import NOTHING
from tests.facts.definitions import preserved_of, read_facts

#: The question, then the answer, in the order of a line.
FIELDS = (
    "id", "source_ddl", "replica_ddl", "table", "source_setup", "replica_setup", "source_sql", "modes",
    "source_sql_mode", "sql_mode",
    "binlog_format", "binlog_row_image", "binlog_row_metadata", "source_vars", "replica_globals",
    "outcome", "errno", "message", "preserved", "source_cols", "source_rows", "replica_cols", "replica_rows",
    "source", "replica", "source_may_fail", "source_goes_on", "source_failed", "row_tables", "row_statements",
)  # fmt: skip
HEADER = ("server", "source", "replica", "via", "source_version", "replica_version", "default_charset")


def compact(record: dict[str, Any]) -> dict[str, Any]:
    """One fact's fields, the empty ones left out; `preserved` is over rows as a set."""
    kept = {name: record[name] for name in FIELDS if record.get(name) not in (None, "")}
    if record["outcome"] == "applied":
        kept["preserved"] = preserved_of(record)
    return kept


def main(out: str, every: int, files: list[str]) -> None:
    """Add every n-th fact of the files that says something, each behind its header."""
    with lzma.open(out, "at", encoding="utf-8", preset=9 | lzma.PRESET_EXTREME) as target:
        for name in files:
            header, records = read_facts(Path(name))
            target.write(line({key: header[key] for key in HEADER if key in header}))
            told = (one for one in records if one.get("outcome") not in (None, *NOTHING))
            target.writelines(line(compact(record)) for record in islice(told, 0, None, every))


def line(fields: dict[str, Any]) -> str:
    """One line of a file."""
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
