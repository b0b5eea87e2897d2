"""What a channel says of an applier that waits for more."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from schemacheck.prove.channel import Channel, Stopped

IDLE = "Slave has read all relay log; waiting for more updates"


class Replica:
    """Answers a status that does not move, and fails behind the third time it is asked."""

    name = "replica"

    def __init__(self, **variables: str) -> None:
        self.variables = variables
        self.asked = 0
        self.server = SimpleNamespace(mariadb=False, has=lambda _: False)

    def word(self, statement: str) -> str:
        return statement

    def ask(self, statement: str) -> list[tuple[int]]:
        return [(-1,)] if "MASTER_POS_WAIT" in statement else []

    def status(self) -> dict[str, str]:
        self.asked += 1
        failed = {"Last_SQL_Errno": "1265", "Last_SQL_Error": "cut"} if self.asked > 3 else {}
        place = {"Master_Log_File": "bin.1", "Read_Master_Log_Pos": "700", "Exec_Master_Log_Pos": "4"}
        return {**place, "Slave_SQL_Running": "Yes", "Slave_SQL_Running_State": IDLE, **failed}


@pytest.fixture
def source() -> SimpleNamespace:
    return SimpleNamespace(
        position=lambda: ("bin.1", 700),
        endpoint=SimpleNamespace(host="127.0.0.1", port=1, user="u"),
        password="",
        variables={},
        server=SimpleNamespace(mariadb=True),
    )


@pytest.mark.parametrize(
    "name", ["replica_parallel_workers", "slave_parallel_workers", "slave_parallel_threads"]
)
def test_an_applier_whose_workers_may_still_run_has_not_applied_everything(source, name):
    assert Channel(source, Replica(**{name: "4"})).wait() == Stopped(1265, "cut")


def test_an_applier_without_workers_that_has_read_everything_has_applied_it(source):
    assert Channel(source, Replica(slave_parallel_workers="0")).wait() is None
