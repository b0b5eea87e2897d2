"""A standalone cluster whose workers share no folder with each other or with the driver: input and output by
URL, another default file system, tasks that are run twice, a worker that is killed. SCHEMACHECK_PAIRS=10000
has them with so many pairs; SCHEMACHECK_CLUSTER=1 is needed in any case.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import fleets
import pytest
import webhdfs

if TYPE_CHECKING:
    from standalone import Cluster

pytestmark = [pytest.mark.spark, pytest.mark.slow]


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that every process of the cluster has one of its own in place of."""
    return tmp_path_factory.mktemp("hidden")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, hidden: Path):
    pytest.importorskip("pyspark")
    if "SCHEMACHECK_CLUSTER" not in os.environ:
        pytest.skip("six JVMs and their Pythons: run by hand with SCHEMACHECK_CLUSTER=1")
    probe = ["unshare", "-m", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", str(hidden)]
    try:
        allowed = subprocess.run(probe, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        allowed = False
    if not allowed:
        pytest.skip("mount namespaces are not permitted here (unshare -m)")
    from standalone import Cluster

    made = Cluster(tmp_path_factory.mktemp("cluster"), 2, memory="1g", hidden=hidden)
    yield made
    made.stop()


def start(cluster: Cluster, *arguments: str | Path) -> subprocess.Popen[str]:
    code = "import sys; from schemacheck.cli import main; sys.exit(main(['fleet', *sys.argv[1:]]))"
    own = ("--master", cluster.url, "--memory", "512m", "--exit-zero")
    local = [
        "--conf", f"spark.local.dir={cluster.hidden}", "--conf", "spark.shuffle.readHostLocalDisk=false",
        "--conf", "spark.sql.shuffle.partitions=2",
    ]  # fmt: skip
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments), *own, *local],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def said(run: Path) -> dict:
    import pyarrow.dataset as ds

    parts = ds.partitioning(flavor="hive")
    tables, findings = (
        ds.dataset(run / name, partitioning=parts).to_table().to_pylist() for name in ("tables", "findings")
    )
    return fleets.of_job(tables, findings)


def finished(process: subprocess.Popen[str]) -> None:
    text, _ = process.communicate(timeout=1500)
    assert process.returncode == 0, text


def events(folder: Path, kind: str) -> list[dict]:
    """What Spark's driver recorded of a run."""
    lines = (line for one in folder.glob("*") for line in one.read_text("utf-8").splitlines())
    return [event for event in map(json.loads, lines) if event["Event"] == kind]


@pytest.fixture(scope="module")
def path(hidden: Path) -> Path:
    return fleets.chosen(hidden / "fleet")


@pytest.fixture(scope="module")
def wanted(path: Path) -> dict:
    return fleets.pair_by_pair(path)


SPECULATION = (
    "--conf", "spark.speculation=true", "--conf", "spark.speculation.multiplier=1.01",
    "--conf", "spark.speculation.quantile=0.5", "--conf", "spark.speculation.interval=200ms",
    "--conf", "spark.speculation.minTaskRuntime=0",
)  # fmt: skip


# (The worker that is killed does not come back: last.)
@pytest.mark.parametrize("case", ["url", "default", "speculation", "killed"])
def test_no_common_folder(
    cluster: Cluster, hidden: Path, path: Path, wanted: dict, tmp_path: Path, case: str
) -> None:
    """Input and output by URL; behind a default file system that is not this machine's; with tasks that are
    run twice; with a worker that is killed while it reads.
    """
    log = tmp_path / "events"
    log.mkdir()
    settings = [
        "--conf", "spark.eventLog.enabled=true", "--conf", f"spark.eventLog.dir=file://{log}",
        "--conf", "spark.eventLog.compress=false", "--conf", "spark.eventLog.rolling.enabled=false",
    ]  # fmt: skip
    with webhdfs.Server() as there:
        there.files.load(hidden / "fleet" / "snapshots", "/user/dumps")
        dumped = len([one for one in there.files.held.values() if one is not None])
        home = there.url
        if case != "url":
            home = "viewfs://c"
            settings += [
                "--conf", "spark.hadoop.fs.defaultFS=viewfs://c/",
                "--conf", f"spark.hadoop.fs.viewfs.mounttable.c.link./user={there.url}/user",
            ]  # fmt: skip
        if case in ("speculation", "killed"):
            settings += SPECULATION
        run = start(cluster, path, f"{home}/user/dumps", "--out", f"{home}/user/run", *settings)
        if case == "killed":
            deadline = time.monotonic() + 600
            while (
                len(there.files.read) < max(3, dumped // 4)
                and run.poll() is None
                and time.monotonic() < deadline
            ):
                time.sleep(0.05)
            cluster.kill_a_worker()
        finished(run)
        assert "/user/run/report.html" in there.files.held
        there.files.save("/user/run", tmp_path / "run")
    assert not (hidden / "run").exists()
    fleets.compare(said(tmp_path / "run"), wanted)
    if case == "killed":
        assert events(log, "SparkListenerExecutorRemoved")
    ends = events(log, "SparkListenerTaskEnd")
    twice = sum(end["Task Info"]["Speculative"] for end in ends)
    failed = sum(end["Task Info"]["Failed"] for end in ends)
    print(f"{case}: {len(wanted)} pairs, {len(ends)} tasks, {twice} of them run twice, {failed} failed")
