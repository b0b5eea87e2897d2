"""Which rows only the engine can judge: types, words and engines that not every server prints alike. Decides
nothing about replication.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from schemacheck import knowledge
from schemacheck.fleet.definition import BY_NAME, FIELD, NULL
from schemacheck.model import column_type as types

#: Type texts that every server prints this way and every reader understands; anything else is looked at by
#: the engine.
_BARE = (
    *types.INTEGERS, *types.TEXTS, *types.BLOBS, *types.TEMPORALS, "date", "year", "float", "double", "json",
)  # fmt: skip
_PLAIN_TYPE = re.compile(
    rf"((({'|'.join(_BARE)}|decimal)(\([0-9]{{1,4}}(,[0-9]{{1,2}})?\))?( unsigned)?( zerofill)?)"
    r"|((var)?(char|binary)|bit)\([0-9]{1,5}\)|(enum|set)\('[^'\\]*'(,'[^'\\]*')*\))\Z"
)
_PLAIN_EXTRA = (
    "", "auto_increment", "DEFAULT_GENERATED", "on update CURRENT_TIMESTAMP",
    "on update current_timestamp()", "DEFAULT_GENERATED on update CURRENT_TIMESTAMP",
)  # fmt: skip
_PLAIN_ENGINE = ("InnoDB", "MyISAM", "Aria")


def row_needs_engine(view: str, tested: Sequence[tuple[str, str]]) -> bool:
    """Whether only the engine can tell if a row of TABLES or STATISTICS makes sense; `tested` are the values
    of its TESTED columns, as far as they were dumped.
    """
    return not all(_TESTS[view][name](value) for name, value in tested)


@lru_cache(maxsize=65_536)
def kind_needs_engine(kind: str) -> bool:
    """The same of what stands behind the name in a line of COLUMNS, before escapes are undone."""
    row = dict(zip(_CARRIED, kind.split(FIELD)[1:], strict=True))
    for name, test in _KIND.items():
        if not test(row[name]) and not (row[name] == NULL and name in _MAY_BE_NULL):
            return True
    # Text whose character set nobody tells is not the same text on both ends for sure.
    listed = (row["CHARACTER_SET_NAME"], row["COLLATION_NAME"])
    return row["COLUMN_TYPE"].startswith(_CHARACTER) and listed == (NULL, NULL)


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
    "tables": {
        "TABLE_TYPE": lambda text: text == "BASE TABLE",
        "ENGINE": lambda text: text in _PLAIN_ENGINE,
        "CREATE_OPTIONS": lambda text: text != NULL and "partitioned" not in text.lower(),
    },
    "statistics": {"INDEX_TYPE": lambda text: text in ("BTREE", "HASH")},
}
#: The columns whose values tell.
TESTED = {view: tuple(tests) for view, tests in _TESTS.items()}
