"""Expressions whose value is another than their words seem to say, or another on the other flavour: asked of
MySQL 5.6.24 and 9.7.4, MariaDB 10.11.19 and 11.8.6 (values for rows of many types, and SHOW CREATE TABLE).
"""

from __future__ import annotations

import pytest

from schemacheck.model.expression import canonical
from schemacheck.model.normal import expression
from schemacheck.model.words import MARIADB, MYSQL

_MYSQL, _MARIADB = frozenset((MYSQL,)), frozenset((MARIADB,))


def _spelled(text: str, modes: frozenset[str]) -> str:
    """The one spelling, which is its own under no sql_mode."""
    found = expression(text, modes)
    assert expression(found) == found
    return found


@pytest.mark.parametrize(
    ("modes", "one", "other"),
    [
        # `!!` is one sign to MySQL's lexer: NOT.
        (_MYSQL, "!!a", "(0 = `a`)"),
        (_MYSQL, "! !a", "(0 <> `a`)"),
        (_MYSQL, "!!!a", "(0 <> `a`)"),
        (_MARIADB, "!!a", "`a` <> 0"),
        (_MYSQL, "d + interval 1 day + 2 > l", "(((`d` + interval 1 day) + 2) > `l`)"),
        (_MARIADB, "d + interval(1, 2) + 3", "`d` + interval(1,2) + 3"),
        (_MYSQL, "x'41' + 1", "(0x41 + 1)"),
        (_MYSQL, "cast(v as real)", "cast(`v` as double)"),
        (_MYSQL | {"REAL_AS_FLOAT"}, "cast(v as real)", "cast(`v` as float)"),
        (_MYSQL, "cast(v as float(20))", "cast(`v` as float)"),
        (_MYSQL, "cast(v as float(30))", "cast(`v` as double)"),
        (_MYSQL, "cast(v as double precision)", "cast(`v` as double)"),
        (_MARIADB, "json_array(true)", "json_array(1)"),
        (_MYSQL, "i = true", "i = 1"),
        (_MYSQL, "json_valid(v) and true", "json_valid(v) and 1"),
    ],
)
def test_alike(modes: frozenset[str], one: str, other: str) -> None:
    assert _spelled(one, modes) == _spelled(other, modes - {"REAL_AS_FLOAT"})


@pytest.mark.parametrize(
    "text",
    [
        "interval 1 day + d >= l", "interval(1, 2) + 3", "v like 'a' escape '' not like 'x'", "a xor b",
        "trim(both 'a' from v)", "trim(leading from v)", "substring(a from 1 for 2)", "not (a and b)",
        "a sounds like b", "a member of (j)", "timestampadd(day, 1, d)", "position('a' in v)", "a + not b",
        "a between 1 and 1", "weekofyear(d)", "pointfromtext(v)", "a b", "a +", "a in (1) in (2)", "is null",
    ],
)  # fmt: skip
def test_what_is_not_read(text: str) -> None:
    """A definition that has it is unknown."""
    for modes in (_MYSQL, _MARIADB):
        assert canonical(text, modes) is None


@pytest.mark.parametrize(
    ("modes", "one", "other"),
    [
        (_MYSQL, "!!a", "! !a"),
        (_MYSQL, "interval 1 day + d >= l", "d + interval 1 day >= l"),
        # A string of bytes to MariaDB, where 0x41 is 65 beside numbers.
        (_MARIADB, "x'41' + 1", "0x41 + 1"),
        # MySQL's JSON has TRUE.
        (_MYSQL, "json_array(true)", "json_array(1)"),
        (_MYSQL, "j->'$.a' = true", "j->'$.a' = 1"),
        (_MYSQL, "cast(true as json)", "cast(1 as json)"),
        (_MYSQL, "json_array(not true)", "json_array(0)"),
        # The truth of XOR's operands is that of whole numbers.
        (_MARIADB, "f xor l = 0", "not f xor l"),
        (_MARIADB, "(f <> 0) xor l > 1", "f xor l > 1"),
        (_MARIADB, "if((d / e) <> 0, 1, 2)", "if(d / e, 1, 2)"),
        (_MARIADB, "cast(v as datetime) = 0", "not cast(v as datetime)"),
        # -1 is no truth.
        (_MARIADB, "not not strcmp(a, b)", "strcmp(a, b)"),
        # A binary 0 beside a number.
        (_MYSQL, "- -0x0", "0x0"),
        (_MYSQL, "- -18446744073709551615", "18446744073709551615"),
        (_MYSQL | {"REAL_AS_FLOAT"}, "cast(v as real)", "cast(v as double)"),
        (_MYSQL, "trim(trailing 'a' from v)", "trim('a' from v)"),
    ],
)
def test_different(modes: frozenset[str], one: str, other: str) -> None:
    assert _spelled(one, modes) != _spelled(other, modes)


@pytest.mark.parametrize(
    ("text", "why"), [("!!a", "one NOT, and two"), ("x'41' + 1", "a number, and a string")]
)
def test_the_flavors_differ(text: str, why: str) -> None:
    assert _spelled(text, _MYSQL) != _spelled(text, _MARIADB), why


def test_signs_that_mysql_does_not_have_are_not_read() -> None:
    """1064 there: the lexer takes them for one sign."""
    for text in ("a =!b", "a <!b", "a <=!b", "a <>!b"):
        assert expression(text, _MYSQL) != expression(text, _MARIADB)
