"""Compact facts out of recordings: `python -m tests.plan.record OUT FILE...`.

A recording is one case and result a line, in the facts' JSON form, with three more fields: `change` and
`order` (`replica-first`: the replica had the new definition while the source wrote; `source-first`;
`replicated`: the source ran the change as a logged statement between its writes), and `final`: whether both
ends held the same rows (`equal`, `differs`, `error`) after the other end got the change too.
"""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path
from typing import Any

from tests.facts.compact import HEADER, compact
from tests.facts.definitions import read_facts

#: Definitions follow from the change's name.
_DERIVED = ("source_ddl", "replica_ddl", "id")


def same_single(record: dict[str, Any]) -> bool:
    """Whether all values are the same numbers in the six digits that the servers show of a FLOAT."""

    def single(value: str | None) -> str | None:
        return None if value is None else f"{float(value):.6g}"

    rows = [
        sorted(str([single(v) for v in row]) for row in record[side])
        for side in ("source_rows", "replica_rows")
    ]
    return rows[0] == rows[1]


def main(out: str, files: list[str]) -> None:
    with lzma.open(out, "wt", encoding="utf-8", preset=9 | lzma.PRESET_EXTREME) as target:
        for name in files:
            header, records = read_facts(Path(name))
            target.write(
                json.dumps({key: header[key] for key in HEADER if key in header}, separators=(",", ":"))
                + "\n"
            )
            for record in records:
                small = {key: value for key, value in compact(record).items() if key not in _DERIVED}
                small |= {key: record[key] for key in ("change", "order", "final") if key in record}
                if (
                    record["change"] == "float-to-double"
                    and small.get("preserved") == "no"
                    and same_single(record)
                ):
                    small["preserved"] = "float32"
                target.write(json.dumps(small, separators=(",", ":"), sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
