"""Laws of filters as properties."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from schemacheck.filters import Evaluator, Outcome
from schemacheck.filters.tables import Reach, TableFilter
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet
from tests.filters.deciding import decide, logging

LINKS = [
    Link.of(server, lower_case_table_names=lower)
    for server in ("mysql-5.5", "mysql-5.6", "mysql-9.7", "mariadb-11.8")
    for lower in ("0", "1")
]
links = st.sampled_from(LINKS)
databases = st.sampled_from(["db1", "db2", "DB1", "d_1", "mysql"])
names = st.sampled_from(["t1", "t2", "T1", "t_1", "user"])
tables = st.builds(lambda d, t: f"{d}.{t}", databases, names)
patterns = st.sampled_from(["db1.%", "%.t1", "d\\_1.%", "d_1.t_1", "%.%", "db%.t%", "mysql.%", "DB1.T_"])
some = {"max_size": 2, "unique": True}


def tuples(of: st.SearchStrategy) -> st.SearchStrategy:  # type: ignore[type-arg]
    return st.lists(of, **some).map(tuple)  # type: ignore[arg-type]


filter_sets = st.builds(
    FilterSet, binlog_do_db=tuples(databases), binlog_ignore_db=tuples(databases), do_db=tuples(databases),
    ignore_db=tuples(databases),
    do_table=tuples(tables), ignore_table=tuples(tables), wild_do_table=tuples(patterns),
    wild_ignore_table=tuples(patterns),
    rewrite_db=tuples(st.tuples(databases, st.sampled_from(["db1", "db2", "rw"]))),
)  # fmt: skip
formats = st.sampled_from(["ROW", "STATEMENT", "MIXED"])
defaults = st.one_of(st.none(), databases)
statements = st.sampled_from([
    "INSERT INTO {a} VALUES (1)", "UPDATE {a} SET v=1", "DELETE FROM {a}",
    "UPDATE {a} AS x JOIN {b} AS y ON x.i=y.i SET x.v=1, y.v=2",
    "DELETE {a}, {b} FROM {a} JOIN {b}", "INSERT INTO {a} SELECT * FROM {b}",
    "REPLACE INTO {a} VALUES (RAND())", "LOAD DATA INFILE 'x' INTO TABLE {a}",
])  # fmt: skip
definitions = st.sampled_from(
    [
        "ALTER TABLE {a} ADD c INT",
        "DROP TABLE {a}",
        "RENAME TABLE {a} TO {b}",
        "TRUNCATE {a}",
        "CREATE USER u",
        "GRANT SELECT ON {a} TO u",
        "DROP DATABASE db1",
    ]
)
pairs = st.lists(tables, min_size=2, max_size=2, unique_by=str.lower)


@given(links, formats, defaults, st.one_of(statements, definitions), pairs)
@settings(max_examples=60, deadline=None)
def test_no_options_replicate_everything(
    link: Link, form: str, default: str | None, text: str, pair: list[str]
) -> None:
    decision = decide(
        text.format(a=pair[0], b=pair[1]), FilterSet(), link, default_database=default, binlog_format=form
    )
    assert decision.outcome is Outcome.EXECUTED
    assert all(table.replica for table in decision.tables)


@given(links, databases, names)
@settings(max_examples=60, deadline=None)
def test_no_options_replicate_every_table(link: Link, database: str, table: str) -> None:
    for form in ("ROW", "STATEMENT", "MIXED"):
        assert TableFilter(FilterSet(), link, form).state(database, table).state is Reach.REPLICATED


@given(links, filter_sets, statements, pairs, defaults, defaults)
@settings(max_examples=150, deadline=None)
def test_row_format_never_depends_on_the_default_database(
    link: Link, filters: FilterSet, text: str, pair: list[str], one: str | None, other: str | None
) -> None:
    sql, evaluator = text.format(a=pair[0], b=pair[1]), Evaluator.of(filters, logging(link, "ROW"))
    first, second = (evaluator.decide(sql, default_database=d) for d in (one, other))
    assert (first.outcome, first.tables, first.error) == (second.outcome, second.tables, second.error)


@given(
    links,
    filter_sets,
    statements,
    pairs,
    defaults,
    formats,
    st.sampled_from(["ignore_db", "ignore_table", "wild_ignore_table"]),
    st.data(),
)
@settings(max_examples=200, deadline=None)
def test_an_ignore_rule_never_adds_a_table(
    link: Link,
    filters: FilterSet,
    text: str,
    pair: list[str],
    default: str | None,
    form: str,
    where: str,
    data: st.DataObject,
) -> None:
    value = data.draw({"ignore_db": databases, "ignore_table": tables, "wild_ignore_table": patterns}[where])
    # one table: of several under statement format the first that a rule decides decides for all of them
    sql = (text if "{b}" not in text or form == "ROW" else "UPDATE {a} SET v=1").format(a=pair[0], b=pair[1])
    more = replace(filters, **{where: (*getattr(filters, where), value)})
    before = {
        t.table
        for t in decide(sql, filters, link, default_database=default, binlog_format=form).tables
        if t.replica
    }
    after = {
        t.table
        for t in decide(sql, more, link, default_database=default, binlog_format=form).tables
        if t.replica
    }
    assert after <= before


@given(links, filter_sets, st.one_of(statements, definitions), pairs, defaults, formats)
@settings(max_examples=200, deadline=None)
def test_the_last_step_names_the_rule_that_decided(
    link: Link, filters: FilterSet, text: str, pair: list[str], default: str | None, form: str
) -> None:
    decision = decide(
        text.format(a=pair[0], b=pair[1]), filters, link, default_database=default, binlog_format=form
    )
    assert decision.trace[-1].rule
    options = {f"--{name}={value}" for name, value in filters.options()}
    named = [step.rule for step in decision.trace if step.rule.startswith("--")]
    assert set(named) <= options
    if decision.outcome is Outcome.IGNORED:
        assert "ignored" in decision.trace[-1].answer


@given(links, filter_sets, databases, names, formats)
@settings(max_examples=150, deadline=None)
def test_the_table_form_agrees_with_statements(
    link: Link, filters: FilterSet, database: str, table: str, form: str
) -> None:
    state = TableFilter(filters, link, form).state(database, table)
    outcomes = set()
    for default in (database, "db1", "db2", "DB1", "d_1", "mysql", "elsewhere", None):
        for name in (f"{database}.{table}", table) if default == database else (f"{database}.{table}",):
            decision = decide(
                f"UPDATE {name} SET v=1", filters, link, default_database=default, binlog_format=form
            )
            if decision.outcome is not Outcome.STOPS:
                outcomes.add(decision.outcome is Outcome.EXECUTED)
    if state.state is Reach.REPLICATED:
        assert outcomes <= {True}
    elif state.state is Reach.NOT_REPLICATED:
        assert outcomes <= {False}
    elif form == "STATEMENT":
        assert outcomes == {True, False}
