"""Every variable of the recorded servers is on a list, and one that is on none is no pass."""

from __future__ import annotations

import pytest

from schemacheck import Link, check
from schemacheck.inputs.settings import server_from
from schemacheck.model import Effect
from schemacheck.model.variable import Standing, standing
from tests.link.variables import _taken

TABLE = "CREATE TABLE t (a INT PRIMARY KEY)"


def test_every_variable_that_was_asked_is_on_a_list() -> None:
    names = {name for taken in _taken().values() for name, _ in taken}
    assert len(names) > 300
    assert {name for name in names if standing(name) is Standing.UNLISTED} == set()


def _told(mine: dict[str, str], theirs: dict[str, str]) -> dict[str, Effect]:
    base = Link.of("mariadb-10.11", "mariadb-10.11")
    link = Link(base.source.with_told(mine), base.replica.with_told(theirs))
    return {finding.code: finding.effect for finding in check(TABLE, TABLE, link).link_findings}


@pytest.mark.parametrize(
    ("mine", "theirs", "effect"),
    [
        ({"brand_new": "1"}, {"brand_new": "2"}, Effect.UNKNOWN),
        ({"brand_new": "ON"}, {"brand_new": "1"}, None),
        ({"brand_new": "1"}, {}, None),
        ({"innodb_buffer_pool_size": "1"}, {"innodb_buffer_pool_size": "2"}, None),
        ({}, {"secure_timestamp": "YES"}, Effect.DIVERGES),
        ({}, {"init_replica": "SET sql_mode=''"}, Effect.UNKNOWN),
        ({"init_replica": "SET sql_mode=''"}, {}, None),
    ],
)
def test_what_a_variable_comes_to(mine, theirs, effect) -> None:
    assert _told(mine, theirs) == ({"SC946": effect} if effect else {})


def test_a_snapshot_keeps_what_is_not_harmless() -> None:
    rows = {
        "version": "10.11.19-MariaDB",
        "brand_new": "1",
        "innodb_io_capacity": "7",
        "alter_algorithm": "INPLACE",
        "max_sort_length": "1024",
    }
    server = server_from(rows)
    assert server is not None
    assert {name for name, _ in server.settings} == {"brand_new", "alter_algorithm"}
