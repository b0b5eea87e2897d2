"""Processes that decide for a run: what they remember goes with them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from schemacheck.fleet import group, profiles, snapshots, task, topology, workers
from schemacheck.model import transport

FLEET = Path(__file__).parents[2] / "fixtures" / "fleet" / "fleet.yaml"


def test_a_pool_answers_until_it_is_closed() -> None:
    pa = pytest.importorskip("pyarrow")
    fleet = topology.read(FLEET)
    dumps = snapshots.find(fleet, ())
    one, *_ = group.plan(fleet, profiles.resolve(fleet, dumps), dumps)
    row = {"grp": 0, "spec": transport.pack(one)}
    batch = pa.RecordBatch.from_pylist([row], task.arrow_schema(task.asked(*row)))
    pool = workers.WorkerPool(2)
    try:
        assert workers.WorkerPool.opened is pool
        now = [worker.process for worker in pool._started]
        assert pool.send(task.answer, batch).result() == list(task.answer(batch))
    finally:
        pool.close()
    pool.close()
    assert [process.poll() for process in now] == [0, 0]
    assert workers.WorkerPool.opened is None


@pytest.mark.spark
def test_a_run_in_two_processes_says_the_same(tmp_path: Path) -> None:
    pytest.importorskip("pysail")
    made = {}
    for name, least in (("one", 1 << 30), ("two", 0)):
        code = (
            "import sys\n"
            "from schemacheck.fleet import session\n"
            f"session.ONE_BYTES = {least}\n"
            "from schemacheck.cli import main\n"
            "sys.exit(main(['fleet', *sys.argv[1:]]))\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(FLEET), "--out", str(tmp_path / name), "--engine", "sail",
             "--cores", "2"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
        summary = json.loads((tmp_path / name / "summary.json").read_text())
        assert ("workers" in summary["timings"]["processes"]) is (name == "two")
        made[name] = {key: summary[key] for key in ("pairs", "verdicts", "findings", "settings", "changes")}
    assert made["one"] == made["two"]
