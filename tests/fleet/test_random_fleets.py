"""Random fleets with all that dumps hold: every pair is what `check` says of it, in every field."""

from __future__ import annotations

from pathlib import Path

import fleets
import pytest
import random_fleets


def _form(seed: int) -> str:
    return ("tsv", "tsv", "parquet")[seed % 3]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*range(500, 508), 7074, 8038, 9030, 9049, 9616, 9631, 40360])
def test_tasks_say_what_check_says(tmp_path: Path, seed: int) -> None:
    path = random_fleets.write(tmp_path, seed, tables=14, form=_form(seed))
    tables, findings, _, _ = fleets.of_task(path)
    wanted = fleets.pair_by_pair(path)
    assert len(wanted) > 20
    got = fleets.of_job(tables, findings)
    assert {
        key: (got.get(key), wanted.get(key)) for key in {*got, *wanted} if got.get(key) != wanted.get(key)
    } == {}


@pytest.mark.spark
def test_engines_say_what_check_says(engine, tmp_path: Path) -> None:
    seed = 520 if engine.name == "spark" else 521
    path = random_fleets.write(tmp_path / "fleet", seed, tables=14, form=_form(seed))
    tables, findings, _ = fleets.run_job(
        engine, path, tmp_path / "job", partitions=(1, 3)[seed % 2], order=seed
    )
    got, wanted = fleets.of_job(tables, findings), fleets.pair_by_pair(path)
    assert {
        key: (got.get(key), wanted.get(key)) for key in {*got, *wanted} if got.get(key) != wanted.get(key)
    } == {}
