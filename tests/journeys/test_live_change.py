"""A change is planned against a live source and its snapshot, and rolled out while rows are written."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator

import pytest

from tests.journeys.transcript import Channel, End, Journey

pytestmark = pytest.mark.server

ORDERS = """\
CREATE TABLE shop.orders (
  id bigint unsigned NOT NULL AUTO_INCREMENT,
  customer_id int NOT NULL,
  status varchar(20) NOT NULL DEFAULT 'new',
  note varchar(100) DEFAULT NULL,
  legacy int DEFAULT NULL,
  PRIMARY KEY (id),
  KEY customer (customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4
"""
CHANGE = """\
ALTER TABLE orders ADD COLUMN paid_at datetime NULL;
ALTER TABLE orders MODIFY note varchar(200) DEFAULT NULL;
ALTER TABLE orders DROP COLUMN legacy;
ALTER TABLE orders MODIFY customer_id bigint NOT NULL;
"""
#: What an application does meanwhile, on the definition before and behind the change.
WRITES = (
    "INSERT INTO shop.orders (customer_id, note) VALUES (FLOOR(RAND() * 9), REPEAT('é', 90))",
    "UPDATE shop.orders SET status = 'paid' WHERE customer_id = 3 AND status = 'new'",
    "DELETE FROM shop.orders WHERE customer_id = 5 LIMIT 1",
)


@contextlib.contextmanager
def written(source: End) -> Iterator[None]:
    """Rows are written until the block ends."""
    done = threading.Event()
    errors: list[Exception] = []

    def write() -> None:
        while not done.is_set():
            try:
                source.sql(*WRITES)
            except Exception as error:  # noqa: BLE001 shown by the test
                errors.append(error)
                return

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    assert not errors


def roll_out(journey: Journey, channel: Channel, folder: str, plan: str) -> None:
    """Every step of a runbook by its script, in order; what it shows goes to a file, but for a GTID."""
    ends = {"source.sh": channel.source, "replica.sh": channel.replica}
    gtid = ""
    for step in json.loads((journey.folder / plan).read_text("utf-8"))["runbook"]:
        name = f"{step['side']}.sh"
        end = ends[name].endpoint
        journey.environment["MYSQL"] = f"mariadb --socket={end.socket} --user={end.user}"
        journey.environment["MYSQL_PWD"] = end.password or ""
        if step["kind"] == "mark":
            shown = journey.run(f"echo yes | {folder}/{name} {step['number']} --run | tail -1")
            gtid = shown.split()[-1]
            journey.hide(gtid, "GTID")
        else:
            given = f"GTIDS={gtid} " if step["kind"] == "wait" else ""
            journey.run(f"echo yes | {given}{folder}/{name} {step['number']} --run > step.log")


def equal(channel: Channel) -> None:
    """The replica runs, and has the source's definition and rows."""
    status = channel.wait()
    assert (status["Slave_SQL_Running"], status["Last_SQL_Errno"]) == ("Yes", 0)
    for sql in ("SHOW CREATE TABLE shop.orders", "CHECKSUM TABLE shop.orders EXTENDED"):
        assert channel.source.sql(sql) == channel.replica.sql(sql)


def test_live_change(journey: Journey, channel: Channel) -> None:
    channel.source.sql("CREATE DATABASE shop CHARACTER SET utf8mb4", ORDERS)
    channel.source.sql("INSERT INTO shop.orders (customer_id) SELECT seq % 9 FROM mysql.seq_1_to_300")
    channel.source.sql("ANALYZE TABLE shop.orders")
    version = channel.source.sql("SELECT VERSION() AS version")[0]["version"]
    journey.hide(version.split("-")[0], "RELEASE")
    source = f"{channel.source.dsn}/shop"
    journey.tell("A change of a table that is written all the time. The source is asked.")
    journey.write("change.sql", CHANGE)
    journey.run(f"schemacheck plan {source} change.sql")
    journey.tell("A colleague has no account there, and a snapshot of it: is the plan the same?")
    journey.run(f"schemacheck snapshot {source} -o today.tsv > /dev/null")
    journey.run(f"schemacheck plan {source} change.sql > live.txt")
    journey.run("schemacheck plan today.tsv change.sql > snapshot.txt")
    journey.tell("It is, but for the sizes, which a snapshot has not.")
    journey.run("diff live.txt snapshot.txt", status=1)
    journey.tell("It is rolled out step by step, each step by its script.")
    journey.run(f"schemacheck plan {source} change.sql --out-dir rollout -q")
    journey.run("./rollout/source.sh")
    journey.run(f"schemacheck plan {source} change.sql -o plan.json -f json")
    with written(channel.source):
        roll_out(journey, channel, "./rollout", "plan.json")
    equal(channel)
    columns = channel.source.sql("SHOW COLUMNS FROM shop.orders")
    assert [c["Field"] for c in columns] == ["id", "customer_id", "status", "note", "paid_at"]
    journey.tell("Another one, each server by itself: nothing of it is in the log.")
    journey.write("next.sql", "ALTER TABLE orders ADD COLUMN channel varchar(10) NULL;\n")
    journey.run(f"schemacheck plan {source} next.sql --unlogged --out-dir next")
    journey.run(f"schemacheck plan {source} next.sql --unlogged -o next.json -f json")
    with written(channel.source):
        roll_out(journey, channel, "./next", "next.json")
    equal(channel)
    journey.end()
