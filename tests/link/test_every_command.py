"""No command passes a link that does not run: from versions alone, from snapshots, from a log."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import schemacheck
from schemacheck import knowledge
from schemacheck.cli import main
from schemacheck.fleet import profiles, summary, topology, whole_links
from schemacheck.fleet.snapshots import find
from schemacheck.inputs import snapshot_queries
from schemacheck.inputs.settings import server_from
from schemacheck.model import Effect, variable

TABLE = "CREATE TABLE shop.t (a INT PRIMARY KEY);\n"
HEADING = (
    "TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\tORDINAL_POSITION\tCOLUMN_TYPE\tIS_NULLABLE\tCOLUMN_DEFAULT\t"
    "EXTRA\tCHARACTER_SET_NAME\tCOLLATION_NAME\n"
)
LOGS = Path(__file__).parents[1] / "binlog" / "data"


@dataclass(frozen=True)
class Case:
    """A link, what its source is set to, the rule and the error; `log` is a recorded log of such a source."""

    source: str
    replica: str
    settings: tuple[tuple[str, str], ...]
    code: str
    error: int | None
    log: str

    @property
    def loses(self) -> bool:
        """Whether both threads run on and statements are left out."""
        return self.error is None


CASES = (
    Case("mysql-9.7.4", "mariadb-10.11.19", (), "SC911", 22, "mysql-9.7-statement"),
    Case(
        "mysql-9.7.4",
        "mariadb-11.8.6",
        (("binlog_transaction_compression", "ON"),),
        "SC921",
        1594,
        "mysql-9.7-compressed",
    ),
    Case("mariadb-11.8.6", "mysql-5.6.24", (), "SC911", None, "mariadb-11.8-statement"),
)
each = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.source} to {case.replica}")


def _sql(folder: Path, text: str = TABLE, name: str = "t.sql") -> str:
    (folder / name).write_text(text, "utf-8")
    return str(folder / name)


def _versions(case: Case) -> list[str]:
    given = [f"--source-set={name}={value}" for name, value in case.settings]
    return ["--no-config", "--source-version", case.source, "--replica-version", case.replica, *given]


def _snapshot(folder: Path, server: str, settings: tuple[tuple[str, str], ...] = ()) -> str:
    flavor, version = server.split("-")
    told = f"{version}-MariaDB" if flavor == "mariadb" else version
    folder.mkdir(parents=True)
    (folder / "columns.tsv").write_text(f"{HEADING}shop\tt\ta\t1\tint\tNO\tNULL\t\tNULL\tNULL\n", "utf-8")
    lines = [f"{name}\t{value}\n" for name, value in (("version", told), *settings)]
    (folder / "variables.tsv").write_text("Variable_name\tValue\n" + "".join(lines), "utf-8")
    return str(folder)


def _said(findings: list[dict[str, object]], case: Case) -> list[object]:
    return [f["error"] for f in findings if f["code"] == case.code and f["effect"] in ("stops", "diverges")]


def _number(error: object) -> object:
    return error["number"] if isinstance(error, dict) else error


@each
@pytest.mark.parametrize("way", ["versions", "snapshots"])
def test_check(case: Case, way: str, tmp_path: Path, capsys) -> None:
    if way == "versions":
        ends = [_sql(tmp_path), _sql(tmp_path), *_versions(case)]
    else:
        ends = [
            _snapshot(tmp_path / "s", case.source, case.settings),
            _snapshot(tmp_path / "r", case.replica),
        ]
    assert main(["check", *ends, "--format", "json"]) == 1
    page = json.loads(capsys.readouterr().out)
    assert case.error in map(_number, _said(page["link_findings"], case))
    assert page["smallest_setting"]["modes"] is None


@each
@pytest.mark.parametrize("way", ["versions", "snapshots"])
def test_link(case: Case, way: str, tmp_path: Path, capsys) -> None:
    if way == "versions":
        ends = [case.source, case.replica, *(f"--source-set={k}={v}" for k, v in case.settings)]
    else:
        ends = [
            _snapshot(tmp_path / "s", case.source, case.settings),
            _snapshot(tmp_path / "r", case.replica),
        ]
    assert main(["link", *ends, "--format", "json"]) == 1
    page = json.loads(capsys.readouterr().out)
    assert case.error in map(_number, _said(page["findings"], case))


@each
def test_plan_calls_no_order_safe(case: Case, tmp_path: Path, capsys) -> None:
    change = _sql(tmp_path, "ALTER TABLE shop.t ADD COLUMN b INT NULL;\n", "change.sql")
    wanted = ["plan", _sql(tmp_path), change, *_versions(case)]
    assert main([*wanted, "--format", "json"]) == 1
    page = json.loads(capsys.readouterr().out)
    assert case.error in map(_number, _said(page["link_findings"], case))
    orders = {page["order"], *(t["order"] for t in page["tables"]), *(s["order"] for s in page["stages"])}
    assert orders == {"impossible"}
    assert page["runbook"] == []
    assert page["tables"][0]["replicated_statement"]["safe"] is False
    assert main([*wanted, "--unlogged"]) == 1
    text = capsys.readouterr().out
    assert f"[{case.code}]" in text.split("\n1. ", maxsplit=1)[0]
    assert ("the link: diverges" if case.loses else "the link does not run") in text.splitlines()[-1]


def test_a_plan_without_a_change_says_so_too(tmp_path: Path, capsys) -> None:
    case = CASES[0]
    assert main(["plan", _sql(tmp_path), _sql(tmp_path), "--as", "schema", *_versions(case)]) == 1
    assert capsys.readouterr().out.endswith("nothing changes; the link does not run\n")


def test_a_plan_over_a_link_that_runs_has_its_order(tmp_path: Path, capsys) -> None:
    change = _sql(tmp_path, "ALTER TABLE shop.t ADD COLUMN b INT NULL;\n", "change.sql")
    assert main(["plan", _sql(tmp_path), change, "--no-config", "--source-version", "8.0.36"]) == 0
    assert "replicate every statement" in capsys.readouterr().out


@each
@pytest.mark.parametrize("way", ["versions", "snapshots"])
def test_the_links_of_a_fleet(case: Case, way: str, tmp_path: Path) -> None:
    told = f"instances: {{a: {{server: {case.source}, settings: {json.dumps(dict(case.settings))}}}, "
    told += f"b: {{server: {case.replica}}}}}\n"
    if way == "snapshots":
        _snapshot(tmp_path / "s" / "a", case.source, case.settings)
        _snapshot(tmp_path / "s" / "b", case.replica)
    (tmp_path / "fleet.yaml").write_text(
        ("" if way == "snapshots" else told) + "links: [{source: a, replica: b}]\n", "utf-8"
    )
    fleet = topology.read(tmp_path / "fleet.yaml")
    dumps = find(fleet, [str(tmp_path / "s")]) if way == "snapshots" else []
    rows = whole_links.rows(fleet, profiles.resolve(fleet, dumps), {})
    assert case.error in _said(rows, case)
    made = {
        "verdicts": {effect.value: 0 for effect in Effect},
        "input_problems": {"unread": 0},
        "links_by_effect": whole_links.counts(rows),
        "link_findings": rows,
        "topology": {"findings": []},
        "smallest_setting": {"modes": "", "outcomes": {"": "identical"}},
    }
    assert sum(made["links_by_effect"].values()) == 1
    assert summary.exit_status(made, Effect.UNSUPPORTED) == 1
    assert summary.exit_status(made, Effect.UNKNOWN) == 0


@each
def test_binlog_check_reads_it_from_the_log(case: Case, tmp_path: Path, capsys) -> None:
    log, replica = str(LOGS / f"{case.log}.binlog.gz"), _sql(tmp_path)
    asked = ["binlog", "check", log, "--replica", replica, "--replica-version", case.replica]
    assert main([*asked, "--format", "json"]) == 1
    page = json.loads(capsys.readouterr().out)
    assert case.error == _number(page["stop"]["errno"])


#: An option that no server shows; a stop that `explain` tells (1785) and no check looks for.
@pytest.mark.parametrize("name", sorted(variable.known()))
def test_a_variable_that_decides_is_read_by_code(name: str) -> None:
    """Else it belongs to a list of rules/link_variables.yaml, which says what a difference does."""
    aliases = knowledge.load("variables")["aliases"].items()
    spellings = [name, *(alias for alias, of in aliases if of == name)]
    assert any(re.search(rf"\b{spelling}\b", _code()) for spelling in spellings)


@cache
def _code() -> str:
    table = knowledge.load("link_variables")
    used = " ".join(name for group in ("statements", "definitions", "ends") for name in table[group])
    texts = (path.read_text() for path in Path(schemacheck.__file__).parent.rglob("*.py"))
    return "\n".join((used, str(knowledge.load("questions")), *texts)).replace("-", "_")


@pytest.mark.parametrize("name", sorted(variable.known()))
def test_what_decides_a_link_is_read_live_and_from_snapshots(name: str) -> None:
    assert name in snapshot_queries.variable_names()
    told = server_from({"version": "9.7.4", "version_comment": "MySQL", name: "ON"})
    assert told is not None
    assert told.given(name)
