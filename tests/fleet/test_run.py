"""Whole runs through the command: outputs, exit status, an earlier run kept, new and fixed findings."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

from schemacheck.fleet import summary
from schemacheck.model import Column, ColumnType, Effect, Table
from schemacheck.profile import document
from schemacheck.profile.document import Profile, ServerOf, TableProfile, definition_of
from schemacheck.system import interrupt

pytestmark = pytest.mark.spark
HEADING = "TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\tORDINAL_POSITION\tCOLUMN_TYPE\tIS_NULLABLE\tCOLUMN_DEFAULT\tEXTRA\tCHARACTER_SET_NAME\tCOLLATION_NAME\n"  # noqa: E501


@pytest.fixture
def fleet(run):
    """The command in this process, whose pyspark has been imported."""

    def call(*arguments: str | Path) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            done = run("fleet", *arguments)
        assert not gc.get_freeze_count(), "a process that goes on counts them before each of its checks"
        return done

    return call


def dump(folder: Path, **types: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows = "".join(f"d\t{table}\tx\t1\t{kind}\tYES\tNULL\t\tNULL\tNULL\n" for table, kind in types.items())
    (folder / "columns.tsv").write_text(HEADING + rows, "utf-8")


_BROKEN = """
import sys
from schemacheck import engine
from schemacheck.cli import main
asked = engine.consequences
def consequences(pair, found):
    return found[99] if pair.source.columns[0].type.base == "smallint" else asked(pair, found)
engine.consequences = consequences
sys.exit(main(["fleet", *sys.argv[1:]]))
"""


def test_a_defect_costs_one_pair(tmp_path: Path) -> None:
    """The engine runs in the process that is given it, as Sail's functions do."""
    pytest.importorskip("pysail")
    (tmp_path / "fleet.yaml").write_text(
        "snapshots: s\ndefaults: {server: mysql-8.0.36}\nlinks: [{source: a, replica: b}]\n"
    )
    dump(tmp_path / "s" / "a", calm="bigint", boom="smallint")
    dump(tmp_path / "s" / "b", calm="int", boom="int")
    given = (tmp_path / "fleet.yaml", "--out", tmp_path / "out", "--engine", "sail")
    done = subprocess.run(
        [sys.executable, "-c", _BROKEN, *given], capture_output=True, text=True, check=False
    )
    made = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert made["verdicts"]["unknown"] == made["verdicts"]["stops"] == 1
    assert "a defect of schemacheck, please report it: IndexError" in json.dumps(made["causes"])
    assert done.returncode == 4
    assert "internal error: " in done.stderr


def test_what_nothing_is_there_for_fails_no_run(fleet, tmp_path: Path) -> None:
    pytest.importorskip("pysail")
    (tmp_path / "fleet.yaml").write_text(
        "snapshots: s\ndefaults: {server: mysql-8.0.36}\nlinks: [{source: a, replica: b}]\n"
    )
    dump(tmp_path / "s" / "a", t="int", u="bigint")
    dump(tmp_path / "s" / "b", t="int", u="int")
    taken = "2026-11-01T00:00:00+00:00"
    mark = definition_of(Table("u", (Column("x", ColumnType("bigint"), nullable=True),), "d"))
    empty = TableProfile("d", "u", taken, {}, mark, complete=True, rows=0)
    (tmp_path / "a.json").write_text(
        document.dump(Profile("data", ServerOf("mysql", "8.0.36"), taken, taken, (empty,)), "tests")
    )
    given = ("--out", tmp_path / "out", "--engine", "sail", "--evidence", tmp_path / "a.json")
    done = fleet(tmp_path / "fleet.yaml", *given, "--only-biting")
    assert done.status == 0, done.err
    made = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert made["evidence"] == {"bites": 0, "could": 0, "none today": 1, "cannot": 0}
    assert summary.exit_status(made, Effect.UNSUPPORTED) == 1
    assert summary.statuses(summary.only_biting(made), Effect.UNSUPPORTED) == {"(none)": 0}


def test_a_night_without_changes_one_group_that_changed_and_a_link_that_is_gone(
    fleet, tmp_path: Path
) -> None:
    """Where all is as it was no engine is started; of two groups the one that is as it was is not asked."""
    pytest.importorskip("pysail")
    import pyarrow.parquet as pq

    topology = "snapshots: s\ndefaults: {server: mysql-8.0.36}\nlinks: [{source: a, replica: b}%s]\n"
    for name in "acbdx":  # no link names x
        dump(tmp_path / "s" / name, t="bigint" if name in "ac" else "int")
    told = []
    both = ", {source: c, replica: d}"
    for night, (more, of_d) in enumerate(((both, "int"), (both, "int"), (both, "bigint"), ("", "bigint"))):
        dump(tmp_path / "s" / "d", t=of_d)
        (tmp_path / "fleet.yaml").write_text(topology % more)
        before = ("--previous", tmp_path / f"{night - 1}") if night else ()
        given = ("--out", tmp_path / f"{night}", "--engine", "sail", "--exit-zero", *before)
        done = fleet(tmp_path / "fleet.yaml", *given)
        assert done.status == 0, done.err
        made = json.loads((tmp_path / f"{night}" / "summary.json").read_text())
        changed = made["previous"] and {name: n for name, n in made["previous"].items() if n}
        rows = pq.read_table(tmp_path / f"{night}" / "tables").to_pylist()
        assert {row["run_id"] for row in rows} == {made["run_id"]}
        remembered = "".join(sorted(row["source"] for row in rows if row["remembered"] == "dumps"))
        told.append((made["engine"][:4], changed, remembered, [row["verdict"] for row in rows]))
        problems = pq.read_table(tmp_path / f"{night}" / "input_problems").to_pylist()
        assert {row["instance"] for row in problems} == ({"x"} if more else {"c", "d", "x"})
        assert (tmp_path / f"{night}" / "changes").is_dir() == bool(night)
    assert told == [
        ("Sail", None, "", ["stops", "stops"]),
        ("this", {"unchanged": 2}, "ac", ["stops", "stops"]),
        ("Sail", {"unchanged": 1, "fixed": 1}, "a", ["identical", "stops"]),
        ("Sail", {"unchanged": 1}, "", ["stops"]),  # the first group tells of c and d now
    ]


def test_runs_one_after_the_other(fleet, tmp_path: Path) -> None:
    pytest.importorskip("pysail")
    import pyarrow.parquet as pq

    (tmp_path / "fleet.yaml").write_text(
        "snapshots: s\ndefaults: {server: mysql-8.0.36}\nlinks: [{source: a, replica: b}]\n"
    )
    dump(tmp_path / "s" / "a", t="int", u="bigint", v="int")
    dump(tmp_path / "s" / "b", t="int", u="int", v="int")
    first = fleet(tmp_path / "fleet.yaml", "--out", tmp_path / "one", "--engine", "sail")
    assert first.status == 1, first.err
    assert first.out.count("\n") == 13
    assert "worst of 1 cause: 1 table [SC202 needs-all-lossy], stops" in first.out
    assert f"  fix: {tmp_path}/one/fixes/1-SC" in first.out
    assert f"report: {tmp_path}/one/report.html" in first.out
    stages = [line.split(" s  ")[1] for line in first.err.splitlines()]
    assert stages[:2] == ["looking for snapshots", "starting the engine"]
    assert stages[3:] == ["reading and deciding", "writing tables and findings", "summing up"]
    made = json.loads((tmp_path / "one" / "summary.json").read_text())
    assert (made["pairs"], made["verdicts"]["stops"], made["verdicts"]["identical"], made["findings"]) == (
        3,
        1,
        2,
        1,
    )
    assert made["what_if"] is None
    assert ["ALL_LOSSY", 2, 3] in made["settings"]
    (note,) = made["not_looked_at"]
    assert "triggers" in note
    assert note[:1].upper() + note[1:] in (tmp_path / "one" / "report.html").read_text()
    assert {p.name for p in (tmp_path / "one").iterdir()} == {
        "tables",
        "findings",
        "memory",
        "input_problems",
        "summary.json",
        "report.html",
        "fixes",
    }
    (script,) = (tmp_path / "one" / "fixes").rglob("b.sql")
    assert script.read_text().endswith(
        "SET SESSION sql_log_bin = 0;\n\n-- a to b: d.u\n"
        "ALTER TABLE `d`.`u` MODIFY COLUMN `x` bigint NULL DEFAULT NULL;\n"
    )

    dump(tmp_path / "s" / "b", t="smallint", u="bigint", v="int")
    second = fleet(
        tmp_path / "fleet.yaml",
        "--out",
        tmp_path / "two",
        "--engine",
        "sail",
        "--previous",
        tmp_path / "one",
        "--exit-zero",
    )
    assert second.status == 0, second.err
    two = json.loads((tmp_path / "two" / "summary.json").read_text())
    assert two["previous"] == {"new": 1, "fixed": 1, "worse": 0, "better": 0, "unseen": 0, "unchanged": 0}
    assert [(row["change"], row["table"]) for row in two["changes"]] == [("new", "t"), ("fixed", "u")]
    assert [row["verdicts"]["stops"] for row in two["trend"]] == [1, two["verdicts"]["stops"]]
    assert [row["run_id"] for row in two["trend"]] == [made["run_id"], two["run_id"]]
    assert 'id="trend"' in (tmp_path / "two" / "report.html").read_text()
    told = pq.read_table(tmp_path / "two" / "tables").to_pylist()
    assert {row["table"]: row["remembered"] for row in told} == dict.fromkeys("tuv")

    (tmp_path / "s" / "b" / "columns.tsv").write_text(HEADING + "d\tt\tx\n")
    third = fleet(
        tmp_path / "fleet.yaml", "--out", tmp_path / "two", "--engine", "sail", "--fail-on", "stops", "-q"
    )
    assert third.status == 1  # u and v are missing there
    made = json.loads((tmp_path / "two" / "summary.json").read_text())
    assert (made["verdicts"]["unknown"], made["states"]) == (1, {"missing": 2, "unreadable": 1})
    assert (third.out, third.err) == ("", "")
    # A dump that cannot be read leaves its tables unknown, never missing.
    (tmp_path / "s" / "b" / "columns.tsv").write_text(
        HEADING.replace("COLUMN_TYPE", "COLUMN_KIND") + "d\tt\tx\t1\tint\tYES\tNULL\t\tNULL\tNULL\n"
    )
    fourth = fleet(
        tmp_path / "fleet.yaml", "--out", tmp_path / "two", "--engine", "sail", "--previous", tmp_path / "one"
    )
    assert fourth.status == 3
    made = json.loads((tmp_path / "two" / "summary.json").read_text())
    assert (made["verdicts"]["unknown"], made["states"], made["input_problems"]["unread"]) == (
        3,
        {"unreadable": 3},
        1,
    )
    assert made["input_problems"]["first"]["file"].endswith("s/b")
    assert "  not read: first " in fourth.out
    assert "s/b: " in fourth.out
    # What could not be read is not fixed.
    assert (made["previous"]["unseen"], made["previous"]["fixed"]) == (1, 0)
    assert "COLUMN_TYPE" in next(
        row["message"] for row in pq.read_table(tmp_path / "two" / "input_problems").to_pylist()
    )
    # What fails leaves the last good run where it is, and nothing else.
    for path in (tmp_path / "s").rglob("columns.tsv"):
        path.unlink()
    failed = fleet(tmp_path / "fleet.yaml", "--out", tmp_path / "two", "--engine", "sail")
    assert failed.status == 2
    assert "no snapshot found" in failed.err
    assert json.loads((tmp_path / "two" / "summary.json").read_text()) == made
    assert {p.name for p in tmp_path.iterdir()} == {"fleet.yaml", "s", "one", "two"}


def test_usage(fleet, tmp_path: Path) -> None:
    (tmp_path / "fleet.yaml").write_text("snapshots: s\nlinks: [{source: a, replica: b}]\n")
    (tmp_path / "s").mkdir()
    for arguments, words in (
        ((), "TOPOLOGY is missing"),
        ((tmp_path / "no.yaml",), "no such topology file"),
        ((tmp_path / "fleet.yaml",), "no snapshot found: looked in s"),
        ((tmp_path / "fleet.yaml", tmp_path / "s", "--previous", tmp_path), "no finished run"),
    ):
        got = fleet(*arguments)
        assert (got.status, got.out) == (2, "")
        assert words in got.err, got.err
    dump(tmp_path / "s" / "a", t="int")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "precious").touch()
    text = "snapshots: s\ndefaults: {server: mysql-8.0.36}\nlinks: [{source: a, replica: b}]\n"
    (tmp_path / "fleet.yaml").write_text(text)
    got = fleet(tmp_path / "fleet.yaml", "--out", tmp_path / "mine")
    assert got.status == 2
    assert "not empty and not an earlier run" in got.err
    assert (tmp_path / "mine" / "precious").is_file()


def test_snapshots_behind_a_url(fleet, tmp_path: Path) -> None:
    pytest.importorskip("pysail")
    (tmp_path / "fleet.yaml").write_text(
        "defaults: {server: mysql-8.0.36}\nlinks: [{source: a, replica: b}]\n"
    )
    dump(tmp_path / "some where" / "a", t="int")
    dump(tmp_path / "some where" / "b", t="bigint")
    got = fleet(
        tmp_path / "fleet.yaml",
        (tmp_path / "some where").as_uri(),
        "--out",
        tmp_path / "run",
        "--engine",
        "sail",
    )
    assert got.status == 1, got.err
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["verdicts"]["stops"] == 1
    nothing = fleet(
        tmp_path / "fleet.yaml",
        (tmp_path / "nowhere").as_uri(),
        "--out",
        tmp_path / "run2",
        "--engine",
        "sail",
    )
    assert nothing.status == 2
    assert nothing.err.splitlines()[-1].startswith("schemacheck: error: ")


def test_a_failure_that_follows_a_signal_is_the_signal() -> None:
    """py4j answers Ctrl-C within a call with an error of its own."""
    try:
        try:
            raise interrupt.Ended(2)
        except KeyboardInterrupt:
            raise RuntimeError("Gateway must be connected to send cancel cmd.")  # noqa: B904
    except RuntimeError as error:
        ended = interrupt.behind(error)
    assert ended is not None
    assert ended.number == 2
    assert interrupt.behind(RuntimeError()) is None


@pytest.mark.parametrize("seconds", [0.0, 2.0])
def test_an_interrupted_run_prints_no_traceback(tmp_path: Path, seconds: float) -> None:
    """Ctrl-C reaches the JVM and its workers too: none of them has to say what became of it."""
    pytest.importorskip("pyspark")
    dump(tmp_path / "s" / "a", t="int")
    dump(tmp_path / "s" / "b", t="bigint")
    (tmp_path / "fleet.yaml").write_text(
        "snapshots: s\ndefaults: {server: mysql-8.0.36}\nlinks: [{source: a, replica: b}]\n"
    )
    words = ["fleet", tmp_path / "fleet.yaml", "--engine", "spark", "--out", tmp_path / "run"]
    process = subprocess.Popen(
        [sys.executable, "-m", "schemacheck", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if "reading and deciding" in line:
            break
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 130, rest
    assert "Traceback" not in rest
    assert "Error" not in rest
    assert {one.name for one in tmp_path.iterdir()} == {"s", "fleet.yaml"}


def test_an_archive_that_is_not_there_is_noticed_at_once(fleet, tmp_path: Path) -> None:
    done = fleet(tmp_path / "fleet.yaml", "--archive", tmp_path / "no.zip", "--out", tmp_path / "run")
    assert done.status == 2
    assert done.err.endswith("no.zip: no such file; --make-zip writes one\n")
