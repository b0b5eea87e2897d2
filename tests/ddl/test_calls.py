"""Calls of functions and other forms of expressions (each asked of MySQL 5.6.24 and 9.7.4)."""

from __future__ import annotations

import pytest

from schemacheck.model import Server
from tests.ddl.refusal import number

OLD, NEW = Server.parse("mysql-5.6.24"), Server.parse("mysql-9.7.4")


def checked(expression: str, server: Server) -> int | None:
    return number(f"CREATE TABLE t (a VARCHAR(20), CHECK (({expression}) > 1))", server)


@pytest.mark.parametrize(
    ("expression", "old", "new"),
    [
        # Numbers of arguments.
        ("ABS()", 1582, 1582), ("ABS(a)", 0, 0), ("ABS(a,1)", 1582, 1582), ("CONCAT()", 1582, 1582),
        ("CONCAT(a,a,a,a,a,a,a,a,a,a,a,a)", 0, 0), ("LPAD(a,1)", 1582, 1582), ("LOG(a,1,2)", 1582, 1064),
        ("ROUND(a,1)", 0, 0), ("ROUND(a,1,2)", 1582, 1582), ("LEFT(a)", 1064, 1064), ("IF(a,1)", 1064, 1064),
        ("REPLACE(a,1)", 1064, 1064), ("COALESCE()", 1064, 1064), ("TIMESTAMP(a,a)", 0, 0),
        ("WEEK()", 1064, 1064),
        ("HEX(ABS(a,1))", 1582, 1582), ("LOCATE(a,(a),a)", 0, 0), ("LOCATE('(,',a)", 0, 0),
        ("CHAR()", 1064, 1064),
        ("SUBSTRING(a FROM 1 FOR 2)", 0, 0), ("SUBSTRING(a)", 1064, 1064), ("TRIM(BOTH 'x' FROM a)", 0, 0),
        ("DATE_ADD(a, INTERVAL 1 DAY)", 0, 0), ("DATE_ADD(a,1)", 1064, 1064), ("EXTRACT(YEAR FROM a)", 0, 0),
        ("EXTRACT(a)", 1064, 1064), ("CHAR(1,2 USING utf8)", 0, 0), ("EXPORT_SET(a,1,1)", 0, 0),
        # Types of CAST.
        ("CAST(a AS SIGNED)", 0, 0), ("CAST(a AS DOUBLE)", 1064, 0), ("CAST(a AS INT)", 1064, 1064),
        ("CONVERT(a, CHAR(3))", 0, 0), ("CONVERT(a, FLOAT)", 1064, 0), ("CONVERT(a, TEXT)", 1064, 1064),
        ("CAST(a AS VARCHAR(3))", 1064, 1064), ("CAST(a AS DECIMAL(5,2))", 0, 0),
        ("CAST(a AS JSON)", 1064, 0),
        ("CAST(a)", 1064, 1064), ("CAST(a AS)", 1064, 1064), ("CONVERT(a)", 1064, 1064),
        ("CONVERT(a,)", 1064, 1064),
        ("CONVERT(a USING utf8)", 0, 0), ("CAST(a AS YEAR)", 1064, 0),
        # Words of later versions.
        ("a MEMBER OF ('1')", 1064, 0), ("CAST(a AT TIME ZONE 'UTC' AS DATETIME)", 1064, None),
        ("a -> '$.x'", 1064, 0),
        # Forms that are none.
        ("a IN ()", 1064, 1064), ("a IN (1)", 0, 0), ("a,", 1064, 1064), ("a IS", 1064, 1064),
        ("= 1", 1064, 1064),
        ("NOT = 1", 1064, 1064), ("a AND", 1064, 1064), ("?", 1064, 1064), ("a := 1", 1064, 1064),
        ("a >", 1064, 1064), ("- a", 0, 0), ("! a", 0, 0), ("a = -1", 0, 0), ("NOT - a", 0, 0),
        ("a * 2", 0, 0),
    ],
)  # fmt: skip
def test_what_an_expression_is(expression: str, old: int, new: int | None) -> None:
    assert checked(expression, OLD) in (old, None)
    if new is not None:
        assert checked(expression, NEW) in (new, None)
    if old and new:
        assert checked(expression, Server.parse("mysql-8.0.36")) in (1064, 1582, None)
    if not old and not new:
        assert checked(expression, Server.parse("mysql-8.0.36")) in (0, None)


@pytest.mark.parametrize(
    "place", ["b VARCHAR(99) AS ({})", "b VARCHAR(99) DEFAULT ({})", "CHECK (({}) > 1)", "KEY (({}))"]
)
@pytest.mark.parametrize(
    ("expression", "expected"),
    [("ABS(a,1)", 1582), ("LEFT(a)", 1064), ("CAST(a AS INT)", 1064), ("a IS", 1064), ("nosuch(a)", None)],
)
def test_every_expression_of_a_table(expression: str, expected: int | None, place: str) -> None:
    # Without a number it is unknown, which is allowed.
    assert number(f"CREATE TABLE t (a VARCHAR(20), {place.format(expression)})", NEW) in (expected, None)


def test_functions_that_are_not_known() -> None:
    """MySQL 5.6 reads what a CHECK calls, and asks for nothing."""
    assert checked("nosuch(a)", OLD) == 0


@pytest.mark.parametrize(
    "kind", ["INT", "DECIMAL(9,2)", "DATE", "TIMESTAMP NULL", "ENUM('a')", "BIT(3)", "POINT"]
)
def test_what_is_no_document(kind: str) -> None:
    for expression in ("JSON_VALUE(a,'$.x')", "JSON_SCHEMA_VALID(a,'{}')", "JSON_SCHEMA_VALID('{}',t.a)"):
        for place in ("b VARCHAR(99) AS ({})", "b VARCHAR(99) DEFAULT ({})", "CHECK ({} IS NOT NULL)"):
            assert number(f"CREATE TABLE t (a {kind}, {place.format(expression)})", NEW) in (3146, None)
    assert number(f"CREATE TABLE t (a {kind}, CHECK (JSON_TYPE(a) IS NOT NULL))", NEW) in (0, None)


@pytest.mark.parametrize("kind", ["VARCHAR(99)", "CHAR(9)", "TEXT", "JSON", "VARBINARY(9)", "BLOB"])
def test_what_is_a_document(kind: str) -> None:
    assert number(f"CREATE TABLE t (a {kind}, CHECK (JSON_VALUE(a,'$.x') IS NOT NULL))", NEW) in (0, None)
