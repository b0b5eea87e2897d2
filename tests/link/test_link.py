"""Links that are dead from versions alone, those that are not, and what the page says."""

from __future__ import annotations

import json

import pytest

from schemacheck import Link, check
from schemacheck.engine.gate import exit_status
from schemacheck.link.releases import newer
from schemacheck.model import Server

TABLE = "CREATE TABLE t (a INT PRIMARY KEY)"
DEAD = [
    ("mysql-9.7", "mariadb-10.11", {}, "SC911", 22),
    ("mysql-9.7", "mariadb-11.8", {"binlog_transaction_compression": "ON"}, "SC921", 1594),
    ("mariadb-11.8", "mysql-5.6", {}, "SC911", None),
    ("mariadb-11.8", "mysql-9.7", {}, "SC911", None),
    ("mysql-9.7", "mysql-5.6", {}, "SC902", 2059),
    ("mysql-8.0", "mysql-5.7", {}, "SC911", 22),
]


@pytest.mark.parametrize(("source", "replica", "given", "code", "number"), DEAD)
def test_no_pass_over_a_dead_link(source, replica, given, code, number) -> None:
    link = Link.of(source, replica)
    report = check(TABLE, TABLE, Link(link.source.with_settings(given), link.replica))
    told = {f.code: f.error.number if f.error else None for f in report.link_findings}
    assert told.get(code, "not told") == number
    assert exit_status(report) == 1


@pytest.mark.parametrize(("gtid_mode", "code"), [("ON", {"SC927"}), ("OFF", set())])
def test_a_replica_before_5_7_5_with_gtids_logs_what_it_applies(gtid_mode: str, code: set[str]) -> None:
    given = {"gtid_mode": gtid_mode, "enforce_gtid_consistency": "ON", "log_bin": "ON"}
    source, replica = (
        Server.parse("mysql-5.6.24", given | {"binlog_format": text}) for text in ("ROW", "STATEMENT")
    )
    report = check(TABLE, TABLE, Link(source.with_settings({"log_slave_updates": "ON"}), replica))
    assert {finding.code for finding in report.link_findings} == code


@pytest.mark.parametrize(
    "version",
    [
        "mysql-5.6",
        "mysql-5.7",
        "mysql-8.0",
        "mysql-8.4",
        "mysql-9.7",
        "mysql-26.7",
        "mariadb-10.11",
        "mariadb-11.8",
        "mariadb-12.3",
    ],
)
def test_one_version_on_both_ends_runs(version: str) -> None:
    report = check(TABLE, TABLE, Link.of(version, version))
    assert (report.link_findings, exit_status(report)) == ((), 0)


def test_the_setting_that_changes_it_is_told() -> None:
    link = Link.of("mysql-9.7", "mariadb-10.11")
    (told,) = check(TABLE, TABLE, link).link_findings
    assert "utf8mb4_general_ci for both it would run" in told.message
    better = {"collation_server": "utf8mb4_general_ci", "default_collation_for_utf8mb4": "utf8mb4_general_ci"}
    assert check(TABLE, TABLE, Link(link.source.with_settings(better), link.replica)).link_findings == ()


def test_no_smallest_setting_for_a_dead_link() -> None:
    report = check(
        "CREATE TABLE t (a INT)", "CREATE TABLE t (a BIGINT)", Link.of("mysql-9.7", "mariadb-10.11")
    )
    assert report.smallest is not None
    assert report.smallest.modes is None


def test_the_command(capsys) -> None:
    from schemacheck.cli import main

    assert main(["link", "mysql-9.7", "mariadb-10.11", "--format", "json"]) == 1
    page = json.loads(capsys.readouterr().out)
    assert page["runs"] is False
    assert page["findings"][0]["error"] == 22
    assert main(["link", "mysql-9.7", "mysql-9.7"]) == 0
    assert "the link runs" in capsys.readouterr().out
    assert main(["link", "mariadb-11.8", "mysql-8.4", "--channel", "MASTER_SSL=1"]) == 1
    assert "SC901" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("position", "rule"),
    [("4", ""), ("120", "SC906"), ("158", "SC906"), ("\u00b2", "SC901"), ("-4", "SC901")],
)
def test_a_position_in_a_log_is_not_known(position, rule, capsys) -> None:
    from schemacheck.cli import main

    words = ["--position", "file", "--channel", "SOURCE_SSL=1", "--channel", f"SOURCE_LOG_POS={position}"]
    assert main(["link", "--no-config", "mysql-9.7", "mysql-9.7", *words]) == (3 if rule else 0)
    assert rule in capsys.readouterr().out


@pytest.mark.parametrize("place", ["SOURCE_LOG_FILE=bin.000077", "SOURCE_LOG_POS=1000"])
def test_whether_the_source_has_a_place_is_not_known(place, capsys) -> None:
    from schemacheck.cli import main

    words = ["--position", "none", "--channel", "SOURCE_SSL=1", "--channel", place]
    assert main(["link", "--no-config", "mysql-9.7", "mysql-9.7", *words]) == 3
    assert "SC906" in capsys.readouterr().out


def test_mariadb_gtids_of_mysql_are_none(capsys) -> None:
    from schemacheck.cli import main

    words = ["--position", "gtid", "--channel", "MASTER_USE_GTID=slave_pos", "--format", "json"]
    assert main(["link", "--no-config", "mysql-5.6", "mariadb-10.5", *words]) == 1
    page = json.loads(capsys.readouterr().out)
    assert ("SC905", 1193) in [(one["code"], one["error"]) for one in page["findings"]]


def test_an_option_file_is_an_end(tmp_path, capsys) -> None:
    from schemacheck.cli import main

    (tmp_path / "s.cnf").write_text("[mysqld]\nbinlog_transaction_compression=ON\n", "utf-8")
    assert main(["link", str(tmp_path / "s.cnf"), "mariadb-11.8", "--source-version", "mysql-9.7"]) == 1
    assert "1594" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ends", "told"),
    [(("mysql-9.7", "mysql-8.0.36"), True), (("mysql-8.0.36", "mysql-9.7"), False),
     (("mariadb-11.8", "mariadb-10.11"), True), (("mysql-9.7", "mariadb-10.11"), False)],
)  # fmt: skip
def test_a_replica_that_is_older_than_its_source_is_told(ends, told) -> None:
    sentences = newer(Link.of(*ends))
    assert ("the replica is older than its source" in " ".join(sentences)) is told


def test_a_newer_version_is_said_to_be_so(capsys) -> None:
    from schemacheck.cli import main

    main(["link", "mysql-26.7", "mysql-26.7"])
    assert "is newer than what was recorded" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mysql--8", "mysql-8.4"], "'mysql--8' is not a known server"),
        (["nothing", "mysql-8.4"], "nothing: nothing in it says which server it is from"),
        (
            ["my.cnf", "mysql-8.4", "--source-version", "8.4"],
            "my.cnf:2: no server has a variable binlog_formt",
        ),
    ],
)
def test_an_end_that_is_not_known_is_no_end(words, said, tmp_path, monkeypatch, capsys) -> None:
    from schemacheck.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "nothing").mkdir()
    (tmp_path / "my.cnf").write_text("[mysqld]\nbinlog_formt=ROW\n")
    assert main(["link", *words]) == 2
    assert said in capsys.readouterr().err


def test_snapshots_tell_server_ids_and_the_log(tmp_path, monkeypatch, capsys) -> None:
    from schemacheck.cli import main

    monkeypatch.chdir(tmp_path)
    for name, number, log in (("one", 7, "ON"), ("same", 7, "ON"), ("other", 8, "ON"), ("off", 9, "OFF")):
        more = f"server_id\t{number}\nlog_bin\t{log}"
        (tmp_path / name).mkdir()
        (tmp_path / name / "variables.tsv").write_text(
            f"Variable_name\tValue\nversion\t8.4.3\nversion_comment\tMySQL Community Server\n{more}\n"
        )
    assert main(["link", "one", "other"]) == 0
    assert main(["link", "one", "same"]) == 1
    assert "both servers have server_id = 7" in capsys.readouterr().out
    assert main(["link", "off", "one"]) == 1
    assert "SC906" in capsys.readouterr().out
