"""A change that is logged as its own text."""

from __future__ import annotations

import re

from schemacheck import knowledge
from schemacheck.filters.sql.statement import Statement
from schemacheck.link import apply_rows, carried, dialect, packets
from schemacheck.link.ends import on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.link.workload import Workload
from schemacheck.model import Column, Server, Table
from schemacheck.model.server import STRICT
from schemacheck.model.table import Default, DefaultKind

#: Functions whose value is another on the replica.
UNSAFE_CALL = re.compile(r"\b(UUID|UUID_SHORT|SYSDATE|USER|SESSION_USER|SYSTEM_USER|VERSION|RANDOM_BYTES|UUID_V4|UUID_V7|SYS_GUID)\s*\(|\bCURRENT_USER\b|@@", re.IGNORECASE)
_FRACTION = re.compile(r"\b(NOW|CURRENT_TIMESTAMP|CURTIME|CURRENT_TIME|LOCALTIME|LOCALTIMESTAMP|UTC_TIMESTAMP|UTC_TIME)\s*\(\s*[1-6]\s*\)", re.IGNORECASE)
_ZONED = re.compile(r"\b(NOW|CURRENT_TIMESTAMP|SYSDATE|CURTIME|CURDATE|CURRENT_DATE|CURRENT_TIME|FROM_UNIXTIME|UNIX_TIMESTAMP|LOCALTIME|LOCALTIMESTAMP)\b", re.IGNORECASE)
_OTHER_VALUES = re.compile(r"\b(FROM_UNIXTIME|GREATEST|LEAST)\s*\(", re.IGNORECASE)
_USER_VARIABLE = re.compile(r"(?<!@)@(\w+)")


def zoned(work: Workload, text: str, table: str | None) -> bool:
    """Whether the statement uses the session's time zone, which is then logged (time_zone_used)."""
    if _ZONED.search(dialect.plain(text)):
        return True
    known = work.source.table(table) if table else None
    return known is not None and any(column.type.base == "timestamp" for column in known.columns)


def comes_along(work: Workload, text: str, *, table: str | None = None, begins: bool = False) -> Outcome | None:
    """Whether the query event is read: compression, BEGIN, collations, sql_mode, time zone.

    Kind.DIVERGES: the statement is left out.
    """
    source, replica, session = work.ends.source, work.server, work.session
    if source.mariadb and session.flag("log_bin_compress") and not replica.mariadb and not replica.has("compressed-events"):
        if len(text.encode()) >= apply_rows.compressed_from(source):
            return fails(Kind.SQL, "SC921", "relay-log", replica, f"{replica} cannot read compressed query events", change="Set log_bin_compress = OFF on the source")
    if begins and source.has("begin-carries-the-session") and (found := apply_rows.begin(work, text, table)) is not None:
        return found
    found = carried.unread_collation(session.collations, source, replica)
    if found is None:
        found = carried.unread_mode(session, replica)
    if found is None and zoned(work, text, table):
        found = carried.unread_zone(session, replica)
    if found is not None and found.kind is Kind.SQL and work.skips(found.number):
        return Outcome(Kind.DIVERGES, found.rule, 0, f"slave_skip_errors lets the applier go on: {found.why}")
    return found


def take(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """One INSERT, UPDATE, DELETE, LOAD DATA as a statement event."""
    names = [ref.name for ref in statement.refs if ref.updated is not False]
    name = names[0] if names else ""
    replica = work.server
    if work.ends.channel is not None and (work.ends.channel.option("REQUIRE_ROW_FORMAT") or "0") in ("1", "ON"):
        return fails(Kind.SQL, "SC928", "row-only", replica, "the channel takes row events only (REQUIRE_ROW_FORMAT)", change="Set binlog_format = ROW on the source")
    if read_only(replica):
        return fails(Kind.SQL, "SC944", "read-only", replica, "transactions are read only on the replica", change="Set transaction_read_only = OFF on the replica")
    if (large := packets.too_large(work.ends, len(text.encode()))) is not None:
        return large
    for variable in _USER_VARIABLE.findall(text):
        if (found := carried.unread_variable(variable, work.session, replica)) is not None:
            begun = apply_rows.begin(work, text, name) if work.ends.source.has("begin-carries-the-session") else None
            return begun or found
    found = comes_along(work, text, table=name, begins=True)
    if found is not None:
        if found.kind is Kind.DIVERGES:
            work.lose(found.why)
            return None
        return found
    if (stopped := executed(work, text)) is not None:
        return stopped
    missing = [ref.name for ref in statement.refs if work.database_gone or apply_rows.apply_missing(work, ref.name)]
    if missing:
        if work.skips(1146):
            work.lose("slave_skip_errors lets the applier go on without the table")
            return None
        return fails(Kind.SQL, "SC701", "no-table", replica, f"the replica has no table {missing[0]}", change="Create the table on the replica")
    if statement.verb in ("insert", "replace"):
        table, other = work.source.table(name), work.replica.table(name)
        if table is not None and table.gipk and replica.mariadb and not _COLUMNS.match(text.strip()):
            return Outcome(Kind.SQL, "SC945", 1136, f"the generated key of {name} is a visible column on {replica}", "Set sql_generate_invisible_primary_key = OFF on the source")
        if lacks_default(text, other, work.session.modes):
            return Outcome(Kind.SQL, "SC932", 1364, f"{name} has a column without a default on the replica that the statement leaves out", "Define the columns alike")
    if "div_precision_increment" in work.session.variables and "/" in dialect.plain(text):
        return Outcome(Kind.UNKNOWN, "SC942", 0, "the session's div_precision_increment does not come along; the column decides whether that shows")
    if replica.version != work.ends.source.version and (own := _OTHER_VALUES.search(dialect.plain(text))) is not None:
        return Outcome(Kind.UNKNOWN, "SC942", 0, f"{own.group(1)} has other values on some versions")
    differs(work, statement, text, name)
    return apply_rows.keys(work, statement, text, name, as_rows=False)


def read_only(replica: Server) -> bool:
    """transaction_read_only of the replica, which its applier's sessions take over (MySQL 8.0 and later stop at START)."""
    return on(replica, "transaction_read_only") or on(replica, "tx_read_only")


def executed(work: Workload, text: str, *, functions: bool = True) -> Outcome | None:
    """Whether the replica's parser takes the text."""
    found = dialect.foreign(text, work.server) or (dialect.foreign_function(text, work.server) if functions else None)
    if found is None:
        return None
    if found.number is None:
        return Outcome(Kind.UNKNOWN, "SC932", 0, f"nobody recorded what {work.server} says of {found.name}")
    if work.skips(found.number):
        work.lose(f"slave_skip_errors lets the applier go on without a statement that it cannot read ({found.name})")
        return None
    return Outcome(Kind.SQL, "SC932", found.number, f"{work.server} does not know {found.name}", f"Do not use {found.name} on the source, or log rows")


def _now(default: Default | None) -> bool:
    return default is not None and default.kind is DefaultKind.CURRENT_TIMESTAMP


_COLUMNS = re.compile(r"^\w+\s+(?:IGNORE\s+)?(?:INTO\s+)?[\w.`]+\s*\(([^)]*)\)", re.IGNORECASE)


def left_out(text: str, table: Table) -> list[Column]:
    """The columns that an INSERT leaves to their defaults."""
    given = _COLUMNS.match(text.strip())
    if given is None:
        return []
    named = {name.strip().strip("`").casefold() for name in given.group(1).split(",")}
    return [c for c in table.columns if c.name.casefold() not in named and not c.generated and not c.auto_increment and not (table.gipk and c is table.columns[0])]


def lacks_default(text: str, table: Table | None, modes: frozenset[str]) -> bool:
    """Whether an INSERT leaves out a column that must be given (1364 in strict mode)."""
    if table is None or not modes & STRICT:
        return False
    return any(column.default is None and not column.nullable for column in left_out(text, table))


def compare_defaults(work: Workload, text: str, name: str) -> None:
    """Columns that a statement leaves to their defaults, which are others on the replica."""
    table, other = work.source.table(name), work.replica.table(name)
    if table is None or other is None:
        return
    theirs = {column.name.casefold(): column for column in other.columns}
    for column in left_out(text, table):
        there = theirs.get(column.name.casefold())
        if there is not None and (_kind(column), column.nullable) != (_kind(there), there.nullable):
            work.lose(f"{table.name}.{column.name} has another default on the replica")


def _kind(column: Column) -> str:
    default = column.default
    plain = default is not None and default.kind in (DefaultKind.NULL, DefaultKind.CURRENT_TIMESTAMP)
    return "none" if default is None else default.kind.value if plain else "value"


def differs(work: Workload, statement: Statement, text: str, name: str) -> None:
    """What the replica computes another value for."""
    source, replica = work.ends.source, work.server
    fraction = bool(_FRACTION.search(dialect.plain(text)))
    table, other = work.source.table(name), work.replica.table(name)
    if table is not None and statement.verb in ("insert", "replace", "update", "load"):
        fraction = fraction or any(_now(column.default) and column.type.fraction for column in table.columns)
    if statement.verb in ("insert", "replace", "load"):
        compare_defaults(work, text, name)
    if fraction and source.mariadb != replica.mariadb:
        work.lose("fractions of a second of NOW() do not come along in a statement between MySQL and MariaDB")
    if (call := UNSAFE_CALL.search(dialect.plain(text))) is not None:
        same = "VERSION" in call.group().upper() and source.version == replica.version and source.flavor == replica.flavor
        if not same:
            work.lose(f"{call.group().strip('( ')} has another value on the replica")
    for variable, pattern in knowledge.load("links")["unlogged_variables"].items():
        if variable in work.session.variables and re.search(pattern, dialect.plain(text), re.IGNORECASE):
            work.lose(f"the session's {variable} does not come along")
