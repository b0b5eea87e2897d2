"""Whether MySQL and MariaDB compute one expression alike.

rules/expressions.yaml (`two_flavors`) has the functions: 430 expressions were stored in a generated column
that both ends have, on MySQL 9.7.4 and MariaDB 11.8.6, six rows each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from schemacheck import knowledge
from schemacheck.dataclass import dataclass
from schemacheck.model import Column, ColumnType, Server
from schemacheck.model.column_type import STRINGS

_TEXTS = re.compile(r"'(?:[^'\\]|\\.|'')*'", re.DOTALL)
_CALLED = re.compile(r"\b([a-z_]\w*)\(")
_OPERATORS = re.compile(r"\b(regexp|xor)\b")
_BITS = re.compile(r"[&|^~]|<<|>>")
_CAST = re.compile(r"\bas (float|binary|signed|unsigned)\b")
_BYTES = ("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob")
_MOMENTS = ("date", "time", "datetime", "timestamp")


@dataclass(frozen=True, slots=True)
class Dialects:
    """What of an expression gives other values (`otherwise`), and what nobody asked (`unasked`)."""

    otherwise: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()


@cache
def _listed() -> Mapping[str, frozenset[str]]:
    return {
        name: frozenset(text.split()) for name, text in knowledge.load("expressions")["two_flavors"].items()
    }


def dialects(column: Column, columns: Mapping[str, ColumnType], here: Server, there: Server) -> Dialects:
    """What two servers may make otherwise of a generated column over columns (names folded)."""
    bare = _TEXTS.sub("''", column.expression or "").replace("`", "").casefold()
    if here.mariadb == there.mariadb:
        other = here.has("icu-regular-expressions") != there.has("icu-regular-expressions")
        return Dialects(("regexp",) if other and re.search(r"\bregexp", bare) else ())
    called = dict.fromkeys([*_CALLED.findall(bare), *_OPERATORS.findall(bare)])
    known = _listed()
    otherwise = [name for name in called if name in known["otherwise"]]
    named = set(re.findall(r"\w+", bare))
    bases = {kind.base for name, kind in columns.items() if name in named}
    texts, moments = not bases.isdisjoint(STRINGS), not bases.isdisjoint(_MOMENTS)
    # Beside a division a server has digits of its own: a column of four digits keeps what both give.
    kept = column.type.is_integer or (column.type.base == "decimal" and (column.type.scale or 0) <= 4)
    if "/" in bare and not kept:
        otherwise.append("/")
    if not bases.isdisjoint(_BYTES) and (_BITS.search(bare) or "bit_count" in called):
        otherwise.append("bits of bytes")
    cast = _CAST.search(bare)
    if cast and (cast[1].startswith(("float", "binary")) or moments):
        otherwise.append(f"cast as {cast[1]}")
    if (texts and "interval " in bare) or (texts and moments and re.search(r"[<>=]", bare)):
        otherwise.append("a text as a date")
    if column.type.base in STRINGS and not bases.isdisjoint(("float", "double")):
        otherwise.append("a double as a text")
    if len(bases) > 1 and not called.keys().isdisjoint(("greatest", "least")):
        otherwise.append("greatest of two types")
    unasked = [name for name in called if name not in known["otherwise"] and name not in known["alike"]]
    return Dialects(tuple(otherwise), tuple(unasked))
