"""Keys made for foreign keys that were renamed (each line asked of 9.7, 10.11 and 11.8)."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Server

SERVERS = ("mysql-9.7.4", "mariadb-10.11.19", "mariadb-11.8.6")


@pytest.mark.parametrize(
    ("change", "keys"),
    [
        ("ALTER TABLE t RENAME INDEX b TO w, ADD FOREIGN KEY (b) REFERENCES t (a)", ["w"]),
        ("ALTER TABLE t RENAME INDEX b TO w; ALTER TABLE t ADD FOREIGN KEY (b) REFERENCES t (a)", ["w"]),
        ("ALTER TABLE t RENAME INDEX b TO w; ALTER TABLE t ADD KEY z (b)", ["w", "z"]),
        ("ALTER TABLE t RENAME INDEX b TO w; ALTER TABLE t ADD KEY z (b, a)", ["w", "z"]),
        ("ALTER TABLE t RENAME INDEX b TO w, ADD KEY z (b)", ["w", "z"]),
        ("ALTER TABLE t RENAME INDEX b TO b; ALTER TABLE t ADD KEY z (b)", ["b", "z"]),
        ("ALTER TABLE t ADD KEY z (b)", ["z"]),
    ],
)
def test_a_renamed_key_stays(change: str, keys: list[str]) -> None:
    table = "CREATE TABLE t (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES t (a)); "
    for server in SERVERS:
        found = read(table + change, Server.parse(server), database="d")
        assert not found.problems
        assert [one.name for one in next(iter(found.tables)).keys if one.name != "PRIMARY"] == keys
