"""What a notebook shows, and how scripts get at the findings."""

from __future__ import annotations

import sys

import pytest

import schemacheck
from schemacheck.model import notebook
from schemacheck.plan import plan

OURS = "CREATE TABLE shop.t (id int PRIMARY KEY, a int unsigned, `<b>` varchar(9))"
THEIRS = "CREATE TABLE shop.t (id int PRIMARY KEY, a int, `<b>` varchar(5))"
LINK = schemacheck.Link.of("mysql-8.0.36", slave_type_conversions="ALL_LOSSY")


def test_a_report_is_one_line_and_a_table():
    report = schemacheck.check(OURS, THEIRS, LINK)
    assert repr(report) == f"<Report diverges: 1 table, {len(report.findings)} findings>"
    assert repr(report.pairs[0]).startswith("<PairReport shop.t: diverges (compared), ")
    page = report._repr_html_()
    assert "SC204" in page
    assert "&lt;b&gt;" in page
    assert "<b>`" not in page


def test_what_was_not_read_is_in_the_table():
    report = schemacheck.check("CREATE TABLE t (a int", "CREATE TABLE t (a int)", LINK)
    assert repr(report).startswith("<Report unknown: ")
    assert "unknown" in report._repr_html_()


def test_a_plan_shows_its_steps():
    old, new = (
        schemacheck.parse(text, LINK.source)
        for text in ("CREATE TABLE t (a int)", "CREATE TABLE t (a bigint)")
    )
    made = plan(old, new, LINK)
    assert repr(made) == f"<Plan {made.order.value}: 1 tables, {len(made.runbook)} steps>"
    assert made._repr_html_().count("<tr>") == 1 + len(made.runbook)


def test_a_long_table_is_cut_and_says_so():
    page = notebook.table("n", ("a",), [(n,) for n in range(notebook.MOST + 3)])
    assert page.count("<tr>") == notebook.MOST + 1
    assert "and 3 more" in page


def test_paths_are_read(tmp_path):
    file = tmp_path / "a.sql"
    file.write_text(OURS)
    assert schemacheck.open_schema(file).tables == schemacheck.open_schema(str(file)).tables
    assert schemacheck.open_schema(tmp_path, beside=[file]).files
    with pytest.raises(schemacheck.UsageError, match=r"open_schema\(path\)"):
        schemacheck.check(file, OURS)
    with pytest.raises(schemacheck.UsageError, match="not bytes"):
        schemacheck.open_schema(b"a.sql")


def test_a_data_frame(monkeypatch):
    pandas = pytest.importorskip("pandas")
    report = schemacheck.check(OURS, THEIRS, LINK)
    frame = schemacheck.to_pandas(report)
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["code"]) == [row["code"] for row in schemacheck.rows(report)]
    empty = schemacheck.to_pandas(schemacheck.check(OURS, OURS, LINK))
    assert list(empty.columns) == list(frame.columns)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(schemacheck.UsageError, match="pip install pandas"):
        schemacheck.to_pandas(report)
