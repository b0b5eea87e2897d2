"""Foreign keys that wait for their parent: a table that comes under its name must fit them."""

from __future__ import annotations

from collections.abc import Iterable

from schemacheck.catalog.references import follows, leading, stored
from schemacheck.catalog.referring import Reference
from schemacheck.model.server import Server
from schemacheck.model.table import Table, TableKind
from schemacheck.sql.lexer import Refused


def adopt(table: Table, waiting: Iterable[Reference], server: Server, at: int = 0) -> None:
    """Refuse a table under whose name foreign keys wait that it may not fit. Raises Refused."""
    if table.kind is not TableKind.TABLE or (table.engine or "InnoDB") != "InnoDB":
        return
    for reference in waiting:
        if (reference.child.engine or "InnoDB") != "InnoDB" or reference.child.name == table.name:
            continue
        if not _fits(table, reference, server):
            why = (
                f"whether {table.name!r} fits foreign key "
                f"{reference.key.name!r} of {reference.child.name} is not known"
            )
            raise Refused(why, at)


def _fits(table: Table, reference: Reference, server: Server) -> bool:
    pairs = [
        (reference.child.column(name), table.column(other))
        for name, other in zip(reference.key.columns, reference.key.ref_columns, strict=False)
    ]
    wanted = [name.casefold() for name in reference.key.ref_columns]
    return (
        not table.partitioning
        and all(b is not None and (a is None or stored(a.type) == stored(b.type)) for a, b in pairs)
        and any(leading(key, wanted, exact=follows(server)) for key in table.keys)
    )
