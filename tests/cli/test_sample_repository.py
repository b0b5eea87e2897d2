"""A repository as teams have it: a pull request that breaks, an old finding in the baseline, the rewritten
change.
"""

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
REWRITTEN = DEPLOYED.replace("'paid','sent'",
    "'paid','sent','cancelled'").replace("NOT NULL,\n  PRIMARY KEY (id)\n);\n\nCREATE TABLE shop.orders",
    "NOT NULL,\n  phone varchar(20) DEFAULT NULL,\n  PRIMARY KEY (id)\n);\n\nCREATE TABLE "
    "shop.orders")  # fmt: skip

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
            "csv",
            "junit",
            "markdown",
            "html",
        )
    }
    place = f"schema/next.sql:{STATE}:3"
    for name in ("text", "concise", "csv", "junit", "markdown", "html"):
        assert (place.removesuffix(":3") if name == "text" else place) in out[name], name
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
    tools = cwd / "runner" / "schemacheck" / "bin"
    tools.mkdir(parents=True, exist_ok=True)
    (tools / "schemacheck").write_text(f'#!/bin/sh\nexec {sys.executable} -m schemacheck "$@"\n')
    (tools / "schemacheck").chmod(0o755)
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "SCHEMACHECK_"))}
    runner = {"GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(cwd / "runner"), "PYTHON": sys.executable}
    return subprocess.run(
        [*shell_, script.replace("/opt/schemacheck", str(ROOT))],
        cwd=cwd,
        env={**inherited, "PATH": f"{tools}:{os.environ['PATH']}", **runner, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("content", "status", "verdict"),
    [(BROKEN, 1, "stops|diverges"), (REWRITTEN, 0, "unsupported|compatible|lossy|diverges|stops")],
)
def test_the_action_runs_its_script(repository, content, status, verdict):
    (repository / "schema" / "next.sql").write_text(content)
    script = scripts((ROOT / "action.yml").read_text(), ["runs", "steps", 1, "run"])
    outputs, summary = repository / "outputs", repository / "summary"
    nothing = dict.fromkeys(("SOURCE", "REPLICA", "CONFIG", "OPTIONS", "BASE"), "") | {"POLICY": "base"}
    result = shell(script, repository, ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"], **nothing,
        SARIF="out.sarif", GITHUB_OUTPUT=str(outputs), GITHUB_STEP_SUMMARY=str(summary))  # fmt: skip
    assert result.returncode == status, result
    told = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
    assert told["exit-status"] == str(status)
    assert re.fullmatch(verdict, told["verdict"])
    assert summary.read_text().startswith("### schemacheck: ")
    assert json.loads((repository / "out.sarif").read_text())["version"] == "2.1.0"
    assert ("::error file=schema/next.sql" in result.stdout) is (status == 1)


def test_files_are_named_from_the_repositorys_root(repository):
    """Wherever the job runs: the code host knows no working directory."""
    committed(repository)
    (repository / "schema" / "next.sql").write_text(BROKEN)
    below = repository / "schema"
    (below / "schemacheck.yaml").write_text(
        (repository / "schemacheck.yaml").read_text().replace("schema/", "").replace("baseline:", "#")
    )
    script = scripts((ROOT / "action.yml").read_text(), ["runs", "steps", 1, "run"])
    nothing = dict.fromkeys(("SOURCE", "REPLICA", "CONFIG", "OPTIONS", "BASE"), "") | {"POLICY": "base"}
    files = {"GITHUB_OUTPUT": str(repository / "o"), "GITHUB_STEP_SUMMARY": str(repository / "s")}
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
    result = shell(script, below, bash, **nothing, **files, SARIF="out.sarif")
    assert "::error file=schema/next.sql,line=" in result.stdout, result
    first = json.loads((below / "out.sarif").read_text())["runs"][0]["results"][0]["locations"][0]
    assert first["physicalLocation"]["artifactLocation"]["uri"] == "schema/next.sql"


def test_the_action_says_why_nothing_could_be_checked(repository):
    script = scripts((ROOT / "action.yml").read_text(), ["runs", "steps", 1, "run"])
    nothing = dict.fromkeys(("REPLICA", "CONFIG", "OPTIONS", "SARIF", "BASE"), "") | {"POLICY": "head"}
    files = {"GITHUB_OUTPUT": str(repository / "o"), "GITHUB_STEP_SUMMARY": str(repository / "s")}
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
    result = shell(script, repository, bash, **nothing, **files, SOURCE="100%.sql")
    assert result.returncode == 2
    assert re.search(
        r"^::error title=schemacheck::schemacheck: error: 100%25\.sql", result.stdout, re.MULTILINE
    )
    assert not (repository / "s").exists()


def test_the_action_does_not_run_what_inputs_say(repository):
    script = scripts((ROOT / "action.yml").read_text(), ["runs", "steps", 1, "run"])
    assert "${{" not in script
    trap = "$(touch owned) `touch owned` ; touch owned"
    nothing = {"CONFIG": "", "SARIF": "", "BASE": "", "POLICY": "base"}
    values = {"SOURCE": trap, "REPLICA": trap, "OPTIONS": trap, **nothing}
    shell(
        script,
        repository,
        ["bash", "-eo", "pipefail", "-c"],
        **values,
        GITHUB_OUTPUT="o",
        GITHUB_STEP_SUMMARY="s",
    )
    assert not (repository / "owned").exists()


def committed(repository: Path) -> str:
    """The repository's files as the base branch, and that commit."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "base"]):
        subprocess.run([*git, *arguments], cwd=repository, check=True, capture_output=True)
    head = subprocess.run(
        [*git, "rev-parse", "HEAD"], cwd=repository, check=True, capture_output=True, text=True
    )
    return head.stdout.strip()


@pytest.mark.parametrize(("policy", "status"), [("base", 1), ("head", 0)])
def test_a_pull_request_is_checked_with_the_base_branchs_policy(repository, policy, status):
    base = committed(repository)
    (repository / "schema" / "next.sql").write_text(BROKEN)
    configuration = repository / "schemacheck.yaml"
    text = re.sub(r"(?m)^fail-on:.*$", "", configuration.read_text())
    configuration.write_text(f"{text}\nfail-on: unknown\n")
    script = scripts((ROOT / "action.yml").read_text(), ["runs", "steps", 1, "run"])
    nothing = dict.fromkeys(("SOURCE", "REPLICA", "CONFIG", "OPTIONS", "SARIF"), "")
    files = {"GITHUB_OUTPUT": str(repository / "o"), "GITHUB_STEP_SUMMARY": str(repository / "s")}
    bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
    result = shell(script, repository, bash, **nothing, **files, BASE=base, POLICY=policy)
    assert result.returncode == status, result
    assert ("SC093" in result.stdout) is (policy == "base")


def test_a_merge_request_is_checked_with_the_target_branchs_policy(repository, tmp_path):
    committed(repository)
    origin = repository.parent / "origin.git"
    subprocess.run(
        ["git", "clone", "-q", "--bare", str(repository), str(origin)], check=True, capture_output=True
    )
    subprocess.run(["git", "remote", "add", "origin", str(origin)], cwd=repository, check=True)
    branch = subprocess.run(
        ["git", "branch", "--show-current"], cwd=repository, check=True, capture_output=True, text=True
    )
    (repository / "schema" / "next.sql").write_text(BROKEN)
    (repository / "schemacheck.yaml").write_text(
        (repository / "schemacheck.yaml").read_text() + "\nignore: [SC]\n"
    )
    lines = scripts((ROOT / "docs" / "gitlab-template.yml").read_text(), [".schemacheck", "script"])
    target = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": branch.stdout.strip()}
    result = shell("\n".join(lines), repository, ["sh", "-e", "-c"], **target)
    assert result.returncode == 1, result
    assert "SC093" in result.stdout


def test_nothing_is_installed_that_no_hash_names():
    """No action of others, no package by its name alone; every line of a lock has its hashes."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert not [step for step in action["runs"]["steps"] if "uses" in step]
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "SECURITY.md"]
    used = [name for page in pages for name in re.findall(r"uses: (\S+)", page.read_text("utf-8"))]
    assert used
    assert all(
        re.search(r"@[0-9a-f]{40}$", name) or name.startswith("OWNER/schemacheck@") for name in used
    ), used
    for file in ("action.yml", ".ci/install", "Makefile", "docs/gitlab-template.yml"):
        text = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
        for line in re.findall(r"^.*(?:\bpip install |\$\(PIP\) ).*$", text, re.MULTILINE):
            if line.startswith("PIP = "):
                continue
            assert "--require-hashes" in line or "--no-deps --no-build-isolation --editable" in line, (
                f"{file}: {line}"
            )
    locks = sorted((ROOT / ".ci").glob("*.lock"))
    assert [lock.stem for lock in locks] == ["build", "requirements", "runtime"]
    versions = dict(re.findall(r"(?m)^([\w.-]+)==(\S+)$", (ROOT / ".ci" / "constraints.txt").read_text()))
    versions = {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in versions.items()}
    for lock in locks:
        lines = lock.read_text().replace("\\\n", " ").splitlines()[1:]
        assert lines
        for line in lines:
            assert re.fullmatch(r"[a-z0-9-]+==\S+(?: ; [^-]+)?(?:\s+--hash=sha256:[0-9a-f]{64})+", line), line
            name, _, version = line.split()[0].partition("==")
            assert versions[name] == version


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
    result = shell("\n".join(lines), repository, ["sh", "-e", "-c"])
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
    assert f"schema/next.sql:{STATE})" in first.stdout
    (broken / "schema" / "next.sql").write_text(REWRITTEN)
    second = hook()
    assert second.returncode == 0, second.stdout
