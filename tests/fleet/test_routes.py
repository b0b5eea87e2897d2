"""Rings that would loop and chains that lose a table, found from topology and settings alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemacheck.fleet import profiles, routes, snapshots, summary, topology, whole_links
from schemacheck.model import Effect

TABLES = [("shop", "orders"), ("shop", "tmp")]


def followed(tmp_path: Path, links: str, instances: str = "") -> dict[str, object]:
    text = f"defaults: {{server: mysql-8.0.36}}\n{instances}links: [{links}]\n"
    (tmp_path / "fleet.yaml").write_text(text, "utf-8")
    fleet = topology.read(tmp_path / "fleet.yaml")
    return routes.follow(fleet, profiles.resolve(fleet, ()), lambda most: (TABLES[:most], len(TABLES)))


def kinds(found: dict[str, object]) -> set[str]:
    findings = found["findings"]
    assert isinstance(findings, list)
    return {finding["kind"] for finding in findings}


def test_a_single_link_has_no_way_to_follow(tmp_path: Path) -> None:
    assert followed(tmp_path, "{source: a, replica: b}") == {
        "servers": 0,
        "tables": 0,
        "of_tables": 0,  # nobody counts them
        "findings": [],
    }


def test_a_chain_that_keeps_a_table_out_loses_it(tmp_path: Path) -> None:
    found = followed(
        tmp_path,
        "{source: a, replica: b}, {source: b, replica: c, filters: {replicate-ignore-table: [shop.tmp]}}",
    )
    assert kinds(found) == {"lost"}
    assert "shop.tmp" in str(found)
    assert "shop.orders" not in str(found)


@pytest.mark.parametrize(("setting", "expected"), [("'ON'", set()), ("'OFF'", {"lost"})])
def test_a_middle_server_must_log_what_it_applies(tmp_path: Path, setting: str, expected: set[str]) -> None:
    instances = f"instances: {{b: {{settings: {{log_slave_updates: {setting}}}}}}}\n"
    assert (
        kinds(followed(tmp_path, "{source: a, replica: b}, {source: b, replica: c}", instances)) == expected
    )


def test_an_old_middle_server_does_not_log_by_default(tmp_path: Path) -> None:
    instances = "instances: {b: {server: mysql-5.7.44}}\n"
    assert kinds(followed(tmp_path, "{source: a, replica: b}, {source: b, replica: c}", instances)) == {
        "lost"
    }


def test_a_ring_ends_at_its_origin_unless_ids_are_ignored(tmp_path: Path) -> None:
    links = "{source: a, replica: b}, {source: b, replica: a}"
    assert kinds(followed(tmp_path, links)) == set()
    looping = "instances: {a: {settings: {replicate_same_server_id: 'ON'}}}\n"
    assert kinds(followed(tmp_path, links, looping)) == {"loop"}


def test_equal_server_ids_are_told(tmp_path: Path) -> None:
    instances = "instances: {a: {settings: {server_id: '7'}}, b: {settings: {server_id: '7'}}}\n"
    assert "same-server-id" in kinds(
        followed(tmp_path, "{source: a, replica: b}, {source: b, replica: c}", instances)
    )


@pytest.mark.parametrize(
    ("second", "status"),
    [
        ("{source: b, replica: c}", 0),
        ("{source: b, replica: c, filters: {replicate-ignore-table: [shop.tmp]}}", 0),
        ("{source: b, replica: c}, {source: a, replica: c, channel: x}", 1),
    ],
)
def test_what_a_chain_does_is_in_the_exit_status(tmp_path: Path, second: str, status: int) -> None:
    ways = followed(tmp_path, "{source: a, replica: b}, " + second)
    made = {"verdicts": {}, "link_findings": [], "input_problems": {"unread": 0}, "topology": ways}
    assert summary.exit_status(made, Effect.UNSUPPORTED) == status


def test_a_server_that_logs_nothing_of_its_source_loses_it(tmp_path: Path) -> None:
    settings = "instances: {b: {settings: {log_replica_updates: 'OFF'}}}\n"
    ways = followed(tmp_path, "{source: a, replica: b}, {source: b, replica: c}", settings)
    assert kinds(ways) == {"lost"}
    made = {"verdicts": {}, "link_findings": [], "input_problems": {"unread": 0}, "topology": ways}
    assert summary.exit_status(made, Effect.UNSUPPORTED) == 1


@pytest.mark.parametrize(("ids", "stops"), [(("1", "2"), False), (("7", "7"), True), (("0", "5"), True)])
def test_servers_of_one_id_do_not_replicate(tmp_path: Path, ids: tuple[str, str], *, stops: bool) -> None:
    for name, number in zip("ab", ids, strict=True):
        (tmp_path / name).mkdir()
        text = f"Variable_name\tValue\nversion\t8.0.36\nserver_id\t{number}\n"
        (tmp_path / name / "variables.tsv").write_text(text)
        (tmp_path / name / "columns.tsv").write_text("")
    (tmp_path / "fleet.yaml").write_text("snapshots: .\nlinks: [{source: a, replica: b}]\n")
    fleet = topology.read(tmp_path / "fleet.yaml")
    resolved = profiles.resolve(fleet, snapshots.find(fleet, ()))
    assert any(row["effect"] == "stops" for row in whole_links.rows(fleet, resolved, {})) == stops
