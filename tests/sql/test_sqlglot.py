"""sqlglot's own parser on CREATE TABLE: the same tables as ours, or a difference that is explained here; and its trees as sides of a check."""

from __future__ import annotations

import logging
import re
from collections import Counter
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from schemacheck import Effect, Link, Server, catalog, check
from schemacheck.errors import UsageError
from schemacheck.sql.script import first_words, statements
from tests.ddl.recorded import load
from tests.facts.ddl import server_of

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: What its parser refuses or keeps as a command.
UNREAD = re.compile(
    r"""NOT\s+ENFORCED|\b(?:POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION|MULTI\w+|GEOMETRY|BYTE|SRID)\b|PARTITION\s+BY|LESS\s+THAN"""
    r"""|WITHOUT\s+SYSTEM|SYSTEM\s+VERSIONING""",
    re.IGNORECASE,
)
#: What it reads as something else, or leaves out.
CHANGED = (
    ("INT8 becomes TINYINT, REAL FLOAT, LONG BIGINT", r"\b(?:INT8|REAL|LONG)\b"),
    ("NCHAR, NVARCHAR and NATIONAL lose their character set", r"\b(?:NCHAR|NVARCHAR|NATIONAL)\b"),
    ("versioned comments are comments", r"/\*M?!"),
    ("double quotes are strings, whatever sql_mode says", r'"'),
    ("CAST ... ARRAY becomes ARRAY<...>", r"\bARRAY\b"),
    ("DATE '...' and TIMESTAMP '...' become CAST", r"\b(?:DATE|TIME|TIMESTAMP)\s*'"),
)


def outcome(text: str, server: Server) -> str:
    """'same', 'unread' (its parser refuses) or the first explanation of another table; '' where none is known. 'refused' where we refuse too."""
    ours = catalog.read(text, server, database="d")
    if not ours.tables:
        return "refused"
    logging.getLogger("sqlglot").disabled = True
    try:
        tree = sqlglot.parse_one(text, dialect="mysql")
    except (SqlglotError, RecursionError):
        tree = None
    finally:
        logging.getLogger("sqlglot").disabled = False
    if not isinstance(tree, exp.Create):
        return "unread"
    theirs = catalog.read(tree.sql(dialect="mysql"), server, database="d")
    if theirs.tables == ours.tables:
        return "same"
    return next((why for why, pattern in CHANGED if re.search(pattern, text, re.IGNORECASE)), "")


def test_fixtures_read_by_sqlglot() -> None:
    counts: Counter[str] = Counter()
    for file in sorted(FIXTURES.rglob("*.sql")):
        server = Server.parse("mariadb-11.8" if "mariadb" in file.name else "mysql-8.0.36")
        for statement in statements(file.read_text("utf-8", "replace")):
            words = first_words(statement.text)
            if words[:1] == ["CREATE"] and "TABLE" in words[:4]:
                found = outcome(statement.text, server)
                counts[found] += 1
                assert found, statement.text
                assert found != "unread" or UNREAD.search(statement.text), statement.text
    assert set(counts) <= {"same", "unread", "refused"}, "fixtures hold nothing that sqlglot reads otherwise"
    assert counts["same"] > 400
    assert counts["unread"] <= 8


@pytest.mark.parametrize("name", ["mysql-9.7", "mariadb-11.8"])
def test_recorded_statements_read_by_sqlglot(name: str) -> None:
    header, cases = load()[name]
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    for case in cases[::5]:
        if case["pre"] or case["ddl"] in seen:
            continue
        seen.add(case["ddl"])
        found = outcome(case["ddl"], server_of(header, case["settings"]))
        counts[found] += 1
        assert found, case["ddl"]
    read = sum(counts.values()) - counts["refused"]
    assert counts["same"] / read > 0.55
    assert counts["unread"] / read < 0.4


def create(text: str) -> exp.Expression:
    return sqlglot.parse_one(text, dialect="mysql")


def test_a_tree_is_a_side_of_a_check() -> None:
    link = Link.of("mysql-8.0.36")
    source = create("CREATE TABLE d.t (a INT NOT NULL PRIMARY KEY, b VARCHAR(20))")
    report = check(source, create("CREATE TABLE d.t (a INT NOT NULL PRIMARY KEY, b VARCHAR(10))"), link)
    assert report.verdict is not Effect.UNKNOWN
    assert [pair.verdict.value for pair in report.pairs] == ["stops"]
    told = [p.message for p in report.problems if p.skipped]
    assert all("INT8 a TINYINT" in message for message in told)
    assert len(told) == 2
    assert (
        check([source], "CREATE TABLE d.t (a INT NOT NULL PRIMARY KEY, b VARCHAR(20))", link).verdict
        is Effect.IDENTICAL
    )


def test_what_is_no_create_is_no_pass() -> None:
    text = "CREATE TABLE t (a INT)"
    report = check([create(text), create("SELECT 1")], text, Link.of("mysql-8.0.36"))
    assert any("tree 2 is a Select" in p.message and not p.skipped for p in report.problems)
    with pytest.raises(UsageError, match="trees"):
        check([create(text), 3], text, Link.of("mysql-8.0.36"))  # type: ignore[list-item]
