"""What an applier takes from events where the replica's own variables say something else."""

from __future__ import annotations

import pytest

from schemacheck.model import Link, Server
from schemacheck.replay.change import streamed

_GENERAL, _UCA, _0900 = "utf8mb4_general_ci", "utf8mb4_uca1400_ai_ci", "utf8mb4_0900_ai_ci"


@pytest.mark.parametrize(
    ("source", "replica", "told", "collation"),
    [  # asked over channels
        ("mysql-5.6.24", "mariadb-11.8.9", {}, _GENERAL),
        ("mysql-9.7.4", "mariadb-11.8.9", {}, _GENERAL),
        ("mariadb-10.11.19", "mariadb-11.8.9", {"character_set_collations": "utf8mb4=utf8mb4_bin"}, _GENERAL),
        ("mariadb-10.11.19", "mysql-9.7.4", {}, _GENERAL),
        ("mariadb-11.8.9", "mariadb-11.8.9", {"character_set_collations": "utf8mb4=utf8mb4_bin"}, _UCA),
        ("mariadb-11.8.9", "mariadb-10.11.19", {}, _GENERAL),
        ("mysql-9.7.4", "mysql-9.7.4", {"default_collation_for_utf8mb4": _GENERAL}, _0900),
    ],
)
def test_a_character_set_that_is_named_alone(source, replica, told, collation):
    link = Link(Server.parse(source), Server.parse(replica).with_told(told))
    assert streamed(link).replica.default_collation("utf8mb4") == collation


def test_an_empty_list_of_collations_is_not_the_default_list():
    server = Server.parse("mariadb-11.8.9")
    assert server.default_collation("utf8mb4") == _UCA
    assert server.with_told({"character_set_collations": ""}).default_collation("utf8mb4") == _GENERAL
