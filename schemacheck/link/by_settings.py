"""What the settings of both ends come to by themselves, before any statement is known.

What nobody gave is the version's default; a client is taken to say SET NAMES utf8mb4. Where such an
assumption decides, the outcome's `depends` names the value that would change it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from schemacheck import knowledge
from schemacheck.dataclass import replace
from schemacheck.link import carried
from schemacheck.link.ends import Ends, assumed, on
from schemacheck.link.outcome import Kind, Outcome, fails
from schemacheck.link.session import Session
from schemacheck.model import Server, variable


def _stops(ends: Ends, code: str, key: str, why: str, change: str) -> Outcome:
    """The applier stops with this error."""
    return fails(Kind.SQL, code, key, ends.replica, why, change=change)


def collations(ends: Ends) -> Iterator[Outcome]:
    """Collations of sessions and of the source, which every statement event carries, and BEGIN from MySQL."""
    source, replica = ends.source, ends.replica
    session = Session.plain(source)
    outcome = carried.unread_collation(session.collations, source, replica)
    if outcome is None:
        return
    depends = ""
    if not (source.given("collation_server") or source.given("character_set_server")):
        depends = (
            f"sessions with {session.connection} and source collation_server = {session.server} are assumed "
            "(the version's defaults); with utf8mb4_general_ci for both it would run"
        )
    statements_only = source.mariadb and ends.link.binlog_format == "ROW"
    why = outcome.why + (
        " (definitions too, which are logged as statements in ROW format)" if statements_only else ""
    )
    yield replace(outcome, why=why, depends=depends, some=statements_only)


def sql_modes(ends: Ends) -> Iterator[Outcome]:
    """Words of the source's sql_mode."""
    session = Session.plain(ends.source)
    outcome = carried.unread_mode(session, ends.replica) or carried.unread_begin(session, ends.replica)
    if outcome is not None:
        yield outcome


def time_zones(ends: Ends) -> Iterator[Outcome]:
    """The source's time_zone, which statements carry that use it, and BEGIN before their rows from MySQL."""
    outcome = carried.unread_zone(ends.source.setting("time_zone"), ends.replica)
    if outcome is not None:
        yield replace(outcome, some=ends.source.mariadb and ends.link.binlog_format == "ROW")


def compression(ends: Ends) -> Iterator[Outcome]:
    """Compressed transactions of MySQL, compressed events of MariaDB."""
    source, replica = ends.source, ends.replica
    payload = source.has("transaction-payload-event") and not replica.has("transaction-payload-event")
    if on(source, "binlog_transaction_compression") and payload and ends.link.binlog_format != "STATEMENT":
        why = f"{replica} cannot read compressed transactions"
        change = "Set binlog_transaction_compression = OFF on the source"
        yield _stops(ends, "SC921", "relay-log", why, change)
    if source.mariadb and on(source, "log_bin_compress") and not replica.mariadb:
        why = f"{replica} cannot read compressed events of MariaDB"
        change = "Set log_bin_compress = OFF on the source"
        yield _stops(ends, "SC921", "relay-log", why, change)


def partial_rows(ends: Ends) -> Iterator[Outcome]:
    """binlog_row_value_options = PARTIAL_JSON."""
    source, replica = ends.source, ends.replica
    asked = "PARTIAL_JSON" in source.setting("binlog_row_value_options").upper()
    if asked and not replica.has("partial-update-event") and ends.link.binlog_format != "STATEMENT":
        why = f"{replica} cannot read the events of UPDATEs under PARTIAL_JSON, of tables without JSON too"
        change = "Set binlog_row_value_options = '' on the source"
        yield _stops(ends, "SC922", "relay-log", why, change)


def replica_log(ends: Ends) -> Iterator[Outcome]:
    """A MySQL replica that logs what it applies, in STATEMENT format: row events cannot be logged."""
    source, replica = ends.source, ends.replica
    if replica.mariadb or not replica.given("binlog_format") or ends.link.binlog_format == "STATEMENT":
        return
    # Before 5.7.5 no server starts with gtid_mode = ON and without log_slave_updates (asked of 5.6.24).
    implied = on(replica, "gtid_mode") and not replica.has("wait-for-executed-gtid-set")
    logs = implied or on(replica, "log_slave_updates")
    logs = logs and replica.setting("log_bin").upper() not in ("OFF", "0")
    if replica.setting("binlog_format").upper() == "STATEMENT" and logs and source.flavor:
        yield fails(
            Kind.SQL, "SC927", "write-log", replica,
            "the replica logs what it applies, and cannot log rows under its binlog_format = STATEMENT",
            change="Set binlog_format = ROW on the replica",
            depends=""
            if implied
            else assumed(replica, "replica", "log_slave_updates", "with OFF it would run"),
        )  # fmt: skip


def read_only_transactions(ends: Ends) -> Iterator[Outcome]:
    """transaction_read_only on the replica, which its applier's sessions take over."""
    replica = ends.replica
    if on(replica, "transaction_read_only"):
        key = "workers" if replica.has("error-log-messages-have-numbers") else "read-only"
        why = "transactions are read only on the replica"
        change = "Set transaction_read_only = OFF on the replica"
        yield _stops(ends, "SC944", key, why, change)


def plugins(ends: Ends) -> Iterator[Outcome]:
    """Accounts of the source that no plugin of the replica's client can log in to."""
    source, replica = ends.source, ends.replica
    if ends.account is None and not source.has("server-native") and not replica.has("client-caching-sha2"):
        why = f"{source} has no authentication plugin that {replica} knows without TLS"
        change = "Replicate through a server between them"
        yield fails(Kind.IO, "SC902", "no-plugin", replica, why, change=change)


# --- what stops a link only when somebody uses it -----------------------------------------------


def xa(ends: Ends) -> Iterator[Outcome]:
    """XA transactions between MySQL and MariaDB."""
    source, replica = ends.source, ends.replica
    if source.has("xa-prepare-logged") and not replica.mariadb:
        # A replica that has no such event cannot read it (5.6.24).
        sent = "xa" if replica.has("xa-prepare-is-logged") else "relay-log"
        key, kind = (sent, Kind.SQL) if source.has("xa-prepare-sent-to-mysql") else ("fatal-dump", Kind.IO)
        why = "XA PREPARE of MariaDB stops a MySQL replica"
        yield fails(kind, "SC926", key, replica, why, change="Use no XA transactions on the source")
    if source.has("xa-one-phase-is-xa") and replica.mariadb:
        why = "XA COMMIT ... ONE PHASE of MySQL stops a MariaDB replica"
        change = "Use two-phase XA, or plain transactions"
        yield _stops(ends, "SC926", "xa", why, change)


def two_phase_alter(ends: Ends) -> Iterator[Outcome]:
    """binlog_alter_two_phase."""
    source, replica = ends.source, ends.replica
    if source.mariadb and on(source, "binlog_alter_two_phase") and not replica.has("two-phase-alter"):
        why = "every ALTER TABLE comes twice to this replica"
        change = "Set binlog_alter_two_phase = OFF on the source"
        yield _stops(ends, "SC929", "duplicate-column", why, change)


def accounts(ends: Ends) -> Iterator[Outcome]:
    """Statements on accounts."""
    source, replica = ends.source, ends.replica
    if (
        source.has("default-plugin-caching-sha2")
        and replica.mariadb
        and not replica.has("server-caching-sha2")
    ):
        why = (
            "CREATE USER and ALTER USER are logged with caching_sha2_password, which the replica does not "
            "have"
        )
        change = "Make accounts on each end apart (SET sql_log_bin = 0)"
        yield _stops(ends, "SC931", "plugin-not-loaded", why, change)
    if source.has("log-hashes-passwords") and replica.has("grant-never-creates-accounts"):
        why = (
            "CREATE USER ... IDENTIFIED BY is logged as IDENTIFIED BY PASSWORD, which the replica does not "
            "know"
        )
        change = "Make accounts on each end apart (SET sql_log_bin = 0)"
        yield _stops(ends, "SC931", "grammar", why, change)


def dialect(ends: Ends) -> Iterator[Outcome]:
    """Statements of one flavour that the other refuses."""
    source, replica = ends.source, ends.replica
    if source.mariadb != replica.mariadb:
        why = (
            f"statements that only {source} knows stop the replica: definitions in every format, others "
            "where statements are logged"
        )
        change = "Write what both servers know; `check` and `binlog check` read definitions and logs"
        yield _stops(ends, "SC932", "grammar", why, change)
    if (
        source.has("create-select-is-atomic")
        and not replica.has("create-select-is-atomic")
        and ends.link.binlog_format != "STATEMENT"
    ):
        why = "CREATE TABLE ... SELECT is logged with START TRANSACTION, which the replica does not know"
        change = "Create the table first, and INSERT ... SELECT into it"
        yield _stops(ends, "SC932", "grammar", why, change)


def tagged_gtids(ends: Ends) -> Iterator[Outcome]:
    """GTIDs with a tag."""
    if ends.source.has("gtid-tagged-event") and not ends.replica.has("gtid-tagged-event"):
        why = "transactions with a tagged GTID (GTID_NEXT = 'AUTOMATIC:tag') cannot be read"
        change = "Use GTIDs without a tag"
        yield _stops(ends, "SC923", "relay-log", why, change)


def user_variables(ends: Ends) -> Iterator[Outcome]:
    """User variables whose collation the replica does not know, in statements."""
    source, replica = ends.source, ends.replica
    if ends.link.binlog_format == "ROW":
        return
    name = (
        "utf8mb4_uca1400_ai_ci"
        if source.has("collations-uca1400")
        else "utf8mb4_0900_ai_ci"
        if source.has("collations-0900")
        else ""
    )
    if name and not carried.known(name, source, replica):
        why = f"a statement with a user variable of the collation {name} stops the replica"
        change = "Log rows, or give such variables a collation that both servers have"
        yield _stops(ends, "SC914", "user-variable", why, change)


def fractions(ends: Ends) -> Iterator[Outcome]:
    """Values that a statement computes anew on the replica."""
    source, replica = ends.source, ends.replica
    if ends.link.binlog_format != "ROW" and source.mariadb != replica.mariadb:
        why = "statements do not carry fractions of a second of NOW(6), nor of columns that default to it"
        yield Outcome(Kind.DIVERGES, "SC942", 0, why, "Set binlog_format = ROW on the source")


def hidden_errors(ends: Ends) -> Iterator[Outcome]:
    """Settings under which the applier goes on where rows differ."""
    replica = ends.replica
    if replica.setting("slave_exec_mode").upper() == "IDEMPOTENT":
        why = "slave_exec_mode = IDEMPOTENT hides missing rows (1032) and duplicate keys (1062) of row events"
        yield Outcome(Kind.DIVERGES, "SC941", 0, why, "Set slave_exec_mode = STRICT on the replica")
    skipped = replica.setting("slave_skip_errors")
    if skipped and skipped.upper() != "OFF":
        why = f"slave_skip_errors = {skipped} skips what ends with these errors, and does not stop"
        yield Outcome(
            Kind.DIVERGES, "SC941", 0, why, "Remove slave_skip_errors from the replica's configuration"
        )


def own_definitions(ends: Ends, *, told: bool = False) -> Iterator[Outcome]:
    """Settings by which one definition makes different tables on the two ends, or is refused on the replica;
    `told`: without those that nobody gave.
    """
    source, replica = ends.source, ends.replica

    def untold(name: str) -> bool:
        return told and not (source.given(name) or replica.given(name))

    for name, entry in knowledge.load("link_variables")["later"].items():
        shown = [_told(server, name, entry) for server in (source, replica)]
        here, there = map(variable.folded, shown)
        fits = all(
            value in map(variable.folded, entry.get(end, (value,)))
            for end, value in (("source", here), ("replica", there))
        )
        lacking = not any(server.has(entry.get("lack", "")) for server in (source, replica))
        if here == there or not fits or not lacking or untold(name):
            continue
        why = f"{name} is {shown[0]} on the source and {shown[1]} on the replica: {entry['says']}"
        number = entry.get("error", (0, 0))[replica.mariadb]
        yield Outcome(
            Kind.SQL if number else Kind.DIVERGES, "SC943", number, why, f"Set {name} alike on both ends"
        )
    if ends.databases:
        listed = ", ".join(ends.databases[:3]) + (", ..." if len(ends.databases) > 3 else "")
        why = f"the default character set of {listed} differs: a table that names none gets another one"
        change = "Give the databases one default (ALTER DATABASE), or name the character set of every table"
        yield Outcome(Kind.DIVERGES, "SC943", 0, why, change)
    mine, other = (
        source.setting("explicit_defaults_for_timestamp"),
        replica.setting("explicit_defaults_for_timestamp"),
    )
    carried_along = ends.link.carries("explicit-defaults-logged") and ends.link.binlog_format == "ROW"
    differ = variable.folded(mine) != variable.folded(other)
    if differ and not carried_along and not untold("explicit_defaults_for_timestamp"):
        why = (
            f"explicit_defaults_for_timestamp is {mine} on the source and {other} on the replica: TIMESTAMP "
            "columns get other defaults, and take NULL otherwise"
        )
        change = "Set explicit_defaults_for_timestamp alike on both ends, or write the defaults"
        yield Outcome(Kind.DIVERGES, "SC943", 0, why, change)


def _told(server: Server, name: str, entry: Mapping[str, Any]) -> str:
    """The value of a setting; where nothing tells it, the one that the version comes with."""
    before = (value for needs, value in entry.get("before", {}).items() if not server.has(needs))
    return server.setting(name) or next(before, entry["stock"])


def primary_keys(ends: Ends) -> Iterator[Outcome]:
    """sql_require_primary_key, innodb_force_primary_key and generated keys."""
    source, replica = ends.source, ends.replica
    asked = ends.channel.option("REQUIRE_TABLE_PRIMARY_KEY_CHECK") if ends.channel is not None else None
    if (
        on(replica, "sql_require_primary_key")
        and replica.has("sql-require-primary-key")
        and (source.mariadb or not source.has("primary-key-requirement-logged"))
        and (asked or "STREAM").upper() != "OFF"
    ):
        why = "a table without a primary key cannot be created on the replica"
        change = "Set sql_require_primary_key = OFF on the replica"
        yield _stops(ends, "SC945", "primary-key", why, change)
    if on(replica, name := "innodb_force_primary_key") and replica.mariadb and not on(source, name):
        why = "a table without a primary key cannot be created on the replica"
        change = "Set innodb_force_primary_key = OFF on the replica"
        yield _stops(ends, "SC945", "innodb-primary-key", why, change)
    if on(source, "sql_generate_invisible_primary_key") and source.has("gipk") and replica.mariadb:
        why = "the generated key of the source's new tables is a visible column on the replica"
        yield Outcome(
            Kind.DIVERGES, "SC945", 0, why, "Set sql_generate_invisible_primary_key = OFF on the source"
        )


def later(ends: Ends) -> tuple[str, ...]:
    """What settings that were told make of later definitions, worst first."""
    outcomes = (*primary_keys(ends), *own_definitions(ends, told=True))
    return tuple(each.why + (f" (error {each.number})" if each.number else "") for each in outcomes)


def old_rows(ends: Ends) -> Iterator[Outcome]:
    """Row events of a version that the replica does not read."""
    source, replica = ends.source, ends.replica
    old = source.has("row-events-v1") or on(source, "log_bin_use_v1_row_events")
    if old and replica.has("rejects-row-events-v1") and ends.link.binlog_format != "STATEMENT":
        rows = "rows" if ends.link.binlog_format == "ROW" else "rows, which MIXED logs for some statements,"
        stops = fails(
            Kind.SQL, "SC924", "relay-log", replica,
            f"{source} logs {rows} in the v1 format, which {replica} does not read",
            change="Set binlog_format = STATEMENT on the source, or replicate through a server "
                   "between them that writes v2 events",
        )  # fmt: skip
        yield replace(stops, some=ends.link.binlog_format == "MIXED")
