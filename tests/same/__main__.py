"""`make same BASE=<commit>`: what this tree answers otherwise than another commit does.

Both trees are asked the same: recorded replication facts and links, recorded definitions, fixtures, logs, and
schemas, pairs, histories and facts of further folders (`--folder`). Prints the answers by group and class:

    same           not a byte differs
    now unknown    was decided, is not any more: allowed where a rule went, each has to be looked at
    now decided    was unknown
    now wrong      another verdict on a recorded answer, which is not `agreed`
    differs        another answer: of definitions, which servers have answered, most likely wrong

and ends with 1 where something is now wrong or differs. A sample of the recordings is asked; `--every 1` asks
about all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from difflib import unified_diff
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any

HERE = Path(__file__).resolve().parents[2]
CLASSES = ("same", "now unknown", "now decided", "now wrong", "differs")
#: Kinds of an answer that decide nothing.
UNDECIDED = {"unknown", "exit 2", "exit 3"}


def classed(before: list[Any], after: list[Any]) -> str:
    """How a tree's answer differs from the other's."""
    group, _, was, said = before
    _, _, now, says = after
    if (was, said) == (now, says) or (group in ("facts", "links") and was == now):
        return "same"
    if now in UNDECIDED and was not in UNDECIDED:
        return "now unknown"
    if group in ("facts", "links"):
        return "now decided" if now in ("agreed", "skipped") else "now wrong"
    if was in UNDECIDED and now not in UNDECIDED:
        return "now decided"
    return "differs"


def asked(tree: Path, base: Path, out: IO[str], options: argparse.Namespace) -> subprocess.Popen[str]:
    """The answers of a tree, being written."""
    program = HERE / "tests/same/answers.py"
    words = [
        sys.executable,
        "-P",
        str(program),
        str(base),
        str(options.every),
        options.only,
        *map(str, options.folder),
    ]
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONHASHSEED": "0", "COLUMNS": "80"}
    return subprocess.Popen(words, cwd=tree, env=environment, stdout=out, text=True)


def shown(before: list[Any], after: list[Any]) -> str:
    """A difference as a person reads it."""
    lines = [f"  {before[1][:600]}", f"      {before[2]} -> {after[2]}"]
    if isinstance(before[3], list) and isinstance(after[3], list):
        texts = ([str(one)[:300] for one in said[3]] for said in (before, after))
        changed = [one for one in unified_diff(*texts, n=0, lineterm="") if one[:2] not in ("--", "++", "@@")]
        lines += [f"      {one}" for one in changed[:8]]
    return "\n".join(lines)


def compare(base: IO[str], ours: IO[str], show: int) -> int:
    """Prints the differences; the exit status."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    examples: dict[tuple[str, str], list[str]] = defaultdict(list)
    for first, second in zip_longest(base, ours):
        if first is None or second is None:
            print("one of the trees gave fewer answers: it ended with an error")
            return 2
        before, after = json.loads(first), json.loads(second)
        if before[:2] != after[:2]:
            print(f"the trees were asked different questions: {before[1][:200]} and {after[1][:200]}")
            return 2
        kind = classed(before, after)
        counts[before[0]][kind] += 1
        if kind != "same" and len(examples[before[0], kind]) < show:
            examples[before[0], kind].append(shown(before, after))
    for (group, kind), cases in sorted(examples.items()):
        print(f"{group}, {kind}:", *cases, sep="\n")
    for group, found in counts.items():
        print(f"{group}:", ", ".join(f"{found[kind]} {kind}" for kind in CLASSES if found[kind]))
    return int(any(found["now wrong"] or found["differs"] for found in counts.values()))


def main() -> int:
    parser = argparse.ArgumentParser(prog="make same", description=__doc__.partition("\n")[0])
    parser.add_argument("base", help="the commit to compare with")
    parser.add_argument("--every", type=int, default=40, metavar="N", help="ask each N-th recording (40)")
    parser.add_argument(
        "--only", choices=("facts", "definitions", "folders"), default="", help="ask this alone"
    )
    parser.add_argument("--folder", type=Path, action="append", default=[], help="more to ask about")
    parser.add_argument("--show", type=int, default=5, metavar="N", help="examples of each class (5)")
    options = parser.parse_args()
    options.folder = [one.resolve() for one in options.folder]
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base"
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "-q", "--detach", str(base), options.base], check=True)
        try:
            with (Path(folder) / "1").open("w+") as first, (Path(folder) / "2").open("w+") as second:
                runs = [asked(base, base, first, options), asked(HERE, base, second, options)]
                for run in runs:
                    run.wait()
                first.seek(0)
                second.seek(0)
                return compare(first, second, options.show)
        finally:
            subprocess.run([*git, "remove", "--force", str(base)], check=True)


if __name__ == "__main__":
    sys.exit(main())
