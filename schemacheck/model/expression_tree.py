"""An expression as a tree of operators, calls, columns and literals, with the words that each stands in."""

from __future__ import annotations

from functools import lru_cache

from schemacheck.dataclass import dataclass, field
from schemacheck.model.expression_text import BANG, BETWEEN, BINARY, FUNCTIONS, NEGATED, PREDICATE, SAME, SIGN
from schemacheck.model.quote import unquote
from schemacheck.model.words import is_introducer, tokens

#: Deeper nesting is not read.
_DEEPEST = 60
#: Nor are more operators one in another: who walks the tree calls himself for each.
_HIGHEST = 200
_TESTED = frozenset(("null", "true", "false", "unknown"))
_PREDICATES = ("like", "in", "between", "regexp", "rlike")
_SIDES = ("both", "leading", "trailing")
_UNITS = frozenset(("microsecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"))
#: Words that are values or functions without parentheses.
_BARE = frozenset((
    "current_timestamp", "localtime", "localtimestamp", "current_date", "current_time", "current_user",
    "utc_date", "utc_time", "utc_timestamp",
))  # fmt: skip


@dataclass(slots=True)
class Item:
    """`kind`: "string" (`value`; `charset`: its introducer), "bits" (`value`: as it is written), "number",
    "null", "moment" (DATE'...'), "column" (`name`), "call" (`name`: of the function or the operator;
    `charset` and `value`: what CAST and CONVERT make, what COLLATE names). `detail`: what a call has besides
    its arguments: what IS asks for, the unit of an interval, the side of TRIM, the digits of a CAST.
    `first` and `last`: its words, `last` is behind it. `height`: how many calls are one in another.
    """

    kind: str
    name: str = ""
    args: list[Item] = field(default_factory=list)
    first: int = 0
    last: int = 0
    value: str = ""
    charset: str = ""
    height: int = 0
    detail: str = ""


class NoTree(Exception):
    """Something that the reader does not know."""


class TooHigh(Exception):
    """More operators one in another than are read."""


@lru_cache(maxsize=4096)
def tree(text: str, modes: frozenset[str]) -> tuple[Item, tuple[tuple[str, str], ...]]:
    """The tree of an expression and its words. Raises NoTree, TooHigh."""
    reader = _Reader([*tokens(text, modes), ("end", "")], high_not="HIGH_NOT_PRECEDENCE" in modes)
    try:
        found = reader.expression(0)
    except IndexError:
        raise NoTree from None
    if reader.words[reader.at][0] != "end":
        raise NoTree
    return found, tuple(reader.words[:-1])


class _Reader:
    def __init__(self, found: list[tuple[str, str]], *, high_not: bool) -> None:
        self.words, self.at, self.depth, self.high_not = found, 0, 0, high_not

    def peek(self) -> str:
        kind, value = self.words[self.at]
        return value if kind in ("word", "operator") else ""

    def take(self, word: str) -> bool:
        if self.peek() == word:
            self.at += 1
            return True
        return False

    def need(self, word: str) -> None:
        if not self.take(word):
            raise NoTree

    def made(
        self, first: int, name: str, args: list[Item], value: str = "", charset: str = "", detail: str = ""
    ) -> Item:
        height = 1 + max((one.height for one in args), default=0)
        if height > _HIGHEST:
            raise TooHigh(f"more than {_HIGHEST} operators stand one in another")
        return Item("call", name, args, first, self.at, value, charset, height, detail)

    def expression(self, least: int) -> Item:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NoTree
        first = self.at
        left = self.prefix()
        while True:
            word = self.peek()
            level = BINARY.get(word)
            if word == "not":
                level = BINARY.get(self.words[self.at + 1][1], BETWEEN)
            if level is None or level < least:
                self.depth -= 1
                return left
            left = self.infix(left, word, level, first)

    def infix(self, left: Item, word: str, level: int, first: int) -> Item:
        self.at += 1
        word = SAME.get(word, word)
        if word == "not":
            operator = self.peek()
            if operator not in _PREDICATES:
                raise NoTree
            return self.made(first, "not", [self.infix(left, operator, BINARY[operator], first)])
        if word == "is":
            turned = "not " if self.take("not") else ""
            asked = self.peek()
            if asked not in _TESTED:
                raise NoTree
            self.at += 1
            return self.made(first, "is", [left], detail=turned + asked)
        if word == "in":
            self.need("(")
            others = self.arguments()
            return self.made(first, "in", [left, *others])
        if word == "member":
            self.need("of")
            self.need("(")
            return self.made(first, "member", [left, *self.arguments()])
        if word == "between":
            low = self.expression(PREDICATE)
            self.need("and")
            high = self.expression(BETWEEN)
            return self.made(first, "between", [left, low, high])
        if word == "sounds":
            self.need("like")
            return self.made(first, "sounds", [left, self.expression(level + 1)])
        if word == "collate":
            kind, value = self.words[self.at]
            if kind not in ("word", "name", "string"):
                raise NoTree
            self.at += 1
            return self.made(first, "collate", [left], value=value.strip("`'").lower())
        if word in ("+", "-") and self.peek() == "interval":
            right = self.prefix(leads=False)
        else:
            right = self.expression(level + 1)
        if word in ("like", "regexp", "rlike"):
            # NOT IN and the like behind it belong to the right side (asked of MariaDB; MySQL has none there).
            while self.peek() == "not" and self.words[self.at + 1][1] in _PREDICATES:
                right = self.infix(right, "not", level, right.first)
        if word == "like" and self.take("escape"):
            return self.made(first, "like", [left, right, self.expression(level + 1)])
        return self.made(first, "concat" if word == "||" else word, [left, right])

    def prefix(self, *, leads: bool = True) -> Item:
        first = self.at
        if self.take("not"):
            return self.made(first, "not", [self.expression(BANG if self.high_not else NEGATED)])
        if self.take("!"):
            return self.made(first, "not", [self.expression(BANG)])
        for sign in ("-", "+", "~"):
            if self.take(sign):
                inner = self.expression(SIGN)
                if inner.kind == "number" and sign != "~":
                    return Item("number", first=first, last=self.at, value=sign + inner.value)
                return inner if sign == "+" else self.made(first, sign, [inner])
        if self.take("binary"):
            return self.made(first, "cast", [self.expression(BANG)], value="char", charset="binary")
        if self.peek() == "interval":
            at, depth = self.at, self.depth
            try:
                found = self.interval()
            except NoTree:
                self.at, self.depth = at, depth
            else:
                # Behind the + of an interval that leads: all to the next AND, OR or XOR.
                if leads and self.take("+"):
                    return self.made(first, "+", [self.expression(NEGATED), found])
                return found
        return self.postfix(self.atom(), first)

    def interval(self) -> Item:
        first = self.at
        self.at += 1
        amount = self.expression(0)
        unit = self.peek()
        if unit.partition("_")[0] not in _UNITS:
            raise NoTree
        self.at += 1
        return self.made(first, "interval unit", [amount], detail=unit)

    def postfix(self, item: Item, first: int) -> Item:
        while self.peek() in ("->", "->>"):
            unquoted = self.peek() == "->>"
            self.at += 1
            item = self.made(first, "json_extract", [item, self.atom()])
            if unquoted:
                item = self.made(first, "json_unquote", [item])
        return item

    def arguments(self) -> list[Item]:
        found: list[Item] = []
        while not self.take(")"):
            if found:
                self.need(",")
            found.append(self.expression(0))
        return found

    def atom(self) -> Item:
        first = self.at
        kind, value = self.words[self.at]
        self.at += 1
        if kind == "string":
            text = unquote(value)
            while self.words[self.at][0] == "string":
                text += unquote(self.words[self.at][1])
                self.at += 1
            return Item("string", first=first, last=self.at, value=text)
        if kind in ("bits", "number"):
            return Item(kind, first=first, last=self.at, value=value)
        if kind == "name":
            return self.column(value[1:-1].replace("``", "`"), first)
        if value == "(" and kind == "operator":
            if self.peek() == "select":
                raise NoTree
            inner = self.expression(0)
            self.need(")")
            inner.first, inner.last = first, self.at
            return inner
        if kind != "word":
            raise NoTree
        return self.word(value, first)

    def word(self, value: str, first: int) -> Item:
        following = self.words[self.at][0]
        if is_introducer(value) and following in ("string", "bits"):
            found = self.atom()
            return Item(found.kind, first=first, last=self.at, value=found.value, charset=value[1:])
        if value == "case":
            return self.case(first)
        if value in ("date", "time", "timestamp") and following == "string":
            text = unquote(self.words[self.at][1])
            self.at += 1
            return Item("moment", value, first=first, last=self.at, value=text)
        if value in ("null", "true", "false"):
            kind = "null" if value == "null" else "number"
            number = "1" if value == "true" else "0"
            return Item(kind, first=first, last=self.at, value=number, detail="" if kind == "null" else value)
        if self.peek() == "(":
            self.at += 1
            return self.call(value, first)
        if value in _BARE:
            return self.made(first, FUNCTIONS.get(value, value), [])
        return self.column(value, first)

    def column(self, name: str, first: int) -> Item:
        while self.take("."):
            kind, value = self.words[self.at]
            if kind not in ("word", "name"):
                raise NoTree
            self.at += 1
            name = value if kind == "word" else value[1:-1].replace("``", "`")
        return Item("column", name, first=first, last=self.at)

    def case(self, first: int) -> Item:
        """`args`: the compared value where there is one, then WHEN, THEN, ..., ELSE."""
        base = [] if self.peek() == "when" else [self.expression(0)]
        asked: list[Item] = []
        values: list[Item] = []
        while self.take("when"):
            asked.append(self.expression(0))
            self.need("then")
            values.append(self.expression(0))
        if self.take("else"):
            values.append(self.expression(0))
        self.need("end")
        compared = self.made(first, "case value" if base else "case asked", [*base, *asked])
        return self.made(first, "case", [compared, *values])

    def call(self, name: str, first: int) -> Item:
        name = FUNCTIONS.get(name, name)
        if name in ("cast", "convert"):
            return self.cast(name, first)
        if name in ("date_add", "date_sub", "adddate", "subdate"):
            sign = "-" if name in ("date_sub", "subdate") else "+"
            return self.made(first, sign, self.arguments(), detail="days")
        if name in ("extract", "timestampdiff", "timestampadd", "get_format"):
            unit = self.peek()
            self.at += 1
            self.need("from" if name == "extract" else ",")
            return self.made(first, name, self.arguments(), detail=unit)
        side = ""
        if name == "trim" and self.peek() in _SIDES:
            side = self.peek()
            self.at += 1
            if self.take("from"):
                return self.made(first, "trim", self.arguments(), detail=side)
        if self.take(")"):
            return self.made(first, name, [])
        given = [self.expression(0)]
        while not self.take(")"):
            if self.take("using"):
                charset = self.words[self.at][1]
                self.at += 1
                self.need(")")
                return self.made(first, name, given, charset=charset)
            if name == "json_value" and self.peek() != ",":
                raise NoTree
            if not (self.take(",") or self.take("from") or self.take("for") or self.take("in")):
                raise NoTree
            given.append(self.expression(0))
        if name == "trim" and len(given) == 2:
            given.reverse()
        return self.made(first, name, given, detail=side)

    def cast(self, name: str, first: int) -> Item:
        inner = self.expression(0)
        if name == "convert" and self.take("using"):
            charset = self.words[self.at][1].strip("`'")
            self.at += 1
            self.need(")")
            return self.made(first, "convert", [inner], value="char", charset=charset)
        self.need("," if name == "convert" else "as")
        words: list[str] = []
        depth = 0
        while depth or self.peek() != ")":
            kind, value = self.words[self.at]
            if kind == "end":
                raise NoTree
            depth += (value == "(") - (value == ")")
            words.append(value.strip("`'"))
            self.at += 1
        self.at += 1
        charset = words[-1] if {"charset", "set"} & set(words[-3:-1]) else ""
        value = {"character": "char"}.get(words[0] if words else "", words[0] if words else "")
        if value in ("nchar", "national"):
            value, charset = "char", "utf8mb3"
        if words[-1:] == ["binary"] or value == "binary":
            value, charset = "char", "binary"
        digits = "".join(words[words.index("(") + 1 : words.index(")")]) if "(" in words[:-1] else ""
        return self.made(first, "cast", [inner], value=value, charset=charset, detail=digits)
