"""Which rows only the engine can judge: types, words and engines that not every server prints alike. Decides
nothing about replication.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from schemacheck import knowledge
from schemacheck.fleet.definition import BY_NAME, FIELD, NULL
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
    if view.letter not in "TS":
        return every
    plain: list[Any] = []
    for name, test in _TESTS[view.letter].items():
        if name in columns:
            values = columns[name].dictionary_encode()
            fine = pa.array([test(text) for text in values.dictionary.to_pylist()], pa.bool_())
            plain.append(pc.fill_null(fine.take(values.indices), fill_value=False))
    if view.letter == "S" and not plain:
        return every
    out = every
    for one in plain:
        out = pc.and_(out, one)
    return pc.invert(out)


@lru_cache(maxsize=65_536)
def kind_needs_engine(kind: str) -> bool:
    """The same of what stands behind the name in a line of COLUMNS, before escapes are undone."""
    row = dict(zip(_CARRIED, kind.split(FIELD)[1:], strict=True))
    if not all(
        test(row[name]) or (row[name] == NULL and name in _MAY_BE_NULL) for name, test in _KIND.items()
    ):
        return True
    # Text whose character set nobody tells is not the same text on both ends for sure.
    told = (row["CHARACTER_SET_NAME"], row["COLLATION_NAME"])
    return row["COLUMN_TYPE"].startswith(_CHARACTER) and told == (NULL, NULL)


_CARRIED = BY_NAME["columns"].carried[1:]
_CHARACTER = ("char(", "varchar(", "enum(", "set(", *types.TEXTS)
_MAY_BE_NULL = ("EXTRA", "CHARACTER_SET_NAME")


@lru_cache(maxsize=65_536)
def _plain_type(text: str) -> bool:
    return _PLAIN_TYPE.match(text) is not None


@lru_cache(maxsize=1)
def _charsets() -> frozenset[str]:
    return frozenset(("utf8", *knowledge.load("charsets")["charsets"]))


_KIND: dict[str, Callable[[str], bool]] = {
    "COLUMN_TYPE": _plain_type,
    "IS_NULLABLE": lambda text: text in ("YES", "NO"),
    "EXTRA": lambda text: text in _PLAIN_EXTRA,
    "CHARACTER_SET_NAME": lambda text: text in _charsets(),
}
_TESTS: dict[str, dict[str, Callable[[str], bool]]] = {
    "T": {
        "TABLE_TYPE": lambda text: text == "BASE TABLE",
        "ENGINE": lambda text: text in _PLAIN_ENGINE,
        "CREATE_OPTIONS": lambda text: "partitioned" not in text.lower(),
    },
    "S": {"INDEX_TYPE": lambda text: text in ("BTREE", "HASH")},
}
