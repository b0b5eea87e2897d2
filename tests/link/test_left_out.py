"""Options of a channel that are not followed, and words that are none of a channel."""

from __future__ import annotations

import pytest

from schemacheck.cli import main

HERE = ("--source-set", "server_id=1")
SSL = ("--channel", "SOURCE_SSL=1")
GTID = ("--channel", "MASTER_USE_GTID=slave_pos")


def _status(server: str, *given: str) -> int:
    return main(["link", server, server, "--no-config", *given])


@pytest.mark.parametrize(
    ("server", "given", "status"),
    [
        ("mysql-8.0.36", (*SSL, *HERE, "--channel", "IGNORE_SERVER_IDS=(1)"), 3),
        ("mysql-8.0.36", (*SSL, *HERE, "--channel", "IGNORE_SERVER_IDS=(2,3)"), 3),
        ("mysql-8.0.36", (*SSL, "--channel", "IGNORE_SERVER_IDS=(1)"), 3),
        ("mysql-8.0.36", (*SSL, "--channel", "PRIVILEGE_CHECKS_USER=a@b"), 3),
        ("mariadb-10.11", (*GTID, *HERE, "--channel", "IGNORE_DOMAIN_IDS=(0)"), 3),
        ("mariadb-10.11", (*GTID, *HERE, "--channel", "DO_DOMAIN_IDS=(7)"), 3),
        ("mariadb-10.11", (*GTID, *HERE, "--channel", "GTID_ONLY=1"), 1),
        ("mysql-8.0.36", (*SSL, "--channel", "HOST=x"), 1),
        ("mysql-8.0.36", (*SSL, "--channel", "SOURCE_REQUIRE_ROW_FORMAT=1"), 1),
        ("mysql-8.0.36", (*SSL, "--channel", "REQUIRE_ROW_FORMAT=1"), 0),
        ("mysql-8.0.36", (*SSL, "--channel", "SOURCE_GET_PUBLIC_KEY=1"), 1),
        ("mysql-8.0.36", (*SSL, "--channel", "GET_SOURCE_PUBLIC_KEY=1"), 0),
    ],
)
def test_what_a_channel_leaves_out(server: str, given: tuple[str, ...], status: int) -> None:
    assert _status(server, *given) == status


@pytest.mark.parametrize(("value", "status"), [("0", 1), ("OFF", 1), ("1", 0)])
def test_equal_server_ids_pass_where_the_replica_applies_its_own(value: str, status: int) -> None:
    both = ("--set", "server_id=1", "--replica-set", f"replicate_same_server_id={value}")
    assert _status("mariadb-10.11", *both) == status
