"""What the page and the summary say does not depend on who sorts and counts the findings."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path

import fleets
import pytest

from schemacheck.fleet import columns, profiles, results, saved_pairs, snapshots, topology

pytestmark = pytest.mark.spark


def checked_of(engine: object, path: Path) -> object:
    from schemacheck.fleet import frames, group
    from schemacheck.fleet.checked import Checked, Run

    fleet = topology.read(path)
    dumps = snapshots.find(fleet, ())
    groups = group.plan(fleet, profiles.resolve(fleet, dumps), dumps)
    pairs = frames.of_files(engine.spark, groups, None)
    pairs = pairs.unionByName(frames.unused(engine.spark, fleet, dumps))
    return Checked(frames.named(pairs, Run.of()).persist())


def told(checked: object, before: object, limit: int, saved: object = None) -> tuple[object, ...]:
    found = results.Results(checked, before, saved)
    rows = found.worst(limit)
    names = [*results._OF_PAIR, "fresh", *(column.name for column in columns.FINDING)]
    listed = rows.select(names).to_pylist()
    counts = sorted(found.findings(), key=str)
    places = [(row["effect"], row["source"], row["replica"]) for row in listed]
    listed_problems, unread, noted = found.problems(limit)
    unknown, first = found.unknown(limit)
    # Several links may have tables of these names: their order is nobody's.
    largest = [[row[name] for name in ("n_bytes", "database", "table")] for row in found.largest(limit)]
    unknown_names = [[row[name] for name in ("source", "database", "table")] for row in first]
    return (
        counts, sorted(listed, key=str) if limit > len(listed) else places, found.types(), found.smallest(),
        sorted(found.tables(), key=str), found.decisions(), found.named(limit),
        found.settings(), largest, unknown, unknown_names, listed_problems, unread, noted,
    )  # fmt: skip


def test_many_findings_are_told_as_few_are(sail, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checked = checked_of(sail, fleets.small(tmp_path / "a", 5))
        before = checked.findings.filter("pmod(link, 2) = 0").persist()
        for earlier in (None, before):
            for limit in (10_000, 7):
                held = told(checked, earlier, limit)
                assert results.Results(checked)._whole() is not None
                with monkeypatch.context() as patch:
                    patch.setattr(results, "HELD", 3)
                    assert results.Results(checked)._whole() is None
                    assert told(checked, earlier, limit) == held
        marks = {row["fresh"] for row in results.Results(checked, before).worst(9_999).to_pylist()}
    assert marks == {0, 1}


def test_what_was_saved_is_told_as_what_is_worked_out(
    engine: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from schemacheck.fleet.checked import Checked
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
        checked = checked_of(engine, path)
        saved = Place(engine, str(tmp_path / "run"))
        pairs = saved.kept(checked.pairs, "pairs", (*columns.RUN, *columns.PAIRS))
        written = saved.saved(checked.findings, "findings", columns.FINDINGS, "effect")
        again = Checked(pairs, written)
        before = checked.findings.filter("pmod(link, 2) = 0").persist()
        for limit in (10_000, 7):
            wanted = told(checked, before, limit)
            assert all(wanted), [place for place, one in enumerate(wanted) if not one]
            assert told(again, before, limit, saved) == wanted
            with monkeypatch.context() as patch:
                patch.setattr(results, "HELD", 3)
                assert told(again, before, limit, saved) == wanted
                patch.setattr(saved_pairs, "MOST", 3)
                assert told(again, before, limit, saved) == wanted
        names = [column.name for column in columns.FINDINGS]
        rows = [sorted(map(str, one.findings.select(*names).collect())) for one in (checked, again)]
        assert rows[0] == rows[1] != []
        none = saved.saved(checked.findings.filter("false"), "none", columns.FINDINGS, "effect")
    assert none.count() == 0
    assert saved.dataset("none", columns.FINDINGS[3:], "effect").to_table().num_rows == 0


def test_words_of_types() -> None:
    texts = {
        "VARCHAR(20) character set utf8mb4": "varchar", "int(10) unsigned": "int unsigned", "": "",
        "enum('a(1)')": "enum", "ÄÖ": "", "decimal(5, 2) unsigned zerofill": "decimal unsigned",
    }  # fmt: skip
    assert {text: results.word(text) for text in texts} == texts
    assert results.word(None) is None
