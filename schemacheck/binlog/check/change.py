"""A change of the source as it is replicated: its definitions run on the source, are logged as statements,
and run on the replica's definitions, one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.binlog.check.end import UNNAMED, End, placed
from schemacheck.binlog.check.failed import Fate, on_replica, on_source
from schemacheck.binlog.check.other_rows import other_rows
from schemacheck.binlog.check.session import NO_FOREIGN_KEY_CHECKS, SQL_MODES
from schemacheck.binlog.check.unlisted import unlisted, unlisted_program
from schemacheck.binlog.events.statement import Query
from schemacheck.binlog.header import Header
from schemacheck.catalog.steps import Step, steps
from schemacheck.conversion.error import ANY, server_error
from schemacheck.dataclass import dataclass, replace
from schemacheck.link import dialect
from schemacheck.link.session_collation import skips_statements, unknown_number
from schemacheck.model import InputProblem, Link, Schema, Server, ServerError
from schemacheck.model.filters import FilterSet
from schemacheck.model.replicated import RefusedStatement
from schemacheck.sql.ddl.actions import AlterTable
from schemacheck.sql.named_charset import names_charset
from schemacheck.sql.statements import Statement, parse
from schemacheck.sql.words import DEFINES, UNREPLICATED, object_of, unknown_verb

#: Statements whose text the source writes anew for the log (DEFINER, quotes), so that the error shows that
#: text.
_REWRITTEN = (
    "create-view", "alter-view", "drop-table", "drop-view", "drop-sequence", "create-trigger",
    "create-table-select", "create-procedure", "create-function", "create-event",
)  # fmt: skip

_DEFINES = tuple((word,) for word in (*DEFINES, "GRANT", "REVOKE"))
_ACCOUNTS = (("SET", "PASSWORD"), ("SET", "DEFAULT"))
#: What the catalog reads as each server does.
_TABLES = ("TABLE", "TABLES", "INDEX")
#: Statements that run another one.
_RUN_OTHERS = ("EXECUTE", "CALL")
_WRITES = ("INSERT", "REPLACE", "UPDATE", "DELETE", "LOAD", "MERGE", "WITH")
#: Statements that leave rows and definitions as they are.
_KEEPS = ("ANALYZE", "OPTIMIZE", "REPAIR", "FLUSH", "PREPARE", "DO", "CACHE")

_NO_V1 = "rejects-row-events-v1"
#: A transaction with such a CREATE TABLE and old row events (10.11.19 and 5.6.24 to 9.7.4).
_UNREAD = ServerError(
    13121,
    "Relay log read failure: Could not parse relay log event entry. Where the query finds no row, the server "
    "process dies, or the applier waits for ever",
    "ER_SERVER_SLAVE_RELAY_LOG_READ_FAILURE",
)


#: ER_PARSE_ERROR.
_SYNTAX = 1064
_ATOMIC = "create-select-is-atomic"
#: The same without any row event (5.6.24 to 9.7.4).
_EMPTY = ServerError(
    0, "the server process dies, or the applier waits for ever, where the query finds no row"
)


@dataclass(frozen=True, slots=True)
class Replayed:
    """Both ends after a change: the source behind its last statement, the replica behind the last one that it
    applied; the statement that it refused; what could not be followed; statements that both ends run, and
    that leave other rows on the replica.
    """

    source: Schema
    replica: Schema
    refused: RefusedStatement | None
    problems: tuple[InputProblem, ...]
    differing: tuple[RefusedStatement, ...] = ()


def replay(
    source: Schema, replica: Schema, scripts: Sequence[tuple[str, str]], link: Link, *,
    database: str | None = None, filters: FilterSet | None = None,
) -> Replayed:  # fmt: skip
    """Run a change (`scripts`: file and text of each, in order) on both ends of `link`.

    The definitions are those before the change. `database` is the default database (without it the only one
    that the source's tables name). Of the source's statements only definitions are run; a statement that the
    source refuses is a problem and is not logged. The replica stops at the first statement that it refuses.
    Raises nothing for bad input.
    """
    named = {table.database for table in source.tables if table.database}
    default = database or (next(iter(named)) if len(named) == 1 else UNNAMED)
    # The source runs its own statements as any server runs what arrives, but forgives nothing.
    own = link.source
    if own.mariadb:
        own = own.with_told({"slave_ddl_exec_mode": "STRICT"})
    # An input that lists one program lists all of its kind: where neither does, what is there is not known.
    listed = frozenset(kind for schema in (source, replica) for kind, _, _ in schema.programs)
    source_end = End(source, Link(own, own), default, own=True, listed=listed)
    replica_end = End(replica, link, default, filters, listed=listed)
    for end in (source_end, replica_end):  # queries are held against the source's tables
        end.check.statements.source_tables = source_end.tables
    problems: list[InputProblem] = []
    refused: RefusedStatement | None = None
    empty: RefusedStatement | None = None
    differing: list[RefusedStatement] = []
    base = Schema(placed(source, default).tables)
    for file, text in scripts:
        for step in steps(text, link.source, file=file, database=default, base=base):
            if not _defines(step):
                problems += step.problems or _left_out(step)
                continue
            unread = [p for p in step.problems if not p.skipped and p.refusal is None]
            if unread:
                problems += unread
                continue
            event = _event(step, default)
            statement = parse(step.sql, link.source)
            if statement.conditional and _does_nothing(statement, source_end, event):
                continue
            before = (
                source_end.table(event, statement.definition),
                replica_end.table(event, statement.definition),
            )
            found, error = source_end.run(event, step.location)
            if isinstance(statement.definition, AlterTable) and statement.definition.only_checks:
                problems += found
                continue
            if error is not None:
                failed = on_source(source_end, event, statement, error)
                lost = failed.fate is Fate.LOST
                why = (
                    "refuses this statement of the change and does not log it"
                    if lost
                    else ("ends this statement of the change with an error, and logs it all the same")
                )
                problems.append(InputProblem("SC002", f"the source {why}: {error.message}", step.location))
                if failed.fate is Fate.WITH_ERROR and refused is None:
                    stop = on_replica(replica_end, failed, statement, step.location)
                    refused = _refused(step, stop, link, default) if stop is not None else None
                if failed.fate is not Fate.REWRITTEN:
                    continue
                event = failed.event
            problems += found
            if step.unlogged:
                continue
            if (why := unlisted_program(statement, replica_end, event)) and error is None:
                problems.append(InputProblem("SC004", why, step.location))
            if refused is not None:
                refused = replace(refused, behind=refused.behind + 1)
                if refused.error is None and refused.rows is None and not refused.differs:
                    refused = replace(refused, rows=_left_rows(statement, replica_end, event, link))
                continue
            if unknown_number(link):
                unknown = server_error("unknown-charset-number", link.replica, default, "")
                refused = _refused(step, unknown, link, default)
                continue
            told = names_charset(
                step.sql, ansi_quotes="ANSI_QUOTES" in link.source.sql_mode, backslash=link.source.backslash
            )
            made = _made_of_rows(statement, step, link, default)
            if skips_statements(link) and not told:
                refused = _refused(step, None, link, default)
                refused = replace(refused, rows=_left_rows(statement, replica_end, event, link))
                if made is not None and replica_end.lacks(statement.refs[0], event):
                    missing = server_error("no-such-table", link.replica, *made)
                    refused = replace(refused, rows=_UNREAD if _old_rows(link) else missing)
                continue
            if made is not None and _starts_transaction(link):
                error = server_error("syntax-error", link.replica, default, "")
            elif made is not None:
                if link.replica.has(_ATOMIC) and not link.source.has(_ATOMIC):
                    empty = replace(_refused(step, _EMPTY, link, default), some=True)
                error = replica_end.make(event, made, source_end, quiet=statement.conditional)
                if error is None and _old_rows(link):
                    error = _UNREAD
            else:
                why = unlisted(statement, replica_end, event)
                found, error = replica_end.run(event, step.location)
                problems += [one for one in found if one not in problems]
                if error is None and replica_end.check.executed and object_of([*step.words]) not in _TABLES:
                    error, doubt = _in_dialect(step.sql, link, default)
                    why = why or doubt
                if why and error is None and replica_end.check.executed:
                    problems.append(InputProblem("SC004", why, step.location))
            if error is not None:
                message = error.message.replace(event.query, step.sql)
                refused = _refused(step, replace(error, message=message), link, default)
            elif isinstance(statement.definition, AlterTable):
                behind = source_end.table(event, statement.definition)
                if why := other_rows(statement.definition, before[0], behind, before[1]):
                    differing.append(_refused(step, None, link, default, differs=why))
        base = Schema(tuple(source_end.tables.tables.values()))
    return Replayed(
        source_end.schema(source),
        replica_end.schema(replica),
        refused or empty,
        tuple(problems),
        tuple(differing),
    )


def _in_dialect(text: str, link: Link, default: str) -> tuple[ServerError | None, str]:
    """The error of a statement about no table whose words the replica's parser does not know; or why it is
    not known whether it takes them.
    """
    found = dialect.foreign(text, link.replica)
    if found is None:
        return None, ""
    if found.number == _SYNTAX and dialect.foreign(text, link.source) is None:
        return server_error("syntax-error", link.replica, default, ""), ""
    return (
        None,
        f"{link.replica} may not know {found.name}: `schemacheck link --statements` says what is known",
    )


def _does_nothing(statement: Statement, source: End, event: Query) -> bool:
    """Whether CREATE TABLE IF NOT EXISTS finds its name taken and is not logged: MariaDB logs none of them,
    MySQL those without a query (asked of four servers).
    """
    create = statement.verb.startswith("create-table") and not statement.temporary
    silent = source.server.mariadb or statement.verb == "create-table-select"
    return create and silent and not source.lacks(statement.refs[0], event)


def _made_of_rows(statement: Statement, step: Step, link: Link, default: str) -> tuple[str, str] | None:
    """The table of CREATE TABLE ... SELECT where the source logs its columns and rows, not the query."""
    if link.binlog_format != "ROW" or statement.verb != "create-table-select" or statement.temporary:
        return None
    return statement.refs[0].database or step.database or default, statement.refs[0].name


def _old_rows(link: Link) -> bool:
    """Whether the replica does not know the source's row events."""
    return link.source.has("row-events-v1") and link.replica.has(_NO_V1)


def _starts_transaction(link: Link) -> bool:
    """Whether such a CREATE TABLE has words that the replica does not read (recorded: 9.7 to MariaDB)."""
    return link.source.has(_ATOMIC) and not link.replica.has("ddl-start-transaction")


def _defines(step: Step) -> bool:
    return step.words[:1] in _DEFINES or step.words[:2] in _ACCOUNTS


def _left_out(step: Step) -> list[InputProblem]:
    """Statements that define nothing: SET and USE have had their effect, rows are decided by the tables."""
    words = step.words
    if not words or words[0] == "USE" or (words[0] == "SET" and words[1:2] != ("STATEMENT",)):
        return []
    if words[0] in _RUN_OTHERS or words[0] == "SET":
        why = f"{words[0]} runs another statement, which is not followed here: write that one itself"
        return [InputProblem("SC002", why, step.location)]
    if words[0] not in (*_WRITES, *_KEEPS, *UNREPLICATED):
        return [InputProblem("SC004", unknown_verb(words[0]), step.location)]
    what = "what its rows do is decided for the tables as a whole"
    why = f"{words[0]} is no definition: {what if words[0] in _WRITES else 'it is not looked at'}"
    return [InputProblem("SC004", why, step.location, skipped=True)]


def _event(step: Step, default: str) -> Query:
    """The statement as the source logs it, with its session's variables."""
    server = step.server
    status = b""
    if server is not None:
        if server.setting("foreign_key_checks").upper() in ("OFF", "0"):
            status += b"\0" + NO_FOREIGN_KEY_CHECKS.to_bytes(4, "little")
        status += b"\1" + _modes(server).to_bytes(8, "little")
    header = Header(0, 0, 2, 1, 0, 0, 0)
    return Query(header, 1, 0, 0, step.database or default, step.sql, status)


def _modes(server: Server) -> int:
    return sum(1 << bit for bit, name in SQL_MODES.items() if name in server.sql_mode)


def _left_rows(statement: Statement, replica_end: End, event: Query, link: Link) -> ServerError | None:
    """The error of rows logged behind a TRUNCATE that is passed over: they meet those that stay (5.6.24)."""
    if statement.verb != "truncate":
        return None
    ref = statement.refs[0]
    home = ref.database or event.database
    table = replica_end.tables.get(home, ref.name)
    if table is None or not any(key.unique for key in table.keys):
        return None
    return server_error("duplicate-key", link.replica, home, ref.name, event="Write_rows", key=ANY)


def _refused(
    step: Step, error: ServerError | None, link: Link, default: str, *, differs: str = ""
) -> RefusedStatement:
    statement = parse(step.sql, link.source)
    names = [(ref.database, ref.name) for ref in statement.refs]
    names += [old for old, _ in statement.renames]
    database, table = names[0] if names else (None, "")
    if error is not None and statement.verb in _REWRITTEN:
        error = replace(error, message=error.message.replace(f"Query: '{step.sql}'", "Query: '...'"))
    database = database or step.database or default
    return RefusedStatement(
        step.sql, step.location, None if database == UNNAMED else database, table, error, link.replica,
        differs=differs,
    )  # fmt: skip
