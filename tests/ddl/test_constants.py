"""Constant expressions as DEFAULT: whether MariaDB 10.11.19 and 11.8.6 took them for columns of 48 types."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import pytest

from schemacheck.catalog import read
from schemacheck.catalog.constant import NotComputed, text_of
from schemacheck.catalog.constant_value import compute
from schemacheck.model import Server
from tests.ddl.recorded import read as lines

CHARSETS = {"d": ("utf8mb4", "utf8mb4_general_ci")}
#: One of so many is judged.
EVERY = 2


@lru_cache(maxsize=8)
def server_of(name: str, mode: str) -> Server:
    return Server.parse(name).with_told({"sql_mode": mode, "character_set_server": "utf8mb4"})


def judged(every: int) -> tuple[Counter[str], list[str]]:
    """How many agree, and those that do not."""
    counts: Counter[str] = Counter()
    wrong = []
    for number, (name, mode, kind, text, error) in enumerate(lines("constants.jsonl.xz")):
        if number % every:
            continue
        said = f"CREATE TABLE t (c {kind} DEFAULT ({text})) ENGINE=MyISAM"
        problems = read(said, server_of(name, mode), database="d", charsets=CHARSETS).problems
        known = not problems or problems[0].refusal is not None
        if bool(problems) == bool(error):
            counts["agree"] += 1
        elif not known:
            counts["unknown"] += 1
        else:
            counts["refused read as fine" if error else "accepted read as refused"] += 1
            wrong.append(f"{name} {kind} DEFAULT ({text}): {error}")
    return counts, wrong


def test_what_columns_take() -> None:
    counts, wrong = judged(EVERY)
    assert counts["refused read as fine"] <= 2, wrong
    # INSERT() of an accented letter: which collation the session has decides (1267).
    assert counts["accepted read as refused"] <= 5, wrong
    assert counts["unknown"] <= 10
    assert counts["agree"] > 1300


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10 / 3", "3.3333"),
        ("1 / 3 + 0.5", "0.8333"),
        ("7 DIV 2", "3"),
        ("-7 % 3", "-1"),
        ("1e3 + 1", "1001"),
        ("ROUND(2.5, 1)", "2.5"),
        ("CONCAT('a', 1, NULL)", None),
        ("CONCAT_WS('-', 'a', NULL, 1)", "a-1"),
        ("TRIM(LEADING 'x' FROM 'xxa')", "a"),
        ("SUBSTRING('abc' FROM -2 FOR 1)", "b"),
        ("CAST('12abc' AS SIGNED)", "12"),
        ("CAST(2.555 AS DECIMAL(5,2))", "2.56"),
        ("CONVERT('', DATETIME)", None),
        ("DATE'2020-01-31' + INTERVAL 1 MONTH", "2020-02-29"),
        ("'2020-01-01' - INTERVAL 1 SECOND", "2019-12-31 23:59:59"),
        ("TIMESTAMPDIFF(DAY, '2020-01-01', '2020-03-01')", "60"),
        ("EXTRACT(YEAR_MONTH FROM '2020-02-03')", "202002"),
        ("SEC_TO_TIME(3661)", "01:01:01"),
        ("UNIX_TIMESTAMP('2020-01-01')", "1577836800"),
        ("CRC32('a')", "3904355907"),
        ("FORMAT(1234567.891, 2)", "1,234,567.89"),
        ("CONV('-1', 10, 16)", "FFFFFFFFFFFFFFFF"),
        ("JSON_EXTRACT('{\"a\": [1, true]}', '$.a')", "[1, true]"),
        ("JSON_ARRAY(1 > 0, 'x', NULL)", '[true, "x", null]'),
        ("ST_X(POINT(1, 2))", "1"),
        ("ST_X(POINT(NULL, 2))", None),
        ("CASE 2 WHEN 1 THEN 'a' ELSE 0.5 END", "0.5"),
        ("NULL XOR 1", None),
        ("'a ' = 'A'", "1"),
        ("x'41' = 'a'", "0"),
        ("~1", "18446744073709551614"),
    ],
)
def test_values(text: str, value: str | None) -> None:
    found = compute(text, frozenset())
    assert (None if found.value is None else text_of(found)) == value


@pytest.mark.parametrize(
    "text",
    ["c + 1", "nosuch(1)", "STR_TO_DATE('', '%Y')", "'é' = 'e'", "2 * (3", "9e999", "POW(0, -1)", "MOD()"],
)
def test_what_is_not_computed(text: str) -> None:
    with pytest.raises(NotComputed):
        compute(text, frozenset())


@pytest.mark.parametrize("server", ["mariadb-11.8", "mysql-8.0", "mysql-5.6"])
@pytest.mark.parametrize("text", ["NULLIF(a)", "JSON_SET()", "TIMESTAMPADD('', b'1')", "MOD()"])
def test_too_few_arguments_are_no_crash(server: str, text: str) -> None:
    said = f"CREATE TABLE t (a VARCHAR(9), b INT AS ({text}), c VARCHAR(9) DEFAULT ({text}))"
    found = read(said, Server.parse(server), database="d")
    assert bool(found.problems) is not bool(found.tables)
    assert found.problems or text in ("JSON_SET()", "MOD()")


@pytest.mark.parametrize("text", ["1e29", "(99999999999999999999999999999.5)", "(ROUND(1e29))", "-1e29"])
@pytest.mark.parametrize(
    "kind", ["BIT(8)", "INT", "DECIMAL(65,2)", "ENUM('a')", "YEAR", "DATETIME", "DOUBLE"]
)
def test_large_defaults_are_no_crash(kind: str, text: str) -> None:
    found = read(f"CREATE TABLE t (a {kind} DEFAULT {text})", Server.parse("mariadb-11.8"), database="d")
    assert bool(found.problems) is not bool(found.tables)
    assert found.problems or kind in ("DECIMAL(65,2)", "DOUBLE")


@pytest.mark.parametrize(
    ("server", "text", "stored"),
    [
        ("mysql-5.6.24", "2020-01-31", "00:20:20"),
        ("mysql-5.6.24", "1999-12-31", None),
        ("mysql-5.6.24", "9" * 5000, None),
        ("mariadb-10.11.19", "1:" + "9" * 5000, None),
        ("mysql-9.7.4", "2020-01-31", None),
        ("mysql-9.7.4", "2024-02-29 10:11", "10:11:00"),
        ("mariadb-10.11.19", "2020-01-31", None),
        ("mariadb-11.8.6", "2020-01-31T10:11:12", "10:11:12"),
    ],
)
def test_a_date_as_a_time_is_cut_off_by_mysql_alone(server, text, stored):
    """Asked of four servers, under STRICT_ALL_TABLES; without it 9.7 does as 5.6."""
    asked = Server.parse(server, {"sql_mode": "STRICT_ALL_TABLES"})
    found = read(f"CREATE TABLE t (a time DEFAULT '{text}');", asked, database="d")
    assert [table.columns[0].default.text for table in found.tables] == ([stored] if stored else [])
    assert bool(found.problems) is (stored is None)
