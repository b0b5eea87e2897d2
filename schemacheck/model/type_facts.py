"""The types of columns, and what is the same for all columns of one: a new type is a row here.

Families (`INTEGERS`, `TEXTS`, ...) and questions over them (`ColumnType.is_integer`) are named by meaning.
"""

from __future__ import annotations

from typing import NamedTuple

INTEGERS = ("tinyint", "smallint", "mediumint", "int", "bigint")
TEXTS = ("tinytext", "text", "mediumtext", "longtext")
BLOBS = ("tinyblob", "blob", "mediumblob", "longblob")
TEMPORALS = ("time", "datetime", "timestamp")
GEOMETRIES = (
    "geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon",
    "geometrycollection",
)  # fmt: skip
#: Types of MariaDB that are kept as binary strings of a fixed length.
ADDRESSES = ("uuid", "inet4", "inet6")


class Facts(NamedTuple):
    """What is the same for all columns of a type.

    `numbers`: how many it takes in parentheses. `size`: bytes of a value in the record, without the fraction
    of a second, where all have as many. `zero`: what a NOT NULL column has without a default. `sample`: an
    ordinary value.
    """

    numbers: tuple[int, ...] = (0,)
    size: int | None = None
    zero: str | None = None
    sample: str = ""


_LENGTH = (0, 1)
_DIGITS = (0, 1, 2)
_MOMENT = "0000-00-00 00:00:00"
TYPES = {
    **{name: Facts(_LENGTH, size, "0") for name, size in zip(INTEGERS, (1, 2, 3, 4, 8), strict=True)},
    "decimal": Facts(_DIGITS),
    "float": Facts(_DIGITS, 4),
    "double": Facts((0, 2), 8),
    "bit": Facts(_LENGTH, zero="b'0'"),
    "year": Facts(_LENGTH, 1, "0000"),
    "date": Facts(size=3, zero="0000-00-00"),
    "time": Facts(_LENGTH, 3, "00:00:00"),
    "datetime": Facts(_LENGTH, 5, _MOMENT),
    "timestamp": Facts(_LENGTH, 4, _MOMENT),
    **dict.fromkeys(("char", "varchar", "binary", "varbinary"), Facts(_LENGTH, zero="")),
    **dict.fromkeys((*TEXTS, *BLOBS), Facts()),
    "text": Facts(_LENGTH),
    "blob": Facts(_LENGTH),
    "enum": Facts(),
    "set": Facts(zero=""),
    "json": Facts(),
    "vector": Facts(_LENGTH),
    "xmltype": Facts(),
    **dict.fromkeys(GEOMETRIES, Facts(_LENGTH)),
    "uuid": Facts(
        size=16, zero="00000000-0000-0000-0000-000000000000",
        sample="123e4567-e89b-12d3-a456-426655440000",
    ),
    "inet4": Facts(size=4, zero="0.0.0.0", sample="10.1.2.3"),  # noqa: S104
    "inet6": Facts(size=16, zero="::", sample="2001:db8::1"),
}  # fmt: skip


def address(base: str, text: str) -> str:
    """A UUID, an INET4 or an INET6 as it is printed. Raises ValueError for a text that is none."""
    import ipaddress
    import uuid

    if base == "uuid":
        return str(uuid.UUID(text))
    return str(ipaddress.IPv4Address(text) if base == "inet4" else ipaddress.IPv6Address(text))
