"""RENAME INDEX twice in one ALTER TABLE (asked of MySQL 9.7.4 and MariaDB 10.11.19 and 11.8.6)."""

from __future__ import annotations

import pytest

from schemacheck import catalog
from schemacheck.model import Server


@pytest.mark.parametrize("server", ["mysql-9.7.4", "mariadb-10.11.19", "mariadb-11.8.6"])
@pytest.mark.parametrize(
    ("parts", "number"),
    [
        ("RENAME INDEX k1 TO k9, RENAME INDEX k1 TO k9", 1176),
        ("RENAME INDEX k1 TO k9, RENAME INDEX k9 TO k8", 1176),
        ("RENAME INDEX k1 TO k2, RENAME INDEX k2 TO k1", None),
    ],
)
def test_a_key_has_its_old_name_once(server, parts, number):
    made = "CREATE TABLE t (a INT, b INT, KEY k1 (a), KEY k2 (b))"
    schema = catalog.read(f"{made}; ALTER TABLE t {parts}", Server.parse(server))
    assert [one.refusal.number for one in schema.problems] == ([] if number is None else [number])
    if number is None:
        assert {key.name: key.parts[0].column for key in schema.tables[0].keys} == {"k2": "a", "k1": "b"}
