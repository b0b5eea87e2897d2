"""One statement: what the source logs of it, and which way the replica takes it."""

from __future__ import annotations

import re

from schemacheck.link import dialect
from schemacheck.link.ends import on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.sql.statements import Statement, parse
from schemacheck.sql.statements.value import DATABASE, DataStatement
from schemacheck.workload import as_definition, as_rows, as_statement, defaults, fired, hosts, prepare
from schemacheck.workload.state import Workload

CHANGES = frozenset(
    {
        "insert",
        "replace",
        "load",
        "update",
        "update-multi",
        "delete",
        "delete-multi",
        "call",
        "select",
        "truncate-never",
    }
)
_SILENT = frozenset(
    {
        "use",
        "prepare",
        "lock",
        "unlock",
        "do",
        "begin",
        "commit",
        "rollback",
        "savepoint",
        "rollback-to",
        "release",
        "not-logged",
        "select",
    }
)
_IMMEDIATE = re.compile(r"EXECUTE\s+IMMEDIATE\s+(['\"])(.*)\1\s*$", re.IGNORECASE | re.DOTALL)
_BLOCK = re.compile(r"BEGIN\s+NOT\s+ATOMIC\b(.*)\bEND\s*$", re.IGNORECASE | re.DOTALL)
_WRAPPED = re.compile(r"SET\s+STATEMENT\b.*?\bFOR\b\s*", re.IGNORECASE | re.DOTALL)
_ISOLATION = re.compile(r"SET\s+(SESSION\s+)?TRANSACTION\s+ISOLATION\s+LEVEL\b", re.IGNORECASE)
#: DROP TABLE is logged in the server's own words, without what stands behind its names.
_DROPPED = re.compile(r"^(DROP\s+TABLE\s.*?)\s+(?:WAIT\s+\d+|NOWAIT)\s*$", re.IGNORECASE | re.DOTALL)
_CALLED = re.compile(r"CALL\s+`?(\w+)", re.IGNORECASE)


def step(work: Workload, text: str) -> Outcome | None:
    """Run one statement on the source and its events on the replica."""
    plain = text.strip().rstrip(";")
    if (inner := _IMMEDIATE.match(plain)) is not None:
        plain = inner.group(2).replace("\\'", "'")
    if (block := _BLOCK.match(plain)) is not None:
        for piece in block.group(1).split(";"):
            if piece.strip() and not piece.strip().upper().startswith("DECLARE"):
                found = step(work, re.sub(r"\bVALUES\s*\(\s*\w+\s*,", "VALUES (4,", piece.strip()))
                if found is not None:
                    return found
        return None
    wrapped = bool(_WRAPPED.match(plain))
    if not wrapped and work.session.run(plain):
        return None
    if plain.upper().startswith("USE "):
        work.database = plain[4:].strip("` ")
        return None
    if _ISOLATION.match(plain):
        work.session.variables["transaction_isolation"] = plain.upper().replace(" ", "-")
        return None
    statement = parse(_WRAPPED.sub("", plain) if wrapped else _DROPPED.sub(r"\1", plain), work.ends.source)
    if statement.verb in ("begin", "commit", "rollback"):
        return _transaction(work, statement.verb)
    if statement.verb.startswith("xa-"):
        return _xa(work, statement, plain)
    if not work.session.logged:
        if work.waiting is None:
            _alone(work, statement, plain, "sql_log_bin = 0")
        return None
    if (kept := _kept_out(work, statement, plain)) is not None:
        return kept if isinstance(kept, Outcome) else None
    if statement.verb in CHANGES and statement.verb != "select":
        return _change(work, statement, plain)
    if statement.verb == "create-table-select":
        return as_definition.create_select(work, statement, plain)
    if statement.verb in _SILENT or plain.upper().startswith(
        ("SELECT", "SHOW", "FLUSH", "HANDLER", "KILL", "CHECK", "EXPLAIN", "INSTALL PLUGIN")
    ):
        return None
    return as_definition.take(work, statement, plain)


def _kept_out(work: Workload, statement: Statement, text: str) -> Outcome | bool | None:
    """What the replica leaves out, or where a filter stops it; None where it executes the statement."""
    if statement.verb in CHANGES and work.waiting is not None:
        return None  # the commit asks
    if work.at in work.unread:
        _alone(work, statement, text, "its log is gone")
        return True
    if work.session.flag("skip_replication") and work.skips_marked:
        _alone(work, statement, text, "skip_replication = 1: the replica leaves marked events out")
        return True
    if _of_the_replica(work):
        _alone(work, statement, text, "the event has the replica's own server id")
        return True
    if work.filters is None:
        return None
    domain = work.session.get("gtid_domain_id")
    number = int(domain) if domain.isdigit() else 0
    found = work.filters.keeps_out(statement, work.database, work.format, number)
    if isinstance(found, Outcome):
        return found
    if found:
        _alone(work, statement, text, "a filter leaves it out")
    return found or None


def _of_the_replica(work: Workload) -> bool:
    """Whether the session's server_id (MariaDB) is the replica's, which then takes the event for its own."""
    given = work.session.variables.get("server_id")
    if given is None or not work.ends.source.mariadb or on(work.server, "replicate_same_server_id"):
        return False
    return given == work.server.setting("server_id")


def _alone(work: Workload, statement: Statement, text: str, why: str) -> None:
    """A statement that the source alone has run, and why."""
    written = [ref for ref in statement.refs if ref.updated is not False]
    named = getattr(statement, "database", None) if statement.verb in DATABASE else None
    places = [named] if named else [ref.database or work.database for ref in written]
    if places and all(place.casefold() != work.home.casefold() for place in places):
        work.elsewhere.append(f"{why}: the change is made on the source alone")
    elif statement.verb in ("update", "delete", "replace", "load", "update-multi", "delete-multi"):
        if any(ref.name.casefold() in work.filled for ref in written) or statement.verb in (
            "load",
            "replace",
        ):
            work.lose(f"{why}: the change is made on the source alone")
    elif not _SILENT & {statement.verb}:
        prepare.on_source(work, text, logged=False)


def _transaction(work: Workload, verb: str) -> Outcome | None:
    """BEGIN ... ROLLBACK leaves nothing in the log unless a table without transactions was changed; that
    change makes MIXED log rows.
    """
    if verb == "begin":
        work.waiting = []
        return None
    waiting, work.waiting = work.waiting or [], None
    engines = [_transactional(work, text) for _at, text in waiting]
    if verb == "rollback" and all(engines):
        return None
    if work.direct and verb == "rollback":
        waiting = [one for one, safe in zip(waiting, engines, strict=True) if not safe]
        engines = [False] * len(waiting)
    mixed = not all(engines) and any(engines) and work.format == "MIXED" and not work.direct
    late = False in engines[engines.index(True) :] if True in engines else False
    if late and work.format == "STATEMENT" and not work.direct and work.consistent:
        return Outcome(
            Kind.SQL, "SC905", 1785,
            "enforce_gtid_consistency on the replica: a transaction changes a MyISAM table after "
            "one that has transactions",
            "Keep such tables out of transactions, or set enforce_gtid_consistency = OFF on the replica",
        )  # fmt: skip
    before = work.session.variables.get("binlog_format")
    for (work.at, text), safe in zip(waiting, engines, strict=True):
        if mixed and not safe:
            work.session.variables["binlog_format"] = "ROW"
        found = step(work, text)
        if found is not None:
            return found
    if mixed:
        work.session.variables.pop("binlog_format", None)
        if before is not None:
            work.session.variables["binlog_format"] = before
    return None


def _transactional(work: Workload, text: str) -> bool:
    """Whether a change can be rolled back."""
    tables = [
        work.source.table(ref.name) for ref in parse(text, work.ends.source).refs if ref.updated is not False
    ]
    return all(
        table is None or (table.engine or "InnoDB").lower() in ("innodb", "rocksdb") for table in tables
    )


def refused(work: Workload, updated: set[str], text: str) -> bool:
    """Whether the source itself refuses a change: no such table, or READ COMMITTED with statements."""
    if updated & work.refused:
        return True
    adds = text.upper().startswith(("INSERT", "REPLACE")) and not text.upper().startswith("INSERT IGNORE")
    if adds and any(
        defaults.lacks_default(text, work.source.table(name), work.session.modes) for name in updated
    ):
        return True
    level = work.session.get("transaction_isolation") or work.session.get("tx_isolation")
    tables = [work.source.table(name) for name in updated]
    innodb = any(table is not None and (table.engine or "InnoDB").lower() == "innodb" for table in tables)
    return (
        work.format == "STATEMENT"
        and innodb
        and ("READ-COMMITTED" in level.upper() or "READ-UNCOMMITTED" in level.upper())
    )


def _meets_two_keys(work: Workload, statement: Statement) -> bool:
    """INSERT ... ON DUPLICATE KEY UPDATE of a table with several unique keys
    (BINLOG_STMT_UNSAFE_INSERT_TWO_KEYS).
    """
    if not (isinstance(statement, DataStatement) and statement.updates_duplicates):
        return False
    tables = [work.source.table(ref.name) for ref in statement.updated]
    return any(table is not None and sum(key.unique for key in table.keys) > 1 for table in tables)


def logged_as_rows(work: Workload, statement: Statement, text: str) -> bool:
    """Whether a change is logged as row events."""
    if work.format != "MIXED":
        return work.format == "ROW"
    source = work.ends.source
    touches = {ref.name.casefold() for ref in statement.refs} & work.temporary
    if touches and source.has("temporary-tables-only-in-statement-format"):
        return True
    if work.in_xa and source.has("xa-is-unsafe"):
        return True
    inner = fired.bodies(work, statement, text)
    whys = [*statement.unsafe, *(why for one in fired.changes(work, inner) for why in one.unsafe)]
    unsafe = [why for why in whys if not (source.mariadb and why == "RAND()")]
    return (
        bool(unsafe)
        or _meets_two_keys(work, statement)
        or any(as_statement.UNSAFE_CALL.search(piece) for piece in (text, *inner))
        or fired.counts(work, statement, inner)
    )


def _change(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """INSERT, UPDATE, DELETE, LOAD DATA, CALL."""
    updated = {ref.name.casefold() for ref in statement.refs if ref.updated is not False}
    if (
        dialect.foreign(text, work.ends.source)
        or dialect.foreign_function(text, work.ends.source)
        or dialect.foreign_charset(text, work.ends.source)
        or refused(work, updated, text)
    ):
        return None
    if work.waiting is not None:
        work.waiting.append((work.at, text))
        return None
    hosts.years(work, statement, text)
    unlogged = logged_as_rows(work, statement, text) or not work.ends.source.mariadb
    if updated and updated <= work.temporary and unlogged:
        return None
    if work.in_xa:
        work.xa_changed = True
    if statement.verb == "call" or logged_as_rows(work, statement, text) or not updated:
        if statement.verb == "call":
            return _call(work, text)
        return as_rows.take(work, statement, text)
    return as_statement.take(work, statement, text)


def _call(work: Workload, text: str) -> Outcome | None:
    """CALL: the changes of the procedure's body, as they are logged."""
    found = _CALLED.match(text)
    name = found.group(1).casefold() if found else ""
    if name not in work.routines:
        return Outcome(Kind.UNKNOWN, "SC942", 0, f"what the procedure {name} does is not known")
    session = work.session
    before = session.client, session.connection
    session.client, session.connection = work.made_with[name]
    try:
        return _body(work, work.routines[name])
    finally:
        session.client, session.connection = before


def _body(work: Workload, body: list[str]) -> Outcome | None:
    """The statements of a procedure."""
    for piece, perhaps in fired.flow(body):
        inner = parse(piece, work.ends.source)
        if inner.verb not in CHANGES or inner.verb in ("select", "call"):
            return Outcome(Kind.UNKNOWN, "SC942", 0, f"a procedure runs what is not followed: {piece[:40]!r}")
        before = len(work.lost)
        found = _change(work, inner, piece)
        if perhaps and (found is not None or len(work.lost) > before):
            why = f"whether a procedure comes to {piece[:40]!r}"
            return Outcome(Kind.UNKNOWN, "SC942", 0, why)
        if found is not None:
            return found
    return None


def _prepared(work: Workload) -> bool:
    """Whether the source logs XA PREPARE in events that MySQL does not have."""
    source = work.ends.source
    return source.mariadb and source.has("xa-prepare-logged") and not work.server.mariadb


def _xa(work: Workload, statement: Statement, text: str) -> Outcome | None:
    """XA statements: which are logged as such, and whether the replica can follow."""
    source, replica = work.ends.source, work.server
    if statement.verb == "xa-start":
        work.in_xa, work.xa_changed = True, False
        if _prepared(work) and not source.has("xa-prepare-sent-to-mysql"):
            work.waiting = []  # whether the source can send them is known at PREPARE
        return None
    one_phase = "ONE PHASE" in text.upper()
    changed, phase = work.xa_changed, statement.verb
    if phase == "xa-end":
        return None
    if phase in ("xa-commit", "xa-rollback"):
        work.in_xa = False
    if work.waiting is not None:
        changed = changed or bool(work.waiting)
        if phase == "xa-commit" and one_phase:
            return _transaction(work, "commit")
        work.waiting = None
    if phase == "xa-prepare" and _prepared(work) and changed:
        if not source.has("xa-prepare-sent-to-mysql"):
            return fails(Kind.IO, "SC926", "fatal-dump", replica,
                f"{source} cannot turn the event of XA PREPARE into one that {replica} reads",
                         change="Use no XA transactions on the source")  # fmt: skip
        return fails(Kind.SQL, "SC926", "xa", replica,
            f"{replica} does not see the start of the XA transaction that it is to prepare",
                     change="Use no XA transactions on the source")  # fmt: skip
    if (
        phase == "xa-commit"
        and one_phase
        and source.has("xa-one-phase-is-xa")
        and replica.mariadb
        and changed
    ):
        return fails(Kind.SQL, "SC926", "xa", replica,
            f"{replica} takes the COMMIT ONE PHASE of {source} for a COMMIT of a transaction that "
            f"is not prepared",
                     change="Use two-phase XA on the source, or plain transactions")  # fmt: skip
    return None
