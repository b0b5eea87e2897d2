"""The foreign keys differ.

## What it finds
Foreign keys that only one side has, or that do something else on DELETE or UPDATE of the parent's row.
Engines without foreign keys (MyISAM, Aria, MEMORY) take the clause and keep no key.

## What the replica does
A key of the replica only: a row whose parent is missing stops the applier with error 1452. ON DELETE and ON
UPDATE actions of one side (CASCADE, SET NULL): the rows that they change are in no event, so the child's rows
differ without any error; a later UPDATE or DELETE of such a row stops the applier with error 1032, one of a
row that further keys bind to it with 1451 or 1452. A source that logs them as rows (MySQL 9.6 and later, row
format) sends what its own keys change. A REPLACE of a parent's row keeps its children there, and is logged as
a deletion: the replica's key deletes or changes them, or stops the applier with error 1451. A DELETE or
UPDATE of parent and child in one statement may stop it with 1032 or 1452. Where both ends have the same key
that is a note. Tables whose rows follow such rows by further keys, or by triggers, are named too. Where both
ends compare a key's texts otherwise ('a' refers to 'A' on the source alone), 1452 too.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES p (id) ON DELETE CASCADE);
    replica: CREATE TABLE t (a INT PRIMARY KEY, b INT);

## Fix
Give both ends the same foreign key.

## References
Recorded on four servers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from schemacheck.alignment.foreign_keys import KeyPair, constraint_text, described, key_pairs
from schemacheck.alignment.pair import Cell, Pair
from schemacheck.findings.changed_value import DUPLICATE, KEY_NOT_FOUND
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Example, Finding, ForeignKey, Side
from schemacheck.model.charset import compares_alike, pads
from schemacheck.model.column_type import ColumnType
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    ours, theirs = pair.source.enforced_keys, pair.replica.enforced_keys
    if not ours and not theirs:
        return
    renamed = {cell.source.name.casefold(): cell.replica.name.casefold() for cell in pair.cells}
    if pair.logs_rows:
        # A replica column of this name takes the values of another: its key is another key.
        fed = set(renamed.values())
        renamed.update({n: "" for c in pair.extra_source if (n := c.name.casefold()) in fed})
    named = {key.columns for key in ours}
    for keys in key_pairs(pair, ours, theirs, renamed):
        if keys.source is None and keys.replica is not None:
            key = keys.replica
            whose = (
                "only the replica has" if key.columns not in named else "by other values the replica keeps"
            )
            yield on_table(
                pair,
                Effect.UNSUPPORTED,
                f"{whose} the foreign key {described(key)}: a row whose parent is missing stops the applier",
                column=key.columns[0],
                replica=Side(key.location or pair.replica.location, described(key)),
                error=pair.error("no-referenced-row", key=_text(pair, key)),
                depends_on_rows=True,
                remedy="Create the foreign key on the source first, or drop it on the replica",
                reference="recorded on four servers",
            )
        elif keys.refused and keys.source is not None:
            key = keys.source
            yield on_table(
                pair,
                Effect.UNSUPPORTED,
                f"the foreign key {described(key)} refuses a change on the replica that it carries out on "
                f"the source: a change of a referenced row of {key.ref_table} stops the applier",
                column=key.columns[0],
                source=Side(key.location or pair.source.location, described(key)),
                replica=Side(keys.replica.location or pair.replica.location, described(keys.replica))
                if keys.replica
                else None,
                error=pair.error(
                    "row-is-referenced", event="Delete_rows", key=_text(pair, key), table=key.ref_table
                ),
                depends_on_rows=True,
                remedy="Give both ends the same foreign key",
                reference="recorded on four servers",
            )
        if keys.changed:
            yield _changed(pair, keys)
    referring = {name.casefold() for key in ours for name in key.columns}
    both = referring & {name.casefold() for key in theirs for name in key.columns}
    for cell in pair.cells:
        if cell.source.name.casefold() in both and _finer(cell.source.type, cell.replica.type):
            yield _compared(pair, cell)
    if pair.terms.own_foreign_keys:
        parents = defaultdict(set)
        for key in ours:
            parents[key.ref_table.casefold()].add(key.on_delete)
        for key in theirs:
            if actions := parents.get(key.ref_table.casefold()):
                yield _replaced(pair, key, same=key.on_delete in actions)


def _finer(ours: ColumnType, theirs: ColumnType) -> bool:
    """Whether the replica's collation may tell two values apart that are one under the source's."""
    here, there = ours.collation or "", theirs.collation or ""
    if not ours.is_character or compares_alike(here, there):
        return False
    # Equal bytes are one value everywhere; so are 'a' and 'a ' where both collations pad.
    return not (here.endswith("_bin") and (pads(there) or not pads(here)))


def _compared(pair: Pair, cell: Cell) -> Finding:
    """A key of both ends over a column that the replica compares otherwise."""
    column = cell.replica
    return on_table(
        pair,
        Effect.UNSUPPORTED,
        f"a foreign key compares {column.name} as {column.type.collation} on the replica, as "
        f"{cell.source.type.collation} on the source: a row whose parent is spelt otherwise stops it",
        column=cell.source.name,
        error=pair.error("no-referenced-row"),
        depends_on_rows=True,
        remedy="Give parent and child the source's collation on both ends",
        reference="asked of 9.7.4, 10.11.19 and 11.8.9",
    )


def _replaced(pair: Pair, key: ForeignKey, *, same: bool) -> Finding:
    """A REPLACE of a parent's row: 9.7.4 keeps the children, and logs a Delete_rows event. A note where both
    ends have the `same` key: no definition is the cause, and few statements are such.
    """
    acts = key.on_delete in ("CASCADE", "SET NULL")
    return on_table(
        pair,
        Effect.COMPATIBLE if same else Effect.DIVERGES if acts else Effect.UNSUPPORTED,
        f"a REPLACE of a row of {key.ref_table} keeps its children on {pair.link.source}, and is logged as a "
        f"deletion: on the replica the foreign key {described(key)} "
        + (
            "acts on them, a later change of such a child stops the applier"
            if acts
            else "refuses it, which stops the applier"
        ),
        column=key.columns[0] if key.on_delete == "SET NULL" and len(key.columns) == 1 else None,
        replica=Side(key.location or pair.replica.location, described(key)),
        error=pair.error("key-not-found", event="Delete_rows")
        if acts
        else pair.error("row-is-referenced", event="Delete_rows", key=_text(pair, key), table=key.ref_table),
        depends_on_rows=True,
        remedy="Use INSERT ... ON DUPLICATE KEY UPDATE, or start the source with innodb_native_foreign_keys",
        example=Example("the child's row", "the row as ON DELETE leaves it") if acts else None,
        reference="asked of MySQL 9.7.4",
    )


def _changed(pair: Pair, keys: KeyPair) -> Finding:
    """Rows of this table change on one side, and no event says so."""
    here, there = keys.source, keys.replica
    key = here or there
    assert key is not None
    carries = any({"CASCADE", "SET NULL"} & {k.on_delete, k.on_update} for k in pair.source.incoming)
    # A row that stays holds its other parents, one that is gone its children (asked of four servers).
    binds = len(pair.replica.enforced_keys) > (there is not None) or bool(pair.replica.incoming)
    return on_table(
        pair,
        Effect.DIVERGES,
        f"the foreign key ({', '.join(key.columns)}) -> {key.ref_table} changes rows of this table "
        f"differently ({'; '.join(keys.changed)}), and the log has no event of it"
        + (", further keys carry that to other tables" if carries or binds else ""),
        column=key.columns[0] if len(key.columns) == 1 and not _deletes(here, there) else None,
        source=Side(here.location or pair.source.location, described(here)) if here else None,
        replica=Side(there.location or pair.replica.location, described(there)) if there else None,
        also=(KEY_NOT_FOUND, DUPLICATE, *((1451, 1452) if binds else ())) if pair.logs_rows else (),
        setting=f"binlog_format={pair.link.binlog_format}"
        if pair.link.source.has("cascades-are-logged-as-rows") and here
        else None,
        remedy="Give both ends the same foreign key",
        example=_example(here, there),
        reference="recorded on four servers",
    )


def _text(pair: Pair, key: ForeignKey) -> str:
    """The replica's key in its errors."""
    return constraint_text(
        key, pair.replica.database, pair.replica.name, key.columns, key.ref_table, key.ref_columns
    )


def _deletes(*keys: ForeignKey | None) -> bool:
    """Whether rows of this table go on one side and stay on the other, or more columns than one change."""
    actions = [{key.on_delete} if key else set() for key in keys]
    return any("CASCADE" in mine for mine in actions) and actions[0] != actions[1]


def _example(*keys: object) -> Example:
    source, replica = (
        "the row, after its parent was changed" if key else "the row as it was" for key in keys
    )
    return Example(source, replica if source != replica else f"{replica} otherwise")


RULE = Rule("SC405", "foreign-key", _check, (About.CONSTRAINTS,), evidence=lambda ask: ask.rows())
