"""Statements that set filters: CHANGE REPLICATION FILTER, SET GLOBAL replicate_*, CHANGE MASTER ...
DO_DOMAIN_IDS.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.errors import InputError
from schemacheck.filters.read.options import Collector, canonical, refuse_misspelt
from schemacheck.filters.read.refusal import Given
from schemacheck.filters.read.result import FilterInput
from schemacheck.filters.sql.lexer import Cursor, Token, split
from schemacheck.model import Server

#: Variables of MariaDB that begin as the filters do.
_NO_FILTERS = frozenset(
    {"replicate_annotate_row_events", "replicate_events_marked_for_skip", "replicate_same_server_id"}
)


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
        elif cursor.peek() == "SET":
            set_here = _variables(cursor, collector)
            variables |= set_here
            found |= set_here
            continue
        elif cursor.take("CHANGE", "MASTER"):
            found |= _domains(cursor, collector)
            continue
        else:
            continue
        found = True
    if not found:
        message = (
            "no CHANGE REPLICATION FILTER, SET GLOBAL replicate_* or CHANGE MASTER ... DOMAIN_IDS statement"
        )
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
        name = cursor.peek()
        option = canonical(name)
        cursor.at += 1
        if option is None:
            refuse_misspelt(name)
        if option is None or not cursor.take("=", "("):
            message = f"not understood near {cursor.rest()[:40]!r} in {text[:60]!r}"
            raise InputError(message)
        values.append((option, _rewrites(cursor) if option == "replicate-rewrite-db" else _items(cursor)))
        cursor.take(",")
    channel = (
        string(cursor.items[cursor.at].text) if cursor.take("FOR", "CHANNEL") and not cursor.done else ""
    )
    for option, items in values:
        collector.clear(option, channel)
        for item in items:
            collector.add(option, item, channel=channel)


def _items(cursor: Cursor) -> list[str]:
    """Names, `db.table` names or strings up to the closing parenthesis. Raises InputError where there is
    none.
    """
    found, current = [], ""
    while not cursor.done:
        token = cursor.items[cursor.at]
        cursor.at += 1
        if token.text in (",", ")"):
            if current:
                found.append(current)
            current = ""
            if token.text == ")":
                return found
            continue
        current += (
            string(token.text)
            if token.kind == "string"
            else (token.name if token.name is not None else token.text)
        )
    raise _cut_off(cursor)


def _rewrites(cursor: Cursor) -> list[str]:
    found = []
    while not cursor.take(")"):
        if cursor.take("("):
            pair = _items(cursor)
            if len(pair) != 2:
                message = f"REPLICATE_REWRITE_DB needs pairs (from, to), not {pair}"
                raise InputError(message)
            found.append("->".join(pair))
        elif not cursor.take(","):
            raise _cut_off(cursor)
    return found


def _cut_off(cursor: Cursor) -> InputError:
    return InputError(f"a list of values does not end with ')': is the text cut off? {cursor.text[-60:]!r}")


def _variables(cursor: Cursor, collector: Collector) -> bool:
    """MariaDB: SET GLOBAL [connection.]replicate_do_db = 'a,b' (a comma separates values), @@GLOBAL. before
    the name.

    A bare word is a text; DEFAULT and NULL are the empty list (asked of 10.11 and 11.8). Raises InputError
    for any other value of a filter, and for a name that looks like one.
    """
    found = False
    for left, right in _assignments(cursor):
        words = [part for token in left for part in _parts(token)]
        name = words[-1].lower() if words else ""
        if not name.startswith("replicate_") or name in _NO_FILTERS:
            continue
        option = canonical(name)
        if option is None:
            refuse_misspelt(name)
        scope = words[0].upper() if words else ""
        connection = words[1:-1] if scope == "GLOBAL" else words[:-1]
        if option is None or len(connection) > 1 or scope in ("SESSION", "LOCAL") or not right:
            raise _not_understood(cursor)
        found = True
        channel = connection[0] if connection else ""
        collector.clear(option, channel)
        for item in _value(right, cursor).split(","):
            if item.strip():
                collector.add(option, item.strip(), channel=channel)
    return found


def _assignments(cursor: Cursor) -> Iterator[tuple[list[Token], list[Token]]]:
    """The two sides of each assignment of a SET statement."""
    piece: list[Token] = []
    depth = 0
    for token in cursor.items[1:]:
        depth += (token.text == "(") - (token.text == ")")
        if token.text == "," and depth == 0:
            yield _sides(piece)
            piece = []
        else:
            piece.append(token)
    yield _sides(piece)


def _sides(piece: list[Token]) -> tuple[list[Token], list[Token]]:
    at = next((i for i, token in enumerate(piece) if token.text == "="), len(piece))
    left = piece[: at - 1] if at and piece[at - 1].text == ":" else piece[:at]
    return left, piece[at + 1 :]


def _parts(token: Token) -> list[str]:
    """The words of a name as written: `@@global.name`, `connection` . `name`."""
    if token.kind in ("quoted", "string"):
        return [string(token.text) if token.kind == "string" else token.name or ""]
    return [part for part in token.text.lstrip("@").split(".") if part]


def _value(right: list[Token], cursor: Cursor) -> str:
    if all(token.kind == "string" for token in right):
        return "".join(string(token.text) for token in right)
    only = right[0]
    if len(right) > 1 or only.kind not in ("word", "quoted") or only.name is None:
        raise _not_understood(cursor)
    return "" if only.upper in ("DEFAULT", "NULL") else only.name


def _not_understood(cursor: Cursor) -> InputError:
    return InputError(
        "a filter's value or name is not understood; write SET GLOBAL replicate_... = 'a,b': "
        f"{cursor.text[:80]!r}"
    )


def _domains(cursor: Cursor, collector: Collector) -> bool:
    found, channel = False, ""
    if not cursor.done and cursor.items[cursor.at].kind == "string":
        channel = string(cursor.items[cursor.at].text)
    for position, token in enumerate(cursor.items):
        option = canonical(token.upper) if token.upper in ("DO_DOMAIN_IDS", "IGNORE_DOMAIN_IDS") else None
        if option:
            found = True
            cursor.at = position + 1
            if not (cursor.take("=") and cursor.take("(")):
                raise _cut_off(cursor)
            collector.clear(option, channel)
            for item in _items(cursor):
                collector.add(option, item, channel=channel)
    return found
