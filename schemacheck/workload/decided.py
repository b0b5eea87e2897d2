"""Which statements of anybody's file the model of workloads decides; of all others it says why not.

The model was made on recorded workloads, and takes a statement of which it knows nothing for one that is not
logged. So what is not on the lists here is not decided.
"""

from __future__ import annotations

from schemacheck.link import dialect
from schemacheck.model import Server, charset
from schemacheck.model.table import TableKind
from schemacheck.sql.assignment import Literal, Word
from schemacheck.sql.statements import Statement, parse
from schemacheck.sql.statements.value import DataStatement, DefinitionStatement, SetStatement, UseStatement
from schemacheck.workload import as_definition, events, fired
from schemacheck.workload.definitions import Tables
from schemacheck.workload.state import Workload

_CHANGES = frozenset({"insert", "replace", "update", "delete"})
_TABLES = frozenset(
    {
        "create-table",
        "create-table-like",
        "alter-table",
        "create-index",
        "drop-index",
        "drop-table",
        "truncate",
    }
)
_TRANSACTION = frozenset({"begin", "commit", "rollback"})
#: Variables of a session that the model follows.
_VARIABLES = frozenset(
    {
        "binlog_format",
        "binlog_row_value_options",
        "binlog_transaction_compression",
        "character_set_client",
        "collation_connection",
        "div_precision_increment",
        "foreign_key_checks",
        "log_bin_compress",
        "sql_mode",
        "sql_require_primary_key",
        "time_zone",
        "transaction_isolation",
    }
)
#: Words of sql_mode under which a script is cut in another way, or that stand for several others.
_CUTTING = frozenset(
    {
        "ANSI",
        "ANSI_QUOTES",
        "NO_BACKSLASH_ESCAPES",
        "ORACLE",
        "MSSQL",
        "DB2",
        "MAXDB",
        "POSTGRESQL",
        "TRADITIONAL",
    }
)
_SWITCH = frozenset({"0", "1", "ON", "OFF"})
_VALUES = {
    "binlog_format": frozenset({"ROW", "STATEMENT", "MIXED"}),
    "binlog_transaction_compression": _SWITCH,
    "foreign_key_checks": _SWITCH,
    "log_bin_compress": _SWITCH,
    "sql_require_primary_key": _SWITCH,
}
_FILTERS = ("replicate_", "binlog_do_", "binlog_ignore_")


def of_link(work: Workload) -> str:
    """Why nothing can be said about any statement on this link; '': something can."""
    if work.ends.link.kind.cluster:
        return "statements are followed over ordinary replication, not within a cluster"
    for server in (work.ends.source, work.server):
        for name, value in server.settings:
            if name.startswith(_FILTERS) and name != "replicate_same_server_id" and value:
                return f"{name} filters the statements, which is not followed here (schemacheck filter)"
    return ""


def undecided(work: Workload, text: str) -> str:
    """Why nothing can be said of the statement that comes, or, where `text` is '', of the whole; '':
    something can.
    """
    for end in (work.source, work.replica):
        if end.schema.problems:
            return f"a definition is not understood: {end.schema.problems[0].message}"
    if not text:
        if work.pending:
            return work.pending[0]
        return "a transaction is not ended" if work.waiting is not None else of_link(work)
    # Nobody knows which rows a change has met or left: every table may have some.
    work.filled |= {table.name.casefold() for table in work.source.schema.tables}
    statement = parse(text, work.ends.source)
    if statement.problems:
        return statement.problems[0]
    if statement.inner or any(mark in text for mark in ("/*!", "/*M!", "/*+")):
        return "versioned comments, hints, SET STATEMENT and ANALYZE are not followed"
    for ref in statement.refs:
        if (ref.database or work.home).casefold() != work.home.casefold():
            return f"{ref.written} is in another database than {work.home or 'the default one'}"
    if isinstance(statement, UseStatement):
        other = statement.database != work.home or not text.upper().startswith("USE ")
        return f"statements are followed in one database, {work.home}" if other else ""
    if isinstance(statement, SetStatement):
        return _set(work, statement)
    if statement.verb in _CHANGES:
        return _change(work, statement, text)
    if statement.verb in _TABLES:
        return _definition(work, statement, text)
    if isinstance(statement, DefinitionStatement) and statement.verb == "create-database":
        own = (statement.database or "").casefold() == work.home.casefold()
        return "" if own and as_definition.reads(text) else "statements are followed in one database"
    if statement.verb in _TRANSACTION:
        return (
            ""
            if text.upper() in ("BEGIN", "START TRANSACTION", "COMMIT", "ROLLBACK")
            else _unknown(statement)
        )
    return _unknown(statement)


def _unknown(statement: Statement) -> str:
    return f"statements of this kind are not followed: {statement.text.strip()[:60]!r}"


def _set(work: Workload, statement: SetStatement) -> str:
    if work.waiting is not None:
        return "SET within a transaction is not followed"
    odd = not statement.assignments if not statement.charset else bool(statement.assignments)
    plain_text = dialect.plain(statement.text)
    if odd or "`" in plain_text or any(mark in statement.text for mark in ("/*", "--", "#")):
        return _unknown(statement)
    if statement.charset and '"' in statement.text:
        return _unknown(statement)
    if why := _charset(work.ends.source, statement.charset, statement.collation):
        return why
    for one in statement.assignments:
        name = one.name[-1].lower()
        if one.scope.upper() not in ("", "SESSION", "LOCAL"):
            return f"SET {one.scope} changes more than the session, which is not followed"
        plain = isinstance(one.value, Literal | Word) and one.value.text.upper() not in ("DEFAULT", "NULL")
        if not plain:
            return f"the value of {name} is not written as a plain word, number or string"
        if not one.user and name not in _VARIABLES:
            return f"what the session's {name} changes is not followed"
        assert isinstance(one.value, Literal | Word)
        sets = one.value.text if name == "character_set_client" else ""
        collation = one.value.text if name == "collation_connection" else ""
        if why := _charset(work.ends.source, sets, collation):
            return why
        words = {word.strip().upper() for word in one.value.text.split(",")}
        if not one.user and not words <= _VALUES.get(name, words):
            return f"{name} = {one.value.text} is not written as one of {', '.join(sorted(_VALUES[name]))}"
        if name == "sql_mode" and (words & _CUTTING or one.value.text.isdigit()):
            return f"sql_mode = {one.value.text} changes how the script is cut, or is a combination of modes"
    return ""


def _charset(source: Server, name: str, collation: str) -> str:
    if name and not charset.has_charset(charset.canonical(name), source.has):
        return f"{source} has no character set {name}"
    if collation and not charset.has_collation(charset.canonical_collation(collation), source.has):
        return f"{source} has no collation {collation}"
    return ""


def _change(work: Workload, statement: Statement, text: str) -> str:
    for ref in statement.refs:
        table = work.source.table(ref.name)
        if table is None:
            return f"the definition of {ref.written} is not known: give it with --tables"
        if table.kind is not TableKind.TABLE or table.triggers:
            return f"{ref.written} is no plain table, or has triggers: what they do is not followed"
    if not statement.refs or statement.calls:
        return f"it names no table, or calls stored functions: {text[:60]!r}"
    source = work.ends.source
    updated = {ref.name.casefold() for ref in statement.updated}
    foreign = dialect.foreign(text, source) or dialect.foreign_function(text, source)
    if foreign or dialect.foreign_charset(text, source) or events.refused(work, updated, text):
        return f"{source} itself seems to refuse it"
    if not events.logged_as_rows(work, statement, text):
        several = isinstance(statement, DataStatement) and statement.updates_duplicates
        open_ = [why for why in statement.unsafe if not why.endswith("()")]
        if open_ or several or fired.counts(work, statement, []):
            return "it is logged as a statement and may change other rows on the replica"
    return ""


def _definition(work: Workload, statement: Statement, text: str) -> str:
    if work.waiting is not None:
        return "a definition ends the transaction in which it is, which is not followed"
    if not as_definition.reads(text):
        return _unknown(statement)
    if statement.temporary or statement.renames or "RENAME" in text.upper():
        return "temporary and renamed tables are not followed"
    source = work.ends.source.with_told(dict(work.session.variables))
    trial = Tables(work.source.schema, work.source.database)
    trouble = trial.run(text, source)
    if trouble is not None:
        return f"{work.ends.source} itself seems to refuse it: {trouble[1]}"
    return f"it is not understood: {trial.schema.problems[0].message}" if trial.schema.problems else ""
