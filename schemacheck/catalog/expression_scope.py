"""Where the expressions of a table are read, and what functions do with the collations of their arguments
(`rules/expressions.yaml`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from schemacheck import knowledge
from schemacheck.catalog.charsets import default_collation
from schemacheck.catalog.context import Context
from schemacheck.dataclass import dataclass
from schemacheck.model.expression_tree import Item
from schemacheck.model.table import Column
from schemacheck.sql import characters

#: What is no constant though its arguments are.
MOVING = frozenset(("rand", "uuid", "uuid_short", "now", "sysdate", "curdate", "curtime"))
#: What compares its arguments as texts, whatever they are.
TEXTS = frozenset((
    "like", "regexp", "find_in_set", "locate", "regexp_instr", "regexp_like", "strcmp",
))  # fmt: skip


@cache
def groups(mariadb: bool) -> dict[str, str]:
    """The group of each function that has no arguments in common."""
    found: dict[str, str] = {}
    for group in ("number", "connection", "binary", "session", "moment", "json"):
        found |= dict.fromkeys(characters.split(knowledge.load("expressions")[group]), group)
    return found if not mariadb else found | {"st_aswkt": "connection"}


@lru_cache(maxsize=64)
def positions(mariadb: bool, *kinds: str) -> dict[str, int | list[int]]:
    """Which arguments a function joins or compares."""
    rules = knowledge.load("expressions")
    family = "mariadb" if mariadb else "mysql"
    return {name: where for kind in kinds for name, where in rules.get(kind.format(family), {}).items()}


def places(where: int | list[int], args: Sequence[Item]) -> list[int]:
    """The places of the arguments that such an entry names."""
    return list(range(where, len(args))) if isinstance(where, int) else [i for i in where if i < len(args)]


@dataclass(slots=True)
class Scope:
    """What the names and literals of a table's expressions mean. `collation` and `charset` are what functions
    give by themselves: the table's, with which the servers read expressions; a literal has them too on
    MariaDB, and on MySQL those of the introducer that it puts before each (asked of 9.7.4 and 11.8.6).
    """

    context: Context
    columns: dict[str, Column]
    charset: str
    collation: str
    #: Of a query: literals and casts have the connection's character set and collation, which these are.
    query: bool = False

    @classmethod
    def of(
        cls, columns: Sequence[Column], context: Context, charset: str | None, collation: str | None
    ) -> Scope:
        """The scope of a table with this default character set."""
        names = {one.name.casefold(): one for one in columns}
        if charset and collation:
            return cls(context, names, charset, collation)
        return cls(context, names, "utf8mb4", default_collation("utf8mb4", context.server))
