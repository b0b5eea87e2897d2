"""The account of files and empty sides, as a user meets them."""

from __future__ import annotations

import json

import pytest

import schemacheck
from schemacheck import outputs

TABLE = "CREATE TABLE t (a INT);\n"
V = ("--source-version", "8.0.36", "--no-config")


@pytest.fixture
def sides(tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.sql").write_text(TABLE, "utf-8")
    return tmp_path


def test_an_unread_file_is_told_in_every_format(run, sides):
    (sides / "new" / "v2.sql.bz2").write_bytes(b"BZh9")
    (sides / "new" / "README.md").write_text("x")
    for form in outputs.formats():
        done = run("check", "old", "new", *V, "-f", form)
        assert done.status == 3
        assert "v2.sql.bz2" in done.out, form
        if form not in ("csv", "gitlab"):
            assert "2 of 4 files read" in done.out or "README.md" in done.out, form
    listed = json.loads(run("check", "old", "new", *V, "-f", "json").out)
    assert [(one["side"], one["path"], one["read_as"], one["doubtful"]) for one in listed["files"]] == [
        ("source", "old/t.sql", "sql", False), ("replica", "new/README.md", None, False), ("replica",
        "new/v2.sql.bz2", None, True), ("replica", "new/t.sql", "sql", False),
    ]  # fmt: skip
    assert (
        "file: replica new/README.md: not read, not by its name" in run("check", "old", "new", *V, "-v").out
    )


def test_a_team_may_leave_a_file_out(run, sides):
    (sides / "new" / "v2.sql.bz2").write_bytes(b"BZh9")
    (sides / "c.yaml").write_text(
        "tolerate:\n  - {rule: SC003, files: ['new/*.bz2'], reason: kept for the archive}\n"
    )
    done = run("check", "old", "new", "--source-version", "8.0.36", "--config", "c.yaml")
    assert done.status == 0, done.out
    (sides / "c.yaml").write_text("tolerate:\n  - {rule: SC003, files: ['*.xz'], reason: another}\n")
    assert run("check", "old", "new", "--source-version", "8.0.36", "--config", "c.yaml").status == 3


@pytest.mark.parametrize("text", ["-- nothing\n", "CREATE DATABASE x;\n"])
def test_nothing_compared_is_no_pass(run, sides, text):
    (sides / "none.sql").write_text(text)
    for pair in (("none.sql", "old"), ("old", "none.sql"), ("none.sql", "none.sql")):
        done = run("check", *pair, *V)
        assert done.status in (1, 3)
        assert "nothing is compared" in done.out
    assert run("check", "none.sql", "old", *V).status == 3
    assert run("check", "none.sql", "old", *V, "--allow-empty").status == 0
    (sides / "noise").mkdir()
    (sides / "noise" / "a.md").write_text("x")
    assert run("check", "noise", "noise", *V).status == 3


def test_the_library():
    report = schemacheck.check("", "")
    assert schemacheck.exit_status(report) == 3
    assert report.verdict is schemacheck.Effect.UNKNOWN
    assert schemacheck.exit_status(schemacheck.check("", "", allow_empty=True)) == 0
    assert schemacheck.exit_status(schemacheck.check("CREATE TABLE t (a INT)", "CREATE TABLE t (a INT)")) == 0


@pytest.mark.parametrize(
    ("file", "begins"),
    [
        ("x.html", "<!"),
        ("x.JSON", "{"),
        ("x.sarif", "{"),
        ("x.csv", "effect,"),
        ("x.md", "### "),
        ("x.xml", "<?xml"),
        ("x.txt", ""),
    ],
)
def test_a_files_name_means_its_format(run, sides, file, begins):
    done = run("check", "old", "new", *V, "-o", file)
    assert (done.status, done.out) == (0, "")
    assert (sides / file).read_text().startswith(begins)
    assert done.err.startswith(f"{file}: ")
    assert "1 table: 1 ok" in done.err
    assert run("check", "old", "new", *V, "-o", file, "-f", "text", "-q").err == ""
    assert (sides / file).read_text().startswith("1 table")
