"""Two constraints of one name in a new table. (Asked of MySQL 5.6 and 9.7, and of MariaDB 11.8.)"""

from __future__ import annotations

import pytest

from schemacheck import catalog
from schemacheck.model import Server

OLD, NEW, MARIADB = "mysql-5.6.24", "mysql-9.7.4", "mariadb-11.8.9"
TWO_CHECKS = "CONSTRAINT c CHECK (a > 1), CONSTRAINT {} CHECK (a > 2)"
TWO_KEYS = "CONSTRAINT x FOREIGN KEY (a) REFERENCES p (a), CONSTRAINT {} FOREIGN KEY (b) REFERENCES p (a)"
ONE_EACH = "CONSTRAINT x FOREIGN KEY (a) REFERENCES p (a), CONSTRAINT X CHECK (b > 0)"


@pytest.mark.parametrize(
    ("constraints", "engine", "numbers"),
    [
        (TWO_CHECKS.format("c"), "InnoDB", {OLD: None, NEW: 3822, MARIADB: 1826}),
        (TWO_CHECKS.format("C"), "MyISAM", {OLD: None, NEW: 3822, MARIADB: 1826}),
        (TWO_CHECKS.format("d"), "InnoDB", {OLD: None, NEW: None, MARIADB: None}),
        (TWO_KEYS.format("x"), "InnoDB", {OLD: 1215, NEW: 1826, MARIADB: 1005}),
        (TWO_KEYS.format("X"), "InnoDB", {OLD: 1022, NEW: 1826, MARIADB: 1005}),
        (TWO_KEYS.format("y"), "InnoDB", {OLD: None, NEW: None, MARIADB: None}),
        (TWO_KEYS.format("x"), "MyISAM", {OLD: None, NEW: None, MARIADB: None}),
        (ONE_EACH, "InnoDB", {OLD: None, NEW: None, MARIADB: 1826}),
        (ONE_EACH, "MyISAM", {OLD: None, NEW: None, MARIADB: 1826}),
    ],
)
@pytest.mark.parametrize("server", [OLD, NEW, MARIADB])
@pytest.mark.parametrize("checked", ["ON", "OFF"])
def test_two_constraints_of_one_name(constraints, engine, numbers, server, checked) -> None:
    text = f"""CREATE TABLE p (a INT PRIMARY KEY) ENGINE=InnoDB;
        CREATE TABLE t (a INT PRIMARY KEY, b INT, {constraints}) ENGINE={engine};"""
    made = catalog.read(text, Server.parse(server, {"foreign_key_checks": checked}), database="db")
    refused = [problem.refusal.number for problem in made.problems if problem.refusal]
    assert refused == ([numbers[server]] if numbers[server] else [])
    assert len(made.tables) == 2 - len(refused)
