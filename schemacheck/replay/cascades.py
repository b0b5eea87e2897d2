"""What row events of a parent table mean for the tables whose foreign keys refer to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from schemacheck.alignment.foreign_keys import RESTRICT, key_pairs
from schemacheck.alignment.pair import Pair
from schemacheck.alignment.terms import terms
from schemacheck.model import Effect, Finding, Link, Side, Table

#: What is not known of a source whose definitions are not given.
UNKNOWN_KEYS = "what foreign keys of the source change in other tables"


def hides_children(link: Link) -> bool:
    """Whether the source's foreign keys change rows that no event tells."""
    return not terms(link).logged_cascades


def keeps_children(link: Link) -> bool:
    """Whether a REPLACE of a parent's row keeps its children on the source, and is logged as a deletion
    (SC405: asked of MySQL 9.7.4).
    """
    return terms(link).own_foreign_keys


def on_children(pair: Pair, replicated: Callable[[str | None, str], bool]) -> Iterator[Finding]:
    """The foreign keys of the source alone that change rows of another table, which no event tells.

    `pair` is the parent's; `replicated` says whether the replica has a source table and is sent its rows, by
    name and database (None: the parent's). A key of both ends, or of the replica alone, is found by SC406.
    """
    for keys in key_pairs(pair, pair.source.incoming, pair.replica.incoming, {}):
        key = keys.source
        if key is None or keys.replica is not None or not keys.changed:
            continue
        if not replicated(key.ref_database, key.ref_table):
            continue
        child = f"{key.ref_table} ({', '.join(key.columns)})"
        yield Finding(
            "SC405",
            "foreign-key",
            Effect.DIVERGES,
            f"on the source only, {child} references this table: rows of {key.ref_table} change there alone "
            f"({'; '.join(keys.changed)})",
            pair.source.database,
            pair.source.name,
            source=Side(key.location or pair.source.location, child),
            remedy="Give both ends the same foreign key",
            reference="recorded on four servers",
        )


def of_filtered(parent: Table, replicated: Callable[[str | None, str], bool]) -> Iterator[Finding]:
    """The foreign keys of a source whose events do not tell what they do, which change rows of a replicated
    table with those of a parent that is filtered out. `replicated` as for `on_children`.
    """
    for key in parent.incoming:
        acts = (key.on_delete, key.on_update) != (RESTRICT, RESTRICT)
        if acts and replicated(key.ref_database, key.ref_table):
            child = f"{key.ref_table} ({', '.join(key.columns)})"
            yield Finding(
                "SC602",
                "leans-on-filtered-table",
                Effect.DIVERGES,
                f"{child} references this table, which is filtered out: rows of {key.ref_table} that this "
                "key changes are changed on the source alone",
                parent.database,
                parent.name,
                source=Side(key.location or parent.location, child),
                remedy=f"Replicate both tables, or filter {key.ref_table} out too",
                reference="recorded on MySQL 9.7 and MariaDB 10.11",
            )
