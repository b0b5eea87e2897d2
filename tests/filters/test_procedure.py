"""The manuals' examples and every branch of their procedure, with the trace's questions and answers."""

from dataclasses import fields

import pytest

from schemacheck.errors import UsageError
from schemacheck.filters import Decision, Evaluator, Outcome, Stage
from schemacheck.filters.rules import NO_DO_TABLE, NO_TABLE_RULES, ONLY_DO_DB, ONLY_DO_TABLE
from schemacheck.model import Link
from schemacheck.model.filters import FilterSet
from tests.filter_options import from_options
from tests.filters.deciding import decide

LINK = Link.of("mysql-8.0.36")


def run(
    sql: str, options: str, *, db: str | None = "db1", form: str = "STATEMENT", link: Link = LINK
) -> Decision:
    return decide(
        sql, from_options(options.split(), link.replica), link, default_database=db, binlog_format=form
    )


def asked(decision: Decision) -> list[str]:
    return [
        f"{step.question} {step.answer}"
        for step in decision.trace
        if step.stage in (Stage.DATABASE, Stage.TABLE)
    ]


@pytest.mark.parametrize(
    ("options", "sql", "outcome", "rule"),
    [
        # the four examples of "How Servers Evaluate Replication Filtering Rules"
        ("", "INSERT INTO t VALUES (1)", Outcome.EXECUTED, NO_TABLE_RULES),
        ("--replicate-do-db=db1", "INSERT INTO t VALUES (1)", Outcome.EXECUTED, "--replicate-do-db=db1"),
        ("--replicate-do-db=db2", "INSERT INTO t VALUES (1)", Outcome.IGNORED, ONLY_DO_DB),
        ("--replicate-ignore-db=db1", "INSERT INTO t VALUES (1)", Outcome.IGNORED,
        "--replicate-ignore-db=db1"),
        ("--replicate-do-table=db1.t", "INSERT INTO t VALUES (1)", Outcome.EXECUTED,
        "--replicate-do-table=db1.t"),
        ("--replicate-do-table=db1.t", "INSERT INTO u VALUES (1)", Outcome.IGNORED, ONLY_DO_TABLE),
        ("--replicate-do-db=db1 --replicate-do-table=db2.mytbl2", "INSERT INTO mytbl1 VALUES(1,2,3)",
        Outcome.IGNORED, ONLY_DO_TABLE),
        # only tables to be updated are compared: INSERT INTO sales SELECT * FROM prices
        ("--replicate-ignore-table=db1.prices", "INSERT INTO sales SELECT * FROM prices", Outcome.EXECUTED,
        NO_DO_TABLE),
        ("--replicate-ignore-table=db1.sales", "INSERT INTO sales SELECT * FROM prices", Outcome.IGNORED,
        "--replicate-ignore-table=db1.sales"),
        # each table option, matching and not
        ("--replicate-ignore-table=db1.t", "UPDATE t SET a=1", Outcome.IGNORED,
        "--replicate-ignore-table=db1.t"),
        ("--replicate-ignore-table=db1.t", "UPDATE u SET a=1", Outcome.EXECUTED, NO_DO_TABLE),
        ("--replicate-wild-do-table=db1.t%", "DELETE FROM t1", Outcome.EXECUTED,
        "--replicate-wild-do-table=db1.t%"),
        ("--replicate-wild-do-table=db1.t%", "DELETE FROM u", Outcome.IGNORED, ONLY_DO_TABLE),
        ("--replicate-wild-ignore-table=db1.t%", "DELETE FROM t1", Outcome.IGNORED,
        "--replicate-wild-ignore-table=db1.t%"),
        ("--replicate-wild-ignore-table=db1.t%", "DELETE FROM u", Outcome.EXECUTED, NO_DO_TABLE),
        # do before ignore, plain before wild
        ("--replicate-do-table=db1.t --replicate-ignore-table=db1.t", "DELETE FROM t", Outcome.EXECUTED,
        "--replicate-do-table=db1.t"),
        ("--replicate-ignore-table=db1.t --replicate-wild-do-table=db1.%", "DELETE FROM t", Outcome.IGNORED,
        "--replicate-ignore-table=db1.t"),
        ("--replicate-wild-do-table=db1.% --replicate-wild-ignore-table=db1.%", "DELETE FROM t",
        Outcome.EXECUTED, "--replicate-wild-do-table=db1.%"),
        # several tables: the first that a rule matches wins
        ("--replicate-do-table=db1.a --replicate-ignore-table=db1.b", "UPDATE a, b SET a.x=1, b.x=1",
        Outcome.EXECUTED, "--replicate-do-table=db1.a"),
        ("--replicate-do-table=db1.a --replicate-ignore-table=db1.b", "UPDATE b, a SET a.x=1, b.x=1",
        Outcome.IGNORED, "--replicate-ignore-table=db1.b"),
        ("--replicate-do-table=db1.a --replicate-ignore-table=db1.b", "UPDATE c, a SET a.x=1, c.x=1",
        Outcome.EXECUTED, "--replicate-do-table=db1.a"),
        ("--replicate-do-table=db1.a --replicate-ignore-table=db1.b", "UPDATE c, d SET c.x=1, d.x=1",
        Outcome.IGNORED, ONLY_DO_TABLE),
        ("--replicate-ignore-table=db1.b", "DROP TABLE a, b", Outcome.IGNORED,
        "--replicate-ignore-table=db1.b"),
    ],
)  # fmt: skip
def test_statement_format(options: str, sql: str, outcome: Outcome, rule: str) -> None:
    decision = run(sql, options)
    assert decision.outcome is outcome
    assert decision.trace[-1].rule == decision.rule == rule


def test_row_format_takes_every_table_by_itself() -> None:
    options = "--replicate-do-table=db1.a --replicate-ignore-table=db1.b"
    decision = run("UPDATE b, a SET a.x=1, b.x=1", options, form="ROW")
    assert decision.outcome is Outcome.PARTLY
    assert {t.table: t.replica for t in decision.tables} == {"db1.a": "db1.a", "db1.b": None}


def test_row_format_replicates_the_manuals_cross_database_insert() -> None:
    sql, options = "USE bar; INSERT INTO foo.sometable VALUES (1)", "--replicate-do-db=foo"
    assert run(sql, options, form="ROW").outcome is Outcome.EXECUTED
    statement = run(sql, options)
    assert statement.outcome is Outcome.IGNORED
    assert any("default database is tested" in step.surprise for step in statement.trace)


def test_binlog_options_by_format() -> None:
    sql = "UPDATE sales.january SET amount=amount+1"
    options = "--binlog-do-db=sales"
    assert run(sql, options, db="prices").outcome is Outcome.NOT_LOGGED
    assert run(sql, options, db="prices", form="ROW").outcome is Outcome.EXECUTED
    assert run("UPDATE prices.discounts SET p=1", options, db="sales").logged
    assert not run("UPDATE prices.discounts SET p=1", options, db="sales", form="ROW").logged


def test_the_whole_trace_of_the_counterintuitive_example() -> None:
    decision = run(
        "INSERT INTO mytbl1 VALUES(1,2,3)", "--replicate-do-db=db1 --replicate-do-table=db2.mytbl2"
    )
    assert asked(decision) == [
        "Are there any --replicate-do-db options? yes",
        "Does the default database db1 match one of them? yes: go on to the table options",
        "Are there any --replicate-*-table options? yes",
        "Does db1.mytbl1 match one of the --replicate-do-table options? no",
        "Is there another table to be tested? no",
        "Are there any --replicate-do-table or --replicate-wild-do-table options? yes: ignored",
    ]
    assert decision.trace[-1].surprise.startswith(
        "one do rule on tables makes every table without a match ignored"
    )


def test_the_whole_trace_of_a_loop_over_tables() -> None:
    options = (
        "--replicate-ignore-db=q --replicate-ignore-table=db1.b --replicate-wild-do-table=db2.% "
        "--replicate-wild-ignore-table=db1.c%"
    )
    decision = run("UPDATE a, c1, d SET a.x=1, c1.x=1, d.x=1", options)
    assert asked(decision) == [
        "Are there any --replicate-do-db options? no",
        "Are there any --replicate-ignore-db options? yes",
        "Does the default database db1 match one of them? no: go on to the table options",
        "Are there any --replicate-*-table options? yes",
        "Does db1.a match one of the --replicate-ignore-table options? no",
        "Does db1.a match one of the --replicate-wild-do-table options? no",
        "Does db1.a match one of the --replicate-wild-ignore-table options? no",
        "Is there another table to be tested? yes: db1.c1",
        "Does db1.c1 match one of the --replicate-ignore-table options? no",
        "Does db1.c1 match one of the --replicate-wild-do-table options? no",
        "Does db1.c1 match one of the --replicate-wild-ignore-table options? yes: ignored",
    ]
    assert decision.trace[-1].surprise == "decided for the whole statement: db1.d ignored with it"


def test_ignore_db_is_never_read_beside_do_db() -> None:
    decision = run("DELETE FROM t", "--replicate-do-db=db1 --replicate-ignore-db=db1")
    assert decision.outcome is Outcome.EXECUTED
    assert any("never read" in step.surprise for step in decision.trace)


@pytest.mark.parametrize(
    ("server", "sql", "options", "db", "outcome"),
    [
        ("mysql-5.6", "INSERT INTO db1.t VALUES (1)", "--replicate-do-db=db1", None, Outcome.IGNORED),
        ("mysql-9.7", "INSERT INTO db1.t VALUES (1)", "--replicate-ignore-db=db1", None, Outcome.EXECUTED),
        ("mysql-9.7", "INSERT INTO db1.t VALUES (1)", "--binlog-do-db=db2", None, Outcome.EXECUTED),
        ("mariadb-11.8", "INSERT INTO db1.t VALUES (1)", "--binlog-do-db=db1", None, Outcome.NOT_LOGGED),
        ("mysql-9.7", "GRANT SELECT ON *.* TO u", "--replicate-wild-ignore-table=mysql.%", "db1",
        Outcome.IGNORED),
        ("mariadb-11.8", "DROP USER u", "--replicate-do-table=mysql.user", "db1", Outcome.IGNORED),
        ("mysql-5.6", "SET PASSWORD FOR u='x'", "--replicate-do-table=mysql.user", "db1", Outcome.EXECUTED),
        ("mysql-9.7", "CREATE PROCEDURE p() SELECT 1", "--replicate-do-table=db1.t", "db1", Outcome.EXECUTED),
        ("mysql-9.7", "DROP DATABASE db1", "--replicate-rewrite-db=db1->rw --replicate-ignore-db=db1", "db2",
        Outcome.EXECUTED),
        ("mariadb-11.8", "DROP DATABASE db1", "--replicate-rewrite-db=db1->rw --replicate-ignore-db=db1",
        "db2", Outcome.IGNORED),
        ("mysql-5.6", "CREATE DATABASE db1", "--replicate-do-db=db1 --replicate-wild-do-table=x.%", None,
        Outcome.EXECUTED),
        ("mariadb-11.8", "CREATE DATABASE db1", "--replicate-do-db=db1 --replicate-wild-do-table=x.%", None,
        Outcome.IGNORED),
        ("mysql-9.7", "CREATE DATABASE db1", "--replicate-wild-do-table=db1.t%", None, Outcome.IGNORED),
        ("mysql-9.7", "ALTER TABLE a RENAME TO b", "--replicate-ignore-table=db1.b", "db1", Outcome.EXECUTED),
        ("mysql-9.7", "RENAME TABLE a TO b", "--replicate-ignore-table=db1.b", "db1", Outcome.IGNORED),
        ("mysql-9.7", "FLUSH LOGS", "", "db1", Outcome.NOT_LOGGED),
        ("mysql-9.7", "SET @a=1", "", "db1", Outcome.NOT_LOGGED),
    ],
)  # fmt: skip
def test_what_the_manual_does_not_say(
    server: str, sql: str, options: str, db: str | None, outcome: Outcome
) -> None:
    decision = run(sql, options, db=db, link=Link.of(server))
    assert decision.outcome is outcome


@pytest.mark.parametrize(
    "script",
    [
        "XA START 'x'; UPDATE db1.t SET v=1; XA END 'x'; XA PREPARE 'x'; XA COMMIT 'x'",
        "CREATE TEMPORARY TABLE t (a INT); DROP TEMPORARY TABLE IF EXISTS t",
        "CREATE FUNCTION db1.f() RETURNS INT BEGIN UPDATE db1.t SET v=1; RETURN 1; END; SELECT db1.f()",
        "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW INSERT INTO u VALUES (1); INSERT INTO t VALUES (1)",
        "CREATE PROCEDURE p() UPDATE t SET a=1; CALL p()",
        "BEGIN; SAVEPOINT a; UPDATE t SET a=1; ROLLBACK TO a; COMMIT",
        "PREPARE s FROM 'UPDATE t SET a=1'; EXECUTE s",
    ],
)
@pytest.mark.parametrize("form", ["ROW", "STATEMENT", "MIXED"])
def test_what_is_not_followed_is_unknown(script: str, form: str) -> None:
    for server in ("mysql-9.7", "mariadb-11.8"):
        decision = run(script, "--replicate-do-db=db1", form=form, db="db1", link=Link.of(server))
        assert decision.outcome is Outcome.UNKNOWN


def test_names_by_server_and_lower_case_table_names() -> None:
    for server, lower, options, expected in (
        ("mysql-5.5", 0, "--replicate-do-table=DB1.T", Outcome.EXECUTED),
        ("mysql-5.6", 0, "--replicate-do-table=DB1.T", Outcome.IGNORED),
        ("mysql-5.6", 1, "--replicate-do-table=DB1.T", Outcome.EXECUTED),
        ("mariadb-11.8", 0, "--replicate-do-table=DB1.T", Outcome.EXECUTED),
        ("mariadb-11.8", 1, "--replicate-do-db=DB1", Outcome.IGNORED),
        ("mysql-9.7", 1, "--replicate-do-db=DB1", Outcome.EXECUTED),
        ("mysql-5.5", 0, "--replicate-do-table=db1.\u00e4", Outcome.EXECUTED),
        ("mysql-5.6", 0, "--replicate-do-table=db1.\u00e4", Outcome.IGNORED),
    ):
        link = Link.of(server, lower_case_table_names=str(lower))
        table = "a" if "\u00e4" in options else "t"
        assert run(f"DELETE FROM {table}", options, link=link).outcome is expected, (server, lower, options)


def test_what_cannot_be_told_is_said() -> None:
    call = run("CALL db1.p()", "")
    assert call.outcome is Outcome.UNKNOWN
    assert call.logged is None
    assert "body of db1.p() is not known" in call.unknown[0]
    inside = run("INSERT INTO t VALUES (db1.f())", "--replicate-do-table=db1.t")
    assert inside.outcome is Outcome.EXECUTED
    assert "body of db1.f() is not followed" in inside.unknown[0]
    same = run("UPDATE a, b SET x=1", "--replicate-ignore-db=db1")
    assert same.outcome is Outcome.IGNORED
    differing = run("UPDATE a, b SET x=1", "--replicate-ignore-table=db1.a")
    assert differing.outcome is Outcome.UNKNOWN


def test_a_table_that_was_never_made_stops_the_next_statement() -> None:
    script = "CREATE TABLE keep (a INT); CREATE TABLE lost (a INT); INSERT INTO keep SELECT * FROM lost"
    decision = run(script, "--replicate-ignore-table=db1.lost")
    assert decision.outcome is Outcome.STOPS
    assert decision.error is not None
    assert (decision.error.number, decision.error.message) == (1146, "Table 'db1.lost' doesn't exist")


@pytest.mark.parametrize("lists", [{"do_domain_ids": (0, 2)}, {"ignore_domain_ids": (1,)}])
def test_lists_of_domains_leave_what_is_logged_unknown(lists: dict[str, tuple[int, ...]]) -> None:
    """A session may set gtid_domain_id, which no input tells."""
    evaluator = Evaluator.of(FilterSet(**lists, binlog_ignore_db=("db2",)), Link.of("mariadb-11.8"))
    decision = evaluator.decide("DELETE FROM db1.t", default_database="db1")
    assert decision.outcome is Outcome.UNKNOWN
    assert f"DOMAIN_IDS=({','.join(map(str, *lists.values()))})" in decision.unknown[0]
    assert evaluator.decide("DELETE FROM t", default_database="db2").outcome is Outcome.NOT_LOGGED


def test_a_text_without_a_statement_is_refused() -> None:
    with pytest.raises(UsageError, match="no statement"):
        run(" -- nothing\n;", "")


def test_statements_that_leave_nothing_in_the_log_say_so() -> None:
    for sql in ("USE x", "BEGIN; COMMIT", "SET autocommit=0", "SELECT 1", "SHOW TABLES"):
        decision = run(sql, "")
        assert decision.outcome is Outcome.NOT_LOGGED
        assert decision.trace[-1].rule


def test_what_is_rolled_back_is_not_followed() -> None:
    for sql in ("BEGIN; DELETE FROM t; ROLLBACK", "BEGIN; DELETE FROM t", "SET autocommit=0; DELETE FROM t"):
        assert run(sql, "").outcome is Outcome.UNKNOWN
    assert run("BEGIN; DELETE FROM t; COMMIT", "").outcome is Outcome.EXECUTED


def test_a_prepared_statement_that_runs_itself_is_unknown():
    decision = Evaluator.of(FilterSet(do_db=("a",)), Link.of("mysql-8.0")).decide(
        "PREPARE s FROM 'EXECUTE s'; EXECUTE s"
    )
    assert decision.outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("right", "outcome"),
    [("SELECT", Outcome.STOPS), ("DELETE, UPDATE", Outcome.STOPS), ("DELETE", Outcome.IGNORED)],
)
@pytest.mark.parametrize("server", ["mariadb-10.11", "mysql-5.6"])
def test_a_revoke_opens_the_grants_of_columns_and_misses_a_grant_that_was_ignored(
    server, right, outcome
) -> None:
    """Asked of MariaDB 10.11: GRANT writes tables_priv alone, REVOKE columns_priv too."""
    options = "--replicate-do-table=db1.t1 --replicate-do-table=mysql.columns_priv"
    script = f"GRANT {right} ON db1.t1 TO u1@localhost; REVOKE {right} ON db1.t1 FROM u1@localhost"
    decision = run(script, options, link=Link.of(server))
    assert decision.outcome is outcome
    if outcome is Outcome.STOPS:
        assert decision.error is not None
        assert decision.error.number == 1147
        assert "for user 'u1' on host 'localhost' on table 't1'" in decision.error.message


#: For each field of a set of filters: a value, and a statement of db1 with which it does something else.
FIELDS: dict[str, tuple[object, str]] = {
    "binlog_do_db": (("other",), "DELETE FROM t"),
    "binlog_ignore_db": (("db1",), "DELETE FROM t"),
    "do_db": (("other",), "DELETE FROM t"),
    "ignore_db": (("db1",), "DELETE FROM t"),
    "do_table": (("db1.u",), "DELETE FROM t"),
    "ignore_table": (("db1.t",), "DELETE FROM t"),
    "wild_do_table": (("db1.u%",), "DELETE FROM t"),
    "wild_ignore_table": (("db1.t%",), "DELETE FROM t"),
    "rewrite_db": ((("db1", "db2"),), "DELETE FROM t"),
    "do_domain_ids": ((7,), "DELETE FROM t"),
    "ignore_domain_ids": ((1,), "DELETE FROM t"),
}


@pytest.mark.parametrize("field", [f.name for f in fields(FilterSet) if f.name not in ("channel", "origins")])
def test_every_field_of_a_set_of_filters_decides_something(field: str) -> None:
    value, sql = FIELDS[field]
    given = FilterSet(**{field: value})
    told = [decide(sql, one, LINK, default_database="db1") for one in (FilterSet(), given)]
    assert (told[0].outcome, told[0].tables) != (told[1].outcome, told[1].tables)
