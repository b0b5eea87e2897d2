"""Statements on accounts: which grant tables they write, and the table that a GRANT names."""

from __future__ import annotations

from schemacheck.dataclass import replace
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.statements.names import find, name, skip
from schemacheck.sql.statements.value import AccountStatement, Ref, Statement

#: Privileges that may be granted on columns.
_OF_COLUMNS = frozenset(("ALL", "SELECT", "INSERT", "UPDATE", "REFERENCES"))


def parse(t: Tokens, text: str) -> Statement | None:
    """An account statement, or None where it is none."""
    t.at = 0
    head = t.take_any("GRANT", "REVOKE", "SET", "CREATE", "ALTER", "DROP", "RENAME")
    if head is None:
        return None
    if head in ("GRANT", "REVOKE"):
        return _grant(t, text, head.lower())
    if head == "SET":
        if t.take("PASSWORD"):
            return AccountStatement(text, "set-password", scope="password")
        if t.take("DEFAULT", "ROLE"):
            return AccountStatement(text, "alter-user", scope="password")
        return None
    skip(t, "OR", "REPLACE")
    thing = t.take_any("USER", "ROLE")
    if thing is None:
        return None
    conditional = t.take("IF", "NOT", "EXISTS") or t.take("IF", "EXISTS")
    scope = "password" if head == "ALTER" else "user"
    verb = f"{head.lower()}-{thing.lower()}"
    return AccountStatement(text, verb, conditional=conditional, scope=scope, accounts=_accounts(t))


def _accounts(t: Tokens) -> tuple[str, ...]:
    """Accounts between commas, as `'user'@'host'`; the host is % where none is named."""
    accounts = []
    while not t.end:
        user = _text(t)
        if user is None:
            break
        accounts.append(f"'{user}'@'{_host(t)}'")
        while not t.end and t.peek() != ",":
            if t.peek() == "(":
                t.skip_parentheses()
            else:
                t.at += 1
        if not t.take(","):
            break
    return tuple(accounts)


def _text(t: Tokens) -> str | None:
    """A name, in quotes of any kind or without."""
    if t.is_string():
        return t.one_string()
    if not t.is_name():
        return None
    t.at += 1
    return t.name_at(t.at - 1)


def _host(t: Tokens) -> str:
    """What is behind the @; without quotes it goes up to a blank, with its dots."""
    if not t.take("@") or t.end:
        return "%"
    host = _text(t) or ""
    while t.peek() == "." and t.starts[t.at] == t.last_end():
        t.at += 1
        host += "." + (_text(t) or "")
    return host or "%"


def _grant(t: Tokens, text: str, verb: str) -> Statement:
    statement = _level(t, text, verb)
    t.at = 0
    find(t, "TO" if verb == "grant" else "FROM")
    return replace(statement, accounts=_accounts(t)) if isinstance(statement, AccountStatement) else statement


def _level(t: Tokens, text: str, verb: str) -> Statement:
    if t.take("PROXY"):
        return AccountStatement(text, verb, scope="proxy")
    everything = t.peek() == "ALL"
    # REVOKE of what columns may have too opens their grants with those of the table (mysql_table_grant).
    columns = verb == "revoke" and t.peek() in _OF_COLUMNS
    while not t.end and t.peek() not in ("ON", "TO", "FROM"):
        columns |= t.peek() == "(" or (verb == "revoke" and t.peek(-1) == "," and t.peek() in _OF_COLUMNS)
        t.at += 1
    if not t.take("ON"):
        return AccountStatement(text, verb, scope="user" if everything else "role")
    if t.take_any("FUNCTION", "PROCEDURE", "PACKAGE"):
        skip(t, "BODY")
        routine = name(t)
        # The parser puts the routine into the table list, so the table rules are asked about it (recorded on
        # three servers).
        refs = (Ref(*routine, updated=True),) if routine else ()
        return AccountStatement(text, verb, refs, scope="routine")
    skip(t, "TABLE")
    if t.take("*"):
        return AccountStatement(text, verb, scope="global" if t.peek() == "." else "db")
    if t.is_name() and t.peek(1) == "." and t.peek(2) == "*":
        return AccountStatement(text, verb, scope="db", database=t.name())
    table = name(t)
    if table is None:
        return Statement(text, "unknown", problems=(f"no object is named in {text[:60]!r}",))
    return AccountStatement(text, verb, (Ref(*table, updated=True),), scope="column" if columns else "table")
