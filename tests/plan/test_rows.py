"""What a plan says of the rows that are there: what they get, what they lose, what the server refuses."""

from __future__ import annotations

import pytest

from schemacheck.model import Link
from schemacheck.model.filters import FilterSet
from schemacheck.plan import Plan, plan_change
from schemacheck.plan.model import RunbookStep
from schemacheck.plan.verdict import exit_status
from tests.plan.test_plan import read
from tests.tables_from_rows import tables_from_rows


def changed(sql: str, table: str = "id int PRIMARY KEY, a int", server: str = "mysql-9.7", **more) -> Plan:
    link = Link.of(server, binlog_format="ROW")
    return plan_change(
        read(f"CREATE TABLE shop.t ({table})", link), f"ALTER TABLE shop.t {sql}", link, **more
    )


def looks(made: Plan) -> list[str]:
    """The queries before the statement."""
    return [look.sql for step in made.runbook if step.kind.value == "run" for look in step.before]


ZERO = "FIND_IN_SET('NO_ZERO_DATE'"


@pytest.mark.parametrize(
    ("column", "server", "note", "look"),
    [
        ("date NOT NULL", "mysql-9.7", "'0000-00-00', which sql_mode NO_ZERO_DATE refuses (1292)", ZERO),
        ("datetime(3) NOT NULL", "mariadb-11.8", "'0000-00-00 00:00:00.000', which", ZERO),
        ("timestamp NOT NULL", "mariadb-11.8", "'0000-00-00 00:00:00'; for another", ""),
        ("int NOT NULL", "mysql-5.6", "get 0; for another value", ""),
        ("enum('x','y') NOT NULL", "mysql-9.7", "get 'x'; for another value", ""),
        ("text NOT NULL", "mariadb-10.11", "get ''; for another value", ""),
        ("point NOT NULL", "mysql-9.7", "refuses it where the table has rows (1138)", "SELECT 1 FROM"),
        ("point NOT NULL", "mysql-5.6", "get the empty value of its type", ""),
        ("json NOT NULL", "mariadb-11.8", "get ''", ""),
        ("int NOT NULL DEFAULT 5", "mysql-9.7", "", ""),
        ("date", "mysql-9.7", "", ""),
    ],
)
def test_a_new_column_without_a_default(column, server, note, look):
    made = changed(f"ADD c {column}", server=server)
    assert note in " ".join(made.tables[0].notes)
    assert bool(note) == any("no default" in one for one in made.tables[0].notes)
    assert any(look in one for one in looks(made)) if look else not looks(made)


def test_a_column_that_is_renamed_and_narrowed_is_looked_at_under_its_old_name():
    table = "id int PRIMARY KEY, a int, n varchar(20), f float"
    made = changed(
        "CHANGE a b tinyint NOT NULL, CHANGE n m varchar(5), CHANGE f g int, ADD UNIQUE (m)", table
    )
    name = "SELECT COUNT(*) FROM `shop`.`t` WHERE"
    assert looks(made) == [
        f"{name} `a` IS NULL",
        f"{name} `a` NOT BETWEEN -128 AND 127",
        f"{name} CHAR_LENGTH(`n`) > 5",
        f"{name} `n` IS NOT NULL GROUP BY `n` HAVING COUNT(*) > 1 LIMIT 1",
    ]
    assert any(note.startswith("f: a float becomes a int") for note in made.tables[0].notes)
    # One that another's place gets by a rename is not taken for that one.
    (note,) = changed("DROP a, CHANGE n m varchar(20) FIRST", "a int, n varchar(20)").tables[0].notes
    assert note.startswith("DROP COLUMN a discards")


def test_server_by_server_a_dropped_column_has_no_way_back():
    steps = [s for s in changed("DROP a", unlogged=True).runbook if s.kind.value == "run"]
    assert [s.rollback for s in steps] == [(), ()]
    assert all("values of a are gone" in s.rollback_note for s in steps)
    # One replicated statement takes it back everywhere, without its values.
    (step,) = (s for s in changed("DROP a").runbook if s.kind.value == "run")
    assert "ADD COLUMN `a`" in step.rollback[-1]


@pytest.mark.parametrize(("key", "back"), [("", False), (" PRIMARY KEY", True)])
def test_server_by_server_the_source_takes_a_column_back_only_where_rows_are_found_without_it(key, back):
    made = changed("ADD c int", f"id int{key}, a int", "mariadb-11.8", unlogged=True)
    replica, source = (s for s in made.runbook if s.kind.value == "run")
    assert replica.rollback
    assert bool(source.rollback) == back


@pytest.mark.parametrize(
    ("column", "clause"),
    [("datetime NOT NULL", False), ("point NOT NULL", False), ("datetime", True), ("int NOT NULL", True)],
)
def test_what_is_not_filled_in_at_once_has_no_algorithm(column, clause):
    (step,) = (s for s in changed(f"ADD c {column}").runbook if s.kind.value == "run")
    assert ("ALGORITHM=INSTANT" in " ".join(step.sql)) == clause


def test_a_size_that_the_input_tells_is_the_room_that_a_copy_needs():
    link = Link.of("mysql-9.7", binlog_format="ROW")
    name = {"TABLE_SCHEMA": "shop", "TABLE_NAME": "t"}
    columns = [
        {**name, "COLUMN_NAME": one, "ORDINAL_POSITION": at, "COLUMN_TYPE": "int", "IS_NULLABLE": null}
        for at, (one, null) in enumerate([("id", "NO"), ("a", "YES")], 1)
    ]

    def steps(sql: str, **sizes) -> str:
        told = [{**name, "TABLE_TYPE": "BASE TABLE", "ENGINE": "InnoDB", **sizes}]
        base = tables_from_rows(columns, server=link.source, tables=told)
        return " ".join(
            " ".join((*step.cost, *(look.expect for look in step.before)))
            for step in plan_change(base, f"ALTER TABLE shop.t {sql}", link).runbook
        )

    full = {"TABLE_ROWS": "1200", "DATA_LENGTH": "2097152", "INDEX_LENGTH": "16384"}
    assert "with as much disk again (3 MB, about 1,200 rows), writes wait" in steps("MODIFY a bigint", **full)
    assert "at once" in steps("ADD b int", **full)
    assert "MB" not in steps("MODIFY a bigint")
    assert "MB" not in steps("MODIFY a bigint", TABLE_ROWS="12", DATA_LENGTH="no number")


@pytest.mark.parametrize(
    ("rules", "sql", "status"),
    [
        ({"ignore_table": ("shop.u",)}, "ALTER TABLE t RENAME TO u, ADD c int", 1),
        ({"ignore_table": ("shop.o",)}, "RENAME TABLE t TO x, o TO t, x TO o", 1),
        ({"do_table": ("shop.t",)}, "RENAME TABLE t TO x, o TO t", 1),
        ({"do_table": ("shop.t",)}, "RENAME TABLE t TO x, x TO t", 0),
        ({"ignore_table": ("shop.t", "shop.o")}, "RENAME TABLE t TO x, o TO t, x TO o", 0),
        ({"ignore_db": ("crm",)}, "TRUNCATE t", 0),
        ({"ignore_db": ("crm",)}, "USE crm; TRUNCATE shop.t", 1),
        ({"wild_ignore_table": ("crm.%",)}, "RENAME TABLE t TO crm.t", 1),
        ({}, "ALTER TABLE t RENAME TO u, ADD c int", 0),
    ],
)
def test_filters_that_take_a_statement_otherwise_than_its_rows(rules, sql, status):
    link = Link.of("mysql-9.7", binlog_format="ROW")
    parts = (
        "PARTITION BY RANGE (id) (PARTITION p1 VALUES LESS THAN (9), PARTITION p2 VALUES LESS THAN MAXVALUE)"
    )
    base = "; ".join(
        f"CREATE TABLE shop.{name} (id int PRIMARY KEY, a int) {more}"
        for name, more in (("t", ""), ("o", ""), ("p", parts))
    )
    made = plan_change(read(base, link), sql, link, database="shop", filters=FilterSet(**rules))
    assert exit_status(made) == status


def test_a_rename_that_changes_the_table_too_goes_back_in_two_statements():
    (step,) = (s for s in changed("RENAME TO shop.u, ADD c int").runbook if s.kind.value == "run")
    assert [sql.split("`u`")[0] for sql in step.rollback[1:]] == [
        "ALTER TABLE `shop`.",
        "RENAME TABLE `shop`.",
    ]
    assert not step.discards


@pytest.mark.parametrize(
    ("old", "new", "condition"),
    [
        ("decimal(10,2)", "decimal(8,1)", "`a` <> ROUND(`a`, 1) OR ABS(`a`) >= 10000000"),
        ("datetime(6)", "datetime(3)", "MICROSECOND(`a`) % 1000 <> 0"),
        ("varchar(9)", "varchar(9) CHARACTER SET latin1", "USING latin1) USING utf8mb4) AS BINARY) <>"),
        ("text", "tinytext", "LENGTH(CONVERT(`a` USING utf8mb4)) > 255"),
        ("varchar(9)", "char(9)", "`a` LIKE '% '"),
        ("enum('x','xyz')", "varchar(9)", ""),
        ("enum('x','xyz')", "char(2)", "`a` IN ('xyz')"),
        ("varchar(9)", "enum('x','y')", "utf8mb4_bin NOT IN ('x', 'y') OR `a` LIKE '% '"),
        ("set('x','y')", "set('x')", "FIND_IN_SET('y', `a`) > 0"),
        ("int", "int unsigned", "NOT BETWEEN 0 AND 4294967295"),
        ("int", "bigint", ""),
        ("year", "int", ""),
        ("date", "datetime", ""),
        ("float", "double", ""),
        ("varchar(9)", "text", ""),
        ("varchar(9) CHARACTER SET latin1", "varchar(9)", ""),
        ("enum('x')", "enum('x','y')", ""),
    ],
)
def test_rows_whose_values_the_new_type_does_not_hold_are_counted_before(old, new, condition):
    made = changed(f"MODIFY a {new}", f"id int PRIMARY KEY, a {old}")
    found = looks(made)
    assert any(condition in one for one in found) if condition else not found
    assert not any("no query finds" in note for note in made.tables[0].notes)


def test_where_no_query_counts_them_that_is_said():
    made = changed("MODIFY a date", "id int PRIMARY KEY, a int")
    assert "a int becomes a date" in made.tables[0].notes[0]


TABLES = """
CREATE TABLE shop.t (id int NOT NULL PRIMARY KEY, a int, b varchar(300) CHARACTER SET utf8mb4, KEY x (a),
  KEY b (b(191)), KEY c (a, id), UNIQUE KEY u (b)) CHARSET utf8mb4 COLLATE utf8mb4_bin;
CREATE TABLE shop.p (id int PRIMARY KEY)
  PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (5), PARTITION p1 VALUES LESS THAN (8));
"""


def steps_of(sql: str) -> list[RunbookStep]:
    link = Link.of("mariadb-10.11.19", binlog_format="ROW")
    made = plan_change(read(TABLES, link), sql, link)
    assert not made.problems, made.problems
    return list(made.runbook)


@pytest.mark.parametrize(
    ("sql", "back"),
    [
        # Servers put a key that comes behind the others of its kind.
        (
            "DROP INDEX x",
            "DROP INDEX `b`, DROP INDEX `c`, ADD INDEX `x` (`a`), ADD INDEX `b` (`b`(191)), ADD INDEX `c` ",
        ),
        ("DROP INDEX c", "`t` ADD INDEX `c` (`a`, `id`)"),
        ("MODIFY b varchar(400)", "MODIFY COLUMN `b` varchar(300) CHARACTER SET utf8mb4 "),
    ],
)
def test_the_way_back_gives_the_text_that_show_create_table_had(sql, back):
    (step,) = [step for step in steps_of(f"ALTER TABLE shop.t {sql}") if step.rollback]
    assert back in " ".join(" ".join(step.rollback).split())


@pytest.mark.parametrize(
    ("sql", "loses", "back"),
    [
        ("TRUNCATE shop.t", "every row, without row events; SELECT COUNT(*) FROM `shop`.`t`", "backup"),
        ("DELETE FROM shop.t", "DELETE discards every row: it has no WHERE", "backup"),
        ("DELETE FROM shop.t WHERE id = 1", "DELETE discards the rows that it finds", "backup"),
        ("UPDATE shop.t SET a = 1", "", "backup"),
        ("DROP DATABASE other", "DROP DATABASE discards every table of it", "no table"),
        ("DROP TABLE shop.t, shop.p", "every row of shop.t;", "the rows of shop.t, shop.p"),
        ("CREATE OR REPLACE TABLE shop.t (id int)", "the table with all its rows", "backup"),
        ("ALTER TABLE shop.p DROP PARTITION p0", "rows of partitions", "backup"),
        ("ALTER TABLE shop.p TRUNCATE PARTITION p0", "rows of partitions", "backup"),
        ("ALTER TABLE shop.p ADD PARTITION (PARTITION p9 VALUES LESS THAN (9))", "", ""),
    ],
)
def test_rows_that_go_are_told_and_have_no_way_back(sql, loses, back):
    (step,) = [step for step in steps_of(sql) if sql in " ".join(step.sql)]
    assert loses in " ".join(step.discards)
    assert bool(step.discards) == bool(loses)
    assert back in step.rollback_note
    assert bool(step.rollback) != bool(back)


@pytest.mark.parametrize(
    ("sql", "grouped"),
    [
        ("ADD UNIQUE KEY n (a)", "`a`"),
        ("DROP INDEX u, ADD UNIQUE KEY v (b, id)", ""),
        ("DROP INDEX u, ADD UNIQUE KEY v (b(10))", "LEFT(`b`, 10)"),
        ("DROP INDEX u, ADD UNIQUE KEY v (b, a)", ""),
        (
            "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
            "CONVERT(`b` USING utf8mb4) COLLATE utf8mb4_unicode_ci",
        ),
    ],
)
def test_what_a_key_will_take_for_one_is_looked_for_on_both_ends(sql, grouped):
    made = steps_of(f"ALTER TABLE shop.t {sql}")
    asked = [(step.side, look.sql) for step in made for look in step.before if "GROUP BY" in look.sql]
    assert [side for side, _ in asked] == ["replica", "source"] * bool(grouped)
    assert all(f"GROUP BY {grouped} HAVING" in text for _, text in asked)


@pytest.mark.parametrize(
    ("sql", "more"),
    [
        ("DROP COLUMN a, ADD COLUMN a int", {}),
        ("DROP COLUMN a, ADD a bigint", {}),
        ("DROP COLUMN a, CHANGE b a int", {"table": "id int PRIMARY KEY, a int, b int"}),
        ("ENGINE=BLACKHOLE", {}),
        ("DROP SYSTEM VERSIONING", {}),
    ],
)
def test_values_that_go_with_a_part_are_told(sql: str, more: dict[str, str]) -> None:
    """Each lost them on a server; no way back brings them again."""
    if "VERSIONING" in sql:
        link = Link.of("mariadb-10.11", binlog_format="ROW")
        text = "CREATE TABLE shop.t (id int PRIMARY KEY, a int) WITH SYSTEM VERSIONING"
        made = plan_change(read(text, link), f"ALTER TABLE shop.t {sql}", link)
    else:
        made = changed(sql, **more)
    step = next(step for step in made.runbook if step.sql and step.discards)
    assert any("discards" in line for line in step.discards)
    assert not step.rollback


def test_rows_that_the_source_does_not_log_are_undecided() -> None:
    link = Link.of("mysql-9.7", binlog_format="ROW")
    before = read("CREATE TABLE shop.t (id int PRIMARY KEY, a int)", link)
    text = "SET sql_log_bin = 0; DELETE FROM shop.t; SET sql_log_bin = 1; ALTER TABLE shop.t ADD c int;"
    assert exit_status(plan_change(before, text, link)) == 3
