"""`make facts FACTS='FILE...'`: judge any files of recorded facts.

Prints per file the cases, the agreed and each kind of disagreement; the last line sums up. Which
judge reads a file is told by its name: links*, ddl-*, filters-*, *.truth.json, else definitions; kept answers
of --ask (docs/ask.md) by their first line. A sample of definitions: --every, --group, --log.

`make facts-all` judges what the tree has recorded for these judges (--all). It fails where a replica stops,
or holds other rows, and nothing is said (`false_safe`); those of definitions that are known stand in
tests/ddl.
"""

from __future__ import annotations

import argparse
import lzma
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from tests.facts.definitions import Wanted, judge_file

TESTS = Path(__file__).resolve().parents[1]
#: Statements that define, by server; `tests/ddl` has the other judges of its recordings.
DEFINING = tuple(f"{name}.jsonl.xz" for name in ("recorded", "generated", "asked_classes"))
#: All recordings that a judge reads; of a channel's values a test does (tests/link).
ALL = (
    *(p for p in sorted((TESTS / "facts/data").glob("*.xz")) if p.name != "channel_values.jsonl.xz"),
    *(TESTS / "ddl/data" / name for name in DEFINING),
    TESTS / "ask/data/facts.jsonl.xz",
    *sorted((TESTS / "filters/data").glob("filters-*.gz")),
    *sorted((TESTS / "binlog/data").glob("*.truth.json.gz")),
)
KINDS = ("facts", "agreed", "false_safe", "weak", "false_alarm", "unknown", "wrong", "skipped")


def judge_for(path: Path) -> Callable[..., dict[str, int]]:
    """The judge of a file."""
    name = path.name
    module = (
        "links"
        if name.startswith("links")
        else "ddl"
        if name.startswith("ddl-") or name in DEFINING
        else "filters"
        if name.startswith("filters-")
        else "asked"
        if _is_kept(path)
        else "definitions"
    )
    if name.endswith((".truth.json", ".truth.json.gz")):
        module = "binlog"
    judge: Callable[..., dict[str, int]] = import_module(f"tests.facts.{module}").judge_file
    return judge


def _is_kept(path: Path) -> bool:
    """Whether a file holds kept answers of --ask."""
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open(errors="replace") as file:
        return file.read(20).startswith('{"fact": ')


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make facts", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--all", action="store_true", help="every recording of the tree that has a judge")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N cases of each cause of disagreement"
    )
    parser.add_argument("--every", type=int, default=1, metavar="K", help="definitions: only each K-th case")
    parser.add_argument("--group", metavar="NAME", help="definitions: only cases of this recorded group")
    parser.add_argument("--log", metavar="FORMAT", help="definitions: only ROW, STATEMENT or MIXED")
    parser.add_argument("--verdict", metavar="KIND", help="print only this kind of disagreement")
    options = parser.parse_args(arguments)
    total, unsafe = dict.fromkeys(KINDS, 0), 0
    wanted = Wanted(options.every, options.group, options.log, options.verdict)
    for path in (*options.files, *(ALL if options.all else ())):
        judge = judge_for(path)
        counts = (
            judge_file(path, show=options.show, wanted=wanted)
            if judge is judge_file
            else judge(path, show=options.show)
        )
        for kind, count in counts.items():
            total[kind] = total.get(kind, 0) + count
        unsafe += 0 if path.name in DEFINING else counts.get("false_safe", 0)
        print(f"{path.name}: " + " ".join(f"{kind}={counts.get(kind, 0)}" for kind in KINDS), flush=True)
    print(" ".join(f"{kind}={total[kind]}" for kind in KINDS))
    return int(unsafe > 0 if options.all else total["facts"] != total["agreed"])


if __name__ == "__main__":
    sys.exit(main())
