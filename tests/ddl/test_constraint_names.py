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
    ("constraints", "engine", "taken"),
    [
        (TWO_CHECKS.format("c"), "InnoDB", [OLD]),
        (TWO_CHECKS.format("C"), "MyISAM", [OLD]),
        (TWO_CHECKS.format("d"), "InnoDB", [OLD, NEW, MARIADB]),
        (TWO_KEYS.format("x"), "InnoDB", []),
        (TWO_KEYS.format("X"), "InnoDB", []),
        (TWO_KEYS.format("y"), "InnoDB", [OLD, NEW, MARIADB]),
        (TWO_KEYS.format("x"), "MyISAM", [OLD, NEW, MARIADB]),
        (ONE_EACH, "InnoDB", [OLD, NEW]),
        (ONE_EACH, "MyISAM", [OLD, NEW]),
    ],
)
@pytest.mark.parametrize("server", [OLD, NEW, MARIADB])
def test_two_constraints_of_one_name(constraints: str, engine: str, taken: list[str], server: str) -> None:
    text = f"""CREATE TABLE p (a INT PRIMARY KEY) ENGINE=InnoDB;
        CREATE TABLE t (a INT PRIMARY KEY, b INT, {constraints}) ENGINE={engine};"""
    made = catalog.read(text, Server.parse(server), database="db")
    assert len(made.tables) == 1 + (server in taken)
    assert (not made.problems) is (server in taken)


TWO = "CREATE TABLE t (a INT CHECK (a > 0), CHECK (a < 9));"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (TWO + "ALTER TABLE t DROP CHECK t_chk_1, ADD CHECK (a <> 3);", ["t_chk_2", "t_chk_3"]),
        (TWO + "ALTER TABLE t DROP CHECK t_chk_2; ALTER TABLE t ADD CHECK (a <> 3);", ["t_chk_1", "t_chk_2"]),
        ("CREATE TABLE t (a INT, CONSTRAINT t_chk_5 CHECK (a > 0)); ALTER TABLE t ADD CHECK (a < 9);",
         ["t_chk_5", "t_chk_6"]),
        ("CREATE TABLE t (a INT, CONSTRAINT T_CHK_9 CHECK (a > 0)); ALTER TABLE t ADD CHECK (a < 9);",
         ["T_CHK_9", "t_chk_1"]),
        ("CREATE TABLE t (a INT, CONSTRAINT t_chk_1 CHECK (a > 0), CHECK (a < 9));", []),
    ],
)  # fmt: skip
def test_the_numbers_of_checks_without_a_name(text: str, names: list[str]) -> None:
    """MySQL 8.0.16 and later count behind the highest (asked of 9.7)."""
    schema = catalog.read(text, Server.parse(NEW))
    assert sorted(check.name for table in schema.tables for check in table.checks) == names


def test_mariadb_drops_no_check_of_a_column() -> None:
    schema = catalog.read(TWO + "ALTER TABLE t DROP CONSTRAINT a;", Server.parse(MARIADB))
    assert not schema.tables
