"""Functions of expressions that servers print as other functions or as operations, and casts."""

from __future__ import annotations

import re

from schemacheck.model import charset as charsets
from schemacheck.model.expression_text import BINARY, COMPARED, OF_JSON, Node, Unreadable, join, truth, wrap
from schemacheck.model.words import CHARSET_WORDS, MARIADB, MYSQL, in_charset, tokens


class Cursor:
    """Tokens of one expression."""

    def __init__(self, text: str, modes: frozenset[str]) -> None:
        #: By tokens behind IS and predicates, how strongly operators bind that may not follow.
        self.closed: dict[int, int] = {}
        self.tokens = [*tokens(text, modes), ("end", "")]
        self.high_not = "HIGH_NOT_PRECEDENCE" in modes
        self.mysql, self.real_as_float = MYSQL in modes, "REAL_AS_FLOAT" in modes
        #: MySQL's JSON has TRUE; to everything else it is 1, as which MariaDB keeps it.
        self.has_true = MARIADB not in modes and OF_JSON.search(text) is not None
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
        """The expression that comes next, of operators that bind at least as `least` does."""
        raise NotImplementedError

    def listed(self) -> list[Node]:
        """The arguments up to the closing parenthesis."""
        raise NotImplementedError


_IN_CHARSET = re.compile(r" (?:charset|character set) (\w+)", re.ASCII)


def rewritten(reader: Cursor, name: str) -> Node | None:
    """A function that servers print as another, or as an operation; None where it has other arguments."""
    given = reader.listed()
    texts = [node.text for node in given]
    match name, given:
        case "mod", [a, b]:
            return join("%", a, b, BINARY["%"])
        case "isnull", [a]:
            return Node(f"{wrap(a)} is null", COMPARED, "is")
        case "instr", [_, _]:
            return Node(f"locate({texts[1]},{texts[0]})")
        case "datediff", [_, _]:
            days = (Node(f"to_days({texts[0]})"), Node(f"to_days({texts[1]})"))
            return join("-", *days, BINARY["-"])
        case "regexp_like", [a, b]:
            return join("regexp", a, b, BINARY["regexp"])
        case "trim", [_]:
            return Node(f"trim({texts[0]})")
        case "time", [_]:
            return Node(f"cast({texts[0]} as time)")
        case "date", [_]:
            return Node(f"cast({texts[0]} as date)")
        case "timestamp", [_]:
            return Node(f"cast({texts[0]} as datetime)")
        case "if", [asked, _, _]:
            return Node(f"if({truth(asked).text},{texts[1]},{texts[2]})")
    return None


def date_arithmetic(reader: Cursor, name: str) -> Node:
    """DATE_ADD and its like as an operation."""
    first = reader.expression(0)
    reader.need(",")
    second = reader.expression(0)
    reader.need(")")
    if not second.text.startswith("interval "):
        second = Node(f"interval {wrap(second)} day")
    return join("-" if "sub" in name else "+", first, second, BINARY["+"])


def cast(reader: Cursor, name: str) -> Node:
    """CAST and CONVERT. Raises Unreadable."""
    inner = reader.expression(0)
    if name == "convert" and reader.take("using"):
        charset = charsets.canonical(reader.peek())
        reader.at += 1
        reader.need(")")
        return Node(f"convert({inner.text} using {charset})")
    if not (reader.take(",") if name == "convert" else reader.take("as")):
        raise Unreadable
    words: list[str] = []
    charset = ""
    while not (reader.peek() == ")" and words.count("(") == words.count(")")):
        kind, value = reader.tokens[reader.at]
        if kind == "end":
            raise Unreadable
        if reader.take("charset") or reader.take("character", "set") or reader.take("char", "set"):
            charset = reader.tokens[reader.at][1]
        elif value in CHARSET_WORDS and words[:1] == ["char"]:
            charset = CHARSET_WORDS[value]
        elif value in ("nchar", "national"):
            charset = "utf8mb3"
            words += ["char"] if value == "nchar" else []
        else:
            words.append("char" if value == "character" else value)
        reader.at += 1
    reader.need(")")
    text = re.sub(r" ?([(),]) ?", r"\1", " ".join(words)).replace(")array", ") array")
    array = " array" if text.endswith(" array") else ""
    text = text.removesuffix(" array")
    text = _real(text, single=reader.real_as_float)
    text = {
        "signed integer": "signed",
        "unsigned integer": "unsigned",
        "signed int": "signed",
        "unsigned int": "unsigned",
        "int": "signed",
        "integer": "signed",
    }.get(text, text) + array
    if text.startswith("char") and charset == "binary":
        text, charset = "binary" + text.removeprefix("char"), ""
    return Node(f"cast({inner.text} as {text}{in_charset(charset)})")


def _real(text: str, *, single: bool) -> str:
    """The type of a CAST without other names of FLOAT and DOUBLE (`single`: REAL_AS_FLOAT)."""
    if text == "real":
        return "float" if single else "double"
    digits = text.removeprefix("float(").removesuffix(")")
    if text.startswith("float(") and digits.isdecimal():
        return "float" if int(digits) <= 24 else "double"
    return "double" if text == "double precision" else text


def clause(reader: Cursor, out: str, close: str) -> str:
    """CHAR(x USING y), JSON_VALUE(... RETURNING ...)."""
    depth, begin = 0, len(out)
    while not (reader.peek() == close and depth == 0):
        kind, value = reader.tokens[reader.at]
        if kind == "end":
            raise Unreadable
        depth += (value == "(") - (value == ")")
        out += f" {value.lower() if kind == 'word' else value}"
        reader.at += 1
    reader.need(close)
    # What JSON_VALUE returns where nothing is written.
    out = out[:begin] + out[begin:].removeprefix(" returning char ( 512 )")
    return _IN_CHARSET.sub(lambda m: in_charset(m[1]), out)
