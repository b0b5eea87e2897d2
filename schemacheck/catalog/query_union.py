"""The columns of CREATE TABLE ... SELECT ... UNION on MySQL (asked of 5.6 and 9.7): as far as both sides are
columns of types that go together without a conversion. Names are those of the first query, a column takes
NULL where one of them does, and its default is the type's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from schemacheck.catalog import default_values
from schemacheck.catalog.query_tables import unsure
from schemacheck.dataclass import replace
from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import DEFAULT_NULL, Column, Default, DefaultKind
from schemacheck.sql.lexer import Refused

if TYPE_CHECKING:
    from schemacheck.catalog.query import Item

_INTEGERS = ("tinyint", "smallint", "mediumint", "int", "bigint")
_BLOBS = ("tinyblob", "blob", "mediumblob", "longblob")
_MOST_DIGITS = 65
#: Types that stay what they are beside themselves; of other fractions, the longer.
_MOMENTS = ("date", "time", "datetime", "year", "timestamp")
#: Types whose own default was not asked, or depends on sql_mode.
_WITHOUT = ("date", "datetime", "timestamp", "binary", "json")


def united(first: Sequence[Item], second: Sequence[Item], at: int, *, widths: bool) -> list[Item]:
    """The columns of both; the type is not known (None) where it was not asked. `widths`: display widths make
    one integer another. Raises Refused.
    """
    if len(first) != len(second):
        raise Refused("the queries of UNION have different numbers of columns", at, "SC002", 1222)
    return [
        _made(one, _column(one.column, other.column, at, widths=widths) if _is_column(one, other) else None)
        for one, other in zip(first, second, strict=True)
    ]


def _made(item: Item, column: Column | None) -> Item:
    """The item with another column; what it was is no longer there."""
    return type(item)(item.name, column, item.span, computed=True)


def _is_column(one: Item, other: Item) -> bool:
    return one.source is not None and other.source is not None


def _column(one: Column | None, other: Column | None, at: int, *, widths: bool) -> Column | None:
    if one is None or other is None:
        return None
    here, there = one.type, other.type
    if here.charset and there.charset and (here.charset, here.collation) != (there.charset, there.collation):
        raise unsure("what UNION makes of two collations", at)
    if widths and (here.is_integer or there.is_integer):
        same = here.base == there.base and here.display_width == there.display_width
        made = _type(here, there) if same else None
    else:
        made = _type(here, there)
    nullable = one.nullable or other.nullable
    if made is None or (made.base in _WITHOUT and not nullable):
        return None
    text = default_values.implicit(made)
    own = Default(DefaultKind.LITERAL, text) if text is not None else None
    plain = Column("", replace(made, text=made.sql()), nullable, DEFAULT_NULL if nullable else own)
    return replace(plain, location=one.location)


def _type(here: ColumnType, there: ColumnType) -> ColumnType | None:
    """What both become."""
    bases = {here.base, there.base}
    if here.zerofill or there.zerofill or here.srid is not None or there.srid is not None:
        return None
    if bases <= {*_INTEGERS}:
        wider = max(here, there, key=lambda one: _INTEGERS.index(one.base))
        return wider if here.unsigned == there.unsigned else None
    if bases <= {*_BLOBS}:
        return max(here, there, key=lambda one: _BLOBS.index(one.base))
    if bases <= {"char", "varchar"}:
        length = max(here.length or 0, there.length or 0)
        # MySQL 5.6 makes CHAR(0) of nothing.
        return (
            replace(here, base="varchar" if "varchar" in bases else "char", length=length) if length else None
        )
    if len(bases) > 1:
        return None
    if here.base == "varbinary":
        return replace(here, length=max(here.length or 0, there.length or 0))
    if here.base in _MOMENTS and not (here.old_format or there.old_format):
        return max(here, there, key=lambda one: one.fraction or 0)
    if here.base == "decimal":
        return _decimal(here, there)
    plain = here.base in ("float", "double") and here.length is None and not here.unsigned
    return here if here == there and (plain or here.base in ("bit", "json", "binary")) else None


def _decimal(here: ColumnType, there: ColumnType) -> ColumnType | None:
    if here.unsigned or there.unsigned:
        return None
    scale = max(here.scale or 0, there.scale or 0)
    digits = max((one.length or 0) - (one.scale or 0) for one in (here, there)) + scale
    return replace(here, length=digits, scale=scale) if digits <= _MOST_DIGITS else None
