"""The columns that CREATE TABLE ... SELECT makes of expressions of constants, as four servers made them:
every function alone, and expressions that were drawn.
"""

from __future__ import annotations

from typing import Any

import pytest

from schemacheck.catalog import read
from schemacheck.model import Schema, Server
from tests.ddl.recorded import read as recorded
from tests.facts.ddl import compare

pytestmark = pytest.mark.recorded

LINES: list[dict[str, Any]] = list(recorded("select_expressions.jsonl.xz"))
SERVERS = {line["server"]: line for line in reversed(LINES)}
#: Columns of one statement.
TOGETHER = 30


def server_of(line: dict[str, Any]) -> Server:
    return Server.parse(f"{line['server'].rsplit('-', 1)[0]}-{line['version']}", line["settings"])


def run(text: str, line: dict[str, Any], *, plain: bool = False) -> Schema:
    server = server_of(line)
    server = server.with_settings({"sql_mode": ""}) if plain else server
    return read(text, server, database="d", charsets={"d": tuple(line["charset"])})


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line['server']}-{line['settings']}")
def test_types(line: dict[str, Any]) -> None:
    columns = line["columns"]
    assert len(columns) > 300
    for start in range(0, len(columns), TOGETHER):
        some = columns[start : start + TOGETHER]
        asked = ", ".join(f"{one[0]} AS c{at}" for at, one in enumerate(some))
        shown = ", ".join(f"c{at} {one[1]}" for at, one in enumerate(some))
        ours = run(f"CREATE TABLE t AS SELECT {asked} LIMIT 0;", line)
        theirs = run(f"CREATE TABLE t ({shown});", line, plain=True)
        assert [problem.message for problem in (*ours.problems, *theirs.problems)] == []
        assert compare(ours.tables[0], theirs.tables[0], "show") == [], asked


@pytest.mark.parametrize("name", sorted(SERVERS))
def test_names_without_as(name: str) -> None:
    line = SERVERS[name]
    for expression, _, called in [one for one in line["columns"] if len(one) > 2]:
        schema = run(f"CREATE TABLE t AS SELECT {expression} LIMIT 0;", line)
        assert schema.tables[0].columns[0].name == called


@pytest.mark.parametrize(
    "expression",
    ["1/0", "cast('abc' as signed)", "'abc' + 1", "cast('abc' as char(1))", "cast(12 as decimal(5,5))",
     "year('2001-02-30')", "now() > 'x'", "greatest(curdate(), -1)", "date_add('x', interval 1 day)",
     "json_length('x')", "@a", "(select 1)", "foo(1)"],
)  # fmt: skip
@pytest.mark.parametrize("name", sorted(SERVERS))
def test_a_value_that_may_be_refused_is_unknown(name: str, expression: str) -> None:
    server = server_of(SERVERS[name]).with_settings({"sql_mode": "STRICT_ALL_TABLES"})
    schema = read(f"CREATE TABLE t AS SELECT {expression} AS c;", server, database="d")
    assert schema.problems
    assert not schema.tables


def test_a_long_text_is_no_name_but_has_one() -> None:
    text = f"concat({', '.join(['1'] * 40)})"
    server = Server.parse("mysql-9.7.4")
    assert read(f"CREATE TABLE t SELECT {text} AS c;", server, database="d").tables
    (problem,) = read(f"CREATE TABLE t SELECT {text};", server, database="d").problems
    assert problem.refusal is not None
    assert problem.refusal.number == 1166


def test_what_sets_the_character_set() -> None:
    server = Server.parse("mysql-9.7.4")
    for text, collation in [
        ("SET NAMES latin1;", "latin1_swedish_ci"),
        ("SET NAMES latin1 COLLATE latin1_bin;", "latin1_bin"),
        ("SET NAMES latin1; SET NAMES DEFAULT;", "utf8mb4_0900_ai_ci"),
        ("SET character_set_connection = ucs2;", "ucs2_general_ci"),
        ("SET collation_connection = utf8mb4_bin;", "utf8mb4_bin"),
    ]:
        (table,) = read(f"{text} CREATE TABLE t SELECT 'a' AS a;", server, database="d").tables
        assert table.columns[0].type.collation == collation
    assert read("SET CHARACTER SET latin1; CREATE TABLE t SELECT 'a' AS a;", server, database="d").problems


@pytest.mark.parametrize(
    ("version", "text", "taken"),
    [
        ("mysql-5.7.40", "1.5", True), ("mysql-8.0.36", "1.5", True), ("mysql-8.0.36", "concat('a')", True),
        ("mysql-8.0.36", "concat(1)", False),
        ("mariadb-11.4.2", "concat('a')", True), ("mariadb-11.4.2", "now()", False),
        ("mariadb-10.6.5", "1", True), ("mariadb-10.6.5", "1.5", False), ("mariadb-12.3.1", "'a'", False),
    ],
)  # fmt: skip
def test_between_the_asked_versions(version: str, text: str, taken: bool) -> None:
    """Known where those on both sides agree."""
    schema = read(f"CREATE TABLE t SELECT {text} AS a;", Server.parse(version), database="d")
    assert bool(schema.tables) == taken
