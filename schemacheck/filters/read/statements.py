"""Statements that set filters: CHANGE REPLICATION FILTER, SET GLOBAL replicate_*, CHANGE MASTER ... DO_DOMAIN_IDS."""

from __future__ import annotations

import re

from schemacheck.errors import InputError
from schemacheck.filters.read.options import Collector, canonical
from schemacheck.filters.read.refusal import Given
from schemacheck.filters.read.result import FilterInput
from schemacheck.filters.sql.lexer import Cursor, split
from schemacheck.model import Server


def parse(text: str, server: Server | None = None) -> FilterInput:
    """Run such statements in order; each replaces the values of the options that it names.

    Raises InputError where nothing in the text sets a filter, BadSetting for what the server refuses (3067).
    """
    collector = Collector(server, Given.STATEMENT)
    found = variables = False
    for statement in split(text):
        cursor = Cursor(statement)
        if cursor.take("CHANGE", "REPLICATION", "FILTER"):
            _change(cursor, collector, statement)
        elif cursor.take("SET", "GLOBAL"):
            variables = True
            found |= _variables(statement, collector)
            continue
        elif cursor.take("CHANGE", "MASTER"):
            found |= _domains(cursor, collector)
            continue
        else:
            continue
        found = True
    if not found:
        message = "no CHANGE REPLICATION FILTER, SET GLOBAL replicate_* or CHANGE MASTER ... DOMAIN_IDS statement"
        raise InputError(message)
    return FilterInput(collector.result(inherit=not variables))


def string(text: str) -> str:
    r"""The value of a quoted SQL string; `\_` and `\%` keep their backslash as in the server."""
    if text[:1] not in ("'", '"'):
        return text
    body = text[1:-1].replace(text[0] * 2, text[0])
    escapes = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a", "_": "\\_", "%": "\\%"}
    return re.sub(r"\\(.)", lambda m: escapes.get(m[1], m[1]), body, flags=re.DOTALL)


def _change(cursor: Cursor, collector: Collector, text: str) -> None:
    values: list[tuple[str, list[str]]] = []
    while not cursor.done and cursor.peek() != "FOR":
        option = canonical(cursor.peek())
        cursor.at += 1
        if option is None or not cursor.take("=", "("):
            message = f"not understood near {cursor.rest()[:40]!r} in {text[:60]!r}"
            raise InputError(message)
        values.append((option, _rewrites(cursor) if option == "replicate-rewrite-db" else _items(cursor)))
        cursor.take(",")
    channel = string(cursor.items[cursor.at].text) if cursor.take("FOR", "CHANNEL") and not cursor.done else ""
    for option, items in values:
        collector.clear(option, channel)
        for item in items:
            collector.add(option, item, channel=channel)


def _items(cursor: Cursor) -> list[str]:
    """Names, `db.table` names or strings up to the closing parenthesis."""
    found, current = [], ""
    while not cursor.done:
        token = cursor.items[cursor.at]
        cursor.at += 1
        if token.text in (",", ")"):
            if current:
                found.append(current)
            current = ""
            if token.text == ")":
                break
            continue
        current += string(token.text) if token.kind == "string" else (token.name if token.name is not None else token.text)
    return found


def _rewrites(cursor: Cursor) -> list[str]:
    found = []
    while not cursor.done and not cursor.take(")"):
        if cursor.take("("):
            pair = _items(cursor)
            if len(pair) != 2:
                message = f"REPLICATE_REWRITE_DB needs pairs (from, to), not {pair}"
                raise InputError(message)
            found.append("->".join(pair))
        else:
            cursor.take(",")
    return found


def _variables(text: str, collector: Collector) -> bool:
    """MariaDB: SET GLOBAL [connection.]replicate_do_db = 'a,b' (a comma separates values)."""
    found = False
    for match in re.finditer(r"(?:`?(?P<connection>[\w-]+)`?\.)?(?P<name>replicate_\w+)\s*:?=\s*(?P<value>'(?:[^'\\]|\\.)*'|\"[^\"]*\")", text, re.IGNORECASE):
        option = canonical(match["name"])
        if option is None:
            continue
        found = True
        channel = match["connection"] or ""
        collector.clear(option, channel)
        for item in string(match["value"]).split(","):
            if item.strip():
                collector.add(option, item.strip(), channel=channel)
    return found


def _domains(cursor: Cursor, collector: Collector) -> bool:
    found, channel = False, ""
    if not cursor.done and cursor.items[cursor.at].kind == "string":
        channel = string(cursor.items[cursor.at].text)
    for position, token in enumerate(cursor.items):
        option = canonical(token.upper) if token.upper in ("DO_DOMAIN_IDS", "IGNORE_DOMAIN_IDS") else None
        if option:
            found = True
            cursor.at = position + 1
            cursor.take("=")
            cursor.take("(")
            collector.clear(option, channel)
            for item in _items(cursor):
                collector.add(option, item, channel=channel)
    return found
