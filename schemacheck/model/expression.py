"""Expressions in one spelling, whoever wrote them: a person, SHOW CREATE TABLE, information_schema.

A reader by operator precedence (manual, "Operator Precedence") and a printer that puts a
parenthesis around every operand that is itself an operation; what the servers add for print
(character set introducers, quotes, synonyms of functions) is taken off. Nothing is computed or
reordered. What the reader does not know stays as its words, which is good enough to compare.
"""

from __future__ import annotations

import re
from functools import lru_cache

from schemacheck.model import expression_calls as calls
from schemacheck.model.expression_calls import Unreadable
from schemacheck.model.expression_text import (
    BINARY,
    BOOLEAN,
    FUNCTIONS,
    SAME,
    Node,
    bits,
    compared,
    join,
    truth,
    wrap,
)
from schemacheck.model.quote import string, unquote, where_needed
from schemacheck.model.words import PLAIN, introduces, is_introducer, tokens

#: Deeper nesting is left as words.
_DEEPEST = 60

#: Functions that may stand without parentheses.
_BARE = frozenset(
    (
        "current_timestamp",
        "localtime",
        "localtimestamp",
        "current_date",
        "current_time",
        "current_user",
        "utc_date",
        "utc_time",
        "utc_timestamp",
    )
)
_UNITS = re.compile(r"(?:microsecond|second|minute|hour|day|week|month|quarter|year)(?:_\w+)?\Z", re.ASCII)

#: Functions that servers print as another, or as an operation.
_REWRITTEN = frozenset(
    ("mod", "instr", "datediff", "regexp_like", "date", "timestamp", "timestampadd", "trim", "if")
)


@lru_cache(maxsize=16_384)
def canonical(text: str, modes: frozenset[str] = PLAIN) -> str | None:
    """The expression's one spelling, None where it is not understood (its words then have to do). `modes`:
    the sql_mode it was written under.
    """
    try:
        reader = Reader(text, modes)
        node = reader.expression(0)
        if reader.kind() != "end":
            return None
    except Unreadable:
        return None
    return node.text


@lru_cache(maxsize=16_384)
def is_condition(text: str, modes: frozenset[str] = PLAIN) -> bool | None:
    """Whether an expression is true, false or NULL by its own form; None where it is not understood."""
    try:
        reader = Reader(text, modes)
        node = reader.expression(0)
    except Unreadable:
        return None
    if reader.kind() != "end":
        return None
    return node.root in BOOLEAN or text.strip("() ").lower() in ("true", "false")


@lru_cache(maxsize=16_384)
def columns(text: str, modes: frozenset[str] = PLAIN) -> frozenset[str]:
    """The names that stand for columns in an expression, lower case; none where it is not understood."""
    try:
        reader = Reader(text, modes)
        reader.expression(0)
    except Unreadable:
        return frozenset()
    return frozenset(reader.names) if reader.kind() == "end" else frozenset()


#: Words that stand alone and are no columns.
_CONSTANTS = frozenset(
    ("null", "true", "false", "unknown", "default", "maxvalue", "on", "off", "array", "json")
)


class Reader:
    """Tokens of one expression."""

    def __init__(self, text: str, modes: frozenset[str]) -> None:
        self.tokens = [*tokens(text, modes), ("end", "")]
        self.high_not = "HIGH_NOT_PRECEDENCE" in modes
        self.at = 0
        self.depth = 0
        self.names: set[str] = set()

    def kind(self) -> str:
        """The kind of the token that comes next."""
        return self.tokens[self.at][0]

    def peek(self) -> str:
        """The word or operator that comes next, '' for anything else."""
        kind, value = self.tokens[self.at]
        return value if kind in ("word", "operator") else ""

    def take(self, *words: str) -> bool:
        """Consume these words if they come next."""
        if all(
            self.tokens[min(self.at + i, len(self.tokens) - 1)] in (("word", w), ("operator", w))
            for i, w in enumerate(words)
        ):
            self.at += len(words)
            return True
        return False

    def need(self, word: str) -> None:
        """Consume a word. Raises Unreadable."""
        if not self.take(word):
            raise Unreadable

    def expression(self, least: int) -> Node:
        """An expression of operators that bind at least so strongly. Raises Unreadable."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Unreadable
        left = self.prefix()
        while True:
            word = self.peek()
            level = BINARY.get(word)
            if level is None or level < least:
                self.depth -= 1
                return left
            left = self.infix(left, word, level)

    def infix(self, left: Node, word: str, level: int) -> Node:
        """What stands behind an operand: an operator and its right side."""
        if word == "not":
            self.at += 1
            operator = self.peek()
            if operator not in ("like", "in", "between", "regexp", "rlike"):
                raise Unreadable
            return join("not", None, self.infix(left, operator, BINARY[operator]))
        self.at += 1
        if word == "is":
            text = "is not " if self.take("not") else "is "
            for value in ("null", "true", "false", "unknown"):
                if self.take(value):
                    tested = left if value == "null" else truth(left)
                    return Node(f"{wrap(tested)} {text}{value}", level, "is")
            raise Unreadable
        if word == "in":
            self.need("(")
            if self.peek() != "(" and (only := self.single()) is not None:
                return compared("=", (wrap(left), wrap(only)), level)
            return Node(f"{wrap(left)} in ({self.arguments(')')})", level, "in")
        if word == "between":
            low = self.expression(7)
            self.need("and")
            return Node(f"{wrap(left)} between {wrap(low)} and {wrap(self.expression(7))}", level, "between")
        if word == "member":
            self.need("of")
            self.need("(")
            inner = self.expression(0)
            self.need(")")
            return Node(f"{wrap(left)} member of ({inner.text})", level, "member")
        if word == "sounds":
            self.need("like")
            return Node(f"{wrap(left)} sounds like {wrap(self.expression(level + 1))}", level, "like")
        if word == "collate":
            kind, value = self.tokens[self.at]
            self.at += 1
            if kind not in ("word", "name", "string"):
                raise Unreadable
            return Node(f"{wrap(left)} collate {value.strip('`' + chr(39)).lower()}", level, "collate")
        right = self.expression(level + 1)
        if word == "||":  # PIPES_AS_CONCAT
            return Node(f"concat({left.text},{right.text})")
        if word == "like" and self.take("escape"):
            last = wrap(self.expression(level + 1))
            return Node(f"{wrap(left)} like {wrap(right)} escape {last}", level, "like")
        return join(SAME.get(word, word), left, right, level)

    def single(self) -> Node | None:
        """The one value of IN (x), its parenthesis closed; None, and nothing read, where there are more."""
        at, names = self.at, set(self.names)
        found = self.expression(0)
        if self.take(")"):
            return found
        self.at, self.names = at, names
        return None

    def prefix(self) -> Node:
        """A sign, NOT, BINARY or INTERVAL, or an operand."""
        if self.take("not"):
            return join("not", None, self.expression(15 if self.high_not else 5))
        if self.take("!"):
            return join("not", None, self.expression(15))
        if self.take("-"):
            inner = self.expression(14)
            if re.match(r"[0-9.]", inner.text) and inner.level == 99:
                return Node("-" + inner.text)
            return Node("-" + wrap(inner), 14, "-")
        if self.take("+"):
            return self.expression(14)
        if self.take("~"):
            return Node("~" + wrap(self.expression(14)), 14, "~")
        if self.take("binary"):
            return Node(f"cast({self.expression(15).text} as binary)")
        if self.peek() == "interval" and self.tokens[self.at + 1][1] != "(":
            return self.interval()
        if self.peek() == "interval":
            # INTERVAL (x) DAY, or the function INTERVAL(x, y).
            at, names = self.at, set(self.names)
            try:
                return self.interval()
            except Unreadable:
                self.at, self.names = at, names
        return self.postfix(self.atom())

    def interval(self) -> Node:
        """INTERVAL amount unit."""
        self.at += 1
        amount = self.expression(0)
        unit = self.peek()
        if not _UNITS.match(unit):
            raise Unreadable
        self.at += 1
        return Node(f"interval {wrap(amount)} {unit}", 99, "interval")

    def postfix(self, node: Node) -> Node:
        """The JSON operators behind an operand."""
        while self.peek() in ("->", "->>"):
            unquoted = self.peek() == "->>"
            self.at += 1
            path = self.atom()
            node = Node(f"json_extract({node.text},{path.text})")
            if unquoted:
                node = Node(f"json_unquote({node.text})")
        return node

    def atom(self) -> Node:
        """A literal, a name, a call or parentheses."""
        kind, value = self.tokens[self.at]
        self.at += 1
        if kind == "string":
            text = unquote(value)
            while self.kind() == "string":
                text += unquote(self.tokens[self.at][1])
                self.at += 1
            return Node(string(text))
        if kind == "number":
            return Node(value.lower())
        if kind == "bits":
            return Node(bits(value))
        if kind == "name":
            return self.column(where_needed(value[1:-1].replace("``", "`").lower()))
        if kind == "operator" and value == "(":
            if self.peek() == "select":
                raise Unreadable
            inner = self.expression(0)
            if self.take(","):
                return Node(f"row({inner.text},{self.arguments(')')})")
            self.need(")")
            return inner
        if kind != "word":
            raise Unreadable
        return self.word(value)

    def word(self, value: str) -> Node:
        """What a word begins."""
        following = self.peek()
        if is_introducer(value) and self.kind() in ("string", "bits"):
            literal = self.atom()
            return Node(value + literal.text) if introduces(value, literal.text) else literal
        if value == "case":
            return self.case()
        if value in ("date", "time", "timestamp") and self.kind() == "string":
            return Node(f"{value}{self.atom().text}")
        if following == "(" and value not in ("and", "or", "in"):
            self.at += 1
            return self.call(value)
        if value in _BARE:
            return Node(FUNCTIONS.get(value, value) + "()")
        if following == ".":
            return self.column(value)
        if value in ("true", "false"):
            return Node("1" if value == "true" else "0", root="bool")
        if value not in _CONSTANTS and value[0] != "@":
            self.names.add(value)
            value = where_needed(value)
        return Node(value)

    def column(self, name: str) -> Node:
        """`table.column`: the column's name alone."""
        while self.take("."):
            kind, value = self.tokens[self.at]
            if kind not in ("word", "name"):
                raise Unreadable
            self.at += 1
            name = value if kind == "word" else where_needed(value[1:-1].replace("``", "`").lower())
        self.names.add(name[1:-1].replace("``", "`") if name[0] == "`" else name)
        return Node(name)

    def case(self) -> Node:
        """CASE to its END."""
        out = "case"
        if self.peek() != "when":
            out += " " + self.expression(0).text
        searched = out == "case"
        while self.take("when"):
            asked = self.expression(0)
            out += " when " + (truth(asked) if searched else asked).text
            self.need("then")
            out += " then " + self.expression(0).text
        if self.take("else"):
            out += " else " + self.expression(0).text
        self.need("end")
        return Node(out + " end")

    def call(self, name: str) -> Node:
        """A function to its closing parenthesis."""
        if name in ("cast", "convert"):
            return calls.cast(self, name)
        if name in ("date_add", "date_sub", "adddate", "subdate"):
            return calls.date_arithmetic(self, name)
        if name in _REWRITTEN:
            at, names = self.at, set(self.names)
            made = calls.rewritten(self, name)
            if made is not None:
                return made
            self.at, self.names = at, names
        plain = FUNCTIONS.get(name, name)
        arguments = self.arguments(")")
        return Node(f"{plain}({arguments})", 99, plain)

    def listed(self) -> list[Node]:
        """Arguments up to the closing parenthesis; none where something else stands between them."""
        found = [self.expression(0)]
        while self.take(","):
            found.append(self.expression(0))
        return found if self.take(")") else []

    def arguments(self, close: str) -> str:
        """What is between parentheses, to the closing one; words between arguments (`from`, `for`,
        `separator`) stay.
        """
        if self.take(close):
            return ""
        out = ""
        while True:
            if self.peek() in ("both", "leading", "trailing", "distinct") or (
                _UNITS.match(self.peek() or " ") and self.tokens[self.at + 1][1] in (",", "from")
            ):
                out += self.peek() + " "
                self.at += 1
                if self.take("from"):
                    out += "from "
                    continue
                if self.take(","):
                    out = out.rstrip(" ") + ","
                    continue
            if self.take("*"):
                out += "*"
            else:
                out += self.expression(0).text
            if self.take(close):
                return out
            if self.take(","):
                out += ","
            elif self.peek() in (
                "from",
                "for",
                "in",
                "returning",
                "separator",
                "using",
                "null",
                "error",
                "default",
                "on",
                "empty",
                "as",
            ):
                return calls.clause(self, out, close)
            else:
                raise Unreadable
