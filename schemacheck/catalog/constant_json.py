"""JSON functions of constants, as MariaDB writes documents: `[1, "a"]`, `{"a": 1}`. Shapes stand beside
them: what is known of one is whether it is NULL, and the corner of a point.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from schemacheck.catalog.constant import Constant, NotComputed, double, integer, number_of, text_of, truth
from schemacheck.sql import characters

_PATH = re.compile(r"\$\.([a-z]+)\Z", re.ASCII)
_POINT = re.compile(r"point\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)\Z", re.IGNORECASE | re.ASCII)


def _parsed(one: Constant) -> Any:
    """A document. Raises ValueError for a text that is none."""
    return json.loads(text_of(one), parse_float=Decimal)


def _written(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list():
            return "[" + ", ".join(map(_written, value)) + "]"
        case dict():
            return "{" + ", ".join(f"{_written(name)}: {_written(one)}" for name, one in value.items()) + "}"
        case _:
            return str(value)


def _element(one: Constant) -> Any:
    """An argument as a document."""
    if one.value is None:
        return None
    if one.kind == "json":
        return _parsed(one)
    if one.truth:
        return bool(one.value)
    if one.kind in ("int", "decimal"):
        return one.value
    if one.kind == "shape":
        raise NotComputed
    if one.kind == "double":
        return Decimal(text_of(one)) if "e" not in text_of(one) else _none()
    return text_of(one)


def _none() -> Any:
    raise NotComputed


def _array(given: list[Constant]) -> Constant:
    return Constant("json", _written([_element(one) for one in given]))


def _object(given: list[Constant]) -> Constant:
    if len(given) % 2 or any(one.value is None for one in given[::2]):
        raise NotComputed
    pairs = zip(given[::2], given[1::2], strict=True)
    return Constant("json", _written({text_of(name): _element(one) for name, one in pairs}))


def _at(given: list[Constant]) -> Any:
    """The document at a path of one name; NULL where there is none is told by KeyError."""
    path = _PATH.match(text_of(given[1]))
    if path is None or len(given) != 2:
        raise NotComputed
    found = _parsed(given[0])
    if not isinstance(found, dict):
        raise KeyError
    return found[path[1]]


def _extracted(given: list[Constant]) -> Constant:
    if any(one.value is None for one in given):
        return Constant("json", None)
    try:
        return Constant("json", _written(_at(given)))
    except (KeyError, ValueError):
        return Constant("json", None)


def _value(given: list[Constant]) -> Constant:
    if any(one.value is None for one in given):
        return Constant("text", None)
    try:
        found = _at(given)
    except (KeyError, ValueError):
        return Constant("text", None)
    if isinstance(found, bool):
        return Constant("text", str(int(found)))
    return Constant("text", None if found is None or isinstance(found, (list, dict)) else str(found))


def _unquoted(given: list[Constant]) -> Constant:
    one = given[0]
    if one.value is None:
        return Constant("text", None)
    try:
        found = _parsed(one)
    except ValueError:
        return Constant("text", text_of(one))
    return Constant("text", found if isinstance(found, str) else text_of(one))


def _set(given: list[Constant]) -> Constant:
    path = None if given[1].value is None else _PATH.match(text_of(given[1]))
    if given[0].value is None or given[1].value is None:
        return Constant("json", None)
    if path is None or len(given) != 3:
        raise NotComputed
    try:
        found = _parsed(given[0])
    except ValueError:
        return Constant("json", None)
    if not isinstance(found, dict):
        return Constant("json", text_of(given[0]))
    return Constant("json", _written(found | {path[1]: _element(given[2])}))


def _length(given: list[Constant]) -> Constant:
    if len(given) != 1 or given[0].value is None:
        return integer(None) if len(given) == 1 else integer(_none())
    try:
        found = _parsed(given[0])
    except ValueError:
        return integer(None)
    return integer(len(found) if isinstance(found, (list, dict)) else 1)


def _valid(given: list[Constant]) -> Constant:
    if given[0].value is None:
        return truth(None)
    try:
        _parsed(given[0])
    except ValueError:
        return integer(0)
    return integer(1)


def _shape(given: list[Constant]) -> Constant:
    if any(one.value is None for one in given):
        return Constant("shape", None)
    return Constant("shape", tuple(map(number_of, given)))  # type: ignore[arg-type]


def _read_shape(given: list[Constant]) -> Constant:
    if given[0].value is None:
        return Constant("shape", None)
    found = _POINT.match(characters.strip(text_of(given[0])))
    if found is None or len(given) != 1:
        raise NotComputed
    return Constant("shape", (float(found[1]), float(found[2])))  # type: ignore[arg-type]


#: The bytes of a point: its SRID, the order of bytes, the type, and two numbers. Fewer are no geometry.
_LEAST = 4 + 1 + 4 + 16


def _corner(given: list[Constant]) -> Constant:
    one = given[0]
    if one.kind == "bytes" and isinstance(one.value, bytes) and len(one.value) < _LEAST:
        return double(None)
    if one.kind not in ("shape", "null"):
        raise NotComputed
    return double(float(one.value[0]) if isinstance(one.value, tuple) else None)


CALLS: dict[str, Callable[[list[Constant]], Constant]] = {
    "json_array": _array, "json_object": _object, "json_extract": _extracted, "json_value": _value,
    "json_unquote": _unquoted, "json_set": _set, "json_length": _length, "json_valid": _valid,
    "point": _shape, "st_geometryfromtext": _read_shape, "st_x": _corner,
}  # fmt: skip
