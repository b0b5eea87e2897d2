"""Several reports, several links, a git commit as the old side."""

from __future__ import annotations

import json
import re
import subprocess
from importlib import resources

import jsonschema
import pytest

V = ("--source-version", "8.0.36", "--no-config")
PAIR = ("signed.sql", "wider.sql")
LINKS = """
links:
  first: {source: 8.0.36, replica: 8.0.36}
  second: {source: 8.0.36, replica: 8.0.36, type-conversions: "ALL_NON_LOSSY,ALL_UNSIGNED"}
"""


def test_several_formats_in_one_run(run, files):
    done = run("check", *PAIR, *V, "--format", "concise", "--format", "sarif=o.sarif", "--format=json=o.json")
    assert done.status == 1
    assert done.out.startswith("wider.sql:2:3: ")
    assert json.loads((files / "o.sarif").read_text())["version"] == "2.1.0"
    assert json.loads((files / "o.json").read_text())["verdict"] == "stops"
    assert "o.sarif: sarif; 1 table: 1 stops" in done.err
    # Only files: nothing is printed.
    assert run("check", *PAIR, *V, "--format", "sarif=o.sarif").out == ""
    # --output is where the report without a file goes.
    done = run("check", *PAIR, *V, "-f", "concise", "-f", "json=o.json", "-o", "o.txt")
    assert done.out == ""
    assert (files / "o.txt").read_text().startswith("wider.sql:2:3: ")
    done = run("check", *PAIR, *V, "-f", "json=o.json", "-o", "page.html")
    assert (files / "page.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-f", "json", "-f", "text"), "two reports would go to standard output"),
        (("-f", "json=x", "-f", "text=x"), "two reports would go to x"),
        (("-f", "json", "-o", "x", "--fix-sql", "x"), "two reports would go to x"),
        (("-f", "json="), "names no file"),
        (("-f", "jsom=x"), "did you mean 'json'?"),
    ],
)
def test_reports_that_have_no_place_of_their_own(run, files, arguments, said):
    done = run("check", *PAIR, *V, *arguments)
    assert done.status == 2
    assert said in done.err
    assert not (files / "x").exists()


def test_every_remedy_as_a_script(run, files):
    done = run("check", *PAIR, *V, "--fix-sql", "fix.sql", "-q")
    assert done.status == 1
    text = (files / "fix.sql").read_text()
    assert "-- on the replica (MySQL 8.0.36)" in text
    assert text.endswith("ALTER TABLE `shop`.`t` MODIFY COLUMN `id` int unsigned NOT NULL;\n")
    # What it does is what was missing.
    mended = (files / "wider.sql").read_text() + text
    (files / "mended.sql").write_text(mended)
    assert run("check", "signed.sql", "mended.sql", *V).status == 0


def test_all_links_of_a_configuration(run, files):
    (files / "schemacheck.yaml").write_text(LINKS)
    done = run("check", *PAIR, "--all-links", "-f", "text", "-f", "json=r-{link}.json")
    assert done.status == 1
    assert done.out.index("link first\n") < done.out.index("stops[SC201]") < done.out.index("link second\n")
    assert [json.loads((files / f"r-{n}.json").read_text())["verdict"] for n in ("first", "second")] == [
        "stops",
        "compatible",
    ]
    assert run("check", *PAIR, "--link", "second", "--link", "second").status == 0
    assert run("check", *PAIR, "--link", "second", "--link", "first", "-f", "json=r-{link}.json").status == 1
    for arguments, said in (
        (("--all-links", "-f", "json"), "json is one document a link"),
        (("--all-links", "-f", "json=r.json"), "put {link} into the file's name"),
        (("--all-links", "--link", "first"), "exclude each other"),
        (("--link", "none"), "there is no link 'none'"),
        (("--all-links", "--no-config"), "no configuration, so there are no links"),
    ):
        done = run("check", *PAIR, *arguments)
        assert (done.status, done.out) == (2, "")
        assert said in done.err
    assert (
        "one link at a time here"
        in run("link", "8.0.36", "8.0.36", "--link", "first", "--link", "second").err
    )


def test_unknown_counts_behind_findings_and_before_a_pass(run, files):
    (files / "schemacheck.yaml").write_text(LINKS)
    assert run("check", "broken.sql", "same.sql", "--all-links").status == 3


def _git(folder, *arguments):
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *arguments], cwd=folder, check=True,
        capture_output=True,
    )  # fmt: skip


@pytest.fixture
def repository(files):
    schema = files / "schema"
    schema.mkdir()
    (schema / "t.sql").write_text((files / "signed.sql").read_text())
    _git(files, "init", "-q")
    _git(files, "add", "schema")
    _git(files, "commit", "-qm", "old")
    return schema


def test_against_a_commit(run, repository):
    assert run("check", "--against", "HEAD", "schema", *V).status == 0
    (repository / "t.sql").write_text((repository.parent / "wider.sql").read_text())
    done = run("check", "--against", "HEAD", "schema", *V)
    assert done.status == 0
    assert done.out.startswith("Safe to roll out. Run each statement once, on the source; ")
    document = json.loads(run("check", "--against", "HEAD", "schema", *V, "-f", "json").out)
    published = resources.files("schemacheck.schemas") / "report-1.schema.json"
    jsonschema.validate(document, json.loads(published.read_text("utf-8")))
    (step,) = document["rollout"]["steps"]
    assert (step["order"], step["goes"], step["needs"]) == ("replicated", True, None)
    assert {f["tolerated"]["by"] for t in document["tables"] for f in t["findings"]} == {"rollout"}
    done = run("check", "--unlogged", "--against", "HEAD", "schema", *V)
    assert done.status == 1
    assert "HEAD:schema/t.sql:2" in done.out
    assert "(schema/t.sql:2)" in done.out.replace("HEAD:schema", "")
    (repository.parent / "schemacheck.yaml").write_text("source: schema\nversions: 8.0.36\nagainst: HEAD\n")
    assert run("check", "--unlogged").status == 1
    assert run("check").status == 0
    assert not run("check", "schema", "schema").out.startswith("Safe")


def test_a_table_that_comes_and_a_folder_that_comes(run, repository):
    (repository / "n.sql").write_text("CREATE TABLE shop.n (id int PRIMARY KEY);\n")
    assert run("check", "--against", "HEAD", "schema", *V).status == 0
    new = repository.parent / "later"
    new.mkdir()
    (new / "n.sql").write_text("CREATE TABLE shop.n (id int PRIMARY KEY);\n")
    assert run("check", "--against", "HEAD", "later", *V).status == 3
    assert run("plan", "--against", "HEAD", "later", *V).status == 3
    assert run("check", "--against", "HEAD", "later", *V, "--allow-empty").status == 0


@pytest.mark.parametrize(
    ("was", "now", "at"), [("schema/t.sql", "new/t.sql", "new"), ("schema", "sql", "sql")]
)
def test_files_that_come_from_elsewhere_have_no_old_version(run, repository, was, now, at):
    top = repository.parent
    (top / "new").mkdir()
    (top / "new" / "other.sql").write_text("CREATE TABLE o (id int PRIMARY KEY);\n")
    _git(top, "add", "new")
    _git(top, "commit", "-qm", "both")
    _git(top, "mv", was, now)
    done = run("check", "--against", "HEAD", at, *V, "--allow-empty")
    assert done.status == 3
    assert f"{at}/t.sql was schema/t.sql at HEAD" in " ".join(done.out.split())


def test_a_path_that_is_a_submodule(run, repository, monkeypatch):
    outer = repository.parent / "outer"
    outer.mkdir()
    _git(outer, "init", "-q", "-b", "main")
    _git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repository.parent), "sub")
    _git(outer, "commit", "-qm", "sub")
    monkeypatch.chdir(outer)
    done = run("check", "--against", "HEAD", "sub", *V)
    assert done.status == 2
    assert "is a submodule" in done.err
    monkeypatch.chdir(outer / "sub")
    assert run("check", "--against", "HEAD", "schema", *V).status == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("HEAD", "schema", "same.sql"), "--against takes one path"),
        (("none", "schema"), "none"),
        (("--upload-pack=x", "schema"), ""),
        (("HEAD",), "PATH is missing"),
        (("HEAD", "nowhere"), "neither the commit"),
        (("HEAD", "mysql://h/d"), "--against takes a file or a directory"),
    ],
)
def test_wrong_use_of_against(run, repository, arguments, said):
    done = run("check", "--against", *arguments, *V)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_links_of_a_commit_are_told(run, repository) -> None:
    """A link that leads out of the directory was no file to `--against`: what it stands for was left out."""
    (repository / "z.sql").symlink_to("/nowhere/z.sql")
    _git(repository, "add", "-A", ".")
    _git(repository, "commit", "-qm", "a link")
    (repository / "z.sql").unlink()
    result = run("check", "--against", "HEAD", "schema", *V)
    assert result.status == 3
    assert "symbolic link" in result.out


def test_no_line_of_a_rollout_commands_a_runner(run, repository) -> None:
    """Names are of the change: `::error::` at a line's beginning would be a command."""
    names = ("::warning::x", f"{'a' * 48} ::error::y", "`b` @all", "c\nd")
    quoted = ["`" + name.replace("`", "``") + "`" for name in names]
    text = "".join(f"CREATE TABLE {name} ({name} int PRIMARY KEY);\n" for name in quoted)
    (repository / "t.sql").write_text(text)
    for form in ("text", "markdown"):
        shown = run("check", "--against", "HEAD", "schema", *V, "-f", form).out
        assert not re.search(r"^\s*(::|##\[)", shown, re.MULTILINE), shown


@pytest.mark.parametrize(
    ("versions", "column", "status"),
    [
        (("mariadb-10.11", "8.0.36"), "j json", 1),  # LONGTEXT there, JSON here
        (("mariadb-10.11", "8.0.36"), "u uuid", 1),  # no such type here
        (("5.7", "8.0"), "c int CHECK (c > 5)", 1),  # the source ignores it
        (("mariadb-10.11", "8.0.36"), "c datetime(3) NULL", 0),
        (("5.7", "8.0"), "j json", 0),
    ],
)
def test_between_servers_that_differ_both_ends_are_looked_at_behind_the_change(
    run, repository, versions, column, status
) -> None:
    """One text may be two definitions: the statement is replicated, and then rows do not arrive."""
    text = (repository / "t.sql").read_text()
    (repository / "t.sql").write_text(text.replace("(", f"({column}, ", 1))
    given = ("--source-version", versions[0], "--replica-version", versions[1], "--binlog-format", "ROW")
    done = run("check", "--against", "HEAD", "schema", "--no-config", *given)
    assert done.status == status, done.out
