"""The pull request does not hold the policy: each way to make a failing check pass, against a policy from the
base branch.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

SOURCE = "CREATE TABLE t (\n  a INT UNSIGNED\n);\n"
REPLICA = "CREATE TABLE t (\n  a INT\n);\n"
POLICY = """\
source: source.sql
replica: replica.sql
links:
  main: {source: mysql-8.0.36, replica: mysql-8.0.36}
"""
TRUSTED = ("--config", "git:base:schemacheck.yaml")


def git(*arguments: str, cwd: Path) -> None:
    who = {
        f"GIT_{role}_{what}": "test@example.invalid"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    subprocess.run(
        ["git", *arguments],
        cwd=cwd,
        check=True,
        capture_output=True,
        env={**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull},
    )


@pytest.fixture
def repository(tmp_path, run):
    """A base branch whose check fails, and its commit under the name `base`."""
    return commit(tmp_path, {"source.sql": SOURCE, "replica.sql": REPLICA, "schemacheck.yaml": POLICY})


def commit(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    if not (folder / ".git").exists():
        git("init", "-q", ".", cwd=folder)
    git("add", "-A", cwd=folder)
    git("commit", "-q", "-m", "base", cwd=folder)
    git("branch", "-f", "base", cwd=folder)
    return folder


TRAILER = "-- Dump completed on 2026-01-01  0:00:00\n"
HEADER = "-- MySQL dump 10.13  Distrib 5.5.62\n-- Server version\t5.5.62\n"
#: What a pull request changes, the status with its own policy, the words of the remark.
BYPASSES = {
    "ignore-file": (
        {"source.sql": "-- schemacheck: ignore-file[SC]\n" + SOURCE},
        0,
        "The suppression of SC is not followed",
    ),
    "a comment at the column": (
        {"source.sql": SOURCE.replace("UNSIGNED", "UNSIGNED -- schemacheck: ignore[SC204] trust me")},
        0,
        "The suppression of SC204 is not followed",
    ),
    "ignore in the configuration": (
        {"schemacheck.yaml": POLICY + "ignore: [SC]\n"},
        0,
        "The setting ignore: SC is not followed: git:base does not say so",
    ),
    "tolerate everything": (
        {"schemacheck.yaml": POLICY + 'tolerate:\n  - {tables: ["*"], reason: none}\n'},
        0,
        "The setting tolerate: all rules * is not followed",
    ),
    "select nothing that matters": ({"schemacheck.yaml": POLICY + "select: [SC5]\n"}, 0,
    "The setting select: SC5"),
    "fail-on": ({"schemacheck.yaml": POLICY + "fail-on: unknown\n"}, 0,
    "The setting fail-on: unknown is not followed"),
    "filters": (
        {
            "schemacheck.yaml": POLICY.replace("mysql-8.0.36}", "mysql-8.0.36, filters: f.cnf}"),
            "f.cnf": "[mysqld]\nreplicate-wild-ignore-table=%.%\n",
        },
        0,
        "The setting links: main is not followed",
    ),
    "an older server": (
        {"schemacheck.yaml": POLICY.replace("8.0.36", "5.5.62")},
        1,
        "The setting links: main is not followed",
    ),
    "another setting": (
        {"schemacheck.yaml": POLICY.replace("8.0.36}",
        "8.0.36, type-conversions: 'ALL_NON_LOSSY,ALL_LOSSY'}")},
        1,
        "The setting links: main is not followed",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "own", "says"), BYPASSES.values(), ids=BYPASSES)
def test_what_the_change_relaxes_is_not_followed_and_is_said(run, repository, files, own, says) -> None:
    assert run("check").status == 1
    for name, text in files.items():
        (repository / name).write_text(text)
    assert run("check").status == own
    for form in ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown", "html", "csv"):
        result = run("check", *TRUSTED, "--format", form)
        assert result.status == 1, form
        assert "SC093" in result.out, form
    said = [one["message"] for one in json.loads(run("check", *TRUSTED, "--format", "json").out)["remarks"]]
    assert any(message.startswith(says) for message in said), said


def test_the_version_header_of_a_dump(run, repository) -> None:
    """Where the policy is not a known server, the change may not choose one."""
    commit(repository, {"schemacheck.yaml": "source: source.sql\nreplica: replica.sql\n"})
    (repository / "source.sql").write_text(HEADER + SOURCE + TRAILER)
    (repository / "replica.sql").write_text(HEADER + SOURCE + TRAILER)
    assert run("check").status == 0
    result = run("check", *TRUSTED)
    assert result.status == 3
    assert "it says itself which server it comes from (MySQL 5.5.62)" in result.out
    assert "git:base does not have it so" in result.out
    # Named by those who answer for the policy, or already there, it is no doubt any more.
    assert run("check", *TRUSTED, "--source-version", "8.0.36", "--replica-version", "8.0.36").status == 0
    commit(repository, {})
    assert run("check", *TRUSTED).status == 0


def test_the_files_that_the_policy_names_come_from_its_commit(run, repository) -> None:
    policy = (
        POLICY.replace("mysql-8.0.36}", "mysql-8.0.36, filters: policy/f.cnf}")
        + "baseline: policy/known.json\n"
    )
    (repository / "policy").mkdir()
    empty = '{"schemacheck_baseline": 1, "findings": []}'
    commit(
        repository,
        {"schemacheck.yaml": policy, "policy/f.cnf": "[mysqld]\nreplicate-do-db=shop\n",
        "policy/known.json": empty,
         "source.sql": SOURCE.replace(" t ", " shop.t "), "replica.sql": REPLICA.replace(" t ", " shop.t ")},
    )  # fmt: skip
    assert run("check", *TRUSTED).status == 1
    (repository / "policy" / "f.cnf").write_text("[mysqld]\nreplicate-do-db=other\n")
    assert run("check").status == 0
    result = run("check", *TRUSTED)
    assert result.status == 1
    assert "The file of filters f.cnf is not followed: git:base has it otherwise" in result.out
    git("checkout", "-q", "policy/f.cnf", cwd=repository)
    assert run("baseline", "write").status == 0
    assert run("check").status == 0
    result = run("check", *TRUSTED)
    assert result.status == 1
    assert "The baseline of the change, 1 findings longer, is not followed" in result.out


def test_comments_of_the_base_branch_go_on_counting_where_they_stand(run, repository) -> None:
    agreed = "CREATE TABLE t (\n  a INT UNSIGNED, -- schemacheck: ignore[SC204] agreed on\n  b INT\n);\n"
    commit(repository, {"source.sql": agreed, "replica.sql": "CREATE TABLE t (\n  a INT,\n  b INT\n);\n"})
    assert run("check", *TRUSTED).status == 0
    assert "SC093" not in run("check", *TRUSTED).out
    moved = agreed.replace("a INT UNSIGNED, -- schemacheck: ignore[SC204] agreed on", "a INT,").replace(
        "b INT", "b INT UNSIGNED -- schemacheck: ignore[SC204] agreed on"
    )
    (repository / "source.sql").write_text(moved)
    assert run("check").status == 0
    assert run("check", *TRUSTED).status == 1
    # A second table with the very same line is another one.
    second = agreed + agreed.replace("TABLE t", "TABLE u")
    (repository / "source.sql").write_text(second)
    (repository / "replica.sql").write_text(
        "CREATE TABLE t (\n  a INT,\n  b INT\n);\nCREATE TABLE u (\n  a INT,\n  b INT\n);\n"
    )
    assert run("check").status == 0
    assert run("check", *TRUSTED).status == 1


def test_no_comment_counts_where_none_shall(run, repository) -> None:
    (repository / "source.sql").write_text("-- schemacheck: ignore-file[SC204] all of it\n" + SOURCE)
    assert run("check").status == 0
    result = run("check", "--no-inline-suppressions")
    assert result.status == 1
    assert "comments do not count here (--no-inline-suppressions)" in result.out
    assert "SC090" not in result.out


def test_without_a_path_it_is_the_nearest_one_of_the_commit(run, repository, monkeypatch) -> None:
    (repository / "schemacheck.yaml").write_text(POLICY + "ignore: [SC]\n")
    deeper = repository / "deeper"
    deeper.mkdir()
    monkeypatch.chdir(deeper)
    assert run("check").status == 0
    assert run("check", "--config", "git:base:").status == 1
    # None there: nothing is tolerated, whatever the change brings.
    git("rm", "-q", "-f", "--cached", "schemacheck.yaml", cwd=repository)
    git("commit", "-q", "-m", "no policy", cwd=repository)
    git("branch", "-f", "base", cwd=repository)
    result = run(
        "check", "../source.sql", "../replica.sql", "--config", "git:base:", "--source-version", "8.0.36"
    )
    assert result.status == 1
    assert "The setting ignore: SC is not followed" in result.out


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("git:--upload-pack=touch owned:schemacheck.yaml", "is not a git ref"),
        ("git:-base:schemacheck.yaml", "is not a git ref"),
        ("git::schemacheck.yaml", "is not a git ref"),
        ("git:nowhere:schemacheck.yaml", "git knows no commit 'nowhere'"),
        ("git:base:none.yaml", "the commit has no such file"),
        ("git:base:../schemacheck.yaml", "leads out of the repository"),
        ("git:base:/etc/passwd", "leads out of the repository"),
        ("git:base:link.yaml", "the commit has no such file"),
    ],
)
def test_a_name_that_means_nothing_is_refused(run, repository, name, says) -> None:
    (repository / "link.yaml").symlink_to("/etc/passwd")
    commit(repository, {})
    result = run("check", "--config", name)
    assert result.status == 2
    assert says in result.err
    assert not (repository / "owned").exists()


def test_a_commits_filters_include_nothing(run, repository) -> None:
    secret = repository / "secret.cnf"
    secret.write_text("[mysqld]\nreplicate-ignore-db=shop\n")
    commit(repository, {"f.cnf": "[mysqld]\n!include secret.cnf\n"})
    result = run("check", *TRUSTED, "--filters", "git:base:f.cnf")
    assert result.status == 2
    assert "a file of a commit includes no others" in result.err


def test_git_runs_nothing_that_the_checkout_names(run, repository) -> None:
    """Hooks, text conversions and filters of the checkout stay unused."""
    marker = repository / "ran"
    commit(repository, {".gitattributes": "*.yaml diff=evil filter=evil\n"})
    for key in ("diff.evil.textconv", "filter.evil.smudge", "core.fsmonitor"):
        git("config", key, f"sh -c 'touch {marker}'", cwd=repository)
    assert run("check", *TRUSTED).status == 1
    assert not marker.exists()


def test_the_trusted_policy_holds_for_other_commands_too(run, repository) -> None:
    (repository / "schemacheck.yaml").write_text(POLICY.replace("8.0.36", "5.5.62"))
    shown = run("config", "show", *TRUSTED)
    assert "source = MySQL 8.0.36  # git:base:schemacheck.yaml:4:18" in shown.out
    assert "MySQL 8.0.36 to MySQL 8.0.36" in run("matrix", *TRUSTED, "--from", "int", "--to", "bigint").out
    assert run("plan", "source.sql", "replica.sql", *TRUSTED).status in (0, 1)
    assert run("baseline", "write", *TRUSTED, "--baseline", "git:base:known.json").status == 2


def test_what_the_configuration_requires_of_suppressions(run, repository) -> None:
    entry = "tolerate:\n  - {rule: SC204, reason: agreed}\n"
    (repository / "schemacheck.yaml").write_text(POLICY + "require: [expires]\n" + entry)
    result = run("check")
    assert result.status == 2
    assert "an entry of 'tolerate' needs 'expires', since 'require' says so" in result.err
    (repository / "schemacheck.yaml").write_text(POLICY + "require: [reason, expires]\n")
    (repository / "source.sql").write_text(
        SOURCE.replace("UNSIGNED", "UNSIGNED -- schemacheck: ignore[SC204]")
    )
    result = run("check")
    assert result.status == 1
    assert "it gives no reason, and the configuration requires one" in result.out
    (repository / "schemacheck.yaml").write_text(POLICY + "require: [reasons]\n")
    assert "did you mean 'reason'?" in run("check").err
