"""SET of variables: names, and values as far as they are written."""

from __future__ import annotations

import re

from schemacheck.dataclass import dataclass
from schemacheck.knowledge import characters
from schemacheck.sql.cut import TokenType
from schemacheck.sql.lexer import Tokens

SCOPES = ("GLOBAL", "SESSION", "LOCAL", "PERSIST", "PERSIST_ONLY")
#: Digits of a number that is multiplied.
_DIGITS = 20
#: Words behind SET with which something else begins.
_OTHERS = ("PASSWORD", "ROLE", "TRANSACTION", "STATEMENT", "DEFAULT", "RESOURCE")


@dataclass(frozen=True, slots=True)
class Literal:
    """A string (`quoted`), or a number as written."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A name, which stands for its own text (`SET sql_mode = ANSI`); DEFAULT and NULL are such words."""

    text: str


@dataclass(frozen=True, slots=True)
class Variable:
    """The value of another variable."""

    name: str
    user: bool
    scope: str = ""


@dataclass(frozen=True, slots=True)
class IfNull:
    """IFNULL, with which some dumps give variables back."""

    first: Value | None
    second: Value | None


@dataclass(frozen=True, slots=True)
class Replaced:
    """REPLACE, with which migrations take a word out of sql_mode."""

    variable: Variable
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function without arguments that every server has; what it gives is not known here."""

    name: str


_CALLS = [[name, "(", ")"] for name in ("LAST_INSERT_ID", "NOW", "UNIX_TIMESTAMP", "UUID")]
Value = Literal | Word | Variable | IfNull | Replaced | Call


@dataclass(frozen=True, slots=True)
class Assignment:
    """One variable that SET gives a value. `name` has the words between its dots, without the scope;
    `value` is None where it is another expression; `user`: a user variable.
    """

    name: tuple[str, ...]
    value: Value | None
    scope: str = ""
    user: bool = False


def is_set_of_variables(t: Tokens) -> bool:
    """Whether a statement sets variables: not SET PASSWORD, SET TRANSACTION and the like."""
    if t.peek() != "SET":
        return False
    if t.peek(1) in _OTHERS and t.peek(2) != "=":
        return False
    return not (t.peek(1) in SCOPES and t.peek(2) == "TRANSACTION" and t.peek(3) != "=")


def set_variables(t: Tokens) -> tuple[tuple[Assignment, ...], tuple[str, str]]:
    """The assignments of SET, and (character set, collation) of NAMES in it. Raises Refused."""
    t.at = 0
    t.need("SET")
    assignments: list[Assignment] = []
    names = "", ""
    while not t.end:
        if (t.peek() in ("NAMES", "CHARSET") and t.peek(1) != "=") or (
            t.peek() == "CHARACTER" and t.peek(1) == "SET"
        ):
            names = _names(t)
        else:
            assignments.append(_assignment(t))
        if not t.take(","):
            break
    if not t.end:
        raise t.fail("the statement's end is expected")
    return tuple(assignments), names


def _names(t: Tokens) -> tuple[str, str]:
    if not t.take("CHARACTER", "SET"):
        t.at += 1
    charset = _text(t)
    return charset, _text(t) if t.take("COLLATE") else ""


def _text(t: Tokens) -> str:
    if t.is_string():
        return t.one_string()
    if t.end:
        return ""
    t.at += 1
    return t.name_at(t.at - 1)


def _assignment(t: Tokens) -> Assignment:
    user, scope = False, ""
    if t.take("@"):
        user = not t.take("@")
        if not user and t.peek(1) == ".":
            scope = _scope(t)
            if scope:
                t.need(".")
    else:
        scope = _scope(t)
    words = [t.one_string() if user and t.is_string() else t.name()]
    while not user and t.take("."):
        words.append(t.name())
    t.take(":")
    if not t.take("="):
        raise t.fail("= expected")
    result = value(t)
    if not (t.end or t.peek() == ","):
        _skip(t)
        result = None
    return Assignment(tuple(words), result, scope, user)


def _scope(t: Tokens) -> str:
    return (t.take_any(*SCOPES) or "").lower()


def _skip(t: Tokens) -> None:
    depth = 0
    while not t.end:
        word = t.peek()
        if word == "," and depth == 0:
            return
        depth += (word == "(") - (word == ")")
        t.at += 1


def value(t: Tokens) -> Value | None:
    """A literal, a variable, a name, a plain call, IFNULL of those, REPLACE in one; None for others."""
    if t.is_string():
        return Literal(t.string(), quoted=True)
    if t.take("@"):
        user = not t.take("@")
        scope = "" if user else _scope(t)
        if scope:
            t.need(".")
        return Variable(t.name(), user, scope)
    if t.kind() is TokenType.NUMBER:
        t.at += 1
        return Literal(_product(t, t.raw(t.at - 1)))
    if t.peek() == "-" and t.is_number(1):
        t.at += 2
        return Literal("-" + t.raw(t.at - 1))
    if t.take("IFNULL", "("):
        first = value(t)
        second = value(t) if t.take(",") else None
        return IfNull(first, second) if t.take(")") else None
    if t.take("REPLACE", "("):
        return _replaced(t)
    if t.words[t.at : t.at + 3] in _CALLS and t.starts[t.at + 1] == t.starts[t.at] + len(t.words[t.at]):
        t.at += 3
        return Call(t.words[t.at - 3])
    if t.take("(", "SELECT", "REPLACE", "("):
        inner = _replaced(t)
        return inner if t.take(")") else None
    return Word(t.name()) if t.is_name() and t.peek(1) != "(" else None


def _replaced(t: Tokens) -> Replaced | None:
    match [value(t) if place == 0 or t.take(",") else None for place in range(3)]:
        case [Variable() as variable, Literal(old), Literal(new)] if t.take(")"):
            return Replaced(variable, old, new)
    return None


def _product(t: Tokens, first: str) -> str:
    """A number, and those that it is multiplied with: 64 * 1024 is 65536."""
    while t.peek() == "*" and t.kind(1) is TokenType.NUMBER and len(first) < _DIGITS:
        other = t.raw(t.at + 1)
        if not (characters.is_digits(first) and characters.is_digits(other) and len(other) < _DIGITS):
            break
        first = str(int(first) * int(other))
        t.at += 2
    return first


_S, _N = characters.SPACE, characters.NAME
_SET_ELSEWHERE = re.compile(
    rf"@({_N}+){_S}*:=|\bINTO{_S}+((?:@{_N}+{_S}*,{_S}*)*@{_N}+)", re.IGNORECASE | re.ASCII
)
_NAMES = re.compile(f"{_N}+")


def user_variables_set(text: str) -> list[str]:
    """The user variables into which a query or a change puts values (`@a := 1`, `INTO @a`)."""
    return [
        name
        for match in _SET_ELSEWHERE.finditer(text)
        for name in _NAMES.findall(match.group(1) or match.group(2))
    ]
