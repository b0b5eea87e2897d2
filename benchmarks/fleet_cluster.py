"""What a run costs on a standalone cluster of this machine: CPU by kind of process and bytes by stage.

`python benchmarks/fleet_cluster.py FLEET --workers 2`: FLEET is a folder of `fleet_generate.py`. Every worker
has one core; input and output go by URL, as on machines of their own. Needs psutil. Wall-clock times tell of
scaling only where there are more idle cores than workers; CPU and bytes do not depend on that.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
from standalone import Cluster

_RUN = """import sys; from schemacheck.cli import main; sys.exit(main(['fleet', *sys.argv[1:]]))"""


class Used:
    """CPU seconds by kind of process, looked at again and again: what a process used after its last look is
    not in it.
    """

    def __init__(self) -> None:
        self.of: dict[int, tuple[str, float]] = {}

    def look(self, top: psutil.Process, kind: str) -> None:
        try:
            every = [top, *top.children(recursive=True)]
        except psutil.Error:
            return
        for process in every:
            try:
                spent, line = process.cpu_times(), process.cmdline()
            except psutil.Error:
                continue
            if "java" not in "".join(line[:1]):
                name = "executors, Python" if kind == "workers" else "driver, Python"
            elif any("CoarseGrainedExecutorBackend" in one for one in line):
                name = "executors, JVM"
            else:
                name = "driver, JVM" if kind == "driver" else "master and workers"
            self.of[process.pid] = (name, spent.user + spent.system)

    def sums(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, seconds in self.of.values():
            found[name] = found.get(name, 0.0) + seconds
        return found


def stages(folder: Path) -> list[tuple[str, list[float]]]:
    """For every stage its name and: tasks, CPU s of its tasks in the JVM, MB read, MB of shuffle read and
    written, MB of output.
    """
    found: dict[int, list[float]] = {}
    names: dict[int, str] = {}
    for line in (line for one in folder.glob("*") for line in one.read_text("utf-8").splitlines()):
        event: dict[str, Any] = json.loads(line)
        if event["Event"] == "SparkListenerStageCompleted":
            names[event["Stage Info"]["Stage ID"]] = event["Stage Info"]["Stage Name"][:60]
        told = event.get("Task Metrics")
        if event["Event"] != "SparkListenerTaskEnd" or not told:
            continue
        moved = told["Shuffle Read Metrics"]
        row = found.setdefault(event["Stage ID"], [0.0] * 6)
        for at, value in enumerate(
            (
                1,
                told["Executor CPU Time"] / 1e9,
                told["Input Metrics"]["Bytes Read"] / 1e6,
                (moved["Remote Bytes Read"] + moved["Local Bytes Read"]) / 1e6,
                told["Shuffle Write Metrics"]["Shuffle Bytes Written"] / 1e6,
                told["Output Metrics"]["Bytes Written"] / 1e6,
            )
        ):
            row[at] += value
    return [(f"{number} {names.get(number, '')}", row) for number, row in sorted(found.items())]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("fleet", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--conf", action="append", default=[], help="a setting of Spark: NAME=VALUE")
    chosen = parser.parse_args()
    fleet = chosen.fleet.absolute()
    with tempfile.TemporaryDirectory(prefix="fleet-cluster-") as name:
        folder = Path(name)
        for one in ("events", "local"):
            (folder / one).mkdir()
        cluster = Cluster(folder, chosen.workers, memory="3g")
        settings = {
            "spark.executor.memory": "2g", "spark.executor.cores": "1", "spark.local.dir": folder / "local",
            "spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file://{folder}/events",
            "spark.eventLog.compress": "false", "spark.eventLog.rolling.enabled": "false",
        }  # fmt: skip
        pairs = [*(f"{key}={value}" for key, value in settings.items()), *chosen.conf]
        command = [
            sys.executable, "-c", _RUN, str(fleet / "fleet.yaml"), f"file://{fleet}/snapshots",
            "--out", f"file://{folder}/run", "--master", cluster.url, "--memory", "2g", "--exit-zero",
            *(part for pair in pairs for part in ("--conf", pair)),
        ]  # fmt: skip
        used, began = Used(), time.monotonic()
        try:
            driver = psutil.Popen(command, env=cluster.environment, stdout=subprocess.DEVNULL)
            while driver.poll() is None:
                used.look(driver, "driver")
                for process in map(psutil.Process, [one.pid for one in cluster.processes]):
                    used.look(process, "workers")
                time.sleep(0.3)
            wall = time.monotonic() - began
        finally:
            cluster.stop()
        if driver.returncode:
            raise SystemExit(driver.returncode)
        sums = used.sums()
        print(f"{chosen.workers} workers, {wall:.0f} s wall, {sum(sums.values()):.1f} CPU s")
        for kind, seconds in sorted(sums.items(), key=lambda one: -one[1]):
            print(f"  {seconds:8.1f}  {kind}")
        print("stage: tasks, CPU s of tasks (JVM), MB read, MB shuffled in, MB shuffled out, MB written")
        for stage, row in stages(folder / "events"):
            print(f"  {stage}: {', '.join(f'{value:.1f}'.removesuffix('.0') for value in row)}")


if __name__ == "__main__":
    main()
