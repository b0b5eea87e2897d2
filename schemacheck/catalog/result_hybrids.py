"""The types of COALESCE, IF, CASE and the like, which have the type of their arguments together: see
`result_types`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from schemacheck.catalog.collation import Collation
from schemacheck.catalog.result_types import DOUBLE, FREE, Result, Unsure, Ways
from schemacheck.model.expression_tree import Item

_NUMERIC = ("int", "decimal", "double")
_Of = Callable[[Item], Collation | None]


def one_charset(items: Sequence[Item], collation_of: _Of) -> None:
    """MySQL 5.6 joins the collations of other arguments than its successors. Raises Unsure."""
    own = {one.charset for item in items if item.kind != "number" and (one := collation_of(item))}
    if len(own) > 1:
        raise Unsure


def hybrid(
    name: str, given: Sequence[Result], items: Sequence[Item], collation_of: _Of, ways: Ways
) -> Result:
    """What COALESCE, IF, CASE, LEAST and the like give. Raises Unsure."""
    nullable = _nullable(name, given, ways)
    kinds = {one.kind for one in given} - {"null"}
    values = [one for one in given if one.kind != "null"]
    kinds = {"text" if one == "bits" else one for one in kinds}
    compared = name in ("least", "greatest")
    if not kinds:
        if name in ("nullif", "least", "greatest"):
            raise Unsure
        return Result("null", nullable=True)
    if compared and len(values) < len(given) and not (ways.new or kinds == {"text"}):
        raise Unsure
    if kinds == {"int"}:
        return _integers(name, values, ways, nullable=nullable, some=len(values) < len(given))
    if kinds <= {"int", "decimal"}:
        scale = max(one.scale for one in values)
        digits = max(one.digits - one.scale for one in values)
        mixed = ways.old and name in ("if", "ifnull", "case") and len({one[3:5] for one in values}) > 1
        if any(one.unsigned or one.digits < 0 for one in values) or mixed:
            raise Unsure
        return ways.decimal(digits + scale, scale, nullable=nullable)
    if kinds <= set(_NUMERIC):
        if any(one.kind == "double" and one.scale != FREE for one in values):
            raise Unsure
        return ways.double(nullable=nullable)._replace(chars=max(one.chars for one in values))
    if len(kinds) == 1 and values[0].moment:
        if name == "nullif" and ways.old:
            raise Unsure
        scale = max(one.scale for one in values)
        return ways.moment(values[0].kind, scale, nullable=nullable)._replace(chars=-1)
    if kinds <= {"date", "time", "datetime"} and not (compared and "time" in kinds):
        scale = max(one.scale for one in values)
        return ways.moment("datetime", scale, nullable=nullable)._replace(chars=-1)
    return _texts(name, values, items, collation_of, ways, nullable=nullable)


def _nullable(name: str, given: Sequence[Result], ways: Ways) -> bool:
    every, some = all(one.nullable for one in given), any(one.nullable for one in given)
    if name == "nullif":
        return True
    if name == "coalesce":
        return some if ways.old else every
    if name == "ifnull":
        return given[1].nullable if ways.old else every
    return some


def _integers(name: str, values: Sequence[Result], ways: Ways, *, nullable: bool, some: bool) -> Result:
    """Integers together; `some` says that NULL is among them."""
    digits, chars = (max(one.digits for one in values), max(one.chars for one in values))
    if min(one.chars for one in values) < 0:
        raise Unsure
    if min(one.digits for one in values) < 0 and len(values) > 1:
        raise Unsure
    if len({one.unsigned for one in values}) > 1:
        if name != "coalesce":
            raise Unsure
        return ways.decimal(digits, 0, nullable=nullable)
    unsigned = values[0].unsigned
    if min(one.digits for one in values) < 0 or (unsigned and some):
        raise Unsure
    base = ""
    if ways.mariadb:
        base = "bigint" if "bigint" in {one.base for one in values} else "int"
    if name == "nullif":
        if chars > 8:
            raise Unsure
    elif name == "ifnull" and not ways.mariadb:
        base = "bigint"
    elif ways.name == "mariadb-10.11" and not (name == "if" and some):
        chars = digits + (not unsigned)
    elif name in ("least", "greatest") and ways.old:
        chars = digits + 1
    made = ways.integer(chars, digits=digits, nullable=nullable, unsigned=unsigned, base=base)
    if name == "case" and ways.old:
        return made._replace(chars=-1, base="bigint" if chars > 11 else "int")
    return made


def _texts(
    name: str,
    values: Sequence[Result],
    items: Sequence[Item],
    collation_of: _Of,
    ways: Ways,
    *,
    nullable: bool,
) -> Result:
    if ways.old:
        one_charset(items, collation_of)
    kinds = {one.kind for one in values}
    moments = kinds - {"text", "bits", *_NUMERIC}
    if moments and (len(moments) > 1 or name in ("least", "greatest") or "text" in kinds):
        raise Unsure
    if "other" in kinds or min(one.chars for one in values) < 0:
        raise Unsure
    if name in ("least", "greatest") and not kinds.isdisjoint(_NUMERIC):
        if "bits" in kinds:
            raise Unsure
        if not ways.new:
            if any(one.kind == "text" and not one.fixed for one in values):
                raise Unsure
            return ways.double(nullable=nullable)._replace(chars=-1 if ways.old else DOUBLE)
    if "bits" in kinds and kinds != {"bits"}:
        raise Unsure
    binary = {
        own is not None and own.charset == "binary"
        for one, item in zip(values, [one for one in items if one.kind != "null"], strict=False)
        if one.kind == "text"
        for own in [collation_of(item)]
    }
    if len(binary) > 1 or (binary == {True} and len(kinds) > 1):
        raise Unsure
    return Result("text", max(one.chars for one in values), nullable)
