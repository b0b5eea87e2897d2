"""Every variable of the recorded servers is on a list, and one that is on none is no pass."""

from __future__ import annotations

import pytest

from schemacheck import Link, Schema, check
from schemacheck.alignment.terms import terms
from schemacheck.cli import linking
from schemacheck.inputs.settings import server_from
from schemacheck.link import Ends, variables
from schemacheck.link.outcome import Kind
from schemacheck.model import Effect
from schemacheck.model.variable import Standing, standing
from tests.link.variables import _taken

TABLE = "CREATE TABLE t (a INT PRIMARY KEY)"


def test_every_variable_that_was_asked_is_on_a_list() -> None:
    names = {name for taken in _taken().values() for name, _ in taken}
    assert len(names) > 300
    assert {name for name in names if standing(name) is Standing.UNLISTED} == set()


def _told(mine: dict[str, str], theirs: dict[str, str]) -> dict[str, Effect]:
    base = Link.of("mariadb-10.11", "mariadb-10.11")
    link = Link(base.source.with_told(mine), base.replica.with_told(theirs))
    return {finding.code: finding.effect for finding in check(TABLE, TABLE, link).link_findings}


@pytest.mark.parametrize(
    ("mine", "theirs", "effect"),
    [
        ({"brand_new": "1"}, {"brand_new": "2"}, Effect.UNKNOWN),
        ({"brand_new": "ON"}, {"brand_new": "1"}, None),
        ({"brand_new": "1"}, {}, None),
        ({"innodb_buffer_pool_size": "1"}, {"innodb_buffer_pool_size": "2"}, None),
        ({}, {"secure_timestamp": "YES"}, Effect.DIVERGES),
        ({}, {"init_replica": "INSERT INTO d.t VALUES (1)"}, Effect.UNKNOWN),
        ({}, {"init_replica": "SET sql_mode=''"}, None),
        ({"init_replica": "SET sql_mode=''"}, {}, None),
        ({}, {"max_binlog_cache_size": "4096"}, Effect.UNKNOWN),
        ({"max_binlog_cache_size": "4096"}, {"max_binlog_cache_size": "4096"}, None),
        ({"innodb_read_only": "ON"}, {}, Effect.UNKNOWN),
        ({}, {"innodb_read_only_compressed": "ON"}, Effect.UNKNOWN),
        ({"wsrep_forced_binlog_format": "STATEMENT"}, {}, Effect.UNKNOWN),
        ({"wsrep_node_name": "a"}, {"wsrep_node_name": "b"}, None),
        ({}, {"wsrep_max_ws_rows": "1000"}, Effect.UNKNOWN),
        ({}, {"group_concat_max_len": "4"}, None),
        ({"binlog_format": "ROW"}, {"group_concat_max_len": "4"}, None),
        ({"binlog_format": "MIXED"}, {"group_concat_max_len": "4"}, Effect.DIVERGES),
        ({"binlog_format": "STATEMENT"}, {"sql_select_limit": "1"}, Effect.UNKNOWN),
        ({"binlog_format": "STATEMENT"}, {"max_heap_table_size": "16384"}, None),
        ({"binlog_format": "STATEMENT"}, {"innodb_force_primary_key": "ON"}, None),
        ({"binlog_format": "STATEMENT", "time_zone_names": "1"}, {"time_zone_names": "0"}, None),
    ],
)
def test_what_a_variable_comes_to(mine, theirs, effect) -> None:
    assert _told(mine, theirs) == ({"SC946": effect} if effect else {})


@pytest.mark.parametrize(
    ("server", "form"), [("mysql-9.7", "ROW"), ("mysql-5.6", "STATEMENT"), ("mariadb-10.11", "ROW")]
)
@pytest.mark.parametrize(("theirs", "known"), [("SYSTEM", False), ("europe/berlin", True)])
def test_a_time_zone_by_name_which_the_replica_may_lack(server, form, theirs, known) -> None:
    """1298, asked of nine pairs: BEGIN of MySQL carries it under ROW too, statements of all."""
    base = Link.of(server, server)
    mine = {"time_zone": "Europe/Berlin", "binlog_format": form}
    link = Link(base.source.with_told(mine), base.replica.with_told({"time_zone": theirs}))
    found = {finding.code: finding.effect for finding in check(TABLE, TABLE, link).link_findings}
    assert found == ({} if known else {"SC913": Effect.UNKNOWN})


def test_a_snapshot_keeps_what_is_not_harmless() -> None:
    rows = {
        "version": "10.11.19-MariaDB",
        "brand_new": "1",
        "innodb_io_capacity": "7",
        "alter_algorithm": "INPLACE",
        "max_sort_length": "1024",
    }
    server = server_from(rows)
    assert server is not None
    assert {name for name, _ in server.settings} == {"brand_new", "alter_algorithm"}


@pytest.mark.parametrize(
    ("source", "replica", "effect"),
    [
        ("mysql-5.6", "mysql-9.7", None),
        ("mysql-9.7", "mysql-9.7", None),
        ("mysql-26.7", "mysql-9.7", Effect.UNKNOWN),
    ],
)
def test_a_replica_that_refuses_newer_sources_takes_older_ones(source, replica, effect) -> None:
    base = Link.of(source, replica)
    link = Link(base.source, base.replica.with_told({"replica_allow_higher_version_source": "0"}))
    found = [one.effect for one in check(TABLE, TABLE, link).link_findings if one.code == "SC946"]
    assert found == ([effect] if effect else [])


@pytest.mark.parametrize(
    ("logs", "form", "unknown"),
    [("ON", "STATEMENT", True), ("OFF", "STATEMENT", False), ("ON", "MIXED", False)],
)
def test_statements_under_read_committed_cannot_be_logged_again(logs, form, unknown) -> None:
    base = Link.of("mysql-5.6", "mysql-5.6")
    theirs = {"tx_isolation": "READ-COMMITTED", "binlog_format": form, "log_slave_updates": logs}
    ends = Ends(Link(base.source, base.replica.with_told(theirs)))
    found = variables.of_statement(ends, "INSERT INTO t VALUES (1)", {}, frozenset())
    assert (found is not None and found.kind is Kind.UNKNOWN) is unknown


@pytest.mark.parametrize(
    ("mine", "theirs", "text"),
    [
        ({"partial_revokes": "ON"}, {}, "REVOKE SELECT ON d.* FROM u"),
        ({}, {"mandatory_roles": "r"}, "DROP ROLE r"),
        ({}, {"skip_grant_tables": "ON"}, "CREATE USER u"),
        ({}, {"innodb_instant_alter_column_allowed": "never"}, "ALTER TABLE t DROP b, ALGORITHM=INSTANT"),
    ],
)
def test_definitions_that_one_end_may_refuse(mine, theirs, text) -> None:
    base = Link.of("mariadb-11.8", "mariadb-11.8")
    ends = Ends(Link(base.source.with_told(mine), base.replica.with_told(theirs)))
    found = variables.of_definition(ends, text, {})
    assert found is not None
    assert found.kind is Kind.UNKNOWN
    assert variables.of_definition(ends, "DROP TABLE t", {}) is None


@pytest.mark.parametrize(
    ("server", "more", "number"),
    [
        ("mysql-5.6", {}, 1593),
        ("mysql-9.7", {}, 13117),
        ("mysql-9.7", {"replicate_same_server_id": "ON"}, None),
        ("mariadb-11.8", {}, None),
    ],
)
def test_equal_server_uuids_stop_the_receiver(server, more, number) -> None:
    base, uuid = Link.of(server, server), "3e11fa47-71ca-11e1-9e33-c80aa9429562"
    link = Link(
        base.source.with_told({"server_id": "1", "server_uuid": uuid}),
        base.replica.with_told({"server_id": "2", "server_uuid": uuid.upper(), **more}),
    )
    found = [f.error.number for f in check(TABLE, TABLE, link).link_findings if f.code == "SC904" and f.error]
    assert found == ([number] if number else [])


@pytest.mark.parametrize(("mode", "unknown"), [("ZERO_DATE_TIME_CAST", True), ("UTF8_IS_UTF8MB3", False)])
def test_old_modes_under_which_a_time_is_another_date(mode, unknown) -> None:
    """Any statement over a TIME column may take it for a date (asked of 10.11 and 11.8)."""
    base = Link.of("mariadb-10.11", "mariadb-10.11")
    ends = Ends(Link(base.source, base.replica.with_told({"old_mode": mode})))
    assert (variables.of_statement(ends, "UPDATE t SET a = b", {}, frozenset()) is not None) is unknown
    assert (variables.of_definition(ends, "ALTER TABLE t MODIFY a DATETIME", {}) is not None) is unknown


def test_cascades_are_not_logged_under_native_foreign_keys() -> None:
    base = Link.of("mysql-9.7", "mysql-9.7")
    native = Link(base.source.with_told({"innodb_native_foreign_keys": "ON"}), base.replica)
    assert (terms(base).logged_cascades, terms(native).logged_cascades) == (True, False)


@pytest.mark.parametrize(("engine", "limited"), [("memory", True), ("innodb", False)])
def test_rows_of_memory_tables_meet_the_replicas_limit(engine, limited) -> None:
    base = Link.of("mariadb-11.8", "mariadb-11.8")
    ends = Ends(Link(base.source, base.replica.with_told({"max_heap_table_size": "16384"})))
    assert (variables.of_rows(ends, engine) is not None) is limited
    assert variables.of_rows(Ends(base), engine) is None


@pytest.mark.parametrize(("theirs", "kind"), [("0", Kind.DIVERGES), ("1", None)])
def test_a_statement_that_names_a_zone_itself(theirs: str, kind: Kind | None) -> None:
    """CONVERT_TZ is NULL, and 1048 in a NOT NULL column (10.11, MIXED), where the tables are empty."""
    base = Link.of("mariadb-10.11", "mariadb-10.11")
    link = Link(
        base.source.with_told({"time_zone_names": "1"}), base.replica.with_told({"time_zone_names": theirs})
    )
    outcome = variables.of_statement(Ends(link), "INSERT INTO t VALUES (CONVERT_TZ(, ))", {}, frozenset())
    assert (outcome and outcome.kind) is kind


@pytest.mark.parametrize(("replica", "named"), [("mariadb-11.8", True), ("mariadb-10.11", False)])
def test_the_default_character_set_of_databases_that_no_file_tells(replica: str, named: bool) -> None:
    """1677 where each end's database has its server's own default (10.11 to 11.8)."""
    link = Link.of("mariadb-10.11", replica)
    assert bool(linking.of_new_tables(link, Schema(), Schema())) is named
    told = Schema(charsets={"d": ("utf8mb4", "utf8mb4_general_ci")})
    assert not linking.of_new_tables(link, told, told)
