"""`make facts FACTS='FILE...'`: judge any files of recorded facts.

Prints per file the cases, the agreed and each kind of disagreement; the last line sums up. Which
judge reads a file is told by its name: ddl-*, filters-*, *.truth.json, else definitions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

KINDS = ("facts", "agreed", "false_safe", "false_alarm", "unknown", "wrong")


def judge_for(path: Path) -> Callable[..., dict[str, int]]:
    """The judge of a file."""
    name = path.name
    module = "ddl" if name.startswith("ddl-") else "filters" if name.startswith("filters-") else "definitions"
    if name.endswith(".truth.json"):
        module = "binlog"
    judge: Callable[..., dict[str, int]] = import_module(f"tests.facts.{module}").judge_file
    return judge


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make facts", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N cases of each kind of disagreement"
    )
    options = parser.parse_args(arguments)
    total = dict.fromkeys((*KINDS, "skipped"), 0)
    for path in options.files:
        counts = judge_for(path)(path, show=options.show)
        for kind, count in counts.items():
            total[kind] = total.get(kind, 0) + count
        print(
            f"{path.name}: " + " ".join(f"{kind}={counts.get(kind, 0)}" for kind in (*KINDS, "skipped")),
            flush=True,
        )
    print(f"skipped={total['skipped']}")
    print(" ".join(f"{kind}={total[kind]}" for kind in KINDS))
    return 0 if total["facts"] == total["agreed"] else 1


if __name__ == "__main__":
    sys.exit(main())
