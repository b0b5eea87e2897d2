"""Golden texts of answers."""

from pathlib import Path

import pytest

from schemacheck.errors import UsageError
from schemacheck.filters import render
from schemacheck.filters.question import about_filters, about_schema, about_statement, about_table
from schemacheck.filters.read import from_options
from schemacheck.model import Column, ColumnType, Link, Table

GOLDEN = Path(__file__).parent / "golden"
LINK = Link.of("mysql-8.0.36", binlog_format="STATEMENT")
FILTERS = from_options(
    [
        "--replicate-rewrite-db=old->db1",
        "--replicate-do-db=db1",
        "--replicate-ignore-db=tmp",
        "--replicate-do-table=db2.mytbl2",
        "--replicate-wild-ignore-table=d_1.%",
    ]
)
TABLES = [
    Table(name, (Column("i", ColumnType.parse("int")),), database)
    for database, name in (("db1", "t"), ("db2", "mytbl2"), ("old", "t"), ("dx1", "t"))
]


def texts() -> dict[str, str]:
    return {
        "statement": render.answer(
            about_statement(
                "UPDATE a JOIN db2.mytbl2 b USING (i) SET a.v=1, b.v=1", FILTERS, LINK, default_database="db1"
            )
        ),
        "stops": render.answer(
            about_statement(
                "DROP TABLE t, db1.t",
                from_options(["--replicate-rewrite-db=old->db1"]),
                LINK,
                default_database="old",
            )
        ),
        "unknown": render.answer(about_statement("CALL p()", FILTERS, LINK, default_database="db1")),
        "table": render.answer(about_table("db2.mytbl2", FILTERS, LINK, default_database="db2")),
        "table-row": render.answer(about_table("old.t", FILTERS, LINK, binlog_format="row")),
        "schema": render.tables(about_schema(TABLES, FILTERS, LINK)),
        "lint": render.findings(about_filters(FILTERS, LINK, tables=TABLES)),
    }


@pytest.mark.parametrize("name", ["statement", "stops", "unknown", "table", "table-row", "schema", "lint"])
def test_golden(name: str) -> None:
    assert texts()[name] == (GOLDEN / f"{name}.txt").read_text("utf-8")


def test_a_name_without_a_database_is_refused() -> None:
    with pytest.raises(UsageError, match=r"write database\.table"):
        about_table("t", FILTERS, LINK)
