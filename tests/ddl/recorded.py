"""The recorded DDL facts in compact form, spelled out as `tests.facts.ddl` reads them.

`data/recorded.jsonl.xz`: the first line has the servers, the distinct settings and the headings;
every other line is one statement on one server: what it was refused with (`no`), or SHOW CREATE
TABLE, the rows of information_schema, and the table map's types (`w`: type, metadata, NULL,
unsigned, visible, dimensions, members, name or 0 where it is the column's).
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


def read(name: str) -> Iterator[dict[str, Any]]:
    """The JSON lines of a compressed file."""
    with lzma.open(DATA / name, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def load() -> dict[str, tuple[dict[str, Any], list[dict[str, Any]]]]:
    """(header, cases) of every server."""
    stored = read("recorded.jsonl.xz")
    head = next(stored)
    found: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
        server["server"]: (server, []) for server in head["servers"]
    }
    for line in stored:
        server = head["servers"][line["s"]]["server"]
        found[server][1].append(_case(line, head))
    return found


def _case(line: dict[str, Any], head: dict[str, Any]) -> dict[str, Any]:
    case: dict[str, Any] = {
        "id": line["id"],
        "ddl": line["ddl"],
        "settings": head["settings"][line["set"]],
        "pre": line.get("pre", []),
    }
    if "no" in line:
        return case | {"accepted": False, "errno": line["no"][0], "refused_at": line["no"][1], "message": ""}
    table = line["t"]
    case |= {"accepted": True, "table": table, "show_create": line["show"]}
    if "show0" in line:
        case["show_create_default_mode"] = line["show0"]
    named = {"TABLE_SCHEMA": "ddl_c", "TABLE_NAME": table}
    case["columns"] = [
        dict(zip(head["columns"], row, strict=True), **named, ORDINAL_POSITION=i)
        for i, row in enumerate(line["c"], 1)
    ]
    case["statistics"] = [dict(zip(head["statistics"], row, strict=True), **named) for row in line["i"]]
    case["table_row"] = dict(zip(("TABLE_TYPE", "ENGINE", "TABLE_COLLATION"), line["r"], strict=True))
    # MariaDB's CHECK_CONSTRAINTS name their table, MySQL's do not.
    case["check_constraints"] = [
        dict(row, CONSTRAINT_SCHEMA="ddl_c", **({"TABLE_NAME": table} if "LEVEL" in row else {}))
        for row in line.get("ck", ())
    ]
    case["foreign_keys"] = line.get("fk")
    if "w" in line:
        case["wire"] = {
            "columns": [
                _wire(row, line["c"][i][0] if row[7] == 0 else row[7]) for i, row in enumerate(line["w"])
            ]
        }
    return case


def _wire(row: list[Any], name: str | None) -> dict[str, Any]:
    kind, meta, null, unsigned, visible, vector, members, _ = row
    full = {"visible": visible, "vector": vector, "members": members, "name": name}
    return {
        "type": kind, "meta": meta, "null": bool(null), "minimal": {} if unsigned is None else {"unsigned": unsigned},
        "full": {k: v for k, v in full.items() if v is not None},
    }  # fmt: skip
