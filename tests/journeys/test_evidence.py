"""Does it bite the data that is there: two files with a profile, and a live server asked at once."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server
from schemacheck.profile.document import ColumnProfile, Profile, ServerOf, TableProfile, definition_of, dump
from tests.journeys.transcript import Channel, Journey

OLD = """CREATE TABLE customers (
  id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  email varchar(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL,
  city varchar(80) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL,
  credit decimal(10,4) NOT NULL
);
"""
NEW = """CREATE TABLE customers (
  id int NOT NULL AUTO_INCREMENT PRIMARY KEY,
  email varchar(60) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL,
  city varchar(80) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL,
  credit decimal(10,2) NOT NULL
);
"""
SERVERS = "--source-version mariadb-10.11.6"


def _hide_times(journey: Journey) -> None:
    for number, moment in enumerate(
        sorted(set(re.findall(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00", journey.text())))
    ):
        journey.hide(moment, f"TIME_{number}")


def test_evidence_of_a_profile(journey: Journey) -> None:
    journey.tell("customers is made narrower. Which of that happens to us? A colleague has a profile.")
    journey.write("old.sql", OLD)
    journey.write("new.sql", NEW)
    table = read(OLD, Server.parse("mariadb-10.11.6")).tables[0]
    taken = "2026-11-25T04:00:00+00:00"
    columns = {
        "id": ColumnProfile("bigint", 0, Decimal(1), Decimal(1_932_000_011)),
        "email": ColumnProfile("varchar(120)", 0, longest_characters=51, longest_bytes=51),
        "city": ColumnProfile("varchar(80)", 17, longest_characters=30, longest_bytes=33),
        "credit": ColumnProfile("decimal(10,4)", 0, Decimal(0), Decimal("950.5"), fraction=2),
    }
    held = TableProfile(
        "shop", "customers", taken, columns, definition_of(table), complete=True, rows=412_000,
        auto_increment=1_932_000_012,
    )  # fmt: skip
    profile = Profile("data", ServerOf("mariadb", "10.11.6"), taken, taken, (held,))
    journey.write("shop.json", dump(profile, "schemacheck"))
    journey.run(f"schemacheck check old.sql new.sql {SERVERS} --evidence shop.json", status=1)
    journey.tell("With the setting for today's data, and what is absent no longer in the way:")
    setting = "--type-conversions ALL_LOSSY"
    command = f"schemacheck check old.sql new.sql {SERVERS} {setting} --evidence shop.json --only-biting"
    journey.run(f"{command} --format concise", status=1)
    journey.tell("city gets its NULL back, and the gate opens.")
    journey.write(
        "new.sql",
        NEW.replace(
            "COLLATE utf8mb4_general_ci NOT NULL,\n  credit", "COLLATE utf8mb4_general_ci NULL,\n  credit"
        ),
    )
    journey.run(f"{command} --format concise")
    journey.tell("The table has changed since: the profile rules nothing out.")
    journey.write("old.sql", OLD.replace("varchar(120)", "varchar(200)"))
    journey.run(f"{command} --quiet", status=1)
    journey.end()


@pytest.mark.server
def test_evidence_of_a_live_server(journey: Journey, channel: Channel) -> None:
    source, replica = channel.source, channel.replica
    for end, text in ((source, OLD), (replica, NEW)):
        end.sql("SET sql_log_bin = 0", "CREATE DATABASE shop", "USE shop", text)
    replica.sql("SET GLOBAL slave_type_conversions = 'ALL_LOSSY,ALL_NON_LOSSY'")
    source.sql(
        "INSERT INTO customers (email, city, credit) VALUES ('a@example.org', 'Bonn', 1.25), "
        "('b@example.org', NULL, 2.5), ('c@example.org', NULL, 3.1234)",
        database="shop",
    )
    journey.tell("Source and replica differ, and replication runs. What happens to our rows?")
    journey.hide(source.sql("SELECT VERSION() AS v")[0]["v"].split("-")[0], "RELEASE")
    check = f"schemacheck check {source.dsn}/shop {replica.dsn}/shop"
    journey.run(f"{check} --evidence {source.dsn}/shop --format concise", status=1)
    journey.tell("It is so: what bites has happened, and nothing else.")
    assert channel.wait()["Slave_SQL_Running"] == "Yes"
    rows = replica.sql("SELECT id, email, city, credit FROM shop.customers")
    journey.cell(
        "SELECT * FROM customers (replica)", "\n".join(str(tuple(map(str, row.values()))) for row in rows)
    )
    journey.tell("A profile is a file that may be kept, and two tell how fast a key fills up.")
    journey.run(f"schemacheck profile {source.dsn}/shop -o shop.json")
    journey.run(f"{check} --evidence shop.json --only-biting --quiet", status=1)
    replica.sql("SET GLOBAL slave_type_conversions = DEFAULT")
    _hide_times(journey)
    journey.end()


@pytest.mark.server
def test_evidence_of_a_log(journey: Journey, channel: Channel) -> None:
    source, replica = channel.source, channel.replica
    source.sql("SET GLOBAL binlog_format = STATEMENT", "SET GLOBAL binlog_row_metadata = FULL")
    for end, extra in ((source, ""), (replica, ", note varchar(40) NULL")):
        end.sql(
            "SET sql_log_bin = 0",
            "CREATE DATABASE shop",
            f"CREATE TABLE shop.orders (id int PRIMARY KEY, name varchar(40), state int{extra})",
        )
    journey.tell(
        "The source logs statements, and its replica has a column more: is an INSERT without columns"
    )
    journey.tell("ever written? The log of a day says.")
    journey.hide(source.sql("SELECT VERSION() AS v")[0]["v"].split("-")[0], "RELEASE")
    for number in range(3):
        source.sql(
            "SET binlog_format = STATEMENT",
            f"INSERT INTO orders (id, name, state) VALUES ({number}, 'a', 1)",
            f"UPDATE orders SET state = 2 WHERE id = {number}",
            database="shop",
        )
    log = source.sql("SELECT CONCAT(@@log_bin_basename, '.000001') AS name")[0]["name"]
    (journey.folder / "source-bin.000001").write_bytes(Path(log).read_bytes())
    check = f"schemacheck check {source.dsn}/shop {replica.dsn}/shop"
    journey.run(f"{check} --format concise", status=1)
    journey.run("schemacheck profile --binlog source-bin.000001 -o written.json")
    journey.run(f"{check} --evidence written.json --only-biting --format concise")
    journey.tell("And a job that names no columns:")
    source.sql("SET binlog_format = STATEMENT", "INSERT INTO orders VALUES (9, 'b', 1)", database="shop")
    (journey.folder / "source-bin.000001").write_bytes(Path(log).read_bytes())
    journey.run("schemacheck profile --binlog source-bin.000001 -o written.json")
    journey.run(f"{check} --evidence written.json --only-biting --format concise", status=1)
    journey.cell("SHOW SLAVE STATUS", f"Last_SQL_Errno: {channel.wait()['Last_SQL_Errno']}")
    source.sql("SET GLOBAL binlog_format = DEFAULT", "SET GLOBAL binlog_row_metadata = DEFAULT")
    _hide_times(journey)
    journey.end()
