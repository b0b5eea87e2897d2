"""Expressions in one spelling, whoever wrote them: a person, SHOW CREATE TABLE, information_schema.

A reader by operator precedence (manual, "Operator Precedence") and a printer that puts a
parenthesis around every operand that is itself an operation; what the servers add for print
(character set introducers, quotes, synonyms of functions) is taken off. Nothing is computed or
reordered. What the reader does not know stays as its words, which is good enough to compare.
"""

from __future__ import annotations

import re
from functools import lru_cache

from schemacheck.model import charset as charsets
from schemacheck.model.expression_text import BINARY, FUNCTIONS, SAME, Node, bits, join, wrap
from schemacheck.model.quote import string, unquote, where_needed
from schemacheck.model.words import CHARSET_WORDS, PLAIN, in_charset, introduces, is_introducer, tokens

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
_IN_CHARSET = re.compile(r" (?:charset|character set) (\w+)", re.ASCII)
_UNITS = re.compile(r"(?:microsecond|second|minute|hour|day|week|month|quarter|year)(?:_\w+)?\Z", re.ASCII)


class _Unreadable(Exception):
    """Something that the reader does not know."""


@lru_cache(maxsize=16_384)
def canonical(text: str, modes: frozenset[str] = PLAIN) -> str | None:
    """The expression's one spelling, None where it is not understood (its words then have to do). `modes`:
    the sql_mode it was written under.
    """
    try:
        reader = _Reader(text, modes)
        node = reader.expression(0)
        if reader.kind() != "end":
            return None
    except _Unreadable:
        return None
    return node[0]


@lru_cache(maxsize=16_384)
def columns(text: str, modes: frozenset[str] = PLAIN) -> frozenset[str]:
    """The names that stand for columns in an expression, lower case; none where it is not understood."""
    try:
        reader = _Reader(text, modes)
        reader.expression(0)
    except _Unreadable:
        return frozenset()
    return frozenset(reader.names) if reader.kind() == "end" else frozenset()


#: Words that stand alone and are no columns.
_CONSTANTS = frozenset(
    ("null", "true", "false", "unknown", "default", "maxvalue", "on", "off", "array", "json")
)


class _Reader:
    """Tokens of one expression."""

    def __init__(self, text: str, modes: frozenset[str]) -> None:
        self.tokens = [*tokens(text, modes), ("end", "")]
        self.high_not = "HIGH_NOT_PRECEDENCE" in modes
        self.at = 0
        self.depth = 0
        self.names: set[str] = set()

    def kind(self) -> str:
        return self.tokens[self.at][0]

    def peek(self) -> str:
        kind, value = self.tokens[self.at]
        return value if kind in ("word", "operator") else ""

    def take(self, *words: str) -> bool:
        if all(
            self.tokens[min(self.at + i, len(self.tokens) - 1)] in (("word", w), ("operator", w))
            for i, w in enumerate(words)
        ):
            self.at += len(words)
            return True
        return False

    def need(self, word: str) -> None:
        if not self.take(word):
            raise _Unreadable

    def expression(self, least: int) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _Unreadable
        left = self.prefix()
        while True:
            word = self.peek()
            level = BINARY.get(word)
            if level is None or level < least:
                self.depth -= 1
                return left
            left = self.infix(left, word, level)

    def infix(self, left: Node, word: str, level: int) -> Node:
        if word == "not":
            self.at += 1
            operator = self.peek()
            if operator not in ("like", "in", "between", "regexp", "rlike"):
                raise _Unreadable
            return join("not", None, self.infix(left, operator, BINARY[operator]))
        self.at += 1
        if word == "is":
            text = "is not " if self.take("not") else "is "
            for value in ("null", "true", "false", "unknown"):
                if self.take(value):
                    return f"{wrap(left)} {text}{value}", level
            raise _Unreadable
        if word == "in":
            self.need("(")
            return f"{wrap(left)} in ({self.arguments(')')})", level
        if word == "between":
            low = self.expression(7)
            self.need("and")
            return f"{wrap(left)} between {wrap(low)} and {wrap(self.expression(7))}", level
        if word == "member":
            self.need("of")
            self.need("(")
            inner = self.expression(0)
            self.need(")")
            return f"{wrap(left)} member of ({inner[0]})", level
        if word == "sounds":
            self.need("like")
            return f"{wrap(left)} sounds like {wrap(self.expression(level + 1))}", level
        if word == "collate":
            kind, value = self.tokens[self.at]
            self.at += 1
            if kind not in ("word", "name", "string"):
                raise _Unreadable
            return f"{wrap(left)} collate {value.strip('`' + chr(39)).lower()}", level
        right = self.expression(level + 1)
        if word == "||":  # PIPES_AS_CONCAT
            return f"concat({left[0]},{right[0]})", 99
        if word == "like" and self.take("escape"):
            return f"{wrap(left)} like {wrap(right)} escape {wrap(self.expression(level + 1))}", level
        return join(SAME.get(word, word), left, right, level)

    def prefix(self) -> Node:
        if self.take("not"):
            return join("not", None, self.expression(15 if self.high_not else 5))
        if self.take("!"):
            return join("not", None, self.expression(15))
        if self.take("-"):
            inner = self.expression(14)
            return (
                ("-" + inner[0], 99)
                if re.match(r"[0-9.]", inner[0]) and inner[1] == 99
                else ("-" + wrap(inner), 14)
            )
        if self.take("+"):
            return self.expression(14)
        if self.take("~"):
            return "~" + wrap(self.expression(14)), 14
        if self.take("binary"):
            return f"cast({self.expression(15)[0]} as binary)", 99
        if self.peek() == "interval":
            self.at += 1
            amount = self.expression(0)
            unit = self.peek()
            if not _UNITS.match(unit):
                raise _Unreadable
            self.at += 1
            return f"interval {wrap(amount)} {unit}", 99
        return self.postfix(self.atom())

    def postfix(self, node: Node) -> Node:
        while self.peek() in ("->", "->>"):
            unquoted = self.peek() == "->>"
            self.at += 1
            path = self.atom()
            node = f"json_extract({node[0]},{path[0]})", 99
            if unquoted:
                node = f"json_unquote({node[0]})", 99
        return node

    def atom(self) -> Node:
        kind, value = self.tokens[self.at]
        self.at += 1
        if kind == "string":
            text = unquote(value)
            while self.kind() == "string":
                text += unquote(self.tokens[self.at][1])
                self.at += 1
            return string(text), 99
        if kind == "number":
            return value.lower(), 99
        if kind == "bits":
            return bits(value), 99
        if kind == "name":
            return self.column(where_needed(value[1:-1].replace("``", "`").lower()))
        if kind == "operator" and value == "(":
            if self.peek() == "select":
                raise _Unreadable
            inner = self.expression(0)
            if self.take(","):
                return f"row({inner[0]},{self.arguments(')')})", 99
            self.need(")")
            return inner
        if kind != "word":
            raise _Unreadable
        return self.word(value)

    def word(self, value: str) -> Node:
        following = self.peek()
        if is_introducer(value) and self.kind() in ("string", "bits"):
            literal = self.atom()
            return (value + literal[0], 99) if introduces(value, literal[0]) else literal
        if value == "case":
            return self.case()
        if value in ("date", "time", "timestamp") and self.kind() == "string":
            return f"{value}{self.atom()[0]}", 99
        if following == "(" and value not in ("and", "or", "in"):
            self.at += 1
            return self.call(value)
        if value in _BARE:
            return FUNCTIONS.get(value, value) + "()", 99
        if following == ".":
            return self.column(value)
        if value not in _CONSTANTS and value[0] != "@":
            self.names.add(value)
        return value, 99

    def column(self, name: str) -> Node:
        """`table.column`: the column's name alone."""
        while self.take("."):
            kind, value = self.tokens[self.at]
            if kind not in ("word", "name"):
                raise _Unreadable
            self.at += 1
            name = value if kind == "word" else where_needed(value[1:-1].replace("``", "`").lower())
        self.names.add(name[1:-1].replace("``", "`") if name[0] == "`" else name)
        return name, 99

    def case(self) -> Node:
        out = "case"
        if self.peek() != "when":
            out += " " + self.expression(0)[0]
        while self.take("when"):
            out += " when " + self.expression(0)[0]
            self.need("then")
            out += " then " + self.expression(0)[0]
        if self.take("else"):
            out += " else " + self.expression(0)[0]
        self.need("end")
        return out + " end", 99

    def call(self, name: str) -> Node:
        if name in ("cast", "convert"):
            return self.cast(name)
        if name in ("date_add", "date_sub", "adddate", "subdate"):
            return self.date_arithmetic(name)
        plain = FUNCTIONS.get(name, name)
        return f"{plain}({self.arguments(')')})", 99

    def date_arithmetic(self, name: str) -> Node:
        first = self.expression(0)
        self.need(",")
        second = self.expression(0)
        self.need(")")
        if not second[0].startswith("interval "):
            second = f"interval {wrap(second)} day", 99
        return join("-" if "sub" in name else "+", first, second, 10)

    def cast(self, name: str) -> Node:
        inner = self.expression(0)
        if name == "convert" and self.take("using"):
            charset = charsets.canonical(self.peek())
            self.at += 1
            self.need(")")
            return f"convert({inner[0]} using {charset})", 99
        if not (self.take(",") if name == "convert" else self.take("as")):
            raise _Unreadable
        words: list[str] = []
        charset = ""
        while not (self.peek() == ")" and words.count("(") == words.count(")")):
            kind, value = self.tokens[self.at]
            if kind == "end":
                raise _Unreadable
            if self.take("charset") or self.take("character", "set") or self.take("char", "set"):
                charset = self.tokens[self.at][1]
            elif value in CHARSET_WORDS and words[:1] == ["char"]:
                charset = CHARSET_WORDS[value]
            elif value in ("nchar", "national"):
                charset = "utf8mb3"
                words += ["char"] if value == "nchar" else []
            else:
                words.append("char" if value == "character" else value)
            self.at += 1
        self.need(")")
        text = re.sub(r" ?([(),]) ?", r"\1", " ".join(words)).replace(")array", ") array")
        text = {
            "signed integer": "signed",
            "unsigned integer": "unsigned",
            "int": "signed",
            "integer": "signed",
        }.get(text, text)
        return f"cast({inner[0]} as {text}{in_charset(charset)})", 99

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
                out += self.expression(0)[0]
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
                return self.clause(out, close)
            else:
                raise _Unreadable

    def clause(self, out: str, close: str) -> str:
        """SUBSTRING(a FROM 1 FOR 2), TRIM(x FROM y), JSON_VALUE(... RETURNING ...)."""
        if self.peek() in ("from", "for"):
            separators = []
            while self.peek() in ("from", "for"):
                separators.append(self.peek())
                self.at += 1
                out += "," + self.expression(0)[0]
            self.need(close)
            return out
        depth = 0
        while not (self.peek() == close and depth == 0):
            kind, value = self.tokens[self.at]
            if kind == "end":
                raise _Unreadable
            depth += (value == "(") - (value == ")")
            out += f" {value.lower() if kind == 'word' else value}"
            self.at += 1
        self.need(close)
        return _IN_CHARSET.sub(lambda m: in_charset(m[1]), out)
