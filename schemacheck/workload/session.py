"""SET in a script: which statements are followed, and what they make of the session."""

from __future__ import annotations

import re

from schemacheck import knowledge
from schemacheck.knowledge import characters
from schemacheck.link.session import Session, takes_zone
from schemacheck.model import Server, charset
from schemacheck.sql.assignment import Assignment, Literal, Word
from schemacheck.sql.statements import Statement
from schemacheck.sql.statements.value import SetStatement

_SWITCH = frozenset({"0", "1", "ON", "OFF"})
#: At the other levels MIXED logs rows.
_ISOLATION = frozenset({"REPEATABLE-READ", "SERIALIZABLE"})
#: Variables of a session that are followed, with their values where not every value is.
_VARIABLES: dict[str, frozenset[str]] = {
    "autocommit": _SWITCH,
    "binlog_format": frozenset({"ROW", "STATEMENT", "MIXED"}),
    "binlog_row_value_options": frozenset(),
    "binlog_transaction_compression": _SWITCH,
    "character_set_client": frozenset(),
    "collation_connection": frozenset(),
    "foreign_key_checks": _SWITCH,
    "innodb_lock_wait_timeout": frozenset(),
    "lc_messages": frozenset(),
    "log_bin_compress": _SWITCH,
    "sql_log_off": _SWITCH,
    "sql_mode": frozenset(),
    "sql_quote_show_create": _SWITCH,
    "sql_safe_updates": frozenset({"0", "OFF"}),
    "sql_warnings": _SWITCH,
    "time_zone": frozenset(),
    "transaction_isolation": _ISOLATION,
    "tx_isolation": _ISOLATION,
    "unique_checks": _SWITCH,
}
_FLUSHES = re.compile(r"FLUSH( LOCAL| NO_WRITE_TO_BINLOG)? (BINARY LOGS|LOGS|PRIVILEGES|STATUS|TABLES)")
#: What begins and ends a transaction, or a part of it.
TRANSACTION = re.compile(
    r"(BEGIN|COMMIT|ROLLBACK)( WORK)?|START TRANSACTION( WITH CONSISTENT SNAPSHOT| READ WRITE)?|SAVEPOINT \w+"
    r"|RELEASE SAVEPOINT \w+|ROLLBACK( WORK)? TO( SAVEPOINT)? \w+",
    re.IGNORECASE,
)
#: Words of sql_mode under which a script is cut in another way, or that stand for several others.
_CUTTING = frozenset((
    "ANSI", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "ORACLE", "MSSQL", "DB2", "MAXDB", "POSTGRESQL",
    "TRADITIONAL",
))  # fmt: skip


def take(session: Session, statement: SetStatement) -> str:
    """Run a SET in the session: why it is not followed; '' where it is."""
    source = session.source
    named = characters.split(statement.text)[1:2]
    if bool(statement.assignments) == bool(statement.charset) or (
        statement.charset and characters.upper(named[0]) != "NAMES"
    ):
        return f"statements of this kind are not followed: {statement.text.strip()[:60]!r}"
    whys = (_unknown(assignment, source) for assignment in statement.assignments)
    if why := _charset(source, statement.charset, statement.collation) or next(filter(None, whys), ""):
        return why
    if statement.charset:
        session.named(statement.charset, statement.collation)
    for assignment in statement.assignments:
        assert isinstance(assignment.value, Literal | Word)
        if assignment.user:
            text = isinstance(assignment.value, Literal) and assignment.value.quoted
            session.users[assignment.name[-1].casefold()] = session.connection if text else None
        else:
            session.set(assignment.name[-1].lower(), assignment.value.text)
    return ""


def _unknown(assignment: Assignment, source: Server) -> str:
    name = assignment.name[-1].lower()
    if assignment.scope.upper() not in ("", "SESSION", "LOCAL"):
        return f"SET {assignment.scope} changes more than the session, which is not followed"
    if not isinstance(assignment.value, Literal | Word) or assignment.value.text.upper() in (
        "DEFAULT",
        "NULL",
    ):
        return f"the value of {name} is not written as a plain word, number or string"
    if assignment.user:
        return ""
    if name not in _VARIABLES:
        return f"what the session's {name} changes is not followed"
    text = assignment.value.text
    words = {word.strip().upper() for word in text.split(",")}
    if _VARIABLES[name] and not words <= _VARIABLES[name]:
        return f"{name} = {text} is not written as one of {', '.join(sorted(_VARIABLES[name]))}"
    if name == "sql_mode" and (words & _CUTTING or text.isdigit()):
        return f"sql_mode = {text} changes how the script is cut, or is a combination of modes"
    gone = name == "sql_mode" and words & set(knowledge.load("links")["modes_gone"])
    if (gone and source.has("data-dictionary")) or (
        name == "time_zone" and takes_zone(source, text) is False
    ):
        return f"{source} itself seems to refuse {name} = {text}"
    return _charset(
        source, text if name == "character_set_client" else "", text if name == "collation_connection" else ""
    )


def _charset(source: Server, name: str, collation: str) -> str:
    if name and not charset.has_charset(charset.canonical(name), source.has):
        return f"{source} has no character set {name}"
    if collation and not charset.has_collation(charset.canonical_collation(collation), source.has):
        return f"{source} has no collation {collation}"
    return ""


def savepoints(points: list[str], statement: Statement) -> list[str] | None:
    """A transaction's savepoints behind this statement about one; None where the source has none (1305)."""
    name = statement.text.split()[-1].casefold()
    if statement.verb == "savepoint":
        return [*(point for point in points if point != name), name]
    if name not in points:
        return None
    return points[: points.index(name) + (statement.verb == "rollback-to")]


def is_upkeep(statement: Statement) -> bool:
    """Whether it is of a recorded form: maintenance of tables, a plain FLUSH."""
    words = " ".join(statement.text.upper().split())
    if not words.startswith("FLUSH"):
        return " TABLE" in words and "USE_FRM" not in words
    return _FLUSHES.fullmatch(words) is not None
