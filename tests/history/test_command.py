"""`schemacheck lint-history` as it is called, and histories as sides of `check` and `plan`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from schemacheck import __version__
from tests.history.test_kinds import KINDS, written
from tests.plan.test_command import git

SCHEMAS = Path(__file__).parents[2] / "schemacheck" / "schemas"
GOLDEN = Path(__file__).parent / "golden"
SERVERS = ("--source-version", "8.0.36", "--no-config")
CONFIG = (
    "links:\n  same: {source: mysql-8.0.36, replica: mysql-8.0.36}\n"
    "  old: {source: mysql-5.7.44, replica: mysql-8.0.36, default-charset: utf8mb4}\n"
)
MIXED = {
    "schemacheck.yaml": CONFIG,
    "m/V1__orders.sql": "CREATE TABLE orders (\n  id INT NOT NULL PRIMARY KEY,\n  note VARCHAR(20)\n);\n",
    "m/V2__code.sql": "ALTER TABLE orders ADD COLUMN code INT AFTER id;\n",
    "m/V3__check.sql": "ALTER TABLE orders\n  ADD CONSTRAINT positive CHECK (code > 0);\n"
    "ALTER TABLE orders DROP CHECK positive;\n",
    "m/V4__gone.sql": "ALTER TABLE orders DROP COLUMN nothing;\n",
    "m/V5__call.sql": "CALL something();\n",
    "m/U2__code.sql": "ALTER TABLE orders DROP COLUMN code;\n",
}  # fmt: skip


@pytest.mark.parametrize("name", ["text", "json"])
def test_outputs(name, run, tmp_path):
    written(tmp_path, MIXED)
    done = run("lint-history", "m", "--format", name)
    assert done.status == 1
    file, out = GOLDEN / f"mixed.{name}", done.out.replace(f'"{__version__}"', '"VERSION"')
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(out, "utf-8")
    assert out == file.read_text("utf-8")
    if name == "json":
        schema = json.loads((SCHEMAS / "history-1.schema.json").read_text("utf-8"))
        jsonschema.validate(json.loads(done.out), schema)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_goes(kind, run, tmp_path):
    written(tmp_path / "m", KINDS[kind][0])
    done = run("lint-history", "m", *SERVERS)
    assert done.status == 0, done.out
    count = len(KINDS[kind][1])
    assert f"{count} migration" in done.out.splitlines()[-1]
    page = json.loads(run("lint-history", "m", *SERVERS, "-f", "json").out)
    assert page["kind"] == kind
    assert [f"{one['version']} {one['title']}".strip() for one in page["links"][0]["steps"]] == KINDS[kind][1]


def test_scripts_of_no_tool_are_steps_by_their_names(run, tmp_path):
    written(tmp_path, {"m/10.sql": "ALTER TABLE t ADD c INT;", "m/9.sql": "CREATE TABLE t (a INT);"})
    page = json.loads(run("lint-history", "m", *SERVERS, "-f", "json").out)
    assert (page["kind"], page["exit_status"]) == ("scripts", 0)
    assert [one["version"] for one in page["links"][0]["steps"]] == ["9", "10"]


def test_which_links_are_planned(run, tmp_path):
    written(tmp_path, MIXED)

    def names(*arguments):
        return [
            one["name"] for one in json.loads(run("lint-history", "m", "-f", "json", *arguments).out)["links"]
        ]

    assert names() == ["same", "old"]
    assert names("--link", "old") == ["old"]
    assert names("--source-version", "8.4") == [None]


def test_refusals_have_their_number_and_place(run, tmp_path):
    written(tmp_path, MIXED)
    done = run("lint-history", "m", "--link", "same", "--since", "3")
    assert "MySQL 8.0.36 refuses m/V4__gone.sql:1:25: error 1091" in done.out
    assert "V3__check" not in done.out
    assert done.out.splitlines()[-1].startswith("2 migrations of 5 over 1 link")


def test_definitions_before_the_first_migration(run, tmp_path):
    written(tmp_path, {"m/1_b.up.sql": "ALTER TABLE t ADD b INT", "base.sql": "CREATE TABLE t (a INT);"})
    written(tmp_path, {"m/2_c.up.sql": "ALTER TABLE u ADD c INT; CREATE INDEX i ON t (a);"})
    done = run("lint-history", "m", *SERVERS)
    assert (done.status, done.out.splitlines()[1:]) == (
        3,
        [
            "  2 migrations not decided: no migration makes t, u; give what is there before (--base FILE)",
            "",
            "2 migrations of 2 over 1 link: 2 not decided",
        ],
    )
    written(tmp_path, {"m/2_c.up.sql": ""})
    assert run("lint-history", "m", *SERVERS, "--base", "base.sql").status == 0
    # A base behind a version: what is before it is not run again.
    written(tmp_path, {"m/2_c.up.sql": "ALTER TABLE t DROP b", "later.sql": "CREATE TABLE t (a INT, b INT);"})
    done = run("lint-history", "m", *SERVERS, "--base", "later.sql", "--since", "1", "-f", "json")
    assert done.status == 0
    assert [one["version"] for one in json.loads(done.out)["links"][0]["steps"]] == ["2"]


def test_a_cause_is_said_once(run, tmp_path):
    """Placeholders, calls, and what a migration was not understood in."""
    routine = "CREATE PROCEDURE p() BEGIN SELECT 1; END;\nREPAIR TABLE t;\nCALL p();\nDROP PROCEDURE p;\n"
    written(tmp_path, {
        "m/V1__a.sql": "CREATE TABLE t (a INT) ${suffix};\nCREATE TABLE u (a INT) ${suffix} ${end};\n",
        "m/V2__b.sql": routine, "m/V3__c.sql": routine,
    })  # fmt: skip
    done = run("lint-history", "m", *SERVERS)
    assert done.status == 3
    lines = done.out.splitlines()
    assert lines[0] == (
        "m/V1__a.sql:1 placeholders without a value: ${suffix}, ${end}; "
        "give each one with --placeholder NAME=VALUE"
    )
    assert "not understood in 2 places (m/V2__b.sql:3:1, ...): what a procedure runs" in lines[3]
    assert len(lines) == 9, done.out


def test_changelogs_that_are_no_sql_are_named(run, tmp_path):
    changelog = "<databaseChangeLog xmlns='x'/>"
    written(tmp_path, {"m/a.xml": changelog, "m/sub/b.yaml": "databaseChangeLog: []", "m/pom.xml": "<x/>"})
    done = run("lint-history", "m")
    assert done.status == 2
    assert (
        "m: 2 changelogs of Liquibase that are no SQL: give the SQL that `liquibase update-sql`" in done.err
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "nowhere"),
        (("m", "--since", "7"), "has no migration of version '7'"),
        (("m", "--history", "flywai"), "did you mean 'flyway'"),
        (("m", "--placeholder", "x"), "--placeholder takes NAME=VALUE"),
        (("empty",), "no migration in this directory"),
        (("mysql://host/db",), "a server holds no migrations"),
        ((), "PATH is missing"),
    ],
)
def test_wrong_usage(arguments, said, run, tmp_path):
    written(tmp_path, {"m/V1__a.sql": "CREATE TABLE t (a INT);", "empty/x.txt": "nothing"})
    done = run("lint-history", *arguments, *SERVERS)
    assert done.status == 2
    assert said in done.err


@pytest.fixture
def repository(tmp_path):
    """A history of three migrations, committed."""
    files = {
        "m/V1__a.sql": "CREATE TABLE t (a INT NOT NULL PRIMARY KEY);\n",
        "m/V2__b.sql": "ALTER TABLE t ADD b INT;\n",
        "m/V4__c.sql": "ALTER TABLE t ADD c INT;\n",
        "m/R__v.sql": "CREATE OR REPLACE VIEW v AS SELECT a FROM t;\n",
    }
    written(tmp_path, files)
    git("init", "-q", cwd=tmp_path)
    git("add", "-A", cwd=tmp_path)
    git("commit", "-q", "-m", "today", cwd=tmp_path)
    return tmp_path


def test_only_what_a_change_adds(run, repository):
    nothing = run("lint-history", "m", *SERVERS, "--against", "HEAD")
    assert (nothing.status, nothing.out.splitlines()[-1][:14]) == (0, "0 migrations o")
    written(
        repository,
        {"m/V5__d.sql": "ALTER TABLE t DROP COLUMN x;", "m/R__v.sql": "CREATE VIEW v AS SELECT b FROM t;"},
    )
    done = run("lint-history", "m", *SERVERS, "--against", "HEAD", "-f", "json")
    steps = json.loads(done.out)["links"][0]["steps"]
    assert [one["version"] for one in steps if one["linted"]] == ["5", "R"]
    assert [one["error"] for one in steps[3]["refused"]] == [1091]


def test_what_was_applied_is_remarked_on(run, repository):
    (repository / "m/V2__b.sql").write_text("ALTER TABLE t ADD b BIGINT;\n")
    (repository / "m/V4__c.sql").unlink()
    written(repository, {"m/V1.5__x.sql": "CREATE TABLE u (a INT);"})
    for arguments in (("lint-history", "m"), ("check", "m"), ("plan", "m")):
        done = run(*arguments, *SERVERS, "--against", "HEAD", "-v")
        for said in (
            "migration 2 b was changed after HEAD: servers that ran it do not run it again",
            "migration 4 c of HEAD (HEAD:m/V4__c.sql) is gone",
            "migration 1.5 x is new and comes before ones of HEAD",
        ):
            assert said in done.out, (arguments, said, done.out)
    assert "left out: m/V2__b.sql:1 migration 2 b was" in run("check", "m", *SERVERS, "--against", "HEAD").out


def test_a_change_of_a_history_is_planned_as_it_is_written(run, repository):
    written(repository, {"m/V5__d.sql": "-- why\nALTER TABLE t ADD d INT, ADD e INT;\n"})
    done = run("plan", "m", "--against", "HEAD", *SERVERS)
    assert done.status == 0
    assert "ALTER TABLE t ADD d INT, ADD e INT" in done.out
    assert "written here" not in done.out
    (repository / "m/V2__b.sql").write_text("ALTER TABLE t ADD b BIGINT;\n")
    assert "written here" in run("plan", "m", "--against", "HEAD", *SERVERS).out


def test_check_compares_what_two_histories_lead_to(run, repository):
    assert run("check", "m", "--against", "HEAD", *SERVERS).status == 0
    written(repository, {"m/V5__d.sql": "ALTER TABLE t ADD d INT FIRST;\n"})
    assert run("check", "m", "--against", "HEAD", *SERVERS).status == 0
    done = run("check", "m", "--against", "HEAD", "--unlogged", *SERVERS)
    assert done.status == 1
    assert "m/V5__d.sql" in done.out or "m/V1__a.sql" in done.out


def test_the_tools_own_tables_are_no_findings(run, tmp_path):
    written(tmp_path, {
        "m/V1__a.sql": "CREATE TABLE t (a INT NOT NULL PRIMARY KEY);",
        "dump.sql": "CREATE TABLE t (a INT NOT NULL PRIMARY KEY);\n"
        "CREATE TABLE flyway_schema_history (installed_rank INT NOT NULL PRIMARY KEY);\n",
    })  # fmt: skip
    for sides in (("m", "dump.sql"), ("dump.sql", "m")):
        done = run("check", *sides, *SERVERS, "-v")
        assert done.status == 0, done.out
        assert "Flyway's own table, which no migration makes: not compared" in done.out
    assert "only on the replica" in run("check", "m", "dump.sql", *SERVERS, "--history", "none").out
    assert "DROP TABLE" not in run("plan", "dump.sql", "m", *SERVERS).out


def test_of_a_migration_that_is_planned_its_way_back_is_not_run(run, tmp_path):
    written(tmp_path, {
        "now.sql": "CREATE TABLE t (a INT NOT NULL PRIMARY KEY);",
        "2_b.sql": "-- migrate:up\nALTER TABLE t ADD b INT;\n-- migrate:down\nALTER TABLE t DROP b;\n",
    })  # fmt: skip
    done = run("plan", "now.sql", "2_b.sql", *SERVERS)
    assert done.status == 0
    assert "ADD b INT" in done.out
    assert "DROP b" not in done.out.partition("link:")[0].split("runbook")[0]
    plain = run("plan", "now.sql", "2_b.sql", *SERVERS, "--history", "none")
    assert "ALTER TABLE t DROP b" in plain.out


@pytest.mark.parametrize(
    ("second", "status"),
    [("ALTER TABLE t MODIFY a WOBBLE(3);", 3), ("CALL p();", 3), ("ALTER TABLE u MODIFY a WOBBLE(3);", 0)],
)
def test_what_was_not_understood_before_is_no_way(second, status, run, tmp_path):
    """A migration that is not linted leaves tables of which nobody knows what they are."""
    tables = "CREATE TABLE t (id INT PRIMARY KEY, a INT);\nCREATE TABLE u (id INT PRIMARY KEY, a INT);\n"
    files = {"m/V1__a.sql": tables, "m/V2__b.sql": second, "m/V3__c.sql": "ALTER TABLE t ADD c INT;"}
    written(tmp_path, files)
    done = run("lint-history", "m", "--since", "2", *SERVERS)
    assert done.status == status, done.out
    assert ("not understood: m/V2__b.sql:1" in done.out) == (status == 3)
