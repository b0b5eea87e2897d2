"""Two servers that replicate are asked about: nothing is in the way."""

from __future__ import annotations

import pytest

from tests.journeys.transcript import Channel, Journey

pytestmark = pytest.mark.server


def test_running_replica(journey: Journey, channel: Channel) -> None:
    channel.source.sql(
        "CREATE DATABASE shop",
        "CREATE TABLE shop.orders (id int NOT NULL PRIMARY KEY, qty int NOT NULL DEFAULT 1)",
        "INSERT INTO shop.orders VALUES (1, 2), (2, 3)",
    )
    assert int(channel.wait()["Last_SQL_Errno"]) == 0
    journey.hide(channel.source.sql("SELECT VERSION() AS v")[0]["v"].split("-")[0], "RELEASE")
    journey.tell("A replica runs. Is it as its source is?")
    journey.run(f"schemacheck check {channel.source.dsn}/shop {channel.replica.dsn}/shop")
    assert channel.replica.sql("SELECT SUM(qty) AS total FROM shop.orders")[0]["total"] == 5
    journey.end()
