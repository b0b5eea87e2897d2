"""CONVERT TO CHARACTER SET beside another default of the same ALTER TABLE, in both orders.

Asked of MySQL 5.6.24, 9.7.4 and MariaDB 10.11.19, 11.8.6, in 1,152 statements; these are those that tell the
rule of MySQL apart. A number is the server's error.
"""

from __future__ import annotations

import pytest

from schemacheck import catalog
from schemacheck.model import Server

LATIN, SWEDISH, GENERAL = "latin1_bin", "latin1_swedish_ci", "latin1_general_ci"
CASES = [
    ("COLLATE=latin1_general_ci, CONVERT TO CHARACTER SET latin1", SWEDISH, SWEDISH),
    ("COLLATE=latin1_general_ci, CONVERT TO CHARACTER SET latin1 COLLATE latin1_bin", LATIN, LATIN),
    ("COLLATE=latin1_general_ci, CONVERT TO CHARACTER SET utf8mb4", "utf8mb4_general_ci", 1302),
    ("DEFAULT CHARACTER SET latin1, CONVERT TO CHARACTER SET utf8mb4", "utf8mb4_general_ci", 1302),
    ("DEFAULT CHARACTER SET latin1, CONVERT TO CHARACTER SET latin1 COLLATE latin1_bin", LATIN, LATIN),
    ("CONVERT TO CHARACTER SET latin1 COLLATE latin1_bin, DEFAULT CHARACTER SET latin1", SWEDISH, LATIN),
    ("CONVERT TO CHARACTER SET latin1 COLLATE latin1_bin, COLLATE latin1_general_ci", GENERAL, GENERAL),
]


@pytest.mark.parametrize(("parts", "old", "new"), CASES)
@pytest.mark.parametrize("server", ["mysql-5.6.24", "mysql-9.7.4"])
def test_the_last_part_says_the_default(server, parts, old, new):
    wanted = old if "5.6" in server else new
    script = f"CREATE TABLE t (c VARCHAR(5)); ALTER TABLE t {parts}"
    charsets = {"d": ("utf8mb4", "utf8mb4_general_ci")}
    schema = catalog.read(script, Server.parse(server), database="d", charsets=charsets)
    # It is not followed: unknown, never another answer than the server's.
    numbers = [one.refusal.number if one.refusal else None for one in schema.problems]
    assert numbers in ([None], [wanted]) or schema.tables[0].collation == wanted
