"""SET statements: the variables that change what later statements mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from schemacheck.model.server import Server
from schemacheck.model.variable import canonical
from schemacheck.sql import characters
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.token import TokenType

#: Stands for DEFAULT: the value that the script began with.
_DEFAULT = "\0default"
_SCOPES = ("GLOBAL", "SESSION", "LOCAL", "PERSIST", "PERSIST_ONLY")


@dataclass(slots=True)
class Variables:
    """User variables of a script, by lower-case name, and prepared statements: text, and the database and
    server of PREPARE.
    """

    user: dict[str, str | None] = field(default_factory=dict)
    prepared: dict[str, tuple[str | None, str | None, Server]] = field(default_factory=dict)


def apply(t: Tokens, server: Server, variables: Variables, start: Server) -> Server:
    """The server after a SET statement. What cannot be worked out (a subquery, a function)
    changes nothing.
    """
    t.need("SET")
    if (
        t.peek() in ("PASSWORD", "ROLE", "TRANSACTION", "STATEMENT", "DEFAULT", "RESOURCE")
        and t.peek(1) != "="
    ):
        return server
    if t.peek() in _SCOPES and t.peek(1) == "TRANSACTION" and t.peek(2) != "=":
        return server
    given: dict[str, str] = {}
    while not t.end:
        if (t.peek() in ("NAMES", "CHARSET") and t.peek(1) != "=") or (
            t.peek() == "CHARACTER" and t.peek(1) == "SET"
        ):
            _names(t)
        else:
            _assignment(t, server, variables, given)
        if not t.take(","):
            break
    if not t.end:
        raise t.fail("the statement's end is expected")
    for name, value in given.items():
        if value == _DEFAULT:
            given[name] = start.setting(name)
    return server.with_told(given) if given else server


_S, _N = characters.SPACE, characters.NAME
_SET_ELSEWHERE = re.compile(
    rf"@({_N}+){_S}*:=|\bINTO{_S}+((?:@{_N}+{_S}*,{_S}*)*@{_N}+)", re.IGNORECASE | re.ASCII
)
_NAMES = re.compile(f"{_N}+")


def forget(text: str, variables: Variables) -> None:
    """What a query puts into user variables is not known."""
    for found in _SET_ELSEWHERE.finditer(text):
        for name in _NAMES.findall(found.group(1) or found.group(2)):
            variables.user[name.lower()] = None


def told(t: Tokens, server: Server, variables: Variables) -> str | None:
    """The value of the expression that comes next, where it can be told."""
    value = _value(t, _reader(server, variables, {}))
    return value if t.end or t.peek() == "USING" else None


def value(t: Tokens, server: Server, variables: Variables) -> str | None:
    """Consume the expression that comes next; its value, or None where it cannot be told."""
    return _value(t, _reader(server, variables, {}))


def _names(t: Tokens) -> None:
    """NAMES and CHARACTER SET."""
    if not t.take("CHARACTER", "SET"):
        t.at += 1
    if not t.end:
        t.at += 1
    if t.take("COLLATE"):
        t.at += 1


def _assignment(t: Tokens, server: Server, variables: Variables, given: dict[str, str]) -> None:
    user = False
    if t.take("@"):
        user = not t.take("@")
    else:
        t.take_any(*_SCOPES)
    name = t.name()
    if not user and t.take("."):
        # @@SESSION.sql_mode, or a structured variable: its last word counts.
        name = t.name()
    t.take(":")
    if not t.take("="):
        raise t.fail("= expected")
    read = _reader(server, variables, given)
    value = _value(t, read)
    if t.peek() not in ("", ",") or not (t.end or t.peek() == ","):
        _skip(t)
        value = None
    if user:
        variables.user[name.lower()] = value
    elif value is not None:
        plain = canonical(name)
        given[plain] = value


def _reader(server: Server, variables: Variables, given: dict[str, str]) -> Callable[[str, bool], str | None]:
    def read(name: str, user: bool) -> str | None:
        if user:
            return variables.user.get(name.lower())
        return given.get(canonical(name), server.setting(name))

    return read


def _skip(t: Tokens) -> None:
    depth = 0
    while not t.end:
        word = t.peek()
        if word == "," and depth == 0:
            return
        depth += (word == "(") - (word == ")")
        t.at += 1


def _value(t: Tokens, read: Callable[[str, bool], str | None]) -> str | None:
    """A literal, a variable, CONCAT, REPLACE or IFNULL of those; None where it cannot be determined."""
    if t.is_string():
        return t.string()
    if t.take("@"):
        user = not t.take("@")
        if not user and t.take_any(*_SCOPES):
            t.need(".")
        return read(t.name(), user)
    if t.kind() is TokenType.NUMBER:
        t.at += 1
        return t.raw(t.at - 1)
    if t.peek() == "-" and t.is_number(1):
        t.at += 2
        return "-" + t.raw(t.at - 1)
    word = t.peek()
    if word in ("CONCAT", "REPLACE", "IFNULL", "CONCAT_WS", "TRIM") and t.peek(1) == "(":
        t.at += 2
        found = [_value(t, read)]
        while t.take(","):
            found.append(_value(t, read))
        if not t.take(")"):
            return None
        return _call(word, found)
    if word == "DEFAULT":
        t.at += 1
        return _DEFAULT
    if word and t.is_name() and t.peek(1) != "(":
        text = t.name()
        while t.peek() not in ("", ",") and not t.end:
            return None
        return text
    return None


def _call(word: str, found: list[str | None]) -> str | None:
    if word == "IFNULL":
        return found[0] if found[0] is not None else found[-1]
    values = [value for value in found if value is not None]
    if len(values) != len(found):
        return None
    if word == "CONCAT":
        return "".join(values)
    if word == "CONCAT_WS":
        return values[0].join(values[1:])
    if word == "REPLACE" and len(values) == 3:
        return values[0].replace(values[1], values[2])
    return values[0].strip(" ") if word == "TRIM" else None
