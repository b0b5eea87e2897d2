"""How many characters an expression of texts gives at most, as MySQL counts them
(`Item::max_char_length`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemacheck.model import charset as charsets
from schemacheck.model.expression_tree import Item
from schemacheck.model.table import Column

#: The longest text that is no BLOB where a server makes a column of it (CONVERT_IF_BIGGER_TO_BLOB).
LONGEST = 512
#: Functions that give their first argument, or less.
_FIRST = frozenset((
    "upper", "lower", "ucase", "lcase", "trim", "ltrim", "rtrim", "reverse", "soundex", "substring_index",
    "collate", "binary", "nullif",
))  # fmt: skip
_LONGEST = frozenset(("coalesce", "ifnull", "if", "elt", "greatest", "least"))
_SUM = frozenset(("concat", "make_set"))
_DIGITS = re.compile(r"[0-9]{1,9}\Z")
#: Characters of a number.
_NUMBER = 23


def longest(item: Item, columns: Mapping[str, Column]) -> int | None:
    """The most characters of what an expression gives (asked of 9.7); None where it is not counted here."""
    if item.kind == "string":
        return len(item.value)
    if item.kind == "column":
        return _of_column(columns.get(item.name.casefold()))
    if item.kind != "call":
        return _NUMBER
    name, args = item.name, item.args
    if name in _FIRST and args:
        return longest(args[0], columns)
    if name in ("left", "right", "substr", "substring", "mid"):
        whole, count = longest(args[0], columns), _count(args[-1])
        if name in ("left", "right") or len(args) > 2:
            return whole if count is None or whole is None else min(whole, count)
        return None if whole is None or count is None else max(whole - count + 1, 0)
    if name in ("lpad", "rpad", "space"):
        return _count(args[0 if name == "space" else 1])
    parts = [longest(one, columns) for one in (args[1:] if name in ("if", "elt", "make_set") else args)]
    known = [one for one in parts if one is not None]
    if len(known) < len(parts) or not known:
        return None
    if name in _LONGEST:
        return max(known)
    if name in _SUM:
        return sum(known)
    if name == "concat_ws":
        return sum(known[1:]) + known[0] * max(len(known) - 2, 0)
    if name == "insert" and len(known) == 4:
        return known[0] + known[3]
    if name == "quote":
        return 2 * known[0] + 2
    if name == "repeat":
        count = _count(args[1])
        return None if count is None else known[0] * count
    if name == "hex" and args[0].kind == "column":
        return 2 * known[0] * _width(columns.get(args[0].name.casefold()))
    return None


def _count(item: Item) -> int | None:
    return int(item.value) if item.kind == "number" and _DIGITS.match(item.value) else None


def _width(one: Column | None) -> int:
    return charsets.max_bytes(one.type.charset) if one is not None and one.type.charset else 1


def _of_column(one: Column | None) -> int | None:
    if one is None:
        return None
    kind = one.type
    if kind.base in ("char", "varchar", "binary", "varbinary"):
        return kind.length or 0
    if kind.is_text or kind.is_blob:
        return kind.max_bytes // _width(one)
    return _NUMBER if not (kind.is_geometry or kind.base in ("json", "vector", "enum", "set")) else None
