"""Growth by hand: `python -m tests.fuzz.repeated [--seconds N] [--seed N] [READER]...`.

A piece of a valid input comes very often in it, then four times as often: a reader whose time grows with the
square of its input takes sixteen times as long. What takes more than eight times as long, again and again, is
kept in `--keep`, and so is what raises anything but a typed error; the exit status is 1 then.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import sys
import time
import warnings
from pathlib import Path

from tests.fuzz.readers import TYPED, Reader, readers

_TOKENS = re.compile(rb"\w+|\s+|.", re.DOTALL)
#: Bytes of the smaller input, how many times as often the piece comes in the larger one, and the growth that
#: is too much. Linear is four, one more logarithm about five.
_SMALL, _MORE, _TOO_MUCH = 12_000, 4, 8.0
#: CPU seconds below which nothing is said of growth.
_SHORT = 0.12


def spent(read: Reader, data: bytes) -> float:
    """CPU seconds of one reading; a typed error ends it."""
    began = time.process_time()
    with contextlib.suppress(TYPED):
        read(data)
    return time.process_time() - began


def repeated(seeds: tuple[bytes, ...], chance: random.Random) -> tuple[bytes, bytes, bytes]:
    """(the smaller input, the larger one, the piece)."""
    data = chance.choice(seeds)[:20_000]
    found = _TOKENS.findall(data) or [b"("]
    first = chance.randrange(len(found))
    piece = b"".join(found[first : first + chance.choice((1, 2, 3, 4, 6, 10, 20))])
    at = len(b"".join(found[: first + chance.choice((0, 0, 1))]))
    count = max(20, _SMALL // len(piece))
    small, large = (data[:at] + piece * times + data[at:] for times in (count, count * _MORE))
    return small, large, piece


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("readers", nargs="*")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", type=Path, default=Path("fuzz-found"))
    args = parser.parse_args()
    warnings.simplefilter("error")
    every, failed = readers(), 0
    for name in args.readers or sorted(every):
        read, seeds, _ = every[name]
        chance, began, count = random.Random(f"{name} {args.seed}"), time.process_time(), 0
        while time.process_time() - began < args.seconds:
            small, large, piece = repeated(seeds, chance)
            count += 1
            try:
                ratio, long = 0.0, spent(read, large)
                for _ in range(3 if long > _SHORT else 0):
                    ratio = spent(read, large) / max(spent(read, small), _SHORT / 16)
                    if ratio < _TOO_MUCH:
                        break
            except Exception as error:  # noqa: BLE001 what is looked for
                ratio, problem = _TOO_MUCH, f"{type(error).__name__}: {str(error)[:100]}"
            else:
                problem = f"{long:.2f} s, x{ratio:.1f}"
            if ratio >= _TOO_MUCH:
                failed += 1
                args.keep.mkdir(parents=True, exist_ok=True)
                (args.keep / f"{name}-{args.seed}-{count}").write_bytes(large)
                print(f"{name}: {problem} for {len(large)} bytes, {piece[:60]!r} again and again", flush=True)
        print(f"{name}: {count} pieces, {time.process_time() - began:.0f} CPU s", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
