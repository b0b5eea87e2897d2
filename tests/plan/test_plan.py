"""Orders, stages, failover, and runbooks."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from functools import partial

import pytest

from schemacheck import catalog
from schemacheck import plan as planning
from schemacheck.engine import check_pair
from schemacheck.model import Effect, InputProblem, Link, LinkKind, Schema, Server
from schemacheck.model.filters import FilterSet
from schemacheck.plan import Action, Order
from schemacheck.plan.algorithm import way
from schemacheck.plan.model import StepKind, combined
from schemacheck.plan.rollout import rollout
from schemacheck.plan.scripts import scripts
from schemacheck.plan.verdict import exit_status, summary

ROW = {"binlog_format": "ROW"}
LINK = Link.of("mysql-8.0.36", **ROW)
#: Most tests here are about the order, server by server.
plan, plan_change = partial(planning.plan, unlogged=True), partial(planning.plan_change, unlogged=True)

BASE = """
CREATE TABLE shop.t (id int NOT NULL PRIMARY KEY, a int, b varchar(20), e enum('x','y'), UNIQUE KEY u (b));
CREATE TABLE shop.other (id int NOT NULL PRIMARY KEY);
"""


def read(text: str, link: Link = LINK) -> Schema:
    schema = catalog.read(text, link.source, database="shop")
    assert not schema.problems
    return schema


def change(sql: str, link: Link = LINK, **options):
    return plan_change(read(BASE, link), sql, link, database="shop", **options)


def one_of(sql: str):
    """The one table of a change where `t` has partitions."""
    parts = "PARTITION p0 VALUES LESS THAN (5), PARTITION p1 VALUES LESS THAN (8)"
    base = f"CREATE TABLE shop.t (id int NOT NULL PRIMARY KEY) PARTITION BY RANGE (id) ({parts});"
    other = "CREATE TABLE shop.other (id int NOT NULL PRIMARY KEY);"
    found = plan_change(read(base + other), sql, LINK, database="shop")
    assert not found.problems, found.problems
    (table,) = found.tables
    return table


def one(sql: str, link: Link = LINK, **options):
    found = change(sql, link, **options)
    assert not found.problems, found.problems
    (table,) = found.tables
    return table


def test_a_table_that_comes_is_on_the_replica_first_and_one_that_goes_leaves_the_source_first():
    created, dropped = one("CREATE TABLE n (a int)"), one("DROP TABLE other")
    assert (created.action, created.order) == (Action.CREATE, Order.REPLICA_FIRST)
    assert created.source_first.obstacles[0].error.number == 1146
    assert (dropped.action, dropped.order) == (Action.DROP, Order.SOURCE_FIRST)
    assert dropped.replica_first.obstacles[0].error.number == 1146


def test_a_renamed_table_is_lock_step_and_may_be_replicated():
    for sql in ("RENAME TABLE other TO another", "ALTER TABLE other RENAME TO another"):
        table = one(sql)
        assert (table.action, table.order, table.replicates) == (Action.RENAME, Order.LOCK_STEP, True)
        assert {p.obstacles[0].error.number for p in table.passages} == {1146}


@pytest.mark.parametrize(
    "sql", ["TRUNCATE TABLE t", "ALTER TABLE t DROP PARTITION p0", "ALTER TABLE shop.t TRUNCATE PARTITION p0"]
)
def test_ddl_that_takes_rows_away_must_be_replicated(sql):
    table = one_of(sql)
    assert (table.action, table.order) == (Action.DATA, Order.LOCK_STEP)
    assert "without row events" in table.notes[0]


def test_partitions_that_are_cut_anew_are_told():
    assert "1526" in one_of("ALTER TABLE t ADD PARTITION (PARTITION p9 VALUES LESS THAN (9))").notes[0]


def test_what_a_source_writes_into_a_new_column_too_early_is_lost():
    table = one("ALTER TABLE t ADD COLUMN c int DEFAULT 3")
    assert table.order is Order.REPLICA_FIRST
    (obstacle,) = table.source_first.obstacles
    assert (obstacle.effect, obstacle.column, obstacle.rows) == (Effect.DIVERGES, "c", True)
    assert table.failover.obstacles[0].column == "c"


def test_the_setting_that_is_needed_keeps_what_is_set_already():
    assert one("ALTER TABLE t MODIFY a bigint").modes == "ALL_NON_LOSSY"
    link = Link.of("mysql-8.0.36", **ROW, slave_type_conversions="ALL_LOSSY")
    assert one("ALTER TABLE t MODIFY a bigint", link).modes == "ALL_LOSSY,ALL_NON_LOSSY"
    given = Link.of("mysql-8.0.36", **ROW, slave_type_conversions="ALL_NON_LOSSY")
    assert one("ALTER TABLE t MODIFY a bigint", given).modes is None


def test_a_promoted_replica_feeds_the_old_source_only_where_the_way_back_is_safe():
    wider = one("ALTER TABLE t MODIFY a bigint")
    assert not wider.failover.safe
    assert wider.failover.link.source == LINK.replica
    assert one("ALTER TABLE t ADD INDEX (a)").failover.safe


def test_statements_that_one_order_suits_go_together():
    found = change(
        "ALTER TABLE t MODIFY a bigint; ALTER TABLE other ADD c int; ALTER TABLE t ADD UNIQUE (a); ALTER "
        "TABLE other ADD INDEX (c);"
    )
    # Of each table one statement to a stage; one setting to a stage.
    assert [(s.order, len(s.statements)) for s in found.stages] == [
        (Order.REPLICA_FIRST, 1),
        (Order.REPLICA_FIRST, 1),
        (Order.SOURCE_FIRST, 2),
    ]
    assert found.order is Order.STAGED
    assert exit_status(found) == 0
    whole = next(t for t in found.tables if t.table == "t")
    assert whole.order is Order.STAGED


def test_rows_of_a_migration_are_replicated_between_its_stages():
    found = change("ALTER TABLE t ADD c int; UPDATE t SET c = a; ALTER TABLE t MODIFY c int NOT NULL;")
    assert [s.order for s in found.stages] == [Order.REPLICA_FIRST, Order.ANY, Order.SOURCE_FIRST]
    update = next(s for s in found.runbook if any(x.startswith("UPDATE") for x in s.sql))
    assert update.where == "source"
    assert not any("sql_log_bin" in x for x in update.sql)


def test_the_settings_are_set_before_and_set_back_after_both_ends_have_the_change():
    for version, name, stop in (("mysql-5.6", "slave_type_conversions", "STOP SLAVE SQL_THREAD;"), ("mysql-8.4", "replica_type_conversions", "STOP REPLICA SQL_THREAD;"), ("mariadb-11.8", "slave_type_conversions", "STOP SLAVE SQL_THREAD;")):  # fmt: skip  # noqa: E501
        book = change("ALTER TABLE t MODIFY a bigint", Link.of(version, **ROW)).runbook
        sql = [s for step in book for s in step.sql]
        first, last = (
            sql.index(f"SET GLOBAL {name} = 'ALL_NON_LOSSY';"),
            sql.index(f"SET GLOBAL {name} = '';"),
        )
        alters = [i for i, s in enumerate(sql) if s.startswith("ALTER")]
        assert len(alters) == 2
        assert first < alters[0] < alters[1] < last
        assert [s.where for s in book if any(x.startswith("ALTER") for x in s.sql)] == [
            "every replica, one after the other",
            "source",
        ]
        assert stop in sql
        for index in alters:
            assert "SET SESSION sql_log_bin = 0;" in sql[:index][-3:]
        assert [s.number for s in book] == list(range(1, len(book) + 1))


def test_statements_spelled_by_version():
    def book(version):
        return " ".join(
            s
            for step in change("ALTER TABLE t ADD UNIQUE (a)", Link.of(version, **ROW)).runbook
            for s in step.sql
        )

    assert "SHOW BINARY LOG STATUS" in book("mysql-8.4")
    assert "SHOW MASTER STATUS" in book("mysql-8.0.36")
    assert "SOURCE_POS_WAIT" in book("mysql-8.0.36")
    assert "MASTER_POS_WAIT" in book("mysql-5.7")
    assert "MASTER_GTID_WAIT" in book("mariadb-10.11")


def test_source_first_waits_for_the_rows_of_the_old_definition():
    book = change("ALTER TABLE t ADD UNIQUE (a)").runbook
    order = [step.where for step in book]
    assert order[0] == "source"
    wait = next(i for i, step in enumerate(book) if any("POS_WAIT" in s for s in step.sql))
    alter = next(
        i
        for i, step in enumerate(book)
        if step.where != "source" and any(s.startswith("ALTER") for s in step.sql)
    )
    assert wait < alter


def test_mixed_versions_a_replica_that_does_not_take_the_statement():
    link = Link(Server.parse("mysql-8.0.36", ROW), Server.parse("mysql-5.6", ROW))
    table = one("ALTER TABLE t ADD g int AS (a + 1)", link)
    assert table.order is Order.IMPOSSIBLE
    assert "MySQL 5.6" in table.blocked


def test_mixed_versions_a_check_that_only_one_end_keeps():
    link = Link(Server.parse("mysql-5.7", ROW), Server.parse("mysql-8.0.36", ROW))
    table = one("ALTER TABLE t ADD CHECK (a > 0)", link)
    assert table.order is Order.IMPOSSIBLE
    assert "the replica checks (a>0) and the source does not" in table.blocked


def test_a_new_definition_that_never_replicates_is_impossible():
    link = Link(Server.parse("mysql-9.7", ROW), Server.parse("mariadb-11.8", ROW))
    old = catalog.read("CREATE TABLE t (id int NOT NULL PRIMARY KEY)", link.source, database="d")
    new = catalog.read("CREATE TABLE t (id int NOT NULL PRIMARY KEY, v vector(3))", link.source, database="d")
    found = plan(old, new, link)
    assert found.order is Order.IMPOSSIBLE
    assert exit_status(found) == 1
    assert "Stop here" in found.runbook[0].text


def test_statement_format_is_another_question():
    link = Link.of("mysql-8.0.36", binlog_format="STATEMENT")
    assert one("ALTER TABLE t RENAME COLUMN a TO c", link).order is Order.LOCK_STEP
    assert one("ALTER TABLE t RENAME COLUMN a TO c").order is Order.ANY


def test_a_filtered_table_goes_in_any_order():
    filters = FilterSet(ignore_table=("shop.t",))
    assert one("ALTER TABLE t MODIFY a bigint FIRST", filters=filters).order is Order.ANY
    assert one("ALTER TABLE other MODIFY id bigint", filters=filters).order is Order.REPLICA_FIRST


@pytest.mark.parametrize(
    ("given", "sql", "replicated"),
    [
        (FilterSet(do_db=("shop",)), "ALTER TABLE t MODIFY a bigint", True),
        # The default database decides, not the table's own: rows arrive, the statement does not.
        (FilterSet(do_db=("shop",)), "USE crm; ALTER TABLE shop.t MODIFY a bigint", False),
        (FilterSet(ignore_db=("crm",)), "USE crm; ALTER TABLE shop.t ADD c int AFTER id", False),
        (FilterSet(ignore_table=("shop.t",)), "ALTER TABLE t MODIFY a bigint", False),
        (FilterSet(wild_ignore_table=("crm.%",)), "USE crm; ALTER TABLE shop.t MODIFY a bigint", True),
    ],
)
def test_a_statement_that_filters_keep_out_is_not_replicated(given, sql, replicated):
    found = planning.plan_change(read(BASE), sql, LINK, database="shop", filters=given)
    (table,) = found.tables
    assert found.stages[0].replicated is replicated
    assert ("filters" in table.replicates_not) is not replicated
    assert exit_status(found) == (0 if replicated or table.order.exists else 1)


def test_schema_to_schema_writes_the_statements():
    new = read(
        BASE.replace("a int", "a bigint").replace(
            "CREATE TABLE shop.other (id int NOT NULL PRIMARY KEY);", "CREATE TABLE shop.fresh (id int);"
        )
    )
    found = plan(read(BASE), new, LINK)
    assert [(s.tables[0].action, s.order) for s in found.statements] == [
        (Action.ALTER, Order.REPLICA_FIRST),
        (Action.CREATE, Order.REPLICA_FIRST),
        (Action.DROP, Order.SOURCE_FIRST),
    ]
    assert found.statements[0].sql == "ALTER TABLE `shop`.`t` MODIFY COLUMN `a` bigint NULL DEFAULT NULL"
    assert [len(s.statements) for s in found.stages] == [2, 1]


def test_nothing_changes():
    found = plan(read(BASE), read(BASE), LINK)
    assert (found.order, found.runbook, summary(found), exit_status(found)) == (
        Order.ANY,
        (),
        "nothing changes",
        0,
    )


def test_unknown_is_never_an_order():
    for sql in (
        "ALTER TABLE t MODIFY a nonsense",
        "ALTER TABLE nowhere ADD a int",
        "PREPARE s FROM @x; EXECUTE s",
    ):
        found = change(sql)
        assert found.order is Order.UNKNOWN
        assert exit_status(found) == 3


def test_ghost_tables_of_the_tools():
    schema = read(BASE + "CREATE TABLE shop._t_gho LIKE shop.t; ALTER TABLE shop._t_gho MODIFY a "
                         "bigint; CREATE TABLE shop._t_ghc (id int); CREATE TABLE "
                         "shop._t_20240131235959_del (id int); CREATE TABLE shop._other_old (id "
                         "int); CREATE TABLE shop._lonely_old (id int);")  # fmt: skip
    found = plan(schema, schema, LINK)
    assert {(g.name, g.tool, g.role, g.table) for g in found.ghosts} == {
        ("_t_gho", "gh-ost", "copy", "t"),
        ("_t_ghc", "gh-ost", "changelog", "t"),
        ("_t_20240131235959_del", "gh-ost", "old", "t"),
        ("_other_old", "pt-online-schema-change", "old", "other"),
    }
    assert found.tables == ()


def test_a_cut_over_is_a_statement_to_replicate():
    sql = (
        "CREATE TABLE _t_new LIKE t; ALTER TABLE _t_new MODIFY a bigint; INSERT INTO _t_new SELECT * FROM "
        "t; RENAME TABLE t TO _t_old, _t_new TO t; DROP TABLE _t_old;"
    )
    found = change(sql, unlogged=False)
    table = next(t for t in found.statements[3].tables if t.table == "t")
    assert (table.action, table.order) == (Action.DATA, Order.LOCK_STEP)
    # A table of the change is no tool's, whatever its name: its rows may be all that there are.
    assert any("discards every row of shop._t_old" in " ".join(step.discards) for step in found.runbook)
    assert any("replica-first" in n for n in table.notes)
    assert next(s for s in found.runbook if any(x.startswith("RENAME") for x in s.sql)).where == "source"
    assert exit_status(found) == 0
    assert exit_status(change(sql)) == 1


def test_a_runbook_stops_at_what_must_not_be_run():
    found = change("ALTER TABLE t ADD c int; ALTER TABLE t MODIFY a varchar(9);")
    assert [s.order for s in found.stages] == [Order.REPLICA_FIRST, Order.LOCK_STEP]
    assert "varchar(9)" not in " ".join(sql for step in found.runbook for sql in step.sql)
    assert "plan it without --unlogged" in found.runbook[-1].text
    assert not scripts(found)
    # Rows that every server fills in by itself: replicated it is not safe either.
    found = planning.plan_change(read(BASE), "ALTER TABLE t ADD c char(36) DEFAULT (UUID())", LINK)
    assert (found.runbook[-1].kind, scripts(found)) == (StepKind.STOP, {})


def test_plans_are_values():
    found = change("ALTER TABLE t MODIFY a bigint; ALTER TABLE t ADD c int FIRST")
    assert pickle.loads(pickle.dumps(found)) == found
    assert found == change("ALTER TABLE t MODIFY a bigint; ALTER TABLE t ADD c int FIRST")
    with pytest.raises(AttributeError):
        found.link = None


def test_orders_combine():
    assert combined([]) is Order.ANY
    assert combined([Order.ANY, Order.SOURCE_FIRST]) is Order.SOURCE_FIRST
    assert combined([Order.REPLICA_FIRST, Order.SOURCE_FIRST]) is Order.LOCK_STEP
    assert combined([Order.UNKNOWN, Order.LOCK_STEP]) is Order.UNKNOWN


def test_the_default_database_of_a_script_is_in_the_runbook():
    found = plan_change(read(BASE), "USE shop; ALTER TABLE t MODIFY a bigint", LINK)
    assert all("USE `shop`;" in s.sql for s in found.runbook if any(re.match("ALTER", x) for x in s.sql))


def test_the_page_about_planning_runs():
    from pathlib import Path

    text = (Path(__file__).parents[2] / "docs" / "plan.md").read_text("utf-8")
    (script,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(script, "docs/plan.md", "exec"), {})


def test_the_next_stage_begins_when_the_last_one_has_arrived():
    found = change("ALTER TABLE t ADD c int; ALTER TABLE t MODIFY a smallint; ALTER TABLE t ADD d int;")
    assert [s.order for s in found.stages] == [Order.REPLICA_FIRST, Order.SOURCE_FIRST, Order.REPLICA_FIRST]
    waits = [i for i, step in enumerate(found.runbook) if any("POS_WAIT" in s for s in step.sql)]
    alters = [i for i, step in enumerate(found.runbook) if any(s.startswith("ALTER") for s in step.sql)]
    assert len(waits) == 3, found.runbook
    assert alters[1] < waits[0] < alters[2] < waits[1] < alters[3] < waits[2]


def test_statements_that_replication_does_not_see_are_not_lost():
    found = change(
        "ALTER TABLE t COMMENT = 'x'; CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1; "
        "CREATE DATABASE more; SET NAMES utf8mb4;"
    )
    assert [(s.order, s.writes, len(s.tables)) for s in found.statements] == [
        (Order.ANY, False, 1),
        (Order.ANY, True, 0),
        (Order.ANY, True, 0),
    ]
    assert {s.split()[0] + s.split()[1] for step in found.runbook for s in step.sql} >= {
        "ALTERTABLE",
        "CREATETRIGGER",
        "CREATEDATABASE",
    }
    assert exit_status(found) == 0


def test_tables_that_need_settings_that_exclude_each_other_are_not_in_one_stage():
    base = read(
        "CREATE TABLE shop.s (id int NOT NULL PRIMARY KEY, a int); CREATE TABLE shop.u (id int unsigned "
        "NOT NULL PRIMARY KEY, a int unsigned);"
    )
    found = plan_change(
        base, "ALTER TABLE s MODIFY a bigint; ALTER TABLE u MODIFY a bigint unsigned;", LINK, database="shop"
    )
    assert [t.modes for t in found.tables] == ["ALL_NON_LOSSY", "ALL_NON_LOSSY,ALL_UNSIGNED"]
    assert len(found.stages) == 2
    same = plan_change(
        base, "ALTER TABLE s ADD b int; ALTER TABLE u ADD b int; ALTER TABLE s ADD c int", LINK,
        database="shop",
    )  # fmt: skip
    assert [len(stage.statements) for stage in same.stages] == [2, 1]


def test_a_column_in_the_place_of_another_is_no_rename():
    for sql in ("ALTER TABLE other ADD a int", "ALTER TABLE t DROP e, ADD f enum('x','y')"):
        table = one(sql)
        assert table.order is (Order.REPLICA_FIRST if "other" in sql else Order.LOCK_STEP)
    assert "e goes and f comes" in table.replica_first.obstacles[0].text
    renamed = read(BASE.replace("e enum", "f enum"))
    (told,) = plan(read(BASE), renamed, LINK).tables
    assert told.order is Order.LOCK_STEP
    assert "CHANGE COLUMN e f" in told.notes[0]
    for sql in (
        "ALTER TABLE t CHANGE e f enum('x','y')",
        "ALTER TABLE t RENAME COLUMN `e` TO `f`",
        "ALTER TABLE t CHANGE COLUMN e g enum('x','y'); ALTER TABLE t CHANGE g f enum('x','y')",
    ):
        found = change(sql)
        assert found.order is Order.ANY
        assert found.tables[0].order is Order.ANY


def test_a_database_that_only_one_side_names():
    base = read("CREATE TABLE shop.t (id int NOT NULL PRIMARY KEY)")
    bare_ = catalog.read("CREATE TABLE t (id bigint NOT NULL PRIMARY KEY)", LINK.source)
    assert [t.action for t in plan(base, bare_, LINK).tables] == [Action.ALTER]
    assert [t.action for t in plan(bare_, base, LINK).tables] == [Action.ALTER]
    assert plan_change(base, "ALTER TABLE t MODIFY id bigint NOT NULL", LINK).order is Order.REPLICA_FIRST


def test_what_differs_already_is_told_and_not_the_changes_doing():
    # MySQL 5.7 knows no CHECK, so the replica's is stricter today already.
    link = Link(Server.parse("mysql-5.7", ROW), Server.parse("mysql-8.0.36", ROW))
    base = Schema(
        (
            catalog.read(
                "CREATE TABLE t (id int NOT NULL PRIMARY KEY, a int, CHECK (a > 0))",
                link.replica,
                database="d",
                charsets={"d": ("utf8mb4", "utf8mb4_general_ci")},
            ).tables[0],
        )
    )
    found = plan_change(base, "ALTER TABLE t ADD INDEX (a)", link, database="d")
    (table,) = found.tables
    assert table.order is Order.ANY
    assert any(note.startswith("without the change already") for note in table.notes)


def test_the_settings_of_a_script_are_in_its_runbook():
    found = change(
        "SET sql_mode = ''; ALTER TABLE t ADD c int; SET NAMES latin1; ALTER TABLE t ADD d int; ALTER "
        "TABLE t ADD UNIQUE (a);"
    )
    assert [s.order for s in found.stages] == [Order.REPLICA_FIRST] * 2 + [Order.SOURCE_FIRST]
    for step in found.runbook:
        if "ALTER TABLE t ADD d int;" in step.sql:
            at = step.sql.index("SET sql_mode = '';")
            assert step.sql[at : at + 3] == (
                "SET sql_mode = '';",
                "SET NAMES latin1;",
                "ALTER TABLE t ADD d int;",
            )
        if "ALTER TABLE t ADD UNIQUE (a);" in step.sql:
            at = step.sql.index("SET sql_mode = '';")
            assert step.sql[at : at + 3] == (
                "SET sql_mode = '';",
                "SET NAMES latin1;",
                "ALTER TABLE t ADD UNIQUE (a);",
            )


@pytest.mark.parametrize(
    ("column", "older", "newer"),
    [
        ("json NOT NULL DEFAULT '{}'", Order.LOCK_STEP, Order.REPLICA_FIRST),
        ("text DEFAULT 'x'", Order.LOCK_STEP, Order.REPLICA_FIRST),
        ("text NOT NULL DEFAULT ''", Order.REPLICA_FIRST, Order.REPLICA_FIRST),
        ("int DEFAULT (1 + 1)", Order.REPLICA_FIRST, Order.REPLICA_FIRST),
        ("int DEFAULT (a + 1)", Order.LOCK_STEP, Order.LOCK_STEP),
        ("date DEFAULT (curdate())", Order.LOCK_STEP, Order.LOCK_STEP),
        ("varchar(9) DEFAULT ('user')", Order.REPLICA_FIRST, Order.REPLICA_FIRST),
        ("varchar(99) DEFAULT (current_user())", Order.IMPOSSIBLE, Order.IMPOSSIBLE),
    ],
)
def test_a_default_that_the_applier_does_not_fill_in(column, older, newer):
    for version, order in (("mariadb-10.11", older), ("mariadb-11.8", newer)):
        table = one(f"ALTER TABLE t ADD COLUMN c {column}", Link.of(version, **ROW))
        assert table.order is order, version


def test_the_rule_about_extra_columns_says_what_they_hold():
    from schemacheck.engine import check_pair

    def told(version: str, column: str) -> str:
        link = Link.of(version, **ROW)
        source, replica = (
            read(f"CREATE TABLE t (id int PRIMARY KEY, a int{more})", link).tables[0]
            for more in ("", f", c {column}")
        )
        (finding,) = check_pair(source, replica, link).findings
        return finding.message.rsplit("an inserted row gets ", 1)[1]

    assert told("mariadb-10.11", "text DEFAULT 'x'") == "an empty value, not its default"
    assert (
        told("mariadb-10.11", "date NOT NULL DEFAULT (curdate())")
        == "the zero value of its type, not its default"
    )
    assert told("mysql-5.6", "datetime DEFAULT CURRENT_TIMESTAMP") == "NULL, not its default"
    assert (
        told("mysql-9.7", "int DEFAULT (a + 1)") == "what its default gives for an empty row, not its default"
    )
    assert {
        told("mariadb-11.8", c) for c in ("text DEFAULT 'x'", "int DEFAULT (a + 1)", "int DEFAULT 7", "int")
    } == {"its default"}


MARIADB = Link.of("mariadb-10.11", **ROW)


@pytest.mark.parametrize(
    "definition",
    ["id int NOT NULL PRIMARY KEY", "id int NOT NULL PRIMARY KEY, c int", "id bigint NOT NULL PRIMARY KEY"],
)
def test_a_table_that_is_replaced_loses_its_rows(definition):
    table = one(f"CREATE OR REPLACE TABLE other ({definition})", MARIADB)
    assert (table.action, table.order) == (Action.DATA, Order.LOCK_STEP)
    assert "all its rows" in table.notes[0]
    assert len(table.notes) == 1
    assert one(f"CREATE OR REPLACE TABLE fresh ({definition})", MARIADB).order is Order.REPLICA_FIRST


def test_ignore_leaves_out_rows():
    assert one("ALTER IGNORE TABLE t ADD UNIQUE (a)", MARIADB).order is Order.LOCK_STEP
    assert one("ALTER ONLINE TABLE t ADD UNIQUE (a)", MARIADB).order is Order.SOURCE_FIRST
    refused = change("ALTER IGNORE TABLE t ADD UNIQUE (a)")
    assert (exit_status(refused), len(refused.problems)) == (3, 1)


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE t DROP COLUMN e, ADD COLUMN f enum('x','y') COMMENT 'CHANGE e f'",
        "ALTER TABLE t DROP COLUMN e, /* RENAME COLUMN e TO f */ ADD COLUMN f enum('x','y')",
        "ALTER TABLE t DROP COLUMN e, ADD COLUMN f enum('x','y') -- CHANGE COLUMN e f\n",
        "ALTER TABLE t DROP COLUMN e, ADD COLUMN f enum('x','y') # CHANGE e f\n",
        'ALTER TABLE t DROP COLUMN e, ADD COLUMN f enum("x","y") COMMENT "a\\", CHANGE e f"',
        (
            "SET sql_mode = 'NO_BACKSLASH_ESCAPES'; ALTER TABLE t DROP COLUMN e, ADD COLUMN f enum('x','y') "
            "COMMENT '\\', COMMENT 'CHANGE e f'"
        ),
    ],
)
def test_no_rename_is_read_out_of_comments_and_strings(sql):
    assert one(sql).order is Order.LOCK_STEP


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE t CHANGE e f enum('x','y')",
        "ALTER TABLE t /*!50000 CHANGE */ COLUMN `e` /* x */ `f` enum('x','y')",
        'SET sql_mode = \'ANSI_QUOTES\'; ALTER TABLE "t" RENAME COLUMN "e" TO "f"',
    ],
)
def test_a_rename_is_read_however_it_is_written(sql):
    assert one(sql).order is Order.ANY


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE t COMMENT 'DROP PARTITION p'",
        "ALTER TABLE t ADD COLUMN `drop` int COMMENT ', TRUNCATE PARTITION'",
        "ALTER TABLE t ADD INDEX i (a) COMMENT 'EXCHANGE PARTITION'",
    ],
)
def test_nothing_takes_rows_in_comments_and_strings(sql):
    assert Action.DATA not in [t.action for s in change(sql).statements for t in s.tables]


def test_a_statement_in_a_versioned_comment_runs():
    table = one("/*!50100 TRUNCATE TABLE shop.t */")
    assert (table.action, table.order) == (Action.DATA, Order.LOCK_STEP)
    assert one_of("/*!50100 ALTER TABLE t DROP PARTITION p0 */").action is Action.DATA
    # What is left without its tablespace is not followed: never a pass.
    assert exit_status(change("ALTER TABLE t DISCARD TABLESPACE")) == 3
    assert change("/*!99999 TRUNCATE TABLE shop.t */").statements == ()
    assert change("/*M!100100 TRUNCATE TABLE shop.t */").statements == ()
    assert one("/*M!100100 TRUNCATE TABLE shop.t */", MARIADB).action is Action.DATA


@pytest.mark.parametrize(
    "sql",
    [
        "WITH x AS (SELECT 1) DELETE FROM t",
        "WITH x AS (SELECT 1 UNION SELECT 2) UPDATE t SET a = 1",
        "DELETE FROM t",
        "LOAD DATA INFILE 'x' INTO TABLE t",
        "GRANT SELECT ON *.* TO u",
        "OPTIMIZE TABLE t",
        "ANALYZE TABLE t",
    ],
)
def test_what_writes_rows_or_is_only_replicated_is_in_the_plan(sql):
    found = change(sql)
    assert [(s.writes, s.sql) for s in found.statements] == [(True, sql)]
    assert exit_status(found) == 0


@pytest.mark.parametrize(
    "sql",
    [
        "IMPORT TABLE FROM 'x.sdi'", "BEGIN NOT ATOMIC DELETE FROM t; END",
        "SET STATEMENT max_statement_time=1 FOR DELETE FROM t", "CALL p()", "DO f()",
        "ANALYZE UPDATE t SET a = 1",
        "HANDLER t OPEN", "STOP SLAVE", "START SLAVE", "SOURCE x.sql", "\\. x.sql",
        "INSTALL PLUGIN x SONAME 'y'", "TRUNCATE nowhere", "EXECUTE s",
        "EXECUTE IMMEDIATE 'DELETE FROM t'", "SET sql_log_bin = 1-1; DELETE FROM t",
        "SET NAMES utf8mb4, @@session.sql_log_bin = (SELECT 0); DELETE FROM t",
        "SET GLOBAL binlog_format = ROW", "SET @a = 1, @@GLOBAL.sql_mode = ''", "SET PERSIST server_id = 7",
        "SET gtid_next = '3E11FA47-71CA-11E1-9E33-C80AA9429562:23'", "SET gtid_domain_id = 7",
        "SET SESSION binlog_row_image = MINIMAL; DELETE FROM t", "SET skip_replication = 1; DELETE FROM t",
    ],
)  # fmt: skip
def test_what_is_not_known_to_leave_rows_alone_is_no_pass(sql):
    for link in (LINK, MARIADB):
        assert exit_status(change(sql, link)) == 3, link


@pytest.mark.parametrize(
    "sql",
    [
        "SET NAMES utf8mb4",
        "SET @@foreign_key_checks = 0, @'a' = 1, @`b` := 2",
        "SET @@GLOBAL.local_infile = 1",
        "USE shop",
        "SELECT 1",
        "(SELECT 1) UNION (SELECT 2)",
        "WITH x AS (SELECT 1) SELECT * FROM x",
        "SHOW TABLES",
        "LOCK TABLES t WRITE",
        "UNLOCK TABLES",
        "BEGIN",
        "START TRANSACTION",
        "COMMIT",
        "/*!40101 SET NAMES utf8 */",
        "/* nothing */",
        "DESC t",
        "/*!999999\\- enable the sandbox mode */",
    ],
)
def test_what_changes_nothing_is_left_out(sql):
    found = change(sql)
    assert (found.statements, found.problems) == ((), ())


def test_a_statement_of_any_length_that_only_writes_rows_is_known():
    found = change("INSERT INTO t (id) VALUES " + ",".join(f"({n})" for n in range(150_000)))
    assert [(s.writes, len(found.problems)) for s in found.statements] == [(True, 0)]


def whole(old: str, new: str):
    return plan(read(old), read(new), LINK)


def test_keys_that_come_by_alter_belong_to_a_new_table():
    found = whole(
        "CREATE TABLE shop.a (id int)",
        "CREATE TABLE shop.a (id int); CREATE TABLE shop.b (id int NOT NULL); ALTER TABLE shop.b ADD "
        "PRIMARY KEY (id);"
        "ALTER TABLE shop.b MODIFY id int NOT NULL AUTO_INCREMENT",
    )
    (one_statement,) = found.statements
    made = read(one_statement.sql).tables
    assert [(t.primary_key is not None, t.columns[0].auto_increment) for t in made] == [(True, True)]


def test_parents_come_before_their_children_and_go_behind_them():
    child = "CREATE TABLE shop.c (id int PRIMARY KEY, p int, FOREIGN KEY (p) REFERENCES shop.p (id));"
    parent = "CREATE TABLE shop.p (id int PRIMARY KEY);"
    come = whole("CREATE TABLE shop.x (a int)", "CREATE TABLE shop.x (a int);" + child + parent)
    assert [s.tables[0].table for s in come.statements] == ["p", "c"]
    gone = whole("CREATE TABLE shop.x (a int);" + parent + child, "CREATE TABLE shop.x (a int)")
    assert [s.tables[0].table for s in gone.statements] == ["c", "p"]


def test_a_circle_of_foreign_keys_is_ordered_all_the_same():
    from schemacheck.plan.difference import _parents_first

    names = [("shop", n) for n in "abc"]
    one_way = read(
        "CREATE TABLE shop.c (id int PRIMARY KEY); CREATE TABLE shop.b (id int PRIMARY KEY, FOREIGN KEY "
        "(id) REFERENCES shop.c (id));"
        "CREATE TABLE shop.a (id int PRIMARY KEY, FOREIGN KEY (id) REFERENCES shop.b (id));"
        "ALTER TABLE shop.c ADD FOREIGN KEY (id) REFERENCES shop.a (id)"
    )
    order, circle = _parents_first(names, {(t.database, t.name): t for t in one_way.tables})
    assert sorted(order) == names
    assert circle


def test_a_foreign_key_that_changes_under_its_name_takes_two_alters():
    parent = "CREATE TABLE shop.p (id int PRIMARY KEY);"
    child = (
        "CREATE TABLE shop.c (id int PRIMARY KEY, p int, CONSTRAINT f FOREIGN KEY (p) REFERENCES "
        "shop.p (id){});"
    )
    found = whole(parent + child.format(""), parent + child.format(" ON DELETE CASCADE"))
    assert [one_statement.sql.count("CONSTRAINT") for one_statement in found.statements] == [0, 1]


def test_a_table_that_becomes_a_view_is_never_any_order():
    found = whole("CREATE TABLE shop.t (a int)", "CREATE VIEW shop.t AS SELECT 1 AS a")
    assert (found.order, exit_status(found)) == (Order.UNKNOWN, 3)
    assert "1347" in found.problems[0].message
    in_steps = change("DROP TABLE other; CREATE VIEW other AS SELECT 1 AS id")
    assert all(t.order is not Order.ANY for t in in_steps.tables if t.table == "other")


def test_a_change_that_cannot_be_written_leaves_the_plan_incomplete():
    found = whole("CREATE TABLE shop.t (a int)", "CREATE VIEW shop.t AS SELECT 1 AS a")
    assert not found.statements
    assert exit_status(found) == 3
    from schemacheck.plan.difference import incomplete

    assert "no statement could be written" in incomplete(*read(BASE).tables[:2]).message


def test_partitions_are_a_statement_of_their_own():
    ranges = "CREATE TABLE shop.t (a int{}) PARTITION BY RANGE (a) ({})"
    parts = [f"PARTITION p{n} VALUES LESS THAN ({n})" for n in (1, 2, 3, 4)]

    def written(old: list[str], new: list[str], more: str = "") -> list[str]:
        found = whole(ranges.format("", ", ".join(old)), ranges.format(more, ", ".join(new)))
        return [s.sql.removeprefix("ALTER TABLE `shop`.`t` ") for s in found.statements]

    assert written(parts[:2], parts[:3]) == [f"ADD PARTITION ({parts[2]})"]
    assert written(parts[:3], parts[:2]) == [f"PARTITION BY RANGE (a) ({parts[0]}, {parts[1]})"]
    assert written([parts[0], parts[2]], parts[:3]) == [f"PARTITION BY RANGE (a) ({', '.join(parts[:3])})"]
    assert written(parts[:2], parts[:3], ", b int COMMENT 'x'")[0] == "REMOVE PARTITIONING"


def test_comments_and_options_are_changes_too():
    old = "CREATE TABLE shop.t (a int COMMENT 'x', b int, KEY k (a)) COMMENT='one'"
    new = "CREATE TABLE shop.t (b bigint, a int COMMENT 'y', KEY k (a) COMMENT 'z') ROW_FORMAT=COMPACT"
    (statement,) = whole(old, new).statements
    assert statement.sql.split("\n  ") == [
        "ALTER TABLE `shop`.`t`",
        "DROP INDEX `k`,",
        "MODIFY COLUMN `b` bigint NULL DEFAULT NULL FIRST,",
        "MODIFY COLUMN `a` int NULL DEFAULT NULL COMMENT 'y',",
        "ADD INDEX `k` (`a`) COMMENT 'z',",
        "ROW_FORMAT=COMPACT,",
        "COMMENT='',",
        "ALGORITHM=COPY",
    ]
    (alone,) = whole(old, old.replace("'one'", "'two'")).statements
    assert (alone.sql, alone.tables, alone.order) == (
        "ALTER TABLE `shop`.`t` COMMENT='two'", (), Order.ANY
    )  # fmt: skip


def test_a_column_that_a_foreign_key_binds_changes_without_it():
    tables = (
        "CREATE TABLE shop.p (id {0} PRIMARY KEY);"
        "CREATE TABLE shop.c (p {0}, CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id))"
    )
    found = whole(tables.format("int"), tables.format("bigint"))
    assert [s.sql.split("`shop`.")[1][4:12] for s in found.statements] == [
        "DROP FOR",
        "MODIFY C",
        "MODIFY C",
        "ADD CONS",
    ]


def test_what_a_dropped_column_discards_is_said_with_its_query():
    table = one("ALTER TABLE t DROP COLUMN e")
    assert any("SELECT COUNT(`e`) FROM `shop`.`t` counts" in note for note in table.notes)
    renamed = one("ALTER TABLE t RENAME COLUMN e TO f")
    assert not any("discards" in note for note in renamed.notes)


def test_statements_that_are_safe_so_are_replicated():
    sql = "ALTER TABLE t ADD c int AFTER id; UPDATE t SET c = a; ALTER TABLE t MODIFY c bigint NOT NULL;"
    found = planning.plan_change(read(BASE), sql, LINK, database="shop")
    (stage,) = found.stages
    assert (stage.replicated, exit_status(found), found.order) == (True, 0, Order.LOCK_STEP)
    assert summary(found).endswith("replicate every statement")
    everything = [s for step in found.runbook for s in step.sql]
    assert not any("sql_log_bin" in s or "STOP" in s for s in everything)
    # One default database, one place in the log to wait for, a query about what does not fit.
    assert sum(s == "USE `shop`;" for s in everything) == 3
    kinds = [step.kind.value for step in found.runbook]
    assert kinds == ["look", "look", "run", "run", "look", "run", "mark", "wait"]
    last = found.runbook[5]
    assert (found.runbook[4].side, found.runbook[4].before) == ("replica", last.before)
    assert last.before[0].sql == "SELECT COUNT(*) FROM `shop`.`t` WHERE `c` IS NULL"
    assert last.rollback[1:] == ("ALTER TABLE `shop`.`t` MODIFY COLUMN `c` int NULL DEFAULT NULL;",)
    # A default of each server's own is safe in neither way.
    sql = "ALTER TABLE t ADD u varchar(36) DEFAULT (uuid())"
    own = planning.plan_change(read(BASE), sql, LINK, database="shop")
    assert (own.stages[0].replicated, exit_status(own)) == (False, 1)
    # Nor are numbers for rows that no key orders; with a key every server gives the same.
    bare = read("CREATE TABLE shop.n (a int); CREATE TABLE shop.k (a int PRIMARY KEY)")
    sql = "ALTER TABLE {} ADD id int AUTO_INCREMENT, ADD UNIQUE (id)"
    numbered = [planning.plan_change(bare, sql.format(t), LINK, database="shop") for t in "nk"]
    assert [one.stages[0].replicated for one in numbered] == [False, True]
    # What the source does not log is not planned as if it did.
    for name, status in (("sql_log_bin", 3), ("@@session.sql_log_bin", 3), ("@@session.sort_buffer_size", 0)):
        unlogged = planning.plan_change(read(BASE), f"SET {name} = 0; ALTER TABLE t ADD u int", LINK)
        assert exit_status(unlogged) == status


def test_the_algorithm_is_the_recorded_one_of_the_version():
    def first(version: str, sql: str, replica: str | None = None, base: str = BASE):
        link = Link.of(version, replica, **ROW | {"gtid_mode": "ON"} if "mysql" in version else ROW)
        found = planning.plan_change(read(base, link), sql, link, database="shop")
        step = next(s for s in found.runbook if any(x.startswith("ALTER") for x in s.sql))
        return next(x for x in step.sql if x.startswith("ALTER")), step.cost[0]

    text, cost = first("mysql-9.7", "ALTER TABLE t ADD c int")
    assert text == "ALTER TABLE t ADD c int, ALGORITHM=INSTANT;"
    assert cost == "at once"
    assert first("mysql-5.6", "ALTER TABLE t ADD c int")[0].endswith("ALGORITHM=INPLACE, LOCK=NONE;")
    assert first("mariadb-11.8", "ALTER TABLE t MODIFY a bigint")[0].endswith("ALGORITHM=COPY, LOCK=NONE;")
    plain = "CREATE TABLE shop.t (id int)"
    assert first("mariadb-11.8", "ALTER TABLE t PARTITION BY HASH (id)", base=plain)[0].endswith(" (id);")
    # MariaDB copies a table whose foreign key cascades under a lock (1846).
    child = "CREATE TABLE shop.c (id int, n int, FOREIGN KEY (id) REFERENCES t (id) ON DELETE CASCADE)"
    text, cost = first("mariadb-11.8", "ALTER TABLE c MODIFY n bigint", base=f"{BASE}{child}")
    assert text.endswith("ALGORITHM=COPY, LOCK=SHARED;")
    assert "writes wait" in cost
    # What nobody asked and no manual says, two versions that differ, two kinds of change at once.
    for version, replica, sql in (
        ("mysql-8.0.36", None, "COMMENT 'x'"), ("mariadb-10.11", "mariadb-11.8", "MODIFY a bigint"),
        ("mysql-9.7", None, "ADD c int AS (a) VIRTUAL, ADD KEY (a)"), ("mysql-8.0.20", None, "DROP a"),
    ):  # fmt: skip
        text, cost = first(version, f"ALTER TABLE t {sql}", replica)
        assert "ALGORITHM" not in text
        # Two ways that differ: the one that takes longer.
        assert cost.startswith("every row is copied" if replica else "not known")


@pytest.mark.parametrize(
    ("sql", "mysql", "mariadb"),
    [
        ("CREATE INDEX k ON c (n)", " ALGORITHM=INPLACE LOCK=NONE", " ALGORITHM=NOCOPY LOCK=NONE"),
        ("DROP INDEX n ON c", " ALGORITHM=INPLACE LOCK=NONE", ""),
        ("ALTER TABLE c CHANGE n m int", ", ALGORITHM=INSTANT", ", ALGORITHM=INSTANT"),
        ("ALTER TABLE c CHANGE p q int", ", ALGORITHM=INSTANT", ", ALGORITHM=INSTANT"),
        # The key that refers to it stands in another table.
        ("ALTER TABLE t RENAME COLUMN id TO i", "", ", ALGORITHM=INSTANT"),
        ("ALTER TABLE c CHANGE n m int(9)", ", ALGORITHM=INSTANT", ", ALGORITHM=INSTANT"),
    ],
)
def test_the_algorithm_beside_foreign_keys_and_of_indexes(sql, mysql, mariadb):
    child = (
        "CREATE TABLE shop.c (id int PRIMARY KEY, p int, n int, KEY (n), FOREIGN KEY (p) REFERENCES t (id))"
    )
    for version, clause in (("mysql-9.7", mysql), ("mariadb-11.8", mariadb)):
        link = Link.of(version, **ROW)
        base = read(f"CREATE TABLE shop.t (id int PRIMARY KEY, a int); {child}", link)
        found = planning.plan_change(base, sql, link, database="shop")
        (step,) = (one for one in found.runbook if one.kind is StepKind.RUN)
        assert step.sql[-1] == f"{sql}{clause};"
        assert step.cost[0].startswith("not known") == (sql.endswith("TO i") and not clause)


@pytest.mark.parametrize(
    ("sql", "loses", "before", "note"),
    [
        (
            "ALTER TABLE t MODIFY a int AS (id + 1) STORED",
            "expression that a gets discards its values",
            "",
            "",
        ),
        (
            "ALTER TABLE t CHANGE a b int AS (id + 1) STORED",
            "expression that b gets discards its values",
            "",
            "",
        ),
        ("ALTER TABLE t MODIFY g int", "", "", ""),
        ("ALTER TABLE t MODIFY bin binary(8)", "", "", "bin: a binary becomes a binary; no query finds"),
        ("ALTER TABLE t MODIFY a int NOT NULL AUTO_INCREMENT, ADD KEY (a)", "", "`a` = 0", ""),
        # The row is not new: it gets no 0.
        ("ALTER TABLE t CHANGE n m int NOT NULL", "", "", ""),
    ],
)
def test_values_that_go_and_rows_to_look_for(sql, loses, before, note):
    link = Link.of("mysql-9.7", **ROW)
    body = "id int PRIMARY KEY, a int, n int NOT NULL, bin binary(4), g int AS (id + 2) STORED"
    found = planning.plan_change(read(f"CREATE TABLE shop.t ({body})", link), sql, link, database="shop")
    (step,) = (one for one in found.runbook if one.kind is StepKind.RUN)
    assert bool(step.discards) == bool(loses)
    assert loses in " ".join(step.discards)
    assert ("do not come back" in step.rollback_note) == bool(loses)
    looks = [one.sql for one in step.before if " = 0" in one.sql]
    assert bool(looks) == bool(before)
    assert before in " ".join(looks)
    notes = " ".join(text for table in found.tables for text in table.notes)
    assert note in notes
    assert "NOT NULL and has no default" not in notes


def test_foreign_keys_that_follow_a_rename_are_no_change_of_their_table():
    link = Link.of("mysql-9.7", **ROW)
    child = "CREATE TABLE shop.c (id int PRIMARY KEY, p int, CONSTRAINT k FOREIGN KEY (p) REFERENCES t (id))"
    base = read(f"CREATE TABLE shop.t (id int PRIMARY KEY); {child}", link)
    for sql, back in (
        ("ALTER TABLE t CHANGE id pk int NOT NULL", "`shop`.`t` CHANGE COLUMN `pk` `id` int NOT NULL;"),
        ("RENAME TABLE t TO u", "RENAME TABLE `shop`.`u` TO `shop`.`t`;"),
    ):  # fmt: skip
        found = planning.plan_change(base, sql, link, database="shop")
        (step,) = (one for one in found.runbook if one.kind is StepKind.RUN)
        assert [table.table for table in found.tables] == ["u" if "RENAME" in sql else "t"]
        assert not step.before
        assert step.rollback[-1].endswith(back)
        assert not any("ADD CONSTRAINT" in text for text in step.rollback)


def test_a_rename_into_another_database_needs_no_default_database():
    link = Link.of("mysql-9.7", **ROW)
    base = read("CREATE TABLE other.x (id int); CREATE TABLE shop.t (id int PRIMARY KEY)", link)
    found = planning.plan_change(base, "RENAME TABLE shop.t TO other.t", link)
    assert not any(sql.startswith("USE") for step in found.runbook for sql in step.sql)


@pytest.mark.parametrize(
    ("sql", "back", "time"),
    [
        ("CREATE OR REPLACE VIEW v AS SELECT 1", "CREATE OR REPLACE VIEW v AS SELECT 2", "at once"),
        (
            "ALTER TABLE t ROW_FORMAT=COMPACT",
            "ALTER TABLE `shop`.`t` ROW_FORMAT=DYNAMIC",
            "every row is copied",
        ),
        ("ALTER TABLE t COMMENT='x'", "ALTER TABLE `shop`.`t` COMMENT=''", "at most a read"),
        (
            "ALTER TABLE t ALTER INDEX k INVISIBLE",
            "ALTER TABLE `shop`.`t` ALTER INDEX `k` VISIBLE",
            "at most a",
        ),
    ],
)
def test_what_replication_does_not_see_has_a_way_back(sql, back, time):
    base = (
        "CREATE TABLE shop.t (id int PRIMARY KEY, KEY k (id)) ROW_FORMAT=DYNAMIC; CREATE VIEW v AS SELECT 2"
    )
    link = Link.of("mysql-9.7", **ROW)
    found = planning.plan_change(read(base, link), sql, link, database="shop")
    (step,) = (one for one in found.runbook if one.kind is StepKind.RUN)
    assert (step.rollback[-1], step.rollback_note) == (f"{back};", "")
    assert step.cost[0].startswith(time)
    assert summary(found) == "1 table; replicate every statement"


@pytest.mark.parametrize(
    ("sql", "back"),
    [
        ("CREATE DEFINER=a@b TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1", "TRIGGER `shop`.`g`"),
        ("CREATE PROCEDURE more.p() DELETE FROM t", "PROCEDURE `more`.`p`"),
        ("CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t", "EVENT `shop`.`e`"),
        ("CREATE PROCEDURE IF NOT EXISTS p() DELETE FROM t", ""),
        ("DROP PROCEDURE p", ""),
    ],
)
def test_a_new_program_goes_on_the_way_back(sql, back):
    # Run with a column that the trigger fills, and taken back, on MySQL 5.6 and 9.7, MariaDB 10.11 and 11.8.
    (step,) = (
        one
        for one in planning.plan_change(read(BASE), sql, LINK, database="shop").runbook
        if one.rollback_note or one.rollback
    )
    assert step.rollback[1:] == ((f"DROP {back};",) if back else ())


def test_a_table_that_a_swap_puts_in_anothers_place_is_not_dropped():
    sql = "CREATE TABLE n (id int PRIMARY KEY); RENAME TABLE t TO o, n TO t; DROP TABLE o; DELETE FROM t"
    made = rollout(planning.plan_change(read(BASE), sql, LINK, database="shop"), "").steps
    lost = {step.name: step.warnings for step in made}
    assert lost.pop("shop.o") == ("DROP TABLE discards every row of shop.o",)
    assert lost.pop("rows") == ("DELETE discards every row: it has no WHERE",)
    assert not any(lost.values()), lost


def test_what_stopped_some_rows_before_the_change_does_not_stop_the_change():
    link = Link.of("mysql-5.6", binlog_format="STATEMENT")
    sides = [read(f"CREATE TABLE shop.t (id int PRIMARY KEY, b int{key})", link) for key in ("", ", KEY (b)")]
    found = planning.plan_change(sides[0], "ALTER TABLE t ADD c int", link, database="shop", replica=sides[1])
    assert (found.goes, found.remains, exit_status(found)) == (True, ("shop.t",), 1)


def test_a_key_that_may_have_made_room_is_looked_for_on_the_way_back():
    link = Link.of("mysql-9.7", **ROW)
    child = (
        "CREATE TABLE shop.c (id int PRIMARY KEY, p int, n int, KEY p (p), FOREIGN KEY (p) REFERENCES t (id))"
    )
    base = read(f"CREATE TABLE shop.t (id int PRIMARY KEY); {child}", link)
    for sql, longer in (("ADD UNIQUE KEY u (p, n)", True), ("ADD UNIQUE KEY u (n, p)", False)):
        found = planning.plan_change(base, f"ALTER TABLE c {sql}", link, database="shop")
        (step,) = (one for one in found.runbook if one.kind is StepKind.RUN)
        assert step.rollback[-1] == "ALTER TABLE `shop`.`c` DROP INDEX `u`;"
        looks = [one for one in step.rollback_before if "('shop', 'c', 'p')" in one.sql]
        assert len(looks) == longer
        assert all("ALTER TABLE `shop`.`c` ADD INDEX `p` (`p`)" in one.expect for one in looks)


@pytest.mark.parametrize(
    ("version", "add", "placed", "drop", "widen", "key", "retype"),
    [
        ("mysql-5.7.44", *("INPLACE, LOCK=NONE",) * 5, "COPY, LOCK=SHARED"),
        ("mysql-8.0.20", "INSTANT", None, None, *("INPLACE, LOCK=NONE",) * 2, "COPY, LOCK=SHARED"),
        ("mysql-8.0.36", *("INSTANT",) * 3, *("INPLACE, LOCK=NONE",) * 2, "COPY, LOCK=SHARED"),
        ("mysql-8.4.4", *("INSTANT",) * 3, *("INPLACE, LOCK=NONE",) * 2, "COPY, LOCK=SHARED"),
        ("mariadb-10.6.20", *("INSTANT",) * 4, "NOCOPY, LOCK=NONE", "COPY, LOCK=SHARED"),
    ],
)
def test_the_algorithm_by_the_manual(version, add, placed, drop, widen, key, retype):
    link = Link.of(version, **ROW)
    parts = (
        "ADD c int",
        "ADD c int FIRST",
        "DROP a",
        "MODIFY b varchar(40)",
        "ADD KEY (a)",
        "MODIFY a bigint",
    )
    for part, expected in zip(parts, (add, placed, drop, widen, key, retype), strict=True):
        base = read("CREATE TABLE shop.t (id int PRIMARY KEY, a int, b varchar(20))", link)
        found = planning.plan_change(base, f"ALTER TABLE t {part}", link, database="shop")
        (step,) = (one for one in found.runbook if one.kind is StepKind.RUN)
        assert step.sql[-1] == f"ALTER TABLE t {part}{f', ALGORITHM={expected}' if expected else ''};"
        assert ("by the manual" in step.cost[0]) is bool(expected)
        # What the plan writes is understood where it is read again.
        again = planning.plan_change(base, step.sql[-1], link, database="shop")
        assert not again.problems


@pytest.mark.parametrize(
    ("body", "part", "mysql", "mariadb"),
    [
        # Asked of MySQL 9.7.4 and MariaDB 10.11.19; None is what was not asked of such a table.
        ("a varchar(31)", "MODIFY a varchar(300)", "COPY", "INSTANT"),
        ("a varchar(32)", "MODIFY a varchar(300)", "COPY", "COPY"),
        ("a varchar(40)", "MODIFY a varchar(60)", "INPLACE", "INSTANT"),
        ("a int, b int, KEY (a)", "DROP COLUMN b", "INSTANT", "INSTANT"),
        ("a int, b int, KEY (a)", "DROP COLUMN a", "INPLACE", "NOCOPY"),
        ("a text, FULLTEXT KEY (a)", "ADD b int", "COPY", "INPLACE"),
        ("a text, b int, FULLTEXT KEY (a)", "MODIFY b bigint", "COPY", "COPY"),
        ("a int, c int AS (a + 1) VIRTUAL", "ADD b int AFTER id", "INSTANT", "COPY"),
        ("a int) ROW_FORMAT=COMPRESSED", "ADD b int", "INPLACE", "INPLACE"),
        ("a int", "ADD b int, MODIFY a bigint", "COPY", "COPY"),
        ("a int", "ADD b int, ADD KEY (b)", "INPLACE", "INPLACE"),
        ("a int, FTS_DOC_ID bigint unsigned NOT NULL", "ADD b int", None, None),
        ("a int", "ADD b int AS (a) VIRTUAL, ADD KEY (b)", None, None),
    ],
)
def test_the_algorithm_depends_on_the_table(body, part, mysql, mariadb):
    body = body if "ROW_FORMAT" in body else f"{body})"
    for name, expected in (("mysql-9.7", mysql), ("mariadb-10.11", mariadb)):
        server = Link.of(name).source
        text = f"CREATE TABLE d.t (id int NOT NULL PRIMARY KEY, {body} CHARSET=utf8mb4"
        (table,) = catalog.read(text, server).tables
        found = way(f"ALTER TABLE d.t {part}", table, server)
        assert (found and found.algorithm) == expected, name


def test_what_is_lost_and_what_does_not_fit_is_asked_before():
    sql = (
        "ALTER TABLE t DROP COLUMN e, MODIFY b varchar(5) NOT NULL, MODIFY a tinyint, ADD UNIQUE (a), "
        "ADD CHECK (a > 1)"
    )
    found = planning.plan_change(read(BASE), sql, LINK, database="shop")
    step = next(s for s in found.runbook if s.kind.value == "run")
    assert step.discards[0].startswith("DROP COLUMN e discards its values; SELECT COUNT(`e`) FROM")
    name = "SELECT COUNT(*) FROM `shop`.`t` WHERE"
    assert [look.sql for look in step.before] == [
        f"{name} `a` NOT BETWEEN -128 AND 127",
        f"{name} `b` IS NULL",
        f"{name} CHAR_LENGTH(`b`) > 5",
        f"{name} `a` IS NOT NULL GROUP BY `a` HAVING COUNT(*) > 1 LIMIT 1",
        f"{name} NOT (`a`>1)",
    ]
    assert "the values of e do not come back" in step.rollback_note


_SHARED = "id int PRIMARY KEY, a int"
_DRIFTED = {
    f"{_SHARED}, b varchar(10), z varchar(5), KEY k (a)": {
        "ADD COLUMN c int": False, "ADD COLUMN c int AFTER b": True, "DROP COLUMN b": True,
        "MODIFY a bigint": True, "ADD COLUMN z varchar(5)": False, "DROP KEY k": True,
        "ADD KEY k2 (b)": True, "MODIFY b varchar(20) AFTER id": True,
    },
    f"{_SHARED}, b varchar(10)": {"DROP KEY k": False, "ADD COLUMN c int": True, "CHANGE a x int": True},
    f"{_SHARED}, b varchar(10), c int, KEY k (a)": {
        "ADD COLUMN c int": False, "ADD COLUMN d int": False, "ADD COLUMN d int FIRST": True,
        "DROP COLUMN b": True, "CHANGE b c varchar(10)": False,
    },
    f"{_SHARED}, b varchar(10), KEY l (a)": {
        "DROP KEY k": False, "ADD COLUMN c int": True, "RENAME INDEX k TO l": False,
    },
    f"{_SHARED}, KEY k (a)": {
        "ADD COLUMN c int": False, "ADD COLUMN c varchar(10)": False, "DROP COLUMN b": False,
        "MODIFY b varchar(20)": False, "ADD COLUMN c int AFTER b": False, "ADD COLUMN c int AFTER a": True,
    },
    f"{_SHARED}, b varchar(10) NOT NULL DEFAULT 'x', KEY k (a)": {
        "MODIFY b varchar(10) NOT NULL": True, "ADD COLUMN c int": True, "DROP COLUMN b": True,
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("replica", "change", "safe"),
    [(replica, change, safe) for replica, cases in _DRIFTED.items() for change, safe in cases.items()],
)
def test_a_replica_that_has_drifted_runs_the_change_on_its_own_definition(replica, change, safe):
    # Replicated under writes on MySQL 9.7.4: `safe` where nothing stopped and no row differed.
    link = Link.of("mysql-9.7", **ROW)
    sides = [f"CREATE TABLE shop.t ({text})" for text in (f"{_SHARED}, b varchar(10), KEY k (a)", replica)]
    source, other = (catalog.read(text, link.source) for text in sides)
    found = planning.plan_change(source, f"ALTER TABLE t {change}", link, database="shop", replica=other)
    assert found.goes is safe, found.tables[0].blocked
    (table,) = found.tables
    assert table.own is not None
    assert exit_status(found) == (0 if safe and not found.remains else 1)
    # The statement is replicated as it is: the replica would stop at an ALGORITHM that it has not.
    assert not any("ALGORITHM" in sql for step in found.runbook for sql in step.sql)
    if not safe:
        apart = planning.plan_change(
            source, f"ALTER TABLE t {change}", link, database="shop", replica=other, unlogged=True
        )
        assert (exit_status(apart), apart.order) == (1, Order.IMPOSSIBLE)


@pytest.mark.parametrize(
    ("filters", "safe"),
    [
        (FilterSet(do_table=("shop.t",)), False),
        (FilterSet(ignore_table=("shop.u",)), False),
        (FilterSet(ignore_table=("shop.t",)), False),
        (FilterSet(wild_do_table=("shop.%",)), True),
        (FilterSet(ignore_table=("shop.t", "shop.u")), True),
    ],
)
def test_a_table_is_renamed_out_of_the_filters_or_into_them(filters, safe):
    # MySQL 9.7.4 with replicate-do-table=shop.t: the replica runs the RENAME, and passes over rows of shop.u.
    found = planning.plan_change(read(BASE), "RENAME TABLE t TO u", LINK, database="shop", filters=filters)
    assert (found.tables[0].order is not Order.IMPOSSIBLE) is safe, found.tables[0].blocked
    assert exit_status(found) == (0 if safe else 1)


@pytest.mark.parametrize(
    ("kind", "server"), [(LinkKind.GALERA, "mariadb-11.8"), (LinkKind.GROUP, "mysql-9.7")]
)
def test_a_cluster_runs_a_statement_once_and_has_no_runbook(kind, server):
    link = Link.of(server, **ROW).as_kind(kind)
    base = read("CREATE TABLE shop.t (id int PRIMARY KEY, a int)", link)
    found = planning.plan_change(base, "ALTER TABLE t MODIFY a bigint", link, database="shop")
    assert (found.stages[0].replicated, found.runbook, exit_status(found)) == (True, (), 0)
    assert found.tables[0].order is Order.LOCK_STEP
    assert found.tables[0].failover is None


_OWN = "id int PRIMARY KEY, a int, b varchar(10) NOT NULL DEFAULT 'x', KEY k (a)"
_MORE = "id int PRIMARY KEY, a int, b varchar(10), z varchar(5), KEY k (a)"
_LESS = "id int PRIMARY KEY, a int, KEY k (a)"
_SAME = f"{_SHARED}, b varchar(10), KEY k (a)"


@pytest.mark.parametrize(
    ("replica", "new", "safe", "back"),
    [
        (_MORE, f"{_SHARED}, b varchar(10), c int, KEY k (a)", False, None),
        (_MORE, "id int PRIMARY KEY, a bigint, b varchar(10), KEY k (a)", True, True),
        (_LESS, f"{_SHARED}, KEY k (a)", False, None),
        (_OWN, f"{_SHARED}, KEY k (a)", True, False),
        (_OWN, f"{_SHARED}, b varchar(10), KEY k (a), KEY k2 (b)", True, True),
    ],
)
def test_new_definitions_where_the_replica_has_drifted(replica, new, safe, back):
    # Replicated on MariaDB 10.11.19 and 11.8.6 (56 pairs each): the plan agreed with both in all of them.
    link = Link.of("mariadb-11.8", **ROW)
    sides = [read(f"CREATE TABLE shop.t ({text})", link) for text in (_SAME, new, replica)]
    found = planning.plan(sides[0], sides[1], link, replica=sides[2])
    assert found.goes is safe, found.tables[0].blocked
    # What a NULL of the source becomes in the replica's b is harm, with the change as without.
    assert exit_status(found) == (0 if safe and (replica is not _OWN or "b " not in new) else 1)
    (one,) = found.statements
    assert one.generated
    if safe:
        (step,) = [s for s in found.runbook if s.kind.value == "run"]
        assert bool(step.rollback) is back
        # The source's b comes back without a default, the replica's with its own.
        assert back or "ADD COLUMN `b` varchar(10) NOT NULL DEFAULT 'x'" in step.rollback_note


@pytest.mark.parametrize(
    ("replica", "change", "status"),
    [
        ("id int PRIMARY KEY, z varchar(9), a int", "MODIFY a int", 1),
        ("id int PRIMARY KEY, z varchar(9), a int", "ADD COLUMN c int", 1),
        ("id int PRIMARY KEY, a int, z varchar(9)", "MODIFY a int", 0),
    ],
)
def test_a_plan_names_tables_that_do_not_replicate_already(replica, change, status):
    """Also of a table that the change leaves as it is: its first row stops the applier (1677)."""
    link = Link.of("mariadb-11.8", **ROW)
    here, there = (read(f"CREATE TABLE t ({text});", link) for text in ("id int PRIMARY KEY, a int", replica))
    found = planning.plan_change(here, f"ALTER TABLE t {change}", link, database="shop", replica=there)
    assert (exit_status(found), "stops already" in str(found.tables)) == (status, "ADD" in change)
    assert ("replication is harmed already (shop.t)" in summary(found)) == (
        "MODIFY" in change and status == 1
    )


def test_a_table_that_is_replicated_into_another_database_is_not_missing():
    link = Link.of("mariadb-11.8", **ROW)
    text = "CREATE TABLE {0}.t (id int PRIMARY KEY); CREATE TABLE {0}.u (id int PRIMARY KEY);"
    here, there = (read(text.format(database), link) for database in ("shop", "copy"))
    filters = FilterSet(rewrite_db=(("shop", "copy"),))
    change = "ALTER TABLE t ADD COLUMN c int"
    found = planning.plan_change(here, change, link, database="shop", replica=there, filters=filters)
    assert found.remains == ()


@pytest.mark.parametrize(
    ("kind", "order"), [("date", Order.IMPOSSIBLE), ("bigint", Order.IMPOSSIBLE), ("int", Order.LOCK_STEP)]
)
def test_rows_that_stop_a_drifted_replica_stop_it_beside_truncate_too(kind, order):
    here, there = (read(f"CREATE TABLE t (id int NOT NULL PRIMARY KEY, a {one});") for one in ("int", kind))
    found = planning.plan_change(here, "TRUNCATE t", LINK, database="shop", replica=there)
    (table,) = found.tables
    blocked = order is Order.IMPOSSIBLE
    assert table.order is order
    assert (exit_status(found) != 0, "stops already" in (table.blocked or "")) == (blocked, blocked)


@pytest.mark.parametrize(
    ("server", "key", "safe"),
    [
        ("mariadb-11.8", "", False),
        ("mariadb-11.8", ", UNIQUE (a)", False),
        ("mariadb-11.8", ", PRIMARY KEY (id, b)", False),
        ("mariadb-11.8", ", PRIMARY KEY (id)", True),
        ("mariadb-10.11", ", KEY (id)", False),
        ("mysql-9.7", "", True),
        ("mysql-5.6", ", KEY (id)", True),
    ],
)
def test_a_column_goes_from_a_table_whose_rows_nothing_tells_apart(server, key, safe):
    # Source first: MariaDB's applier stops at an UPDATE with 1032, MySQL's compares the columns that came.
    base = f"CREATE TABLE shop.k (id int NOT NULL, a int, b int NOT NULL DEFAULT 0{key})"
    link = Link.of(server, **ROW)
    drop = "DROP b" if "b)" not in key else "DROP PRIMARY KEY, DROP b"
    found = planning.plan_change(read(base, link), f"ALTER TABLE k {drop}", link, database="shop")
    (table,) = found.tables
    assert any("(1032)" in o.text for o in table.source_first.obstacles) is not safe
    # A report on such a pair says which rows it speaks of, and that the others are not found.
    report = check_pair(table.new, table.old, link)
    assert ("(1032)" in next(f.message for f in report.findings if f.code == "SC103")) is not safe


def test_tables_that_differ_and_are_not_touched_are_told():
    old = "CREATE TABLE t (a INT); CREATE TABLE u (a INT); CREATE TABLE v (a INT)"
    source, replica = (
        catalog.read(text, Server.parse("mysql-9.7"))
        for text in (old, "CREATE TABLE t (a INT); CREATE TABLE u (a BIGINT)")
    )
    link = Link.of("mysql-9.7")
    told = "2 tables that this change does not touch are not the same on all servers (u, v)"
    found = planning.plan_change(source, "ALTER TABLE t ADD b INT", link, replica=replica)
    assert any(one.startswith(told) for one in found.assumptions)
    assert planning.plan_change(source, "ALTER TABLE t ADD b INT", link, replica=source).assumptions == ()
    both = planning.plan_change(
        source, "ALTER TABLE u ADD b INT; DROP TABLE IF EXISTS v", link, replica=replica
    )
    assert both.assumptions == ()


def test_without_a_statement_that_is_not_understood_there_is_no_runbook():
    found = planning.plan_change(read(BASE), "ALTER TABLE t ADD c int; CALL p(); ALTER TABLE t DROP a", LINK)
    assert (found.runbook, scripts(found), exit_status(found)) == ((), {}, 3)


@pytest.mark.parametrize("source", ["", "CREATE DATABASE shop CHARACTER SET utf8mb3; USE shop;"])
@pytest.mark.parametrize(
    "sql", ["CREATE TABLE new (a varchar(9))", "CREATE DATABASE n; USE n; CREATE TABLE new (a text)"]
)
@pytest.mark.parametrize(
    ("old", "new"), [("mysql-5.7.44", "mysql-8.0.36"), ("mariadb-10.11.9", "mariadb-11.8.6")]
)
def test_a_new_table_has_the_character_set_of_its_database_whatever_the_versions(old, new, source, sql):
    link = Link.of(old, new, **ROW)
    schema = catalog.read(source + "CREATE TABLE t (id int PRIMARY KEY) CHARSET utf8mb4", link.source)
    for replica in (None, schema):
        made = planning.plan_change(schema, sql, link, replica=replica)
        assert made.tables
        assert not made.problems
        assert {table.order for table in made.tables} <= {Order.ANY, Order.REPLICA_FIRST}


def test_a_new_table_in_databases_of_two_character_sets_stops_the_replica():
    ends = [
        catalog.read(
            f"CREATE DATABASE shop CHARACTER SET {charset}; USE shop; CREATE TABLE t (id int PRIMARY KEY)",
            LINK.source,
        )
        for charset in ("utf8mb4", "latin1")
    ]
    made = planning.plan_change(ends[0], "CREATE TABLE new (a varchar(9))", LINK, replica=ends[1])
    (table,) = made.tables
    assert table.order is Order.IMPOSSIBLE


@pytest.mark.parametrize(
    ("old", "new", "other"),
    [
        ("mysql-5.7.44", "mysql-8.0.36", "utf8mb4_0900_ai_ci"),
        ("mariadb-10.11.9", "mariadb-11.8.6", "utf8mb4_uca1400_ai_ci"),
    ],
)
@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE new (a varchar(9) UNIQUE) CHARSET utf8mb4",
        "ALTER TABLE t ADD a text CHARACTER SET utf8mb4",
    ],
)
def test_a_replicated_character_set_has_the_collation_of_the_source(old, new, other, sql):
    """Asked over channels: the replica's own default counts only where it runs the statement itself."""
    link = Link.of(old, new, **ROW)
    schema = catalog.read("CREATE TABLE t (id int PRIMARY KEY) CHARSET utf8mb4", link.source)
    (table,) = planning.plan_change(schema, sql, link).tables
    assert table.replicates
    assert table.order is Order.LOCK_STEP
    assert f"it makes {other}, not utf8mb4_general_ci" in " ".join(table.notes)
    (table,) = planning.plan_change(schema, sql, Link.of(new, new, **ROW)).tables
    assert table.order.exists


@pytest.mark.parametrize(
    ("form", "table", "sql"),
    [
        ("ROW", "", "SET SESSION binlog_format = 'STATEMENT';\nUPDATE t SET a = UUID()"),
        (
            "STATEMENT",
            "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.b = UUID();",
            "INSERT INTO t VALUES (1, 'x', '')",
        ),
        ("STATEMENT", "", "INSERT INTO t (id, a) VALUES (1, 'x')"),
        ("STATEMENT", "", "UPDATE t SET a = (SELECT COUNT(*) FROM information_schema.processlist)"),
        ("STATEMENT", "", "UPDATE t SET a = 'x'; UPDATE t SET a = CONNECTION_ID()"),
    ],
)
def test_rows_that_statements_write_are_judged_as_link_judges_them(form, table, sql):
    link = Link.of("mysql-9.7.4", binlog_format=form)
    text = "CREATE TABLE t (id int PRIMARY KEY, a varchar(60), b varchar(60) DEFAULT (UUID()));"
    schema = catalog.read(text + table, link.source)
    assert planning.plan_change(schema, sql, link).problems
    plain = catalog.read(text.replace(" DEFAULT (UUID())", ""), link.source)
    assert not planning.plan_change(plain, "UPDATE t SET a = 'x' WHERE id = 1", link).problems


def test_what_two_dialects_mean_for_any_table_does_not_stand_against_a_new_one():
    link = Link.of("mysql-5.6.24", "mariadb-10.11.9", binlog_format="STATEMENT")
    schema = catalog.read("CREATE TABLE t (id int PRIMARY KEY) CHARSET utf8mb4", link.source)
    (table,) = planning.plan_change(schema, "CREATE TABLE u (n int, v varchar(9))", link).tables
    assert table.order.exists
    assert any("MariaDB 10.11.9 refuses" in note for note in table.notes)


@pytest.mark.parametrize(
    ("old", "new", "sql", "why"),
    [
        (
            "mysql-9.7.4",
            "mysql-9.7.4",
            "SET SESSION innodb_strict_mode = OFF;\nCREATE TABLE u (a int)",
            "innodb_strict_mode",
        ),
        (
            "mysql-5.6.24",
            "mariadb-10.11.9",
            "CREATE VIEW v AS SELECT COUNT(*) AS rows FROM t",
            "rows is a reserved word",
        ),
        (
            "mysql-5.7.44",
            "mysql-8.0.36",
            "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.id = 1",
            "",
        ),
    ],
)
def test_what_a_session_or_a_reserved_word_makes_of_a_replicated_definition(old, new, sql, why):
    link = Link.of(old, new, **ROW)
    schema = catalog.read("CREATE TABLE t (id int PRIMARY KEY) CHARSET utf8mb4", link.source)
    problems = [problem.message for problem in planning.plan_change(schema, sql, link).problems]
    assert any(why in problem for problem in problems) if why else not problems


@pytest.mark.parametrize(
    ("replica", "sql"),
    [
        ("CREATE TABLE t (id int PRIMARY KEY, a int UNIQUE)", "UPDATE t SET a = 5"),
        (
            (
                "CREATE TABLE t (id int PRIMARY KEY, a int);"
                "CREATE TABLE c (id int PRIMARY KEY, FOREIGN KEY (id) REFERENCES t (id) ON DELETE CASCADE)"
            ),
            "DELETE FROM t WHERE id = 1",
        ),
    ],
)
def test_rows_of_a_change_that_harm_a_drifted_replica_fail_the_plan(replica, sql):
    ends = [
        catalog.read(text, LINK.source) for text in ("CREATE TABLE t (id int PRIMARY KEY, a int)", replica)
    ]
    assert exit_status(planning.plan_change(ends[0], sql, LINK, replica=ends[1])) == 1
    assert exit_status(planning.plan_change(ends[0], sql, LINK, replica=ends[0])) == 0


_FAMILY = (
    "CREATE TABLE shop.p (id int PRIMARY KEY{}); CREATE TABLE shop.c (id int PRIMARY KEY, p int, KEY p (p), "
    "CONSTRAINT f FOREIGN KEY (p) REFERENCES p (id));"
)


@pytest.mark.parametrize("replica", [None, _FAMILY.format(", more int")])
@pytest.mark.parametrize(
    ("sql", "back"),
    [
        ("RENAME TABLE p TO q", "RENAME TABLE `shop`.`q` TO `shop`.`p`;"),  # the child follows by itself
        (
            "ALTER TABLE c DROP FOREIGN KEY f",
            "ALTER TABLE `shop`.`c` ADD CONSTRAINT `f` FOREIGN KEY (`p`) REFERENCES `shop`.`p` (`id`);",
        ),
    ],
)
def test_the_way_back_of_tables_that_foreign_keys_tie(sql, back, replica):
    # Run on MySQL 5.6 and 9.7, MariaDB 10.11 and 11.8 without a default database.
    link = Link.of("mysql-5.6", **ROW)
    given = read(replica, link) if replica else None
    found = planning.plan_change(read(_FAMILY.format(""), link), sql, link, database="shop", replica=given)
    (step,) = [s for s in found.runbook if s.kind is StepKind.RUN]
    assert step.rollback[-1] == back, step.rollback_note


_OWN_TRIGGER = (
    "CREATE TABLE shop.t (id int PRIMARY KEY, c int); CREATE TABLE shop.audit (id int PRIMARY KEY, c int); "
    "CREATE TABLE shop.log (id int PRIMARY KEY, n int); CREATE VIEW shop.v AS SELECT {} AS id FROM log; "
    "CREATE TRIGGER shop.ai AFTER INSERT ON shop.t FOR EACH ROW INSERT INTO audit VALUES (NEW.id, {});"
)


@pytest.mark.parametrize(
    ("sql", "runs"),
    [
        ("ALTER TABLE t DROP COLUMN c", False),
        ("ALTER TABLE t CHANGE c d int", False),
        ("ALTER TABLE audit DROP COLUMN c", False),
        ("ALTER TABLE audit ADD COLUMN d int", False),
        ("DROP TABLE audit", False),
        ("RENAME TABLE audit TO audits", False),
        ("ALTER TABLE log DROP COLUMN n", False),
        ("ALTER TABLE t ADD COLUMN d int", True),
        ("ALTER TABLE audit ADD KEY k (c)", True),
    ],
)
def test_what_the_replicas_own_programs_name_is_not_changed_unseen(sql, runs):
    # Replicated from MySQL 5.6 and 9.7 and MariaDB 11.8: the next INSERT stops with 1054, 1136 or 1146.
    texts = [_OWN_TRIGGER.format(*own) for own in (("id", "1"), ("n", "NEW.c"))]
    for link, expected in ((Link.of("mysql-8.0.36", binlog_format="STATEMENT"), runs), (LINK, True)):
        sides = [read(text, link) for text in texts]
        found = planning.plan_change(sides[0], sql, link, database="shop", replica=sides[1])
        assert ("the replica's own" not in found.tables[0].blocked) is expected, found.tables[0].blocked


TRIGGER = "CREATE TRIGGER a BEFORE INSERT ON shop.t FOR EACH ROW SET @x = 1;"


@pytest.mark.parametrize("server", ["mysql-5.7", "mysql-9.7", "mariadb-11.8"])
@pytest.mark.parametrize(
    ("ours", "theirs", "change", "safe"),
    [
        ("", TRIGGER, TRIGGER, False),
        (TRIGGER, "", TRIGGER.replace(" a ", " b ").replace("SET", "FOLLOWS a SET"), False),
        (TRIGGER, TRIGGER, TRIGGER.replace(" a ", " b ").replace("SET", "FOLLOWS A SET"), True),
        (
            TRIGGER,
            "",
            TRIGGER.replace("TRIGGER a", "TRIGGER IF NOT EXISTS b").replace("SET", "FOLLOWS a SET"),
            False,
        ),
        # The applier passes over a trigger that is not there (asked of 9.7, 10.11 and 11.8).
        (TRIGGER, "", "DROP TRIGGER shop.a", True),
    ],
)
def test_triggers_of_the_replica_are_not_those_of_the_source(server, ours, theirs, change, safe) -> None:
    """1359; 3011 and 4031 for FOLLOWS. Equal definitions of tables say nothing of what is beside them."""
    link = Link.of(server, **ROW)
    here, there = read(BASE + ours, link), read(BASE + theirs, link)
    found = planning.plan_change(here, change, link, database="shop", replica=there)
    assert bool(found.problems) is not safe


@pytest.mark.parametrize(
    ("server", "stops"), [("mysql-9.7", True), ("mysql-5.7", False), ("mariadb-11.8", False)]
)
def test_a_checks_name_that_another_table_of_the_replica_has(server, stops) -> None:
    """3822: names of CHECKs are unique in a database of MySQL 8.0.16 and later: a copy may have them."""
    link = Link.of(server, **ROW)
    copy = "CREATE TABLE shop.t_old (id int, CONSTRAINT ck CHECK (id > 0));"
    here, there = read(BASE, link), catalog.read(BASE + copy, link.source, database="shop")
    found = planning.plan_change(
        here, "ALTER TABLE t ADD CONSTRAINT ck CHECK (a < 9)", link, database="shop", replica=there
    )
    assert any("ck" in table.blocked for table in found.tables) is stops


def test_the_first_migration_meets_two_empty_servers() -> None:
    empty = InputProblem("SC003", "no table in this input", empty=True)
    there = Schema(problems=(empty,))
    found = planning.plan_change(Schema(), "CREATE TABLE t (id int)", LINK, database="shop", replica=there)
    assert not found.problems
    here = read(BASE)
    assert planning.plan_change(here, "DROP TABLE t", LINK, database="shop", replica=there).problems


def test_partitions_of_a_live_server_come_back():
    # Its rows tell them in one spelling, and no text. Run on MySQL 5.6 and 9.7.
    parts = "PARTITION p0 VALUES LESS THAN (5), PARTITION p1 VALUES LESS THAN (8)"
    base = read(f"CREATE TABLE shop.t (id int NOT NULL PRIMARY KEY) PARTITION BY RANGE (id) ({parts});")
    live = Schema(tuple(replace(table, text=None, partition_sql=None) for table in base.tables))
    found = planning.plan_change(live, "ALTER TABLE t REMOVE PARTITIONING", LINK, database="shop")
    (step,) = (one for one in found.runbook if one.kind is StepKind.RUN)
    back = step.rollback[-1]
    assert back.startswith(
        "ALTER TABLE `shop`.`t` PARTITION BY RANGE (id) (PARTITION `p0` VALUES LESS THAN (5)"
    )


def test_a_swap_numbers_no_rows():
    base = read("CREATE TABLE shop.n (a int); CREATE TABLE shop.t (id int AUTO_INCREMENT PRIMARY KEY, a int)")
    sql = "RENAME TABLE t TO x, n TO t, x TO n"
    assert exit_status(planning.plan_change(base, sql, LINK, database="shop")) == 0


def test_a_refused_statement_is_told_once():
    # Also where the ends differ, and the change is run on both.
    link = Link.of("mysql-8.0.36", "mysql-9.7", **ROW)
    found = planning.plan_change(read(BASE), "CREATE VIEW v AS SELECT zz FROM t", link, database="shop")
    (problem,) = found.problems
    assert (problem.refusal.number, exit_status(found)) == (1054, 3)
    assert summary(found).endswith("1 refused; the change does not run")


def test_a_renamed_table_of_a_live_server_comes_back():
    base = read("CREATE TABLE shop.t (k int PRIMARY KEY, v varchar(20))")
    live = Schema(tuple(replace(table, text=None) for table in base.tables))
    sql = "ALTER TABLE t MODIFY v varchar(40), RENAME TO u"
    found = planning.plan_change(live, sql, LINK, database="shop")
    (step,) = (one for one in found.runbook if one.kind is StepKind.RUN)
    assert step.rollback[-1] == "RENAME TABLE `shop`.`u` TO `shop`.`t`;"
    assert [look.sql for look in step.rollback_before]  # what is too long for the narrow column
