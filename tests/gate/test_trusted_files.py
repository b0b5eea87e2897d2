"""Files that the command line names under a trusted policy: the change may have written them too."""

from __future__ import annotations

import pytest

from schemacheck.text.option_file import options
from tests.gate.test_policy import POLICY, REPLICA, SOURCE, TRUSTED, commit

EMPTY = '{"schemacheck_baseline": 1, "findings": []}'
FILTERS = "[mysqld]\nreplicate-do-db=shop\n"


@pytest.fixture
def repository(tmp_path, run):
    return commit(
        tmp_path,
        {
            "source.sql": SOURCE.replace(" t ", " shop.t "),
            "replica.sql": REPLICA.replace(" t ", " shop.t "),
            "schemacheck.yaml": POLICY, "f.cnf": FILTERS, "known.json": EMPTY,
            "my.cnf": "[mysqld]\nbinlog_format=ROW\n",
        },
    )  # fmt: skip


def test_filters_and_known_findings_are_those_of_the_commit(run, repository) -> None:
    named = ("--filters", "f.cnf", "--baseline", "known.json")
    assert run("check", *TRUSTED, *named).status == 1
    (repository / "f.cnf").write_text(FILTERS.replace("shop", "other"))
    assert run("check", "--filters", "f.cnf").status == 0, "without a trusted policy it counts"
    result = run("check", *TRUSTED, *named)
    assert result.status == 1
    assert "The file of filters f.cnf is not followed: git:base has it otherwise" in result.out


def test_a_file_that_the_commit_does_not_have_is_refused(run, repository) -> None:
    (repository / "new.cnf").write_text(FILTERS.replace("shop", "other"))
    result = run("check", *TRUSTED, "--filters", "new.cnf")
    assert result.status == 2
    assert "the commit has no such file" in result.err


def test_a_policy_outside_of_the_checkout_says_what_the_checkouts_own_adds(
    run, repository, tmp_path_factory
) -> None:
    place = tmp_path_factory.mktemp("policy") / "policy.yaml"
    place.write_text("links:\n  main: {source: mysql-8.0.36, replica: mysql-8.0.36}\n")
    (repository / "schemacheck.yaml").write_text(POLICY + "ignore: [SC]\n")
    result = run("check", "source.sql", "replica.sql", "--config", place)
    assert result.status == 1
    assert "Setting ignore: SC" in result.out or "setting ignore: SC" in result.out


def test_option_files_have_the_servers_blanks() -> None:
    text = "[mysqld]\nreplicate-do-db=other\u00a0\nreplicate-do-db=\u2003x\n"
    assert [one.value for one in options(text, "f.cnf")] == ["other\u00a0", "\u2003x"]


def test_the_comments_of_a_change_choose_no_migration_tool(run, repository) -> None:
    whole = "CREATE TABLE shop.t (a INT);\n"
    commit(repository, {"source.sql": whole, "replica.sql": whole})
    assert run("check", *TRUSTED).status == 0
    undone = f"-- migrate:up\n{whole}-- migrate:down\nALTER TABLE shop.t MODIFY a BIGINT;\n"
    for text in (undone, undone.replace("migrate:up", "+goose Up").replace("migrate:down", "+goose Down")):
        (repository / "replica.sql").write_text(text)
        for policy in (TRUSTED, ("--against", "base", "replica.sql", "--no-config")):
            result = run("check", *policy)
            assert (result.status, "SC093" in result.out) == (3, True), result.out
        plain = run("check", *TRUSTED, "--history", "none")
        assert plain.status == 1, "a plain client runs the ALTER too"
    tool = run("check", *TRUSTED, "--history", "goose")
    assert tool.status == 0
    assert "1 part of the input left out" in tool.out


def test_nor_does_a_change_that_is_planned(run, repository) -> None:
    """The comments of a new script, of the definitions beside it and of a history choose no tool; a folder
    that the commit has migrations in does.
    """
    whole = "CREATE TABLE shop.t (a INT);\n"
    (repository / "old").mkdir()
    commit(repository, {"now.sql": whole, "old/1.sql": "-- +goose Up\nCREATE TABLE shop.u (a INT);\n"})
    undone = "-- +goose Up\nALTER TABLE shop.t ADD b INT;\n-- +goose Down\nDROP TABLE shop.t;\n"
    (repository / "change.sql").write_text(undone)
    (repository / "new").mkdir()
    (repository / "new" / "1.sql").write_text(undone)
    (repository / "old" / "2.sql").write_text(undone)
    (repository / "told.sql").write_text(f"-- +goose Up\n{whole}-- +goose Down\nDROP TABLE shop.t;\n")
    doubtful = (
        ("plan", "now.sql", "change.sql"),
        ("plan", "now.sql", "change.sql", "--as", "migration"),
        ("plan", "now.sql", "new", "--as", "migration"),
        ("plan", "now.sql", "told.sql", "--as", "schema"),
        ("plan", "told.sql", "now.sql"),
        ("lint-history", "new"),
    )
    for words in doubtful:
        result = run(*words, *TRUSTED)
        assert (result.status, "SC093" in run(*words, *TRUSTED, "--format", "json").out) == (3, True), words
        assert "which git:base does not have: --history goose confirms it" in " ".join(result.out.split())
        assert "SC093" not in run(*words, *TRUSTED, "--history", "goose", "--format", "json").out
    for words in (("plan", "now.sql", "old/2.sql"), ("lint-history", "old")):
        assert "SC093" not in run(*words, *TRUSTED, "--format", "json").out
