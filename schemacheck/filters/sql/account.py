"""Statements on accounts: which grant tables they write, and the table that a GRANT names."""

from __future__ import annotations

from dataclasses import replace

from schemacheck.filters.sql.lexer import Cursor
from schemacheck.filters.sql.statement import Ref, Statement


def analyse(cursor: Cursor) -> Statement | None:
    """An account statement, or None where it is none."""
    cursor.at = 0
    text = cursor.text
    head = cursor.peek()
    cursor.at = 1
    if head in ("GRANT", "REVOKE"):
        return _grant(cursor, head.lower())
    if head == "SET":
        if cursor.take("PASSWORD"):
            return Statement(text, "set-password", scope="password")
        if cursor.take("DEFAULT", "ROLE"):
            return Statement(text, "alter-user", scope="password")
        return None
    cursor.skip("OR", "REPLACE")
    for thing in ("USER", "ROLE"):
        if cursor.take(thing):
            conditional = cursor.take("IF", "NOT", "EXISTS") or cursor.take("IF", "EXISTS")
            scope = "password" if head == "ALTER" else "user"
            return Statement(
                text,
                f"{head.lower()}-{thing.lower()}",
                scope=scope,
                conditional=conditional,
                accounts=_accounts(cursor),
            )
    return None


def _accounts(cursor: Cursor) -> tuple[str, ...]:
    """Accounts between commas, as `'user'@'host'`; the host is % where none is named."""
    found = []
    while not cursor.done:
        token = cursor.items[cursor.at]
        user = token.text[1:-1] if token.kind == "string" else token.name
        if user is None:
            break
        cursor.at += 1
        host = "%"
        if not cursor.done and cursor.items[cursor.at].kind == "variable":
            host = cursor.items[cursor.at].text[1:].strip("`")
            cursor.at += 1
        elif cursor.take("@") and not cursor.done:
            after = cursor.items[cursor.at]
            host = after.text[1:-1] if after.kind == "string" else after.name or "%"
            cursor.at += 1
        found.append(f"'{user}'@'{host}'")
        while not cursor.done and cursor.peek() not in (",", ""):
            cursor.at += 1
        if not cursor.take(","):
            break
    return tuple(found)


def _grant(cursor: Cursor, verb: str) -> Statement:
    """GRANT and REVOKE with the accounts that they name."""
    statement = _level(cursor, verb)
    cursor.at = 0
    cursor.find("TO" if verb == "grant" else "FROM")
    return replace(statement, accounts=_accounts(cursor))


def _level(cursor: Cursor, verb: str) -> Statement:
    """GRANT and REVOKE, by the level of what stands behind ON."""
    text = cursor.text
    if cursor.take("PROXY"):
        return Statement(text, verb, scope="proxy")
    columns = False
    start = cursor.at
    while not cursor.done and cursor.peek() not in ("ON", "TO", "FROM"):
        columns |= cursor.peek() == "("
        cursor.at += 1
    if not cursor.take("ON"):
        everything = start < len(cursor.items) and cursor.items[start].upper == "ALL"
        return Statement(text, verb, scope="user" if everything else "role")
    if cursor.peek() in ("FUNCTION", "PROCEDURE", "PACKAGE"):
        cursor.at += 1
        cursor.skip("BODY")
        routine = cursor.name()
        # the parser puts the routine into the table list, so the table rules are asked about it (recorded on
        # three servers)
        return Statement(text, verb, (Ref(*routine, updated=True),) if routine else (), scope="routine")
    cursor.skip("TABLE")
    if cursor.take("*"):
        return Statement(text, verb, scope="global" if cursor.peek() == "." else "db")
    first = cursor.items[cursor.at].name if not cursor.done else None
    if cursor.peek(1) == "." and cursor.peek(2) == "*":
        return Statement(text, verb, database=first, scope="db")
    name = cursor.name()
    if name is None:
        return Statement(text, "unknown", problems=(f"no object is named in {text[:60]!r}",))
    return Statement(text, verb, (Ref(*name, updated=True),), scope="column" if columns else "table")
