"""Expressions in one spelling: as written, and as the servers print them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacheck.model.expression import canonical


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("a>0 AND a<10", "((`a` > 0) and (`a` < 10))"),
        ("a = 1 OR b = 2 OR c = 3", "((`a` = 1) or (`b` = 2) or (`c` = 3))"),
        ("a+b*3", "(`a` + (`b` * 3))"),
        ("a - b - c", "((`a` - `b`) - `c`)"),
        ("NOT a LIKE 'x%'", "(not((`a` like _utf8mb4'x%')))"),
        ("a NOT IN (1,2)", "(`a` not in (1,2))"),
        ("a BETWEEN 1 AND 2 AND b", "((`a` between 1 and 2) and `b`)"),
        ("a->>'$.x'", "json_unquote(json_extract(`a`,_utf8mb4'$.x'))"),
        ("SUBSTRING(a FROM 1 FOR 2)", "substr(`a`,1,2)"),
        ("DATE_ADD(d, INTERVAL 1 DAY)", "(`d` + interval 1 day)"),
        ("CASE WHEN a > 1 THEN 'x' ELSE b END", "(case when (`a` > 1) then _utf8mb4'x' else `b` end)"),
        ("CAST(a AS CHAR(10))", "cast(`a` as char(10) charset utf8mb4)"),
        ("CURRENT_TIMESTAMP", "now()"),
        ("- 5", "-(5)"),
        ("b'101'", "0x05"),
        ("a <> 1", "(`a` != 1)"),
        ("t.a = `d`.`t`.`b`", "(`a` = `b`)"),
        ("a /* c */ + 1 -- x", "(`a` + 1)"),
    ],
)
def test_one_spelling(written: str, printed: str) -> None:
    assert canonical(written) == canonical(printed)
    assert canonical(written) is not None


def test_what_differs_stays_different() -> None:
    spellings = ["a-(b-c)", "a-b-c", "a and (b or c)", "a and b or c", "not a = b", "(not a) = b", "'A'", "'a'", "a", "`a b`", "a is null", "a is not null", "(a,b)"]
    assert len({canonical(one) for one in spellings}) == len(spellings)


ATOMS = st.sampled_from(("a", "`b c`", "'x'", "1", "f(a,2)", "NULL", "0x41", "now()"))
TREES = st.recursive(
    ATOMS, lambda inner: st.builds(lambda o, x, y: f"({x} {o} {y})", st.sampled_from(("+", "-", "*", "and", "or", "=", "<", "div", "xor", "&", "<<")), inner, inner)
    | st.builds(lambda x: f"(not {x})", inner) | st.builds(lambda x: f"({x} is null)", inner), max_leaves=12,
)  # fmt: skip


@given(TREES)
def test_the_one_spelling_reads_as_itself(text: str) -> None:
    once = canonical(text)
    assert once is not None
    assert canonical(once) == once
    assert canonical(f"(({text}))") == once


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    canonical(text)


def test_too_deep_is_left_alone() -> None:
    assert canonical("(" * 500 + "a" + ")" * 500) is None
