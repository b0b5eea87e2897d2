"""The grammar of what ALTER TABLE does to partitions, which nothing else stands beside."""

from __future__ import annotations

from schemacheck.sql.ddl import partition
from schemacheck.sql.ddl.actions import Other, PartitionChange
from schemacheck.sql.ddl.create import table_name
from schemacheck.sql.ddl.draft import PartitionDraft
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.words import Name

#: What may follow the partitions of these (`opt_validation`, `opt_mi_check_types`, `opt_mi_repair_types`).
_TAILS: dict[str, tuple[tuple[str, ...], ...]] = {
    "EXCHANGE": (("WITH", "VALIDATION"), ("WITHOUT", "VALIDATION")),
    "CHECK": (("QUICK",), ("FAST",), ("MEDIUM",), ("EXTENDED",), ("CHANGED",), ("FOR", "UPGRADE")),
    "REPAIR": (("QUICK",), ("EXTENDED",), ("USE_FRM",)),
}


def names(t: Tokens) -> list[str]:
    """Names between commas."""
    result = [t.name()]
    while t.take(","):
        result.append(t.name())
    return result


def change(t: Tokens, flavor: Flavor) -> Other:
    """Partitions made, dropped, checked or exchanged: to the statement's end."""
    at, words = t.offset(), (t.peek(), t.peek(1))
    verb = t.peek()
    t.at += 1
    t.need("PARTITION")
    quiet = t.take("IF", "NOT", "EXISTS") if verb == "ADD" else t.take("IF", "EXISTS")
    t.take("NO_WRITE_TO_BINLOG") or t.take("LOCAL")
    result: list[str] | None = None
    parts: list[PartitionDraft] | None = None
    count: int | None = None
    table: Name | None = None
    if verb == "ADD":
        if t.take("PARTITIONS"):
            count = t.integer()
        else:
            parts = partition.partitions(t, flavor)
    elif verb == "COALESCE":
        count = t.integer()
    elif not (t.take("ALL") or (t.end and verb == "REORGANIZE")):
        result = names(t) if verb != "EXCHANGE" else [t.name()]
        if verb == "REORGANIZE":
            t.need("INTO")
            parts = partition.partitions(t, flavor)
        elif verb == "EXCHANGE":
            t.need("WITH", "TABLE")
            table = table_name(t, flavor)
    if verb in ("DISCARD", "IMPORT"):
        t.need("TABLESPACE")
    tails = _TAILS.get(verb, ()) if verb != "EXCHANGE" or flavor.exchange_validation else ()
    while any(t.take(*tail) for tail in tails):
        pass
    if not t.end:
        # Nothing else is in this statement (`standalone_alter_commands`).
        raise t.fail()
    made = PartitionChange(
        tuple(result) if result is not None else None, tuple(parts) if parts else None, count, quiet
    )
    return Other(at, words, table, made)
