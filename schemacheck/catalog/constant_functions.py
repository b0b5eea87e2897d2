"""Functions of constants: numbers and choices; texts stand in `constant_texts`."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, Decimal

from schemacheck.catalog import constant_json, constant_texts
from schemacheck.catalog.constant import (
    NULL,
    NUMBERS,
    TEXTS,
    Constant,
    NotComputed,
    decimal,
    double,
    integer,
    merged,
    number_of,
    rounded,
    text,
    truth,
    truth_of,
    whole_of,
)
from schemacheck.catalog.constant_order import compared
from schemacheck.model.expression_tree import Item

_ALL = 2**64


def call(name: str, given: list[Constant], item: Item) -> Constant:
    """A function. Raises NotComputed."""
    own = _OWN.get(name) or constant_texts.OWN.get(name)
    if own is not None:
        return own(given, item)
    if name in constant_json.CALLS:
        return constant_json.CALLS[name](given)
    called = _CALLS.get(name) or constant_texts.CALLS.get(name)
    if called is None:
        raise NotComputed
    kind, function = called
    if kind == "joined":
        kind = "bytes" if any(one.kind == "bytes" for one in given) else "text"
    if any(one.value is None for one in given):
        return Constant(kind, None, 0 if kind != "double" else None)
    if any(one.kind == "shape" for one in given):
        raise NotComputed
    try:
        found = function(*given)
    except TypeError:
        raise NotComputed from None
    if isinstance(found, int):
        return integer(found)
    if isinstance(found, float):
        return double(found)
    if isinstance(found, str) and kind == "bytes":
        found = found.encode()
    return Constant(kind, found)


# -- choices ------------------------------------------------------------------------------------------


def _first(given: list[Constant], item: Item) -> Constant:
    del item
    return merged(given, next((one for one in given if one.value is not None), NULL))


def _if(given: list[Constant], item: Item) -> Constant:
    del item
    return merged(given[1:], given[1] if truth_of(given[0]) else given[2])


def _nullif(given: list[Constant], item: Item) -> Constant:
    del item
    one = given[0]
    return Constant(one.kind, None, one.scale) if truth_of(compared("=", *given)) else one


def _elt(given: list[Constant], item: Item) -> Constant:
    del item
    index = 0 if given[0].value is None else whole_of(given[0])
    return merged([text(None), *given[1:]], given[index] if 0 < index < len(given) else NULL)


def _greatest(given: list[Constant], item: Item) -> Constant:
    kinds = {one.kind for one in given if one.kind != "null"}
    if any(one.value is None for one in given):
        return merged(given, NULL)
    if kinds <= TEXTS:
        found = given[0]
        for one in given[1:]:
            if truth_of(compared("<" if item.name == "greatest" else ">", found, one)):
                found = one
        return merged(given, found)
    if not kinds <= NUMBERS | TEXTS:
        raise NotComputed
    chosen = (max if item.name == "greatest" else min)(given, key=number_of)
    return merged([double(0.0) if one.kind in TEXTS else one for one in given], chosen)


def _interval(given: list[Constant], item: Item) -> Constant:
    del item
    if given[0].value is None:
        return integer(-1)
    number = number_of(given[0])
    return integer(sum(one.value is None or number_of(one) <= number for one in given[1:]))


# -- numbers ------------------------------------------------------------------------------------------


def _absolute(given: list[Constant], item: Item) -> Constant:
    del item
    one = given[0]
    if one.value is None:
        return one if one.kind in NUMBERS else double(None)
    number = number_of(one)
    found = -number if number < 0 else number
    if isinstance(found, float):
        return double(found, one.scale if one.kind == "double" else None)
    return integer(found) if isinstance(found, int) else decimal(found, one.scale or 0)


def _cut(given: list[Constant], item: Item) -> Constant:
    """ROUND, TRUNCATE, FLOOR and CEILING."""
    one = given[0]
    places = given[1] if len(given) > 1 else integer(0)
    if one.value is None or places.value is None:
        return integer(None)
    digits, number = whole_of(places), number_of(one)
    if isinstance(number, int) and digits >= 0:
        return integer(number)
    if digits < 0 or digits > 30:
        raise NotComputed
    how = {"floor": ROUND_FLOOR, "ceiling": ROUND_CEILING, "truncate": ROUND_DOWN}.get(item.name)
    if isinstance(number, float):
        if how is None:
            found = round(number, digits)
        else:
            found = float(Decimal(repr(number)).quantize(Decimal(1).scaleb(-digits), how))
        return double(found, digits if len(given) > 1 else 0)
    exact = Decimal(number)
    found_exact = exact.quantize(Decimal(1).scaleb(-digits), how) if how else rounded(exact, digits)
    if item.name in ("floor", "ceiling"):
        return integer(int(found_exact))
    return Constant("decimal", found_exact, digits)


def _sign(one: Constant) -> int:
    number = number_of(one)
    return (number > 0) - (number < 0)


_OWN: dict[str, Callable[[list[Constant], Item], Constant]] = {
    "coalesce": _first, "ifnull": _first, "if": _if, "nullif": _nullif,
    "elt": _elt, "greatest": _greatest, "least": _greatest, "interval": _interval, "abs": _absolute,
    "round": _cut, "truncate": _cut, "floor": _cut, "ceiling": _cut,
    "isnull": lambda given, _: truth(given[0].value is None),
    "pi": lambda given, _: double(math.pi, 6) if not given else double(None),
}  # fmt: skip
_CALLS: dict[str, tuple[str, Callable[..., int | float | str | bytes | None]]] = {
    "bit_count": ("int", lambda a: (whole_of(a) % _ALL).bit_count()),
    "pow": ("double", lambda a, b: float(number_of(a)) ** float(number_of(b))),
    "sign": ("int", _sign),
}
