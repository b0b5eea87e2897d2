"""The table form, what leans on it, and its speed."""

import pickle
import time

import pytest

from schemacheck.errors import BadSetting
from schemacheck.filters.tables import Reach, TableFilter, table_filter
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet
from tests.filter_options import from_options

LINK = Link.of("mysql-8.0.36")


def state(options: str, table: str, form: str = "ROW", link: Link = LINK):
    return TableFilter(from_options(options.split()), link, form).state(*table.split("."))


@pytest.mark.parametrize(
    ("options", "table", "form", "expected"),
    [
        ("", "a.t", "ROW", Reach.REPLICATED),
        ("--replicate-do-db=a", "a.t", "ROW", Reach.REPLICATED),
        ("--replicate-do-db=a", "b.t", "ROW", Reach.NOT_REPLICATED),
        ("--replicate-do-db=a", "a.t", "STATEMENT", Reach.PARTLY),
        ("--replicate-do-db=a", "b.t", "STATEMENT", Reach.PARTLY),
        ("--replicate-ignore-db=a", "b.t", "STATEMENT", Reach.PARTLY),
        ("--replicate-do-db=a", "a.t", "MIXED", Reach.PARTLY),
        ("--replicate-do-table=a.t", "a.t", "STATEMENT", Reach.REPLICATED),
        ("--replicate-do-table=a.t", "a.u", "STATEMENT", Reach.NOT_REPLICATED),
        ("--replicate-wild-ignore-table=a.%", "a.u", "MIXED", Reach.NOT_REPLICATED),
        ("--replicate-do-db=a --replicate-do-table=b.t", "a.t", "STATEMENT", Reach.NOT_REPLICATED),
        ("--binlog-ignore-db=a", "a.t", "ROW", Reach.NOT_REPLICATED),
        ("--binlog-do-db=a", "b.t", "STATEMENT", Reach.PARTLY),
        ("--replicate-rewrite-db=a->b --replicate-do-db=b", "a.t", "ROW", Reach.REPLICATED),
        ("--replicate-rewrite-db=a->b --replicate-do-db=a", "a.t", "ROW", Reach.NOT_REPLICATED),
        ("--replicate-rewrite-db=a->b --replicate-do-table=b.t", "a.t", "STATEMENT", Reach.PARTLY),
    ],
)
def test_states(options: str, table: str, form: str, expected: Reach) -> None:
    answer = state(options, table, form)
    assert answer.state is expected
    assert answer.rule
    assert answer.rule in answer.reason


def test_rewritten_name_and_ddl_that_depends_on_the_default_database() -> None:
    answer = state("--replicate-rewrite-db=a->b", "a.t")
    assert (answer.replica_database, answer.replica_table) == ("b", "t")
    assert state("--replicate-do-db=a", "a.t").ddl is Reach.PARTLY
    assert state("--replicate-do-table=a.t", "a.t").ddl is Reach.REPLICATED


def test_reason_names_both_cases() -> None:
    reason = state("--replicate-do-db=a", "a.t", "STATEMENT").reason
    assert "executed with the default database a (--replicate-do-db=a)" in reason
    assert "ignored with any other default database" in reason


def test_one_filter_per_value_and_all_values_pickle() -> None:
    filters = FilterSet(do_db=("a",))
    assert table_filter(filters, LINK, "ROW") is table_filter(FilterSet(do_db=("a",)), LINK, "ROW")
    answer = state("--replicate-do-db=a", "a.t")
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert pickle.loads(pickle.dumps(filters)) == filters
    assert len({filters, FilterSet(do_db=("a",))}) == 1


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(BadSetting, match="binlog_format has no value 'ROWS'"):
        state("", "a.t", "ROWS")


def test_a_hundred_thousand_tables() -> None:
    from benchmarks.filters import FILTERS

    assert len(FILTERS.options()) == 50
    tables = [(f"app{i % 200}_{i % 7}", f"t{i % 300}_{i}") for i in range(100_000)]
    chosen = TableFilter(FILTERS, LINK, "MIXED")
    start = time.process_time()
    answers = (chosen.state(*name) for name in tables)
    lost = sum(answer.state is Reach.NOT_REPLICATED for answer in answers)
    spent = time.process_time() - start
    assert 0 < lost < len(tables)
    # 0.7 to 0.9 s on an idle core; what grows with tables times rules takes minutes.
    assert spent < 8
