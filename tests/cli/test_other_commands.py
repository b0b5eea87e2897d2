"""filter, binlog, snapshot, fleet: what the command line adds to their packages."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

LOGS = Path(__file__).parents[1] / "binlog" / "data"
V = ("--source-version", "8.0.36")


@pytest.fixture
def filters(tmp_path):
    (tmp_path / "my.cnf").write_text(
        "[mysqld]\nreplicate-do-db = shop\nreplicate-wild-ignore-table = shop.audit%\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "status", "part"),
    [
        (("shop.orders",), 0, "replicated"),
        (("shop.orders", "shop.audit_log"), 1, "--replicate-wild-ignore-table=shop.audit%"),
        (("mail.queue",), 1, "none matches"),
        (("--sql", "INSERT INTO shop.orders VALUES (1)", "--default-db", "shop"), 0, "executed"),
        (
            ("--sql", "UPDATE shop.orders SET a = 1", "--default-db", "mail", "--binlog-format", "STATEMENT"),
            1,
            "ignored",
        ),
        (("orders",), 2, "write database.table"),
        ((), 2, "name tables, or give --sql"),
        (("shop.orders", "--channel", "east"), 2, "no channel 'east'"),
        (("shop.orders", "--filters", "none.cnf"), 2, "none.cnf: cannot be read"),
    ],
)
def test_filter(run, filters, arguments, status, part):
    result = run("filter", *arguments, *(() if "--filters" in arguments else ("--filters", "my.cnf")), *V)
    assert result.status == status, result
    assert part in result.out + result.err


def test_filter_needs_filters_and_takes_them_from_the_configuration(run, filters):
    assert "--filters is missing" in run("filter", "shop.orders").err
    (filters / "schemacheck.yaml").write_text(
        "links:\n  main:\n    source: mysql-8.0.36\n    filters: my.cnf\n"
    )
    assert run("filter", "shop.orders").status == 0


def test_filter_of_a_schema_as_json(run, filters):
    (filters / "s.sql").write_text("CREATE TABLE shop.orders (id int);\nCREATE TABLE mail.queue (id int);\n")
    result = run("filter", "--schema", "s.sql", "--filters", "my.cnf", "--format", "json", *V)
    assert result.status == 1
    assert [(t["table"], t["state"]) for t in json.loads(result.out)["tables"]] == [
        ("shop.orders", "replicated"),
        ("mail.queue", "not-replicated"),
    ]


def test_filters_keep_tables_out_of_a_check(run, filters):
    (filters / "a.sql").write_text("CREATE TABLE shop.t (id int);\nCREATE TABLE shop.audit_log (id int);\n")
    (filters / "b.sql").write_text("CREATE TABLE shop.t (id int);\n")
    assert run("check", "a.sql", "b.sql", *V).status == 1
    result = run("check", "a.sql", "b.sql", *V, "--filters", "my.cnf")
    assert result.status == 0, result
    assert "1 not replicated" in result.out


@pytest.fixture
def log(tmp_path):
    (tmp_path / "log.bin").write_bytes(
        gzip.decompress((LOGS / "mariadb-10.11-compressed.binlog.gz").read_bytes())
    )
    return tmp_path / "log.bin"


def test_binlog_events(run, log):
    text = run("binlog", "events", "log.bin")
    assert text.status == 0
    assert text.out.startswith("4 2026-11-21 01:24:41 FORMAT_DESCRIPTION_EVENT ")
    lines = [
        json.loads(line) for line in run("binlog", "events", "log.bin", "--format", "jsonl").out.splitlines()
    ]
    assert {line["file"] for line in lines} == {"log.bin"}
    assert run("binlog", "events", "log.bin", "--format", "json").status == 2
    assert run("binlog", "events", "none.bin").status == 2


def test_binlog_check(run, log, tmp_path):
    (tmp_path / "replica.sql").write_text("CREATE TABLE nothing.here (id int);\n")
    result = run(
        "binlog", "check", "log.bin", "--replica", "replica.sql", "--replica-version", "mariadb-10.11"
    )
    assert result.status == 1, result
    assert "the applier stops: error 1" in result.out
    document = json.loads(
        run(
            "binlog",
            "check",
            "log.bin",
            "--replica",
            "replica.sql",
            "--replica-version",
            "mariadb-10.11",
            "--format",
            "json",
        ).out
    )
    assert document["assumptions"]
    assert run("binlog", "check", "log.bin").status == 2


def test_binlog_check_takes_the_servers_from_the_log(run, tmp_path):
    (tmp_path / "maria.bin").write_bytes(
        gzip.decompress((LOGS / "mariadb-11.8-row-types.binlog.gz").read_bytes())
    )
    (tmp_path / "replica.sql").write_text("CREATE TABLE t_maria (a INT)")
    result = run("binlog", "check", "maria.bin", "--replica", "replica.sql")
    assert result.out.startswith("MariaDB 11.8.6 -> MariaDB 11.8.6\n")
    told = next(line for line in result.out.splitlines() if line.startswith("assumed: "))
    assert "replica server = MariaDB 11.8.6" in told
    assert "source server" not in told
    assert "MySQL" not in told
    document = json.loads(
        run(
            "binlog",
            "check",
            "maria.bin",
            "--replica",
            "replica.sql",
            "--replica-version",
            "mysql-9.7",
            "--format",
            "json",
        ).out
    )
    assert (document["source"], document["replica"]) == ("MariaDB 11.8.6", "MySQL 9.7.4")
    assert not any(one.startswith(("source server", "replica server")) for one in document["assumptions"])


def test_a_stop_without_a_number_has_none(run, tmp_path):
    """A MySQL 8.4 applier and the row events of version 1 of a MariaDB source: no error is recorded."""
    (tmp_path / "maria.bin").write_bytes(
        gzip.decompress((LOGS / "mariadb-11.8-row-types.binlog.gz").read_bytes())
    )
    (tmp_path / "replica.sql").write_text("CREATE TABLE other (a INT)")
    args = (
        "binlog",
        "check",
        "maria.bin",
        "--replica",
        "replica.sql",
        "--replica-version",
        "mysql-9.7",
        "--filters",
        "filters.cnf",
    )
    (tmp_path / "filters.cnf").write_text("[mysqld]\nreplicate-do-table=ddl_bl.t_int\n")
    assert "error 0" not in run(*args).out
    assert '"errno": 0' not in run(*args, "--format", "json").out


@pytest.mark.parametrize(
    "args",
    [
        ("--replica", "nosuch.sql"), ("--filters", "nosuch.cnf"), ("--fail-on", "stops"), ("--source", "x"),
        ("--replica-version", "9.7"),
    ],
)  # fmt: skip
def test_options_of_the_other_action_are_refused(run, log, args):
    result = run("binlog", "events", "log.bin", *args)
    assert result.status == 2
    assert "belongs to binlog" in result.err


def test_a_damaged_log_is_never_a_pass(run, tmp_path):
    (tmp_path / "bad.bin").write_bytes(gzip.decompress((LOGS / "damaged-truncated.binlog.gz").read_bytes()))
    (tmp_path / "replica.sql").write_text("CREATE TABLE nothing.here (id int);\n")
    assert run(
        "binlog", "check", "bad.bin", "--replica", "replica.sql", "--replica-version", "9.7"
    ).status in (1, 2, 3)
    assert run("binlog", "events", "bad.bin").status == 2


def test_snapshot_prints_sql_for_a_server(run):
    out = run("snapshot", "--print-sql", "--flavor", "mariadb-10.11").out
    assert "SNAPSHOT_END" in out
    assert run("snapshot", "--print-sql", "--flavor", "oracle-9").status == 2


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ((), "name a server"),
        (("mysql://a@h/", "mysql://b@h2/", "-o", "x"), "--output is for one server"),
        (("mysql://a@h/", "mysql://b@h/"), "the same one"),
        (("mysql://a:secret@h/",), "a password in the DSN"),
    ],
)
def test_snapshot_usage(run, arguments, part):
    result = run("snapshot", *arguments)
    assert result.status == 2
    assert part in result.err
    assert "secret" not in result.err


def test_a_server_that_does_not_answer_is_an_error(run):
    pytest.importorskip("pymysql")
    result = run("snapshot", "mysql://nobody@127.0.0.1:1/", "-o", "x.gz")
    assert result.status == 2
    assert "127.0.0.1:1: cannot connect" in result.err
    assert run("check", "mysql://nobody@127.0.0.1:1/", "mysql://nobody@127.0.0.1:1/").status == 2


def test_fleet_is_mounted(run):
    assert "TOPOLOGY" in run("fleet", "--help").out
    assert run("fleet").status == 2


@pytest.mark.parametrize("name", ["b.sql", "./b.sql", "link.sql", "known.json"])
def test_no_report_takes_the_place_of_an_input(run, tmp_path, name):
    for one in ("a.sql", "b.sql"):
        (tmp_path / one).write_text("CREATE TABLE t (a INT);", "utf-8")
    (tmp_path / "link.sql").symlink_to("b.sql")
    assert (
        run(
            "baseline", "write", "a.sql", "b.sql", "--source-version", "8.0", "--baseline", "known.json"
        ).status
        == 0
    )
    before = (tmp_path / name).read_bytes()
    assert (
        run("baseline", "write", "a.sql", "b.sql", "--source-version", "8.0", "--baseline", "b.sql").status
        == 2
    )
    found = run("check", "a.sql", "b.sql", "--source-version", "8.0", "--baseline", "known.json", "-o", name)
    assert found.status == 2
    assert "would take the place of an input" in found.err
    assert (tmp_path / name).read_bytes() == before


def test_a_working_directory_that_is_gone(run, tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    found = run("rules")
    assert found.status == 2
    assert "the working directory is not there" in found.err


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("9123", "error 9123 is not among those that are known to stop a replica"),
        ("signednes", "did you mean 'signedness'?"),
        ("xyzzy", "there is no rule and no known error 'xyzzy'; `schemacheck rules` lists them"),
    ],
)
def test_what_explain_says_of_unknown_words(run, word, said):
    done = run("explain", word)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
