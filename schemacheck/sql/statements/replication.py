"""CHANGE REPLICATION FILTER, and the domains in MariaDB's CHANGE MASTER."""

from __future__ import annotations

from schemacheck.sql.cut import TokenType
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.statements.value import ChangeFilterStatement

_DOMAINS = ("DO_DOMAIN_IDS", "IGNORE_DOMAIN_IDS")


def parse(t: Tokens, text: str) -> ChangeFilterStatement | None:
    """The statement, or None where it sets no filter. Raises Refused."""
    t.at = 0
    if t.take("CHANGE", "REPLICATION", "FILTER"):
        return _filters(t, text)
    return _domains(t, text) if t.take("CHANGE", "MASTER") else None


def _filters(t: Tokens, text: str) -> ChangeFilterStatement:
    filters: list[tuple[str, tuple[str, ...]]] = []
    while not t.end and t.peek() != "FOR":
        option, at = t.peek(), t.at
        t.at += 1
        if not t.take("=", "("):
            t.at = at
            raise t.fail("a filter and its list of values are expected")
        filters.append((option, _pairs(t) if option == "REPLICATE_REWRITE_DB" else _items(t)))
        t.take(",")
    channel = _text(t) if t.take("FOR", "CHANNEL") and not t.end else ""
    return ChangeFilterStatement(text, "not-logged", filters=tuple(filters), channel=channel)


def _domains(t: Tokens, text: str) -> ChangeFilterStatement | None:
    channel = t.one_string() if t.is_string() else ""
    filters = []
    while not t.end:
        option = t.take_any(*_DOMAINS)
        if option is None:
            t.at += 1
            continue
        t.need("=")
        t.need("(")
        filters.append((option, _items(t)))
    return (
        ChangeFilterStatement(text, "not-logged", filters=tuple(filters), channel=channel)
        if filters
        else None
    )


def _text(t: Tokens) -> str:
    """One word: a string's value, a name without its quotes, anything else as it is."""
    t.at += 1
    kind = t.kinds[t.at - 1]
    if kind is TokenType.STRING:
        return t.items[t.at - 1].text
    return t.name_at(t.at - 1) if kind is TokenType.IDENTIFIER else t.raw(t.at - 1)


def _items(t: Tokens) -> tuple[str, ...]:
    """Names, `db.table` names or strings up to the closing parenthesis."""
    items: list[str] = []
    current = ""
    while not t.end:
        ends = t.take_any(",", ")")
        if ends is None:
            current += _text(t)
            continue
        if current:
            items.append(current)
        if ends == ")":
            return tuple(items)
        current = ""
    raise t.fail("a list of values does not end with ')': is the text cut off?")


def _pairs(t: Tokens) -> tuple[str, ...]:
    """`(from, to), ...` up to the closing parenthesis, as `from->to`."""
    pairs = []
    while not t.take(")"):
        if not t.take("("):
            if not t.take(","):
                raise t.fail("a list of values does not end with ')': is the text cut off?")
            continue
        pair = _items(t)
        if len(pair) != 2:
            raise t.fail(f"REPLICATE_REWRITE_DB needs pairs (from, to), not {list(pair)}")
        pairs.append("->".join(pair))
    return tuple(pairs)
