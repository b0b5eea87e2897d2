"""The foreign keys of other tables that reference a table."""

from __future__ import annotations

from schemacheck.dataclass import replace
from schemacheck.model.names import folded
from schemacheck.model.table import ForeignKey, Table


def with_incoming(tables: tuple[Table, ...], *, fold: bool = False) -> tuple[Table, ...]:
    """The tables, each with the foreign keys that point at it; `fold`: names have no case."""

    def key(database: str | None, name: str) -> tuple[str | None, str]:
        return (database and folded(database), folded(name)) if fold else (database, name)

    result: dict[tuple[str | None, str], list[ForeignKey]] = {}
    for child in tables:
        home = key(child.database, "")[0]
        for foreign in child.enforced_keys:
            target = key(foreign.ref_database or child.database, foreign.ref_table)
            result.setdefault(target, []).append(
                replace(
                    foreign, ref_table=child.name, ref_database=None if home == target[0] else child.database
                )
            )
    if not result:
        return tables
    return tuple(
        replace(t, incoming=tuple(result.get(key(t.database, t.name), ())))
        if key(t.database, t.name) in result
        else t
        for t in tables
    )
