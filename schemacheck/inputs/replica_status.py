"""The status of a live replica, in the words of its version. Nothing is written on the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from schemacheck.errors import InputError
from schemacheck.inputs.connection import Refused, Session, connected
from schemacheck.inputs.endpoint import Access, Endpoint
from schemacheck.model import ColumnType, Table
from schemacheck.model.definition_sql import table_name
from schemacheck.model.quote import quoted

WORKERS = "replication_applier_status_by_worker"
#: The first failure comes last: it is the one that stays.
_ASK_WORKERS = (
    "SELECT CHANNEL_NAME, LAST_ERROR_MESSAGE FROM performance_schema.replication_applier_status_by_worker "
    "WHERE LAST_ERROR_NUMBER <> 0 ORDER BY LAST_ERROR_TIMESTAMP DESC"
)
#: Tried in this order: a server refuses what is another's, or another version's, by its grammar (1064).
STATEMENTS = ("SHOW ALL SLAVES STATUS", "SHOW REPLICA STATUS", "SHOW SLAVE STATUS")


def read(dsn: str, access: Access) -> list[dict[str, str]]:
    """One record for each channel; [] where the server is no replica. Raises InputError, also without
    REPLICATION CLIENT (MariaDB 10.5: REPLICA MONITOR).
    """
    endpoint = Endpoint.parse(dsn, access)
    refused = ""
    with connected(endpoint, access.seconds) as session:
        for sql in STATEMENTS:
            try:
                names, rows = session.query(sql, f"{sql} failed")
            except Refused as error:
                refused = str(error)
                continue
            channels = [_record(names, row) for row in rows]
            if any(WORKERS in channel.get("Last_SQL_Error", "") for channel in channels):
                _ask_workers(session, channels)
            return channels
    raise InputError(f"{refused}; the account needs REPLICATION CLIENT (MariaDB: REPLICA MONITOR)")


def log_events(dsn: str, access: Access, file: str, position: int) -> Iterator[bytes]:
    """A source's log from a position on (needs REPLICATION SLAVE). Raises InputError."""
    endpoint = Endpoint.parse(dsn, access)
    with connected(endpoint, access.seconds) as session:
        yield from session.log(file, position)


def definition(dsn: str, access: Access, name: str) -> str:
    """What SHOW CREATE prints of something of a server (`TABLE `a`.`b``); '' where it is refused."""
    with connected(Endpoint.parse(dsn, access), access.seconds) as session, suppress(Refused):
        names, rows = session.query(f"SHOW CREATE {name}", "SHOW CREATE failed")
        at = next(at for at, heading in enumerate(names) if heading.startswith("Create "))
        return _text(rows[0][at] or "")
    return ""


def insert(dsn: str, access: Access, table: Table, where: str) -> str:
    """The INSERT of the row that a condition finds on a server; '' where it finds none or several."""
    columns = [column for column in table.columns if not column.generated]
    texts = ", ".join(_value(quoted(column.name), column.type) for column in columns)
    with connected(Endpoint.parse(dsn, access), access.seconds) as session, suppress(Refused):
        sql = f"SELECT {texts} FROM {table_name(table)} WHERE {where} LIMIT 2"  # noqa: S608 what a row needs
        rows = session.query(sql, "the row is not read")[1]
        if len(rows) == 1:
            values = ", ".join(_text(value) for value in rows[0])
            names = ", ".join(quoted(column.name) for column in columns)
            zone = "SET SESSION time_zone = '+00:00';\n" if any(c.type.is_timestamp for c in columns) else ""
            return f"{zone}INSERT INTO {table_name(table)} ({names}) VALUES ({values});"  # noqa: S608
    return ""


def _value(name: str, kind: ColumnType) -> str:
    """What prints a value as SQL."""
    if kind.holds_bytes or kind.is_geometry or kind.is_vector:
        return f"COALESCE(CONCAT('X', QUOTE(HEX({name}))), 'NULL')"
    if kind.is_timestamp:
        name = f"CONVERT_TZ({name}, @@SESSION.time_zone, '+00:00')"
    return f"QUOTE({name} + 0)" if kind.base == "bit" else f"QUOTE({name})"


def _record(names: list[str], row: tuple[object, ...]) -> dict[str, str]:
    return {name: "" if value is None else _text(value) for name, value in zip(names, row, strict=True)}


def _ask_workers(session: Session, channels: list[dict[str, str]]) -> None:
    """The worker's own words in place of the coordinator's, where the account may read them."""
    with suppress(Refused):
        for channel, message in session.query(_ASK_WORKERS, "the workers cannot be asked")[1]:
            for status in channels:
                if status.get("Channel_Name", "") == _text(channel):
                    status["Last_SQL_Error"] = _text(message)


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
