"""Recorded facts in the project's own compact form.

    python -m tests.facts.compact OUT FILE...

Keeps of each case what judging needs: definitions, settings, outcome, error number, the message of a
refused conversion, and whether the values arrived (worked out from the rows, which are dropped).
"""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path
from typing import Any

from tests.facts.definitions import preserved_of, read_facts
from tests.facts.judging import start_differs

KEPT = (
    "id", "source_ddl", "replica_ddl", "table", "modes", "source_sql_mode", "sql_mode", "binlog_format", "binlog_row_image", "binlog_row_metadata", "outcome", "errno",
)  # fmt: skip
HEADER = ("server", "replica", "via", "source_version", "replica_version", "default_charset")


def compact(record: dict[str, Any]) -> dict[str, Any]:
    """One case without its rows."""
    small = {name: record[name] for name in KEPT if record.get(name) not in (None, "")}
    message = record.get("message") or ""
    if "cannot be converted" in message:
        small["message"] = message
    if record["outcome"] == "applied":
        small["preserved"] = preserved_of(record)
    if start_differs(record):
        small["replica_setup"] = ["rows differ"]
    return small


def main(out: str, files: list[str]) -> None:
    with lzma.open(out, "wt", encoding="utf-8", preset=9 | lzma.PRESET_EXTREME) as target:
        for name in files:
            header, records = read_facts(Path(name))
            target.write(
                json.dumps({key: header[key] for key in HEADER if key in header}, separators=(",", ":"))
                + "\n"
            )
            for record in records:
                target.write(json.dumps(compact(record), separators=(",", ":"), sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
