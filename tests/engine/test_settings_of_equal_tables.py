"""Settings of the two ends that decide about tables of one definition, and how values may be written."""

from __future__ import annotations

import pytest

from schemacheck import Effect, Link, Schema, Server, UsageError, check, parse
from schemacheck.dataclass import replace
from schemacheck.library import assumptions, link_of

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


@pytest.mark.parametrize(
    ("binlog_format", "named"), [("STATEMENT", {"SC803"}), ("ROW", set()), ("MIXED", set())]
)
def test_an_order_of_unique_keys_that_no_input_tells_is_an_assumption(binlog_format: str, named: set) -> None:
    """ON DUPLICATE KEY UPDATE took another row on 9.7 and 11.8 to 10.11; MIXED logs it as rows."""
    link = Link.of("mysql-8.4", binlog_format=binlog_format)
    tables = parse("CREATE TABLE t (id INT PRIMARY KEY, a INT UNIQUE, b INT UNIQUE)", "mysql-8.4").tables
    side = Schema(tuple(replace(table, key_order=()) for table in tables))
    report = check(side, side, link)
    assert {finding.code for finding in report.findings} == named
    assert any("SC803" in text for text in report.assumptions) is bool(named)


@pytest.mark.parametrize("image", ["MINIMAL", "FULL"])
def test_without_a_primary_key_the_order_of_unique_keys_counts_for_a_minimal_image(image: str) -> None:
    """9.7.4 to 11.8.9: the source sends the columns of its first one, the replica searches by its own."""
    link = Link.of("mysql-9.7", "mariadb-11.8", binlog_row_image=image)
    ends = [
        parse(f"CREATE TABLE t (a INT NOT NULL, b INT NOT NULL, UNIQUE {one}, UNIQUE {two})", server).tables
        for server, one, two in (("mysql-9.7", "(a)", "(b)"), ("mariadb-11.8", "(b)", "(a)"))
    ]
    swapped, hidden = (
        check(
            *(Schema(tuple(replace(t, key_order=t.key_order[:n]) for t in tables)) for tables in ends), link
        )
        for n in (None, 0)
    )
    minimal = image == "MINIMAL"
    assert swapped.verdict is (Effect.STOPS if minimal else Effect.IDENTICAL)
    assert hidden.verdict is (Effect.UNKNOWN if minimal else Effect.IDENTICAL)


@pytest.mark.parametrize("server", ["mysql-9.7", "mariadb-10.11"])
@pytest.mark.parametrize(("told", "named"), [(("1", "0"), True), (("1", "1"), False), (("0", "0"), False)])
def test_empty_time_zone_tables_of_the_replica(server: str, told: tuple, named: bool) -> None:
    """1298 for a session with a named zone: BEGIN of MySQL carries it before rows, statements everywhere."""
    ends = [Server.parse(server, {"time_zone_names": value}) for value in told]
    assert any("1298" in text for text in assumptions(Link(*ends))) is named


def test_a_flavour_without_a_release_is_of_the_other_ends_release() -> None:
    """What a dump without comments tells; of two such dumps neither is MySQL."""
    alone = Schema(server=Server.parse("mariadb-11.8").with_told({"version_comment": "MariaDB"}))
    other = Schema(server=Server.parse("mariadb-10.6", {"binlog_format": "ROW"}))
    for link in (link_of(alone, other), link_of(other, alone)):
        assert {end.version[:2] for end in (link.source, link.replica)} == {(10, 6)}
        assert link.source.setting("binlog_format") == "ROW"
    both = link_of(alone, alone)
    assert (both.source, both.replica) == (Server.parse("mariadb-11.8"), Server.parse("mariadb-11.8"))
