"""Statements that are offered: they say where they run, drop nothing, and settings are not offered where none
helps.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from schemacheck import Link, check, render
from schemacheck.engine.gate import entries

sys.path.insert(0, str(Path(__file__).parents[1] / "rules"))
import rule_fixture

FILES = sorted(rule_fixture.FOLDER.rglob("*.sql"))
STRING_KEY = "CREATE TABLE s (name VARCHAR(20) PRIMARY KEY, b INT) DEFAULT CHARSET=utf8mb4;"
THREE = "CREATE TABLE a (i INT); CREATE TABLE b (i INT); CREATE TABLE c (i INT);"


def test_no_statement_that_is_offered_drops_anything() -> None:
    """Over all fixtures: every rule's remedies."""
    offered = 0
    for path in FILES:
        case = rule_fixture.read(path)
        for link in rule_fixture.links(case):
            for finding in rule_fixture.findings(case, link):
                sql = finding.remedy_sql or ""
                offered += bool(sql)
                assert not re.search(r"\b(DROP|TRUNCATE|DELETE|IGNORE)\b", sql), f"{path}: {sql}"
                assert finding.remedy_sql_on == ("replica" if sql else None)
    assert offered > 100


@pytest.mark.parametrize("form", ["text", "html", "json", "csv"])
def test_every_statement_says_where_it_runs(form) -> None:
    report = check("CREATE TABLE t (a INT)", "CREATE TABLE t (a BIGINT)", Link.of("8.0.36"))
    shown = render(report, form)
    assert {"text": "next: run the fixes on the replica", "html": "sql for the replica"}.get(
        form, "remedy_sql_on"
    ) in shown
    if form == "json":
        assert json.loads(shown)["tables"][0]["findings"][0]["remedy_sql_on"] == "replica"


def test_a_default_collation_is_named_on_both_ends() -> None:
    """MySQL 5.7 and 8.4 read one and the same file with different collations of utf8mb4."""
    finding = check(STRING_KEY, STRING_KEY, Link.of("mysql-5.7", "mysql-8.4")).findings[0]
    assert finding.code == "SC401"
    assert "utf8mb4_0900_ai_ci" in finding.message
    assert "utf8mb4_general_ci" in finding.message
    assert "Name the collation" in finding.remedy
    assert finding.remedy_sql == (
        "ALTER TABLE `s` MODIFY COLUMN `name` varchar(20) character set utf8mb4 COLLATE utf8mb4_general_ci "
        "NOT NULL;"
    )
    # What it offers, done: nothing is left to say about the key.
    named = STRING_KEY.replace("VARCHAR(20)", "VARCHAR(20) COLLATE utf8mb4_general_ci")
    assert not [
        f for f in check(STRING_KEY, named, Link.of("mysql-5.7", "mysql-8.4")).findings if f.code == "SC401"
    ]


def test_a_collation_that_the_replica_does_not_have_is_not_offered() -> None:
    source = STRING_KEY.replace("VARCHAR(20)", "VARCHAR(20) COLLATE utf8mb4_uca1400_ai_ci")
    replica = STRING_KEY.replace("VARCHAR(20)", "VARCHAR(20) COLLATE utf8mb4_general_ci")
    finding = next(
        f
        for f in check(source, replica, Link.of("mariadb-11.8", "mariadb-10.6", binlog_format="ROW")).findings
        if f.code == "SC401"
    )
    assert finding.remedy_sql is None
    assert "a collation that both servers have" in finding.remedy


def test_a_key_that_is_stricter_for_another_reason_is_not_dropped() -> None:
    report = check(
        "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20))",
        "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20), UNIQUE KEY (b))",
        Link.of("8.0.36"),
    )
    assert [(f.code, f.remedy_sql) for f in report.findings] == [("SC401", None)]


@pytest.mark.parametrize("form", ["text", "concise", "github", "markdown", "html", "csv", "sarif", "gitlab"])
def test_what_holds_for_the_link_is_said_once(form) -> None:
    report = check(THREE, THREE, Link.of("mariadb-10.11", "mysql-9.7", binlog_format="ROW"))
    assert [pair.verdict.value for pair in report.pairs] == ["identical"] * 3
    assert report.verdict.value == "stops"
    assert len([f for f in entries(report) if f.code == "SC924"]) == 1
    assert "SC924" in render(report, form)


def test_no_setting_is_offered_for_a_link_that_stops_anyway() -> None:
    source, replica = "CREATE TABLE a (i INT);", "CREATE TABLE a (i BIGINT);"
    report = check(source, replica, Link.of("mariadb-10.11", "mysql-9.7", binlog_format="ROW"))
    assert report.smallest is not None
    assert report.smallest.modes is None
    assert "smallest replica_type_conversions" not in render(report, "text")
    assert "the link does not run" in render(report, "concise").splitlines()[-1]
    assert json.loads(render(report, "json"))["smallest_setting"]["modes"] is None
