"""What git is asked, and where: no variable, no setting and no file of the checkout leads it elsewhere."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Result
from tests.gate.test_policy import commit, git

OLD = "CREATE TABLE t (a INT);\n"
NEW = "CREATE TABLE t (a VARCHAR(20));\n"
SERVERS = ("--source-version", "mysql-8.0.36", "--replica-version", "mysql-8.0.36")


@pytest.fixture
def repository(tmp_path, run) -> Path:
    """A base branch, and a work tree that changes a column; `below` holds the definitions."""
    (tmp_path / "below" / "schema").mkdir(parents=True)
    (tmp_path / "below" / "schema" / "u.sql").write_text("CREATE TABLE u (a INT);\n", "utf-8")
    commit(tmp_path, {"below/schema/t.sql": OLD})
    (tmp_path / "below" / "schema" / "t.sql").write_text(NEW, "utf-8")
    return tmp_path


def against(run, folder: str = "below/schema") -> Result:
    return run("check", "--unlogged", "--against", "base", folder, *SERVERS)


@pytest.mark.parametrize(
    "said",
    [
        {"GIT_DIR": "{top}/.git"},
        {"GIT_DIR": "{top}/.git", "GIT_WORK_TREE": "{top}/below"},
        {"GIT_DIR": "{top}/.git", "GIT_WORK_TREE": "/"},
        {"GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index", "GIT_PREFIX": "below/"},
        {"GIT_OBJECT_DIRECTORY": "/", "GIT_NAMESPACE": "x", "GIT_SHALLOW_FILE": "/dev/null"},
        {"GIT_ICASE_PATHSPECS": "1"},
        {"GIT_GLOB_PATHSPECS": "1"},
    ],
    ids=",".join,
)
def test_variables_lead_git_nowhere_else(run, repository, monkeypatch, said) -> None:
    """A hook of a repository has some of them set."""
    monkeypatch.chdir(repository / "below")
    for name, value in said.items():
        monkeypatch.setenv(name, value.format(top=repository))
    assert against(run, "schema").status == 1


def test_a_replaced_commit_is_what_it_was(run, repository) -> None:
    git("commit", "-q", "-a", "-m", "change", cwd=repository)
    assert against(run).status == 1
    git("replace", "base", "HEAD", cwd=repository)
    assert against(run).status == 1


def test_a_program_of_the_checkout_is_not_run(run, repository, monkeypatch, tmp_path_factory) -> None:
    trace = tmp_path_factory.mktemp("trace") / "ran"
    (repository / "git").write_text(f"#!/bin/sh\ntouch {trace}\n", "utf-8")
    (repository / "git").chmod(0o755)
    for first in (".", "", "below/.."):
        monkeypatch.setenv("PATH", os.pathsep.join((first, os.environ["PATH"])))
        assert against(run).status == 1
    assert not trace.exists()


def test_settings_of_the_clone_run_nothing(run, repository, tmp_path_factory) -> None:
    """A partial clone fetches what it lacks, by programs that its settings name."""
    trace = tmp_path_factory.mktemp("trace") / "ran"
    for name, value in (
        ("core.repositoryformatversion", "1"), ("extensions.partialClone", "origin"),
        ("remote.origin.url", "ssh://nowhere.invalid/x"), ("remote.origin.promisor", "true"),
        ("core.sshCommand", f"touch {trace};"), ("core.fsmonitor", f"touch {trace};"),
        ("remote.origin.uploadpack", f"touch {trace};"),
    ):  # fmt: skip
        git("config", name, value, cwd=repository)
    (repository / "below" / "schema" / "empty").mkdir()
    assert against(run).status == 1
    said = subprocess.run(
        ["git", "rev-parse", "base:below/schema/t.sql"],
        cwd=repository,
        check=True,
        capture_output=True,
        text=True,
    )
    oid = said.stdout.strip()
    (repository / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    lacking = against(run)
    assert lacking.status == 2
    assert "this clone lacks it" in lacking.err
    assert not trace.exists()


def test_another_work_tree_than_the_folders_own(run, repository, tmp_path_factory) -> None:
    git("config", "core.worktree", str(tmp_path_factory.mktemp("elsewhere")), cwd=repository)
    assert against(run).status == 2


@pytest.mark.parametrize("further", [False, True], ids=["the first work tree", "a further one"])
def test_files_that_a_sparse_checkout_leaves_out(run, repository, tmp_path_factory, further) -> None:
    place = repository
    if further:
        place = tmp_path_factory.mktemp("w") / "w"
        git("worktree", "add", "-q", str(place), "base", cwd=repository)
    schema = place / "below" / "schema"
    (schema / "t.sql").write_text(OLD, "utf-8")
    (repository / "replica.sql").write_text(OLD, "utf-8")

    def check() -> Result:
        return run("check", schema, repository / "replica.sql", *SERVERS)

    assert check().status == 1, "u is not on the replica"
    git("sparse-checkout", "set", "--no-cone", "/*", "!/below/schema/u.sql", cwd=place)
    result = check()
    assert result.status == 3
    assert "left out by a sparse checkout" in result.out
    (repository / "replica.sql").write_text(OLD + "CREATE TABLE u (a INT);\n", "utf-8")
    git("sparse-checkout", "disable", cwd=place)
    assert check().status == 0
    if further:
        # A work tree that is copied or mounted alone does not say what it leaves out.
        (place / ".git").write_text("gitdir: /nonesuch/.git/worktrees/w\n")
        result = check()
        assert result.status == 3
        assert "git cannot say" in result.out


def test_what_a_submodule_leaves_out(run, repository, tmp_path_factory) -> None:
    """A submodule that is checked out has an index of its own."""
    inner, outer = (tmp_path_factory.mktemp(name) for name in ("inner", "outer"))
    for place in (inner, outer):
        git("init", "-q", "-b", "main", cwd=place)
    (inner / "t.sql").write_text(OLD, "utf-8")
    (inner / "u.sql").write_text("CREATE TABLE u (a INT);\n", "utf-8")
    add = ("-c", "protocol.file.allow=always", "submodule", "add", "-q")
    git(*add, str(repository), "third", cwd=inner)
    git("add", "-A", cwd=inner)
    git("commit", "-q", "-m", "inner", cwd=inner)
    git(*add, str(inner), "schema/sub", cwd=outer)
    sub = outer / "schema" / "sub"
    (outer / "replica.sql").write_text(OLD + "CREATE TABLE u (a INT);\n", "utf-8")

    def check() -> Result:
        return run("check", outer / "schema", outer / "replica.sql", *SERVERS)

    result = check()
    assert result.status == 3
    assert "a submodule that is not checked out" in result.out
    (sub / "third").rmdir()
    assert check().status == 0
    git("sparse-checkout", "set", "--no-cone", "/*", "!/u.sql", cwd=sub)
    result = check()
    assert "1 files that are left out by a sparse checkout" in result.out


@pytest.mark.parametrize("said", ["gitdir: " + "a" * 4000, "gitdir: /gone", "", "gitdir: a\0b"])
def test_an_odd_file_instead_of_a_repository(run, tmp_path_factory, said) -> None:
    place = tmp_path_factory.mktemp("odd")
    (place / "schema").mkdir()
    (place / "schema" / "t.sql").write_text(OLD, "utf-8")
    (place / ".git").write_text(said, "utf-8")
    assert run("check", place / "schema", place / "schema", *SERVERS).status in (0, 3)


def test_a_partial_clone_says_how_its_files_are_had(run, repository, tmp_path_factory) -> None:
    git("commit", "-q", "-a", "-m", "change", cwd=repository)
    for name in ("allowFilter", "allowAnySHA1InWant"):
        git("config", f"uploadpack.{name}", "true", cwd=repository)
    place = tmp_path_factory.mktemp("partial") / "clone"
    git("clone", "-q", "--filter=blob:none", f"file://{repository}", str(place), cwd=repository)

    def check() -> Result:
        return run("check", "--unlogged", "--against", "origin/base", place / "below" / "schema", *SERVERS)

    result = check()
    assert result.status == 2
    said = re.search(r"`git (fetch [^`]*)`", result.err)
    assert said is not None, result.err
    git(*said[1].split(), cwd=place)
    assert check().status == 1


def test_why_git_cannot_say_what_is_left_out(run, repository, monkeypatch) -> None:
    """As in a container, where the checkout is another user's."""
    git("sparse-checkout", "set", "--no-cone", "/*", "!/below/schema/u.sql", cwd=repository)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    schema = repository / "below" / "schema"
    result = run("check", schema, schema, *SERVERS)
    assert result.status == 3
    assert "left out by a sparse checkout: git ls-files (fatal: detected dubious ownership" in result.out
    assert "--add safe.directory" in result.out


def test_the_gate_asks_git_as_carefully_as_the_tool():
    """The gate's script runs before anything is installed, and has lists of its own."""
    from schemacheck.system import git as tool

    script = runpy.run_path(str(Path(__file__).parents[2] / ".ci" / "gate.py"))
    assert script["ELSEWHERE"] == tool._ELSEWHERE
    assert script["CAREFUL"] == tool._CAREFUL


@pytest.mark.parametrize("name", ["refs/tags/base", "refs/heads/HEAD", "refs/remotes/base"])
def test_a_name_that_two_refs_have(run, repository, name) -> None:
    """git takes the tag, which whoever may push tags can make of the change."""
    git("commit", "-q", "-a", "-m", "change", cwd=repository)
    git("update-ref", name, "HEAD", cwd=repository)
    ref = "HEAD~1" if name.endswith("HEAD") else "base"
    found = run("check", "--unlogged", "--against", ref, "below/schema", *SERVERS)
    assert found.status == 2
    assert "is ambiguous" in found.err
    git("update-ref", "-d", name, cwd=repository)
    assert run("check", "--unlogged", "--against", ref, "below/schema", *SERVERS).status == 1


def test_committed_scripts_in_a_folder_of_tools(run, repository) -> None:
    """Flyway runs them."""
    schema = repository / "below" / "schema"
    (schema / "t.sql").write_text(OLD, "utf-8")
    (schema / "node_modules").mkdir()
    (schema / "node_modules" / "z.sql").write_text("DROP TABLE t;\n", "utf-8")
    assert against(run).status == 0
    git("add", "-A", cwd=repository)
    found = against(run)
    assert found.status == 3
    assert "a folder of tools that is not looked into, with 1 committed script" in found.out


@pytest.mark.parametrize(("how", "status"), [((), 0), (("--unlogged",), 1)])
def test_a_function_that_a_change_makes_otherwise(run, repository, how, status) -> None:
    """Replicated, both ends change at the same place of the log; server by server logged statements meet two
    functions.
    """
    text = "DELIMITER //\nCREATE FUNCTION shop.f(x INT) RETURNS INT DETERMINISTIC RETURN x + {}//\n"
    (repository / "f.sql").write_text("CREATE TABLE shop.t (a INT);\n" + text.format(1))
    git("add", "-A", cwd=repository)
    git("commit", "-q", "-m", "function", cwd=repository)
    (repository / "f.sql").write_text("CREATE TABLE shop.t (a INT);\n" + text.format(2))
    words = ("check", "--against", "HEAD", "f.sql", "--binlog-format", "STATEMENT")
    result = run(*words, *how, "--source-version", "8.0.36")
    assert result.status == status
    assert ("SC808" in result.out and "FUNCTION f (HEAD:f.sql:3)" in result.out) == bool(status)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"u.sql": ""}, 3),
        ({"u.sql": "-- CREATE TABLE u (a INT);\n"}, 3),
        ({"u.sql": None}, 0),  # DROP TABLE, as it is told
        ({"u.sql": None, "u.sql~": "CREATE TABLE u (a INT);"}, 3),
        ({"z.sql.orig": "ALTER TABLE u ADD b INT;"}, 3),
        ({"z.sql.orig": "only text"}, 0),
        ({"w.sql": "-- later"}, 0),
    ],
)
def test_what_was_read_and_holds_nothing_is_deleted_or_undecided(run, tmp_path, change, status) -> None:
    commit(
        tmp_path, {"s/t.sql": OLD, "s/u.sql": "CREATE TABLE u (a INT);", "s/t.sql.bak": OLD, "s/e.sql": "\n"}
    )
    for name, text in change.items():
        (tmp_path / "s" / name).unlink() if text is None else (tmp_path / "s" / name).write_text(text)
    for command in (("check", "--against", "base", "s"), ("plan", "--against", "base", "s")):
        result = run(*command, *SERVERS)
        assert result.status == status, result.out


@pytest.mark.parametrize("text", ["", "-- CREATE TABLE u (a INT);\n", "SELECT 1;\n"])
def test_an_emptied_migration_is_undecided(run, tmp_path, text) -> None:
    commit(tmp_path, {"m/V1__t.sql": OLD, "m/V2__u.sql": "CREATE TABLE u (a INT);"})
    (tmp_path / "m" / "V2__u.sql").write_text(text)
    assert run("check", "--against", "base", "m", *SERVERS).status == 3


@pytest.mark.parametrize(
    ("name", "text", "status"),
    [
        ("drop.py", 'def upgrade():\n    op.drop_column("t", "a")\n', 3),
        ("Drop.cs", "public class Drop : Migration {}\n", 3),
        ("js/drop.ts", 'up(q) { q.query("ALTER TABLE t DROP a") }\n', 3),
        ("env.py", "context.run_migrations()\n", 0),
        ("run.sh", "# runs all migrations\nfor f in *.sql; do mysql < $f; done\n", 0),
    ],
)
def test_programs_beside_migrations_are_missed_for_what_they_call(run, tmp_path, name, text, status) -> None:
    commit(tmp_path, {"m/1.sql": OLD})
    (tmp_path / "m" / "js").mkdir()
    (tmp_path / "m" / name).write_text(text)
    assert run("check", "--against", "base", "m", *SERVERS).status == status


@pytest.mark.parametrize(
    ("file", "before", "after", "status"),
    [
        ("conf/flyway.conf", "flyway.locations=filesystem:schema", "flyway.locations=filesystem:schema,x", 3),
        ("flyway.toml", 'url = "a"\nlocations = [\n"a"\n]', 'url = "a"\nlocations = [\n"a",\n"b"\n]', 3),
        ("flyway.toml", "", 'locations = ["b"]', 3),
        ("flyway.toml", '[environments.dev]\nurl = "a"', '# x\n[environments.dev]\nurl = "b"', 0),
        ("a/application.yml", "flyway:\n locations:\n - classpath:a", "flyway:\n locations: classpath:b", 3),
        ("a/application.yml", "server:\n port: 1", "server:\n port: 2", 0),
        ("src/main/java/db/migration/V2__X.java", "", "class V2__X extends BaseJavaMigration {}", 3),
        ("pom.xml", "<location>filesystem:a</location>", "<location>filesystem:b</location>", 3),
        ("alembic.ini", "script_location = a", "script_location = b", 3),
        ("alembic.ini", "version_locations =\n a", "version_locations =\n a\n b", 3),
        ("alembic.ini", "[loggers]\nkeys = root", "[loggers]\nkeys = root,x", 0),
        ("diesel.toml", '[migrations_directory]\ndir = "a"', '[migrations_directory]\ndir = "b"', 3),
        ("liquibase.properties", "changeLogFile=a.sql", "changeLogFile=b.sql", 3),
        ("liquibase.properties", "url=a", "url=b", 0),
        ("service/.env", "DBMATE_MIGRATIONS_DIR=a", "DBMATE_MIGRATIONS_DIR=b", 3),
        ("proj/settings_base.py", "MIGRATION_MODULES = {}", "MIGRATION_MODULES = {'a': 'b'}", 3),
    ],
)  # fmt: skip
def test_a_tool_that_is_told_to_read_elsewhere(run, repository, file, before, after, status) -> None:
    """What a change makes a tool run beside the path that is given is said, whatever is in that path."""
    place = repository / file
    place.parent.mkdir(parents=True, exist_ok=True)
    (repository / "below" / "schema" / "t.sql").write_text(OLD, "utf-8")
    if before:
        place.write_text(before + "\n", "utf-8")
        commit(repository, {file: before + "\n"})
    place.write_text(after + "\n", "utf-8")
    git("add", "-A", cwd=repository)
    for words in (("check",), ("check", "--unlogged"), ("lint-history",)):
        done = run(*words, "--against", "base", "below/schema", *SERVERS)
        assert (done.status, "is told otherwise than at base" in done.out) == (status, bool(status)), words
