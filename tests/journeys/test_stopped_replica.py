"""A replica has stopped at three in the morning: what `diagnose` prints is done, and it runs again.

Any other pair of servers that may be lost is asked with

    SCHEMACHECK_PAIR='mysql://root@127.0.0.1:3306 mysql://root@127.0.0.1:3307' \
        .venv/bin/python -m pytest tests/journeys/test_stopped_replica.py

(as root without a password; its transcripts are not compared).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from schemacheck.inputs.endpoint import Access, Endpoint
from tests.journeys.any_channel import AnyChannel
from tests.journeys.transcript import End, Journey

pytestmark = pytest.mark.server

ORDERS = "CREATE TABLE orders (id int NOT NULL PRIMARY KEY, note varchar(40), qty bigint NOT NULL)"
ROWS = "INSERT INTO orders VALUES (1, NULL, 1), (2, NULL, 2)"
LINES = "CREATE TABLE order_lines (id int NOT NULL PRIMARY KEY, order_id int)"
STATEMENT = "SET SESSION binlog_format = STATEMENT"


@dataclass(frozen=True)
class Case:
    """What both ends have, what becomes of the replica, and what the source does then. `again`: asked again
    before the applier is started, `diagnose` says that this is all that is left."""

    numbers: tuple[int, ...]
    both: tuple[str, ...]
    replica: tuple[str, ...]
    source: tuple[str, ...]
    again: bool = False


CASES = {
    "conversion": Case(
        (1677, 13146), (ORDERS, ROWS), ("ALTER TABLE orders MODIFY qty int NOT NULL",),
        ("INSERT INTO orders VALUES (3, 'new', 5000000000)",), again=True,
    ),
    "row_is_missing": Case(
        (1032,), (ORDERS, ROWS), ("DELETE FROM orders WHERE id = 2",),
        ("UPDATE orders SET qty = 7 WHERE id = 2",),
    ),
    "rows_of_a_transaction_are_missing": Case(
        (1032,), (ORDERS, ROWS), ("DELETE FROM orders",),
        ("BEGIN", "UPDATE orders SET qty = 7 WHERE id = 2", "UPDATE orders SET qty = 8", "COMMIT"),
    ),
    "row_is_there": Case(
        (1062,), (ORDERS, ROWS), ("INSERT INTO orders VALUES (3, 'by hand', 1)",),
        ("INSERT INTO orders VALUES (3, 'O''Hara', 3)",),
    ),
    "unique_key_of_the_replica": Case(
        (1062,), (ORDERS, ROWS), ("ALTER TABLE orders ADD UNIQUE KEY by_qty (qty)",),
        ("INSERT INTO orders VALUES (3, NULL, 2)",),
    ),
    "column_of_a_definition": Case(
        (1054,), (ORDERS, ROWS), ("ALTER TABLE orders DROP COLUMN note",),
        ("ALTER TABLE orders ADD COLUMN place varchar(20) AFTER note",), again=True,
    ),
    "column_of_a_statement": Case(
        (1054,), (ORDERS, ROWS), ("ALTER TABLE orders DROP COLUMN note",),
        (STATEMENT, "UPDATE orders SET note = 'late' WHERE id = 1"), again=True,
    ),
    "no_default": Case(
        (1364,), (ORDERS, ROWS), ("ALTER TABLE orders ADD COLUMN place varchar(20) NOT NULL",),
        (STATEMENT, "INSERT INTO orders (id, qty) VALUES (3, 3)"), again=True,
    ),
    "no_table": Case(
        (1146,), (ORDERS,), ("DROP TABLE orders",), (ROWS,), again=True,
    ),
    "no_function": Case(
        (1305,), (ORDERS, "CREATE FUNCTION twice(a int) RETURNS int DETERMINISTIC BEGIN RETURN 2 * a; END"),
        ("DROP FUNCTION twice",), (STATEMENT, "INSERT INTO orders VALUES (3, NULL, twice(3))"),
    ),
    "child_of_the_replica": Case(
        (1451,), (ORDERS, ROWS, LINES, "INSERT INTO order_lines VALUES (1, 2)"),
        ("ALTER TABLE order_lines ADD CONSTRAINT of_order FOREIGN KEY (order_id) REFERENCES orders (id)",),
        ("DELETE FROM orders WHERE id = 2",),
    ),
    "parent_of_the_replica": Case(
        (1452,), (ORDERS, ROWS, LINES),
        ("ALTER TABLE order_lines ADD CONSTRAINT of_order FOREIGN KEY (order_id) REFERENCES orders (id)",),
        ("INSERT INTO order_lines VALUES (1, 77)",),
    ),
}  # fmt: skip


@pytest.fixture
def channel(request: pytest.FixtureRequest, journey: Journey) -> Iterator[AnyChannel]:
    """Two empty servers, and a channel between them by GTIDs where they have any."""
    given = os.environ.get("SCHEMACHECK_PAIR", "").split()
    if given:
        ends = [
            End(name, Endpoint.parse(dsn, Access()))
            for name, dsn in zip(("source", "replica"), given, strict=True)
        ]
    else:
        ends = list(request.getfixturevalue("servers"))
    pair = AnyChannel(*ends)
    for end in ends:
        journey.hide(end.endpoint.port, f"{end.name.upper()}_PORT")
    journey.environment["SCHEMACHECK_PASSWORD"] = ends[0].endpoint.password or ""
    pair.begin()
    yield pair
    pair.close()


def block(printed: str) -> list[str]:
    """The lines under `Fix` or `Next step`, which say that they are for the replica."""
    lines = printed.splitlines()
    (first,) = [
        at
        for at, line in enumerate(lines)
        if line.startswith(("Fix, on the replica:", "Next step, on the replica:"))
    ]
    rest = lines[first + 1 :]
    end = next(at for at, line in enumerate(rest) if line[:2] != "  ")
    return [line[4:] for line in rest[:end] if line.startswith("    ")]


def by_the_client(end: End, lines: list[str]) -> None:
    """Paste lines into the command line client."""
    client = shutil.which("mariadb") or shutil.which("mysql")
    if client is None:
        pytest.skip("no client (mariadb, mysql) to paste into")
    where = [f"--socket={end.endpoint.socket}"] if end.endpoint.socket else [
        "--protocol=TCP", f"--host={end.endpoint.host}", f"--port={end.endpoint.port}"]  # fmt: skip
    done = subprocess.run(
        [client, "--no-defaults", f"--user={end.endpoint.user}", *where],
        input="\n".join(lines), text=True, capture_output=True, check=False, timeout=60,
        env={"PATH": os.environ["PATH"], "MYSQL_PWD": end.endpoint.password or ""},
    )  # fmt: skip
    assert done.returncode == 0, (lines, done.stderr)


@pytest.mark.parametrize("name", CASES)
def test_stopped_replica(journey: Journey, channel: AnyChannel, name: str) -> None:
    case = CASES[name]
    channel.source.sql("CREATE DATABASE shop CHARACTER SET utf8mb4", "USE shop", *case.both)
    channel.wait()
    channel.replica.sql("SET SESSION sql_log_bin = 0", "USE shop", *case.replica)
    channel.source.sql("USE shop", *case.source)
    assert channel.wait() in case.numbers
    channel.hide_places(journey)
    journey.tell(f"On the replica: {'; '.join(case.replica)}")
    journey.tell(f"On the source: {'; '.join(case.source)}")
    journey.tell("The replica has stopped. Why, and what is to be done?")
    command = f"schemacheck diagnose {channel.replica.dsn} {channel.source.dsn}/shop"
    printed = journey.run(command, status=1)
    assert max(map(len, [line for line in printed.splitlines() if line[:4] != "    "])) < 80
    lines = block(printed)
    if case.again:
        assert lines[-1].startswith("START ")
        by_the_client(channel.replica, lines[:-1])
        journey.tell(f"I run all but {lines[-1]} and ask again.")
        printed = journey.run(command, status=1)
        assert "Next step" in printed
        lines = block(printed)
    by_the_client(channel.replica, lines)
    journey.tell("I run that on the replica and ask again.")
    assert channel.wait() == 0
    journey.run(command)
    channel.assert_equal("shop")
    channel.assert_nothing_errant()
    if "SCHEMACHECK_PAIR" not in os.environ:
        journey.end()
