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


#: Functions that servers print as another, or as an operation.
_REWRITTEN = frozenset(
    ("mod", "instr", "datediff", "regexp_like", "date", "timestamp", "timestampadd", "trim", "if")
)


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
    return node.text


@lru_cache(maxsize=16_384)
def is_condition(text: str, modes: frozenset[str] = PLAIN) -> bool | None:
    """Whether an expression is true, false or NULL by its own form; None where it is not understood."""
    try:
        reader = _Reader(text, modes)
        node = reader.expression(0)
    except _Unreadable:
        return None
    if reader.kind() != "end":
        return None
    return node.root in BOOLEAN or text.strip("() ").lower() in ("true", "false")


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
                    tested = left if value == "null" else truth(left)
                    return Node(f"{wrap(tested)} {text}{value}", level, "is")
            raise _Unreadable
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
                raise _Unreadable
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
            except _Unreadable:
                self.at, self.names = at, names
        return self.postfix(self.atom())

    def interval(self) -> Node:
        """INTERVAL amount unit."""
        self.at += 1
        amount = self.expression(0)
        unit = self.peek()
        if not _UNITS.match(unit):
            raise _Unreadable
        self.at += 1
        return Node(f"interval {wrap(amount)} {unit}", 99, "interval")

    def postfix(self, node: Node) -> Node:
        while self.peek() in ("->", "->>"):
            unquoted = self.peek() == "->>"
            self.at += 1
            path = self.atom()
            node = Node(f"json_extract({node.text},{path.text})")
            if unquoted:
                node = Node(f"json_unquote({node.text})")
        return node

    def atom(self) -> Node:
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
                raise _Unreadable
            inner = self.expression(0)
            if self.take(","):
                return Node(f"row({inner.text},{self.arguments(')')})")
            self.need(")")
            return inner
        if kind != "word":
            raise _Unreadable
        return self.word(value)

    def word(self, value: str) -> Node:
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
            return Node("1" if value == "true" else "0")
        if value not in _CONSTANTS and value[0] != "@":
            self.names.add(value)
        return Node(value)

    def column(self, name: str) -> Node:
        """`table.column`: the column's name alone."""
        while self.take("."):
            kind, value = self.tokens[self.at]
            if kind not in ("word", "name"):
                raise _Unreadable
            self.at += 1
            name = value if kind == "word" else where_needed(value[1:-1].replace("``", "`").lower())
        self.names.add(name[1:-1].replace("``", "`") if name[0] == "`" else name)
        return Node(name)

    def case(self) -> Node:
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
        if name in ("cast", "convert"):
            return self.cast(name)
        if name in ("date_add", "date_sub", "adddate", "subdate"):
            return self.date_arithmetic(name)
        if name in _REWRITTEN:
            at, names = self.at, set(self.names)
            made = self.rewritten(name)
            if made is not None:
                return made
            self.at, self.names = at, names
        plain = FUNCTIONS.get(name, name)
        arguments = self.arguments(")")
        return Node(f"{plain}({arguments})", 99, plain)

    def rewritten(self, name: str) -> Node | None:
        """A function that servers print as another, or as an operation; None where it has other arguments."""
        if name == "timestampadd":
            unit = self.peek().removeprefix("sql_tsi_")
            self.at += 1
            if not self.take(","):
                return None
            given = [Node(unit), *self.listed()]
        elif name == "trim" and self.peek() in ("leading", "trailing", "both"):
            where = self.peek()
            self.at += 1
            if not self.take("from"):
                return None
            given = self.listed()
            side = {"leading": "ltrim", "trailing": "rtrim", "both": "trim"}[where]
            return Node(f"{side}({given[0].text})") if len(given) == 1 else None
        else:
            given = self.listed()
        texts = [one.text for one in given]
        match name, given:
            case "mod", [a, b]:
                return join("%", a, b, BINARY["%"])
            case "instr", [_, _]:
                return Node(f"locate({texts[1]},{texts[0]})")
            case "datediff", [_, _]:
                days = (Node(f"to_days({texts[0]})"), Node(f"to_days({texts[1]})"))
                return join("-", *days, BINARY["-"])
            case "regexp_like", [a, b]:
                return join("regexp", a, b, BINARY["regexp"])
            case "date", [_]:
                return Node(f"cast({texts[0]} as date)")
            case "timestamp", [_]:
                return Node(f"cast({texts[0]} as datetime)")
            case "if", [asked, _, _]:
                return Node(f"if({truth(asked).text},{texts[1]},{texts[2]})")
            case "timestampadd", [_, amount, moment]:
                return join("+", moment, Node(f"interval {wrap(amount)} {texts[0]}"), 10)
        return None

    def listed(self) -> list[Node]:
        """Arguments up to the closing parenthesis; none where something else stands between them."""
        found = [self.expression(0)]
        while self.take(","):
            found.append(self.expression(0))
        return found if self.take(")") else []

    def date_arithmetic(self, name: str) -> Node:
        first = self.expression(0)
        self.need(",")
        second = self.expression(0)
        self.need(")")
        if not second.text.startswith("interval "):
            second = Node(f"interval {wrap(second)} day")
        return join("-" if "sub" in name else "+", first, second, 10)

    def cast(self, name: str) -> Node:
        inner = self.expression(0)
        if name == "convert" and self.take("using"):
            charset = charsets.canonical(self.peek())
            self.at += 1
            self.need(")")
            return Node(f"convert({inner.text} using {charset})")
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
        if text.startswith("char") and charset == "binary":
            text, charset = "binary" + text.removeprefix("char"), ""
        return Node(f"cast({inner.text} as {text}{in_charset(charset)})")

    def arguments(self, close: str) -> str:
        """What stands between parentheses, to the closing one; words between arguments (`from`, `for`,
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
                out += "," + self.expression(0).text
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
        # What JSON_VALUE returns where nothing is written.
        return _IN_CHARSET.sub(lambda m: in_charset(m[1]), out).removesuffix(" returning char ( 512 )")
