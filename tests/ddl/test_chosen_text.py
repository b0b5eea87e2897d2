"""A statement that a script chooses by what is there: MySQL 9.7 and MariaDB 11.8 ran the same."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.catalog.steps import steps
from schemacheck.model import Link, Server
from schemacheck.plan import plan_change

SERVER = Server.parse("mysql-8.0.36")
TABLE = "CREATE TABLE t (a int, b int, KEY k (b, a));"
BASE = read(TABLE, SERVER, database="d")
ADD = "ALTER TABLE t ADD c int"
COLUMN = " AND (column_name = 'c')"
HERE = "table_schema = DATABASE() AND table_name = 't'"
CHOOSE = "IF((SELECT COUNT(*) FROM information_schema.columns WHERE {}) > 0, 'SELECT 1', '" + ADD + "')"
KEY = (
    "IF((SELECT COUNT(1) FROM INFORMATION_SCHEMA.STATISTICS s WHERE s.table_name = 't' AND "
    "s.table_schema = 'd' AND s.index_name = 'K') >= 2, CONCAT('ALTER TABLE ', 't', ' DROP KEY k;'), '')"
)
NONE = (
    "IF(NOT EXISTS (SELECT * FROM information_schema.columns WHERE table_schema = 'd' AND "
    f"table_name = 't' AND column_name = 'c'), '{ADD}', 'SELECT 1')"
)


def ran(expression: str, before: str = "") -> list[str]:
    text = f"{before}SET @s = {expression}; PREPARE p FROM @s; EXECUTE p; DEALLOCATE PREPARE p;"
    done = [step for step in steps(text, SERVER, database="d", base=BASE) if step.words]
    return [step.sql for step in done if step.words[0] in ("ALTER", "SELECT", "EXECUTE")]


@pytest.mark.parametrize(
    ("expression", "statement"),
    [
        (CHOOSE.format(f"{HERE} AND column_name = 'A'"), "SELECT 1"),
        (CHOOSE.format(f"{HERE} AND column_name = 'c'"), ADD),
        (f"(SELECT {CHOOSE.format(HERE + COLUMN)})", ADD),
        (KEY, "ALTER TABLE t DROP KEY k"),
        (NONE, ADD),
        # What is not known stays EXECUTE, which is a problem.
        (CHOOSE.format("table_schema = @x AND table_name = 't' AND column_name = 'c'"), "EXECUTE p"),
        (CHOOSE.format("table_name = 't' AND column_name = 'c'"), "EXECUTE p"),
        (CHOOSE.format("table_schema = 'd' AND (table_name = 't' OR column_name = 'c')"), "EXECUTE p"),
        (CHOOSE.format(f"{HERE} AND column_name = 'c' AND is_nullable = 'YES'"), "EXECUTE p"),
        (CHOOSE.format("table_schema = 'd' AND table_name = 'other' AND column_name = 'c'"), "EXECUTE p"),
        ("IF((SELECT COUNT(*) FROM t) > 0, 'SELECT 1', 'ALTER TABLE t ADD c int')", "EXECUTE p"),
        ("IF(VERSION() > 0, 'SELECT 1', 'ALTER TABLE t ADD c int')", "EXECUTE p"),
    ],
)
def test_the_statement_that_runs(expression: str, statement: str) -> None:
    assert ran(expression) == [statement]


def test_variables_before_it() -> None:
    before = (
        "SET @t = 't', @d = 'd'; SET @there := (SELECT COUNT(*) FROM information_schema.COLUMNS "
        "WHERE table_name = @t AND table_schema = @d AND column_name = 'c');"
    )
    assert ran(f"IF(@there, 'SELECT 1', '{ADD}')", before) == [ADD]


def test_a_replica_that_has_the_column_would_run_another_statement() -> None:
    expression = CHOOSE.format(f"{HERE} AND column_name = 'c'")
    sql = f"SET @s = {expression}; PREPARE p FROM @s; EXECUTE p;"
    link = Link(SERVER, SERVER)
    plan = plan_change(BASE, sql, link, database="d")
    assert [statement.sql for statement in plan.statements] == [ADD]
    assert plan.order.value != "unknown"
    replica = read(TABLE.replace("KEY", "c int, KEY"), SERVER, database="d")
    other = plan_change(BASE, sql, link, database="d", replica=replica, unlogged=True)
    assert other.order.value == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        "EXECUTE;", "EXECUTE 5;", "EXECUTE p USING @a;", "PREPARE p FROM '/*!50000 EXECUTE p */'; EXECUTE p;",
        "SET @s = 'ALTER TABLE t ADD c int'; PREPARE p FROM @s; " + "EXECUTE p; " * 9,
        "SET @s = 'x'; " + "SET @u = CONCAT(@s, @s); SET @s = CONCAT(@u, @u); " * 20
        + "PREPARE p FROM @s; EXECUTE p;",
        f"SET @s = {'=1' * 9000}; PREPARE p FROM @s; EXECUTE p;",
    ],
)  # fmt: skip
def test_what_is_hostile_stays_unknown(text: str) -> None:
    """No end of a script is lost by it, and nothing grows faster than its text."""
    done = list(steps(f"{text} DROP TABLE t;", SERVER, database="d", base=BASE))
    assert any(step.problems for step in done)
    assert done[-2].words[:2] == ("DROP", "TABLE")
