"""What a change does to programs that read the source's log."""

from __future__ import annotations

import pytest

from schemacheck import catalog
from schemacheck.model import Effect, Link
from schemacheck.plan import plan_change
from schemacheck.plan.consumer import Consumer
from schemacheck.plan.verdict import exit_status

FULL = Link.of("mysql-8.0.36", binlog_row_metadata="FULL")
OLD = "CREATE TABLE t (id int PRIMARY KEY, a int, b varchar(9))"
POSITION, NAME, TODAY = Consumer.POSITIONAL, Consumer.BY_NAME, Consumer.TODAYS_SCHEMA
FINE, CARE, WRONG = Effect.COMPATIBLE, Effect.UNSUPPORTED, Effect.DIVERGES


def worst(sql: str, consumer: Consumer, link: Link = FULL) -> Effect:
    found = plan_change(catalog.read(OLD, link.source), sql, link, consumers=(consumer,))
    assert not found.problems
    return max((c.effect for c in found.consequences), default=Effect.IDENTICAL)


@pytest.mark.parametrize(
    ("change", "position", "name", "today"),
    [
        ("ADD KEY (a)", Effect.IDENTICAL, Effect.IDENTICAL, Effect.IDENTICAL),
        ("ADD COLUMN c int", FINE, FINE, CARE),
        ("ADD COLUMN c int AFTER id", WRONG, FINE, WRONG),
        ("DROP COLUMN a", WRONG, WRONG, WRONG),
        ("DROP COLUMN b", WRONG, WRONG, WRONG),
        ("RENAME COLUMN a TO x", Effect.IDENTICAL, WRONG, Effect.IDENTICAL),
        ("MODIFY a bigint", CARE, CARE, WRONG),
        ("MODIFY a int AFTER b", WRONG, Effect.IDENTICAL, WRONG),
    ],
)
def test_every_way_of_mapping_columns(change: str, position: Effect, name: Effect, today: Effect) -> None:
    sql = f"ALTER TABLE t {change}"
    assert [worst(sql, kind) for kind in (POSITION, NAME, TODAY)] == [position, name, today]


def test_names_need_a_log_that_has_them() -> None:
    sql = "ALTER TABLE t ADD COLUMN c int"
    assert worst(sql, NAME, Link.of("mysql-8.0.36")) is Effect.UNKNOWN
    assert worst(sql, NAME, Link.of("mysql-5.7.44")) is Effect.UNKNOWN


def test_a_consumer_that_must_be_prepared_is_no_pass() -> None:
    def status(sql: str, *consumers: Consumer) -> int:
        return exit_status(plan_change(catalog.read(OLD, FULL.source), sql, FULL, consumers=consumers))

    added = "ALTER TABLE t ADD COLUMN c int"
    assert [status(added), status(added, POSITION), status(added, TODAY)] == [0, 0, 1]


def test_a_table_that_comes_or_goes_is_no_change_of_columns() -> None:
    assert worst("CREATE TABLE n (a int)", POSITION) is Effect.IDENTICAL
    assert worst("DROP TABLE t", POSITION) is Effect.IDENTICAL


def test_a_profile_lets_only_its_end_change() -> None:
    from dataclasses import replace

    from schemacheck.plan import profile

    assert "rds-blue-green" in profile.names()
    blue_green = profile.load("rds-blue-green")
    assert blue_green.changed == "replica"
    assert all((blue_green.source, blue_green.steps, blue_green.advice))
    schema = catalog.read(OLD, FULL.source)
    for sql, status in (
        ("ALTER TABLE t ADD COLUMN c int", 0),
        ("DROP TABLE t", 1),
        ("RENAME TABLE t TO u", 1),
    ):
        found = replace(
            plan_change(schema, sql, FULL, unlogged=True, allow_lock_step=True), profile=blue_green
        )
        assert (bool(found.against_profile), exit_status(found)) == (status == 1, status)
