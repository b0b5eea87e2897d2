"""What the page and the summary say does not depend on who sorts and counts the findings."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path

import fleets
import pytest

from schemacheck.fleet import columns, data_sets, profiles, results, snapshots, task, topology

pytestmark = pytest.mark.spark


def checked_of(engine: object, path: Path) -> tuple[object, object]:
    from schemacheck.fleet import frames, group
    from schemacheck.fleet.checked import Checked
    from schemacheck.fleet.trend import Run

    fleet = topology.read(path)
    dumps = snapshots.find(fleet, ())
    groups = group.plan(fleet, profiles.resolve(fleet, dumps), dumps, key="k" * 32)
    kinds = columns.GROUPS
    asked = frames.of_files(engine.spark, groups, None, answer=task.remembered, kinds=kinds)
    kept = frames.named(asked, Run.of()).persist()
    return kept, Checked(frames.unpacked(kept))


def told(found: results.Results) -> dict[str, object]:
    """What the page and the summary ask for; rows of which nobody says which comes first are sorted."""
    told = {name: sorted(map(str, rows.to_pylist())) for name, rows in found.parts.items()}
    return {**told, "first": found.worst().select(["rank", "source", "replica", "table"]).to_pylist()}


def test_parts_tell_what_the_whole_tells(
    engine: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from schemacheck.fleet.place import Place

    # pyspark takes one kind of session per process; tests have both.
    if engine.name == "spark":
        monkeypatch.delenv("SPARK_CONNECT_MODE_ENABLED", raising=False)
    else:
        monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = fleets.small(tmp_path / "a", 5)
        for name in ("a", "b"):
            with (tmp_path / "a" / "snapshots" / name / "columns.tsv").open("a", encoding="utf-8") as rows:
                rows.write(f"def\tapp\tt{name}\tcut off\ndef\tapp\tt0001\tcut off, too\n")
        shutil.copytree(tmp_path / "a" / "snapshots" / "b", tmp_path / "a" / "snapshots" / "unlinked")
        groups, checked = checked_of(engine, path)
        saved = Place(engine, str(tmp_path / "run"))
        kept = saved.kept(groups, "memory", (*columns.RUN, *columns.GROUPS))
        by_engine, by_file = results.Results.of(kept), results.Results.of(kept, saved)
        findings, tables = checked.findings.count(), checked.tables.count()
        new = checked.findings.filter("pmod(link, 2) = 0").select("fingerprint").toArrow().column(0)
    wanted = told(by_file)
    assert all(wanted.values()), [name for name, one in wanted.items() if not one]
    assert told(by_engine) == wanted
    assert sum(row["count"] for row in by_file.tables()) == tables
    assert sum(row["count"] for row in by_file.findings()) == findings == by_file.worst().num_rows
    assert set(by_file.worst(new).column("fresh").to_pylist()) == {0, 1}
    for name, kinds, frame in (
        ("tables", columns.TABLES, checked.tables),
        ("findings", columns.FINDINGS, checked.findings),
        ("input_problems", columns.PROBLEMS, checked.problems),
    ):
        some = [column.name for column in kinds if column.name != "run_id"]
        written = saved.read(name, kinds).select(*some)
        assert written.schema == frame.select(*some).schema
        assert sorted(map(str, written.collect())) == sorted(map(str, frame.select(*some).collect())) != []
    with monkeypatch.context() as patch:
        patch.setattr(data_sets, "ROWS", 1)
        assert told(results.Results.of(kept, saved)) == wanted
        patch.setattr(results, "HELD", 3)
        patch.setattr(results, "LISTED", 2)
        few = results.Results.of(kept, saved)
    assert few.worst().select(["rank", "source", "table"]) == by_file.worst().select(
        ["rank", "source", "table"]
    ).slice(0, 3)
    assert few.parts["tables"].num_rows == by_file.parts["tables"].num_rows
    (listed, unread, noted) = few.problems()
    assert len(listed) == 2 < unread + noted == by_file.parts["problems"].num_rows
    assert [row["n_bytes"] for row in few.largest()] == [row["n_bytes"] for row in by_file.largest()][:2]
    assert told(results.Results.of(kept.filter("false")))["worst"] == []
