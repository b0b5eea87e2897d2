"""What a plan says of the rows that are there: what they get, what they lose, what the server refuses."""

from __future__ import annotations

import pytest

from schemacheck.model import Link
from schemacheck.plan import Plan, plan_change
from tests.plan.test_plan import read


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
        ("json NOT NULL", "mariadb-11.8", "get ''", "WHERE NOT (json_valid(`c`))"),
        ("int NOT NULL DEFAULT 5", "mysql-9.7", "", ""),
        ("date", "mysql-9.7", "", ""),
    ],
)
def test_a_new_column_without_a_default(column, server, note, look):
    made = changed(f"ADD c {column}", server=server)
    assert note in " ".join(made.tables[0].notes)
    assert bool(note) == any("no default" in one for one in made.tables[0].notes)
    assert any(look in one for one in looks(made)) if look else not looks(made)


def test_keys_and_checks_of_new_columns_are_asked_of_the_rows_as_they_will_be():
    sql = "ADD n int NOT NULL, ADD g int AS (n + 1), ADD UNIQUE (g, a), ADD CHECK (n > a)"
    found = looks(changed(sql))
    assert any(
        "(SELECT `a`, `n`, (`n`+1) AS `g` FROM (SELECT `a`, 0 AS `n` FROM `shop`.`t`) t) t" in s
        for s in found
    )
    assert any("(SELECT `a`, 0 AS `n` FROM `shop`.`t`) t WHERE NOT (`n`>`a`)" in s for s in found)
    # What every row gets anew cannot be asked before.
    assert not looks(
        changed("ADD n int NOT NULL DEFAULT (rand() * 10), ADD CHECK (n > 3)", server="mariadb-11.8")
    )


def test_server_by_server_a_dropped_column_has_no_way_back():
    steps = [s for s in changed("DROP a", unlogged=True).runbook if s.kind.value == "run"]
    assert [s.rollback for s in steps] == [(), ()]
    assert all("values of a are gone" in s.rollback_note for s in steps)
    # One replicated statement takes it back everywhere, without its values.
    (step,) = (s for s in changed("DROP a").runbook if s.kind.value == "run")
    assert "ADD COLUMN `a`" in step.rollback[0]


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
