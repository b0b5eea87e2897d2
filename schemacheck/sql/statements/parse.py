"""From a statement's text to its typed value, and from a script to its statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from schemacheck.dataclass import replace
from schemacheck.model.server import Server
from schemacheck.sql import assignment
from schemacheck.sql.lexer import Refused, Tokens, tokens_of
from schemacheck.sql.routine import Body
from schemacheck.sql.script import statements
from schemacheck.sql.statements import account, definition, dml, replication
from schemacheck.sql.statements.names import find, name, names, rest, skip
from schemacheck.sql.statements.value import (
    PrepareStatement,
    Ref,
    SetStatement,
    Statement,
    TransactionStatement,
    UseStatement,
)
from schemacheck.sql.versioned_comment import interpret
from schemacheck.sql.words import ROUTINES, first_words, object_of

_DML = {"INSERT", "REPLACE", "UPDATE", "DELETE", "LOAD", "WITH", "SELECT", "DO", "(", "VALUES"}
#: Heads of statements that no server writes to its binary log.
_NOT_LOGGED = {
    "SHOW", "EXPLAIN", "DESCRIBE", "DESC", "HELP", "KILL", "HANDLER", "CHECK", "CHECKSUM", "DEALLOCATE",
    "CACHE", "RESET", "PURGE", "CHANGE", "START",
    "STOP", "BINLOG", "GET", "SIGNAL", "RESIGNAL", "DIAGNOSTICS", "DECLARE", "FETCH", "OPEN", "CLOSE",
    "LEAVE", "ITERATE", "CLONE", "RESTART", "SHUTDOWN",
    "IMPORT", "TABLE", "INSTALL", "UNINSTALL", "BACKUP",
}  # fmt: skip
_MAINTENANCE = {"ANALYZE": "analyze", "OPTIMIZE": "optimize", "REPAIR": "repair"}
#: What MariaDB's ANALYZE runs.
_ANALYSED = {"INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "SELECT", "("}
_FLUSH_NOT_LOGGED = {
    "LOGS", "BINARY", "ENGINE", "ERROR", "GENERAL", "SLOW", "RELAY", "MASTER", "SLAVE", "REPLICA", "GTID",
}  # fmt: skip
_XA = {
    "START": "start", "BEGIN": "start", "END": "end", "PREPARE": "prepare", "COMMIT": "commit",
    "ROLLBACK": "rollback",
}  # fmt: skip


#: Whose grammar reads a statement where nobody says which server runs it.
ANY = Server.parse("mysql-9.7")


def parse_script(text: str, server: Server = ANY) -> tuple[Statement, ...]:
    """All statements of a script, as the client of this server cuts it and the server reads them."""
    return tuple(_statements(text, server))


def _statements(text: str, server: Server) -> Iterator[Statement]:
    #: A routine whose statements come one by one, because no DELIMITER was given.
    routine: Body | None = None
    for cut in statements(text, lambda: server):
        if cut.command is not None:
            if cut.command.name == "use":
                yield UseStatement(cut.text, "use", start=cut.start, database=cut.command.argument or "")
                continue
            problem = f"the client runs a command of its own here: {cut.text[:60]!r}"
            yield Statement(cut.text, "unknown", problems=(problem,), start=cut.start)
            continue
        if routine is None:
            words = first_words(interpret(cut.text, server))
            if words[:1] == ["CREATE"] and object_of(words) in ROUTINES and not cut.whole:
                routine = Body(cut)
        if routine is not None:
            if routine.feed(cut.text, backslash=server.backslash):
                continue
            start = routine.statement.start
            yield replace(parse(text[start : cut.start + len(cut.text)], server), start=start)
            routine = None
            continue
        if (statement := _read(cut.text, server)) is not None:
            yield replace(statement, start=cut.start)
    if routine is not None:
        problem = "the body of this routine is not closed"
        yield Statement(routine.statement.text, "unknown", problems=(problem,), start=routine.statement.start)


def parse(text: str, server: Server = ANY) -> Statement:
    """One statement. What is not understood has the verb `unknown` and a problem that says so."""
    statement = _read(text, server)
    return (
        Statement(text, "unknown", problems=("there is no statement here",))
        if statement is None
        else statement
    )


@lru_cache(maxsize=8192)
def _read(text: str, server: Server) -> Statement | None:
    """The same; None where the text has no words."""
    try:
        tokens = tokens_of(interpret(text, server), server)
        return _parsed(tokens, text, server) if tokens.size else None
    except Refused as refused:
        return Statement(text, "unknown", problems=(f"{server} does not read it: {refused.message}",))


def _parsed(t: Tokens, text: str, server: Server) -> Statement:
    if (inner := _wrapped(t)) != "":
        if (t.peek(), t.peek(1)) == ("SET", "STATEMENT"):
            # One within the other could go on as long as the text does.
            return Statement(text, "unknown", problems=("SET STATEMENT within SET STATEMENT",))
        return replace(statement := parse(inner, server), text=text, inner=statement.inner or inner)
    head = t.peek()
    if head in _DML:
        return dml.parse(t, text)
    found_here = None
    if head in ("CREATE", "ALTER", "DROP", "TRUNCATE", "RENAME"):
        found_here = definition.parse(t, text, server, lambda inner: parse(inner, server))
    if found_here is None and head in ("CREATE", "ALTER", "DROP", "RENAME", "GRANT", "REVOKE", "SET"):
        found_here = account.parse(t, text)
    if found_here is not None:
        return found_here
    t.at = 1
    reader = _READERS.get(head)
    if reader is not None:
        return reader(t, text, server)
    if head in _NOT_LOGGED:
        return Statement(text, "not-logged")
    return Statement(text, "unknown", problems=(f"no statement that is known here: {text[:60]!r}",))


def _wrapped(t: Tokens) -> str:
    """The statement that MariaDB runs in `ANALYZE [FORMAT=...] statement` and `SET STATEMENT ... FOR
    statement`; '' for any other.

    Both are logged as they are written, or as rows (recorded on 10.11 and 11.8).
    """
    at, t.at = t.at, 0
    if t.take("ANALYZE"):
        if t.take("FORMAT", "="):
            t.at += 1
        if t.peek() in _ANALYSED:
            return rest(t)
    elif t.take("SET", "STATEMENT") and find(t, "FOR"):
        return rest(t)
    t.at = at
    return ""


# -- what is neither a definition nor data manipulation: maintenance, transactions, the session ----------


def _maintenance(t: Tokens, text: str, _: Server) -> Statement:
    verb = _MAINTENANCE[t.words[0]]
    local = skip(t, "NO_WRITE_TO_BINLOG", "LOCAL")
    if t.take_any("TABLE", "TABLES") is None:
        return Statement(text, "not-logged")
    refs = tuple(Ref(*table_name, updated=True) for table_name in names(t))
    return Statement(text, "not-logged" if local else verb, refs)


def _flush(t: Tokens, text: str, _: Server) -> Statement:
    local = skip(t, "NO_WRITE_TO_BINLOG", "LOCAL")
    if local or t.peek() in _FLUSH_NOT_LOGGED:
        return Statement(text, "not-logged")
    if t.take_any("TABLES", "TABLE") is None:
        return Statement(text, "flush")
    refs = () if t.peek() == "WITH" else tuple(Ref(*table_name, updated=True) for table_name in names(t))
    if t.peek() == "WITH" or (refs and t.peek() == "FOR"):
        return Statement(text, "not-logged", refs)
    return Statement(text, "flush-tables" if refs else "flush", refs)


def _call(t: Tokens, text: str, _: Server) -> Statement:
    called = name(t)
    return Statement(text, "call", calls=(called,) if called else ())


def _begin(t: Tokens, text: str, _: Server) -> Statement:
    if t.words[0] == "START" and t.peek() != "TRANSACTION":
        return Statement(text, "not-logged")
    return TransactionStatement(text, "begin")


def _commit(_t: Tokens, text: str, _: Server) -> Statement:
    return TransactionStatement(text, "commit")


def _rollback(t: Tokens, text: str, _: Server) -> Statement:
    skip(t, "WORK")
    if not t.take("TO"):
        return TransactionStatement(text, "rollback")
    skip(t, "SAVEPOINT")
    return TransactionStatement(text, "rollback-to")


def _savepoint(t: Tokens, text: str, _: Server) -> Statement:
    if t.words[0] == "SAVEPOINT":
        return TransactionStatement(text, "savepoint")
    return TransactionStatement(text, "release")


def _xa(t: Tokens, text: str, _: Server) -> Statement:
    verb = _XA.get(t.peek())
    if verb is None:
        return Statement(text, "not-logged")
    return TransactionStatement(text, f"xa-{verb}")


def _use(t: Tokens, text: str, _: Server) -> Statement:
    return UseStatement(text, "use", database=_word(t))


def _prepare(t: Tokens, text: str, server: Server) -> Statement:
    called = _word(t)
    t.take("FROM")
    if not t.is_string():
        problem = "the prepared text is in a variable"
        return PrepareStatement(text, "prepare", problems=(problem,), name=called)
    return PrepareStatement(text, "prepare", name=called, prepared=parse(t.string(), server))


def _execute(t: Tokens, text: str, server: Server) -> Statement:
    if not t.take("IMMEDIATE"):
        return PrepareStatement(text, "execute", name=_word(t))
    if t.is_string():
        return parse(t.string(), server)
    problem = "the statement that EXECUTE IMMEDIATE runs is not in the text"
    return Statement(text, "unknown", problems=(problem,))


def _lock(t: Tokens, text: str, _: Server) -> Statement:
    return Statement(text, t.words[0].lower())


def _set(t: Tokens, text: str, _: Server) -> Statement:
    t.at = 0
    if not assignment.is_set_of_variables(t):
        return SetStatement(text, "set")
    assignments, (charset, collation) = assignment.set_variables(t)
    calls = dml.query(t, 1, text, before="SELECT ").calls if "(" in t.words else ()
    return SetStatement(
        text, "set", calls=calls, assignments=assignments, charset=charset, collation=collation
    )


def _change(t: Tokens, text: str, _: Server) -> Statement:
    return replication.parse(t, text) or Statement(text, "not-logged")


def _word(t: Tokens) -> str:
    table_name = name(t)
    return table_name[1] if table_name else ""


_READERS: dict[str, Callable[[Tokens, str, Server], Statement]] = {
    **dict.fromkeys(_MAINTENANCE, _maintenance),
    "FLUSH": _flush,
    "CALL": _call,
    "BEGIN": _begin,
    "START": _begin,
    "COMMIT": _commit,
    "ROLLBACK": _rollback,
    "SAVEPOINT": _savepoint,
    "RELEASE": _savepoint,
    "XA": _xa,
    "USE": _use,
    "PREPARE": _prepare,
    "EXECUTE": _execute,
    "LOCK": _lock,
    "UNLOCK": _lock,
    "SET": _set,
    "CHANGE": _change,
}
