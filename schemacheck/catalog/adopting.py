"""Foreign keys that wait for their parent: a table that comes under its name must fit them.

Asked of four servers, twelve parents and eight statements, with and without foreign_key_checks: InnoDB asks
where the table is made or renamed (`dict_load_foreigns`), MySQL 8 asks afterwards, or instead, what it asks
of new foreign keys (`adjust_fk_children_after_parent_def_change`).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from schemacheck.catalog.references import FOREIGN_KEY, follows, leading, stored
from schemacheck.catalog.referring import Reference, checked
from schemacheck.model.server import Server
from schemacheck.model.table import Table, TableKind
from schemacheck.sql.lexer import Refused


class Way(Enum):
    """How a table comes under a name."""

    CREATED = "created"
    RENAMED = "renamed"
    #: ALTER TABLE renames it and does more, in place or by a copy of the rows.
    ALTERED = "altered"
    COPIED = "copied"


def adopt(table: Table, waiting: Iterable[Reference], way: Way, server: Server, at: int = 0) -> None:
    """Refuse a table under whose name foreign keys wait that it does not fit. Raises Refused."""
    if table.kind is not TableKind.TABLE or (table.engine or "InnoDB") != "InnoDB":
        return
    for one in waiting:
        if (one.child.engine or "InnoDB") != "InnoDB" or one.child.name == table.name:
            continue
        misfit, column, other = _misfit(table, one, server)
        number = _number(misfit, way, server) if misfit else 0
        if number:
            words = one.words(column) | {"parent": table.name, "parent_column": other, "to": table.name}
            name = other if number == 3734 else column
            why = f"{table.name!r} does not fit foreign key {one.key.name!r} of {one.child.name}"
            kind = FOREIGN_KEY if number in (1005, 1215) else ""
            raise Refused(why, at, number, name=name, kind=kind, words=words)


def _misfit(table: Table, one: Reference, server: Server) -> tuple[int, str, str]:
    """What does not fit, as MySQL 8 numbers it (0: all does), and the columns of both ends."""
    if table.partitioning:
        return 1506, "", ""
    for name, other in zip(one.key.columns, one.key.ref_columns, strict=False):
        mine, parent = one.child.column(name), table.column(other)
        if parent is None:
            return 3734, name, other
        if mine is not None and stored(mine.type) != stored(parent.type):
            return 3780, name, other
    wanted = [name.casefold() for name in one.key.ref_columns]
    if not any(leading(key, wanted) for key in table.keys):
        return 6125 if follows(server) else 1822, "", ""
    if follows(server) and not any(leading(key, wanted, exact=True) for key in table.keys):
        return -6125, "", ""
    return 0, "", ""


def _number(misfit: int, way: Way, server: Server) -> int:
    """The error's number. `misfit` is negative where InnoDB has no objection, and MySQL 8 alone has."""
    checks = checked(server)
    if server.has("data-dictionary"):
        by_engine = checks and misfit not in (1506, -6125) and way in (Way.CREATED, Way.RENAMED)
        return (1215 if way is Way.CREATED else 1025) if by_engine else abs(misfit)
    if misfit in (1506, -6125):
        return 0
    if not server.mariadb:
        return 1215 if way is Way.CREATED else 1025
    if way is Way.CREATED:
        return 1005 if checks else 0
    return 1025 if checks or way is not Way.COPIED else 0
