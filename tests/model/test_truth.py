"""The normal form of conditions keeps what they mean: its value is that of the text for all values of the
columns, NULL among them.
"""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacheck.catalog.constant_value import compute
from schemacheck.model import normal
from schemacheck.model.words import MARIADB, MYSQL

_VALUES = ("null", "0", "1", "2")
_NAME = re.compile(r"\b[abc]\b")
_ATOMS = st.sampled_from(["a", "b", "c", "0", "1", "null", "true", "false"])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    words = st.sampled_from(["and", "or", "xor", "=", "<>", "<", ">=", "<=>"])
    asked = st.sampled_from(["true", "false", "null", "not true", "not false", "not null", "unknown"])
    return st.one_of(
        st.builds("not ({})".format, inner),
        st.builds("!({})".format, inner),
        st.builds("({}) {} ({})".format, inner, words, inner),
        st.builds("({}) is {}".format, inner, asked),
        st.builds("if({}, {}, {})".format, inner, inner, inner),
        st.builds("case when {} then {} else {} end".format, inner, inner, inner),
        st.builds("ifnull({}, {})".format, inner, inner),
        st.builds("({}) in ({}, {})".format, inner, inner, inner),
    )


def _value(text: str, values: dict[str, str]) -> object:
    return compute(_NAME.sub(lambda found: values[found[0]], text), frozenset()).value


@settings(max_examples=300, deadline=None)
@given(st.recursive(_ATOMS, _grown, max_leaves=6))
def test_the_normal_form_has_the_value_of_the_text(text: str) -> None:
    plain = normal.expression(text, frozenset())
    for row in itertools.product(_VALUES, repeat=3):
        values = dict(zip("abc", row, strict=True))
        assert _value(plain, values) == _value(text, values), (text, plain, values)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("not a and not b", "a and b"),
        ("(0 = a) or b", "a or b"),
        ("if(not a, 1, 2)", "if(a, 1, 2)"),
        ("case when not a then 1 end", "case when a then 1 end"),
        ("(not a) is true", "a is true"),
        ("not a xor b", "a xor b"),
    ],
)
def test_a_negation_is_not_lost(one: str, other: str) -> None:
    assert normal.expression(one, frozenset()) != normal.expression(other, frozenset())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("not (a or b)", "(0 = a) and (0 = b)"),
        ("not (a and not b)", "(0 = a) or (0 <> b)"),
        ("not (a is not false)", "a is false"),
        ("(a is not true) is not true", "a is true"),
        ("not (a > 1 xor b is null)", "a > 1 xor b is not null"),
    ],
)
def test_conditions_that_servers_write_alike(one: str, other: str) -> None:
    """Asked of MySQL 9.7, MariaDB 10.11 and 11.8."""
    assert normal.expression(one, frozenset()) == normal.expression(other, frozenset())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("not (a xor b)", "(0 = a) xor (0 <> b)"),
        ("not (a xor b)", "a xor not b"),
        ("a xor b = 0", "(0 <> a) xor (b = 0)"),
        ("if(f(a) <> 0, 1, 2)", "if(f(a), 1, 2)"),
    ],
)
def test_conditions_that_mysql_writes_alike(one: str, other: str) -> None:
    """Asked of MySQL 9.7; to MariaDB 11.8 0.4 XOR 0 is 0, and `NOT x` of a quotient is not `x = 0`."""
    modes = frozenset((MYSQL,))
    assert normal.expression(one, modes) == normal.expression(other, modes)
    for other_modes in (frozenset(), frozenset((MARIADB,))):
        assert normal.expression(one, other_modes) != normal.expression(other, other_modes)
