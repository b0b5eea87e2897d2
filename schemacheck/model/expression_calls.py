"""Functions of expressions that servers print as other functions or as operations, and casts."""

from __future__ import annotations

import re

from schemacheck.model import charset as charsets
from schemacheck.model.expression_cursor import Cursor, Unreadable
from schemacheck.model.expression_text import BINARY, COMPARED, Node, join, truth, wrap
from schemacheck.model.words import CHARSET_WORDS, in_charset

_TRIMS = {"leading": "ltrim", "trailing": "rtrim", "both": "trim"}
_IN_CHARSET = re.compile(r" (?:charset|character set) (\w+)", re.ASCII)


def rewritten(reader: Cursor, name: str) -> Node | None:
    """A function that servers print as another, or as an operation; None where it has other arguments."""
    if name == "timestampadd":
        unit = reader.peek().removeprefix("sql_tsi_")
        reader.at += 1
        if not reader.take(","):
            return None
        given = [Node(unit), *reader.listed()]
    elif name == "trim":
        return _trimmed(reader)
    elif name == "position":
        sought = reader.expression(BINARY["|"])
        reader.need("in")
        given = [sought, *reader.listed()]
    else:
        given = reader.listed()
    texts = [one.text for one in given]
    match name, given:
        case "mod", [a, b]:
            return join("%", a, b, BINARY["%"])
        case "bin" | "oct", [_]:
            return Node(f"conv({texts[0]},10,{2 if name == 'bin' else 8})")
        case "isnull", [a]:
            return Node(f"{wrap(a)} is null", COMPARED, "is")
        case "instr", [_, _]:
            return Node(f"locate({texts[1]},{texts[0]})")
        case "datediff", [_, _]:
            days = (Node(f"to_days({texts[0]})"), Node(f"to_days({texts[1]})"))
            return join("-", *days, BINARY["-"])
        case "regexp_like", [a, b]:
            return join("regexp", a, b, BINARY["regexp"])
        case "weekofyear", [_]:
            return Node(f"week({texts[0]},3)")
        case "yearweek", [_]:
            return Node(f"yearweek({texts[0]},0)")
        case "position", [_, _]:
            return Node(f"locate({texts[0]},{texts[1]})")
        case "time", [_]:
            return Node(f"cast({texts[0]} as time)")
        case "date", [_]:
            return Node(f"cast({texts[0]} as date)")
        case "timestamp", [_]:
            return Node(f"cast({texts[0]} as datetime)")
        case "if", [asked, _, _]:
            return Node(f"if({truth(asked).text},{texts[1]},{texts[2]})")
        case "timestampadd", [_, amount, moment]:
            return join("+", moment, Node(f"interval {wrap(amount)} {texts[0]}"), BINARY["+"])
    return None


def _trimmed(reader: Cursor) -> Node | None:
    """What is in the parentheses of TRIM; BOTH is what it does without a word."""
    side = reader.peek() if reader.peek() in _TRIMS else "both"
    reader.take(side)
    removed = None if reader.peek() == "from" else reader.expression(0)
    if removed is not None and reader.take(")"):
        return Node(f"trim({removed.text})")
    if not reader.take("from"):
        return None
    given = reader.listed()
    if len(given) != 1:
        return None
    if removed is None:
        return Node(f"{_TRIMS[side]}({given[0].text})")
    return Node(f"trim({'' if side == 'both' else side + ' '}{removed.text} from {given[0].text})")


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
    """The type of a CAST without the other names of FLOAT and DOUBLE, which REAL_AS_FLOAT (`single`) and
    FLOAT's digits choose.
    """
    if text == "real":
        return "float" if single else "double"
    digits = text.removeprefix("float(").removesuffix(")")
    if text.startswith("float(") and digits.isdecimal():
        return "float" if int(digits) <= 24 else "double"
    return "double" if text == "double precision" else text


def clause(reader: Cursor, out: str, close: str) -> str:
    """SUBSTRING(a FROM 1 FOR 2), TRIM(x FROM y), JSON_VALUE(... RETURNING ...)."""
    if reader.peek() in ("from", "for"):
        separators = []
        while reader.peek() in ("from", "for"):
            separators.append(reader.peek())
            reader.at += 1
            out += "," + reader.expression(0).text
        reader.need(close)
        return out
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
