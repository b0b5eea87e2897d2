"""Statements of one flavour that another's parser refuses, beside definitions of tables. From
`rules/dialect.yaml`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from schemacheck import knowledge
from schemacheck.model import Server, charset

_STRINGS = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"", re.DOTALL)
#: A function that is called, by its name.
CALL = re.compile(r"(?<![\w`.@])([A-Za-z_]\w*)\s*\(")
_COLLATE = re.compile(r"\bCOLLATE\s+`?(\w+)", re.IGNORECASE)
_USING = re.compile(r"\bUSING\s+(\w+)\s*\)", re.IGNORECASE)
_COMMENT = re.compile(r"/\*(?![!M]).*?\*/|--\s.*?$|#.*?$", re.DOTALL | re.MULTILINE)


class Foreign(NamedTuple):
    """A feature that the replica does not have: its name and the error (None: nobody asked)."""

    name: str
    number: int | None


@cache
def _features() -> tuple[tuple[str, re.Pattern[str], dict[str, Any], dict[str, Any]], ...]:
    return tuple(
        (
            item["name"],
            re.compile(item["pattern"], re.IGNORECASE | re.DOTALL),
            item["known"],
            item.get("error", {}),
        )
        for item in knowledge.load("dialect")["features"]
    )


def _knows(by_name: dict[str, Any], server: Server) -> bool:
    return knowledge.holds(by_name[server.family], server.version)


def plain(text: str) -> str:
    """The statement without comments, its strings emptied."""
    return _STRINGS.sub("''", _COMMENT.sub(" ", text)).strip().rstrip(";").strip()


def foreign(text: str, replica: Server) -> Foreign | None:
    """The first feature of a statement that the replica does not know; None where nothing is foreign."""
    bare = plain(text)
    for name, pattern, item, error in _features():
        if pattern.search(bare) and not _knows(item, replica):
            kind = (
                "mariadb"
                if replica.mariadb
                else "numbered"
                if replica.has("error-log-messages-have-numbers")
                else "mysql"
            )
            number = error.get(kind, 1064)
            return Foreign(name, None if number == "unknown" else int(number))
    return None


def foreign_charset(text: str, replica: Server) -> Foreign | None:
    """The first character set or collation that a change names and the replica does not have."""
    bare = plain(text)
    for name in _COLLATE.findall(bare):
        if not charset.has_collation(charset.canonical_collation(name), replica.has):
            return Foreign(f"the collation {name}", 1273)
    for name in _USING.findall(bare):
        if not charset.has_charset(charset.canonical(name), replica.has):
            return Foreign(f"the character set {name}", 1115)
    return None


_NO_FUNCTION = frozenset((
    "VALUES", "VALUE", "INTO", "IN", "AND", "OR", "NOT", "ON", "USING", "SELECT", "FROM", "WHERE", "AS",
    "EXISTS", "SET", "KEY", "INDEX", "PARTITION", "TABLE", "JOIN", "ANY", "ALL", "SOME", "UNION", "OVER",
    "BY", "WHEN", "THEN", "ELSE", "CASE", "LIKE", "REGEXP", "RLIKE", "DIV", "XOR", "BETWEEN", "IS", "LIMIT",
    "RETURNING", "UPDATE", "DELETE",
))  # fmt: skip


def unlisted_function(text: str, tables: frozenset[str], programs: frozenset[str]) -> str:
    """The first function of a change of which nothing is known on other versions; '' where there is none.
    `tables` and `programs` are names that stand before brackets too.
    """
    rules = knowledge.load("dialect")
    listed = rules["functions"].keys() | set(rules["common_functions"].split()) | _NO_FUNCTION
    for word in CALL.findall(plain(text)):
        if word.upper() not in listed and word.casefold() not in tables | programs:
            return str(word).upper()
    return ""


def foreign_function(text: str, replica: Server) -> Foreign | None:
    """The first function that the replica takes for a stored one, which is not there: 1305."""
    table = knowledge.load("dialect")["functions"]
    for call in CALL.finditer(plain(text)):
        current = table.get(call.group(1).upper())
        if current is not None and not _knows(current, replica):
            name = call.group(1).upper()
            return Foreign(name, knowledge.load("dialect")["function_errors"].get(name, 1305))
    return None
