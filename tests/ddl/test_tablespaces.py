"""Tables in tablespaces, and those of a secondary engine (each line asked of MySQL 9.7.4)."""

from __future__ import annotations

import pytest

from schemacheck.model import Server
from tests.ddl import refusal

SERVER = Server.parse("mysql-9.7.4")
HASH = "PARTITION BY HASH (a)"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("TABLESPACE=innodb_system", 0), ("TABLESPACE `innodb_system` STORAGE DISK", 0),
        ("TABLESPACE=own", 0),
        (f"TABLESPACE=innodb_file_per_table {HASH}", 0), ("ENGINE=MyISAM SECONDARY_ENGINE=x", 1178),
        # The server refuses these, each with a number of its own.
        ("TABLESPACE=innodb_system ENCRYPTION='Y'", None),
        ("TABLESPACE=innodb_system ROW_FORMAT=COMPRESSED", None),
        (f"TABLESPACE=innodb_system {HASH}", None), ("TABLESPACE=mysql", None),
        ("TABLESPACE=innodb_temporary", None),
        ("PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (9) TABLESPACE=innodb_system)", None),
    ],
)  # fmt: skip
def test_what_a_tablespace_takes(options: str, expected: int | None) -> None:
    # A tablespace, which may not be there, and a secondary engine are not followed.
    assert refusal.number(f"CREATE TABLE t (a INT) {options}", SERVER) in (None, expected)
