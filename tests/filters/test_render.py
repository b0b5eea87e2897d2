"""Golden texts of answers."""

from pathlib import Path

import pytest

from schemacheck.filters import Evaluator, render
from schemacheck.filters.render import Answer
from schemacheck.filters.tables import TableFilter
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet
from tests.filter_options import from_options
from tests.filters.deciding import decide, logging

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
NAMES = (("db1", "t"), ("db2", "mytbl2"), ("old", "t"), ("dx1", "t"))


def _asked(sql: str, filters: FilterSet, link: Link, *, default_database: str) -> Answer:
    return Answer(sql, decide(sql, filters, link, default_database=default_database))


def _about(database: str, table: str, link: Link) -> Answer:
    decision = Evaluator.of(FILTERS, link).decide_table(database, table)
    return Answer(f"{database}.{table}", decision, TableFilter(FILTERS, link).state(database, table))


def texts() -> dict[str, str]:
    return {
        "statement": render.answer(
            _asked(
                "UPDATE a JOIN db2.mytbl2 b USING (i) SET a.v=1, b.v=1", FILTERS, LINK, default_database="db1"
            )
        ),
        "stops": render.answer(
            _asked(
                "DROP TABLE t, db1.t",
                from_options(["--replicate-rewrite-db=old->db1"]),
                LINK,
                default_database="old",
            )
        ),
        "unknown": render.answer(_asked("CALL p()", FILTERS, LINK, default_database="db1")),
        "table": render.answer(_about("db2", "mytbl2", LINK)),
        "table-row": render.answer(_about("old", "t", logging(LINK, "row"))),
        "schema": render.tables(TableFilter(FILTERS, LINK).state(*name) for name in NAMES),
    }


@pytest.mark.parametrize("name", ["statement", "stops", "unknown", "table", "table-row", "schema"])
def test_golden(name: str) -> None:
    assert texts()[name] == (GOLDEN / f"{name}.txt").read_text("utf-8")
