"""Calls of functions in the expressions of a definition: how many arguments they take, and the types of CAST
(`rules/calls.yaml`). MariaDB was not asked for every number: it refuses what MySQL refuses, but for a few.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, replace
from schemacheck.knowledge import characters
from schemacheck.sql.cut import TokenType
from schemacheck.sql.lexer import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.model.server import Server
    from schemacheck.sql.lexer import Tokens

#: From so many arguments on, one count is like that two below it.
_MOST = 10
#: Words that make arguments of another kind.
_OTHERWISE = frozenset((
    "ALL", "AS", "AT", "BOTH", "DEFAULT", "DISTINCT", "ERROR", "FOR", "FROM", "IN", "INTERVAL", "LEADING",
    "LEVEL", "ON", "ORDER", "OVER", "RETURNING", "SELECT", "SEPARATOR", "TRAILING", "USING", "WITH",
))  # fmt: skip
#: Words before a parenthesis that call nothing, or have arguments of their own.
_GRAMMAR = frozenset((
    "AGAINST", "ANY", "ARRAY", "AS", "AT", "CAST", "CONVERT", "DATETIME", "ERROR", "ESCAPE", "GET_FORMAT",
    "MEMBER", "MOD", "NCHAR", "OF", "OVER", "ROW", "SIGNED", "SOME", "TIMESTAMPADD", "TIMESTAMPDIFF",
    "TRUNCATE", "UNKNOWN", "UNSIGNED", "VALUE", "ZONE",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Calls:
    """What a server takes: by function the numbers of arguments below `_MOST` and the error of others (None
    where versions differ), types that CAST does not have, words that are not read.
    """

    counts: dict[str, tuple[frozenset[int], int | None]]
    casts: frozenset[str]
    words: frozenset[tuple[str, str]]
    #: Every function of some server that was asked; empty where expressions are read and dropped.
    names: frozenset[str] = frozenset()


def _numbers(text: str) -> frozenset[int]:
    numbers: set[int] = set()
    for word in characters.split(text) if text != "none" else ():
        first, dash, last = word.partition("-")
        start, plus, step = first.partition("+")
        end = int(last) if dash else _MOST - 1 if plus else int(start)
        numbers.update(range(int(start), end + 1, int(step or "1")))
    return frozenset(numbers)


def _asked(series: str) -> Calls:
    load = knowledge.load("calls")
    counts: dict[str, tuple[frozenset[int], int | None]] = {}
    for kind, number in (("native", 1582), ("grammar", 1064)):
        for text, names in load["counts"].get(series, {}).get(kind, {}).items():
            counts |= dict.fromkeys(characters.split(names.upper()), (_numbers(text), number))
    words = (tuple(item.split(" ")) for item in load["words"].get(series, ()))
    casts = frozenset(characters.split(load["casts"][series].upper()))
    return Calls(counts, casts, frozenset((first, second) for first, second in words))


@lru_cache(maxsize=16)
def of(server: Server) -> Calls:
    """What is known of a server; of one that was not asked, what all refuse that were."""
    if server.mariadb:
        return _of_mariadb(server)
    asked = [item for item in knowledge.load("calls")["counts"] if item != "mariadb"]
    first, *others = map(_asked, asked)
    names = frozenset(characters.split(knowledge.load("calls")["any"].upper()))
    names = names.union(*(calls.counts for calls in (first, *others))) | _GRAMMAR
    if not server.has("ddl-check-constraints"):
        names = frozenset()
    if server.profile.name in asked:
        return replace(_asked(server.profile.name), names=names)
    for other in others:
        counts = {
            name: (there[0] | other.counts[name][0], there[1] if there[1] == other.counts[name][1] else None)
            for name, there in first.counts.items()
            if name in other.counts
        }
        first = Calls(counts, first.casts & other.casts, first.words & other.words, names)
    return first


def _of_mariadb(server: Server) -> Calls:
    """MariaDB has the functions of MySQL 5.6 and those of its own. It takes no number of arguments that no
    MySQL takes, but for what its own counts say (asked of 10.11 for 0 to 9).
    """
    if not server.has("ddl-check-constraints"):
        return _asked("mariadb")
    counts: dict[str, tuple[frozenset[int], int | None]] = {}
    for series in map(_asked, knowledge.load("calls")["counts"]):
        for name, (numbers, _) in series.counts.items():
            counts[name] = (numbers | counts.get(name, (frozenset(),))[0], None)
    dialect, reserved = knowledge.load("dialect"), knowledge.load("reserved")
    kinds = ("mariadb_only_functions", "mysql_only_functions", "group_functions")
    lists = (dialect["common_functions"], *(reserved[kind] for kind in kinds))
    names = _GRAMMAR.union(_asked("mysql-5.6").counts, dialect["functions"])
    names = names.union(*(characters.split(item.upper()) for item in lists))
    return replace(_asked("mariadb"), counts=counts, names=names)


def check(t: Tokens, first: int, last: int, calls: Calls, reserved: frozenset[str]) -> None:
    """Raise Refused for a call among tokens first..last that the server does not take, or nobody knows."""
    for index in range(first, last - 1):
        if calls.words and (t.words[index], t.words[index + 1]) in calls.words:
            t.at = index
            raise t.fail("this server does not know the words")
        # A name in quotes is no word.
        name = t.words[index]
        if t.words[index + 1] != "(":
            continue
        if index > first and t.words[index - 1] == ".":
            raise Refused("what a function of a schema does is not known here", t.offset(index - 2))
        if name in ("CAST", "CONVERT"):
            _cast(t, index + 1, last, calls, "AS" if name == "CAST" else ",")
        elif name in calls.counts:
            _count(t, index, last, calls)
        elif (
            calls.names and t.kinds[index] is TokenType.VAR and not (name in calls.names or name in reserved)
        ):
            why = f"whether an expression can call {name} is not known"
            raise Refused(why, t.offset(index))


def _inside(t: Tokens, opening: int, last: int) -> Iterator[tuple[int, str]]:
    """The tokens right inside a parenthesis, without those of parentheses in it; ')' is the last."""
    depth = 0
    for index in range(opening + 1, last):
        word = t.words[index]
        if depth == 0:
            yield index, word
            if word == ")":
                return
        depth += (word == "(") - (word == ")")


def _count(t: Tokens, at: int, last: int, calls: Calls) -> None:
    name = t.words[at]
    allowed, number = calls.counts[name]
    count, begun, closed = 0, False, False
    for _, word in _inside(t, at + 1, last):
        if word in _OTHERWISE:
            return
        closed = word == ")"
        if not closed:
            count += not begun or word == ","
            begun = True
    if not closed:
        return
    if (count if count < _MOST else _MOST - 2 + count % 2) not in allowed:
        t.at = at
        if number == 1064:
            raise t.fail(f"{name} does not take this number of arguments")
        why = f"{name} does not take this number of arguments: {count}"
        raise Refused(why, t.offset(), number, name=name)


def _cast(t: Tokens, opening: int, last: int, calls: Calls, before: str) -> None:
    """Look at the type behind the last AS, or behind the first comma of CONVERT."""
    inside = list(_inside(t, opening, last))
    result = [index for index, word in inside if word == before]
    if result:
        index = result[-1] + 1
        if t.words[index] in calls.casts or t.words[index] == ")":
            t.at = index
            raise t.fail("CAST does not know the type")
    elif inside and inside[-1][1] == ")" and all(word != "USING" for _, word in inside):
        t.at = opening
        raise t.fail("a type is expected")
