"""The types of what functions of texts give, see `result_types`: how many characters there may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from schemacheck.catalog import result_functions as of
from schemacheck.catalog.collation import Collation
from schemacheck.catalog.constant import NotComputed
from schemacheck.catalog.constant_value import value_of
from schemacheck.catalog.result_types import Result, Unsure, Ways
from schemacheck.model import charset as charsets
from schemacheck.model.expression_tree import Item
from schemacheck.sql import characters

#: A text of more bytes may be NULL on MySQL.
_PACKET = 16_777_215
_SAME = frozenset(("ltrim", "rtrim", "reverse", "trim", "substring_index"))
#: What takes texts whose length must be known.
_KNOWN = _SAME | {"left", "right", "replace", "lower", "upper", "substr", "insert", "quote"}
_Of = Callable[[Item], Collation | None]


def text(
    item: Item, args: Sequence[Result], collation: Collation | None, collation_of: _Of, ways: Ways
) -> Result | None:
    """What a function of texts gives; None for another one. Raises Unsure."""
    name, items = item.name, item.args
    nullable = any(one.nullable for one in args)
    if name in ("concat", "concat_ws", "elt", "make_set"):
        return _joined(name, args, items, collation, collation_of, ways)
    size = _size(item, args, collation, collation_of, ways)
    if size is None:
        return None
    if name in ("unhex", "date_format", "time_format", "sha2", "from_unixtime"):
        return Result("text", size, nullable=True)
    return ways.text(size, nullable=nullable)


def _size(
    item: Item, args: Sequence[Result], collation: Collation | None, collation_of: _Of, ways: Ways
) -> int | None:
    name, items = item.name, item.args
    chars = [one.chars for one in args]
    if name in _KNOWN and (min(chars, default=-1) < 0 or "null" in {one.kind for one in args}):
        raise Unsure
    if name in _SAME:
        return chars[0]
    if name in ("lower", "upper"):
        return chars[0] * _folded(collation, ways)
    if name in ("left", "right"):
        return min(chars[0], max(_whole(items[1]), 0))
    if name == "repeat":
        return _repeated(chars[0], items[1], collation, ways)
    if name == "space":
        return _repeated(1, items[0], collation, ways)
    if name in ("lpad", "rpad"):
        if len(args) != 3 or args[0].kind == "null" or args[2].chars == 0 or _whole(items[1]) < 0:
            raise Unsure
        return _whole(items[1])
    if name == "replace":
        return _replaced(chars, collation, ways)
    if name == "insert":
        if ways.new and "int" in {args[0].kind, args[3].kind}:
            raise Unsure
        own = [collation_of(items[at]) for at in (0, 3)]
        if any(one is None or one.charset == "binary" for one in own):
            raise Unsure
        return chars[0] + chars[3]
    if name == "quote":
        return max(2 * chars[0] + 2, 4 if ways.new else 2)
    if name == "soundex":
        if args[0].kind != "text":
            raise Unsure
        return max(chars[0], 4)
    if name == "substr":
        return _part(args, items, collation_of, ways)
    if name == "hex":
        return _hexadecimal(args[0], items[0], collation_of, ways)
    if name == "unhex":
        return (of.octets(args[0], collation_of(items[0])) + 1) // 2
    if name in ("date_format", "time_format"):
        return of.format_length(items[1])
    if name == "from_unixtime" and len(args) > 1:
        return of.format_length(items[1])
    if name == "sha2":
        return of.hashed(items[1])
    if name == "export_set":
        if len(args) > 3 or min(chars[1:]) < 0:
            raise Unsure
        return max(chars[1], chars[2]) * 64 + 63
    if name == "char":
        if item.charset:
            raise Unsure
        return 4 * len(args)
    return None


def _joined(
    name: str, args: Sequence[Result], items: Sequence[Item], collation: Collation | None, collation_of: _Of,
    ways: Ways
) -> Result:  # fmt: skip
    """CONCAT and the like: the characters of all arguments, of ELT the longest."""
    first = 0 if name == "concat" else 1
    given = args[first:]
    if collation is None or not given or min(one.chars for one in args) < 0:
        raise Unsure
    if collation.charset == "binary":
        # Texts among binary strings count in bytes, or not.
        for one, item in zip(args, items, strict=True):
            own = collation_of(item) if one.kind == "text" else None
            if one.kind not in ("bits", "null") and (own is None or own.charset != "binary"):
                raise Unsure
    nullable = any(one.nullable for one in args)
    if _is_huge(sum(one.chars for one in given), collation):
        raise Unsure
    if name == "elt":
        return Result("text", max(one.chars for one in given), nullable=True)
    between = args[0].chars if name == "concat_ws" else 1 if name == "make_set" else 0
    size = sum(one.chars for one in given) + between * (len(given) - 1)
    if name == "make_set":
        if nullable:
            raise Unsure
        return Result("text", size, nullable=ways.mariadb and ways.strict)
    return ways.text(size, nullable=nullable)


def _is_huge(size: int, collation: Collation) -> bool:
    return size * charsets.max_bytes(collation.charset) > _PACKET


def _whole(item: Item) -> int:
    """A constant as a whole number. Raises Unsure."""
    try:
        found = value_of(item).value
    except NotComputed:
        raise Unsure from None
    text = str(found)
    if found is None or not characters.is_digits(text.lstrip("-")) or len(text) > 18:
        raise Unsure
    return int(text)


def _repeated(chars: int, item: Item, collation: Collation | None, ways: Ways) -> int:
    if item.kind == "null":
        count = -1
    else:
        count = _whole(item)
    if chars < 0 or collation is None:
        raise Unsure
    if count < 0:
        if ways.mariadb:
            return 0
        raise Unsure
    size = chars * count
    if _is_huge(size, collation):
        raise Unsure
    return size


def _folded(collation: Collation | None, ways: Ways) -> int:
    """How many characters one may become in the other case."""
    if collation is None:
        raise Unsure
    if not ways.late or collation.charset == "binary" or charsets.max_bytes(collation.charset) == 1:
        return 1
    if "_uca1400_" not in collation.name:
        raise Unsure
    return 2


def _replaced(chars: Sequence[int], collation: Collation | None, ways: Ways) -> int:
    more = chars[2] - chars[1]
    if not ways.old:
        if chars[2] in (0, 2) or collation is None or collation.charset == "binary":
            raise Unsure
        return chars[0] * max(chars[2] - ways.new, 1)
    if more <= 0 or chars[1] == 0:
        return chars[0]
    if chars[0] % chars[1]:
        raise Unsure
    return chars[0] + chars[0] // chars[1] * more


def _part(args: Sequence[Result], items: Sequence[Item], collation_of: _Of, ways: Ways) -> int:
    """SUBSTR, whose length the older servers reckon from the bytes."""
    at = _whole(items[1])
    chars = args[0].chars if ways.new else of.octets(args[0], collation_of(items[0]))
    if at < 0:
        size = min(chars, -at)
    elif at == 0:
        size = 0
    else:
        size = max(chars - at + 1, 0)
    return max(min(size, _whole(items[2])), 0) if len(items) > 2 else size


def _hexadecimal(one: Result, item: Item, collation_of: _Of, ways: Ways) -> int:
    if one.kind in ("int", "decimal", "double"):
        if one.chars < 0:
            raise Unsure
        if ways.mariadb and (one.unsigned or not one.fixed):
            raise Unsure
        return one.chars * 2 if ways.old else 16
    if ways.old and one.kind != "text" and item.kind == "call" and item.name not in ("now", "curdate"):
        raise Unsure
    return of.octets(one, collation_of(item)) * 2
