"""Constants that are compared with a column: servers put them into the column's type when they read the
expression, and print what became of them (`convert_constant_item` of MySQL, `convert_const_to_int` of
MariaDB; asked of 9.7.4, 10.11.19 and 11.8.6).

What stands for a moment of zeros is written 0: the servers print the truth of a moment so.
"""

from __future__ import annotations

import re
from decimal import Decimal

from schemacheck.catalog.constant import NUMBERS, Constant, NotComputed, text_of
from schemacheck.catalog.constant_value import value_of
from schemacheck.catalog.context import Context
from schemacheck.catalog.default_values import literal
from schemacheck.catalog.expression_scope import Scope
from schemacheck.model.column_type import ColumnType
from schemacheck.model.expression_text import bits
from schemacheck.model.expression_tree import Item
from schemacheck.sql.ddl.draft import DefaultDraft
from schemacheck.sql.lexer import Refused

_COMPARED = frozenset(("=", "<=>", "!=", "<", ">", "<=", ">="))
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}\Z")
_DIGITS = re.compile(r"[0-9]{1,4}")
_WHOLE, _PLAIN = re.compile(r"[0-9]{1,3}\Z"), re.compile(r"[A-Za-z]+\Z")
_LEADING = re.compile(r"[ \t\n\r\f\v]*([+-]?[0-9]{1,18})")
#: Exponents of numbers that may be a moment.
_EXPONENT = 20
#: A moment of zeros.
_ZERO = re.compile(r"[-0: .]+\Z")
_DAYS = ("date", "datetime", "timestamp")


def places(item: Item, types: list[str], *, mariadb: bool) -> tuple[int, list[int]] | None:
    """The place of the column among the operands, and those of the constants that become its type."""
    name, count = item.name, len(item.args)
    if name in _COMPARED or (name == "in" and count == 2) or (name == "nullif" and count == 2):
        own = 0 if types[0] else 1
        if own == 1 and name == "nullif" and mariadb:
            return None
        return (own, [1 - own]) if types[own] and not types[1 - own] else None
    if name == "between" and types[0] and not (types[0] == "timestamp" and mariadb):
        return (0, [1, 2])
    if name == "in" and types[0] and count > 2:
        kinds = {one.kind for one in item.args[1:]} - {"null"}
        if (types[0] == "bigint" and len(kinds) == 1) or (types[0] == "year" and mariadb):
            return (0, list(range(1, count)))
    return None


def replacements(
    item: Item, types: list[str], constant: list[bool], scope: Scope, at: int
) -> list[tuple[int, str]]:
    """What constants among the operands become: their places and texts. Raises Refused."""
    found = places(item, types, mariadb=scope.context.server.mariadb)
    if found is None:
        return []
    kind = scope.columns[item.args[found[0]].name.casefold()].type
    alone = len(found[1]) == 1
    made = [(i, become(item.args[i], kind, scope.context, at, alone=alone)) for i in found[1] if constant[i]]
    return [(i, text) for i, text in made if text is not None]


def text(item: Item) -> str | None:
    """The text of a constant, None for NULL. Raises NotComputed."""
    if item.kind == "string":
        return item.value
    if item.kind == "bits" and item.value.startswith("0x") and not item.charset:
        # Beside texts it is the text of its bytes, as x'..' is.
        return text_of(Constant("bytes", bytes.fromhex(bits(item.value)[2:])))
    if item.name == "char" and all(one.kind == "number" and _WHOLE.match(one.value) for one in item.args):
        codes = [int(one.value) for one in item.args]
        if all(0 < one < 128 for one in codes):
            return "".join(map(chr, codes))
    if item.name == "json_unquote" and item.args[0].kind == "string" and _PLAIN.match(item.args[0].value):
        return item.args[0].value
    value = value_of(item)
    return None if value.value is None else text_of(value)


def become(item: Item, kind: ColumnType, context: Context, at: int, *, alone: bool) -> str | None:
    """The text of a constant in the column's type; None where it stays. Raises Refused: 1292, or without a
    number where it is not computed here. `alone`: it is the only constant there.
    """
    mariadb, base = context.server.mariadb, kind.base
    if not (mariadb or context.server.has("data-dictionary")):
        return None
    if mariadb and not (
        base in ("bigint", "year") or (base == "timestamp" and context.server.has("timestamp-literals-print"))
    ):
        return None
    if item.kind in ("null", "column") or (base not in ("bigint", "year", "time", *_DAYS)):
        return None
    if base == "bigint":
        return _integer(item, at, context, alone=alone)
    if item.kind in ("moment", "bits"):
        return _moment(item, kind, context, at)
    draft = _draft(item, at)
    if draft is None:
        return None
    if base == "year":
        digits = _DIGITS.match(draft.text) if draft.kind == "string" else None
        if draft.kind == "string":
            if digits is None:
                return None
            draft = DefaultDraft("string", digits[0], at)
        found = literal(draft, kind, context)
        return None if found is None else str(int(found))
    if mariadb:
        found = literal(draft, kind, context)
        return None if found is None else _zero(found) or f"timestamp'{found}'"
    if base == "time" and draft.text == "":
        return None
    if base in _DAYS and _ZERO.match(draft.text) and (draft.kind == "number" or base != "date"):
        return "0"
    found = literal(draft, kind, context)
    if found is None:
        raise Refused(f"{draft.text!r} is no {base}", at, "SC002", 1292)
    if base == "time":
        return _zero(found) or f"time'{found}'"
    if draft.kind == "string":
        return None if base == "date" or not _ZERO.match(draft.text) else "0"
    return _zero(found) or (f"date'{found}'" if base == "date" else f"'{found}'")


def _zero(text: str) -> str | None:
    return "0" if _ZERO.match(text) else None


def _draft(item: Item, at: int) -> DefaultDraft | None:
    """A constant as a literal; None for NULL. Raises Refused where it is not computed here."""
    if item.kind == "number":
        return DefaultDraft("number", _written_out(item.value), at)
    if item.kind == "string":
        return DefaultDraft("string", item.value, at)
    try:
        value = value_of(item)
        if value.value is None:
            return None
        text = text_of(value)
    except NotComputed:
        why = "what a constant becomes in the type of the column that it is compared with is not known"
        raise Refused(why, at, "SC002") from None
    if value.kind in NUMBERS:
        return DefaultDraft("number", _written_out(text), at)
    return DefaultDraft("string", text, at)


def _written_out(number: str) -> str:
    """A number without an exponent."""
    if "e" not in number.lower():
        return number
    found = Decimal(number)
    return f"{found:f}" if abs(found.adjusted()) < _EXPONENT else number


def _integer(item: Item, at: int, context: Context, *, alone: bool) -> str | None:
    mariadb = context.server.mariadb
    if item.kind == "bits":
        text = item.value.lower()
        if mariadb and text.startswith("x"):
            return "0"
        return str(
            int(text.strip("xb'").removeprefix("0x") or "0", 2 if text.startswith(("b", "0b")) else 16)
        )
    if item.kind == "moment":
        prints = context.server.has("timestamp-literals-print")
        return None if prints else re.sub(r"[^0-9]", "", item.value.partition(".")[0])
    doubles = mariadb and alone and context.server.has("timestamp-literals-print")
    if item.kind == "number" and ("e" not in item.value.lower() or doubles):
        # 11.8 keeps 1e3 beside a BIGINT, 10.11 does not.
        return None
    if item.kind == "call" and mariadb and item.name not in ("concat", "left", "substr", "upper", "lower"):
        try:
            if value_of(item).kind not in ("text", "double"):
                return None
        except NotComputed:
            return None
    draft = _draft(item, at)
    if draft is None:
        return None
    if draft.kind == "number":
        number = float(draft.text) if len(draft.text) < 20 else 0.5
        return str(int(number)) if number == int(number) else None
    found = _LEADING.match(draft.text)
    if not mariadb and draft.text and not _NUMBER.match(draft.text):
        raise Refused(f"{draft.text!r} is no integer", at, "SC002", 1292)
    return found[1] if found else "0"


def _moment(item: Item, kind: ColumnType, context: Context, at: int) -> str | None:
    base, mariadb = kind.base, context.server.mariadb
    if item.kind == "bits":
        if base in ("time", *_DAYS) and not mariadb:
            raise Refused(f"{item.value} is no {base}", at, "SC002", 1292)
        if base == "year" and not (mariadb and item.value.lower().startswith("x")):
            text = item.value.lower()
            number = int(text.strip("xb'").removeprefix("0x") or "0", 2 if text[0] == "b" else 16)
            found = literal(DefaultDraft("number", str(number), at), kind, context)
            return None if found is None else str(int(found))
        return None
    if base == "year":
        if item.name == "time":
            if mariadb:
                return "0"
            raise Refused("the year of a time is that of today", at, "SC002")
        return str(int(item.value[:4]))
    if base == "time":
        if item.name == "time":
            return _zero(item.value)
        found = literal(DefaultDraft("string", item.value if item.name != "date" else "0", at), kind, context)
        return None if found is None else _zero(found) or f"time'{found}'"
    if _zero(item.value):
        return "0"
    if mariadb:
        if item.name == "time":
            raise Refused("the day of a time is today", at, "SC002")
        found = literal(DefaultDraft("string", item.value, at), kind, context)
        return None if found is None else f"timestamp'{found}'"
    return None
