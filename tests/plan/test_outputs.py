"""A plan as Markdown, JSON under its schema, and as shell scripts that run nothing by themselves."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from schemacheck import catalog
from schemacheck.model import Link
from schemacheck.model.table import Size
from schemacheck.plan import document, markdown, plan_change
from schemacheck.plan import text as texts
from schemacheck.plan.runbook import runbook
from schemacheck.plan.scripts import scripts

BASE = "CREATE TABLE shop.t (id int NOT NULL PRIMARY KEY, a int, b varchar(20));"
CHANGE = "ALTER TABLE t ADD c int AFTER id, DROP COLUMN b; UPDATE t SET c = 1;"


def planned(sql: str = CHANGE, version: str = "mysql-9.7", base: str = BASE, **options):
    link = Link.of(version, binlog_format="ROW")
    return plan_change(catalog.read(base, link.source), sql, link, database="shop", **options)


def test_markdown_says_the_way_on_its_first_line():
    text = markdown.render(planned())
    assert text.startswith("### schemacheck plan: replicate every statement (server by server: lock-step)\n")
    assert "1. ✓ `shop.t`: drop b, add c int<br>⚠ loses the values of b" in text
    assert "ALTER TABLE t ADD c int AFTER id, DROP COLUMN b, ALGORITHM=INSTANT;" in text
    ordered = markdown.render(planned("ALTER TABLE t MODIFY a bigint", unlogged=True))
    assert ordered.startswith(
        "### schemacheck plan: change server by server (server by server: replica-first)"
    )
    none = markdown.render(planned("ALTER TABLE t ADD u varchar(36) DEFAULT (uuid())"))
    assert none.startswith("### schemacheck plan: there is no way to roll this out as it is")


def test_markdown_fits_into_a_comment_and_nothing_in_it_is_markup(monkeypatch):
    many = ";".join(f"ALTER TABLE t ADD `c{n}` int COMMENT '</details>```'" for n in range(9))
    whole = markdown.render(planned(many))
    assert "more steps" not in whole
    assert "````sql" in whole
    monkeypatch.setattr(markdown, "MOST_CHARACTERS", 5_000)
    text = markdown.render(planned(many))
    assert len(text) < 5_500
    assert "more steps" in text


@pytest.mark.parametrize("unlogged", [False, True])
def test_json_holds_to_its_schema(unlogged):
    import jsonschema

    schema = json.loads(Path("schemacheck/schemas/plan-1.schema.json").read_text("utf-8"))
    for sql in (CHANGE, "ALTER TABLE t MODIFY a bigint", "CALL p()", "DROP TABLE t", ""):
        page = json.loads(document.render(planned(sql, unlogged=unlogged)))
        jsonschema.validate(page, schema)


CLIENT = '#!/bin/bash\necho "ran with $*"\ncat\n'


@pytest.fixture
def folder(tmp_path):
    def write(found):
        for name, text in scripts(found).items():
            (tmp_path / name).write_text(text, "utf-8")
            (tmp_path / name).chmod(0o755)
        (tmp_path / "client").write_text(CLIENT)
        (tmp_path / "client").chmod(0o755)
        return tmp_path

    return write


def shell(folder: Path, name: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    more = {"MYSQL": str(folder / "client"), **environment}
    return subprocess.run(
        ["bash", str(folder / name), *arguments], env=os.environ | more, input="yes\n", text=True,
        capture_output=True, check=False,
    )  # fmt: skip


def test_a_script_runs_nothing_without_being_told(folder):
    where = folder(planned())
    assert sorted(p.name for p in where.iterdir()) == ["client", "replica.sh", "source.sh"]
    listed = shell(where, "source.sh")
    assert [line.split(".")[0] for line in listed.stdout.splitlines() if line[0].isdigit()] == list("1345")
    shown = shell(where, "source.sh", "3")
    assert "DROP COLUMN b, ALGORITHM=INSTANT;" in shown.stdout
    assert "ran with" not in shown.stdout
    assert "nothing was run" in shown.stdout
    ran = shell(where, "source.sh", "3", "--run")
    assert ran.stdout.count("ran with --binary-mode") == 1
    back = shell(where, "source.sh", "3", "--back", "--run")
    assert "ADD COLUMN `b` varchar(20)" in back.stdout
    assert shell(where, "source.sh", "1", "--run").returncode == 0
    for arguments in (("1", "--back", "--run"), ("1", "--back")):
        nothing = shell(where, "source.sh", *arguments)
        assert (nothing.returncode, "ran with" in nothing.stdout) == (1, False)
    assert (
        shell(where, "source.sh", "2").returncode,
        shell(where, "source.sh", "3", "--now").returncode,
    ) == (2, 2)


def test_a_script_waits_for_the_mark_that_it_is_given(folder):
    where = folder(planned())
    number = "6"
    assert "set GTIDS" in shell(where, "replica.sh", number, "--run").stderr
    assert "set GTIDS" in shell(where, "replica.sh", number, "--run", GTIDS="'); DROP TABLE t").stderr
    ran = shell(where, "replica.sh", number, "--run", GTIDS="3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5")
    assert "WAIT_FOR_EXECUTED_GTID_SET('3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5', 600);" in ran.stdout


def test_nothing_in_a_statement_gets_out_of_its_script(folder, tmp_path):
    base = "CREATE TABLE shop.t (id int PRIMARY KEY, `x\nEND\ntouch pwned\n.` int, `$(touch pwned)` int);"
    where = folder(
        planned("ALTER TABLE t DROP COLUMN `x\nEND\ntouch pwned\n.`, DROP COLUMN `$(touch pwned)`", base=base)
    )
    for name in ("source.sh", "replica.sh"):
        for arguments in ((), ("3",), ("3", "--run"), ("3", "--back")):
            shell(where, name, *arguments)
    assert not (tmp_path / "pwned").exists()
    assert not Path("pwned").exists()
    shown = shell(where, "source.sh", "3")
    assert "DROP COLUMN `$(touch pwned)`" in shown.stdout


def test_a_body_of_statements_has_another_delimiter():
    body = "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW BEGIN SET @a = '//'; SET @b = 1; END"
    plan = planned(f"DELIMITER $$\n{body}$$\nDELIMITER ;\nALTER TABLE t ADD c int;")
    for text in (texts.render(plan), markdown.render(plan), scripts(plan)["source.sh"]):
        lines = [line.strip() for line in text.splitlines()]
        at = lines.index(f"{body}///")
        assert (lines[at - 1], lines[at + 1]) == ("DELIMITER ///", "DELIMITER ;")


def test_a_column_gets_its_old_name_back():
    """Carried out on 5.6, 9.7 and 11.8, with names that change places: SHOW CREATE TABLE printed the same."""
    sql = "ALTER TABLE t CHANGE b Note varchar(30), ADD c int;"
    plan = planned(sql, base="CREATE TABLE shop.t (b varchar(20))")
    step = next(step for step in plan.runbook if step.rollback)
    assert step.rollback[-2:] == (
        "ALTER TABLE `shop`.`t` DROP COLUMN `c`, MODIFY COLUMN `Note` varchar(20) NULL DEFAULT NULL;",
        "ALTER TABLE `shop`.`t` CHANGE COLUMN `Note` `b` varchar(20) NULL DEFAULT NULL;",
    )
    assert "CHAR_LENGTH(`Note`) > 20" in step.rollback_before[0].sql


def test_tables_that_change_places_lose_nothing():
    """A copy is filled and takes the table's name: carried out on 9.7, rows and definitions equal."""
    swap = "RENAME TABLE t TO t_old, t_new TO t;"
    plan = planned(f"CREATE TABLE t_new LIKE t; ALTER TABLE t_new ADD c int; {swap}")
    step = next(step for step in plan.runbook if step.sql[-1:] == (swap,))
    assert (step.discards, step.cost) == ((), ("at once",))
    assert step.rollback[-1] == "RENAME TABLE `shop`.`t` TO `shop`.`t_new`, `shop`.`t_old` TO `shop`.`t`;"
    assert step.rollback_note == "rows stay in the table that they were written to"


def test_where_there_is_no_way_there_is_no_script():
    assert scripts(planned("ALTER TABLE t ADD u varchar(36) DEFAULT (uuid())")) == {}


def test_an_everyday_plan_fits_a_terminal():
    link = Link.of("mysql-8.4.4", binlog_format="ROW")
    base = "CREATE TABLE t (id int PRIMARY KEY, note varchar(100), legacy int)"
    sql = "ALTER TABLE t ADD paid datetime; ALTER TABLE t MODIFY note varchar(200); ALTER TABLE t DROP legacy"
    found = plan_change(catalog.read(base, link.source), sql, link)
    short, long = texts.render(found), texts.render(found, verbose=True)
    # A line that is too long for a terminal takes two of it.
    assert sum(max(1, -(-len(line) // 80)) for line in short.splitlines()) <= 40
    assert "SHOW CREATE TABLE" in long
    for text in (short[short.index("runbook") :], long[long.index("runbook") :]):
        look, do, back = (text.index(part) for part in ("trx_started", "ADD paid", "DROP COLUMN `paid`"))
        assert look < do < back
        # Looked at before it is taken back.
        assert text.index("CHAR_LENGTH(`note`) > 100") < text.index("MODIFY COLUMN `note` varchar(100)")


def test_sizes_that_a_running_source_tells_stand_in_the_runbook():
    found = planned("ALTER TABLE t MODIFY a bigint")
    told = runbook(found.stages, found.link, {("shop", "t"): Size(12, 3 << 20)})
    (step,) = (one for one in told if one.sql[-1:] and "MODIFY" in one.sql[-1])
    assert step.cost[0] == "every row is copied, with as much disk again (3 MB, about 12 rows), writes wait"
    assert runbook(found.stages, found.link) == found.runbook


def test_a_column_in_the_middle_is_one_cause():
    base = "CREATE TABLE shop.t (id int PRIMARY KEY, a int, b varchar(20), c date)"
    text = texts.render(planned("ALTER TABLE t ADD x time AFTER id", base=base, unlogged=True))
    first, *_ = (line for line in text.splitlines() if "[SC" in line)
    assert "[SC102]" in first
    assert "more" in text
