"""The report that people see by default: short, each cause once."""

from __future__ import annotations

import json

import pytest

import schemacheck
from schemacheck import outputs
from schemacheck.dataclass import replace
from schemacheck.model import Tolerance, ToleratedBy

ORDERS = """CREATE TABLE `orders` (
  `id` int NOT NULL AUTO_INCREMENT,
  `customer_id` bigint NOT NULL,
  `status` enum('new','paid','sent') NOT NULL DEFAULT 'new',
  `note` varchar(200) DEFAULT NULL,
  `total` decimal(12,2) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
"""
CHANGED = ORDERS.replace("bigint", "int").replace("'paid','sent'", "'sent','paid'").replace("(200)", "(100)")
USERS = """CREATE TABLE `users` (
  `id` int NOT NULL,
  `phone` varchar(20) DEFAULT NULL,
  `email` varchar(100) NOT NULL,
  `score` bigint DEFAULT NULL,
  `created_at` datetime NOT NULL,
  PRIMARY KEY (`id`)
);
"""
WITHOUT = USERS.replace("  `phone` varchar(20) DEFAULT NULL,\n", "")
SERVERS = ("mysql-8.0.36", "mysql-8.4", "mariadb-10.11", "mariadb-11.8")


def rows(server):
    return schemacheck.Link.of(server, binlog_format="ROW")


def lines_of_terminal(text):
    return sum(max(1, -(-len(line) // 80)) for line in text.splitlines())


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("on_one_line", [False, True])
def test_three_differences_fit_25_lines_of_80(server, on_one_line):
    ends = [text.replace("\n", " ") if on_one_line else text for text in (ORDERS, CHANGED)]
    text = schemacheck.render(schemacheck.check(*ends, rows(server)))
    assert lines_of_terminal(text) <= 25, text
    for column, number in (("customer_id", True), ("note", True), ("status", False)):
        (entry,) = [one for one in text.split("\n\n") if f"orders.{column}:" in one]
        assert f"source   `{column}` " in entry
        assert f"replica  `{column}` " in entry
        assert f"fix      ALTER TABLE `orders` MODIFY COLUMN `{column}` " in entry
        assert ("(error " in entry) is number
    prose = [line for line in text.splitlines() if not line.startswith("  fix")]
    assert max(map(len, prose)) <= 80, text


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("ends", [(USERS, WITHOUT), (WITHOUT, USERS)])
def test_a_column_in_the_middle_is_one_entry_that_names_the_columns_behind(server, ends):
    report = schemacheck.check(*ends, rows(server))
    (difference,) = report.differences
    assert difference.finding.code == "SC102"
    assert difference.effect is schemacheck.Effect.STOPS
    assert set(difference.moves[0]) == {"email", "score", "created_at"}
    text = schemacheck.render(report)
    assert text.count("stops[") == 1
    assert "moves    email, " in text
    # What machines read has them all.
    listed = [one["code"] for pair in json.loads(outputs.render(report, "json"))["tables"]
              for one in pair["findings"]]  # fmt: skip
    assert len(listed) == len(report.findings) > 4


def test_a_column_behind_the_others_is_an_entry_of_its_own():
    more = USERS.replace("  PRIMARY", "  `extra` int NOT NULL,\n  PRIMARY")
    report = schemacheck.check(more, WITHOUT, rows("mysql-8.4"))
    assert [one.finding.column for one in report.differences] == ["phone", "extra"]


def test_the_same_difference_of_several_tables_is_one_entry():
    ends = ["".join(text.replace("orders", name) for name in ("a", "b", "c")) for text in (ORDERS, CHANGED)]
    report = schemacheck.check(*ends, rows("mysql-8.4"))
    assert [one.tables for one in report.differences] == [("b", "c")] * 3
    text = schemacheck.render(report)
    assert "a.customer_id and 2 more tables: " in text
    assert "also in  b, c" in text


def test_what_is_tolerated_hides_nothing_that_follows_from_it():
    report = schemacheck.check(USERS, WITHOUT, rows("mysql-8.4"))
    (pair,) = report.pairs
    tolerated = Tolerance(ToleratedBy.COMMENT, "on purpose")
    findings = tuple(
        replace(one, tolerated=tolerated) if one.code == "SC102" else one for one in pair.findings
    )
    shown = replace(report, pairs=(replace(pair, findings=findings),)).differences
    assert {one.finding.column for one in shown} == {"phone", "email", "score", "created_at"}
