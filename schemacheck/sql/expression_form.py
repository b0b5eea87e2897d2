"""Expressions, as far as their form goes: operands and operators take turns. Which functions there are, and
which types an operator takes, is not looked at.
"""

from __future__ import annotations

from schemacheck.sql.lexer import Tokens
from schemacheck.sql.token import TokenType

#: Words of the grammar of expressions: what may stand beside them is not followed.
_WORDS = frozenset((
    "AGAINST", "AND", "ARRAY", "AS", "AT", "BETWEEN", "BINARY", "BOTH", "BY", "CASE", "CHAR", "CHARACTER",
    "CHARSET", "COLLATE", "DATE", "DATETIME", "DAY", "DEFAULT", "DISTINCT", "DIV", "ELSE", "EMPTY", "END",
    "ERROR", "ESCAPE", "FALSE", "FOR", "FROM", "HOUR", "IN", "INTERVAL", "IS", "LEADING", "LIKE", "MATCH",
    "MEMBER", "MICROSECOND", "MINUTE", "MOD", "MONTH", "NEXT", "NOT", "NULL", "OF", "ON", "OR", "ORDER",
    "OVER", "PREVIOUS", "QUARTER", "REGEXP", "RETURNING", "RLIKE", "ROW", "SECOND", "SELECT", "SEPARATOR",
    "SET", "SIGNED", "SOUNDS", "THEN", "TIME", "TIMESTAMP", "TRAILING", "TRUE", "UNKNOWN", "UNSIGNED",
    "USING", "VALUE", "WEEK", "WHEN", "XOR", "YEAR", "ZONE",
    "DAY_HOUR", "DAY_MICROSECOND", "DAY_MINUTE", "DAY_SECOND", "HOUR_MICROSECOND", "HOUR_MINUTE",
    "HOUR_SECOND", "MINUTE_MICROSECOND", "MINUTE_SECOND", "SECOND_MICROSECOND", "YEAR_MONTH",
))  # fmt: skip
_OPERANDS = frozenset((
    TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.NUMBER,
    TokenType.HEX_STRING, TokenType.BIT_STRING,
))  # fmt: skip
_STRINGS = frozenset(
    (TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.HEX_STRING, TokenType.BIT_STRING)
)
_BINARY = frozenset("=<>*/%|&^")
#: What stands in front of an operand too.
_SIGNS = frozenset("-+~!")
#: What operators of several characters consist of.
_CHARACTERS = frozenset("=<>!*/%|&^-:")
#: Words that a name is only in quotes or behind a dot, and that want an operand behind them, or in front too.
_OPENING = frozenset(("AND", "BETWEEN", "DIV", "IN", "IS", "LIKE", "NOT", "OR", "REGEXP", "RLIKE", "XOR"))
_JOINING = _OPENING - {"NOT"}
_LONGER = frozenset(("<=", ">=", "<>", "!=", "<=>", "->", "->>", "&&", "||", "<<", ">>", ":="))


def check(t: Tokens, first: int, last: int) -> None:
    """Raise Refused for tokens first..last (exclusive) that cannot be an expression: two operands without an
    operator between them, two operators that do not touch, an operator at an end or beside a parenthesis, a
    comma that stands for nothing.
    """
    if first >= last:
        t.at = first
        raise t.fail("an expression is expected")
    _edges(t, first, last)
    before = ""
    for index in range(first, last):
        now = _kind(t, index)
        touches = index > first and t.starts[index] == t.ends[index - 1]
        wrong = before == now == "operand" and not (
            t.kinds[index] in _STRINGS and (t.kinds[index - 1] in _STRINGS or t.words[index - 1][:1] == "_")
        )
        if now == "operator" and before == "operator":
            wrong = not (touches and _is_operator(t, first, index))
        elif now == "operator" and before == "sign":
            wrong = not (touches and t.text[t.starts[index - 1] : t.ends[index]] in _LONGER)
        if wrong or (now in ("operator", "sign") and index == last - 1):
            t.at = index
            raise t.fail("no expression")
        before = now


def _edges(t: Tokens, first: int, last: int) -> None:
    """Look at what stands at the begin and the end of the expression and of each parenthesis in it."""
    depth = 0
    for index in range(first, last):
        word = t.words[index]
        begins = index == first or t.words[index - 1] in ("(", ",")
        ends = index == last - 1 or t.words[index + 1] in (")", ",")
        named = index > first and t.words[index - 1] == "."
        wrong = word == "?" or (word == "," and (begins or ends or depth == 0))
        if word == "(" and ends and (begins or t.words[index - 1] in _OPENING):
            wrong = index == last - 1 or t.words[index + 1] == ")"
        elif word in _BINARY or word in _SIGNS:
            other = word != "*" or t.words[index - 1] != "(" or index == first
            opened = begins or (t.words[index - 1] in _OPENING and t.words[index - 2] != ".")
            wrong = other and (ends or (opened and word not in _SIGNS))
        elif word == ":":
            wrong = True
        elif word in _OPENING and not named:
            wrong = ends or (begins and word in _JOINING)
        if wrong:
            t.at = index
            raise t.fail("no expression")
        depth += (word == "(") - (word == ")")


def _kind(t: Tokens, index: int) -> str:
    kind, word = t.kinds[index], t.words[index]
    if word in _BINARY:
        return "operator"
    if word in _SIGNS:
        return "sign"
    if word in _WORDS or kind not in _OPERANDS:
        return ""
    if index + 1 < t.size and t.words[index + 1] == "(":
        return "operand" if kind is TokenType.VAR else ""
    return "operand"


def _is_operator(t: Tokens, first: int, index: int) -> bool:
    """Whether the signs up to this one, which touch, are one operator."""
    begin = index
    while begin > first and t.words[begin - 1] in _CHARACTERS and t.ends[begin - 1] == t.starts[begin]:
        begin -= 1
    return t.text[t.starts[begin] : t.ends[index]] in _LONGER or t.words[index] == "*"
