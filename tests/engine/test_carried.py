"""What a difference of one table does to rows of others that both ends define alike (the facts of group
`carried` in tests/facts/data/interactions.jsonl.xz are of channels).
"""

from __future__ import annotations

import pytest

from schemacheck import catalog, engine
from schemacheck.model import Effect, Link, Server

PARENT = "CREATE TABLE a (id INT PRIMARY KEY);"
CHILD = "CREATE TABLE b (id INT PRIMARY KEY, a INT, FOREIGN KEY (a) REFERENCES a (id) ON DELETE {});"
FURTHER = "CREATE TABLE {0} (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES {1} (id) ON DELETE {2});"
LOG = "CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(20));"
TRIGGER = "CREATE TRIGGER t AFTER INSERT ON a FOR EACH ROW INSERT INTO `log` (what) VALUES ('a');"


def verdicts(source: str, replica: str, server: str = "mariadb-10.11", **settings: str) -> dict[str, Effect]:
    here = Server.parse(server, {"binlog_format": "ROW"})
    there = Server.parse(server, settings)
    link = Link(here, there)
    ends = (catalog.read(text, one, database="d") for text, one in ((source, here), (replica, there)))
    first, second = ends
    assert first.problems == second.problems == ()
    return {pair.table: pair.verdict for pair in engine.check(first.tables, second.tables, link).pairs}


@pytest.mark.parametrize("server", ["mysql-5.6.24", "mysql-8.0.36", "mariadb-10.11", "mariadb-11.8"])
def test_foreign_keys_carry_it_on(server: str) -> None:
    rest = FURTHER.format("c", "b", "CASCADE") + FURTHER.format("d", "c", "SET NULL")
    rest += FURTHER.format("e", "d", "RESTRICT") + "CREATE TABLE f (id INT PRIMARY KEY);"
    found = verdicts(
        PARENT + CHILD.format("CASCADE") + rest, PARENT + CHILD.format("SET NULL") + rest, server
    )
    assert {name for name, effect in found.items() if effect is Effect.DIVERGES} == {"b", "c", "d"}
    assert all(found[name] <= Effect.COMPATIBLE for name in "aef")


def test_a_circle_of_foreign_keys_ends() -> None:
    circle = FURTHER.format("c", "b", "CASCADE") + "ALTER TABLE b ADD x INT, ADD KEY (x);"
    circle += "ALTER TABLE b ADD FOREIGN KEY (x) REFERENCES c (id) ON DELETE CASCADE;"
    found = verdicts(PARENT + CHILD.format("CASCADE") + circle, PARENT + CHILD.format("SET NULL") + circle)
    assert found["b"] is found["c"] is Effect.DIVERGES


def test_triggers_that_the_applier_runs_carry_it_on() -> None:
    plain = PARENT + LOG
    assert set(verdicts(plain, plain + TRIGGER).values()) == {Effect.IDENTICAL}
    found = verdicts(plain, plain + TRIGGER, slave_run_triggers_for_rbr="YES")
    assert found["a"] > Effect.INCOMPLETE
    assert found["log"] is Effect.DIVERGES


def test_the_same_keys_carry_nothing() -> None:
    whole = PARENT + CHILD.format("CASCADE") + FURTHER.format("c", "b", "CASCADE")
    assert set(verdicts(whole, whole).values()) == {Effect.IDENTICAL}


STOCK = "CREATE TABLE stock (sku INT PRIMARY KEY, qty INT NOT NULL);"
STOCK += "CREATE TABLE line (id INT AUTO_INCREMENT PRIMARY KEY, sku INT, qty INT);" + LOG
LINE = "CREATE TRIGGER l AFTER INSERT ON line FOR EACH ROW UPDATE stock SET qty=qty-{} WHERE sku=NEW.sku;"
WRITES = "CREATE TRIGGER s AFTER UPDATE ON stock FOR EACH ROW INSERT INTO log (what) VALUES ('{}');"
CHANGES = "CREATE TRIGGER s BEFORE UPDATE ON stock FOR EACH ROW SET NEW.qty = NEW.qty + 100;"
CHAINS = {
    "alike": (LINE.format("NEW.qty") + WRITES.format("a"),) * 2,
    "the first differs": (LINE.format(1) + WRITES.format("a"), LINE.format(2) + WRITES.format("a")),
    "the second differs": (LINE.format(1) + WRITES.format("a"), LINE.format(1) + WRITES.format("b")),
    "the first is the source's alone": (LINE.format(1) + WRITES.format("a"), WRITES.format("a")),
    "the second changes its own row": (LINE.format(1) + CHANGES,) * 2,
    "no chain, but UPDATE line JOIN stock": (CHANGES,) * 2,
}


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("mode", ["YES", "LOGGING", "NO", ""])
@pytest.mark.parametrize("server", ["mariadb-10.11", "mariadb-11.8"])
def test_the_applier_runs_triggers_of_further_tables_again(server: str, mode: str, chain: str) -> None:
    """Asked of channels: 1442 (10.11 and 11.8), or rows that differ (10.11)."""
    source, replica = CHAINS[chain]
    settings = {"slave_run_triggers_for_rbr": mode} if mode else {}
    found = verdicts(STOCK + source, STOCK + replica, server, **settings)
    assert (found["stock"] >= Effect.DIVERGES) is (mode in ("YES", "LOGGING"))
