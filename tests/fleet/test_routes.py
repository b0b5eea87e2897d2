"""Rings that would loop and chains that lose a table, found from topology and settings alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemacheck.fleet import profiles, routes, topology

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
