"""What a logged statement does that rules ask about: its features, and the columns that it names.

Read from its words: a column is named where its name stands, so that what is not named is certainly not.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass
from schemacheck.sql.lexer import Refused, Tokens, tokens_of
from schemacheck.sql.statements.parse import parse
from schemacheck.sql.statements.value import DataStatement, DefinitionStatement
from schemacheck.sql.versioned_comment import interpret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.model import Server

_VERSIONED = re.compile(r"/\*M?!")
#: All that may stand in `features`.
FEATURES = (
    "insert", "update", "delete", "replace", "load", "definition", "no-column-list", "many-rows", "ignore",
    "on-duplicate-key", "limit", "order-by", "select", "index-hint", "partition", "portion", "user-variable",
    "function", "calls", "default", "not-strict", "fails", "unread",
)  # fmt: skip
#: Verbs of statements that change rows.
_VERBS = {"insert", "update", "delete", "replace", "load"}
#: Operators whose result servers may write otherwise.
_OPERATORS = frozenset(("/", "%", "DIV", "MOD", "||", "|", "&", "^", "~", "<<", ">>"))
_LISTS = ("INSERT", "REPLACE")
_HINTED = ("INDEX", "KEY")
#: Features by a word, and by two words that follow each other.
_WORDS = {"LIMIT": "limit", "SELECT": "select", "JOIN": "select", "WITH": "select", "DEFAULT": "default"}
_PAIRS = {
    ("ORDER", "BY"): "order-by",
    ("DUPLICATE", "KEY"): "on-duplicate-key",
    ("FOR", "PORTION"): "portion",
    ("PARTITION", "("): "partition",
    **{(word, key): "index-hint" for word in ("USE", "FORCE", "IGNORE") for key in _HINTED},
}
#: Words that are no columns and no functions where they stand without quotes.
_RESERVED = frozenset({
    "INSERT", "REPLACE", "UPDATE", "DELETE", "INTO", "VALUES", "SET", "WHERE", "SELECT", "FROM", "IN", "AND",
    "OR", "NOT", "XOR", "ON", "USING", "AS", "BY", "KEY", "INDEX", "PARTITION", "EXISTS", "ALL", "UNION",
    "CASE", "WHEN", "THEN", "ELSE", "BETWEEN", "LIKE", "IS", "DIV", "MOD", "HAVING", "LIMIT", "JOIN", "LEFT",
    "RIGHT",
    "INNER", "NULL", "IGNORE", "ORDER", "GROUP", "DISTINCT", "DEFAULT", "INTERVAL", "ASC", "DESC",
})  # fmt: skip
_NO_FUNCTIONS = _RESERVED | {"VALUE", "ANY", "SOME"}


@dataclass(frozen=True, slots=True)
class Features:
    """Tables (`db.name`), features of FEATURES, columns that are `written` and that are `read` (lower case),
    functions that are not built in; None: not known.
    """

    tables: tuple[str, ...]
    features: tuple[str, ...]
    written: tuple[str, ...] | None = None
    read: tuple[str, ...] | None = None
    calls: tuple[str, ...] | None = None


def features(text: str, server: Server, *, database: str = "", strict: bool = True) -> Features | None:
    """Of a statement as this server's log has it; None where it is no change of rows and no definition.
    `strict`: whether its session's sql_mode was.
    """
    statement = parse(text, server)
    tables = tuple(dict.fromkeys(f"{ref.database or database}.{ref.name}" for ref in statement.refs))
    if isinstance(statement, DefinitionStatement):
        return Features(tables, ("definition",))
    verb = statement.verb.partition("-")[0]
    if not isinstance(statement, DataStatement) or verb not in _VERBS:
        # A query is logged for the stored function that it calls.
        unread = statement.problems or statement.calls
        return Features(tables, ("unread",)) if unread else None
    try:
        words = tokens_of(interpret(text, server), server)
    except Refused:
        return Features(tables, (verb, "unread"))
    listed = _listed_at(words.words)
    found = {verb, *_marks(words), *(("function",) if _VERSIONED.search(text) else ())} | (
        set() if strict else {"not-strict"}
    )
    if statement.problems or verb == "load":
        return Features(tables, _ordered(found | ({"unread"} if statement.problems else set())))
    if len(tables) > 1 or "-" in statement.verb:
        found.add("select")
    if statement.calls:
        found.add("calls")
    written, read = _columns(words, listed, found)
    calls = tuple(".".join(filter(None, call)).casefold() for call in statement.calls)
    return Features(tables, _ordered(found), written, read, calls)


def _ordered(found: set[str]) -> tuple[str, ...]:
    return tuple(one for one in FEATURES if one in found)


def _marks(t: Tokens) -> Iterator[str]:
    """Features that words show."""
    words, depth = t.words, 0
    for at, (word, after) in enumerate(pairwise(words)):
        depth += (word == "(") - (word == ")")
        if word in _WORDS:
            yield _WORDS[word]
        if (word, after) in _PAIRS:
            yield _PAIRS[word, after]
        elif word == "IGNORE":
            yield "ignore"
        elif word == "@":
            yield "user-variable"
        elif word in _OPERATORS or (
            after == "(" and word not in _NO_FUNCTIONS and t.is_name(at - t.at) and not _is_target(words, at)
        ):
            yield "function"
        if depth == 0 and (word, after) == (",", "(") and words[0] in _LISTS:
            yield "many-rows"


def _is_target(words: list[str], at: int) -> bool:
    """Whether the name here is the table of an INSERT."""
    return words[at - 1] == "INTO" or (words[at - 1] == "." and words[at - 3] == "INTO")


def _listed_at(words: list[str]) -> int | None:
    """Where the column list of an INSERT or REPLACE opens; None where it has none."""
    if words[0] not in _LISTS:
        return None
    for at, (word, after) in enumerate(pairwise(words)):
        if word in ("SET", "VALUES", "VALUE", "SELECT", "WITH", "TABLE"):
            return None
        if word == "(" and words[at - 1] != "PARTITION":
            return None if after in ("SELECT", "WITH", "VALUES", "TABLE", "(") else at
    return None


def _columns(
    t: Tokens, listed: int | None, found: set[str]
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """The columns that are written, and those that are read; adds `no-column-list`. None: any may be."""
    words = t.words
    names = {
        at: t.name_at(at).casefold()
        for at in range(t.size)
        if t.is_name(at - t.at) and (words[at] not in _RESERVED or words[at - 1] == ".")
    }
    targets = [at for at in _targets(t, listed) if at in names]
    if listed is None and words[0] in _LISTS and "SET" not in words:
        found.add("no-column-list")
    starred = any(
        word == "*" and (before in ("SELECT", ".", "ALL", "DISTINCT") or (before, after) == (",", ","))
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
    )
    written = None if "no-column-list" in found else tuple(dict.fromkeys(names[at] for at in targets))
    read = tuple(dict.fromkeys(name for at, name in names.items() if at not in targets))
    return written, None if starred else read


def _targets(t: Tokens, listed: int | None) -> Iterator[int]:
    """The places of columns that get a value: the list of an INSERT, and what stands before = behind SET and
    UPDATE.
    """
    words, depth, assigns = t.words, 0, False
    if listed is not None:
        for at in range(listed + 1, words.index(")", listed)):
            if words[at + 1] != ".":
                yield at
    for at, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth == 0 and at and word in ("SET", "UPDATE"):
            assigns = True
        elif depth == 0 and word in ("WHERE", "ORDER", "LIMIT", "RETURNING"):
            assigns = False
        if assigns and depth == 0 and words[at + 1 : at + 2] == ["="] and _begins(words, at):
            yield at


def _begins(words: list[str], at: int) -> bool:
    """Whether an assignment begins with the name here, which may be qualified."""
    while at > 1 and words[at - 1] == ".":
        at -= 2
    return words[at - 1] in ("SET", "UPDATE", ",")
