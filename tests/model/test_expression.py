"""Expressions in one spelling: as written, and as the servers print them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacheck.model import Server
from schemacheck.model.expression import canonical
from schemacheck.model.normal import expression


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


@pytest.mark.parametrize(
    ("mode", "written", "printed"),
    [
        ("", "a||c", "(`a` or `c`)"),
        ("PIPES_AS_CONCAT", "a||c", "concat(`a`,`c`)"),
        ("ANSI", "a||c", "concat(`a`,`c`)"),
        ("PIPES_AS_CONCAT", "a || c = 'x'", "(concat(`a`,`c`) = _utf8mb4'x')"),
        ("PIPES_AS_CONCAT", "a || c collate utf8mb4_bin", "concat(`a`,(`c` collate utf8mb4_bin))"),
        ("PIPES_AS_CONCAT", "a || k + 1", "(concat(`a`,`k`) + 1)"),
        ("PIPES_AS_CONCAT", "-k || a ^ 2", "(concat(-(`k`),`a`) ^ 2)"),
        ("PIPES_AS_CONCAT", "not a || c", "(not(concat(`a`,`c`)))"),
        ("PIPES_AS_CONCAT", "a || c || k", "concat(concat(`a`,`c`),`k`)"),
        ("", 'concat("a","c")', "concat(_utf8mb4'a',_utf8mb4'c')"),
        ("ANSI_QUOTES", 'concat("a","c")', "concat(`a`,`c`)"),
        ("", r"concat(a,'x\\y')", r"concat(`a`,_utf8mb4'x\\y')"),
        ("NO_BACKSLASH_ESCAPES", r"concat(a,'x\\y')", r"concat(`a`,_utf8mb4'x\\\\y')"),
        ("NO_BACKSLASH_ESCAPES", r"concat(a,'x\n')", r"concat(`a`,_utf8mb4'x\\n')"),
        ("NO_BACKSLASH_ESCAPES", r"a like 'x\_y'", r"(`a` like _utf8mb4'x\\_y')"),
        ("HIGH_NOT_PRECEDENCE", "not a = c", "((not(`a`)) = `c`)"),
        ("HIGH_NOT_PRECEDENCE", "not k between 1 and 2", "((not(`k`)) between 1 and 2)"),
        ("HIGH_NOT_PRECEDENCE", "a not in (1) and b is not null", "((`a` not in (1)) and (`b` is not null))"),
        ("", "cast(a as char charset latin1)", "cast(`a` as char charset latin1)"),
        ("", "cast(a as char character set utf8mb4)", "cast(`a` as char)"),
        ("", "cast(a as nchar(3))", "cast(`a` as char(3) charset utf8mb3)"),
        ("", "cast(a as char(3) ascii)", "cast(`a` as char(3) charset latin1)"),
        ("", "cast(a as character(3))", "cast(`a` as char(3) charset utf8mb4)"),
        (
            "",
            "json_value(a,'$.x' returning char(3) charset latin1)",
            "json_value(`a`, _utf8mb4'$.x' returning char(3) character set latin1)",
        ),
    ],
)
def test_sql_mode_and_charset_as_servers_print_them(mode: str, written: str, printed: str) -> None:
    """Asked of MySQL 9.7 and MariaDB with a utf8mb4 connection; (`NOT a` is printed as `0 = a`)."""
    modes = Server.parse("mysql-5.6", {"sql_mode": mode}).sql_mode
    assert expression(written, modes) == expression(printed)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cast(a as char charset latin1)", "cast(a as char charset utf8mb4)"),
        ("cast(a as char charset latin1)", "cast(a as char)"),
        ("hex(_ucs2'ab')", "hex('ab')"),
        ("a = _binary'A'", "a = 'A'"),
        ("hex(_latin1'é')", "hex(_utf8mb4'é')"),
        ("_latin1 0xE9", "0xE9"),
    ],
)
def test_another_charset_is_another_value(one: str, other: str) -> None:
    assert expression(one) != expression(other)


@pytest.mark.parametrize(
    "mode", ["PIPES_AS_CONCAT", "ANSI_QUOTES", "HIGH_NOT_PRECEDENCE", "NO_BACKSLASH_ESCAPES"]
)
def test_words_that_nobody_understands_keep_their_mode(mode: str) -> None:
    text = r"""match a against (not b || "c" || 'x\\y')"""
    assert canonical(text) is None
    assert expression(text, frozenset((mode,))) != expression(text)


def test_what_differs_stays_different() -> None:
    spellings = [
        "a-(b-c)",
        "a-b-c",
        "a and (b or c)",
        "a and b or c",
        "not a = b",
        "(not a) = b",
        "'A'",
        "'a'",
        "a",
        "`a b`",
        "a is null",
        "a is not null",
        "(a,b)",
        # MySQL 5.7's WITHIN compares bounding rectangles.
        "within(a,b)",
        "st_within(a,b)",
    ]
    assert len({canonical(one) for one in spellings}) == len(spellings)


ATOMS = st.sampled_from(("a", "`b c`", "'x'", "1", "f(a,2)", "NULL", "0x41", "now()"))
TREES = st.recursive(
    ATOMS, lambda inner: st.builds(lambda o, x, y: f"({x} {o} {y})", st.sampled_from(("+", "-", "*", "and",
    "or", "=", "<", "div", "&", "<<")), inner, inner)
    | st.builds(lambda x: f"(not ({x} + 1))", inner) | st.builds(lambda x: f"({x} is null)", inner),
    max_leaves=12,
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
