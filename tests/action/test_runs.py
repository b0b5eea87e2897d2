"""The Action in the environment of its service, with golden outputs (UPDATE_GOLDEN=1 writes them anew)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.action.runner import ROOT, Runner, git

GOLDEN = Path(__file__).parent / "golden"
CONFIG = "links:\n  production:\n    source: mysql-8.0.36\n    replica: mysql-8.0.36\n"
TABLE = """\
CREATE TABLE shop.orders (
  id int unsigned NOT NULL AUTO_INCREMENT,
  state enum('new','paid','sent') NOT NULL,
  PRIMARY KEY (id)
);
"""
# A member in the middle, where the binary log has the members' numbers.
BROKEN = TABLE.replace("'new',", "'new','cancelled',")
LONGER = TABLE.replace("  PRIMARY KEY", "  note varchar(20) DEFAULT NULL,\n  PRIMARY KEY")
IGNORED = "-- schemacheck: ignore[SC208] fine"


@pytest.fixture
def runner(tmp_path, service) -> Runner:
    """A repository whose base branch has TABLE; pull request 7 begins there."""
    repository, temp = tmp_path / "work" / "shop" / "shop", tmp_path / "temp"
    (repository / "db" / "schema").mkdir(parents=True)
    temp.mkdir()
    (repository / "db" / "schema" / "orders.sql").write_text(TABLE)
    (repository / "db" / "schemacheck.yaml").write_text(CONFIG)
    git(repository, "init", "-q", "-b", "main")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "base")
    base = git(repository, "rev-parse", "HEAD")
    event = {"pull_request": {"number": 7, "base": {"sha": base}}}
    address = {"GITHUB_API_URL": f"http://127.0.0.1:{service.server_port}"}
    return Runner(repository, temp, event, address)


def change(runner: Runner, files: dict[str, str]) -> None:
    """The pull request's commit."""
    for name, text in files.items():
        (runner.repository / name).write_text(text)
    git(runner.repository, "add", "-A")
    git(runner.repository, "commit", "-q", "-m", "change")


def golden(name: str, runner: Runner, result, comment: str) -> None:
    """Compare all that the service and people get to see."""
    outputs = "\n".join(f"{key}={value}" for key, value in result.outputs.items())
    text = (
        f"exit status: {result.status}\n\n== outputs\n{outputs}\n\n== shown\n{result.shown}\n"
        f"== summary\n{result.summary}\n== comment\n{comment}\n"
    )
    text = text.replace(runner.event.get("pull_request", {}).get("base", {}).get("sha", "-" * 40), "BASE")
    text = re.sub(r"--against [0-9a-f]{10}\b", "--against BASE", text)
    text = text.replace(str(runner.repository.parents[2]), "").rstrip() + "\n"
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


ORDERS = "db/schema/orders.sql"
#: Each server is changed by itself there.
UNLOGGED = ("findings", "fork")
CASES = {
    "pass": ({ORDERS: LONGER}, 0),
    "replicated": ({ORDERS: BROKEN}, 0),
    "findings": ({ORDERS: BROKEN}, 1),
    # A statement that nobody can follow: the rest is decided, the whole is not.
    "unknown": ({"db/schema/more.sql": "CREATE TABLE shop.t (id int, g frobnicate(3));\n"}, 3),
    # What decides about the change is the base's, whatever the change says.
    "fork": (
        {
            ORDERS: BROKEN.replace(
                "NOT NULL,\n  PRIMARY", "NOT NULL, -- schemacheck: ignore[SC208] fine\n  PRIMARY"
            ),
            "db/schemacheck.yaml": CONFIG + "fail-on: unknown\n",
        },
        1,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_action_of_a_pull_request(runner, service, name):
    files, status = CASES[name]
    change(runner, files)
    if name == "fork":
        service.status = 403
    options = "--unlogged" if name in UNLOGGED else ""
    result = runner.run("db", source="schema", plan_options=options, sarif_file="../out.sarif")
    assert result.status == status, result.shown
    assert result.outputs["exit-status"] == str(status)
    assert "t0ken" not in result.shown
    assert (runner.repository / "out.sarif").exists()
    comments = [one["body"] for one in service.comments]
    assert len(comments) == (0 if name == "fork" else 1)
    golden(name, runner, result, "".join(comments))


def test_annotations_are_at_the_files_of_the_repository(runner):
    change(runner, {ORDERS: BROKEN})
    shown = runner.run("db", source="schema", plan_options="--unlogged").shown
    assert re.search(r"^::error file=db/schema/orders\.sql,line=3,col=3", shown, re.MULTILINE)


def test_a_migration_is_planned_on_the_definitions(runner):
    change(runner, {"db/V2.sql": "ALTER TABLE shop.orders ADD COLUMN note varchar(20) DEFAULT NULL;\n"})
    result = runner.run("db", source="schema", change="V2.sql", check="false")
    assert (result.status, result.outputs["order"], result.outputs["verdict"]) == (0, "replicated", "")
    assert "::notice file=db/V2.sql,line=1" in result.shown
    assert result.summary.startswith("### schemacheck plan: replicate every statement")


@pytest.mark.parametrize(
    ("inputs", "ends"),
    [
        ({"versions": "mariadb-10.11"}, "MariaDB 10.11.19 to MariaDB 10.11.19"),
        ({"versions": "{source: 5.7.44, replica: 8.0.36}"}, "MySQL 5.7.44 to MySQL 8.0.36"),
        (
            {"versions": "9.7", "options": "--source-version 5.7.44 --replica-version=8.0.36"},
            "MySQL 5.7.44 to MySQL 8.0.36",
        ),
    ],
)
def test_every_part_takes_the_same_servers(runner, inputs, ends):
    change(runner, {"db/V2.sql": "ALTER TABLE shop.orders ADD COLUMN note varchar(20) DEFAULT NULL;\n"})
    given = {"source": "schema", "replica": "schema", "change": "V2.sql"}
    result = runner.run("db", **given, **inputs)
    assert result.status == 0, result.shown
    assert f"<sub>{ends}, " in result.summary, result.summary
    assert f"<sub>Link: {ends}, " in result.summary


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"versions": "origin: 8.0"}, "versions is a server"),
        ({"policy": "haed"}, "policy is base or head"),
        ({"source": "schema", "against_base": "yes"}, "against-base is true or false"),
        ({"check": "false"}, "there is no change to plan"),
        ({"options": "--fail-on 'x"}, "options: No closing quotation"),
        ({"source": "schema", "replica": "schema", "against_base": "true"}, "leave replica out"),
        ({"change": "V2.sql", "check": "false"}, "source is missing"),
        ({"source": "100%.sql", "replica": "x\n::warning::y"}, "100%25.sql"),
    ],
)
def test_what_cannot_run_is_an_error_with_a_reason(runner, inputs, said):
    result = runner.run("db", **inputs)
    assert result.status == 2
    assert result.outputs["exit-status"] == "2"
    assert re.search(rf"^::error title=schemacheck::.*{re.escape(said)}", result.shown, re.MULTILINE)
    assert not re.search(r"^::warning", result.shown, re.MULTILINE)


def test_why_the_base_is_not_there_is_said_in_the_words_of_git(runner):
    runner.event["pull_request"]["base"]["sha"] = "1" * 40
    result = runner.run("db")
    assert result.status == 2
    assert re.search(r"cannot be fetched; it holds the policy \(fatal: .*origin", result.shown)


def test_the_checkouts_own_configuration_is_not_trusted_by_its_absolute_name(runner):
    (runner.repository / "db" / "schemacheck.yaml").unlink()
    change(runner, {ORDERS: BROKEN, "db/lax.yaml": CONFIG + "fail-on: unknown\n"})
    lax = str(runner.repository / "db" / "lax.yaml")
    result = runner.run("db", source="schema", against_base="true", config=lax)
    assert result.status == 2
    assert "lax.yaml" in result.shown


def test_a_push_has_no_base(runner):
    runner.event = {"ref": "refs/heads/main"}
    assert runner.run("db", source="schema", against_base="true").status == 2
    result = runner.run("db", source="schema", replica="schema")
    assert (result.status, result.outputs["verdict"]) == (0, "identical")


def test_a_merge_queue_is_checked_under_the_policy_of_its_base(runner):
    base = runner.event["pull_request"]["base"]["sha"]
    change(runner, {ORDERS: BROKEN, "db/schemacheck.yaml": CONFIG + "fail-on: unknown\n"})
    runner.event = {
        "merge_group": {"base_sha": base, "head_sha": git(runner.repository, "rev-parse", "HEAD")}
    }
    result = runner.run("db", source="schema", plan_options="--unlogged")
    assert (result.status, result.outputs["verdict"]) == (1, "diverges")
    runner.event["merge_group"]["base_sha"] = "1" * 40
    assert runner.run("db", source="schema", against_base="true").status == 2


def test_an_event_of_a_change_that_names_no_base_is_refused(runner):
    """The policy would be that of what the workflow has checked out."""
    runner.event = {"workflow_run": {"head_sha": "1" * 40}}
    result = runner.run("db", source="schema", replica="schema")
    assert result.status == 2
    assert "the event workflow_run names none" in result.shown
    assert runner.run("db", source="schema", replica="schema", policy="head").status == 0
    runner.event = {"merge_group": {}}
    assert runner.run("db", source="schema", replica="schema").status == 2


def test_other_hosts_run_the_same_script(runner):
    """With the base branch fetched from origin and reports in a folder."""
    origin = runner.temp / "origin.git"
    subprocess.run(["git", "clone", "-q", "--bare", runner.repository, origin], check=True)
    git(runner.repository, "remote", "add", "origin", str(origin))
    change(runner, {ORDERS: BROKEN})
    words = ["--base-branch=main", "--source=schema", "--plan-options=--unlogged", "--reports=out"]
    command = f"--command={runner.schemacheck()}"
    done = subprocess.run(
        [sys.executable, "-I", str(ROOT / ".ci" / "gate.py"), command, *words],
        cwd=runner.repository / "db", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done
    assert "SC208" in done.stdout
    assert "lock-step" in (runner.repository / "db" / "out" / "schemacheck-comment.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "runs"),
    [
        ("db/a.sql", True),
        ("a.ddl", True),
        ("schemacheck.yaml", True),
        ("db/schemacheck-baseline.json", True),
        ("docker-compose.yaml", False),
        ("notschemacheck.yaml", False),
        ("a.sql.md", False),
    ],
)
def test_the_hook_runs_for_definitions_and_their_configuration(file, runs):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert bool(re.search(hook["files"], file)) is runs


MOVED = {
    "folder": "git mv schema ddl && ln -s ddl schema",
    "file": "git mv schema/orders.sql o.sql && ln -s ../o.sql schema/orders.sql",
    "working directory": "cd .. && git mv db other && ln -s other db",
}


@pytest.mark.parametrize("name", MOVED)
def test_a_change_cannot_hide_the_old_side_behind_a_link(runner, name):
    change(runner, {ORDERS: BROKEN})
    subprocess.run(MOVED[name], shell=True, cwd=runner.repository / "db", check=True)
    change(runner, {})
    source = "schema/orders.sql" if name == "file" else "schema"
    result = runner.run("db", source=source, against_base="true")
    assert result.status == 2, result.shown
    assert "symbolic link" in result.shown


def test_a_link_that_the_base_has_too_is_followed(runner):
    (runner.repository / "db" / "link").symlink_to("schema")
    change(runner, {})
    runner.event["pull_request"]["base"]["sha"] = git(runner.repository, "rev-parse", "HEAD")
    change(runner, {ORDERS: BROKEN})
    assert runner.run("db", source="link", against_base="true").outputs["verdict"] == "diverges"


def test_a_submodule_is_not_read_and_no_pass(runner):
    module = runner.temp / "module"
    module.mkdir()
    git(module, "init", "-q")
    git(module, "commit", "-q", "--allow-empty", "-m", "x")
    add = ("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(module), "db/schema/sub")
    git(runner.repository, *add)
    change(runner, {})
    git(runner.repository, "submodule", "deinit", "-q", "-f", "--all")
    result = runner.run("db", source="schema", against_base="true")
    assert result.status == 3, result.shown
    assert "the submodule db/schema/sub is not read: it is not checked out" in result.shown
    runner.event["pull_request"]["base"]["sha"] = git(runner.repository, "rev-parse", "HEAD")
    (runner.repository / "db" / "schema" / "sub" / "x.sql").write_text(TABLE.replace("orders", "more"))
    result = runner.run("db", source="schema", against_base="true")
    assert result.status == 3, result.shown
    assert "the submodule db/schema/sub is not read: the commit has none of its files" in result.shown


@pytest.mark.parametrize(
    "inputs",
    [
        {"config": "git:HEAD:db/lax.yaml"},
        {"config": "git:topic:db/lax.yaml"},
        {"options": "--fail-on diverges --config lax.yaml"},
        {"plan_options": "--config=lax.yaml"},
        {"options": "--no-config"},
    ],
)
def test_policy_base_takes_no_configuration_of_the_change(runner, inputs):
    change(runner, {ORDERS: BROKEN, "db/lax.yaml": CONFIG + "ignore: [SC]\n"})
    git(runner.repository, "branch", "topic")
    result = runner.run("db", source="schema", against_base="true", **inputs)
    assert result.status == 2, result.shown
    assert result.outputs["verdict"] == ""


def test_reports_are_written_where_they_are_asked_for(runner, tmp_path) -> None:
    """A link that the change has in their place leads nowhere, an old report is not taken for this run's."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("kept")
    (runner.repository / "db" / "out.sarif").symlink_to(outside / "precious")
    (runner.repository / "db" / "folder").symlink_to(outside)
    change(runner, {"db/schema/orders.sql": BROKEN})
    run = {"directory": "db", "source": "schema", "plan_options": "--unlogged"}
    assert runner.run(**run, sarif_file="out.sarif").status == 1
    assert not (runner.repository / "db" / "out.sarif").is_symlink()
    assert '"SC208"' in (runner.repository / "db" / "out.sarif").read_text("utf-8")
    result = runner.run(**run, sarif_file="folder/out.sarif")
    assert result.status == 2
    assert "over a symbolic link of the checkout" in result.shown
    assert runner.run(**run, sarif_file="out.sarif", config="none.yaml").status == 2
    assert [one.name for one in outside.iterdir()] == ["precious"]
    assert (outside / "precious").read_text("utf-8") == "kept"


@pytest.mark.parametrize("variable", ["CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "CI_DEFAULT_BRANCH"])
def test_the_job_of_gitlab(runner, tmp_path, variable) -> None:
    """The target branch's policy counts, or the default branch's in a pipeline of a branch alone."""
    change(runner, {"db/schema/orders.sql": f"{IGNORED}\n{BROKEN}", "db/schemacheck.yaml": "ignore: [SC]\n"})
    clone = tmp_path / "clone"
    git(runner.repository, "checkout", "-q", "-b", "topic")
    git(runner.repository, "branch", "-f", "main", "HEAD~1")
    git(tmp_path, "clone", "-q", "-b", "topic", f"file://{runner.repository}", str(clone))
    (clone / "db" / "old.sql").write_text(TABLE)
    job = yaml.safe_load((ROOT / "docs" / "gitlab-template.yml").read_text("utf-8"))[".schemacheck"]
    assert any("merge_request_event" in rule["if"] for rule in job["rules"])
    script = job["script"][0].replace("/opt/schemacheck/", f"{ROOT}/")
    given = {
        "CI_PROJECT_DIR": str(clone),
        variable: "main",
        "PATH": f"{runner.schemacheck().parent}:{os.environ['PATH']}",
        "SCHEMACHECK_SOURCE": "old.sql",
        "SCHEMACHECK_REPLICA": "schema",
    }
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("SCHEMACHECK_", "CI"))}
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script], cwd=clone / "db",
        env=inherited | job["variables"] | given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert "SC208" in done.stdout
    assert "SC093" in done.stdout
