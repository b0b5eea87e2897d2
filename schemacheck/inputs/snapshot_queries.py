"""The statements that read a server's catalogue: for a driver, and as text for a DBA's own client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.dataclass import dataclass
from schemacheck.inputs import program_rows
from schemacheck.inputs.system import system_databases
from schemacheck.model import Server
from schemacheck.model.quote import string
from schemacheck.model.variable import known

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Query:
    """One view: its columns that this server has, and the condition."""

    view: str
    columns: tuple[str, ...]
    source: str
    where: str

    @property
    def sql(self) -> str:
        """For a driver."""
        # names from our own list, no input
        return f"SELECT {', '.join(self.columns)} FROM {self.source} WHERE {self.where}"  # noqa: S608

    def json(self, *, native: bool) -> str:
        """One JSON object a row, with the view's name; without JSON_OBJECT by string functions."""
        if native:
            pairs = ", ".join(f"'{name}', {name}" for name in self.columns)
            made = f"JSON_OBJECT('view', '{self.view}', {pairs})"
            return f"SELECT {made} FROM {self.source} WHERE {self.where};"  # noqa: S608
        parts = ", ".join(f"""',"{name}":', {_quoted(name)}""" for name in self.columns)
        return f"""SELECT CONCAT('{{"view":"{self.view}"', {parts}, '}}') FROM {self.source} WHERE {self.where};"""  # noqa: E501, S608


def _quoted(name: str) -> str:
    """A JSON string or null, for servers without JSON functions (sql_mode empty: a backslash escapes)."""
    text = name
    for word, written in (
        ("\\\\", "\\\\\\\\"),
        ('"', '\\\\"'),
        ("\\n", "\\\\n"),
        ("\\r", "\\\\r"),
        ("\\t", "\\\\t"),
        ("\\0", "\\\\u0000"),
        ("\\Z", "\\\\u001a"),
    ):
        text = f"REPLACE({text}, '{word}', '{written}')"
    return f"""IFNULL(CONCAT('"', {text}, '"'), 'null')"""


def queries(server: Server, databases: Iterable[str] = ()) -> list[Query]:
    """What to read from this server; `databases` restricts it (names as the server spells them)."""
    chosen = tuple(databases)
    listed = ", ".join(map(string, chosen or system_databases(server)))
    out = []
    for entry in knowledge.load("information_schema")["snapshot"]:
        if "needs" in entry and not server.has(entry["needs"]):
            continue
        columns = [
            *entry["columns"],
            *(name for name, capability in (entry.get("optional") or {}).items() if server.has(capability)),
        ]
        # information_schema compares names without their case on most servers: SYS and MySQL are users'
        # databases (recorded).
        where = (
            f"{entry['database']} IN ({listed})"
            if chosen
            else f"CAST({entry['database']} AS BINARY) NOT IN ({listed})"
        )
        out.append(
            Query(
                entry["view"],
                tuple(columns),
                f"information_schema.{entry['view']}",
                where + (f" AND {entry['where']}" if "where" in entry else ""),
            )
        )
    return out


def variable_names() -> list[str]:
    """The variables that a snapshot keeps, lower case: those that `check` is given, under every spelling."""
    table = knowledge.load("link_variables")
    used = {name for group in ("statements", "definitions", "ends") for name in table[group]} | known()
    aliases: dict[str, str] = knowledge.load("variables")["aliases"]
    spelled = (alias for alias, name in aliases.items() if name in used)
    return sorted({*knowledge.load("information_schema")["variables"], *used, *spelled})


def variables(server: Server) -> Query:
    """The settings."""
    names = ", ".join(f"'{name}'" for name in variable_names())
    source = (
        "performance_schema.global_variables"
        if server.has("ps-global-variables")
        else "information_schema.GLOBAL_VARIABLES"
    )
    return Query(
        "VARIABLES", ("VARIABLE_NAME", "VARIABLE_VALUE"), source, f"LOWER(VARIABLE_NAME) IN ({names})"
    )


def filters(server: Server) -> Query | None:
    """MySQL 8's table of replication filters."""
    if not server.has("ps-applier-filters"):
        return None
    return Query(
        "APPLIER_FILTERS",
        ("CHANNEL_NAME", "FILTER_NAME", "FILTER_RULE"),
        "performance_schema.replication_applier_filters",
        "FILTER_RULE <> ''",
    )


def channel(server: Server) -> Query | None:
    """What no status of MySQL's channels shows."""
    options = {
        "PRIVILEGE_CHECKS_USER": "channel-privilege-checks",
        "REQUIRE_ROW_FORMAT": "channel-require-row-format",
        "REQUIRE_TABLE_PRIMARY_KEY_CHECK": "channel-primary-key-check",
    }
    columns = tuple(name for name, needs in options.items() if server.has(needs))
    view = "performance_schema.replication_applier_configuration"
    return Query("REPLICA_STATUS", columns, view, "TRUE") if columns else None


def print_sql(flavor: str = "mysql-8.0", databases: Iterable[str] = ()) -> str:
    """A snapshot's statements for `mysql -N --raw`, whose output is its file. Raises UnknownServer."""
    server = Server.parse(flavor)
    native = server.has("json-object")
    status = (
        ""
        if server.has("ps-applier-filters") or server.has("filters-are-variables")
        else "\n-- Replication filters are in SHOW SLAVE STATUS\\G only: save its output beside this file."
    )
    text = "[" + ",".join(f'"{view}"' for view in (*program_rows.VIEWS, "PARTITIONS")) + "]"
    head = f"""-- Snapshot of a schema for schemacheck, for {server} and its like. Reads only; as a user who may see all tables:
--   schemacheck snapshot --print-sql --flavor {flavor} | mysql -N --raw --default-character-set=utf8mb4 | gzip > snapshot.jsonl.gz{status}
SET SESSION sql_mode = '';
SELECT '{{"view":"SNAPSHOT","schemacheck_snapshot":1,"passes":1,"views":{text}}}';
"""  # noqa: E501
    result = [variables(server), filters(server), channel(server), *queries(server, databases)]
    return (
        head
        + "".join(query.json(native=native) + "\n" for query in result if query)
        + """SELECT '{"view":"SNAPSHOT_END"}';\n"""
    )
