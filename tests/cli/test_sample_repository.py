"""A repository as teams have it: a pull request that breaks, an old finding in the baseline, the rewritten change."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

ROOT = Path(__file__).parents[2]

CURRENT = """\
-- Customers and what they order.
CREATE TABLE shop.customers (
  id int unsigned NOT NULL AUTO_INCREMENT,
  email varchar(100) NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE shop.orders (
  id int unsigned NOT NULL AUTO_INCREMENT,
  customer int unsigned NOT NULL,
  state enum('new','paid','sent') NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE shop.legacy (
  a int,
  b varchar(20)
);
"""
# Someone changed the type of legacy.b on the replicas long ago.
DEPLOYED = CURRENT.replace("b varchar(20)", "b text")
# The pull request puts a member of an ENUM in the middle, and a column in front of another.
BROKEN = DEPLOYED.replace("'new','paid','sent'", "'new','cancelled','paid','sent'").replace(
    "  email", "  phone varchar(20) DEFAULT NULL,\n  email"
)
# Rewritten: the member last, the column last.
REWRITTEN = DEPLOYED.replace("'paid','sent'", "'paid','sent','cancelled'").replace("NOT NULL,\n  PRIMARY KEY (id)\n);\n\nCREATE TABLE shop.orders", "NOT NULL,\n  phone varchar(20) DEFAULT NULL,\n  PRIMARY KEY (id)\n);\n\nCREATE TABLE shop.orders")  # fmt: skip

CONFIG = """\
source: schema/current.sql
replica: schema/next.sql
links:
  production:
    source: mysql-8.0.36
    replica: mysql-8.0.36
baseline: schemacheck-baseline.json
"""
HOOK = "schemacheck"


@pytest.fixture
def repository(tmp_path, monkeypatch, run):
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema" / "current.sql").write_text(CURRENT)
    (tmp_path / "schema" / "next.sql").write_text(DEPLOYED)
    (tmp_path / "schemacheck.yaml").write_text(CONFIG)
    written = run("baseline", "write")
    assert written.status == 0, written
    assert run("check").status == 0
    return tmp_path


def line_of(text: str, part: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.fixture
def broken(repository):
    (repository / "schema" / "next.sql").write_text(BROKEN)
    return repository


def test_the_baseline_quietens_the_old_finding_only(run, broken):
    result = run("check", "-v")
    assert result.status == 1
    assert "tolerated: by baseline" in result.out
    document = json.loads(run("check", "-f", "json").out)
    blocking = {(t["table"], f["code"]) for t in document["tables"] for f in t["findings"] if f["blocks"]}
    assert {table for table, _ in blocking} == {"customers", "orders"}


STATE = line_of(BROKEN, "state enum")
PHONE = line_of(BROKEN, "phone")


def test_findings_stand_at_the_right_lines_in_every_format(run, broken):
    out = {
        name: run("check", "-f", name).out
        for name in (
            "text",
            "concise",
            "github",
            "gitlab",
            "sarif",
            "json",
            "jsonl",
            "csv",
            "junit",
            "markdown",
            "html",
        )
    }
    place = f"schema/next.sql:{STATE}:3"
    for name in ("text", "concise", "csv", "junit", "markdown", "html"):
        assert place in out[name], name
    assert re.search(
        rf"^::error file=schema/next.sql,line={STATE},col=3,.*title=SC208 ", out["github"], re.MULTILINE
    )
    assert any(
        e["location"] == {"path": "schema/next.sql", "lines": {"begin": STATE}}
        for e in json.loads(out["gitlab"])
    )
    results = json.loads(out["sarif"])["runs"][0]["results"]
    state = next(r for r in results if r["ruleId"] == "SC208")
    assert state["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "schema/next.sql"
    assert state["locations"][0]["physicalLocation"]["region"]["startLine"] == STATE
    assert state["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == line_of(
        CURRENT, "state enum"
    )
    assert any(r.get("suppressions") for r in results)
    lines = [json.loads(line) for line in out["jsonl"].splitlines()]
    assert any(line.get("code") == "SC208" and line["replica"]["location"]["line"] == STATE for line in lines)
    failing = {
        c.get("name") for c in ET.fromstring(out["junit"]).iter("testcase") if c.find("failure") is not None
    }
    assert failing == {"customers", "orders"}
    assert f"next.sql:{PHONE}:3" in out["concise"]


def test_the_rewritten_change_passes(run, repository):
    (repository / "schema" / "next.sql").write_text(REWRITTEN)
    result = run("check")
    assert result.status == 0, result.out


def test_the_fixed_old_finding_is_told(run, repository):
    (repository / "schema" / "next.sql").write_text(CURRENT)
    result = run("check")
    assert result.status == 0
    assert re.search(r"baseline: 0 new, 0 unchanged, [1-9] fixed", result.out)


def scripts(text: str, path: list) -> str:
    """A script out of a YAML file."""
    node = yaml.safe_load(text)
    for key in path:
        node = node[key]
    return node


def shell(script: str, cwd: Path, shell_: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    tools = cwd / "bin"
    tools.mkdir(exist_ok=True)
    for name, command in (
        ("schemacheck", f'exec {sys.executable} -m schemacheck "$@"'),
        ("python", f'exec {sys.executable} "$@"'),
    ):
        (tools / name).write_text(f"#!/bin/sh\n{command}\n")
        (tools / name).chmod(0o755)
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "SCHEMACHECK_"))}
    return subprocess.run([*shell_, script], cwd=cwd, env={**inherited, "PATH": f"{tools}:{os.environ['PATH']}", **environment}, capture_output=True, text=True, check=False, timeout=120)  # fmt: skip


@pytest.mark.parametrize(
    ("content", "status", "verdict"),
    [(BROKEN, 1, "stops|diverges"), (REWRITTEN, 0, "unsupported|compatible|lossy|diverges|stops")],
)
def test_the_action_runs_its_script(repository, content, status, verdict):
    (repository / "schema" / "next.sql").write_text(content)
    script = scripts((ROOT / "action.yml").read_text(), ["runs", "steps", 2, "run"])
    outputs, summary = repository / "outputs", repository / "summary"
    nothing = dict.fromkeys(("SOURCE", "REPLICA", "CONFIG", "OPTIONS"), "")
    result = shell(script, repository, ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"], **nothing, SARIF="out.sarif", GITHUB_OUTPUT=str(outputs), GITHUB_STEP_SUMMARY=str(summary))  # fmt: skip
    assert result.returncode == status, result
    told = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    assert told["exit-status"] == str(status)
    assert re.fullmatch(verdict, told["verdict"])
    assert summary.read_text().startswith("### schemacheck: ")
    assert json.loads((repository / "out.sarif").read_text())["version"] == "2.1.0"
    assert ("::error file=schema/next.sql" in result.stdout) is (status == 1)


def test_the_action_does_not_run_what_inputs_say(repository):
    script = scripts((ROOT / "action.yml").read_text(), ["runs", "steps", 2, "run"])
    assert "${{" not in script
    trap = "$(touch owned) `touch owned` ; touch owned"
    values = {"SOURCE": trap, "REPLICA": trap, "CONFIG": "", "OPTIONS": trap, "SARIF": ""}
    shell(
        script,
        repository,
        ["bash", "-eo", "pipefail", "-c"],
        **values,
        GITHUB_OUTPUT="o",
        GITHUB_STEP_SUMMARY="s",
    )
    assert not (repository / "owned").exists()


def test_action_and_hook_are_valid():
    jsonschema = pytest.importorskip("jsonschema")
    sys.path.insert(0, str(ROOT / "tests" / "outputs"))
    import schemas

    for file, name in (
        ("action.yml", "github-action.json"),
        (".pre-commit-hooks.yaml", "pre-commit-hooks.json"),
    ):
        jsonschema.validate(yaml.safe_load((ROOT / file).read_text()), schemas.schemastore(name))


@pytest.mark.parametrize(("content", "status"), [(BROKEN, 1), (REWRITTEN, 0)])
def test_the_gitlab_template_runs_its_script(repository, content, status):
    (repository / "schema" / "next.sql").write_text(content)
    lines = scripts((ROOT / "docs" / "gitlab-template.yml").read_text(), [".schemacheck", "script"])
    result = shell("\n".join(lines[1:]), repository, ["sh", "-e", "-c"])
    assert result.returncode == status, result
    assert isinstance(json.loads((repository / "gl-code-quality-report.json").read_text()), list)
    assert ET.parse(repository / "schemacheck-junit.xml").getroot().tag == "testsuites"
    assert (repository / "schemacheck.html").read_text().startswith("<!doctype html>")


@pytest.mark.precommit
def test_pre_commit_runs_the_hook_for_real(broken):
    """The hook out of this repository's last commit, installed by pre-commit itself."""
    command = shutil.which("pre-commit", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if command is None or not (ROOT / ".git").exists():
        pytest.skip("pre-commit is not installed, or this is no git checkout")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    revision = subprocess.run(
        [*git, "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    (broken / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {ROOT}\n    rev: {revision}\n    hooks: [{{id: {HOOK}}}]\n"
    )
    for arguments in (["init", "-q"], ["add", "-A"]):
        subprocess.run([*git, *arguments], cwd=broken, check=True)
    environment = {
        **os.environ,
        "PRE_COMMIT_HOME": str(broken / "cache"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }

    def hook() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [command, "run", "--all-files"],
            cwd=broken,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    first = hook()
    unreachable = re.search(
        r"No matching distribution found|name resolution|Connection|Could not find a version|Max retries",
        first.stdout + first.stderr,
    )
    if "CalledProcessError" in first.stdout + first.stderr and unreachable:
        pytest.skip(f"no package index can be reached: {unreachable.group()}")
    assert first.returncode == 1, first.stdout
    assert f"schema/next.sql:{STATE}:3" in first.stdout
    (broken / "schema" / "next.sql").write_text(REWRITTEN)
    second = hook()
    assert second.returncode == 0, second.stdout
