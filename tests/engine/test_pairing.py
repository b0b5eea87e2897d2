"""Which tables belong together, and what names, case, filters and unread statements make of a report."""

from __future__ import annotations

import pickle

import pytest

from schemacheck import catalog, engine
from schemacheck.dataclass import replace
from schemacheck.errors import BadSetting
from schemacheck.model import Effect, InputProblem, Link, PairReport, PairState, Report, Schema, Server
from tests.filter_options import from_options

SERVER = Server.parse("mysql-8.0.36")
LINK = Link(SERVER, SERVER)


def schema(text: str, server: Server = SERVER) -> Schema:
    return catalog.read(text, server)


def check(source: str, replica: str, link: Link = LINK, filters: str = "") -> Report:
    ours, theirs = schema(source, link.source), schema(replica, link.replica)
    chosen = from_options(filters.split()) if filters else None
    return engine.check(ours.tables, theirs.tables, link, ours.problems, theirs.problems, chosen)


def only(report: Report) -> PairReport:
    assert len(report.pairs) == 1
    return report.pairs[0]


def codes(pair: PairReport) -> set[str]:
    return {finding.code for finding in pair.findings}


def test_a_database_that_one_end_names_is_no_difference() -> None:
    """A file against a live server: equal tables get a note (SC411), whatever their databases are called."""
    table = "CREATE TABLE {} (a INT, b INT, UNIQUE KEY (a))"
    server = Server.parse("mysql-9.7")
    pair = only(check(table.format("t"), table.format("d.t"), Link(server, server)))
    assert codes(pair) == {"SC411"}
    assert pair.verdict <= Effect.COMPATIBLE


def test_tables_are_paired_by_database_and_name() -> None:
    report = check(
        "CREATE TABLE a.t (x INT); CREATE TABLE b.t (x INT)",
        "CREATE TABLE b.t (x INT); CREATE TABLE a.t (x BIGINT)",
    )
    assert {pair.name: pair.verdict for pair in report.pairs} == {
        "a.t": Effect.STOPS,
        "b.t": Effect.IDENTICAL,
    }


def test_a_side_without_databases_is_paired_by_name() -> None:
    assert only(check("CREATE TABLE shop.t (x INT)", "CREATE TABLE t (x INT)")).verdict is Effect.IDENTICAL


def test_missing_and_surplus_tables_are_listed() -> None:
    report = check("CREATE TABLE a (x INT)", "CREATE TABLE b (x INT)")
    assert [(pair.table, pair.state) for pair in report.pairs] == [
        ("a", PairState.MISSING),
        ("b", PairState.SURPLUS),
    ]
    assert report.pairs[0].findings[0].error.number == 1146  # type: ignore[union-attr]
    assert report.pairs[1].verdict is Effect.IDENTICAL


@pytest.mark.parametrize(
    ("lower", "state", "found"), [("0", PairState.MISSING, {"SC704"}), ("1", PairState.COMPARED, set())]
)
def test_case_of_names_counts_as_the_replica_says(lower: str, state: PairState, found: set[str]) -> None:
    link = Link(SERVER, SERVER.with_settings({"lower_case_table_names": lower}))
    pair = check("CREATE TABLE Orders (x INT)", "CREATE TABLE orders (x INT)", link).pairs[0]
    assert (pair.state, codes(pair)) == (state, found)


def test_two_tables_that_become_one_collide() -> None:
    link = Link(SERVER, SERVER.with_settings({"lower_case_table_names": "1"}))
    report = check("CREATE TABLE t (x INT); CREATE TABLE T (x INT)", "CREATE TABLE t (x INT)", link)
    assert [codes(pair) for pair in report.pairs] == [{"SC704"}, set()]  # the second by name


@pytest.mark.parametrize(
    ("source", "replica", "undecided"), [("CYCLE", "", 1), ("", "CYCLE", 0), ("CYCLE", "CYCLE", 0)]
)
def test_a_sequence_that_starts_again_on_the_source_alone(source: str, replica: str, undecided: int) -> None:
    """4084 on MariaDB 10.11 and 11.8, ROW and MIXED; without CYCLE it is the source that refuses."""
    link = Link(*[Server.parse("mariadb-10.11.19")] * 2)
    report = check(*(f"CREATE SEQUENCE s MAXVALUE 9 {option};" for option in (source, replica)), link)
    assert [pair.verdict is Effect.UNKNOWN for pair in report.pairs] == [bool(undecided)]
    (ours,), (theirs,) = (pair.source for pair in report.pairs), (pair.replica for pair in report.pairs)
    # Rows of information_schema do not tell it.
    unsaid = engine.check_pair(ours, replace(theirs, query=None), link)
    assert (unsaid.verdict is Effect.UNKNOWN) is (source == "CYCLE")


def test_a_view_on_the_replica_stops_and_a_view_on_the_source_does_not_count() -> None:
    assert codes(
        check("CREATE TABLE t (x INT)", "CREATE TABLE u (x INT); CREATE VIEW t AS SELECT * FROM u").pairs[0]
    ) == {"SC702"}
    report = check("CREATE TABLE u (x INT); CREATE VIEW v AS SELECT * FROM u", "CREATE TABLE u (x INT)")
    assert {pair.table: pair.state for pair in report.pairs} == {
        "u": PairState.COMPARED,
        "v": PairState.NOT_REPLICATED,
    }


@pytest.mark.parametrize("broken", ["source", "replica"])
def test_an_unread_statement_is_unknown_and_hides_nothing_else(broken: str) -> None:
    good = "CREATE TABLE a (x INT); CREATE TABLE t (x INT);"
    bad = "CREATE TABLE a (x INT); CREATE TABLE t (x INT WHATEVER);"
    report = check(bad, good) if broken == "source" else check(good, bad)
    assert report.verdict is Effect.UNKNOWN
    assert any(pair.table == "a" and pair.verdict is Effect.IDENTICAL for pair in report.pairs)
    assert not any(pair.state is PairState.MISSING for pair in report.pairs)


def test_filters_keep_tables_out_and_rewrite_databases() -> None:
    report = check(
        "CREATE TABLE a.t (x INT); CREATE TABLE b.t (x INT)",
        "CREATE TABLE c.t (x INT)",
        filters="--replicate-rewrite-db=a->c --replicate-do-db=c",
    )
    assert {pair.name: pair.state for pair in report.pairs} == {
        "a.t": PairState.COMPARED,
        "b.t": PairState.NOT_REPLICATED,
    }
    assert all(not pair.findings for pair in report.pairs)
    assert report.pairs[1].reason


@pytest.mark.parametrize(("parent", "expected"), [("a.p", {"SC405"}), ("c.p", set()), ("p", set())])
def test_a_key_into_the_database_that_is_rewritten_meets_no_parent(parent: str, expected: set[str]) -> None:
    """1452 on MySQL and MariaDB: the parent's rows arrive in c."""
    made = (
        "CREATE TABLE %s.p (x INT PRIMARY KEY); CREATE TABLE %s.t (x INT, FOREIGN KEY (x) REFERENCES %s (x))"
    )
    replica = made % ("c", "c", parent) + "; CREATE TABLE a.p (x INT PRIMARY KEY)"
    report = check(made % ("a", "a", "p"), replica, filters="--replicate-rewrite-db=a->c")
    assert (
        set().union(*(codes(pair) for pair in report.pairs if pair.state is PairState.COMPARED)) == expected
    )


_CHILD = (
    "CREATE TABLE %s.c (x INT, FOREIGN KEY (x) REFERENCES %s.p (x)); CREATE TABLE %s.p (x INT PRIMARY KEY)"
)


@pytest.mark.parametrize(
    ("child", "parent", "rewrite", "expected"),
    [
        ("crm", "shop", "shop->third", {"SC405"}),
        ("crm", "third", "shop->third", set()),
        ("new", "third", "crm->new", {"SC405"}),
        ("new", "shop", "crm->new", set()),
    ],
)
def test_a_key_between_databases_follows_its_parent(child, parent, rewrite, expected) -> None:
    """Rows that stop with 1452, and run, on MySQL 9.7 and MariaDB 10.11."""
    replica = _CHILD % (child, parent, "third") + "; CREATE TABLE shop.p (x INT PRIMARY KEY)"
    report = check(_CHILD % ("crm", "shop", "shop"), replica, filters=f"--replicate-rewrite-db={rewrite}")
    assert codes(next(pair for pair in report.pairs if pair.table == "c")) == expected


@pytest.mark.parametrize(("name", "code"), [("T", "SC704"), ("u", "SC701")])
def test_what_is_missing_is_made_where_the_rows_go(name: str, code: str) -> None:
    report = check(
        "USE a; CREATE TABLE t (x INT)",
        f"CREATE TABLE c.{name} (x INT)",
        filters="--replicate-rewrite-db=a->c",
    )
    (finding,) = report.pairs[0].findings
    assert (finding.code, "`c`.`t`" in (finding.remedy_sql or "")) == (code, True)


def test_an_error_names_the_table_as_the_replica_has_it() -> None:
    report = check(
        "CREATE TABLE a.t (x INT)", "CREATE TABLE c.t (x DATE)", filters="--replicate-rewrite-db=a->c"
    )
    (finding,) = only(report).findings
    assert finding.error is not None
    assert "table 'c.t'" in finding.error.message
    assert finding.remedy_sql is not None
    assert "`c`.`t`" in finding.remedy_sql


def test_a_filter_by_default_database_makes_a_table_replicate_in_part() -> None:
    link = Link(SERVER.with_settings({"binlog_format": "STATEMENT"}), SERVER)
    assert "SC601" in codes(
        only(check("CREATE TABLE a.t (x INT)", "CREATE TABLE a.t (x INT)", link, "--replicate-do-db=a"))
    )
    assert not only(
        check("CREATE TABLE a.t (x INT)", "CREATE TABLE a.t (x INT)", LINK, "--replicate-do-db=a")
    ).findings


def test_a_foreign_key_to_a_table_that_is_kept_out_is_a_finding() -> None:
    text = (
        "CREATE TABLE a.p (id INT PRIMARY KEY); CREATE TABLE a.t (x INT, FOREIGN KEY (x) REFERENCES p (id));"
    )
    report = check(text, text, filters="--replicate-ignore-table=a.p")
    assert {pair.name: codes(pair) for pair in report.pairs} == {"a.p": set(), "a.t": {"SC602"}}


def test_a_reference_that_only_the_replica_has_is_a_finding_about_the_parent() -> None:
    report = check(
        "CREATE TABLE t (a INT PRIMARY KEY)",
        "CREATE TABLE t (a INT PRIMARY KEY); CREATE TABLE ch (b INT, FOREIGN KEY (b) REFERENCES t (a))",
    )
    assert codes(report.pairs[0]) == {"SC406"}


def test_the_smallest_setting_of_all_tables_serves_each_of_them() -> None:
    report = check(
        "CREATE TABLE a (x INT); CREATE TABLE b (x INT UNSIGNED)",
        "CREATE TABLE a (x BIGINT); CREATE TABLE b (x BIGINT)",
    )
    assert [pair.smallest.modes for pair in report.pairs if pair.smallest] == [
        "ALL_NON_LOSSY",
        "ALL_NON_LOSSY,ALL_UNSIGNED",
    ]
    assert report.smallest is not None
    assert report.smallest.modes is None
    assert "different settings" in report.smallest.reason


def test_a_setting_that_the_replica_would_refuse_is_refused() -> None:
    link = Link.of("mariadb-11.8", slave_type_conversions="ALL_UNSIGNED")
    with pytest.raises(BadSetting, match="ALL_UNSIGNED"):
        check("CREATE TABLE t (x INT)", "CREATE TABLE t (x INT)", link)


def test_a_report_is_a_value() -> None:
    report = check("CREATE TABLE t (x INT)", "CREATE TABLE t (x BIGINT)")
    again = pickle.loads(pickle.dumps(report))
    assert again == report
    assert hash(again) == hash(report)


def lower(**settings: str) -> Link:
    server = SERVER.with_settings({"lower_case_table_names": "1", **settings})
    return Link(server, server)


def test_a_table_of_two_databases_is_not_guessed() -> None:
    """The source names no database: either table could be meant."""
    report = check("CREATE TABLE t (a INT)", "CREATE TABLE x.t (a INT); CREATE TABLE y.t (a BIGINT)")
    pair = only(report)
    assert pair.verdict is Effect.UNKNOWN
    assert "x.t or y.t" in pair.findings[0].message


@pytest.mark.parametrize(
    ("source", "replica", "link", "filters"),
    [
        ("CREATE TABLE t (a INT)", "CREATE TABLE shop.t (a INTT)", LINK, ""),
        ("CREATE TABLE t (a INT)", "CREATE TABLE shop.t (a INTT); CREATE TABLE shop.u (a INT)", LINK, ""),
        ("CREATE TABLE t (a INT)", "CREATE TABLE a.t (a INT); CREATE TABLE shop.t (a INTT)", LINK, ""),
        ("CREATE TABLE T (a INT)", "CREATE TABLE t (a INTT)", lower(), ""),
        ("CREATE TABLE d.T (a INT)", "CREATE TABLE D.t (a INTT)", lower(), ""),
        (
            "CREATE TABLE a.t (a INT)",
            "CREATE TABLE b.t (a INTT); CREATE TABLE b.u (a INT)",
            LINK,
            "--replicate-rewrite-db=a->b",
        ),
    ],
)
def test_an_unread_counterpart_is_unknown_and_never_missing(
    source: str, replica: str, link: Link, filters: str
) -> None:
    pair = check(source, replica, link, filters).pairs[0]
    assert (pair.state, pair.verdict) == (PairState.UNREADABLE, Effect.UNKNOWN)


def test_an_unread_table_of_another_database_hides_nothing() -> None:
    report = check("CREATE TABLE a.t (a INT)", "CREATE TABLE b.t (a INTT); CREATE TABLE b.u (a INT)")
    assert report.pairs[0].state is PairState.MISSING


@pytest.mark.parametrize(
    ("here", "there", "paired"),
    [
        ("stra\u00dfe", "strasse", False),
        ("STRA\u00dfE", "stra\u00dfe", True),
        ("\u03c2", "\u03c3", False),
        ("\u03a3", "\u03c3", True),
        ("\u0130", "i", True),
        ("\u1e9e", "\u00df", False),
    ],
)
def test_names_are_folded_letter_by_letter(here: str, there: str, paired: bool) -> None:
    """Asked of four servers under lower_case_table_names=1."""
    report = check(f"CREATE TABLE `{here}` (a INT)", f"CREATE TABLE `{there}` (a INT)", lower())
    assert (report.pairs[0].state is PairState.COMPARED) is paired


def test_a_problem_hides_tables_of_its_own_end() -> None:
    unread = InputProblem("SC001", "not read", None, "d", "t")
    here, there = (schema(f"CREATE TABLE d.{one} (x INT)").tables for one in ("s", "t"))
    states = [pair.state for pair in engine.check(here, there, LINK, [unread]).pairs]
    assert states == [PairState.MISSING, PairState.UNREADABLE]  # the source has a t, too
    states = [pair.state for pair in engine.check(there, there, LINK, (), [unread]).pairs]
    assert states == [PairState.UNREADABLE]  # what was not read of it may matter
    states = [pair.state for pair in engine.check(here, there, LINK, (), [unread]).pairs]
    assert states == [PairState.MISSING, PairState.SURPLUS]
    nameless = InputProblem("SC001", "not read")
    states = [pair.state for pair in engine.check(here, there, LINK, (), [nameless]).pairs]
    assert states == [PairState.UNREADABLE, PairState.SURPLUS]
