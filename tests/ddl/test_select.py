"""CREATE TABLE ... SELECT as four servers took it, over every recorded table and by queries of its own.
What is not certain is unknown, never wrong.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from schemacheck.catalog import read
from schemacheck.dataclass import replace
from schemacheck.model import Schema, Server, Table
from tests.ddl.recorded import read as recorded
from tests.ddl.recorded import settings_of
from tests.facts.ddl import compare

pytestmark = pytest.mark.recorded


def cases() -> dict[str, tuple[Server, list[dict[str, Any]]]]:
    found: dict[str, tuple[Server, list[dict[str, Any]]]] = {}
    for line in recorded("select.jsonl.xz"):
        if "version" in line:
            settings = settings_of(line)
            name = line["server"]
            found[name] = (Server.parse(f"{name.rsplit('-', 1)[0]}-{line['version']}", settings), [])
        else:
            found[name][1].append(line)
    return found


CASES = cases()
MYSQL = Server.parse("mysql-8.0.36")


def run(statements: list[str], server: Server) -> Schema:
    return read(
        ";\n".join(statements),
        server,
        database="ctas_x",
        charsets={"ctas_x": ("utf8mb4", "utf8mb4_general_ci")},
    )


def wrong_of(line: dict[str, Any], ours: Schema, server: Server) -> list[str]:
    """Where the tables differ from what the server shows (of a recorded table's copy, the copy alone is
    recorded).
    """
    plain = server.with_settings({"sql_mode": "", "sql_generate_invisible_primary_key": "OFF"})
    shown = run(["SET foreign_key_checks = 0", *line["show"].values()], plain)
    assert not shown.problems
    made: dict[str, Table] = {table.name: table for table in ours.tables}
    return [
        difference
        for table in shown.tables
        for difference in compare(
            made[table.name], without_defaults(table, made[table.name], line["show"][table.name]), "show"
        )
    ]


def without_defaults(table: Table, ours: Table, text: str) -> Table:
    """A nullable column that is shown without DEFAULT may have none (a row without a value for it is 1364: an
    outer join's); who runs that definition gives it DEFAULT NULL.
    """
    lines = {text.strip().partition("` ")[0]: text for text in text.split("\n")}
    columns = [
        replace(one, default=None)
        if mine.nullable and mine.default is None and "DEFAULT" not in lines[f"`{one.name}"]
        else one
        for one, mine in zip(table.columns, ours.columns, strict=True)
    ]
    return replace(table, columns=tuple(columns))


@pytest.mark.parametrize("name", sorted(CASES))
def test_as_the_server_made_it(name: str) -> None:
    base, lines = CASES[name]
    counts: Counter[str] = Counter()
    wrong: list[object] = []
    for line in lines:
        server = base.with_settings({"sql_mode": line["sql_mode"]}) if "sql_mode" in line else base
        ours = run(line["script"], server)
        if line["error"]:
            counts["refused"] += 1
            if not ours.problems:
                wrong.append(("taken", line["error"], line["script"]))
        elif ours.problems:
            counts["unknown"] += 1
        else:
            counts["same"] += 1
            wrong += [(difference, line["script"]) for difference in wrong_of(line, ours, server)]
    assert wrong == []
    assert counts["same"] > 1000
    assert counts["refused"] > 50


def columns(statement: str, server: Server = MYSQL) -> list[str]:
    schema = run(
        ["CREATE TABLE s (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, v VARCHAR(5) DEFAULT 'x')", statement],
        server,
    )
    assert schema.problems == ()
    return [column.name for column in schema.tables[-1].columns]


def test_order_of_columns() -> None:
    assert columns("CREATE TABLE t SELECT * FROM s") == ["id", "v"]
    assert columns("CREATE TABLE t (x INT, id INT, y INT) SELECT v, id FROM s") == ["x", "y", "v", "id"]
    assert columns("CREATE TABLE t (x INT) SELECT a.v AS w, a.* FROM s AS a WHERE a.id > 3 LIMIT 1") == [
        "x",
        "w",
        "id",
        "v",
    ]


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("SELECT CONCAT(v, 'x') AS c FROM s", "the query from '(' on"),
        ("SELECT 'x' AS c", "the type of 'c'"),
        ("SELECT id FROM s UNION SELECT 1", "the query from 'UNION' on"),
        ("SELECT v FROM s GROUP BY v", "the query from 'GROUP' on"),
        ("SELECT id FROM s LEFT JOIN s o USING (id)", "the query from 'USING' on"),
        ("SELECT id FROM s WHERE id IN (SELECT 1)", "the query from 'IN' on"),
        ("SELECT id FROM s WHERE id = 'x'", "a comparison of different types"),
        ("SELECT * FROM nowhere", "table 'nowhere' of the query is not known"),
        ("SELECT nothing FROM s", "column 'nothing' of the query is not known"),
        ("SELECT * FROM vw", "what view 'vw' yields"),
    ],
)
def test_what_is_not_certain_is_unknown(query: str, why: str) -> None:
    schema = run(
        [
            "CREATE TABLE s (id INT, v VARCHAR(5))",
            "CREATE ALGORITHM=TEMPTABLE VIEW vw AS SELECT id FROM s",
            f"CREATE TABLE t AS\n{query}",
        ],
        MYSQL,
    )
    assert [table.name for table in schema.tables] == ["s", "vw"]
    (problem,) = schema.problems
    assert why in problem.message
    assert problem.table == "t"
    assert problem.location is not None
    assert problem.location.line == 4


def test_a_finding_about_a_column_points_into_the_query() -> None:
    schema = run(["CREATE TABLE s (id INT)", "CREATE TABLE t AS\nSELECT id AS k\nFROM s"], MYSQL)
    location = schema.tables[-1].columns[0].location
    assert location is not None
    assert (location.line, location.column) == (3, 8)
