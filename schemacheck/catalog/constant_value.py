"""The value of an expression of constants. MariaDB computes it when a column has it as its DEFAULT
(`make_empty_rec`), both families when they write texts in another character set.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import ROUND_DOWN, Decimal

from schemacheck.catalog import constant_functions, constant_moments
from schemacheck.catalog.charsets import codec, representable
from schemacheck.catalog.constant import (
    NULL,
    TEXTS,
    Constant,
    NotComputed,
    decimal,
    double,
    integer,
    merged,
    number_of,
    octets_of,
    rounded,
    text,
    text_of,
    truth,
    truth_of,
    whole_of,
)
from schemacheck.catalog.constant_order import compared, like, matches
from schemacheck.model.expression_tree import Item, NoTree, TooHigh, tree

_ALL = 2**64
_COMPARED = frozenset(("=", "!=", "<", ">", "<=", ">=", "<=>"))
_BITS = frozenset(("|", "&", "^", "<<", ">>"))
_COMPUTED = frozenset(("+", "-", "*", "/", "%", "div", "mod"))
_SPELLED = re.compile(r"(?:x[89A-F][0-9A-F])+\Z", re.ASCII)
#: More characters are not computed.
_LONGEST = 100_000


def compute(written: str, modes: frozenset[str]) -> Constant:
    """The value of an expression. Raises NotComputed."""
    try:
        return value_of(tree(written, modes)[0])
    except (NoTree, TooHigh):
        raise NotComputed from None


def value_of(item: Item) -> Constant:
    """The value of a tree. Raises NotComputed."""
    try:
        found = _value(item)
    except (ArithmeticError, ValueError, IndexError, RecursionError, TypeError):
        # TypeError: a function with another number of arguments.
        raise NotComputed from None
    if isinstance(found.value, (str, bytes)) and len(found.value) > _LONGEST:
        raise NotComputed
    return found


def _value(item: Item) -> Constant:
    match item.kind:
        case "null":
            return NULL
        case "string":
            return _string(item)
        case "bits" if item.value.startswith("x'") and item.charset in ("", "binary"):
            return Constant("bytes", bytes.fromhex(item.value[2:-1]))
        case "number":
            return truth(item.value == "1") if item.detail else _number(item.value)
        case "moment":
            return constant_moments.literal(item)
        case "call":
            return _call(item)
        case _:
            raise NotComputed


def _string(item: Item) -> Constant:
    if item.charset == "binary":
        return Constant("bytes", item.value.encode())
    if item.charset and _SPELLED.match(item.value):
        # As MariaDB prints a text beyond ASCII behind an introducer: without its backslashes.
        return text(bytes.fromhex(item.value.replace("x", "")).decode())
    if item.charset and not item.charset.startswith("utf8") and not item.value.isascii():
        raise NotComputed
    return text(item.value)


def _number(written: str) -> Constant:
    written = written.replace("--", "").replace("+", "")
    if "e" in written.lower():
        return double(float(written))
    if "." in written:
        return decimal(Decimal(written), len(written.partition(".")[2]))
    return integer(int(written))


def _call(item: Item) -> Constant:
    name = item.name
    if name == "case":
        return _case(item)
    if name in ("+", "-") and item.args[-1].name == "interval unit":
        unit = item.args[-1]
        return constant_moments.moved(_value(item.args[0]), _value(unit.args[0]), unit.detail, name)
    given = [_value(one) for one in item.args]
    if item.detail == "days" or name == "timestampadd":
        amount, base = (given[0], given[1]) if name == "timestampadd" else (given[1], given[0])
        return constant_moments.moved(base, amount, item.detail if name == "timestampadd" else "day",
                                      "+" if name == "timestampadd" else name)  # fmt: skip
    if name in _OPERATORS:
        return _OPERATORS[name](*given)
    if name in _COMPARED:
        return compared(name, given[0], given[1])
    if name in _BITS:
        return _bits(name, *given)
    if name in _COMPUTED:
        return _unary(given[0], name) if len(given) == 1 else arithmetic(name, *given)
    if name == "is":
        return _tested(given[0], item.detail)
    if name == "cast" or (name == "convert" and item.value):
        return _cast(given[0], item)
    if name == "collate":
        return given[0]
    if name in constant_moments.CALLS:
        return constant_moments.call(name, given, item.detail)
    return constant_functions.call(name, given, item)


def _case(item: Item) -> Constant:
    asked, values = item.args[0], [_value(one) for one in item.args[1:]]
    given = [_value(one) for one in asked.args]
    base = given.pop(0) if asked.name == "case value" else None
    chosen = values[len(given)] if len(values) > len(given) else NULL
    for one, found in zip(given, values, strict=False):
        if truth_of(compared("=", base, one) if base is not None else one):
            chosen = found
            break
    return merged(values, chosen)


def _tested(one: Constant, asked: str) -> Constant:
    what = asked.removeprefix("not ")
    if what in ("null", "unknown"):
        holds = one.value is None
    else:
        holds = truth_of(one) is (what == "true")
    return truth(holds != asked.startswith("not "))


def _both(*given: Constant) -> Constant:
    found = [truth_of(one) for one in given]
    return truth(False if False in found else None if None in found else True)


def _either(*given: Constant) -> Constant:
    found = [truth_of(one) for one in given]
    return truth(True if True in found else None if None in found else False)


def _differing(a: Constant, b: Constant) -> Constant:
    x, y = truth_of(a), truth_of(b)
    return truth(None if x is None or y is None else x != y)


def _not(one: Constant) -> Constant:
    found = truth_of(one)
    return truth(None if found is None else not found)


def _between(one: Constant, low: Constant, high: Constant) -> Constant:
    return _both(compared(">=", one, low), compared("<=", one, high))


def _in(one: Constant, *others: Constant) -> Constant:
    return _either(*(compared("=", one, other) for other in others))


def _inverted(one: Constant) -> Constant:
    return integer(None if one.value is None else _ALL - 1 - whole_of(one) % _ALL)


_OPERATORS: dict[str, Callable[..., Constant]] = {
    "and": _both, "&&": _both, "or": _either, "xor": _differing, "not": _not, "between": _between, "in": _in,
    "~": _inverted, "like": like, "regexp": matches, "rlike": matches,
}  # fmt: skip


def _bits(name: str, left: Constant, right: Constant) -> Constant:
    """An operator of 64 unsigned bits."""
    if left.value is None or right.value is None:
        return integer(None)
    a, b = whole_of(left) % _ALL, whole_of(right) % _ALL
    if name in ("<<", ">>"):
        return integer((a << b if name == "<<" else a >> b) % _ALL if b < 64 else 0)
    return integer(a | b if name == "|" else a & b if name == "&" else a ^ b)


def _unary(one: Constant, name: str) -> Constant:
    if name != "-":
        raise NotComputed
    if one.kind in TEXTS:
        return double(None if one.value is None else -float(number_of(one)))
    if one.value is None:
        return one
    number = number_of(one)
    if isinstance(number, float):
        return double(-number, one.scale)
    return integer(-number) if isinstance(number, int) else decimal(-number, one.scale or 0)


def _family(one: Constant) -> str:
    """The type in which a constant is computed with."""
    if one.kind in TEXTS:
        return "double"
    if one.kind in ("date", "datetime", "time"):
        return "decimal" if one.scale else "int"
    return "int" if one.kind == "null" else one.kind


def arithmetic(name: str, left: Constant, right: Constant) -> Constant:
    """An operator of numbers; NULL for a division by 0. Raises NotComputed."""
    if "shape" in (left.kind, right.kind):
        raise NotComputed
    families = {_family(left), _family(right)}
    kind = "double" if "double" in families else "decimal" if "decimal" in families or name == "/" else "int"
    scales = [
        one.scale if _family(one) != "double" or one.kind == "double" else None for one in (left, right)
    ]
    scale = None if None in scales else _scale(name, scales[0] or 0, scales[1] or 0)
    empty = None in (left.value, right.value)
    if name == "div":
        if empty or number_of(right) == 0:
            return integer(None)
        return integer(int(Decimal(number_of(left)) / Decimal(number_of(right))))
    if empty or (name in ("/", "%", "mod") and number_of(right) == 0):
        return Constant(kind, None, scale if kind != "int" else 0)
    a, b = number_of(left), number_of(right)
    if kind == "double":
        x, y = float(a), float(b)
        return double(
            x + y if name == "+" else x - y if name == "-" else x * y if name == "*"
            else x / y if name == "/" else math.fmod(x, y), scale)  # fmt: skip
    p, q = Decimal(a), Decimal(b)
    if name == "/":
        # Digits come by nine (`decimal_div`); the scale says how many are shown.
        digits = -(-max(scale or 0, 1) // 9) * 9
        return Constant("decimal", (p / q).quantize(Decimal(1).scaleb(-digits), ROUND_DOWN), scale)
    if name in ("%", "mod"):
        found = p - q * int(p / q)
    else:
        found = p + q if name == "+" else p - q if name == "-" else p * q
    return integer(int(found)) if kind == "int" else decimal(found, scale or 0)


def _scale(name: str, a: int, b: int) -> int:
    return a + b if name == "*" else a + 4 if name == "/" else max(a, b)


def _cast(one: Constant, item: Item) -> Constant:
    to = item.value
    empty = one.value is None
    if one.kind == "shape":
        raise NotComputed
    if to in ("signed", "unsigned"):
        return integer(None if empty else whole_of(one) if to == "signed" else whole_of(one) % _ALL)
    if to == "char":
        return _as_text(one, item)
    if to in ("double", "float"):
        return double(None if empty else float(number_of(one)))
    if to in ("decimal", "dec"):
        precision, _, places = item.detail.partition(",")
        scale = int(places or 0)
        if empty:
            return decimal(None, scale)
        most = Decimal(10) ** (int(precision or 10) - scale) - Decimal(1).scaleb(-scale)
        found = rounded(Decimal(number_of(one)), scale)
        return decimal(max(-most, min(most, found)), scale)
    if to in ("date", "datetime", "time"):
        return constant_moments.cast(one, to, int(item.detail or 0))
    raise NotComputed


def _as_text(one: Constant, item: Item) -> Constant:
    if item.charset == "binary":
        if one.value is None:
            return Constant("bytes", None)
        octets = octets_of(one)
        return Constant(
            "bytes", octets[: int(item.detail)].ljust(int(item.detail), b"\0") if item.detail else octets
        )
    if one.value is None:
        return text(None)
    found = (
        octets_of(one).decode(codec(item.charset)) if item.charset and one.kind == "bytes" else text_of(one)
    )
    if item.charset and representable(found, item.charset) != found:
        raise NotComputed
    return text(found[: int(item.detail)] if item.detail else found)
