"""Processes that decide for a run: what they remember goes with them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from schemacheck.fleet import group, profiles, snapshots, task, topology, workers

FLEET = Path(__file__).parents[2] / "fixtures" / "fleet" / "fleet.yaml"


def test_a_renewed_pool_answers_with_other_processes() -> None:
    pa = pytest.importorskip("pyarrow")
    fleet = topology.read(FLEET)
    dumps = snapshots.find(fleet, ())
    one, *_ = group.plan(fleet, profiles.resolve(fleet, dumps), dumps)
    row = {"grp": 0, "spec": one.packed()}
    batch = pa.RecordBatch.from_pylist([row], task.arrow_schema(task.asked(*row)))
    pool = workers.WorkerPool(2)
    pool.start()
    try:
        before = list(pool._started)
        first = pool.send(task.answer, batch).result()
        pool.renew()
        assert [process.poll() for process in before] == [0, 0]
        assert workers.WorkerPool.opened is pool
        assert {process.pid for process in pool._started}.isdisjoint(process.pid for process in before)
        assert pool.send(task.answer, batch).result() == first == list(task.answer(batch))
        now = list(pool._started)
    finally:
        pool.close()
    assert [process.poll() for process in now] == [0, 0]
    assert workers.WorkerPool.opened is None


@pytest.mark.spark
def test_a_run_that_renews_its_pool_says_the_same(tmp_path: Path) -> None:
    pytest.importorskip("pysail")
    made = {}
    for name, large in (("kept", 1 << 30), ("renewed", 0)):
        code = (
            "import sys\n"
            "from schemacheck.fleet import run, session, workers\n"
            f"run._LARGE, session.ONE_BYTES = {large}, 0\n"
            "renewed, known = [], workers.WorkerPool.renew\n"
            "def renew(pool):\n    renewed.append(len(pool._started))\n    known(pool)\n"
            "workers.WorkerPool.renew = renew\n"
            "from schemacheck.cli import main\n"
            "status = main(['fleet', *sys.argv[1:]])\n"
            "print(renewed, file=sys.stderr)\n"
            "sys.exit(status)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(FLEET), "--out", str(tmp_path / name), "--engine", "sail",
             "--cores", "2"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
        assert done.stderr.splitlines()[-1] == ("[]" if large else "[1]")
        summary = json.loads((tmp_path / name / "summary.json").read_text())
        made[name] = {key: summary[key] for key in ("pairs", "verdicts", "findings", "settings", "changes")}
    assert made["kept"] == made["renewed"]
