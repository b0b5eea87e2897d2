"""The names, the order and the additional keys that the server chooses."""

from __future__ import annotations

import re
from typing import TypeVar

from schemacheck.catalog.context import Context
from schemacheck.dataclass import replace
from schemacheck.knowledge import characters
from schemacheck.model import normal
from schemacheck.model.server import Server
from schemacheck.model.table import Check, ForeignKey, Table
from schemacheck.sql.lexer import Refused, unasked

_ENGINES = {
    name.lower(): name
    for name in ("InnoDB", "MyISAM", "MEMORY", "CSV", "ARCHIVE", "BLACKHOLE", "MRG_MyISAM", "Aria",
        "FEDERATED", "SEQUENCE", "ndbcluster", "TokuDB", "ROCKSDB", "SPIDER", "CONNECT", "ColumnStore", "S3",
        "Mroonga", "OQGRAPH")
} | {"innobase": "InnoDB", "heap": "MEMORY", "merge": "MRG_MyISAM", "ndb": "ndbcluster",
"maria": "Aria"}  # fmt: skip
#: Engines that MySQL and Percona never had.
_MARIADB_ENGINES = frozenset(("Aria", "SEQUENCE", "SPIDER", "CONNECT", "ColumnStore", "S3", "OQGRAPH"))


def engine(name: str | None, context: Context, at: int = 0, old: str | None = None) -> str | None:
    """The engine as the server spells it. For an unknown one a table keeps its `old` engine (asked of four
    servers), a new one has the default. Raises Refused for an unknown one under NO_ENGINE_SUBSTITUTION.
    """
    text = _ENGINES.get((name or _default(context)).lower())
    if text in _MARIADB_ENGINES and not context.server.mariadb:
        text = None
    if text == "SEQUENCE" and name is not None:
        raise unasked("a table of SEQUENCE", at)
    if text is None and name is not None:
        if "NO_ENGINE_SUBSTITUTION" in context.modes:
            raise Refused(f"storage engine {name!r} is unknown", at, 1286)
        text = old or _ENGINES.get(_default(context).lower())
    return text


def _default(context: Context) -> str:
    return context.server.setting("default_storage_engine") or "InnoDB"


def checks(table: str, result: list[tuple[Check, bool]], context: Context, *, altered: bool) -> list[Check]:
    """CHECKs with the server's names; the flag marks a column's own, which has no name on MariaDB. MySQL
    counts from 1, in ALTER TABLE (`altered`) behind the highest, and refuses a name that is there.
    """
    mariadb = context.server.mariadb
    prefix = "CONSTRAINT_" if mariadb else f"{table}_chk_"
    taken = {check.name.casefold() for check, _ in result}
    out: list[Check] = []
    number = 0
    if altered and not mariadb:
        numbered = (re.fullmatch(rf"{re.escape(prefix)}(\d+)", check.name, re.ASCII) for check, _ in result)
        number = max((int(match[1]) for match in numbered if match), default=0)
    for item, in_column in result:
        made = item
        if not item.name and not (mariadb and in_column):
            number += 1
            while mariadb and f"{prefix}{number}".casefold() in taken:
                number += 1
            name = f"{prefix}{number}"
            if name.casefold() in taken:
                raise unasked(f"constraint {name!r} twice")
            made = replace(item, name=name)
        out.append(made)
    return list(normal.by_name(out))


def foreign_keys(table: str, foreigns: list[ForeignKey], context: Context) -> list[ForeignKey]:
    """Foreign keys with the server's names."""
    out = []
    taken = {foreign.name.casefold() for foreign in foreigns}
    number = 0
    for item in foreigns:
        made = item
        if not item.name:
            number += 1
            while f"{table}_ibfk_{number}".casefold() in taken:
                number += 1
            made = replace(item, name=f"{table}_ibfk_{number}")
        if context.server.mariadb:
            # InnoDB of MariaDB reads SET DEFAULT and forgets it.
            made = replace(made, on_delete=_action(item.on_delete), on_update=_action(item.on_update))
        out.append(made)
    return list(normal.by_name(out))


def _action(action: str) -> str:
    return "RESTRICT" if action == "SET DEFAULT" else action


def renamed(table: Table, name: str, server: Server) -> tuple[Check, ...]:
    """The CHECKs of a copy: MySQL's names hold the table's."""
    if server.mariadb:
        return table.checks
    numbered = [replace(check, name=f"{name}_chk_{number}") for number, check in enumerate(table.checks, 1)]
    return normal.by_name(numbered)


def moved(table: Table, after: tuple[str | None, str]) -> Table:
    """The table under another name: names that the server made of the old one follow."""
    foreign = [_follow(key, table.name, after[1], "_ibfk_") for key in table.foreign_keys]
    checks = [_follow(check, table.name, after[1], "_chk_") for check in table.checks]
    return replace(
        table,
        name=after[1],
        database=after[0],
        foreign_keys=normal.by_name(foreign),
        checks=normal.by_name(checks),
    )


_Named = TypeVar("_Named", Check, ForeignKey)


def _follow(named: _Named, old: str, new: str, mark: str) -> _Named:
    prefix = old + mark
    return (
        replace(named, name=new + mark + named.name[len(prefix) :])
        if named.name.startswith(prefix) and characters.is_digits(named.name[len(prefix) :])
        else named
    )
