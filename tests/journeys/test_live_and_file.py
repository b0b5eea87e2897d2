"""A live server against its own dump, against a plain file, and a plan for it: what nobody said of the other
end stops nothing.
"""

from __future__ import annotations

import pytest

from tests.journeys.transcript import Channel, Journey

pytestmark = pytest.mark.server

ORDERS = """CREATE TABLE orders (
  id int NOT NULL PRIMARY KEY,
  name varchar(40) NOT NULL,
  state enum('new','paid') NOT NULL
);
"""


def test_live_and_file(journey: Journey, channel: Channel) -> None:
    source = channel.source
    source.sql("SET GLOBAL character_set_server = latin1", "CREATE DATABASE shop CHARACTER SET utf8mb4")
    source.sql(ORDERS, database="shop")
    journey.tell("The server has latin1 as its character set, its database utf8mb4; the schema is a file.")
    journey.write("orders.sql", ORDERS)
    journey.run(f"schemacheck check {source.dsn}/shop orders.sql --database shop")
    journey.run(f"schemacheck check orders.sql {source.dsn}/shop --database shop")
    journey.tell("And against the server's own dump, made without table options.")
    version = source.sql("SELECT VERSION() AS version")[0]["version"]
    journey.hide(version, "VERSION")
    journey.hide(version.split("-")[0], "RELEASE")
    made = source.sql("SHOW CREATE TABLE shop.orders")[0]["Create Table"]
    journey.write(
        "dump.sql",
        f"-- MariaDB dump 10.19  Distrib {version}\n-- Server version\t{version}\n\nUSE `shop`;\n"
        f"{made.rpartition(')')[0]});\n-- Dump completed on 2026-11-25\n",
    )
    journey.run(f"schemacheck check {source.dsn}/shop dump.sql")
    journey.tell("A column is to be added: how does it reach a replica of this server?")
    journey.write("change.sql", "ALTER TABLE orders ADD COLUMN note varchar(40);\n")
    journey.run(f"schemacheck plan {source.dsn}/shop change.sql --database shop --quiet")
    journey.tell("The snapshot of this server says the same.")
    journey.run(f"schemacheck snapshot {source.dsn}/shop --output shop.jsonl")
    journey.run("schemacheck plan shop.jsonl change.sql --database shop --quiet")
    source.sql("SET GLOBAL character_set_server = DEFAULT")
    journey.end()
