"""Where a run's seconds go, stage by stage, with the CPU of this process and of others."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

#: What a task does, in its order.
WORK = ("digest", "scan", "decide", "rows", "remember")


class Laps:
    """CPU seconds of this thread, by what it did since the lap before."""

    def __init__(self) -> None:
        self._spent: dict[str, float] = dict.fromkeys(WORK, 0.0)
        self._at = time.thread_time()

    def lap(self, name: str) -> None:
        """What was done since the last lap is this."""
        now = time.thread_time()
        self._spent[name] += now - self._at
        self._at = now

    def text(self) -> str:
        """All laps as JSON, for `sums`."""
        return json.dumps({name: round(seconds, 4) for name, seconds in self._spent.items()})


def sums(texts: Iterable[str]) -> dict[str, float]:
    """The laps of many tasks together, in the order of WORK."""
    result: dict[str, float] = {}
    for text in texts:
        for name, seconds in json.loads(text).items():
            result[name] = result.get(name, 0.0) + seconds
    return {name: round(result[name], 2) for name in WORK if name in result}


class Stages:
    """The stages of a run, each with its seconds and this process's CPU seconds."""

    def __init__(self) -> None:
        self._done: list[dict[str, Any]] = []
        self._begun: tuple[str, float, float] | None = None

    def begin(self, name: str) -> None:
        """A stage begins, and the one before ends; the name of one that goes on changes nothing."""
        if self._begun is not None and self._begun[0] == name:
            return
        self.end()
        self._begun = (name, time.monotonic(), time.process_time())

    def end(self) -> None:
        """The stage ends."""
        if self._begun is not None:
            name, at, cpu = self._begun
            seconds, spent = time.monotonic() - at, time.process_time() - cpu
            self._done.append({"stage": name, "seconds": round(seconds, 2), "cpu": round(spent, 2)})
            self._begun = None

    def told(self, tasks: Iterable[str], workers: float | None, engine: Sequence[int]) -> dict[str, Any]:
        """What summary.json has: the stages, what tasks did, and CPU seconds of processes: this one, those
        of Python that work for it, and the engine's (where the system tells).
        """
        self.end()
        processes = {"this": time.process_time(), "workers": workers, "engine": cpu(engine)}
        return {
            "stages": self._done,
            "tasks": sums(tasks),
            "processes": {name: round(item, 2) for name, item in processes.items() if item is not None},
        }


def cpu(processes: Sequence[int]) -> float | None:
    """CPU seconds of other processes, and of what these have ended."""
    total = 0.0
    try:
        for process in processes:
            fields = Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
            total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return None
    return total if processes else None


def lines(told: dict[str, Any]) -> list[str]:
    """The same for a person."""
    result = [
        f"  {row['stage']:<10}{row['seconds']:>8.2f} s {row['cpu']:>8.2f} s of CPU here"
        for row in told["stages"]
    ]
    for name, title in (("tasks", "CPU of tasks"), ("processes", "CPU of processes")):
        if told[name]:
            result.append(
                f"  {title}: " + ", ".join(f"{item} {seconds:.2f} s" for item, seconds in told[name].items())
            )
    return ["where the seconds went:", *result]
