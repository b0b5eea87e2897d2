r"""SHOW REPLICA STATUS and SHOW SLAVE STATUS as people paste them."""

from __future__ import annotations

import re

from schemacheck.dataclass import dataclass, field
from schemacheck.link import gtid_sets
from schemacheck.text.status_rows import Row, rows

_FIELDS = {f"last_{thread}err{what}" for thread in ("", "sql_", "io_") for what in ("no", "or")}
_WORKER = re.compile(r"failed executing transaction '([0-9a-f-]{36}(?::\w+)?:\d+)' at")
_END = re.compile(r"(?:log \S+, |, )end_log_pos (\d+)")
#: The worker's number and transaction, which the text of a performance_schema row begins with.
_WORKER_TEXT = re.compile(r"^Worker \d+ failed executing transaction [^;]*; (?=.)")


@dataclass(frozen=True, slots=True)
class Status:
    """One channel: both threads' errors (0: none). `words` are the server's: `mariadb`, `mysql` (8.0.22 and
    later) or `mysql-slave`; `file` and `position` are where the stopped transaction begins in the source's
    log, `end` where its event ends (0: not said), `gtid` is its GTID as far as the status tells it,
    `gtids` whether the transactions have any, `by_gtid` whether the channel asks for them; `source` are host,
    port and account of the channel.
    """

    channel: str
    sql_number: int
    sql_message: str
    io_number: int
    io_message: str
    words: str = "mysql"
    file: str = ""
    position: int = 0
    end: int = 0
    gtid: str = ""
    gtids: bool = False
    by_gtid: bool = False
    source: tuple[str, str, str] = field(default=("", "", ""))


#: Digits of the largest position of a log.
_LONGEST_NUMBER = 20


def statuses(text: str) -> tuple[Status, ...]:
    """The channels of a status; () where none of its fields is there. Raises InputError."""
    return tuple(_status(row) for row in rows(text) if not _FIELDS.isdisjoint(row))


def _status(row: Row) -> Status:
    def number(name: str) -> int:
        text = row.get(name, "").strip()
        # A number that no server has stays one that is not 0.
        return int(text[:_LONGEST_NUMBER]) if text.isascii() and text.isdigit() else 0

    def either(name: str) -> str:
        return row.get(name) or row.get(name.replace("source", "master")) or ""

    message = row.get("last_sql_error") or row.get("last_error") or ""
    worker, end = _WORKER.search(message), _END.search(message)
    retrieved = row.get("retrieved_gtid_set") or ""
    mariadb = "using_gtid" in row or "connection_name" in row
    return Status(
        row.get("channel_name") or row.get("connection_name") or "",
        number("last_sql_errno") or number("last_errno"),
        _WORKER_TEXT.sub("", message),
        number("last_io_errno"),
        row.get("last_io_error", ""),
        "mariadb" if mariadb else "mysql" if "replica_sql_running" in row else "mysql-slave",
        either("relay_source_log_file"),
        number("exec_source_log_pos") or number("exec_master_log_pos"),
        int(end.group(1)) if end else 0,
        worker.group(1) if worker else _next_gtid(retrieved, row.get("executed_gtid_set") or ""),
        bool(retrieved or (worker and not mariadb)),
        row.get("auto_position") == "1" or row.get("using_gtid", "No") != "No",
        (either("source_host"), either("source_port"), either("source_user")),
    )


def _next_gtid(retrieved: str, executed: str) -> str:
    """The first transaction that was received and not executed, where all of them have one name."""
    try:
        left = gtid_sets.missing(gtid_sets.parse(retrieved), gtid_sets.parse(executed))
    except ValueError:
        return ""
    return next((f"{name}:{spans[0][0]}" for name, spans in left.items()), "") if len(left) == 1 else ""
