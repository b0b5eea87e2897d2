"""What a logged statement does that rules ask about: its features, and the columns that it names.

Read from its words: a column is named where its name stands, so that what is not named is certainly not.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass
from schemacheck.knowledge import characters
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
_UNORDERED = ("update", "delete", "delete-multi")
#: Features and words by which one of several rows, or of their values that are alike, is taken.
_PICKS = frozenset(("limit", "function", "calls", "user-variable", "GROUP", "DISTINCT", "DISTINCTROW"))
_PICKS |= {"UNION", "EXCEPT", "INTERSECT"}
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
    """Tables (`db.name`), those that are `queried`: the order of their rows may matter, and features of
    FEATURES. Columns (lower case) that are `inserted`, `updated` and `read`, those by which an UPDATE or
    DELETE of one table is `ordered`; functions that are not built in. None: not known.
    """

    tables: tuple[str, ...]
    features: tuple[str, ...]
    inserted: tuple[str, ...] | None = None
    updated: tuple[str, ...] | None = None
    read: tuple[str, ...] | None = None
    calls: tuple[str, ...] | None = None
    queried: tuple[str, ...] | None = None
    ordered: tuple[str, ...] = ()


def features(text: str, server: Server, *, database: str = "", strict: bool = True) -> Features | None:
    """Of a statement in this server's log; None for no change of rows and no definition."""
    statement = parse(text, server)
    names = [f"{ref.database or database}.{ref.name}" for ref in statement.refs]
    tables = tuple(dict.fromkeys(names))
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
    result = {verb, *_marks(words), *(("function",) if _VERSIONED.search(text) else ())} | (
        set() if strict else {"not-strict"}
    )
    if statement.problems or verb == "load":
        return Features(tables, _sorted(result | ({"unread"} if statement.problems else set())))
    if len(tables) > 1 or "-" in statement.verb:
        result.add("select")
    if statement.calls:
        result.add("calls")
    inserted, updated, read = _columns(words, listed, result)
    calls = tuple(".".join(filter(None, call)).casefold() for call in statement.calls)
    # Which rows UPDATE and DELETE take is decided by rows in whatever order, but for what picks one of them.
    unordered = statement.verb in _UNORDERED and _PICKS.isdisjoint((*result, *words.words))
    queried = () if unordered else names if statement.verb.endswith("-multi") else names[1:]
    ordered = () if len(names) > 1 else tuple(_order(words))
    return Features(
        tables, _sorted(result), inserted, updated, read, calls, tuple(dict.fromkeys(queried)), ordered
    )


def _sorted(result: set[str]) -> tuple[str, ...]:
    return tuple(feature for feature in FEATURES if feature in result)


def _marks(t: Tokens) -> Iterator[str]:
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
    t: Tokens, listed: int | None, columns: set[str]
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None, tuple[str, ...] | None]:
    """The columns that are inserted, updated and read; adds `no-column-list`. None: any may be."""
    words = t.words
    names = {
        at: t.name_at(at).casefold()
        for at in range(t.size)
        if t.is_name(at - t.at) and (words[at] not in _RESERVED or words[at - 1] == ".")
    }
    inserts = words[0] in _LISTS
    if listed is None and inserts and "SET" not in words:
        columns.add("no-column-list")
    starred = any(
        word == "*" and (before in ("SELECT", ".", "ALL", "DISTINCT") or (before, after) == (",", ","))
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
    )
    # Behind ON DUPLICATE KEY an INSERT updates.
    last = words.index("DUPLICATE") if inserts and "on-duplicate-key" in columns else t.size
    assigned = [at for at in _assigned(words) if at in names]
    given = [*_listed(words, listed), *(at for at in assigned if inserts and at < last)]
    updated = [at for at in assigned if not inserts or at > last]
    read = tuple(dict.fromkeys(name for at, name in names.items() if at not in (*given, *updated)))
    lists = [tuple(dict.fromkeys(names[at] for at in places if at in names)) for places in (given, updated)]
    return None if "no-column-list" in columns else lists[0], lists[1], None if starred else read


def _listed(words: list[str], listed: int | None) -> Iterator[int]:
    if listed is not None:
        for at in range(listed + 1, words.index(")", listed)):
            if words[at + 1] != ".":
                yield at


def _assigned(words: list[str]) -> Iterator[int]:
    """The places of columns that stand before = behind SET and UPDATE."""
    depth, assigns = 0, False
    for at, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth == 0 and at and word in ("SET", "UPDATE"):
            assigns = True
        elif depth == 0 and word in ("WHERE", "ORDER", "LIMIT", "RETURNING"):
            assigns = False
        if (
            assigns
            and depth == 0
            and words[at + 1 : at + 2] == ["="]
            and _begins(words, at, ("SET", "UPDATE", ","))
        ):
            yield at


def _order(t: Tokens) -> Iterator[str]:
    """The columns by which an UPDATE or DELETE is ordered, as far as they are no expressions."""
    depth, orders = 0, False
    for at, (word, after) in enumerate(pairwise((*t.words, ""))):
        depth += (word == "(") - (word == ")")
        orders = depth == 0 and (orders or (word, after) == ("ORDER", "BY")) and word != "LIMIT"
        ends = after in (",", "ASC", "DESC", "LIMIT", "RETURNING", "")
        if orders and ends and t.is_name(at - t.at) and _begins(t.words, at, ("BY", ",")):
            yield t.name_at(at).casefold()


def _begins(words: list[str], at: int, after: tuple[str, ...]) -> bool:
    """Whether the name here, which may be qualified, stands behind one of these words."""
    while at > 1 and words[at - 1] == ".":
        at -= 2
    return words[at - 1] in after


@cache
def _literals(ansi_quotes: bool, backslash: bool) -> re.Pattern[str]:
    single, double = (characters.string(quote, backslash=backslash) for quote in "'\"")
    keep = characters.BACKQUOTED + ("|" + characters.string('"', backslash=False) if ansi_quotes else "")
    apart = f"(?<!{characters.NAME})"
    texts = single if ansi_quotes else f"{single}|{double}"
    number = r"0[xX][0-9A-Fa-f]++|(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
    comment = rf"(?!/\*M?!)(?:{characters.COMMENT})"  # what servers run is no comment
    blanks = rf"(?:{characters.SPACE}|{comment}){{2,}}+|[\t\n\v\f\r]|{comment}"
    return re.compile(
        rf"({keep})|(?:{apart}[nNxXbB])?(?:{texts})"
        rf"|{apart}(?<![`@.])(?:{number})(?!{characters.NAME})|({blanks})",
        re.DOTALL,
    )


_ROWS = re.compile(r"(\((?:[?, -]|NULL|DEFAULT)++\))(?:, ?\((?:[?, -]|NULL|DEFAULT)++\))++", re.IGNORECASE)
_LIST = re.compile(r"\bIN ?\([?, -]++\)", re.IGNORECASE | re.ASCII)


def normalised(text: str, *, ansi_quotes: bool = False, backslash: bool = True) -> str:
    """The statement without values and comments: `?` for a value, `...` for further ones."""

    def instead(match: re.Match[str]) -> str:
        return match[1] or (" " if match[2] else "?")

    short = _literals(ansi_quotes, backslash).sub(instead, text).strip(" ;")
    return _LIST.sub("IN (...)", _ROWS.sub(r"\1, ...", short))
