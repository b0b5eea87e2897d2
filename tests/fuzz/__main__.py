"""Fuzz readers by hand: `python -m tests.fuzz [--seconds N] [--seed N] [--keep DIR] [READER]...`.

Each reader gets N CPU seconds. An input that raises anything but a typed error, or takes longer than ten CPU
seconds, is kept; the exit status is 1 then. The last line of each reader says how many inputs ran in how many
CPU seconds.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
import traceback
import warnings
from pathlib import Path

from tests.fuzz.mutate import mutated
from tests.fuzz.readers import TYPED, readers

SLOW = 10.0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("readers", nargs="*")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", type=Path, default=Path("fuzz-found"))
    args = parser.parse_args()
    warnings.simplefilter("error")
    status = 0
    every = readers()
    for name in args.readers or sorted(every):
        read, seeds = every[name]
        chance = random.Random(f"{name} {args.seed}")
        began, count, typed, seen = time.process_time(), 0, 0, set()
        while time.process_time() - began < args.seconds:
            data = mutated(seeds, chance)
            before = time.process_time()
            count += 1
            try:
                read(data)
            except TYPED:
                typed += 1
            except Exception as error:  # noqa: BLE001 what is looked for
                where = traceback.extract_tb(error.__traceback__)[-1]
                key = (type(error).__name__, where.filename, where.lineno)
                if key not in seen:
                    seen.add(key)
                    _keep(args.keep, name, data)
                    print(
                        f"{name}: {type(error).__name__}: {str(error)[:200]} "
                        f"({where.filename}:{where.lineno})",
                        flush=True,
                    )
                status = 1
            if time.process_time() - before > SLOW:
                _keep(args.keep, name, data)
                print(f"{name}: {time.process_time() - before:.0f} s for {len(data)} bytes", flush=True)
                status = 1
        print(
            f"{name}: {count} inputs, {typed} refused, {len(seen)} untyped errors, "
            f"{time.process_time() - began:.0f} CPU s, seed {args.seed}",
            flush=True,
        )
    return status


def _keep(folder: Path, name: str, data: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
