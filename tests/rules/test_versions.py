"""What changed from version to version: errors, settings, generated keys, mapping by name, event versions."""

from __future__ import annotations

import pytest

from schemacheck import library
from schemacheck.engine import link_findings
from schemacheck.errors import BadSetting
from schemacheck.model import Effect, Link

T = "CREATE TABLE shop.t ({})"


def check(source: str, replica: str, server: str, other: str | None = None, **settings: str):
    settings.setdefault("binlog_format", "ROW")
    report = library.check(T.format(source), T.format(replica), Link.of(server, other, **settings))
    assert not [p for p in report.problems if not p.skipped]
    return report


def by_code(report) -> dict[str, object]:
    return {f.code: f for f in report.findings}


FAILED = "Column {} of table 'shop.t' cannot be converted from type '{}' to type '{}'"
COUNTED = (
    "Column {} (counting the first column as number 1) of table 'shop.t' cannot be converted from "
    "type '{}' to type '{}'"
)
DEFINITION = "Table definition on master and slave does not match: "


@pytest.mark.parametrize(
    ("server", "source", "replica", "number", "message"),
    [
        ("mysql-5.1.73", "int", "bigint", 1535,
        DEFINITION + "Column 1 type mismatch - received type 3, shop.t has type 8"),
        ("mysql-5.1.73", "enum('a')", "varchar(5)", 1535,
        DEFINITION + "Column 1 type mismatch - received type 254, shop.t has type 15"),
        ("mysql-5.1.73", "varchar(20)", "varchar(10)", 1535,
        DEFINITION + "Column 1 size mismatch - master has size 20, shop.t on slave has size 10. "
                     "Master's column size should be <= the slave's column size."),
        ("mysql-5.5.2", "int", "bigint", 1535,
        DEFINITION + "Column 1 type mismatch - received type 3, shop.t has type 8"),
        ("mysql-5.5.3", "int", "bigint", 1677, FAILED.format(1, "int", "bigint(20)")),
        ("mysql-5.6.51", "int", "bigint", 1677, FAILED.format(1, "int", "bigint(20)")),
        ("mysql-5.6.51", "varchar(20)", "varchar(10)", 1677, FAILED.format(1, "varchar(20)", "varchar(10)")),
        ("mysql-5.6.51", "text", "varchar(10)", 1677, FAILED.format(1, "tinyblob", "varchar(10)")),
        ("mysql-5.7.44", "int", "bigint", 1677, FAILED.format(1, "int", "bigint(20)")),
        ("mysql-8.0.18", "int", "bigint", 13146, FAILED.format(1, "int", "bigint(20)")),
        ("mysql-8.0.36", "int", "bigint", 13146, FAILED.format(1, "int", "bigint")),
        ("mysql-8.0.36", "varchar(100)", "varchar(50)", 13146, FAILED.format(1, "varchar(100(bytes))",
        "varchar(50(bytes) latin1)")),
        ("mysql-8.0.36", "text", "varchar(10)", 13146, FAILED.format(1, "blob", "varchar(10(bytes) latin1)")),
        ("mysql-8.4.9", "int", "bigint", 13146, FAILED.format(1, "int", "bigint")),
        ("mysql-9.7.4", "int", "bigint", 13146, COUNTED.format(2, "int", "bigint")),
        ("mariadb-5.5.68", "int", "bigint", 1677, FAILED.format(1, "int", "bigint(20)")),
        ("mariadb-10.1.48", "varchar(20)", "varchar(10)", 1677, FAILED.format(1, "varchar(20)",
        "varchar(10)")),
        ("mariadb-10.11.19", "varchar(20)", "varchar(10)", 1677, FAILED.format(1, "varchar(20 octets)",
        "varchar(10 octets) character set latin1")),
        ("mariadb-10.11.19", "int", "bigint", 1677, FAILED.format(1, "int", "bigint(20)")),
    ],
)  # fmt: skip
def test_the_servers_own_words(server: str, source: str, replica: str, number: int, message: str) -> None:
    report = check(f"id INT, c {source}", f"id INT, c {replica}", server, character_set_server="latin1")
    assert [(f.error.number, f.error.message) for f in report.findings] == [(number, message)]
    assert report.verdict is Effect.STOPS


@pytest.mark.parametrize(
    ("server", "name"),
    [
        ("mysql-5.6.51", "slave"),
        ("mysql-8.0.25", "slave"),
        ("mysql-8.0.26", "replica"),
        ("mysql-9.7.4", "replica"),
        ("percona-8.0.46", "replica"),
        ("mariadb-11.8.6", "slave"),
    ],
)
def test_the_settings_name(server: str, name: str) -> None:
    (finding,) = check("c INT", "c BIGINT", server).findings
    assert finding.setting == f"{name}_type_conversions=''"
    assert f"{name}_type_conversions='ALL_NON_LOSSY'" in finding.remedy


@pytest.mark.parametrize("name", ["slave_type_conversions", "replica_type_conversions"])
def test_both_names_are_one_setting(name: str) -> None:
    assert check("c INT", "c BIGINT", "mysql-8.0.36", **{name: "all_non_lossy"}).verdict is Effect.COMPATIBLE


@pytest.mark.parametrize(
    "server", ["mysql-5.6.13", "mysql-5.6.51", "mysql-5.7.2", "mysql-8.0.36", "percona-5.7.44"]
)
def test_signedness_words(server: str) -> None:
    modes = {"slave_type_conversions": "ALL_NON_LOSSY,ALL_UNSIGNED"}
    assert check("c INT UNSIGNED", "c BIGINT UNSIGNED", server, **modes).verdict is Effect.COMPATIBLE
    assert "SC204" in by_code(check("c INT", "c BIGINT", server, **modes))
    assert check("c INT UNSIGNED", "c BIGINT UNSIGNED", server).smallest.modes == "ALL_NON_LOSSY,ALL_UNSIGNED"


@pytest.mark.parametrize("server", ["mysql-5.5.68", "mysql-5.6.12", "mysql-5.7.1", "mariadb-10.11.19"])
def test_signedness_words_are_refused_where_the_server_has_none(server: str) -> None:
    with pytest.raises(BadSetting, match=r"does not know ALL_UNSIGNED in slave_type_conversions"):
        check("c INT", "c BIGINT", server, slave_type_conversions="ALL_NON_LOSSY,ALL_UNSIGNED")
    found = check("c INT UNSIGNED", "c BIGINT UNSIGNED", server).smallest
    assert all("UNSIGNED" not in modes for modes, _ in found.outcomes)


def test_a_signed_and_an_unsigned_column_in_one_table_have_no_setting_on_mysql() -> None:
    found = check("a INT, b INT UNSIGNED", "a BIGINT, b BIGINT UNSIGNED", "mysql-8.0.36").smallest
    assert found.modes is None
    assert found.reason
    assert (
        check("a INT, b INT UNSIGNED", "a BIGINT, b BIGINT UNSIGNED", "mariadb-10.11.19").smallest.modes
        == "ALL_NON_LOSSY"
    )


def test_percona_reads_signs_as_the_replicas_columns_have_them() -> None:
    columns = "a INT, b INT UNSIGNED", "a BIGINT, b BIGINT UNSIGNED"
    modes = "ALL_NON_LOSSY,ALL_SIGNS_AS_ON_SLAVE"
    assert check(*columns, "percona-8.0.46", slave_type_conversions=modes).verdict is Effect.COMPATIBLE
    # Which release has the word is not known: it is understood where somebody sets it, and never advised.
    assert check(*columns, "percona-8.0.46").smallest.modes is None
    with pytest.raises(BadSetting, match=r"MySQL 8\.0\.36 does not know ALL_SIGNS_AS_ON_SLAVE"):
        check(*columns, "mysql-8.0.36", slave_type_conversions=modes)


def test_no_mode_exists_before_5_5_3() -> None:
    with pytest.raises(BadSetting, match="does not know ALL_LOSSY"):
        check("c INT", "c BIGINT", "mysql-5.1.73", slave_type_conversions="ALL_LOSSY")


@pytest.mark.parametrize(
    ("replica", "stops"),
    [
        ("mysql-5.6.19", True),
        ("mysql-5.6.20", False),
        ("mysql-5.7.4", True),
        ("mysql-5.7.5", False),
        ("mysql-8.0.36", False),
    ],
)
def test_timestamps_of_5_5(replica: str, stops: bool) -> None:
    report = check("c TIMESTAMP NULL", "c TIMESTAMP NULL", "mysql-5.5.68", replica)
    assert (report.verdict is Effect.STOPS) is stops
    if stops:
        assert FAILED.format(0, "timestamp", "timestamp") == report.findings[0].error.message


GIPK = {"sql_generate_invisible_primary_key": "ON"}


@pytest.mark.parametrize(
    ("source", "replica", "ends", "wanted"),
    [
        # A source that knows generated keys tells: the one that only one side has is left out.
        ("a INT", "a INT", ("mysql-8.0.36", "mysql-8.0.36"), ("SC505", Effect.COMPATIBLE, None)),
        ("a INT, b INT", "a INT", ("mysql-8.0.36", "mysql-8.0.36"), ("SC505", Effect.COMPATIBLE, None)),
        # An older source does not: one column less than the replica's means that it has no such key.
        ("a INT", "a INT", ("mysql-5.7.44", "mysql-8.0.36"), ("SC505", Effect.COMPATIBLE, None)),
        ("a INT", "a INT, b INT", ("mysql-5.7.44", "mysql-8.0.36"), ("SC505", Effect.STOPS, 13964)),
        ("a INT, b INT, c INT", "a INT", ("mysql-5.7.44", "mysql-8.0.36"), ("SC505", Effect.STOPS, 13964)),
    ],
)
def test_generated_invisible_primary_keys(
    source: str, replica: str, ends: tuple[str, str], wanted: tuple[str, Effect, int | None]
) -> None:
    link = Link.of(*ends, binlog_format="ROW")
    link = Link(link.source, link.replica.with_settings(GIPK))
    report = library.check(T.format(source), T.format(replica), link)
    found = by_code(report)["SC505"]
    assert (found.code, found.effect, found.error.number if found.error else None) == wanted


def test_an_old_source_with_as_many_columns_is_taken_to_have_the_key_too() -> None:
    """By the number of columns alone: the source's first column is paired with the generated key."""
    link = Link.of(
        "mysql-5.7.44", "mysql-8.0.36", binlog_format="ROW", slave_type_conversions="ALL_LOSSY,ALL_NON_LOSSY"
    )
    link = Link(link.source, link.replica.with_settings(GIPK))
    report = library.check(T.format("a INT, b INT"), T.format("a INT"), link)
    assert report.verdict > Effect.COMPATIBLE
    assert "SC505" not in by_code(report) or by_code(report)["SC505"].effect is not Effect.STOPS


BY_NAME = {"binlog_row_metadata": "FULL"}


def test_mariadb_12_pairs_by_name_with_full_metadata() -> None:
    assert (
        check("a INT, b VARCHAR(9)", "b VARCHAR(9), a INT", "mariadb-12.2", **BY_NAME).verdict
        is Effect.IDENTICAL
    )
    found = by_code(check("a INT, b INT", "a INT, x INT NOT NULL, b BIGINT", "mariadb-12.2", **BY_NAME))
    assert found["SC201"].error.message == FAILED.format(1, "int", "bigint(20)")
    assert found["SC201"].column == "b"
    assert found["SC103"].column == "x"
    assert by_code(check("a INT, b INT", "a INT, c INT", "mariadb-12.2", **BY_NAME)).keys() == {
        "SC103",
        "SC104",
    }


@pytest.mark.parametrize(
    ("ends", "settings"),
    [
        (("mariadb-12.2", None), {}),
        (("mariadb-11.8.6", None), BY_NAME),
        (("mysql-5.7.44", "mariadb-12.2"), BY_NAME),
        (("mariadb-12.2", "mysql-8.0.36"), BY_NAME),
    ],
)
def test_everything_else_pairs_by_position(ends: tuple[str, str | None], settings: dict[str, str]) -> None:
    assert "SC101" in by_code(check("a INT, b INT", "b INT, a INT", *ends, **settings))


def test_mariadb_12_may_be_told_to_stop_at_missing_columns() -> None:
    found = by_code(
        check(
            "a INT, b INT",
            "a INT",
            "mariadb-12.2",
            **BY_NAME,
            slave_type_conversions="ERROR_IF_MISSING_FIELD",
        )
    )
    assert (found["SC104"].effect, found["SC104"].error.number) == (Effect.STOPS, 4254)
    assert (
        by_code(check("a INT, b INT", "a INT", "mariadb-12.2", **BY_NAME))["SC104"].effect
        is Effect.INCOMPLETE
    )


@pytest.mark.parametrize(
    ("source", "replica", "rejected"),
    [
        ("mariadb-10.11.19", "mysql-8.4.9", True), ("mysql-5.5.68", "mysql-9.7.4", True), ("mysql-5.1.73",
        "percona-8.4.9", True), ("mysql-5.6.6", "mysql-8.4.9", False),
        ("mariadb-10.11.19", "mysql-8.0.36", False), ("mysql-5.5.68", "mysql-8.0.36", False), ("mysql-5.7.44",
        "mysql-8.4.9", False), ("mariadb-10.11.19", "mariadb-11.8.6", False),
    ],
)  # fmt: skip
def test_v1_row_events_and_8_4(source: str, replica: str, rejected: bool) -> None:
    said = [
        {f.code for f in link_findings(Link.of(source, replica, binlog_format=logged))}
        for logged in ("ROW", "STATEMENT")
    ]
    assert ("SC924" in said[0]) is rejected
    assert "SC924" not in said[1]


@pytest.mark.parametrize(
    ("server", "effect", "number"),
    [
        ("mysql-5.1.39", Effect.STOPS, 1364),
        ("mysql-5.1.40", Effect.UNSUPPORTED, None),
        ("mysql-9.7.4", Effect.UNSUPPORTED, None),
        ("mariadb-10.11.19", Effect.UNSUPPORTED, None),
    ],
)
def test_extra_columns_without_a_default(server: str, effect: Effect, number: int | None) -> None:
    (found,) = check("a INT", "a INT, b INT NOT NULL", server).findings
    assert (found.effect, found.error.number if found.error else None) == (effect, number)


@pytest.mark.parametrize(
    ("server", "number"),
    [
        ("mysql-8.0.15", None),
        ("mysql-8.0.16", 3819),
        ("mysql-9.7.4", 3819),
        ("mysql-5.7.44", None),
        ("mariadb-10.11.19", None),
    ],
)
def test_checks_of_row_events(server: str, number: int | None) -> None:
    errors = [f.error.number for f in check("a INT", "a INT, CHECK (a > 0)", server).findings if f.error]
    assert errors == ([number] if number else [])


def test_mariadb_checks_statements() -> None:
    report = check("a INT", "a INT, CHECK (a > 0)", "mariadb-10.11.19", binlog_format="STATEMENT")
    found = next(f for f in report.findings if f.code == "SC404")
    assert (found.code, found.effect, found.error.number) == ("SC404", Effect.UNSUPPORTED, 4025)
