"""Statements that are always logged as text: definitions, accounts, routines."""

from __future__ import annotations

import re

from schemacheck.link import dialect, variables
from schemacheck.link.ends import on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.link.session import Session
from schemacheck.model import Server
from schemacheck.sql.statements import Statement
from schemacheck.workload import (
    accounts,
    as_rows,
    as_statement,
    fired,
    objects,
    query_event,
    table_definition,
)
from schemacheck.workload.definitions import Tables
from schemacheck.workload.state import Workload

_TABLE = re.compile(
    r"^(CREATE\s+(OR\s+REPLACE\s+)?(TEMPORARY\s+)?TABLE|ALTER\s+(ONLINE\s+|IGNORE\s+)*TABLE|CREATE\s+(UNIQUE\s+|FULLTEXT\s+|SPATIAL\s+)?INDEX|DROP\s+INDEX|RENAME\s+TABLE|DROP\s+(TEMPORARY\s+)?TABLE|TRUNCATE)\b",
    re.IGNORECASE,
)
_DATABASE = re.compile(r"^(CREATE|ALTER|DROP)\s+(DATABASE|SCHEMA)\b", re.IGNORECASE)
_COLLATE = re.compile(r"\bCOLLATE\s*=?\s*'?(\w+)", re.IGNORECASE)
_CHARSET = re.compile(r"\b(?:CHARACTER\s+SET|CHARSET)\s*=?\s*'?(\w+)", re.IGNORECASE)
_ROUTINE = re.compile(
    r"^CREATE\s+(?:OR\s+REPLACE\s+)?(?:DEFINER\s*=\s*\S+\s+)?(?:PROCEDURE|FUNCTION)\s+(?:IF\s+NOT\s+EXISTS\s+)?`?(\w+)`?\s*"
    r"\((?:[^()]|\([^()]*\))*\)(.*)$",
    re.IGNORECASE | re.DOTALL,
)
_FUNCTION = re.compile(
    r"^CREATE\s+(?:OR\s+REPLACE\s+)?(?:DEFINER\s*=\s*\S+\s+)?(?:AGGREGATE\s+)?FUNCTION\b(?!.*\bSONAME\b)",
    re.IGNORECASE | re.DOTALL,
)
_LOGGABLE = re.compile(r"(?<!NOT )\bDETERMINISTIC\b|\bNO\s+SQL\b|\bREADS\s+SQL\s+DATA\b", re.IGNORECASE)
_ALTERED_INDEX = re.compile(r"^ALTER\s+TABLE\b.*\bALTER\s+(?:INDEX|KEY)\s+`?(\w+)", re.IGNORECASE | re.DOTALL)
_EVENT_TIME = re.compile(
    r"^(?:CREATE|ALTER)\b.*\bEVENT\b.*\b(?:AT|STARTS|ENDS)\s+(?:TIMESTAMP\s*)?'(\d{4})",
    re.IGNORECASE | re.DOTALL,
)
_ORDER = re.compile(
    r"^CREATE\b.*\bTRIGGER\b.*\bON\s+`?(\w+)`?\s+FOR\s+EACH\s+ROW\s+(?:FOLLOWS|PRECEDES)\s+`?(\w+)",
    re.IGNORECASE | re.DOTALL,
)
#: CREATE TABLE ... IGNORE SELECT and REPLACE SELECT, unsafe as statements.
_FORGIVES = re.compile(r"\b(?:IGNORE|REPLACE)\s+(?:AS\s+)?\(?\s*SELECT\b", re.IGNORECASE)
_WAIT = re.compile(r"\s+(WAIT\s+\d+|NOWAIT|CASCADE|RESTRICT)\s*$", re.IGNORECASE)


def take(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """One statement that the replica gets as text."""
    source, replica = work.ends.source, work.server
    if _refused_by(source, text, work.source):
        work.refused |= {
            ref.name.casefold() for ref in statement.refs if statement.verb.startswith("create-table")
        }
        return None  # the source refuses it: nothing is logged
    keep_routine(work, text, work.session)
    if statement.temporary or text.upper().startswith(("CREATE TEMPORARY", "DROP TEMPORARY")):
        return _temporary(work, statement, text)
    logged = _rewritten(work, statement, text)
    found = query_event.comes_along(work, logged)
    if found is not None:
        if found.kind is Kind.DIVERGES:
            _lost_definition(work, statement, text, found.why)
            return None
        return found
    if (stopped := accounts.refused(work, logged)) is not None:
        return stopped
    by_reader = reads(logged)
    if (stopped := query_event.executed(work, logged, functions=not by_reader)) is not None:
        return stopped
    if (stopped := query_event.read_only(replica)) is not None:
        return stopped
    if (refused := _untrusted(work, logged) or _far_event(work, logged)) is not None:
        return refused
    depends = variables.of_definition(work.ends, dialect.plain(logged), work.session.variables)
    if depends is not None:
        return depends
    needed = objects.read_table(logged)
    if needed is not None and (work.lacks(None) or needed in work.gone):
        return fails(Kind.SQL, "SC701", "no-table", replica, f"the replica has no table {needed}")
    made = objects.named(logged)
    if made is not None and (made.verb, made.kind) == ("create", "view"):
        other = work.replica.table(made.name)
        if other is not None and work.source.table(made.name) is None and not made.replaces:
            return fails(Kind.SQL, "SC941", "exists", replica, f"the replica has a table {made.name}")
    own = objects.refused(work.objects, logged, replica, lenient=work.lenient)
    if own is not None:
        return own
    if statement.verb in ("create-trigger", "drop-trigger"):
        work.source.run(text, source)
        work.replica.run(text, replica)
        return None
    if _DATABASE.match(logged):
        return _database(work, logged)
    if _TABLE.match(logged):
        return table_definition.take(work, statement, logged)
    return None


def reads(text: str) -> bool:
    """Whether it is a definition of a table or database, which this module reads as such."""
    return bool(_TABLE.match(text) or _DATABASE.match(text))


def _refused_by(source: Server, text: str, tables: Tables | None = None) -> bool:
    """Whether the source itself refuses the statement: by its grammar, for want of a function or of an
    account's plugin, an index that the same ALTER makes (1176), or a function of which nobody says that it
    is safe to log (1418).
    """
    if dialect.foreign(text, source) is not None or accounts.unknown_plugin(text, source) is not None:
        return True
    if not _TABLE.match(text) and dialect.foreign_function(text, source) is not None:
        return True
    altered = _ALTERED_INDEX.search(text)
    if altered is not None and re.search(
        rf"\bADD\s+(?:UNIQUE\s+)?(?:INDEX|KEY)\s+`?{re.escape(altered.group(1))}\b", text, re.IGNORECASE
    ):
        return True
    order = _ORDER.search(text)
    if order is not None and tables is not None:
        table = tables.table(order.group(1))
        if table is not None and all(
            one.name.casefold() != order.group(2).casefold() for one in table.triggers
        ):
            return True
    trusted = on(source, "log_bin_trust_function_creators")
    return bool(_FUNCTION.match(text)) and not trusted and _LOGGABLE.search(dialect.plain(text)) is None


def _far_event(work: Workload, text: str) -> Outcome | None:
    """An event at a time after 2038, which servers with timestamps of 32 bits refuse (recorded: 1525 on
    10.5.29 and 10.11.19).
    """
    when = _EVENT_TIME.search(text)
    if when is None or int(when.group(1)) < 2038 or work.server.has("events-after-2038"):
        return None
    if not work.ends.source.has("events-after-2038"):
        return None  # the source refuses it
    why = f"{work.server} takes no event at a time after 2038"
    if work.server.mariadb:
        return Outcome(Kind.SQL, "SC932", 1525, why, "Let the event begin and end before 2038")
    return Outcome(Kind.UNKNOWN, "SC932", 0, why)


def _untrusted(work: Workload, text: str) -> Outcome | None:
    """A function that the source takes because of log_bin_trust_function_creators: a MariaDB replica without
    it refuses it (1418, recorded on 10.5.29 and 11.8.6).
    """
    if not _FUNCTION.match(text) or _LOGGABLE.search(dialect.plain(text)) is not None:
        return None
    if on(work.server, "log_bin_trust_function_creators"):
        return None
    why = "nothing says that the function is safe to log, and log_bin_trust_function_creators is off there"
    if work.server.mariadb:
        return Outcome(
            Kind.SQL, "SC943", 1418, why, "Set log_bin_trust_function_creators = ON on the replica"
        )
    return Outcome(Kind.UNKNOWN, "SC943", 0, why)


def _rewritten(work: Workload, statement: Statement, text: str) -> str:
    """Statements whose text the server writes itself (DROP TABLE, CREATE VIEW)."""
    if statement.verb in ("drop-table", "drop-sequence"):
        return _WAIT.sub("", text)
    return query_event.written(work, text)


def keep_other(work: Workload, text: str) -> None:
    """A routine that the replica alone has made: what the source's one does is nothing to it."""
    found = _ROUTINE.match(text.strip())
    if found is not None:
        work.apart.add(found.group(1).casefold())


def keep_routine(work: Workload, text: str, session: Session, *, alone: bool = False) -> None:
    """Remember a routine's body, and the session that it is made in, whose collations its statements have;
    `alone`: the replica does not get it.
    """
    found = _ROUTINE.match(text.strip())
    if found is not None:
        name = found.group(1).casefold()
        if alone:
            work.apart.add(name)
        work.routines[name] = fired.pieces(found.group(2))
        work.made_with[name] = session.client, session.connection


def _temporary(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """Temporary tables: in the log as statements under STATEMENT (and MIXED before MySQL 8.0), else not at
    all.
    """
    names = {ref.name.casefold() for ref in statement.refs if ref.updated is not False}
    creates = text.upper().startswith("CREATE")
    work.temporary = work.temporary | names if creates else work.temporary - names
    source = work.ends.source
    unlogged = work.format == "ROW" or (
        work.format == "MIXED" and source.has("temporary-tables-only-in-statement-format")
    )
    if unlogged:
        return None
    found = query_event.comes_along(work, text)
    if found is not None and found.kind is not Kind.DIVERGES:
        return found
    if creates and work.ends.channel is not None and work.ends.channel.on("REQUIRE_ROW_FORMAT"):
        return fails(
            Kind.SQL,
            "SC901",
            "row-only",
            work.server,
            "the channel takes no temporary tables (REQUIRE_ROW_FORMAT)",
            change="Set binlog_format = ROW on the source",
        )
    return None


def _lost_definition(work: Workload, statement: Statement, text: str, why: str) -> None:
    """A definition that the replica leaves out."""
    names = {ref.name.casefold() for ref in statement.refs if ref.updated is not False}
    if statement.verb.startswith("create-table"):
        work.gone |= names
        work.source.run(text, work.ends.source)
        work.lose(why)
    elif statement.verb in (
        "alter-table",
        "rename-table",
        "drop-table",
        "truncate",
        "create-database",
        "create-sequence",
    ):
        work.source.run(text, work.ends.source)
        if statement.verb in ("drop-table", "rename-table", "truncate"):
            work.lose(why)
        elif statement.verb == "alter-table":
            work.pending.append(why)
    else:
        work.pending.append(why)


def _database(work: Workload, text: str) -> Outcome | None:
    replica = work.server
    if re.match(r"^CREATE", text, re.IGNORECASE) is None and re.match(r"^ALTER", text, re.IGNORECASE) is None:
        return None
    from schemacheck.model import charset

    for pattern, known, number in (
        (_CHARSET, charset.has_charset, 1115),
        (_COLLATE, charset.has_collation, 1273),
    ):
        for name in pattern.findall(text):
            if name.upper() != "DEFAULT" and not known(name, replica.has):
                return Outcome(
                    Kind.SQL,
                    "SC932",
                    number,
                    f"{replica} does not know {name}",
                    "Name one that both servers have",
                )
    return None


def create_select(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """CREATE TABLE ... SELECT: as text, or as a definition with rows behind it."""
    source, replica = work.ends.source, work.server
    if statement.temporary or text.upper().startswith("CREATE TEMPORARY"):
        return _temporary(work, statement, text)
    if _refused_by(source, text):
        return None
    forgives = _FORGIVES.search(dialect.plain(text)) is not None
    rows_logged = work.format == "ROW" or (
        work.format == "MIXED" and bool(statement.unsafe or forgives or as_statement.UNSAFE_CALL.search(text))
    )
    found = query_event.comes_along(work, text, begins=rows_logged and not source.mariadb)
    if found is not None:
        if found.kind is Kind.DIVERGES:
            _lost_definition(work, statement, text, found.why)
            if rows_logged:
                return as_rows.take(work, statement, text)
            return None
        return found
    if rows_logged and source.has("create-select-is-atomic") and not replica.has("create-select-is-atomic"):
        return fails(Kind.SQL, "SC932", "grammar", replica,
            f"{source} logs CREATE TABLE ... START TRANSACTION, which {replica} does not know",
                     change="Create the table first, and INSERT ... SELECT into it")  # fmt: skip
    if (stopped := query_event.executed(work, text)) is not None:
        return stopped
    if rows_logged and source.mariadb and replica.has("rejects-row-events-v1"):
        return Outcome(
            Kind.CRASH,
            "SC924",
            0,
            f"{replica} crashes (signal 11) on the rows of CREATE TABLE ... SELECT from {source}",
            "Create the table first, and INSERT ... SELECT into it",
        )
    if rows_logged and (old := as_rows.old_rows(work)) is not None:
        return old
    if rows_logged and forgives and source.mariadb:
        why = "which of the rows that IGNORE or REPLACE leaves out are logged differs by version"
        return Outcome(Kind.UNKNOWN, "SC942", 0, why, "Create the table first, and INSERT ... SELECT into it")
    for end, server in ((work.source, source), (work.replica, table_definition.reading(work))):
        trouble = end.run(text, server)
        if trouble is not None and trouble[0] is not None and end is work.replica and trouble[0] != 1146:
            return Outcome(Kind.SQL, "SC932", trouble[0], f"{replica} refuses the definition: {trouble[1]}")
    if not rows_logged:
        # MySQL gives a column out of a literal a default, MariaDB none (1364, recorded on 10.11 and 11.8).
        if replica.mariadb and not source.mariadb:
            work.selected |= {ref.name.casefold() for ref in statement.refs if ref.updated is not False}
        as_statement.differs(work, statement, text, "")
    return None
