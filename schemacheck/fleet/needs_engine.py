"""Which rows only the engine can judge: types, words and engines that not every server prints alike. Decides
nothing about replication.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from schemacheck import knowledge
from schemacheck.model import column_type as types

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.definition import View

#: Type texts that every server prints this way and every reader understands; anything else is looked at by
#: the engine.
_BARE = (
    *types.INTEGERS,
    *types.TEXTS,
    *types.BLOBS,
    *types.TEMPORALS,
    "date",
    "year",
    "float",
    "double",
    "json",
)
_PLAIN_TYPE = re.compile(
    rf"((({'|'.join(_BARE)}|decimal)(\([0-9]{{1,4}}(,[0-9]{{1,2}})?\))?( unsigned)?( zerofill)?)"
    r"|((var)?(char|binary)|bit)\([0-9]{1,5}\)|(enum|set)\('[^'\\]*'(,'[^'\\]*')*\))\Z"
)
_PLAIN_EXTRA = (
    "",
    "auto_increment",
    "DEFAULT_GENERATED",
    "on update CURRENT_TIMESTAMP",
    "on update current_timestamp()",
    "DEFAULT_GENERATED on update CURRENT_TIMESTAMP",
)
_PLAIN_ENGINE = ("InnoDB", "MyISAM", "Aria")


def needs_engine(view: View, columns: dict[str, pa.Array]) -> pa.Array:
    """For each row, whether only the engine can tell if it makes sense."""
    import pyarrow as pa
    import pyarrow.compute as pc

    count = len(columns[view.database])
    every = pa.repeat(True, count)  # noqa: FBT003 a value
    if view.letter not in "CTS":
        return every
    plain: list[Any] = []
    for name, test in _TESTS[view.letter].items():
        if name in columns:
            values = columns[name].dictionary_encode()
            fine = pa.array([test(text) for text in values.dictionary.to_pylist()], pa.bool_())
            plain.append(pc.fill_null(fine.take(values.indices), name in _MAY_BE_NULL))
    if view.letter == "C":
        # Text whose character set nobody tells is not the same text on both ends for sure.
        told = [
            pc.is_valid(columns[name]) for name in ("CHARACTER_SET_NAME", "COLLATION_NAME") if name in columns
        ]
        kinds = columns["COLUMN_TYPE"].dictionary_encode()
        bytes_ = pa.array(
            [not text.startswith(_CHARACTER) for text in kinds.dictionary.to_pylist()], pa.bool_()
        ).take(kinds.indices)
        for one in told:
            bytes_ = pc.or_kleene(bytes_, one)
        plain.append(pc.fill_null(bytes_, fill_value=False))
    if view.letter == "S" and not plain:
        return every
    out = every
    for one in plain:
        out = pc.and_(out, one)
    return pc.invert(out)


def column_needs_engine(row: Mapping[str, str | None]) -> bool:
    """The same of one row of COLUMNS, of which all but its name and ordinal are looked at."""
    for name, test in _TESTS["C"].items():
        if name in row and name not in ("COLUMN_NAME", "ORDINAL_POSITION"):
            value = row[name]
            if not (name in _MAY_BE_NULL if value is None else test(value)):
                return True
    kind = row["COLUMN_TYPE"] or ""
    told = (row.get(name) for name in ("CHARACTER_SET_NAME", "COLLATION_NAME"))
    return kind.startswith(_CHARACTER) and all(one is None for one in told)


_CHARACTER = ("char(", "varchar(", "enum(", "set(", *types.TEXTS)
_MAY_BE_NULL = ("EXTRA", "CHARACTER_SET_NAME")


@lru_cache(maxsize=65_536)
def _plain_type(text: str) -> bool:
    return _PLAIN_TYPE.match(text) is not None


@lru_cache(maxsize=1)
def _charsets() -> frozenset[str]:
    return frozenset(("utf8", *knowledge.load("charsets")["charsets"]))


_TESTS: dict[str, dict[str, Callable[[str], bool]]] = {
    "C": {
        "COLUMN_TYPE": _plain_type,
        "COLUMN_NAME": bool,
        "ORDINAL_POSITION": lambda text: text.isdecimal() and len(text) < 3,
        "IS_NULLABLE": lambda text: text in ("YES", "NO"),
        "EXTRA": lambda text: text in _PLAIN_EXTRA,
        "CHARACTER_SET_NAME": lambda text: text in _charsets(),
    },
    "T": {
        "TABLE_TYPE": lambda text: text == "BASE TABLE",
        "ENGINE": lambda text: text in _PLAIN_ENGINE,
        "CREATE_OPTIONS": lambda text: "partitioned" not in text.lower(),
    },
    "S": {"INDEX_TYPE": lambda text: text in ("BTREE", "HASH")},
}
