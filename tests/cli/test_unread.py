"""What a command could not read, or what its input lacks, is no pass, whichever command it is."""

from __future__ import annotations

import json

import pytest

from schemacheck.cli.commands import link
from schemacheck.model import Effect, Finding

V = ("--source-version", "8.0.36")
CODE = {"code": "SC999", "rule": "a-rule", "message": "it is so"}


def test_filter_counts_definitions_that_it_could_not_read(run, tmp_path):
    (tmp_path / "my.cnf").write_text("[mysqld]\nreplicate-do-db=shop\n")
    (tmp_path / "s.sql").write_text("CREATE TABLE shop.a (id int);\nCREATE TABLE shop.b (id frob(3));\n")
    asked = ("filter", "--schema", "s.sql", "--filters", "my.cnf", *V)
    text = run(*asked)
    assert (text.status, "not read: s.sql:2" in text.out) == (3, True)
    assert len(json.loads(run(*asked, "--format", "json").out)["unread"]) == 1


@pytest.mark.parametrize(
    ("effects", "runs"),
    [
        ((), True),
        ((Effect.COMPATIBLE,), True),
        ((Effect.UNKNOWN, Effect.LOSSY), None),
        ((Effect.UNKNOWN, Effect.STOPS), False),
    ],
)
def test_a_link_of_which_something_is_unknown_is_not_said_to_run(effects, runs):
    found = tuple(Finding(**CODE, effect=effect) for effect in effects)
    assert link._runs(found) is runs


def test_link_names_an_option_file_that_it_cannot_read(run, tmp_path):
    (tmp_path / "my.cnf").mkdir()
    got = run("link", "my.cnf", "mysql-8.0", *V)
    assert (got.status, "my.cnf" in got.err) == (2, True)


def test_diagnose_wants_both_sides(run, tmp_path):
    (tmp_path / "status.txt").write_text("Last_SQL_Errno: 1032\nLast_SQL_Error: x\n")
    got = run("diagnose", "status.txt", "a.sql")
    assert (got.status, "REPLICA is missing" in got.err) == (2, True)


def test_diagnose_says_what_it_could_not_read(run, tmp_path):
    (tmp_path / "status.txt").write_text("Last_SQL_Errno: 1032\nLast_SQL_Error: x\n")
    for name in ("a.sql", "b.sql"):
        (tmp_path / name).write_text("CREATE TABLE shop.b (id frob(3));\n")
    got = run("diagnose", "status.txt", "a.sql", "b.sql", *V)
    assert got.err.count("not read: ") == 2


def test_watch_reads_no_standard_input(run):
    got = run("watch", "-", "b.sql", "--looks", "1")
    assert (got.status, "can be read once" in got.err) == (2, True)


def test_explain_knows_errors_too(run):
    pages = run("explain", "1677", "SC101").out
    assert pages.index("# Error 1677") < pages.index("# SC101")
