"""Settings of the two ends that decide about tables of one definition, and how values may be written."""

from __future__ import annotations

import pytest

from schemacheck import Effect, Link, Schema, Server, UsageError, check, parse

TEXTS = f"CREATE TABLE t (id INT PRIMARY KEY, {', '.join(f'v{i} TEXT' for i in range(12))})"


@pytest.mark.parametrize("value", ["REDUNDANT", "compact", "0", "1 "])
def test_a_default_row_format_that_keeps_prefixes_may_not_hold_a_row(value: str) -> None:
    link = Link(Server.parse("mysql-8.4"), Server.parse("mysql-8.4", {"innodb_default_row_format": value}))
    report = check(TEXTS, TEXTS, link)
    assert [(f.code, f.effect) for f in report.findings] == [("SC410", Effect.UNSUPPORTED)]
    assert check(TEXTS, TEXTS, link.reversed).verdict is Effect.IDENTICAL


@pytest.mark.parametrize("value", ["MINIMAL", "MINIMAL ", "\tminimal", "Minimal\r\n"])
def test_blanks_around_a_value_are_no_part_of_it(value: str) -> None:
    link = Link.of("mysql-8.4", binlog_row_image=value)
    tables = [f"CREATE TABLE t (id INT PRIMARY KEY, a INT DEFAULT {number})" for number in (5, 6)]
    assert check(*tables, link).verdict is Effect.DIVERGES


def test_a_side_of_another_family_than_the_links_end_is_refused() -> None:
    tables = parse("CREATE TABLE t (id INT PRIMARY KEY)", "mariadb-11.8").tables
    side = Schema(tables, server=Server.parse("mariadb-11.8"))
    with pytest.raises(UsageError, match=r"the replica's side was read from MariaDB 11\.8"):
        check("CREATE TABLE t (id INT PRIMARY KEY)", side, Link.of("mysql-8.4"))
    assert check(side, side).verdict is Effect.IDENTICAL
