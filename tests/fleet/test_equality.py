"""The job says of every pair what checking pair by pair says, on every engine, however the work is cut."""

from __future__ import annotations

from pathlib import Path

import fleets
import pytest

from schemacheck.fleet import group

pytestmark = pytest.mark.spark


def test_random_fleet(engine, tmp_path: Path) -> None:
    path = fleets.small(tmp_path / "fleet", 1)
    tables, findings, _ = fleets.run_job(engine, path, tmp_path / "job", partitions=5, order=1)
    wanted = fleets.pair_by_pair(path)
    assert len({v[1] for v in wanted.values()}) > 2
    fleets.compare(fleets.of_job(tables, findings), wanted)
    assert {row["decided_by"] for row in tables} == {"hash", "engine", "state"}


def test_parquet(sail, tmp_path: Path) -> None:
    path = fleets.small(tmp_path / "fleet", 3, form="parquet")
    tables, findings, _ = fleets.run_job(sail, path, tmp_path / "job")
    fleets.compare(fleets.of_job(tables, findings), fleets.pair_by_pair(path))


@pytest.mark.parametrize("partitions", [1, 3, 16])
def test_sail_partitions_and_orders(
    sail, tmp_path: Path, partitions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fleets.small(tmp_path / "fleet", 4)
    # Three: files are cut, too.
    monkeypatch.setattr(group, "LIMIT", 1 << 14 if partitions == 3 else group.LIMIT)
    tables, findings, _ = fleets.run_job(
        sail, path, tmp_path / "job", partitions=partitions, order=partitions
    )
    fleets.compare(fleets.of_job(tables, findings), fleets.pair_by_pair(path))


def test_bundled_fleet(engine, tmp_path: Path) -> None:
    path = fleets.ROOT / "fixtures" / "fleet" / "fleet.yaml"
    tables, findings, problems = fleets.run_job(engine, path, tmp_path / "job")
    fleets.compare(fleets.of_job(tables, findings), fleets.pair_by_pair(path))
    assert problems == []


@pytest.mark.parametrize("form", ["tsv", "parquet"])
def test_what_hangs_on_other_tables(engine, tmp_path: Path, form: str) -> None:
    path = fleets.around(tmp_path / "fleet", form)
    tables, findings, _ = fleets.run_job(engine, path, tmp_path / "job")
    fleets.compare(fleets.of_job(tables, findings), fleets.pair_by_pair(path))
    assert {"SC406", "SC601", "SC602", "SC701", "SC704"} <= {row["code"] for row in findings}
