"""A change that is logged as its own text."""

from __future__ import annotations

import re

from schemacheck.link import carried, dialect, variables
from schemacheck.link.ends import on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model.server import STRICT
from schemacheck.model.table import TableKind
from schemacheck.sql.statements import Statement
from schemacheck.sql.versioned_comment import interpret
from schemacheck.workload import columns, defaults, fired, keys, packets, query_event, rows
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
#: FROM_UNIXTIME of a number between two days after 1970 and 2038 is the same on all servers.
_OTHER_VALUES = re.compile(
    r"\b(FROM_UNIXTIME\s*\((?!\s*[1-2]?\d{6,9}\s*\))|GREATEST\s*\(|LEAST\s*\()", re.IGNORECASE
)
#: A number in hexadecimal beside an operator: a number or a string, by flavour and version.
_HEXADECIMAL = re.compile(r"\bx''\s*(?:[-+*/%&^<>]|\|(?!\|))|(?:[-+*/%&^~<>]|(?<!\|)\|)\s*x''", re.IGNORECASE)
_DIVIDES = re.compile(r"(?<!\*)/(?!\*)|\b(?:AVG|STD|STDDEV\w*|VAR\w*)\s*\(", re.IGNORECASE)
_SECONDS = re.compile(r"\d:\d\d\.(\d+)")
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
    if work.ends.channel is not None and work.ends.channel.on("REQUIRE_ROW_FORMAT"):
        return fails(
            Kind.SQL,
            "SC901",
            "row-only",
            replica,
            "the channel takes row events only (REQUIRE_ROW_FORMAT)",
            change="Set binlog_format = ROW on the source",
        )
    if (stopped := query_event.read_only(replica)) is not None:
        return stopped
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
    missing = [ref.name for ref in statement.refs if work.lacks(ref.database) or keys.missing(work, ref.name)]
    if missing:
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
        if (other_columns := _other_columns(work, text, name)) is not None:
            return other_columns
        if defaults.lacks_default(text, other, work.session.modes):
            return Outcome(
                Kind.SQL,
                "SC932",
                1364,
                f"{name} has a column without a default on the replica that the statement leaves out",
                "Define the columns alike",
            )
    mine = work.source.table(name)
    if mine is not None and statement.verb in ("insert", "replace", "update", "load"):
        fits = columns.of_statement(work, mine, work.replica.table(name))
        if fits is not None:
            return fits
    if (refused := _safe_updates(work, statement, text, name)) is not None:
        return refused
    if "/*" in text:
        logged = query_event.written(work, text)
        if interpret(logged, work.ends.source).split() != interpret(logged, replica).split():
            why = "the two servers execute other parts of its versioned comments"
            return Outcome(Kind.UNKNOWN, "SC932", 0, why, "Leave versioned comments out")
    if (apart := fired.function_apart(work, text)) is not None:
        return apart
    if (trigger := fired.of_the_source(work, statement)) is not None:
        work.lose(f"the replica has no trigger {trigger}, and the statement is logged without what it does")
    inner = fired.bodies(work, statement, text)
    if (open_question := _own_values(work, statement, text, inner)) is not None:
        return open_question
    if (
        replica.version != work.ends.source.version
        and (own := _OTHER_VALUES.search(dialect.plain(text))) is not None
    ):
        name = own.group(1).partition("(")[0].strip()
        return Outcome(Kind.UNKNOWN, "SC942", 0, f"{name} has other values on some versions")
    if replica.series != work.ends.source.series or replica.mariadb != work.ends.source.mariadb:
        tables = frozenset(ref.name.casefold() for ref in statement.refs)
        unlisted = dialect.unlisted_function(text, tables, frozenset(work.routines))
        if unlisted:
            return Outcome(Kind.UNKNOWN, "SC932", 0, f"{unlisted} was not recorded on {replica}")
    differs(work, statement, text, name)
    for piece in inner:
        if (call := UNSAFE_CALL.search(dialect.plain(piece))) is not None:
            work.lose(f"{call.group().strip('( ')} of a trigger or function has another value on the replica")
    return keys.change(work, statement, text, name, as_rows=False)


def _other_columns(work: Workload, text: str, name: str) -> Outcome | None:
    """An INSERT into a table that has other columns on the replica: 1136 without a list of columns, 1054
    where the list names one that is not there.
    """
    table, other = work.source.table(name), work.replica.table(name)
    if table is None or other is None or table.gipk or other.gipk or other.kind is not TableKind.TABLE:
        return None
    mine, theirs = ([c.name.casefold() for c in t.columns if not c.invisible] for t in (table, other))
    if mine == theirs:
        return None
    change = "Define the columns alike, or name the columns in INSERT"
    why = f"{name} has other columns on the replica"
    given = defaults.COLUMNS.match(text.strip())
    if given is None:
        return Outcome(Kind.SQL, "SC941", 1136, why, change) if len(mine) != len(theirs) else None
    named = {word.strip().strip("`").casefold() for word in given.group(1).split(",")}
    every = {c.name.casefold() for c in other.columns}
    return Outcome(Kind.SQL, "SC941", 1054, why, change) if named - every else None


def _safe_updates(work: Workload, statement: Statement, text: str, name: str) -> Outcome | None:
    """sql_safe_updates of the replica, which its applier takes over: 1175 for a change of rows without a key
    (recorded on 9.7.4).
    """
    replica, upper = work.server, text.upper()
    if not statement.verb.startswith(("update", "delete")) or not on(replica, "sql_safe_updates"):
        return None
    table = work.replica.table(name)
    keyed = table is None or bool(table.keys)
    if (keyed and rows.touched(text) is not None) or "LIMIT" in upper:
        return None
    if not replica.mariadb and (not keyed or "WHERE" not in upper):
        return Outcome(
            Kind.SQL, "SC944", 1175, "sql_safe_updates is on for the replica", "Set it OFF on the replica"
        )
    return Outcome(Kind.UNKNOWN, "SC944", 0, "sql_safe_updates is on for the replica: the key used decides")


def _own_values(work: Workload, statement: Statement, text: str, inner: list[str]) -> Outcome | None:
    """Values for which each end has settings or rules of its own: what they come to depends on the column."""
    source, replica = work.ends.source, work.server
    bare = dialect.plain(" ".join((text, *inner)))
    why = ""
    mine, theirs = (
        int(value) if value.isdigit() else 4
        for value in (work.session.get("div_precision_increment"), replica.setting("div_precision_increment"))
    )
    # Quotients are kept in words of nine digits, or with their scale (recorded: 5.6.24, MariaDB; 9.7.4).
    nine = [server.has("quotients-in-nine-digits") for server in (source, replica)]
    if _DIVIDES.search(bare) and not (all(nine) and 1 <= min(mine, theirs) <= max(mine, theirs) <= 9):
        if mine != theirs:
            why = "statements do not carry div_precision_increment"
        elif source.series != replica.series or source.mariadb != replica.mariadb:
            why = "the two servers keep other numbers of digits of a quotient"
    theirs_cut = replica.setting("group_concat_max_len") if replica.given("group_concat_max_len") else ""
    mine_cut = source.setting("group_concat_max_len") if source.given("group_concat_max_len") else ""
    if mine_cut != theirs_cut and re.search(r"GROUP_CONCAT\s*\(", bare, re.IGNORECASE):
        why = "statements do not carry group_concat_max_len"
    if (cut := _cut_seconds(work, statement, text)) is not None:
        if cut.kind is Kind.UNKNOWN:
            return cut
        work.lose(cut.why)
    for name in statement.unsafe + tuple(n for one in fired.changes(work, inner) for n in one.unsafe):
        if name.endswith("()") and name != "RAND()" and UNSAFE_CALL.search(name) is None:
            why = f"{name} is the replica's own value"
    if (mode := _other_mode(work, statement, text)) is not None:
        return mode
    own = source.setting("max_allowed_packet") if source.given("max_allowed_packet") else ""
    if own.isdigit() and packets.row_bytes(text) > int(own) > len(text):
        why = "a value is larger than the source's max_allowed_packet, which makes it NULL there"
    packet = replica.setting("max_allowed_packet") if replica.given("max_allowed_packet") else ""
    if packet.isdigit() and packets.row_bytes(text) > int(packet) > len(text):
        if work.session.modes & STRICT:
            return Outcome(
                Kind.SQL, "SC906", 1301, f"a value is larger than the replica's max_allowed_packet = {packet}"
            )
        why = "a value is larger than the replica's max_allowed_packet"
    if _HEXADECIMAL.search(bare) and source.series != replica.series:
        why = "x'..' beside an operator is a number on some versions, a string on others"
    if re.search(r"\bSYSDATE\s*\(\s*\)", bare, re.IGNORECASE):
        why = "SYSDATE() is the replica's own time"
    if re.search(r"\bUUID_SHORT\(\)\s*[<>=]", bare, re.IGNORECASE):
        why = "UUID_SHORT() is another on the replica; the comparison decides whether that shows"
    if why:
        return Outcome(Kind.UNKNOWN, "SC942", 0, why)
    tables = [work.source.table(ref.name) for ref in statement.refs]
    engines = frozenset((table.engine or "InnoDB").lower() for table in tables if table is not None)
    found = variables.of_statement(work.ends, bare, work.session.variables, engines)
    if found is not None and found.kind is Kind.DIVERGES:
        work.lose(found.why)
        return None
    return found


def _other_mode(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """Words of sql_mode whose bits mean another mode, or none, on the other flavour: the log carries bits.

    EMPTY_STRING_IS_NULL is bit 32 of MariaDB, TIME_TRUNCATE_FRACTIONAL of MySQL; SIMULTANEOUS_ASSIGNMENT bit
    33, INTERPRET_UTF8_AS_UTF8MB4 (sql_class.h, system_variables.h). MySQL 5.6 keeps 32 bits (recorded).
    """
    source, replica, modes = work.ends.source, work.server, work.session.modes
    if source.mariadb == replica.mariadb:
        return None
    if "EMPTY_STRING_IS_NULL" in modes and re.search(r"(?<!\w)(''|\"\")(?!\w)", text):
        work.lose(f"{replica} does not know EMPTY_STRING_IS_NULL: '' stays a string")
        return None
    odd = modes & {"EMPTY_STRING_IS_NULL", "TIME_TRUNCATE_FRACTIONAL"}
    if "SIMULTANEOUS_ASSIGNMENT" in modes and statement.verb.startswith("update"):
        odd |= {"SIMULTANEOUS_ASSIGNMENT"}
    if odd and (replica.mariadb or "SIMULTANEOUS_ASSIGNMENT" in odd):
        why = f"sql_mode {min(odd)} is a bit with another meaning on {replica}"
        return Outcome(Kind.UNKNOWN, "SC912", 0, why)
    return None


def _cut_seconds(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """Fractions of a second that a column does not keep: MySQL rounds them, MariaDB cuts them, but for a
    statement of MySQL 5.6 and later (Query_log_event of MariaDB sets TIME_ROUND_FRACTIONAL for it).
    """
    source, replica = work.ends.source, work.server
    written = [digits for digits in _SECONDS.findall(text) if digits.strip("0")]
    columns = [
        column.type.fraction or 0
        for ref in statement.refs
        if ref.updated is not False and (table := work.source.table(ref.name)) is not None
        for column in table.columns
        if column.type.base in ("time", "datetime", "timestamp")
    ]
    if not written or not columns or max(map(len, written)) <= min(columns):
        return None
    if source.mariadb == replica.mariadb:
        return None
    if replica.mariadb:
        if source.has("microseconds-mysql") and replica.has("rounds-seconds-as-mysql"):
            return None
        return Outcome(Kind.UNKNOWN, "SC942", 0, f"whether {replica} rounds or cuts fractions of a second")
    if not replica.has("microseconds-mysql") or "TIME_ROUND_FRACTIONAL" in work.session.modes:
        return Outcome(Kind.UNKNOWN, "SC942", 0, f"whether {replica} rounds or cuts fractions of a second")
    if min(map(len, written)) <= max(columns):
        return Outcome(Kind.UNKNOWN, "SC942", 0, "which column gets a fraction of a second that is cut")
    if any(digits[at : at + 1] >= "5" for digits in written for at in set(columns)):
        return Outcome(
            Kind.DIVERGES, "SC942", 0, f"{replica} rounds fractions of a second, {source} cuts them"
        )
    return None


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
        work.lose("statements between MySQL and MariaDB do not carry fractions of a second of NOW()")
    if (call := UNSAFE_CALL.search(dialect.plain(text))) is not None:
        same = (
            "VERSION" in call.group().upper()
            and source.version == replica.version
            and source.flavor == replica.flavor
        )
        if not same:
            work.lose(f"{call.group().strip('( ')} has another value on the replica")
    cut = work.session.variables.get("group_concat_max_len")
    if cut and re.search(r"\bGROUP_CONCAT\s*\(", dialect.plain(text), re.IGNORECASE):
        work.lose("statements do not carry the session's group_concat_max_len")
