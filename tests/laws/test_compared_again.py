"""What is kept of tables and types that are compared again changes no answer."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import changed, links, tables

from schemacheck import catalog
from schemacheck.alignment import terms as kept
from schemacheck.alignment.pair import Pair, unlike
from schemacheck.engine import check_pair
from schemacheck.model import Column, ColumnType, Link, Table

QUICK = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Table, Table]:
    source = draw(tables())
    return source, draw(st.one_of(changed(source), tables()))


@QUICK
@given(pairs())
def test_the_columns_that_differ_are_the_same_each_time(pair: tuple[Table, Table]) -> None:
    source, replica = pair
    differ = [
        place for place, (a, b) in enumerate(zip(source.columns, replica.columns, strict=False)) if a != b
    ]
    before = pickle.dumps(source)
    assert [unlike(source, replica) for _ in range(7)] == [differ] * 7
    # The one is known, the other is not; and columns that are equal, but other objects.
    copy = replace(replica, columns=tuple(replace(one, type=replace(one.type)) for one in replica.columns))
    assert [unlike(source, copy) for _ in range(7)] == [differ] * 7
    assert pickle.dumps(source) == before


@QUICK
@given(pairs(), links())
def test_a_report_is_the_same_each_time(pair: tuple[Table, Table], link: Link) -> None:
    first, *again = (check_pair(*pair, link) for _ in range(7))
    for report in again:
        assert (report.state, report.findings, report.smallest, report.reason) == (
            first.state, first.findings, first.smallest, first.reason,
        )  # fmt: skip


def test_what_is_kept_of_types_is_bounded_and_follows_their_meaning(monkeypatch) -> None:
    monkeypatch.setattr("schemacheck.alignment.pair.MOST_JUDGED", 3)
    link = Link.of("mysql-8.0")
    known = kept.terms(link)
    for text in ("int", "bigint", "int", "tinyint", "bigint", "smallint") * 2:
        # Each of these is a type of its own, which may get the address of one that is gone.
        here, there = ColumnType.parse("smallint"), replace(ColumnType.parse(text))
        (cell,) = Pair.of(Table("t", (Column("c", here),)), Table("t", (Column("d", there),)), link).differing
        assert (cell.kind.value == "exact") == (text == "smallint")
        assert (cell.kind.value == "lossy") == (text == "tinyint")
        assert len(known.judged) <= 3


@QUICK
@given(pairs())
def test_the_columns_that_differ_are_the_same_where_no_more_shapes_are_kept(
    pair: tuple[Table, Table],
) -> None:
    differ = unlike(*pair)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("schemacheck.model.numbered._MOST_NUMBERS", -1)
        assert [unlike(*pair) for _ in range(7)] == [differ] * 7
    assert pair[0].shapes() is not None


def test_a_type_s_words_are_its_own() -> None:
    """Types that differ in ZEROFILL's width alone are equal, and what is kept for one may serve the other."""
    link = Link.of("mysql-5.7.44", None)
    for width in (5, 7):
        ends = [
            catalog.read(f"CREATE TABLE t (a {kind} UNSIGNED ZEROFILL)", link.source).tables[0]
            for kind in (f"INT({width})", f"SMALLINT({width - 1})")
        ]
        report = check_pair(ends[0], ends[1], link)
        wanted = f"int({width}) unsigned zerofill"
        assert report.smallest.reason.startswith(f"{wanted} to smallint({width - 1}) unsigned zerofill: ")
        assert any(wanted in finding.message for finding in report.findings)
