"""`schemacheck plan` as it is called: exit statuses, outputs, git, and a repository whose pull request
breaks.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import files, process  # noqa: F401
from tests.conftest import Result

GOLDEN = Path(__file__).parent / "golden"

SCHEMA = """\
CREATE TABLE shop.customers (
  id int unsigned NOT NULL AUTO_INCREMENT,
  email varchar(100) NOT NULL,
  state enum('new','active') NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE shop.orders (
  id int NOT NULL AUTO_INCREMENT,
  total decimal(8,2) NOT NULL,
  PRIMARY KEY (id)
);
"""
BREAKING = """\
-- Phone numbers, a state in between, larger orders.
USE shop;
ALTER TABLE customers ADD COLUMN phone varchar(20) NULL AFTER id;
ALTER TABLE customers MODIFY state enum('new','invited','active') NOT NULL;
ALTER TABLE orders MODIFY id bigint NOT NULL AUTO_INCREMENT;
"""
WIDER = SCHEMA.replace("decimal(8,2)", "decimal(10,2)")
#: As mysqldump writes it, with what it does to the session's settings.
DUMP = """\
-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
DROP TABLE IF EXISTS shop.customers, shop.orders;
{}
INSERT INTO shop.orders VALUES (1, 2.5);
/*!40014 SET FOREIGN_KEY_CHECKS=@OLD_FOREIGN_KEY_CHECKS */;
/*!40014 SET UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS */;
-- Dump completed on 2024-01-02
"""
REWRITTEN = """\
USE shop;
ALTER TABLE customers ADD COLUMN phone varchar(20) NULL;
ALTER TABLE customers MODIFY state enum('new','active','invited') NOT NULL;
ALTER TABLE orders MODIFY id bigint NOT NULL AUTO_INCREMENT;
"""
SERVER = ("--source-version", "8.0.36")


def git(*arguments: str, cwd: Path) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=cwd, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    """A repository with the schema of today, and the link in its configuration."""
    (tmp_path / "schema.sql").write_text(SCHEMA)
    (tmp_path / "schemacheck.yaml").write_text(
        "links:\n  production:\n    source: mysql-8.0.36\n    replica: mysql-8.0.36\n"
    )
    git("init", "-q", cwd=tmp_path)
    git("add", "-A", cwd=tmp_path)
    git("commit", "-q", "-m", "today", cwd=tmp_path)
    return tmp_path


def test_a_pull_request_that_breaks_is_found_by_plan_and_check_and_its_rewriting_passes(run, repository):
    (repository / "change.sql").write_text(BREAKING)
    broken = run("plan", "schema.sql", "change.sql", "--unlogged")
    assert broken.status == 1
    assert "(change.sql:3:1)" in broken.out
    assert "(change.sql:4:1)" in broken.out
    assert "'active' on the source becomes 'invited' on the replica" in broken.out
    # The same with `check`: replicas that have the change, a source that does not.
    (repository / "next.sql").write_text(SCHEMA + BREAKING)
    assert run("check", "schema.sql", "next.sql").status == 1

    # Replicated, the statements are safe as they are.
    assert run("plan", "schema.sql", "change.sql").status == 0
    (repository / "change.sql").write_text(REWRITTEN)
    passing = run("plan", "schema.sql", "change.sql", "--unlogged")
    assert passing.status == 0, passing.out
    (repository / "next.sql").write_text(SCHEMA + REWRITTEN)
    assert run("check", "schema.sql", "next.sql", "--type-conversions", "ALL_NON_LOSSY").status == 0


def test_against_a_commit(run, repository):
    assert run("plan", "--against", "HEAD", "schema.sql").out.endswith("nothing changes\n")
    (repository / "schema.sql").write_text(SCHEMA.replace("total decimal(8,2)", "total decimal(10,2)"))
    found = run("plan", "--against", "HEAD", "schema.sql", "-f", "json")
    document = json.loads(found.out)
    assert found.status == 0
    assert [(t["table"], t["order"], t["type_conversions"]) for t in document["tables"]] == [
        ("orders", "replica-first", "ALL_NON_LOSSY")
    ]
    # The current side from the commit, the change from the working tree.
    (repository / "m.sql").write_text("ALTER TABLE shop.orders DROP COLUMN total;")
    assert run("plan", "--against", "HEAD", "schema.sql", "m.sql").status == 0
    # A directory, and a file that the commit does not have.
    (repository / "ddl").mkdir()
    (repository / "ddl" / "a.sql").write_text(SCHEMA)
    fresh = run("plan", "--against", "HEAD", "ddl", "-f", "json")
    assert [t["action"] for t in json.loads(fresh.out)["tables"]] == ["create", "create"]
    git("add", "-A", cwd=repository)
    git("commit", "-q", "-m", "more", cwd=repository)
    (repository / "ddl" / "b.sql").write_text("ALTER TABLE shop.orders ADD INDEX (total);")
    assert [
        t["order"] for t in json.loads(run("plan", "--against", "HEAD", "ddl", "-f", "json").out)["tables"]
    ] == ["any order"]


def test_problems_in_a_commit_stand_at_their_place_there(run, repository):
    (repository / "schema.sql").write_text("CREATE TABLE shop.t (a nonsense);\n")
    git("commit", "-q", "-a", "-m", "broken", cwd=repository)
    (repository / "schema.sql").write_text("CREATE TABLE shop.t (a int);\n")
    found = run("plan", "--against", "HEAD", "schema.sql")
    assert found.status == 3
    assert found.out.startswith("HEAD:schema.sql:1:")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["schema.sql"], "CHANGE is missing"),
        (["schema.sql", "--against", "nowhere"], "git knows no commit 'nowhere'"),
        (["schema.sql", "--against", "--output=x"], "expected one argument"),
        (["schema.sql", "--against=--output=x"], "is not a git ref"),
        (["-", "-"], "standard input"),
        (["-", "m.sql", "--against", "HEAD"], "a file or a directory of the repository"),
        (
            ["mysql://root@localhost/", "m.sql", "--against", "HEAD"],
            "a file or a directory of the repository",
        ),
        (["nowhere.sql", "m.sql", "--against", "HEAD"], "neither the commit"),
        (["schema.sql", "absent.sql"], "No such file"),
        (["schema.sql", "schema.sql", "--as", "schema", "--source-version", "nonsense"], "nonsense"),
        (["schema.sql", "schema.sql", "schema.sql", "--as", "schema"], "one file or directory"),
        (["schema.sql", "m.sql", "--kind", "group", "--unlogged"], "nodes of a cluster get a statement once"),
    ],
)
def test_wrong_usage_is_status_2(run, repository, arguments, message):
    (repository / "m.sql").write_text("ALTER TABLE shop.orders ADD a int;")
    found = run("plan", *arguments)
    assert found.status == 2
    assert message in found.err


def test_outside_of_a_repository(run, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "s.sql").write_text(SCHEMA)
    found = run("plan", "--against", "HEAD", "s.sql")
    assert found.status == 2
    assert "needs a git repository" in found.err


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ("ALTER TABLE shop.orders ADD note text;", 0),
        ("ALTER TABLE shop.orders ADD note text FIRST;", 1),
        ("RENAME TABLE shop.orders TO shop.bills;", 1),
        ("ALTER TABLE shop.nowhere ADD note text;", 3),
        ("UPDATE shop.orders SET nothing = 1;", 3),
        ("ALTER TABLE shop.orders ADD note nonsense;", 3),
        ("", 0),
        ("-- nothing\n", 0),
    ],
)
def test_exit_statuses(run, repository, change, status):
    (repository / "m.sql").write_text(change)
    assert run("plan", "schema.sql", "m.sql", "--unlogged").status == status
    # What can only not go server by server is replicated.
    assert run("plan", "schema.sql", "m.sql").status == (0 if status == 1 else status)


@pytest.mark.parametrize(
    ("change", "actions"),
    [
        ("ALTER TABLE shop.orders ADD a int;", {"orders": "alter"}),
        ("CREATE TABLE shop.fresh (a int);", {"fresh": "create"}),
        (SCHEMA.replace("varchar(100)", "varchar(120)"), {"customers": "alter"}),
        ("DROP TABLE shop.orders;", {"orders": "drop"}),
        (SCHEMA + "ALTER TABLE shop.orders ADD INDEX (total);", {"orders": "alter"}),
        (WIDER + "UPDATE shop.orders SET total = 1 WHERE id = 1;", {"orders": "alter"}),
        (DUMP.format(WIDER), {"orders": "alter"}),
        # A dump of a server that has a table whose definition another one refuses is one all the same.
        (DUMP.format(WIDER + "ALTER TABLE shop.elsewhere ADD a int;"), {"orders": "alter"}),
    ],
)
def test_a_migration_is_told_from_new_definitions(run, repository, change, actions):
    (repository / "x.sql").write_text(change)
    document = json.loads(run("plan", "schema.sql", "x.sql", "-f", "json").out)
    assert {t["table"]: t["action"] for t in document["tables"]} == actions


def test_several_files_and_directories_are_a_migration(run, repository):
    folder = repository / "migrations"
    folder.mkdir()
    (folder / "V1.sql").write_text("ALTER TABLE shop.orders ADD a int;")
    (folder / "V2.sql").write_text("ALTER TABLE shop.orders ADD INDEX (a);")
    by_files = json.loads(
        run("plan", "schema.sql", "migrations/V1.sql", "migrations/V2.sql", "-f", "json").out
    )
    assert [s["location"]["file"] for s in by_files["statements"]] == [
        "migrations/V1.sql",
        "migrations/V2.sql",
    ]
    by_folder = json.loads(run("plan", "schema.sql", "migrations", "--as", "migration", "-f", "json").out)
    assert [s["sql"] for s in by_folder["statements"]] == [s["sql"] for s in by_files["statements"]]


def test_a_directory_of_migrations_is_read_as_one_of_definitions_is(run, repository):
    import gzip

    folder = repository / "migrations"
    (folder / "later").mkdir(parents=True)
    (folder / ".git").mkdir()
    refused = run("plan", "schema.sql", "migrations", "--as", "migration")
    assert (refused.status, "no migration in this directory" in refused.err) == (2, True)
    (folder / "V2.sql.gz").write_bytes(gzip.compress(b"ALTER TABLE shop.orders ADD a int FIRST;"))
    (folder / "V10.ddl").write_text("ALTER TABLE shop.orders ADD b int;")
    (folder / "later" / "V1.sql").write_text("TRUNCATE shop.orders;")
    (folder / ".git" / "x.sql").write_text("nonsense")
    wanted = ("plan", "schema.sql", "migrations", "--as", "migration", "--unlogged", "-f", "json")
    document = json.loads(run(*wanted).out)
    assert [s["location"]["file"] for s in document["statements"]] == [
        "migrations/V2.sql.gz",
        "migrations/V10.ddl",
        "migrations/later/V1.sql",
    ]
    assert document["exit_status"] == 1


@pytest.mark.parametrize("change", ["TRUNCATE shop.orders;", "DELETE FROM shop.orders;"])
def test_definitions_that_take_rows_away_are_a_migration(run, repository, change):
    (repository / "change.sql").write_text(change + SCHEMA.replace("TABLE", "TABLE IF NOT EXISTS"))
    document = json.loads(run("plan", "schema.sql", "change.sql", "-f", "json").out)
    assert document["statements"], document
    assert document["order"] == ("any order" if "DELETE" in change else "lock-step")


def test_tables_that_are_made_anew_are_altered(run, repository):
    (repository / "new.sql").write_text(WIDER.replace("CREATE TABLE", "CREATE OR REPLACE TABLE"))
    found = run("plan", "schema.sql", "new.sql", "--source-version", "mariadb-11.8", "--replica-version",
                "mariadb-11.8", "-f", "json")  # fmt: skip
    assert [t["action"] for t in json.loads(found.out)["tables"]] == ["alter"]


def test_one_table_of_several_is_in_doubt(run, repository):
    only = SCHEMA.split(";", 1)[0] + ";\n"
    for text in (only, "DROP TABLE IF EXISTS shop.customers;\n" + only, DUMP.format(only)):
        (repository / "one table.sql").write_text(text)
        found = run("plan", "schema.sql", "one table.sql")
        assert (found.status, found.out) == (2, "")
        again = "`schemacheck plan schema.sql 'one table.sql' --as"
        assert found.err.endswith(
            "one table.sql makes 1 of the 2 tables of schema.sql: type "
            f"{again} schema` to reach that schema, without the others, {again} migration` to run it\n"
        )
        assert run("plan", "schema.sql", "one table.sql", "--as", "schema").status == 0


def test_names_that_differ_in_case_alone_are_not_dropped(run, repository):
    (repository / "new.sql").write_text(WIDER.replace("shop.orders", "shop.Orders"))
    found = run("plan", "schema.sql", "new.sql")
    assert (found.status, "DROP TABLE" in found.out) == (3, False)
    assert "RENAME TABLE `orders` TO `Orders`" in found.out
    found = run("plan", "schema.sql", "new.sql", "--set", "lower_case_table_names=1", "-f", "json")
    assert [(t["table"], t["action"]) for t in json.loads(found.out)["tables"]] == [("orders", "alter")]


def test_standard_input(process, tmp_path):  # noqa: F811
    (tmp_path / "s.sql").write_text(SCHEMA)
    migration = process("plan", "s.sql", "-", *SERVER, "-q", input="ALTER TABLE shop.orders ADD a int;")
    assert (migration.returncode, migration.stdout) == (0, "1 table; replicate every statement\n")
    schema = process(
        "plan", "s.sql", "-", *SERVER, "-q", input=SCHEMA.replace("decimal(8,2)", "decimal(9,2)")
    )
    assert schema.stdout == "1 table; replicate every statement\n", schema.stderr


def test_filters(run, repository):
    (repository / "my.cnf").write_text("[mysqld]\nreplicate-ignore-table = shop.orders\n")
    (repository / "m.sql").write_text("ALTER TABLE shop.orders ADD note text FIRST;")
    assert run("plan", "schema.sql", "m.sql", "--filters", "my.cnf").status == 0


def test_nothing_in_a_name_steers_the_terminal(run, repository):
    (repository / "schema.sql").write_text(
        "CREATE TABLE shop.`t\x1b[31m` (id int NOT NULL PRIMARY KEY, `a\u202e` int);"
    )
    (repository / "m.sql").write_text(
        "ALTER TABLE shop.`t\x1b[31m` ADD c int COMMENT '\x1b[2J', MODIFY `a\u202e` bigint;"
    )
    for options in ((), ("-v",), ("-q",)):
        found = run("plan", "schema.sql", "m.sql", *options)
        assert found.status == 0
        assert not {"\x1b", "\u202e"} & set(found.out)
    assert (
        json.loads(run("plan", "schema.sql", "m.sql", "-f", "json").out)["tables"][0]["table"] == "t\x1b[31m"
    )


def test_a_file_of_another_encoding_in_a_commit(run, repository):
    import os

    (repository / "ddl").mkdir()
    name = os.fsdecode(b"s\xff.sql")
    (repository / "ddl" / name).write_text(SCHEMA)
    git("add", "-A", cwd=repository)
    git("commit", "-q", "-m", "odd name", cwd=repository)
    (repository / "ddl" / name).write_text(SCHEMA.replace("decimal(8,2)", "nonsense"))
    found = run("plan", "--against", "HEAD", "ddl")
    assert found.status == 3
    assert "\\udcff.sql" in found.out


def test_what_is_told_of_the_replica_counts(run, repository):
    (repository / "m.sql").write_text("ALTER TABLE shop.orders MODIFY id bigint NOT NULL AUTO_INCREMENT;")
    set_there = ("--replica-set", "slave_type_conversions=ALL_LOSSY")
    for options in ((), ("--no-config",)):
        found = run("plan", "schema.sql", "m.sql", "--unlogged", *set_there, *options)
        assert found.status == 0
        # What is set already stays set, and is what is set back.
        assert "SET GLOBAL replica_type_conversions = 'ALL_LOSSY,ALL_NON_LOSSY';" in found.out
        assert "SET GLOBAL replica_type_conversions = 'ALL_LOSSY';" in found.out


def test_the_output_goes_to_a_file(run, repository):
    (repository / "m.sql").write_text("ALTER TABLE shop.orders ADD a int;")
    assert run("plan", "schema.sql", "m.sql", "-o", "plan.txt").out == ""
    assert "runbook (" in (repository / "plan.txt").read_text()


CASES = {
    "breaking": (("schema.sql", "change.sql"), BREAKING),
    "verbose": (("schema.sql", "change.sql", "-v"),
    "ALTER TABLE shop.orders ADD INDEX (total), MODIFY total decimal(10,2) NOT NULL;"),
    "stages": (("schema.sql", "change.sql"),
    ("USE shop;\nALTER TABLE orders ADD note text;\nUPDATE orders SET note = '';\nALTER TABLE orders "
    "MODIFY note text NOT NULL;\nRENAME TABLE orders TO bills;\n")),
    "mariadb": (("schema.sql", "change.sql", "--source-version", "mariadb-10.11", "--replica-version",
    "mariadb-11.8", "--binlog-format", "ROW"), "ALTER TABLE shop.orders ADD UNIQUE (total);"),
    "ghosts": (("schema.sql", "change.sql", "--as", "schema"),
    SCHEMA + "CREATE TABLE shop._orders_gho LIKE shop.orders; ALTER TABLE shop._orders_gho MODIFY "
             "total decimal(10,2) NOT NULL; CREATE TABLE shop._orders_ghc (id int);"),
    "unknown": (("schema.sql", "change.sql"), "ALTER TABLE shop.orders ADD note nonsense;"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("form", ["text", "json"])
def test_golden(run, repository, name, form, request):
    arguments, change = CASES[name]
    (repository / "change.sql").write_text(change)
    out = run("plan", *arguments, "-f", form).out
    file = GOLDEN / f"{name}.{'txt' if form == 'text' else 'json'}"
    assert out == file.read_text("utf-8"), f"{file} differs; write it anew with: python -m tests.plan.golden"


def test_the_result_type_is_the_documented_one():
    assert Result(0, "", "").status == 0


def test_a_commit_whose_paths_lead_out_of_their_folder(run, repository):
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")

    def git(*arguments: str, given: str = "") -> str:
        return subprocess.run(
            ["git", *identity, "-C", str(repository), *arguments],
            input=given,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    blob = git("hash-object", "-w", "--stdin", given="CREATE TABLE t (id int);\n")
    tree = git("mktree", given=f"100644 blob {blob}\tx.sql\n")
    for name in ("..", "..", "schema"):
        tree = git("mktree", given=f"040000 tree {tree}\t{name}\n")
    commit = git("commit-tree", "-m", "evil", tree)
    (repository / "schema").mkdir()
    found = run("plan", "--against", commit, "schema")
    assert found.status == 2
    assert "leads out of its folder" in found.err


def test_a_replica_that_says_its_version_is_read_as_that(run, tmp_path):
    """MariaDB shows literals in quotes and NULL as a word, MySQL 5.6 as they are."""
    (tmp_path / "s.sql").write_text(
        "CREATE TABLE t (id int PRIMARY KEY, a varchar(9), b varchar(9) DEFAULT 'x');"
    )
    (tmp_path / "c.sql").write_text("ALTER TABLE t MODIFY b varchar(20) CHARACTER SET latin1 DEFAULT 'y';")
    names = (
        *("TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "COLUMN_TYPE", "IS_NULLABLE"),
        *("COLUMN_DEFAULT", "EXTRA", "CHARACTER_SET_NAME", "COLLATION_NAME", "COLUMN_KEY"),
    )
    character = ("latin1", "latin1_swedish_ci", "")
    rows = [
        ("shop", "t", "id", 1, "int(11)", "NO", None, "", None, None, "PRI"),
        ("shop", "t", "a", 2, "varchar(9)", "YES", "NULL", "", *character),
        ("shop", "t", "b", 3, "varchar(9)", "YES", "'x'", "", *character),
    ]
    (tmp_path / "r").mkdir()
    columns = [dict(zip(names, row, strict=True)) for row in rows]
    (tmp_path / "r" / "columns.json").write_text(json.dumps(columns))
    (tmp_path / "r" / "variables.tsv").write_text("Variable_name\tValue\nversion\t10.11.6-MariaDB\n")
    sides = [str(tmp_path / name) for name in ("s.sql", "c.sql", "r")]
    options = ("--database", "shop", "--source-version", "mysql-5.6", "--binlog-format", "ROW")
    planned = run("plan", *sides[:2], "--replica-schema", sides[2], *options)
    assert ("DEFAULT 'x'" in planned.out, "''x''" in planned.out) == (True, False)
    assert "DEFAULT" not in run("check", sides[0], sides[2], *options, "--verbose").out


def test_views_alone_are_no_schema(run, repository):
    view = "CREATE OR REPLACE VIEW shop.v AS SELECT id FROM shop.orders;\n"
    (repository / "base.sql").write_text(SCHEMA + view)
    (repository / "m.sql").write_text(view.replace("id FROM", "id AS number FROM"))
    assert run("plan", "base.sql", "m.sql").status == 0
