"""The replica has a stricter unique key.

## What it finds
Primary and unique keys of the replica that no unique key of the source implies: keys that only the replica
has, keys over fewer columns, shorter prefixes, a collation that takes more values for equal, keys over
columns that only the replica has.

## What the replica does
A row that is legal on the source may be a duplicate on the replica: the applier stops with error 1062
(slave_exec_mode=IDEMPOTENT overwrites the row instead). Before 5.5.3 the manual demands equal prefix lengths
of unique keys.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20));
    replica: CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20), UNIQUE KEY (b));

## Fix
Create the unique key on the source first, or give it up on the replica. Where only a default collation
differs (utf8mb4_general_ci of MySQL 5.7, utf8mb4_0900_ai_ci of 8.0), name the collation in the definition.

## References
Recorded on four servers; MySQL manual, Replication type conversions in MySQL 5.5.3 and earlier.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.dataclass import replace
from schemacheck.findings.on_pair import on_table
from schemacheck.model import ColumnType, Effect, Finding, Key, KeyPart, Side
from schemacheck.model.charset import compares_alike, has_collation, pads
from schemacheck.model.definition_sql import modify
from schemacheck.model.expression import columns as columns_of
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    changed = (
        None
        if pair.extra_source or pair.extra_replica
        else {cell.replica.name.casefold() for cell in pair.differing}
    )
    for key in pair.replica.keys:
        if not key.unique or (pair.replica.gipk and key is pair.replica.primary_key):
            continue
        if (
            changed is not None
            and key in pair.source.keys
            and changed.isdisjoint(name for part in key.parts for name in _columns(pair, part))
        ):
            continue  # the source's own key, of columns that are equal
        if _generated_values(pair, key) or any(
            _implies(pair, ours, key) for ours in pair.source.keys if ours.unique
        ):
            continue
        columns = ", ".join(_part(p) for p in key.parts)
        why = "is stricter than the source's keys"
        remedy, sql = "Create the same unique key on the source first, or give it up on the replica", None
        collated = _collated(pair, key)
        if collated:
            why = "compares " + " and ".join(
                f"{c.source.name} as {c.replica.type.collation or 'its default collation'}, the source as "
                f"{c.source.type.collation or 'its default collation'}"
                for c in collated
            )
            remedy, sql = _same_collation(pair, collated)
        text = " ".join((f"{key.kind.value} key ({columns})", *dict.fromkeys(
            c.replica.type.collation or "" for c in collated
        )))  # fmt: skip
        yield on_table(
            pair,
            Effect.UNSUPPORTED,
            f"the replica's unique key ({columns}) {why}: rows that the source accepts may be duplicates "
            "there",
            column=key.parts[0].column,
            replica=Side(key.location or pair.replica.location, text),
            error=pair.error("duplicate-key", key=key.name or (key.parts[0].column or "")),
            depends_on_rows=True,
            remedy=remedy,
            remedy_sql=sql,
            reference="recorded on four servers",
        )


def _columns(pair: Pair, part: KeyPart) -> frozenset[str]:
    """The columns of a part of a key, lower case; any for an expression that is not understood."""
    if part.column:
        return frozenset((part.column.casefold(),))
    return columns_of(part.expression or "") or frozenset(c.name.casefold() for c in pair.replica.columns)


def _part(part: KeyPart) -> str:
    return (part.column or f"({part.expression})") + (f"({part.length})" if part.length else "")


def _generated_values(pair: Pair, key: Key) -> bool:
    """Whether an extra AUTO_INCREMENT column keeps the key unique by itself."""
    extra = {c.name.casefold(): c for c in pair.extra_replica}
    return any(
        p.column and p.column.casefold() in extra and extra[p.column.casefold()].auto_increment
        for p in key.parts
    )


def _collated(pair: Pair, key: Key) -> list[Cell]:
    """The columns whose collation alone makes the key stricter; none where something else does too."""
    ours = next((k for k in pair.source.keys if k.unique and _implies(pair, k, key, collations=False)), None)
    if ours is None:
        return []
    named = {name for part in ours.parts for name in _columns(pair, part)}
    return [
        c
        for c in pair.cells
        if c.source.name.casefold() in named
        and c.replica.type.is_character
        and _coarser(c.source.type, c.replica.type)
    ]


def _same_collation(pair: Pair, cells: list[Cell]) -> tuple[str, str | None]:
    """The remedy, and its statements: the source's collation on the replica, where that has it."""
    wanted = " and ".join(
        dict.fromkeys(f"COLLATE {c.source.type.collation}" for c in cells if c.source.type.collation)
    )
    remedy = (
        f"Name the collation in the definitions of both ends ({wanted or 'COLLATE ...'}): a default "
        "differs between servers"
    )
    has, keys = pair.link.replica.has, pair.replica.foreign_keys
    tied = {name.casefold() for key in keys for name in key.columns}
    tied |= {name.casefold() for key in pair.replica.incoming for name in key.ref_columns}
    if any(c.replica.name.casefold() in tied for c in cells):
        return f"{remedy}; parent and child change together, under SET foreign_key_checks = 0", None
    if not all(c.source.type.collation and has_collation(c.source.type.collation, has) for c in cells):
        return "Name a collation that both servers have in the definitions of both ends", None
    columns = [
        replace(
            c.replica,
            type=replace(c.replica.type, charset=c.source.type.charset, collation=c.source.type.collation),
        )
        for c in cells
    ]
    altered = (modify(pair.replica, column, column, pair.link.replica) for column in columns)
    return remedy, " ".join(filter(None, altered)) or None


def _implies(pair: Pair, ours: Key, theirs: Key, *, collations: bool = True) -> bool:
    """Whether uniqueness under the source's key makes every row unique under the replica's; `collations`:
    also by how they compare.

    Each part of the source's key must be among the replica's, compared at least as finely.
    """
    parts = {p.column.casefold(): p for p in theirs.parts if p.column}
    expressions = {p.expression for p in theirs.parts if p.expression}
    for part in ours.parts:
        if part.column is None:
            if part.expression not in expressions or (collations and _compared_coarser(pair, part)):
                return False
            continue
        cell = next((c for c in pair.cells if c.source.name.casefold() == part.column.casefold()), None)
        match = parts.get(cell.replica.name.casefold()) if cell else None
        if cell is None or match is None:
            return False
        if match.length is not None and (part.length is None or match.length < part.length):
            return False
        if collations and _coarser(cell.source.type, cell.replica.type):
            return False
        # NULLs are distinct; a NOT NULL replica column makes them one value.
        if cell.source.nullable and not cell.replica.nullable:
            return False
    return True


def _compared_coarser(pair: Pair, part: KeyPart) -> bool:
    """Whether an expression has its collation from a column that the replica may compare more coarsely."""
    read = _columns(pair, part)
    return any(
        _coarser(cell.source.type, cell.replica.type)
        for cell in pair.cells
        if cell.source.name.casefold() in read
    )


def _coarser(ours: ColumnType, theirs: ColumnType) -> bool:
    """Whether the replica's collation may take two values for one that the source's tells apart."""
    if not theirs.is_character:
        return ours.is_character
    here, there = ours.collation or "", theirs.collation or ""
    if compares_alike(here, there):
        return False
    if not there.endswith("_bin") or here.split("_")[0] != there.split("_")[0]:
        return True
    # 'a' and 'a ' are one value where the collation pads; CHAR takes the spaces off before.
    return not ours.is_char and pads(there) and not pads(here)


RULE = Rule(
    "SC401",
    "stricter-unique-key",
    _check,
    (About.KEYED, About.SPECIAL_KEYS, About.PLACES, About.KEYS),
    evidence=lambda ask: ask.duplicates(),
)
