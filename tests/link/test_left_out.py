"""Options of a channel that are not followed, and words that are none of a channel."""

from __future__ import annotations

from pathlib import Path

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


@pytest.mark.parametrize(
    ("server", "told", "status"),
    [
        # Asked of 9.7.4 and 11.8.9 over channels: 13496, 3944, 3750, rows that are left out.
        ("mysql-9.7", "replicate_ignore_server_ids=7, 1", 1),
        ("mysql-9.7", "replicate_ignore_server_ids=7", 0),
        ("mysql-9.7", "privilege_checks_user='pc'@'localhost'", 3),
        ("mysql-9.7", "require_row_format=ON", 0),
        ("mysql-9.7", "require_table_primary_key_check=ON", 3),
        ("mysql-9.7", "require_table_primary_key_check=STREAM", 0),
        ("mysql-9.7", "auto_position=1", 1),
        ("mariadb-11.8", "replicate_do_domain_ids=3", 3),
        ("mariadb-11.8", "replicate_ignore_domain_ids=0", 3),
        ("mariadb-11.8", "using_gtid=Slave_Pos", 0),
    ],
)
def test_what_a_live_channel_tells_decides_in_link_and_check(
    server: str, told: str, status: int, tmp_path: Path
) -> None:
    given = ("--source-set", "server_id=1", "--set", "gtid_mode=OFF", "--replica-set", told)
    assert _status(server, *given) == status
    tables = tmp_path / "t.sql"
    tables.write_text("CREATE TABLE d.t (id int PRIMARY KEY);")
    versions = ("--source-version", server, "--replica-version", server)
    assert main(["check", str(tables), str(tables), "--no-config", *versions, *given]) == status


@pytest.mark.parametrize(
    ("server", "format_", "status"),
    [
        ("mysql-5.6", "STATEMENT", 3), ("mysql-9.7", "STATEMENT", 3), ("mariadb-10.11", "STATEMENT", 3),
        ("mariadb-11.8", "MIXED", 0), ("mysql-9.7", "ROW", 0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("level", ["READ-COMMITTED", "READ-UNCOMMITTED"])
def test_statements_alone_are_refused_under_loose_isolation(server, format_, status, level) -> None:
    """1665 of every change of InnoDB, asked of four servers."""
    assert _status(server, "--set", f"transaction_isolation={level}", "--binlog-format", format_) == status


@pytest.mark.parametrize("format_", ["MIXED", "STATEMENT"])
def test_a_live_channel_of_rows_alone(format_: str) -> None:
    given = ("--replica-set", "require_row_format=ON", "--binlog-format", format_)
    assert _status("mysql-9.7", *given) == 3


@pytest.mark.parametrize(("value", "status"), [("0", 1), ("OFF", 1), ("1", 0)])
def test_equal_server_ids_pass_where_the_replica_applies_its_own(value: str, status: int) -> None:
    both = ("--set", "server_id=1", "--replica-set", f"replicate_same_server_id={value}")
    assert _status("mariadb-10.11", *both) == status
