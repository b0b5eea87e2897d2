"""The row format is the one that the definition's options name, not what a text elsewhere in it says."""

from __future__ import annotations

import pytest

from schemacheck import catalog
from schemacheck.engine import check_pair
from schemacheck.model import Link, Server

LONG = ", ".join(f"c{n} TEXT" for n in range(12))


def _codes(options: str, after: str = "") -> set[str]:
    # A strict InnoDB refuses such a table (1118).
    server = Server.parse("mysql-9.7", {"innodb_strict_mode": "OFF"})
    source, replica = (
        catalog.read(f"CREATE TABLE t (a INT PRIMARY KEY, {LONG}) {text}", server, database="db").tables[0]
        for text in ("ENGINE=InnoDB", f"{options};{after}")
    )
    return {finding.code for finding in check_pair(source, replica, Link(server, server)).findings}


@pytest.mark.parametrize(
    ("options", "after", "found"),
    [
        ("ENGINE=InnoDB ROW_FORMAT=COMPACT", "", True),
        ("ENGINE=InnoDB", "ALTER TABLE t ROW_FORMAT=REDUNDANT", True),
        ("ENGINE=InnoDB ROW_FORMAT=COMPACT", "ALTER TABLE t ADD KEY (c0(9))", True),
        ("ENGINE=InnoDB ROW_FORMAT=COMPACT", "ALTER TABLE t ROW_FORMAT=DYNAMIC", False),
        ("ENGINE=InnoDB ROW_FORMAT=COMPACT", "ALTER TABLE t ROW_FORMAT=DEFAULT", False),
        ("ENGINE=InnoDB COMMENT='ROW_FORMAT=COMPACT'", "", False),
        ("ENGINE=InnoDB", "", False),
    ],
)
def test_the_row_format_is_the_tables_own(options, after, found):
    assert ("SC410" in _codes(options, after)) is found
