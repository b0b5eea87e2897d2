"""A change that is logged as its own text."""

from __future__ import annotations

import re

from schemacheck import knowledge
from schemacheck.link import carried
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model.server import STRICT
from schemacheck.sql.statements import Statement
from schemacheck.workload import defaults, dialect, keys, packets, query_event
from schemacheck.workload.state import Workload

#: Functions whose value is another on the replica.
UNSAFE_CALL = re.compile(
    r"\b(UUID|UUID_SHORT|SYSDATE|USER|SESSION_USER|SYSTEM_USER|VERSION|RANDOM_BYTES|UUID_V4|UUID_V7|SYS_GUID)\s*\(|\bCURRENT_USER\b|@@",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    r"\b(NOW|CURRENT_TIMESTAMP|CURTIME|CURRENT_TIME|LOCALTIME|LOCALTIMESTAMP|UTC_TIMESTAMP|UTC_TIME)\s*\(\s*[1-6]\s*\)",
    re.IGNORECASE,
)
_OTHER_VALUES = re.compile(r"\b(FROM_UNIXTIME|GREATEST|LEAST)\s*\(", re.IGNORECASE)
_USER_VARIABLE = re.compile(r"(?<!@)@(\w+)")


def take(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """One INSERT, UPDATE, DELETE, LOAD DATA as a statement event."""
    names = [ref.name for ref in statement.refs if ref.updated is not False]
    name = names[0] if names else ""
    replica = work.server
    if (
        name.casefold() in work.selected
        and statement.verb in ("insert", "replace")
        and work.session.modes & STRICT
        and defaults.COLUMNS.match(text.strip())
    ):
        return Outcome(
            Kind.UNKNOWN,
            "SC932",
            0,
            f"each end made {name} for itself (CREATE TABLE ... SELECT), and the two flavours give other "
            "defaults to its columns",
        )
    if work.ends.channel is not None and (work.ends.channel.option("REQUIRE_ROW_FORMAT") or "0") in (
        "1",
        "ON",
    ):
        return fails(
            Kind.SQL,
            "SC901",
            "row-only",
            replica,
            "the channel takes row events only (REQUIRE_ROW_FORMAT)",
            change="Set binlog_format = ROW on the source",
        )
    if query_event.read_only(replica):
        return fails(
            Kind.SQL,
            "SC944",
            "read-only",
            replica,
            "transactions are read only on the replica",
            change="Set transaction_read_only = OFF on the replica",
        )
    if (large := packets.too_large(work.ends, len(text.encode()))) is not None:
        return large
    for variable in _USER_VARIABLE.findall(text):
        if (found := carried.unread_variable(variable, work.session, replica)) is not None:
            begun = (
                query_event.begin(work, text, name)
                if work.ends.source.has("begin-carries-the-session")
                else None
            )
            return begun or found
    found = query_event.comes_along(work, text, table=name, begins=True)
    if found is not None:
        if found.kind is Kind.DIVERGES:
            work.lose(found.why)
            return None
        return found
    if (stopped := query_event.executed(work, text)) is not None:
        return stopped
    missing = [ref.name for ref in statement.refs if work.database_gone or keys.missing(work, ref.name)]
    if missing:
        if work.skips(1146):
            work.lose("slave_skip_errors lets the applier go on without the table")
            return None
        return fails(
            Kind.SQL,
            "SC701",
            "no-table",
            replica,
            f"the replica has no table {missing[0]}",
            change="Create the table on the replica",
        )
    if statement.verb in ("insert", "replace"):
        table, other = work.source.table(name), work.replica.table(name)
        if table is not None and table.gipk and replica.mariadb and not defaults.COLUMNS.match(text.strip()):
            return Outcome(
                Kind.SQL,
                "SC945",
                1136,
                f"the generated key of {name} is a visible column on {replica}",
                "Set sql_generate_invisible_primary_key = OFF on the source",
            )
        if defaults.lacks_default(text, other, work.session.modes):
            return Outcome(
                Kind.SQL,
                "SC932",
                1364,
                f"{name} has a column without a default on the replica that the statement leaves out",
                "Define the columns alike",
            )
    if (open_question := _own_values(work, text)) is not None:
        return open_question
    if (
        replica.version != work.ends.source.version
        and (own := _OTHER_VALUES.search(dialect.plain(text))) is not None
    ):
        return Outcome(Kind.UNKNOWN, "SC942", 0, f"{own.group(1)} has other values on some versions")
    differs(work, statement, text, name)
    return keys.change(work, statement, text, name, as_rows=False)


def _own_values(work: Workload, text: str) -> Outcome | None:
    """Values for which each end has settings or rules of its own: what they come to depends on the column."""
    source, replica, bare = work.ends.source, work.server, dialect.plain(text)
    crossing = source.mariadb != replica.mariadb
    why = ""
    for variable, pattern in (
        ("div_precision_increment", "/"),
        ("group_concat_max_len", r"GROUP_CONCAT\s*\("),
    ):
        theirs = replica.setting(variable) if replica.given(variable) else ""
        mine = source.setting(variable) if source.given(variable) else ""
        mine = work.session.variables.get(variable, mine) if variable != "group_concat_max_len" else mine
        if mine != theirs and re.search(pattern, bare, re.IGNORECASE):
            why = f"{variable} does not come along in a statement"
    if crossing and re.search(r"\d\s*/\s*\d", bare):
        why = "the two flavours divide with other digits"
    if crossing and re.search(r"\d:\d\d\.\d", text):
        why = "MySQL rounds fractions of a second, MariaDB cuts them"
    limits = {s.setting("sql_select_limit") if s.given("sql_select_limit") else "" for s in (source, replica)}
    if len(limits) > 1 and re.search(r"\bSELECT\b", bare, re.IGNORECASE):
        why = "sql_select_limit is another on the replica"
    packet = replica.setting("max_allowed_packet") if replica.given("max_allowed_packet") else ""
    if packet.isdigit() and packets.row_bytes(text) > int(packet) > len(text):
        if work.session.modes & STRICT:
            return Outcome(
                Kind.SQL, "SC906", 1301, f"a value is larger than the replica's max_allowed_packet = {packet}"
            )
        why = "a value is larger than the replica's max_allowed_packet"
    if re.search(r"\bSYSDATE\s*\(\s*\)", bare, re.IGNORECASE):
        why = "SYSDATE() is the replica's own time"
    if re.search(r"\bUUID_SHORT\(\)\s*[<>=]", bare, re.IGNORECASE):
        why = "UUID_SHORT() is another on the replica; the comparison decides whether that shows"
    return Outcome(Kind.UNKNOWN, "SC942", 0, why) if why else None


def differs(work: Workload, statement: Statement, text: str, name: str) -> None:
    """What the replica computes another value for."""
    source, replica = work.ends.source, work.server
    fraction = bool(_FRACTION.search(dialect.plain(text)))
    table, _other = work.source.table(name), work.replica.table(name)
    if table is not None and statement.verb in ("insert", "replace", "update", "load"):
        fraction = fraction or any(
            defaults.is_now(column.default) and column.type.fraction for column in table.columns
        )
    if statement.verb in ("insert", "replace", "load"):
        defaults.compare_defaults(work, text, name)
    if fraction and source.mariadb != replica.mariadb:
        work.lose("fractions of a second of NOW() do not come along in a statement between MySQL and MariaDB")
    if (call := UNSAFE_CALL.search(dialect.plain(text))) is not None:
        same = (
            "VERSION" in call.group().upper()
            and source.version == replica.version
            and source.flavor == replica.flavor
        )
        if not same:
            work.lose(f"{call.group().strip('( ')} has another value on the replica")
    for variable, pattern in knowledge.load("links")["unlogged_variables"].items():
        if variable in work.session.variables and re.search(pattern, dialect.plain(text), re.IGNORECASE):
            work.lose(f"the session's {variable} does not come along")
