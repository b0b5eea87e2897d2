"""Where journeys happen: a folder, and two real servers where they meet any."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from schemacheck.errors import UsageError
from schemacheck.scratch import program, start
from schemacheck.scratch.where import program_maker
from tests.journeys.transcript import Channel, End, Journey


@pytest.fixture
def journey(request: pytest.FixtureRequest, tmp_path: Path) -> Journey:
    """An empty folder and an empty transcript, named as the test."""
    return Journey(request.node.name.removeprefix("test_"), tmp_path)


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[End, End]]:
    """Two fresh MariaDB servers of this machine, not connected."""
    try:
        maker = program_maker(program.any_of_them())
    except UsageError as error:
        pytest.skip(str(error))
    with start.pair(maker, maker) as (source, replica):
        yield End("source", source), End("replica", replica)


@pytest.fixture
def channel(servers: tuple[End, End], journey: Journey) -> Iterator[Channel]:
    """Source and replica, empty and replicating with GTIDs; the journey knows the password, its transcript
    hides the ports."""
    source, replica = servers
    for end in servers:
        end.sql("STOP SLAVE", "RESET SLAVE ALL", "SET GLOBAL gtid_slave_pos = ''", "RESET MASTER")
        end.sql("SET GLOBAL binlog_format = ROW")
        journey.hide(end.endpoint.port, f"{end.name.upper()}_PORT")
    journey.environment["SCHEMACHECK_PASSWORD"] = source.endpoint.password or ""
    channel = Channel(source, replica)
    channel.start()
    yield channel
    replica.sql("STOP SLAVE", "RESET SLAVE ALL")
    for end in servers:
        for row in end.sql("SHOW DATABASES"):
            if row["Database"] not in ("mysql", "sys", "information_schema", "performance_schema"):
                end.sql(f"DROP DATABASE `{row['Database']}`")
