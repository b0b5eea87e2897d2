"""Histories of migration tools: which files, in which order, what of them is run."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from pathlib import Path

import pytest

from schemacheck.cli.commands import lint_history
from schemacheck.errors import InputError
from schemacheck.inputs import open_schema
from schemacheck.inputs.histories import kinds, title
from schemacheck.inputs.piece import HistoryOptions
from schemacheck.model import Server

MYSQL, MARIADB = Server.parse("mysql-8.0"), Server.parse("mariadb-10.11")


def written(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def columns(schema):
    return {table.name: [column.name for column in table.columns] for table in schema.tables}


def problems(schema):
    return [f"{p.location}: {p.message}" for p in schema.problems if not p.skipped]


def notes(schema):
    return [p.message for p in schema.problems if p.skipped]


def versions(schema):
    assert schema.history is not None
    return [one.name for one in schema.history.migrations]


TRIGGER = "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN SET NEW.a = 1; SET NEW.a = 2; END;\n"
#: EF Core's last statement of a migration.
_ROW = """INSERT INTO `__EFMigrationsHistory` (`MigrationId`, `ProductVersion`)
    VALUES ('{}', '7.0.1');
"""


def _asked(name, statement):
    """As EF Core's --idempotent writes a statement."""
    return (
        "DROP PROCEDURE IF EXISTS MigrationsScript;\nDELIMITER //\nCREATE PROCEDURE MigrationsScript()\n"
        "BEGIN\n"
        f"    IF NOT EXISTS(SELECT 1 FROM `__EFMigrationsHistory` WHERE `MigrationId` = '{name}') THEN\n\n"
        f"    {statement}\n\n    END IF;\nEND //\nDELIMITER ;\nCALL MigrationsScript();\n"
        "DROP PROCEDURE MigrationsScript;\n\n"
    )


KINDS = {
    "flyway": (
        {
            "V1__first.sql": "CREATE TABLE t (a INT);",
            "sub/V1.9__b.sql": "ALTER TABLE t ADD b INT;",
            "V1_10__c.sql": "ALTER TABLE t ADD c INT;",
            "V2.0__g.sql": TRIGGER,
            "U2__g.sql": "DROP TRIGGER g;",
            "R__view.sql": "CREATE OR REPLACE VIEW v AS SELECT a FROM t;",
            "afterMigrate.sql": "ALTER TABLE t ADD z INT;",
        },
        ["1 first", "1.9 b", "1.10 c", "2 g", "R view", "afterMigrate"],
        {"t": ["a", "b", "c", "z"], "v": []},
    ),
    "golang-migrate": (
        {
            "1_first.up.sql": "CREATE TABLE t (a INT);\n" + TRIGGER,
            "1_first.down.sql": "DROP TABLE t;",
            "10_c.up.sql": "ALTER TABLE t ADD c INT",
            "2_b.up.sql": "ALTER TABLE t ADD b INT; -- and\nCREATE TABLE u (a INT);",
        },
        ["1 first", "2 b", "10 c"],
        {"t": ["a", "b", "c"], "u": ["a"]},
    ),
    "diesel": (
        {
            "2024-01-31-120000_first/up.sql": "CREATE TABLE t (a INT);\n" + TRIGGER,
            "2024-01-31-120000_first/down.sql": "DROP TABLE t;",
            "2023-12-01-000000/up.sql": "CREATE TABLE u (a INT);",
            "2023-12-01-000000/down.sql": "",
        },
        ["20231201000000", "20240131120000 first"],
        {"t": ["a"], "u": ["a"]},
    ),
    "dbmate": (
        {
            "01_first.sql": "-- migrate:up\nCREATE TABLE t (a INT);\n-- migrate:down\nDROP TABLE t;\n",
            "02_b.sql": "-- migrate:up transaction:false\n" + TRIGGER + "\n-- migrate:down\n",
        },
        ["01 first", "02 b"],
        {"t": ["a"]},
    ),
    "goose": (
        {
            "00001_first.sql": "-- +goose Up\nCREATE TABLE t (a INT);\n-- +goose StatementBegin\n"
            + TRIGGER
            + "-- +goose StatementEnd\nALTER TABLE t ADD b INT;\n-- +goose Down\nDROP TABLE t;\n",
            "00002_c.sql": "-- +goose Up\n-- +goose NO TRANSACTION\nALTER TABLE t ADD c INT;\n",
        },
        ["1 first", "2 c"],
        {"t": ["a", "b", "c"]},
    ),
    "liquibase": (
        {
            "a.sql": "--liquibase formatted sql\n--changeset ann:1\nCREATE TABLE t (a INT);\n"
            "--rollback DROP TABLE t;\n-- changeset ann:2 endDelimiter://\n"
            + TRIGGER.replace("END;", "END//")
            + "--changeset ann:3 dbms:mariadb,h2\nALTER TABLE t ADD m INT;\n"
            "--changeset ann:4 dbms:!mariadb\nALTER TABLE t ADD n INT;\n"
            "--changeset ann:5 splitStatements:false\nALTER TABLE t ADD b INT\n",
        },
        ["ann:1", "ann:2", "ann:3", "ann:4", "ann:5"],
        {"t": ["a", "n", "b"]},
    ),
    "alembic": (
        {
            "all.sql": "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
            "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));\n\n"
            "-- Running upgrade  -> 1a2b, first\n\nCREATE TABLE t (a INTEGER);\n"
            "INSERT INTO alembic_version (version_num) VALUES ('1a2b');\n\n"
            "-- Running upgrade 1a2b -> 3c4d, b\n\nALTER TABLE t ADD COLUMN b INTEGER;\n"
            "UPDATE alembic_version SET version_num='3c4d' WHERE alembic_version.version_num = '1a2b';\n",
        },
        ["1a2b first", "3c4d b"],
        {"alembic_version": ["version_num"], "t": ["a", "b"]},
    ),
    "efcore": (
        {
            "all.sql": "CREATE TABLE IF NOT EXISTS `__EFMigrationsHistory` "
            "(`MigrationId` varchar(150) NOT NULL, `ProductVersion` varchar(32) NOT NULL, "
            "PRIMARY KEY (`MigrationId`));\n\nSTART TRANSACTION;\n\n"
            + _asked("1_First", "CREATE TABLE `t` (\n        `a` int NOT NULL\n    );")
            + _asked("1_First", _ROW.format("1_First"))
            + "ALTER TABLE `t` ADD `b` int NULL;\n\n"
            + _ROW.format("2_B")
            + _asked("3_C", "ALTER TABLE `t` ADD `c` int NULL;")
            + _asked("3_C", _ROW.format("3_C"))
            + "COMMIT;\n",
        },
        ["1 First", "2 B", "3 C"],
        {"__EFMigrationsHistory": ["MigrationId", "ProductVersion"], "t": ["a", "b", "c"]},
    ),
    "django": (
        {
            "0001_initial.sql": "--\n-- Create model T\n--\nCREATE TABLE `t` (`a` integer NOT NULL);\n",
            "0002_b.sql": "--\n-- Add field b to t\n--\nALTER TABLE `t` ADD COLUMN `b` integer NULL;\n",
        },
        ["0001_initial", "0002_b"],
        {"t": ["a", "b"]},
    ),
}  # fmt: skip


def test_every_tool_has_an_example_and_is_on_the_pages():
    assert set(KINDS) == set(kinds()), "give KINDS an example of the tool"
    page = (Path(__file__).parents[2] / "docs" / "howto" / "migration-histories.md").read_text("utf-8")
    for name in kinds():
        assert f"| {title(name)} |" in page, (
            f"{name}: a line in the table of docs/howto/migration-histories.md"
        )
        assert title(name) in lint_history.__doc__, f"{name}: the first lines of lint-history --help"


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_history_leads_to(kind, tmp_path):
    files, names, tables = KINDS[kind]
    schema = open_schema(str(written(tmp_path, files)), server=MYSQL)
    assert problems(schema) == []
    assert versions(schema) == names
    assert schema.history is not None
    assert schema.history.kind == kind
    assert columns(schema) == {name: found for name, found in tables.items() if found} | (
        {"v": []} if "v" in tables else {}
    )
    # Every file is accounted for.
    assert {one.path for one in schema.files} == {str(tmp_path / name) for name in files}


def test_a_file_by_itself_is_what_it_applies(tmp_path):
    for kind in ("dbmate", "goose", "liquibase"):
        files, _, _ = KINDS[kind]
        name = next(iter(files))
        folder = written(tmp_path / kind, {name: files[name]})
        assert columns(open_schema(str(folder / name), server=MYSQL))["t"][0] == "a"


def test_a_statement_that_asks_for_another_migration_is_unknown(tmp_path):
    """Whether the row of EF Core is there decides."""
    text = KINDS["efcore"][0]["all.sql"]
    asked = "'3_C') THEN\n\n    ALTER"
    changed = text.replace(asked, asked.replace("3_C", "1_First"))
    assert changed != text
    schema = open_schema(str(written(tmp_path, {"all.sql": changed})), server=MYSQL)
    assert problems(schema) != []
    assert columns(schema)["t"] == ["a", "b"]


def test_flavours_of_liquibase(tmp_path):
    schema = open_schema(str(written(tmp_path, KINDS["liquibase"][0])), server=MARIADB)
    assert columns(schema) == {"t": ["a", "m", "b"]}
    assert "not run on mariadb: for mysql alone" in notes(schema)


def test_revisions_of_alembic_from_the_middle(tmp_path):
    text = (
        "-- Running upgrade 1a -> 2b\n\nCREATE TABLE t (a INTEGER);\n"
        "UPDATE alembic_version SET version_num='2b' WHERE alembic_version.version_num = '1a';\n"
        "-- Running upgrade 2b -> 3c\n\nALTER TABLE t ADD b INTEGER;\n"
    )
    schema = open_schema(str(written(tmp_path, {"a.sql": text})), server=MYSQL)
    assert problems(schema) == []
    assert columns(schema) == {"t": ["a", "b"]}


def test_a_baseline_is_for_new_servers(tmp_path):
    """Servers that have a history run V3, which a B9 of a pull request would hide."""
    baseline, last = (
        {"B9__all.sql": "CREATE TABLE t (a INT, b INT);"},
        {"V10__c.sql": "ALTER TABLE t ADD c INT;"},
    )
    before = {"V1__a.sql": "CREATE TABLE t (a INT);", "V3__d.sql": "ALTER TABLE t ADD d INT;"}
    schema = open_schema(str(written(tmp_path / "all", {**before, **baseline, **last})), server=MYSQL)
    assert columns(schema) == {"t": ["a", "d", "c"]}
    schema = open_schema(str(written(tmp_path / "new", {**baseline, **last})), server=MYSQL)
    assert columns(schema) == {"t": ["a", "b", "c"]}
    assert versions(schema) == ["9 all", "10 c"]


def test_a_carriage_return_by_itself_is_a_newline_to_flyway_alone(tmp_path):
    files = {
        "V1__a.sql": "-- harmless\r; CREATE TABLE t (a INT);\n",
        "V2__b.sql": "CREATE TABLE u (a INT);\r\n",
    }
    schema = open_schema(str(written(tmp_path, files)), server=MYSQL)
    assert ["a carriage return stands alone" in message for message in problems(schema)] == [True]


#: Files, and a part of what is said about them: an error of the input, a problem, or a note.
WRONG = {
    "version twice": ({"V1__a.sql": "", "V1.0__b.sql": ""}, InputError, "(1): Flyway refuses two"),
    "up twice": ({"1_a.up.sql": "x", "01_b.up.sql": "y"}, InputError, "has the version of"),
    "two folders": ({"a/1_a.up.sql": "", "b/1_a.up.sql": ""}, InputError, "holds 2 folders with migrations"),
    "two tools": ({"V1__a.sql": "", "1_a.up.sql": ""}, InputError, "holds migrations of Flyway"),
    "no end": (
        {"1_a.sql": "-- +goose Up\n-- +goose StatementBegin\n"},
        InputError,
        "StatementEnd is missing",
    ),
    "unknown word": (
        {"1_a.sql": "-- +goose Up\n-- +goose Sideways\n"},
        InputError,
        "1_a.sql:2: -- +goose Side",
    ),
    "unknown block": (
        {"1_a.sql": "-- migrate:up\n-- migrate:side\n"},
        InputError,
        "1_a.sql:2: -- migrate:side",
    ),
    "down first": (
        {"1_a.sql": "-- migrate:down\n-- migrate:up\n"},
        InputError,
        "1_a.sql:1: -- migrate:down before",
    ),
    "before up": ({"1_a.sql": "DROP TABLE t;\n-- migrate:up\n"}, InputError, "1_a.sql:1: a statement before"),
    "attribute": (
        {"a.sql": "--liquibase formatted sql\n--changeset a:1 wish:1\n"},
        InputError,
        "a.sql:2: changeset",
    ),
    "no changeset": (
        {"a.sql": "--liquibase formatted sql\n--changeset a\n"},
        InputError,
        "a.sql:2: '--changeset a'",
    ),
    "set twice": (
        {"a.sql": "--liquibase formatted sql\n--changeset a:1\nSELECT 1;\n--changeset a:1\nSELECT 1;\n"},
        InputError,
        "a.sql:4: changeset a:1 a second time (first at line 2)",
    ),
    "down": (
        {"a.sql": "-- Running downgrade b -> a\nDROP TABLE t;\n"},
        InputError,
        "a.sql:1: a history is read upwards only",
    ),
    "placeholder": (
        {"V1__a.sql": "CREATE TABLE t (a INT) COMMENT '${who}';"},
        None,
        "V1__a.sql:1: placeholders without a value: ${who}; give each one with --placeholder NAME=VALUE",
    ),
    "stranger": (
        {"V1__a.sql": "CREATE TABLE t (a INT);", "more.sql": "CREATE TABLE u (a INT);"},
        None,
        "more.sql: not read: by its name and text it is no migration of Flyway",
    ),
    "java": (
        {"V1__a.sql": "CREATE TABLE t (a INT);", "V2__b.java": "class V2__b {}"},
        None,
        "V2__b.java: not read: named like a migration, and no .sql",
    ),
    "script settings": (
        {"V1__a.sql": "CREATE TABLE t (a INT);", "V1__a.sql.conf": "shouldExecute=false\n"},
        None,
        "V1__a.sql.conf: not read: sets shouldExecute",
    ),
    "validation comes before migration": (
        {"V1__a.sql": "CREATE TABLE t (a INT);", "afterValidate.sql": "DROP TABLE t;"},
        None,
        "afterValidate.sql: not read: Flyway runs it at afterValidate, which is not followed here",
    ),
    "python": (
        {"1.sql": "--\n-- Raw Python operation\n--\n-- THIS OPERATION CANNOT BE WRITTEN AS SQL\n"},
        None,
        "1.sql:4: this operation is Python",
    ),
    "conditions": (
        {
            "a.sql": "--liquibase formatted sql\n--changeset a:1\n--preconditions onFail:MARK_RAN\n"
            "CREATE TABLE t (a INT);\n"
        },
        None,
        "a.sql:2: whether changeset a:1 runs depends",
    ),
    "contexts": (
        {"a.sql": "--liquibase formatted sql\n--changeset a:1 context:test\nCREATE TABLE t (a INT);\n"},
        None,
        "a.sql:2: whether changeset a:1 runs depends on the context or label 'test'",
    ),
    "blank before a word": (
        {"1_a.sql": "-- +goose Up\nCREATE TABLE t (a INT);\n  -- +goose Down\nDROP TABLE t;\n"},
        InputError,
        "1_a.sql:3: -- +goose Down is not known",
    ),
    "more than a word": (
        {"1_a.sql": "-- +goose Up\nCREATE TABLE t (a INT);\n-- way back: +goose Down\nDROP TABLE t;\n"},
        InputError,
        "1_a.sql:3: -- +goose way back:",
    ),
    "a name of the environment": (
        {"1_a.sql": "-- +goose Up\n-- +goose ENVSUB ON\nCREATE TABLE t (a INT DEFAULT $N);\n"},
        None,
        "1_a.sql:3: goose puts a value of its environment here",
    ),
    "another ending": (
        {"1_a.up.sql": "CREATE TABLE t (a INT);", "2_b.up.txt": "DROP TABLE t;"},
        None,
        "2_b.up.txt: not read: golang-migrate runs it",
    ),
    "blanks in a placeholder": (
        {"V1__a.sql": "CREATE TABLE t (\na INT DEFAULT '${the value}'\n);"},
        None,
        "V1__a.sql:2: placeholders without a value: ${the value}",
    ),
    "no comment": (
        {"V1__a.sql": "CREATE TABLE t (a INT DEFAULT 1\n--${sign}1\n);"},
        None,
        "V1__a.sql:2: placeholders without a value: ${sign}",
    ),
    "a property of placeholders": (
        {
            "a.sql": "--liquibase formatted sql\n--property name:d value:${e}\n--changeset a:1\n"
            "CREATE TABLE t (a INT DEFAULT '${d}');\n"
        },
        None,
        "a.sql:4: placeholders without a value: ${d}",
    ),
    "capitals": (
        {"a.sql": "--LIQUIBASE FORMATTED SQL\n--changeset a:1 context:x\nCREATE TABLE t (a INT);\n"},
        None,
        "a.sql:2: whether changeset a:1 runs depends",
    ),
    "no delimiter": (
        {"a.sql": "--liquibase formatted sql\n--changeset a:1\nDELIMITER //\nSELECT 1//\n"},
        None,
        "a.sql:3: Liquibase sends DELIMITER to the server",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said(name, tmp_path):
    files, error, said = WRONG[name]
    folder = str(written(tmp_path, files))
    if error:
        with pytest.raises(error) as raised:
            open_schema(folder, server=MYSQL)
        assert said in str(raised.value)
    else:
        found = problems(open_schema(folder, server=MYSQL))
        assert any(said in one for one in found), found


def test_a_gap_is_remarked_on(tmp_path):
    files = {f"{n}_x.up.sql": f"CREATE TABLE t{n} (a INT);" for n in (1, 2, 3, 5, 6)}
    schema = open_schema(str(written(tmp_path, files)), server=MYSQL)
    assert problems(schema) == []
    assert notes(schema) == ["no migration has a number between 3 and 5"]


def test_what_a_person_says(tmp_path):
    def read(files, **said):
        return open_schema(str(written(tmp_path, files)), server=MYSQL, history=HistoryOptions(**said))

    schema = read(
        {"f/V1__a.sql": "CREATE TABLE ${name} (a INT);"}, placeholders=(("name", "t"),), kind="flyway"
    )
    assert columns(schema) == {"t": ["a"]}
    assert problems(schema) == []
    two = {"f/V1__a.sql": "CREATE TABLE t (a INT);", "f/x.sql": "CREATE TABLE u (a INT);"}
    plain = read(two, kind="none")
    assert sorted(columns(plain)) == ["t", "u"]
    assert plain.history is None
    with pytest.raises(InputError, match="no migration of goose"):
        read({}, kind="goose")


@pytest.mark.parametrize("attribute", ["context:test", 'contextFilter:"prod and !eu"', "labels:slow,new"])
def test_what_chooses_changesets_leaves_them_unknown(attribute, tmp_path):
    text = f"--liquibase formatted sql\n--changeset a:1 {attribute}\nCREATE TABLE t (a INT);\n"
    schema = open_schema(str(written(tmp_path, {"a.sql": text})), server=MYSQL)
    assert any("whether changeset a:1 runs depends on" in one for one in problems(schema))


def changelog(kind, includes):
    if kind == "xml":
        tags = "".join(f'<include file="{name}" relativeToChangelogFile="true"/>\n' for name in includes)
        head = '<?xml version="1.0"?>\n<databaseChangeLog x="y">\n<!-- <changeSet/> -->\n'
        return f"{head}{tags}</databaseChangeLog>"
    entry = "  - include:\n      file: {}\n      relativeToChangelogFile: true\n"
    return "databaseChangeLog:\n" + "".join(map(entry.format, includes))


@pytest.mark.parametrize("kind", ["xml", "yaml"])
def test_changelogs_say_the_order(kind, tmp_path):
    one, two = (
        f"--liquibase formatted sql\n--changeset a:{name}\n{sql}\n"
        for name, sql in (("1", "CREATE TABLE t (a INT);"), ("2", "ALTER TABLE t ADD b INT;"))
    )
    folder = written(
        tmp_path,
        {f"master.{kind}": changelog(kind, ["sql/z.sql", "sql/a.sql"]), "sql/z.sql": one, "sql/a.sql": two},
    )
    schema = open_schema(str(folder), server=MYSQL)
    assert problems(schema) == []
    assert versions(schema) == ["a:1", "a:2"]
    (folder / f"master.{kind}").write_text(changelog(kind, ["sql/z.sql", "gone.sql"]), "utf-8")
    found = problems(open_schema(str(folder), server=MYSQL))
    assert any("includes 'gone.sql', which is not here" in one for one in found)
    assert any("no changelog includes it" in one for one in found)
    (folder / f"master.{kind}").write_text(changelog(kind, [f"master.{kind}"]), "utf-8")
    with pytest.raises(InputError, match="in a circle"):
        open_schema(str(folder), server=MYSQL)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sql", "--liquibase formatted sql\n--changeset a:1 " + "x" * 300_000 + "\n"),
        ("a.sql", "--liquibase formatted sql\n--changeset " + " " * 300_000 + "\n"),
        ("a.sql", "-- Running upgrade " + " " * 300_000 + "\n-- Running upgrade a -> b\n"),
        ("m.xml", "<databaseChangeLog>" + "<!--" * 100_000),
        ("m.xml", "<databaseChangeLog " + "a" * 300_000 + ">"),
        ("m.yaml", "databaseChangeLog:\n" + "- include:" + " " * 300_000 + "x\n"),
        ("1_a.sql", "-- +goose Up\n" + "-- +goose" * 50_000 + "\nSELECT 1;\n"),
        ("V1__a.sql", "-- ${" * 100_000 + "\nSELECT '" + "${" * 100_000 + "';\n"),
    ],
)
def test_texts_that_are_long_cost_no_more_than_their_length(name, text, tmp_path):
    files = {name: text, "z.sql": "--liquibase formatted sql\n--changeset a:1\nSELECT 1;\n"}
    folder = written(tmp_path, files if name.startswith("m.") else {name: text})
    begin = time.process_time()
    with contextlib.suppress(InputError):
        open_schema(str(folder), server=MYSQL, allow_empty=True)
    assert time.process_time() - begin < 5


def test_links_lead_nowhere(tmp_path):
    folder = written(tmp_path / "m", {"V1__a.sql": "CREATE TABLE t (a INT);"})
    written(tmp_path, {"V2__out.sql": "CREATE TABLE outside (a INT);"})
    (folder / "V2__out.sql").symlink_to(tmp_path / "V2__out.sql")
    (folder / "V3__loop.sql").symlink_to(folder / "V3__loop.sql")
    (folder / "again").symlink_to(folder)
    schema = open_schema(str(folder), server=MYSQL)
    assert columns(schema) == {"t": ["a"]}
    assert len(problems(schema)) == 2


@pytest.mark.parametrize(
    ("up", "down"),
    [
        ("-- +goose Up", "-- +goose Down"),
        ("-- +goose UP", "-- +goose down"),
        ("-- migrate:up", "-- migrate:down"),
    ],
)
@pytest.mark.parametrize("how", ["far behind", "utf-16", "utf-16-le"])
def test_the_way_back_is_not_run_wherever_and_however_it_is_written(up, down, how, tmp_path):
    blanks = " " * 70_000 if how == "far behind" else ""
    text = f"-- x{blanks}\n{up}\nCREATE TABLE t (a INT, b INT);\n{down}\nDROP TABLE t;\n"
    text += "CREATE TABLE t (a INT);\n"
    encoding = "utf-8" if how == "far behind" else how
    (tmp_path / "1_a.sql").write_bytes(text.encode(encoding))
    for path in (tmp_path, tmp_path / "1_a.sql"):
        said = encoding if how == "utf-16-le" else None
        assert columns(open_schema(str(path), server=MYSQL, encoding=said)) == {"t": ["a", "b"]}


@pytest.mark.parametrize(("name", "kind", "sure"), [
    ("1_a.sql", "", True), ("a.sql", "", False), ("a.sql", "dbmate", True), ("1_a.sql", "dbmate", True),
])  # fmt: skip
def test_marks_in_a_file_that_the_tool_would_not_run_choose_no_tool(name, kind, sure, tmp_path):
    text = "-- migrate:up\nCREATE TABLE t (a INT);\n-- migrate:down\nALTER TABLE t MODIFY a BIGINT;\n"
    (tmp_path / name).write_text(text)
    history = HistoryOptions(kind)
    (problem,) = open_schema(str(tmp_path / name), server=MYSQL, history=history).problems
    assert problem.skipped is sure
    assert ("--history dbmate confirms it" in problem.message) is not sure


def test_modules_are_imported_for_the_tools_whose_marks_are_in_a_file(tmp_path):
    (tmp_path / "a.sql").write_text("CREATE TABLE t (a INT);\n")
    script = "import sys\nfrom schemacheck.inputs import open_schema\n"
    script += f"open_schema({str(tmp_path / 'a.sql')!r})\n"
    script += (
        "print([name for name in sys.modules if name.endswith(('flyway', 'goose', 'liquibase', 'django'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_many_includes_of_many_files_cost_no_more_than_their_number(tmp_path):
    files = {f"f{n}.sql": f"--liquibase formatted sql\n--changeset a:{n}\nSELECT 1;\n" for n in range(400)}
    lines = "".join(f'<include file="f{n % 400}.sql"/><includeAll path="x{n}"/>' for n in range(2_400))
    written(tmp_path, files | {"m.xml": f"<databaseChangeLog>{lines}</databaseChangeLog>"})
    begin = time.process_time()
    assert len(versions(open_schema(str(tmp_path), server=MYSQL, allow_empty=True))) == 400
    assert time.process_time() - begin < 3


def test_values_do_not_grow_without_end(tmp_path):
    text = "--liquibase formatted sql\n--property name:v value:" + "x" * 100_000 + "\n--changeset a:1\n"
    written(tmp_path, {"a.sql": text + "SELECT '" + "${v}" * 1_000 + "';\n"})
    with pytest.raises(InputError, match=r"a\.sql:4: more than 16,777,216 characters of placeholders"):
        open_schema(str(tmp_path), server=MYSQL)
