"""From text to `Statement`: which tables a statement updates and which it only reads."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from schemacheck.filters.sql import account, definition, dml
from schemacheck.filters.sql.lexer import Cursor, split
from schemacheck.filters.sql.statement import Ref, Statement
from schemacheck.model.server import Server

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
    "LOGS",
    "BINARY",
    "ENGINE",
    "ERROR",
    "GENERAL",
    "SLOW",
    "RELAY",
    "MASTER",
    "SLAVE",
    "REPLICA",
    "GTID",
}


#: Whose grammar reads a statement where nobody says which server runs it.
ANY = Server.parse("mysql-9.7")


def script(text: str, server: Server = ANY) -> tuple[Statement, ...]:
    """All statements of a script, in order, as this server reads them."""
    return tuple(analyse(part, server) for part in split(text))


@lru_cache(maxsize=8192)
def analyse(text: str, server: Server = ANY) -> Statement:
    """One statement. What is not understood has the verb `unknown` and a problem that says so."""
    inner = unwrapped(text)
    if inner != text:
        return replace(analyse(inner, server), text=text, wrapped=True)
    cursor = Cursor(text)
    head = cursor.peek()
    if head in _DML:
        return dml.analyse(text)
    found = (
        definition.analyse(cursor, server)
        if head in ("CREATE", "ALTER", "DROP", "TRUNCATE", "RENAME")
        else None
    )
    if found is None and head in ("CREATE", "ALTER", "DROP", "RENAME", "GRANT", "REVOKE", "SET"):
        found = account.analyse(cursor)
    if found is None:
        found = _other(cursor, head, server)
    return found


def unwrapped(text: str) -> str:
    """The statement that MariaDB runs in `ANALYZE [FORMAT=...] statement` and `SET STATEMENT ... FOR
    statement`; any other as it is.

    Both are logged as they are written, or as rows (recorded on 10.11 and 11.8).
    """
    cursor = Cursor(text)
    if cursor.take("ANALYZE"):
        if cursor.take("FORMAT", "="):
            cursor.at += 1
        return cursor.rest() if cursor.peek() in _ANALYSED else text
    if cursor.take("SET", "STATEMENT") and cursor.find("FOR"):
        return unwrapped(cursor.rest())
    return text


def _other(cursor: Cursor, head: str, server: Server) -> Statement:
    """Maintenance, FLUSH, CALL, transactions, XA and what concerns the session alone."""
    text = cursor.text
    cursor.at = 1
    if head in _MAINTENANCE:
        local = cursor.skip("NO_WRITE_TO_BINLOG", "LOCAL")
        if not cursor.take("TABLE") and not cursor.take("TABLES"):
            return Statement(text, "not-logged")
        refs = tuple(Ref(d, n, updated=True) for d, n in cursor.names())
        return Statement(text, "not-logged" if local else _MAINTENANCE[head], refs)
    if head == "FLUSH":
        return _flush(cursor)
    if head == "CALL":
        name = cursor.name()
        return Statement(text, "call", calls=(name,) if name else ())
    if head == "BEGIN" or (head == "START" and cursor.peek() == "TRANSACTION"):
        return Statement(text, "begin")
    if head == "COMMIT":
        return Statement(text, "commit")
    if head == "ROLLBACK":
        cursor.skip("WORK")
        if not cursor.take("TO"):
            return Statement(text, "rollback")
        cursor.skip("SAVEPOINT")
        return Statement(text, "rollback-to", argument=_word(cursor))
    if head in ("SAVEPOINT", "RELEASE"):
        return Statement(text, "savepoint" if head == "SAVEPOINT" else "release", argument=_word(cursor))
    if head == "XA":
        return _xa(cursor)
    if head == "USE":
        name = cursor.name()
        return Statement(text, "use", argument=name[1] if name else "")
    if head == "PREPARE":
        name = cursor.name()
        cursor.take("FROM")
        quoted = cursor.items[cursor.at].text if not cursor.done else ""
        inner = (
            analyse(quoted[1:-1].replace(quoted[0] * 2, quoted[0]), server)
            if quoted[:1] in ("'", '"')
            else None
        )
        problems = () if inner else ("the prepared text is in a variable",)
        return Statement(
            text,
            "prepare",
            argument=name[1] if name else "",
            body=(inner,) if inner else (),
            problems=problems,
        )
    if head == "EXECUTE":
        if cursor.take("IMMEDIATE"):
            quoted = cursor.items[cursor.at].text if not cursor.done else ""
            if quoted[:1] in ("'", '"'):
                return analyse(quoted[1:-1], server)
            return Statement(
                text, "unknown", problems=("the statement that EXECUTE IMMEDIATE runs is not in the text",)
            )
        name = cursor.name()
        return Statement(text, "execute", argument=name[1] if name else "")
    if head in ("LOCK", "UNLOCK"):
        return Statement(text, "lock" if head == "LOCK" else "unlock")
    if head == "SET":
        autocommit = (
            "".join(t.text.lower() for t in cursor.items[1:])
            .replace("session", "")
            .replace("@@", "")
            .replace(".", "")
        )
        argument = autocommit if autocommit.startswith(("autocommit=", "binlog_format=")) else ""
        calls = dml.analyse(f"SELECT {cursor.rest()}").calls if "(" in text else ()
        return Statement(text, "set", argument=argument, calls=calls)
    if head in _NOT_LOGGED:
        return Statement(text, "not-logged")
    return Statement(text, "unknown", problems=(f"no statement that is known here: {text[:60]!r}",))


def _word(cursor: Cursor) -> str:
    name = cursor.name()
    return name[1] if name else ""


def _flush(cursor: Cursor) -> Statement:
    text = cursor.text
    local = cursor.skip("NO_WRITE_TO_BINLOG", "LOCAL")
    if local or cursor.peek() in _FLUSH_NOT_LOGGED:
        return Statement(text, "not-logged")
    if cursor.take("TABLES") or cursor.take("TABLE"):
        if cursor.peek() in ("WITH", ""):
            return Statement(text, "not-logged" if cursor.peek() == "WITH" else "flush")
        refs = tuple(Ref(d, n, updated=True) for d, n in cursor.names())
        return Statement(text, "not-logged" if cursor.peek() in ("WITH", "FOR") else "flush-tables", refs)
    return Statement(text, "flush")


def _xa(cursor: Cursor) -> Statement:
    verb = {
        "START": "start",
        "BEGIN": "start",
        "END": "end",
        "PREPARE": "prepare",
        "COMMIT": "commit",
        "ROLLBACK": "rollback",
    }.get(cursor.peek())
    if verb is None:
        return Statement(cursor.text, "not-logged")
    words = [token.upper for token in cursor.items]
    return Statement(cursor.text, f"xa-{verb}", conditional="PHASE" in words)
