"""An error of ours that one table meets: that table is undecided and says so, the others are decided as ever,
and the exit status is 4.
"""

from __future__ import annotations

import json
import pkgutil
import re
from collections.abc import Callable
from typing import Any

import pytest

from schemacheck import engine, errors
from schemacheck.catalog import script
from schemacheck.cli import dispatch, main
from schemacheck.inputs import rows
from schemacheck.model import Report
from schemacheck.plan import build, history

SAYS = "a defect of schemacheck, please report it: ValueError at "
OLD = "CREATE TABLE calm (id INT PRIMARY KEY, a INT);\nCREATE TABLE boom (id INT PRIMARY KEY, a INT);\n"
NEW = OLD.replace("a INT", "a BIGINT")


def breaking(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with a defect: it fails where its arguments name `boom`."""

    def broken(*arguments: Any, **named: Any) -> Any:
        if "boom" in repr((arguments, named)):
            raise ValueError("zip() argument 2 is longer")
        return function(*arguments, **named)

    return broken


@pytest.fixture
def checked(run, tmp_path):
    """The report of a check, in which calm differs, and what stood on standard error."""
    (tmp_path / "old.sql").write_text(OLD)
    (tmp_path / "new.sql").write_text(NEW)

    def call(*more: str) -> tuple[dict[str, str], str]:
        done = run("check", *(more or ("old.sql", "new.sql")), "--format", "json", "--no-config")
        assert done.status == 4
        assert "Traceback" in done.err
        assert "internal error: " in done.err
        found = json.loads(done.out)
        assert SAYS in done.out
        verdicts = {pair["table"]: pair["verdict"] for pair in found["tables"]}
        unread = {one["table"]: "unknown" for one in found["problems"] if one["table"]}
        return unread | verdicts, done.err

    return call


def test_a_statement_that_is_read(checked, monkeypatch) -> None:
    monkeypatch.setattr(script, "create_table", breaking(script.create_table))
    verdicts, said = checked()
    assert verdicts == {"calm": "stops", "boom": "unknown"}
    assert "ValueError: zip() argument 2 is longer" in said


def test_a_pair_that_is_decided(checked, monkeypatch) -> None:
    monkeypatch.setattr(engine, "consequences", breaking(engine.consequences))
    assert checked()[0] == {"calm": "stops", "boom": "unknown"}


def test_rows_of_information_schema(checked, monkeypatch, tmp_path) -> None:
    head = "TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\tORDINAL_POSITION\tCOLUMN_TYPE\tIS_NULLABLE\n"
    for end, kind in (("a", "int"), ("b", "bigint")):
        lines = (f"d\t{table}\tid\t1\t{kind}\tNO\n" for table in ("calm", "boom"))
        (tmp_path / f"{end}.tsv").write_text(head + "".join(lines))
    monkeypatch.setattr(rows, "_table", breaking(rows._table))
    assert checked("a.tsv", "b.tsv")[0] == {"calm": "stops", "boom": "unknown"}


def test_what_was_found_before_is_forgotten(run, tmp_path) -> None:
    errors.DEFECTS.append("of an earlier run in this process")
    (tmp_path / "a.sql").write_text(OLD)
    assert run("check", "a.sql", "a.sql", "--no-config").status == 0


def test_what_the_machine_lacks_is_no_defect() -> None:
    for error in (MemoryError(), OSError(28, "No space left on device"), errors.InputError("gone")):
        with pytest.raises(type(error)):
            errors.defect(error)


@pytest.mark.parametrize("broken", ["table_plan", "changes"])
def test_a_table_of_a_plan(run, monkeypatch, tmp_path, broken) -> None:
    (tmp_path / "old.sql").write_text(OLD)
    (tmp_path / "new.sql").write_text(NEW)
    monkeypatch.setattr(build, broken, breaking(getattr(build, broken)))
    done = run("plan", "old.sql", "new.sql", "--no-config")
    assert done.status == 4
    assert SAYS in " ".join(done.out.split())
    assert "calm" in done.out


@pytest.mark.parametrize("broken", ["pair", "step"])
def test_a_step_of_a_history(run, monkeypatch, tmp_path, broken) -> None:
    for name, table in (("V1__calm", "calm"), ("V2__boom", "boom"), ("V3__calm", "calm")):
        text = f"CREATE TABLE {table} (id INT)" if name != "V3__calm" else "ALTER TABLE calm ADD b INT"
        (tmp_path / f"{name}.sql").write_text(text)
    place = (history, "plan_change") if broken == "step" else (script, "create_table")
    monkeypatch.setattr(*place, breaking(getattr(*place)))
    done = run("lint-history", ".", "--no-config", "--format", "json")
    assert done.status == 4
    steps = json.loads(done.out)
    assert SAYS in done.out
    assert "V3__calm" in json.dumps(steps)


#: What breaks where `boom` is among the arguments, by command: `calm` is answered all the same.
_POINTS = {
    "check old.sql new.sql": (
        *("engine.Pair.of", "engine._of_rare_statements"),
        *("engine.smallest_setting", "engine.unread_replica", "engine.with_carried"),
        "engine.check_match",
    ),
    "check old.sql renamed.sql": ("catalog.state.Catalog.move",),
    "check old.sql old.sql --change renames.sql": ("replay.change.parse", "replay.change.BothEnds._arrives"),
    "check old.sql old.sql --change change.sql": (
        *(
            "replay.change.parse",
            "replay.change.other_rows",
            "replay.change.unlisted",
            "replay.change.defines",
        ),
        *("replay.change.BothEnds.take", "replay.change.BothEnds._arrives"),
    ),
    "plan old.sql new.sql": ("plan.build.table_plan",),
    "plan old.sql change.sql --as migration": ("plan.change._touched", "plan.change.statement_reader.read"),
    "lint-history steps --format json": (
        *("plan.history._refused", "plan.history._run", "plan.history._plan", "plan.build._whole"),
        *("plan.change._touched", "plan.change.statement_reader.read"),
    ),
}


@pytest.mark.parametrize(("call", "point"), [(call, one) for call in _POINTS for one in _POINTS[call]])
def test_calm_is_answered_wherever_boom_breaks(run, monkeypatch, tmp_path, call, point) -> None:
    (tmp_path / "old.sql").write_text(OLD)
    (tmp_path / "new.sql").write_text(NEW)
    change = "ALTER TABLE {} MODIFY a BIGINT, ADD b INT;\n"
    (tmp_path / "change.sql").write_text(change.format("boom") + change.format("calm"))
    renames = "RENAME TABLE boom TO bang;\nALTER TABLE bang MODIFY a BIGINT;\n"
    (tmp_path / "renamed.sql").write_text(OLD + renames)
    (tmp_path / "renames.sql").write_text(renames + change.format("calm"))
    (tmp_path / "steps").mkdir()
    for number, text in enumerate((*OLD.splitlines(), change.format("boom"), change.format("calm"))):
        (tmp_path / "steps" / f"V{number}__one.sql").write_text(text)
    holder, _, name = f"schemacheck.{point}".rpartition(".")
    place = pkgutil.resolve_name(holder)
    monkeypatch.setattr(place, name, breaking(getattr(place, name)))
    done = run(*call.split(), "--no-config")
    assert done.status == 4
    assert "nothing was decided" not in done.err
    assert "calm" in done.out or "1 ok" in done.out
    assert not re.search("2 (ok|identical|compatible)|every change can be rolled out", done.out)
    assert "a defect of schemacheck, please report it: ValueError" in " ".join(done.out.split())


@pytest.mark.parametrize("place", ["cli.checking.apply", "outputs.text._closing", "outputs.json.render"])
def test_a_result_that_cannot_be_suppressed_or_printed(run, monkeypatch, tmp_path, place) -> None:
    holder, _, name = f"schemacheck.{place}".rpartition(".")
    module = pkgutil.resolve_name(holder)
    function = getattr(module, name)

    def broken(report: Report, *more: Any) -> Any:
        if any(pair.table == "boom" and pair.source is not None for pair in report.pairs):
            raise ValueError("zip() argument 2 is longer")
        return function(report, *more)

    monkeypatch.setattr(module, name, broken)
    (tmp_path / "old.sql").write_text(OLD)
    (tmp_path / "new.sql").write_text(NEW)
    form = "json" if "json" in place else "text"
    done = run("check", "old.sql", "new.sql", "--no-config", "--format", form)
    assert done.status == 4
    assert SAYS in " ".join(done.out.split())
    assert "SC201" in done.out
    assert "boom" in done.out


def test_an_interrupt_while_a_class_is_made_is_an_interrupt(monkeypatch):
    """Python 3.11 raises RuntimeError from it where __set_name__ was running."""

    def interrupted(_):
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr(dispatch, "run", interrupted)
    assert main(["rules"]) == 130
