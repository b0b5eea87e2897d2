"""A change of the definitions on its way through CI: configuration, hook, check, plan, the Action's comment,
SARIF.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.action.conftest import service  # noqa: F401 a fixture
from tests.action.runner import ROOT, Runner
from tests.journeys.transcript import Journey

BASE = """\
CREATE TABLE orders (
  id int unsigned NOT NULL AUTO_INCREMENT,
  total decimal(10,2) NOT NULL,
  mail varchar(100) NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE customers (
  id int NOT NULL,
  fullname varchar(80) NOT NULL,
  fax varchar(20) DEFAULT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE payments (
  id int NOT NULL,
  state enum('new','paid','sent') NOT NULL,
  PRIMARY KEY (id)
);
"""
#: Widened, added, dropped, renamed, reordered.
CHANGES = (
    ("decimal(10,2)", "decimal(12,2)"),
    ("varchar(100)", "varchar(200)"),
    ("  mail varchar(200) NOT NULL,\n", "  mail varchar(200) NOT NULL,\n  note varchar(20) DEFAULT NULL,\n"),
    ("  fax varchar(20) DEFAULT NULL,\n", ""),
    ("fullname", "full_name"),
    ("'new','paid','sent'", "'new','cancelled','paid','sent'"),
)  # fmt: skip
GIT = "git -c user.name=n -c user.email=n@example.invalid -c commit.gpgsign=false"


@pytest.fixture
def repository(journey: Journey) -> Journey:
    """A repository whose main branch has the definitions and its configuration."""
    journey.write("db/schema.sql", BASE)
    journey.tell("A repository with definitions and nothing else; schemacheck is new here.")
    journey.run(f"git init -q -b main && git add -A && {GIT} commit -qm tables")
    return journey


def changed(journey: Journey) -> None:
    """The branch of the pull request."""
    text = BASE
    for old, new in CHANGES:
        assert old in text
        text = text.replace(old, new)
    journey.run(f"{GIT} add -A && {GIT} commit -qm configuration && git switch -qc wider")
    (journey.folder / "db" / "schema.sql").write_text(text, "utf-8")
    journey.run("git diff --unified=0 db | grep '^[-+] '")


def test_pull_request(repository: Journey, service, tmp_path_factory) -> None:  # noqa: F811
    repository.run("schemacheck config init --source-version 8.0.36")
    changed(repository)
    repository.tell("May this be rolled out, and how?")
    repository.run("schemacheck check")
    repository.tell("Yes. And with what SQL?")
    repository.run("schemacheck plan --against main db")
    repository.tell("In our company each server is changed by itself, without the log.")
    repository.run("schemacheck check --unlogged", status=1)
    repository.run("schemacheck check --unlogged -f sarif=out.sarif -q", status=1)
    (run,) = json.loads((repository.folder / "out.sarif").read_text("utf-8"))["runs"]
    results = [(one["ruleId"], one["level"], bool(one.get("suppressions"))) for one in run["results"]]
    repository.tell(f"Code scanning gets: {sorted(results)}")
    base = repository.run("git rev-parse main").strip()
    repository.hide(base, "BASE")
    repository.hide(base[:10], "BASE")
    (repository.folder / "out.sarif").unlink()
    repository.run(f"{GIT} commit -qam wider")
    for what, inputs in (
        ("with nothing but `uses:`", {}),
        ("for unlogged changes", {"plan_options": "--unlogged"}),
    ):
        service.comments.clear()
        event = {"pull_request": {"number": 7, "base": {"sha": base}}}
        address = {"GITHUB_API_URL": f"http://127.0.0.1:{service.server_port}"}
        runner = Runner(repository.folder, tmp_path_factory.mktemp("runner"), event, address)
        result = runner.run(**inputs)
        assert result.status == (1 if inputs else 0), result.shown
        repository.tell(f"The Action {what}: exit status {result.status}; its comment:")
        (comment,) = service.comments
        repository.tell(comment["body"])
        assert len(comment["body"].partition("<details>")[0].splitlines()) < 16
    repository.end()


def test_hook(repository: Journey) -> None:
    """pre-commit runs the hook's entry in the repository's root, without arguments."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert hook["pass_filenames"] is False
    repository.run("schemacheck config init --source-version mariadb-10.11")
    repository.run("schemacheck config init", status=2)
    changed(repository)
    repository.tell("git commit; the hook runs:")
    repository.run(hook["entry"])
    (repository.folder / "db" / "schema.sql").write_text(
        "CREATE TABLE orders (id int, total decimal(10,2)", "utf-8"
    )
    repository.tell("The closing parenthesis is forgotten.")
    repository.run(hook["entry"], status=3)
    assert Path(repository.folder / "schemacheck.yaml").is_file()
    repository.end()
