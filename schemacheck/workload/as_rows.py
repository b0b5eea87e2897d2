"""A change that is logged as row events."""

from __future__ import annotations

from schemacheck.conversion import unreadable
from schemacheck.conversion.wire import image
from schemacheck.link import variables
from schemacheck.link.ends import on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import charset
from schemacheck.sql.statements import Statement
from schemacheck.workload import columns, defaults, keys, packets, query_event, rows
from schemacheck.workload.state import Workload


def before_rows(work: Workload, text: str, table: str | None = None) -> Outcome | None:
    """What stops a row transaction before its first row event: payload, BEGIN with its session, old row
    events.
    """
    source, replica, session = work.ends.source, work.server, work.session
    if (
        session.flag("binlog_transaction_compression")
        and not replica.has("transaction-payload-event")
        and source.has("transaction-payload-event")
    ):
        return fails(Kind.SQL, "SC921", "relay-log", replica,
            f"{replica} cannot read compressed transactions",
                     change="Set binlog_transaction_compression = OFF on the source")  # fmt: skip
    if source.has("begin-carries-the-session"):
        found = query_event.begin(work, text, table)
        if found is not None:
            return found
    return old_rows(work, packets.row_bytes(text))


def old_rows(work: Workload, size: int = 0) -> Outcome | None:
    """Row events of a version that the replica no longer reads, or compressed ones."""
    source, replica, session = work.ends.source, work.server, work.session
    old = source.has("row-events-v1") or on(source, "log_bin_use_v1_row_events")
    if old and replica.has("rejects-row-events-v1"):
        return fails(Kind.SQL, "SC924", "relay-log", replica,
            f"{source} logs rows in the v1 format, which {replica} does not read",
                     change="Set binlog_format = STATEMENT on the source, or replicate through a "
                            "server between them that writes v2 events")  # fmt: skip
    if (
        source.mariadb
        and session.flag("log_bin_compress")
        and not replica.has("compressed-events")
        and not replica.mariadb
        and size >= query_event.compressed_from(source)
    ):
        return fails(
            Kind.SQL,
            "SC921",
            "relay-log",
            replica,
            f"{replica} cannot read compressed row events",
            change="Set log_bin_compress = OFF on the source",
        )
    return None


def take(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """Row events of one statement."""
    names = [ref.name for ref in statement.refs if ref.updated is not False]
    name = names[0] if names else ""
    made = rows.inserted(text)
    empty = name.casefold() not in work.filled
    read = {ref.name.casefold() for ref in statement.refs if ref.updated is False}
    nothing = (
        bool(read) and not read & (work.filled | work.temporary)
        if statement.verb in ("insert", "replace")
        else empty
    )
    if made is None and statement.verb != "load" and nothing:
        return None  # no row is changed, no event is written
    if statement.verb in ("insert", "replace", "load"):
        work.filled.add(name.casefold())
    if (found := packets.too_large(work.ends, packets.row_bytes(text))) is not None:
        return found
    found = before_rows(work, text, name)
    if found is not None:
        return found
    if on(work.server, "transaction_read_only") or on(work.server, "tx_read_only"):
        return fails(
            Kind.SQL,
            "SC944",
            "read-only",
            work.server,
            "transactions are read only on the replica",
            change="Set transaction_read_only = OFF on the replica",
        )
    if packets.row_bytes(text) > packets.MUCH and not work.server.has("large-redo-records"):
        return Outcome(
            Kind.UNKNOWN,
            "SC906",
            0,
            "a row of more than a tenth of the replica's redo log stops with 1118; innodb_log_file_size is "
            "not known",
        )
    if work.ends.link.row_image == "MINIMAL" and statement.verb in ("insert", "replace"):
        defaults.compare_defaults(work, text, name)
    partial = "PARTIAL_JSON" in work.session.get("binlog_row_value_options").upper()
    if partial and statement.verb.startswith("update") and not work.server.has("partial-update-event"):
        if (stopped := _unknown_type(work, name)) is not None:
            return stopped
        return fails(Kind.SQL, "SC922", "relay-log", work.server,
            f"{work.server} cannot read the event of UPDATEs under PARTIAL_JSON",
                     change="Set binlog_row_value_options = '' on the source")  # fmt: skip
    return _apply(work, statement, text, name)


def _unknown_type(work: Workload, name: str) -> Outcome | None:
    table = work.source.table(name)
    if table is None:
        return None
    source, replica = work.ends.source, work.server
    for column in table.columns:
        if column.type.charset is not None and not charset.has_charset(column.type.charset, source.has):
            why = f"nothing is known of the character set of {name}.{column.name}"
            return Outcome(Kind.UNKNOWN, "SC211", 0, why)
        if unreadable(image(column.type, source), replica):
            return fails(Kind.SQL, "SC211", "no-type", replica,
                f"{replica} has no type for rows of {name}.{column.name} ({column.type.sql()})",
                         change="Keep the column out of what is replicated, or log statements")  # fmt: skip
    return None


def _apply(work: Workload, statement: Statement, text: str, name: str) -> Outcome | None:
    replica = work.server
    sent = name.lower() if work.ends.source.folds_names else name
    database = next((ref.database for ref in statement.refs if ref.updated is not False), None)
    if work.lacks(database) or keys.missing(work, sent):
        unknown_database = work.lacks(database) and replica.has("data-dictionary")
        return fails(
            Kind.SQL,
            "SC701",
            "no-database" if unknown_database else "no-table",
            replica,
            f"the replica has no table {sent}",
            change="Create the table on the replica",
        )
    if ("view", sent.casefold()) in work.objects.there and work.source.table(sent) is not None:
        why = f"{sent} is a view on the replica"
        if replica.mariadb:
            return Outcome(Kind.SQL, "SC941", 1347, why, "Replicate into a table")
        return Outcome(Kind.UNKNOWN, "SC941", 0, f"what becomes of rows where {why} was not recorded")
    logs = (
        not replica.mariadb
        and on(replica, "log_slave_updates")
        and replica.setting("log_bin").upper() not in ("OFF", "0")
        and not replica.given("skip_log_bin")
    )
    if logs and replica.setting("binlog_format").upper() == "STATEMENT":
        return fails(Kind.SQL, "SC927", "write-log", replica,
            "the replica logs what it applies, and cannot log rows under its binlog_format = STATEMENT",
                     change="Set binlog_format = ROW on the replica")  # fmt: skip
    if (stopped := _unknown_type(work, name)) is not None:
        return stopped
    there = work.replica.table(sent)
    limited = variables.of_rows(work.ends, (there.engine or "").lower()) if there is not None else None
    if limited is not None and statement.verb in ("insert", "replace", "load"):
        return limited
    mine = work.source.table(name)
    if mine is not None and (converted := columns.of_rows(work, mine, there)) is not None:
        return converted
    return keys.change(work, statement, text, name, as_rows=True)
