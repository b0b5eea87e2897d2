"""Fuzz readers by hand: `python -m tests.fuzz [--seconds N] [--minutes N] ... [READER]...`.

Each reader gets N CPU seconds of this process, then the next, in the order given; with `--minutes`, round
after round, each with a new seed, until every reader has had that many CPU minutes. An input that raises
anything but a typed error, or takes longer than ten CPU seconds, is kept in `--keep`; the exit status is 1
then. A reader's line says how many inputs ran in how many CPU seconds, in this round and in all; `--log`
adds the lines to a file.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

from tests.fuzz.deep import Mutate
from tests.fuzz.readers import TYPED, Reader, readers

SLOW = 10.0


class Run:
    """What was found in all rounds."""

    def __init__(self, keep: Path, log: Path | None) -> None:
        self.keep, self.log = keep, log
        self.seen: set[tuple[str, str, int | None]] = set()
        self.seconds: Counter[str] = Counter()
        self.inputs: Counter[str] = Counter()
        self.failed = False

    def say(self, line: str) -> None:
        print(line, flush=True)
        if self.log is not None:
            with self.log.open("a", encoding="utf-8") as file:
                file.write(f"{time.strftime('%H:%M:%S')} {line}\n")

    def round(
        self, name: str, way: tuple[Reader, tuple[bytes, ...], Mutate], seed: int, seconds: float
    ) -> None:
        """One reader for so many CPU seconds."""
        read, seeds, mutated = way
        chance = random.Random(f"{name} {seed}")
        began, count, typed, untyped = time.process_time(), 0, 0, 0
        while time.process_time() - began < seconds:
            data = mutated(seeds, chance)
            before = time.process_time()
            count += 1
            try:
                read(data)
            except TYPED:
                typed += 1
            except Exception as error:  # noqa: BLE001 what is looked for
                untyped += 1
                self._found(name, data, error)
            if time.process_time() - before > SLOW:
                self._keep(name, data)
                self.say(f"{name}: {time.process_time() - before:.0f} s for {len(data)} bytes")
        spent = time.process_time() - began
        self.seconds[name] += spent
        self.inputs[name] += count
        self.say(
            f"{name}: {count} inputs, {typed} refused, {untyped} untyped errors, {spent:.0f} CPU s, "
            f"seed {seed}; in all {self.inputs[name]} inputs, {self.seconds[name] / 60:.1f} CPU minutes"
        )

    def _found(self, name: str, data: bytes, error: Exception) -> None:
        where = traceback.extract_tb(error.__traceback__)[-1]
        key = (type(error).__name__, where.filename, where.lineno)
        self.failed = True
        if key not in self.seen:
            self.seen.add(key)
            self._keep(name, data)
            self.say(f"{name}: {type(error).__name__}: {str(error)[:200]} ({where.filename}:{where.lineno})")

    def _keep(self, name: str, data: bytes) -> None:
        self.failed = True
        self.keep.mkdir(parents=True, exist_ok=True)
        (self.keep / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("readers", nargs="*")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", type=Path, default=Path("fuzz-found"))
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    warnings.simplefilter("error")
    every = readers()
    names = args.readers or sorted(every)
    run, seed = Run(args.keep, args.log), args.seed
    while True:
        for name in names:
            if not args.minutes or run.seconds[name] < args.minutes * 60:
                run.round(name, every[name], seed, args.seconds)
        seed += 1
        if all(run.seconds[name] >= args.minutes * 60 for name in names):
            return int(run.failed)


if __name__ == "__main__":
    sys.exit(main())
