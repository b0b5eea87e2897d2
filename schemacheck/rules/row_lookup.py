"""The replica may not find the row that an event changes.

## What it finds
Tables whose key on the source is not the replica's, where binlog_row_image is not FULL; tables without a
primary key whose rows cannot be compared as a whole; tables that only the replica keeps system versions of.

## What the replica does
A MINIMAL before image carries the source's primary key (or first NOT NULL unique key) only, a NOBLOB one
leaves out BLOB and TEXT columns. MariaDB looks the row up by the replica's own key, or compares whole rows:
without all those columns every UPDATE and DELETE stops with error 1032. Without a primary key its first NOT
NULL unique key counts, in the order of the definitions. MySQL compares the columns that came;
none of them left (the key is not among the common columns) gives 1032. MariaDB looks a versioned row up with
row_end, which a plain source does not send: without a whole before image it is never found. MariaDB 10.11
compares whole rows with virtual columns that are not computed yet. MariaDB 11.8 uses the parts of a key that
the source has too, and compares the columns that came. MySQL before 8.0 takes the first other key whose
columns came where no unique one is whole, and searches InnoDB's by the primary key's columns behind them too,
which it did not fill: every UPDATE and DELETE stops with error 1032, also under FULL where the replica's
primary key has a column of its own. MariaDB 11.8.9 sends no generated column with an UPDATE or DELETE,
whatever the image: without a primary key a replica that does not compute them itself (before 11, or with an
ordinary column) finds no row, also where a UNIQUE key on TEXT has a hidden column.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT);
    replica: CREATE TABLE t (a INT, b INT);

Under binlog_row_image=MINIMAL on MariaDB.

## Fix
Give the replica the source's primary key, or set binlog_row_image=FULL on the source.

## References
Recorded on four servers; search_key_in_table and calculate_key_len of 5.6, Percona's PS-7578.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.before_image import carried, found_alone_by, of_image
from schemacheck.alignment.pair import Pair
from schemacheck.findings.on_pair import listed, on_table
from schemacheck.model import DefaultKind, Effect, Example, Finding, Key, KeyKind
from schemacheck.rules import About, Rule


def _check(pair: Pair) -> Iterator[Finding]:
    image = pair.terms.row_image
    if not pair.logs_rows:
        return
    yield from _computed(pair)
    yield from _versioned(pair)
    yield from _key_cut(pair)
    yield from _unfilled(pair)
    yield from _order_not_read(pair)
    invented = _invented(pair)
    sent, by_image = carried(pair), of_image(pair)
    if invented is None and (sent is None or not _lost(pair, sent)):
        return
    if invented is None and (by_image is None or not _lost(pair, by_image)):
        yield _generated(pair)
        return
    why = f"under binlog_row_image={image} the before image lacks columns by which the replica searches rows"
    if invented is not None:
        why = f"the replica searches rows by {invented}, which only it has and fills itself"
    if invented is None and pair.link.replica.has("lookup-needs-replica-key"):
        yield _another_row(pair)
    yield on_table(
        pair,
        Effect.STOPS,
        f"{why}: every UPDATE and DELETE stops the applier",
        error=pair.error("key-not-found", event="Update_rows"),
        depends_on_rows=True,
        setting=None if invented else f"binlog_row_image={image}",
        remedy="Give the replica the source's primary key"
        + ("" if invented else ", or set binlog_row_image=FULL on the source"),
        reference="recorded on four servers",
    )


def _order_not_read(pair: Pair) -> Iterator[Finding]:
    """The image carries the first of several NOT NULL unique keys, and the replica searches by its first."""
    if pair.terms.row_image != "MINIMAL" or not pair.link.replica.has("lookup-needs-replica-key"):
        return
    for table in (pair.source, pair.replica):
        nullable = {column.name.casefold() for column in table.columns if column.nullable}
        first = [key for key in table.keys if key.unique and not key.folded & nullable]
        if table.primary_key is None and table.hides_unique_order and len(first) > 1:
            why = "the order of unique keys is not read: under binlog_row_image=MINIMAL rows are sent and "
            fix = "Compare SHOW CREATE TABLE of both ends, or give the table a primary key"
            yield on_table(pair, Effect.UNKNOWN, f"{why}searched by the first one", remedy=fix)
            return


def _generated(pair: Pair) -> Finding:
    """Generated columns that the source leaves out of every image are compared all the same."""
    names = listed([cell.source.name for cell in pair.unsent])
    return on_table(
        pair,
        Effect.STOPS,
        f"{pair.link.source} leaves generated columns ({names}) out of UPDATE and DELETE events, and the "
        "replica searches rows by them: a change of a row with such values stops the applier",
        error=pair.error("key-not-found", event="Update_rows"),
        depends_on_rows=True,
        remedy="Give the table a primary key of ordinary columns on both ends",
        reference="asked of MariaDB 11.8.9 with replicas of 10.11.19 and 11.8.9",
    )


def _another_row(pair: Pair) -> Finding:
    """A row found by what is left, or by default values, may be another one (recorded on MariaDB)."""
    image = f"binlog_row_image={pair.terms.row_image}"
    return on_table(
        pair,
        Effect.DIVERGES,
        f"under {image} the before image does not carry the replica's key: an UPDATE or DELETE that finds a "
        "row may have found another one",
        setting=image,
        remedy="Give the replica the source's primary key, or set binlog_row_image=FULL on the source",
        example=Example("the row of the key", "another row"),
        reference="recorded on MariaDB 10.11 and 11.8",
    )


def _key_cut(pair: Pair) -> Iterator[Finding]:
    """A part of the key that the image carries is no column of the replica: rows that differ there alone look
    the same.

    Recorded on four servers: the first such row is changed or deleted (MariaDB: the first row at all where no
    part is left).
    """
    key = pair.sent_key() if pair.terms.row_image == "MINIMAL" else None
    if key is None:
        return
    common = {cell.source.name.casefold() for cell in pair.cells}
    lost = [part.column for part in key.parts if part.column and part.column.casefold() not in common]
    if not lost or (len(lost) == len(key.parts) and not pair.link.replica.has("lookup-without-key-parts")):
        return
    yield on_table(
        pair,
        Effect.DIVERGES,
        "under binlog_row_image=MINIMAL the replica searches rows by the source's key without "
        f"{', '.join(lost)}, which it does not have: an UPDATE or DELETE changes another row",
        setting="binlog_row_image=MINIMAL",
        error=pair.error("key-not-found", event="Update_rows"),
        depends_on_rows=True,
        remedy="Give the replica the source's primary key, or set binlog_row_image=FULL on the source",
        example=Example("the row of the key", "another row"),
        reference="recorded on four servers",
    )


def _unfilled(pair: Pair) -> Iterator[Finding]:
    """A key that is searched with columns of the primary key behind its own, which the image does not fill.

    calculate_key_len counts them under use_index_extensions, key_copy does not copy them (asked of 5.6.24: 67
    questions of keys, engines and images; none of them stops 9.7.4). 8.0 was not asked; PS-7578 says that it
    stops as well.
    """
    replica = pair.link.replica
    surely = replica.has("lookup-key-ends-with-primary-key")
    if not surely and not replica.has("lookup-key-may-end-with-primary-key"):
        return
    result = _ends_with_primary(pair) if (pair.replica.engine or "InnoDB").upper() == "INNODB" else None
    if result is None:
        return
    key, behind = result
    yield on_table(
        pair,
        Effect.STOPS if surely else Effect.UNSUPPORTED,
        f"the replica searches rows by its key {key.name} and the primary key's {behind}, which no before "
        f"image has: every UPDATE and DELETE {'stops' if surely else 'may stop'} the applier",
        error=pair.error("key-not-found", event="Update_rows"),
        depends_on_rows=True,
        remedy="Give the replica the source's primary key",
        reference="recorded on MySQL 5.6; PS-7578",
    )


def _ends_with_primary(pair: Pair) -> tuple[Key, str] | None:
    """The key that rows are looked up by (search_key_in_table of 5.6), with a column of the primary key that
    it has not. None: a key that finds the row alone, or none at all.
    """
    sent = carried(pair)
    came = {c.replica.name.casefold() for c in pair.cells} if sent is None else sent
    if found_alone_by(pair, came) is not None:
        return None
    clustered = next((k for k in pair.lookup_keys() if not any(part.length for part in k.parts)), None)
    clustered = pair.replica.primary_key or clustered
    # The server keeps unique keys before the others (sort_keys).
    rest = [
        k for kind in (KeyKind.UNIQUE, KeyKind.INDEX) for k in pair.replica.keys_as_asked if k.kind is kind
    ]
    key = next((k for k in rest if k.folded <= came), None)
    if clustered is None or key is None or key.unique:
        return None
    behind = next(
        (p.column for p in clustered.parts if p.column and p.column.casefold() not in key.folded), None
    )
    return (key, behind) if behind is not None else None


def _computed(pair: Pair) -> Iterator[Finding]:
    """Virtual columns of the replica take part in the comparison of whole rows before they are computed."""
    if not pair.link.replica.has("lookup-compares-virtual-columns") or pair.lookup_key() is not None:
        return
    alike = not any(c.outcome.changed or not c.same_type for c in pair.differing)
    same = {
        c.replica.name
        for c in pair.cells
        if alike and c.source.generated and c.source.expression == c.replica.expression
    }
    computed = next(
        (c.name for c in pair.replica.columns if c.generated == "virtual" and c.name not in same), None
    )
    if computed is not None:
        yield on_table(
            pair,
            Effect.UNSUPPORTED,
            f"without a primary key the replica compares whole rows, also {computed}, which "
            "it computes itself: an UPDATE or DELETE may not find its row",
            column=computed,
            error=pair.error("key-not-found", event="Update_rows"),
            depends_on_rows=True,
            remedy="Give the table a primary key on both ends",
            reference="recorded on MariaDB 10.11",
        )


def _versioned(pair: Pair) -> Iterator[Finding]:
    """A versioned table is searched by row_end as well, which the event of a plain one does not have.

    Recorded on 10.11 and 11.8: never found where the before image leaves a column out, sometimes not where
    whole rows are compared.
    """
    if not pair.replica.system_versioned or pair.source.system_versioned:
        return
    cut = (
        pair.terms.row_image.startswith(("MINIMAL", "NOBLOB"))
        and (sent := carried(pair)) is not None
        and len(sent) < len(pair.cells)
    )
    if not cut and pair.lookup_key() is not None:
        return
    end = (
        f"under binlog_row_image={pair.terms.row_image} every UPDATE and DELETE stops the applier"
        if cut
        else "without a primary key an UPDATE or DELETE may not find its row"
    )
    yield on_table(
        pair,
        Effect.STOPS if cut else Effect.UNSUPPORTED,
        "only the replica keeps system versions and looks rows up with row_end, which the source does not "
        f"send: {end}",
        error=pair.error("key-not-found", event="Update_rows"),
        depends_on_rows=True,
        setting=f"binlog_row_image={pair.terms.row_image}" if cut else None,
        remedy="Set binlog_row_image=FULL on the source"
        if cut
        else "Give the table a primary key on both ends",
        reference="recorded on MariaDB 10.11 and 11.8",
    )


def _invented(pair: Pair) -> str | None:
    """A column of MariaDB's lookup key that no event carries and no literal default tells.

    Recorded: an extra column with a literal default is found, an AUTO_INCREMENT one is not.
    """
    if not pair.link.replica.has("lookup-needs-replica-key"):
        return None
    if pair.link.replica.has("lookup-by-sent-columns"):
        return _extension(pair)
    key = pair.lookup_key()
    extra = {c.name.casefold(): c for c in pair.extra_replica}
    # Without a unique key any other is taken; which one is not known here (Rows_log_event::find_key).
    for part in key.parts if key else [p for other in pair.replica.keys for p in other.parts]:
        column = extra.get((part.column or "").casefold())
        if column is None or column.generated:
            continue
        if column.auto_increment or (
            column.default is not None
            and column.default.kind in (DefaultKind.EXPRESSION, DefaultKind.CURRENT_TIMESTAMP)
        ):
            return column.name
    return None


def _extension(pair: Pair) -> str | None:
    """A column of the primary key that only the replica has, behind the parts of another key.

    InnoDB's keys end in the primary key, and a search by such a key takes those parts with it (recorded on
    11.8.6: error 1032).
    """
    extra = {c.name.casefold() for c in pair.extra_replica}
    primary = pair.replica.primary_key
    behind = [p.column for p in primary.parts if p.column and p.column.casefold() in extra] if primary else []
    if not behind or _whole_key(pair) is not None:
        return None
    first = (k.parts[0].column for k in pair.replica.keys if k is not primary and k.parts)
    return behind[0] if any(name and name.casefold() not in extra for name in first) else None


def _lost(pair: Pair, sent: frozenset[str]) -> bool:
    if not pair.link.replica.has("lookup-needs-replica-key"):
        return not sent
    if pair.link.replica.has("lookup-by-sent-columns"):
        return not _searched(pair) <= sent
    key = pair.lookup_key()
    if key is not None:
        hashed = f"hash({','.join(f'`{part.column}`' for part in key.parts)})"
        if any(cell.replica.expression == hashed for cell in pair.unsent):
            return True
        return not key.folded <= sent
    compared = {c.replica.name.casefold() for c in pair.cells}
    return not compared <= sent


def _searched(pair: Pair) -> frozenset[str]:
    """The columns that must have come for a row to be found, folded.

    Rows_log_event::find_key of 11.8: those of a whole unique key; else, with or without another key, all
    common columns are compared.
    """
    return _whole_key(pair) or frozenset(cell.replica.name.casefold() for cell in pair.cells)


def _whole_key(pair: Pair) -> frozenset[str] | None:
    """The folded columns of the first unique key without NULLs that the source has too."""
    extra = {c.name.casefold() for c in pair.extra_replica}
    nullable = {c.name.casefold() for c in pair.replica.columns if c.nullable}
    keys = [key for key in pair.replica.keys_as_asked if key.unique and key is not pair.replica.primary_key]
    if pair.replica.primary_key is not None:
        keys.insert(0, pair.replica.primary_key)
    for key in keys:
        if key.folded and not key.folded & (extra | nullable | {""}):
            return key.folded
    return None


RULE = Rule(
    "SC402",
    "row-lookup",
    _check,
    (About.OPTIONS, About.NO_PRIMARY_KEY, About.KEYS, About.PARTIAL_IMAGE, About.PLACES),
    evidence=lambda ask: ask.changes(certain=False),
)
