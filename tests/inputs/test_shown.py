"""SHOW CREATE of a live server beside its information_schema, as servers printed it."""

from __future__ import annotations

import pytest

from schemacheck import catalog
from schemacheck.inputs import shown
from schemacheck.inputs.heading import Rows
from schemacheck.inputs.piece import RowsPiece
from schemacheck.inputs.snapshot import Snapshot
from schemacheck.model import Schema, Server
from schemacheck.model.table import DEFAULT_NULL

BEFORE = "CREATE TABLE t (id INT PRIMARY KEY, `c d` INT, d TIMESTAMP NULL, e TEXT, f VARCHAR(9))"
#: MySQL 9.7.4, after ALTER TABLE t ALTER `c d` DROP DEFAULT, ALTER f DROP DEFAULT.
AFTER = """CREATE TABLE `t` (
  `id` int NOT NULL,
  `c d` int,
  `d` timestamp NULL DEFAULT NULL,
  `e` text,
  `f` varchar(9),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci"""


@pytest.mark.parametrize(("server", "without"), [("mysql-9.7", {"c d", "f"}), ("mariadb-11.8", set())])
def test_a_dropped_default_is_read_of_mysql(server: str, without: set[str]) -> None:
    end = Server.parse(server)
    text = AFTER if end.flavor == "mysql" else AFTER.replace("utf8mb4_0900_ai_ci", "utf8mb4_uca1400_ai_ci")
    tables = catalog.read(BEFORE, end, database="s").tables
    piece = RowsPiece(shown.VIEW, Rows(shown.HEADING, [(None, ("s", "t", text))]), "-")
    (table,) = shown.add(Schema(tables=tables, server=end), [piece], end).tables
    nullable = [column for column in table.columns if column.name != "id"]
    assert {column.name for column in nullable if column.default is None} == without
    assert all(column.default in (None, DEFAULT_NULL) for column in nullable)


@pytest.mark.parametrize(
    ("version", "form", "asked"),
    [("9.7.4", "MIXED", 1), ("5.6.24", "STATEMENT", 1), ("9.7.4", "ROW", 0), ("11.8.9-MariaDB", "MIXED", 0)],
)
def test_defaults_are_asked_where_statements_are_logged(version: str, form: str, asked: int) -> None:
    views = {
        "VARIABLES": (("VARIABLE_NAME", "VALUE"), [("version", version), ("binlog_format", form)]),
        "STATISTICS": (shown._STATISTICS, []),
        "TABLES": (shown._TABLES, [("s", "t", "BASE TABLE"), ("s", "v", "VIEW")]),
        "COLUMNS": (
            shown._DEFAULTS,
            [("s", "t", "YES", None), ("s", "v", "YES", None), ("s", "t", "NO", None)],
        ),
    }
    assert shown.wanted(Snapshot("i", "", 2, views)) == [("TABLE", "s", "t")][:asked]
