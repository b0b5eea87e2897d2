"""A row does not fit the replica's InnoDB page.

## What it finds
InnoDB tables of the replica whose columns can need more bytes than a page holds of a row, while the source's
table (another engine, row format or KEY_BLOCK_SIZE) holds such rows; keys over long columns that only the
replica has.

## What the replica does
ROW_FORMAT COMPACT and REDUNDANT keep the first 768 bytes of every long value in the page, DYNAMIC and
COMPRESSED 20 bytes; columns of at most 255 bytes, and those of the primary key, stay there whole. A row must
fit half a page (8,126 bytes), and one compressed page. One that does not stops the applier with error 1118.
A change writes the old values of all columns that have a key into one undo page: where long columns have
keys on the replica alone, it stops with error 1713.

## Example
    source:  CREATE TABLE t (a INT, c0 TEXT, c1 TEXT, ..., c11 TEXT) ENGINE=MyISAM;
    replica: CREATE TABLE t (a INT, c0 TEXT, c1 TEXT, ..., c11 TEXT) ENGINE=InnoDB ROW_FORMAT=COMPACT;

## Fix
Use ROW_FORMAT=DYNAMIC on the replica. Where that holds too little, use the source's engine.

## References
MySQL manual, "Limits on Table Column Count and Row Size", and "InnoDB Row Formats"; recorded on MySQL 5.6
and 9.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.alignment.terms import prefix_formats
from schemacheck.dataclass import replace
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Finding, KeyKind, Table
from schemacheck.model.definition_sql import table_name
from schemacheck.model.storage_engine import compressed_page_size
from schemacheck.rules import About, Rule

#: Half a page of 16 KiB; other page sizes are not looked at.
_HALF_PAGE = 8126
#: What a row and each of its columns take beside the values: on half a page, and on a compressed one, where
#: `compressBound` of the columns counts (`page_zip_empty_size`).
_BESIDE, _BESIDE_COMPRESSED = (24, 0), (160, 4)
#: What stays in the page of a value that is stored elsewhere: 768 bytes and a pointer, or 40 bytes at most.
_PREFIX, _SHORT = 788, 42
#: Longer columns may be stored elsewhere.
_WHOLE = 255
#: The most bytes of a column in a key.
_LONGEST_KEY = 3072
_NUMBER, _LONGEST_NUMBER = 8, 30
#: Greater than the bytes of any compressed page.
_OTHERS = 16_384


def _check(pair: Pair) -> Iterator[Finding]:
    source, replica, formats = pair.source, pair.replica, pair.terms.prefix_formats
    if not _is_innodb(replica):
        return
    # Asked of four servers: MySQL 9.7 writes the columns of keys twice.
    undo = _HALF_PAGE * (1 if pair.link.replica.has("data-dictionary") else 2)
    if (indexed := _indexed(replica)) > max(undo, _indexed(source)):
        yield on_table(
            pair,
            Effect.UNSUPPORTED,
            f"the replica's keys are over columns of {indexed} bytes, whose old values are to fit one undo "
            "page: a change of long values stops the applier",
            error=pair.error("undo-too-large"),
            depends_on_rows=True,
            remedy="Drop keys of long columns on the replica, or give them a short prefix",
            reference="asked of 5.6.24, 9.7.4, 10.11.19 and 11.8.9",
        )
    room, needed = _room(replica), _in_page(replica, formats)
    if needed <= room or _as_little(source, prefix_formats(pair.link.source), replica, formats):
        return
    dynamic = replace(replica, row_format="DYNAMIC")
    helps = _is_innodb(source) or _in_page(dynamic, frozenset()) <= _room(dynamic)
    yield on_table(
        pair,
        Effect.UNSUPPORTED,
        f"the replica's row format keeps up to {needed} bytes of a row in the page, and {room} fit: a "
        "row with long values stops the applier",
        error=pair.error("row-too-large"),
        depends_on_rows=True,
        remedy="Use ROW_FORMAT=DYNAMIC on the replica"
        + (", with innodb_file_format=Barracuda" if "DYNAMIC" in formats else "")
        if helps
        else "Use the source's engine on the replica",
        remedy_sql=f"ALTER TABLE {table_name(replica)} ROW_FORMAT=DYNAMIC"
        f"{' KEY_BLOCK_SIZE=0' if compressed_page_size(replica) else ''};"
        if helps
        else None,
        reference="recorded on MySQL 5.6 and 9.7",
    )


def _indexed(table: Table) -> int:
    """The most bytes of the columns that secondary keys of an InnoDB table are over."""
    names = {
        (part.column or "").casefold()
        for key in table.keys
        if key.kind in (KeyKind.UNIQUE, KeyKind.INDEX) and _is_innodb(table)
        for part in key.parts
    }
    kinds = (column.type for column in table.columns if column.name.casefold() in names)
    sizes = (kind.max_bytes for kind in kinds if kind.is_string and not kind.has_members)
    return sum(min(size, _LONGEST_KEY) for size in sizes)


def _is_innodb(table: Table) -> bool:
    return (table.engine or "InnoDB").upper() == "INNODB"


def _as_little(
    source: Table, theirs: frozenset[str | None], replica: Table, formats: frozenset[str | None]
) -> bool:
    """Whether the source's pages hold no longer rows; `formats` are those that keep prefixes."""
    if not _is_innodb(source):
        return False
    if (compressed_page_size(source) or _OTHERS) > (compressed_page_size(replica) or _OTHERS):
        return False
    if replica.row_format not in formats:
        return True
    return source.row_format in theirs and _in_page(source, theirs) > _room(source)


def _room(table: Table) -> int:
    """How many bytes of values a page surely holds of an InnoDB table's row."""
    page = compressed_page_size(table)
    own, each = _BESIDE if page is None else _BESIDE_COMPRESSED
    return min(page or _HALF_PAGE, _HALF_PAGE) - own - each * len(table.columns)


def _in_page(table: Table, formats: frozenset[str | None]) -> int:
    """The most bytes of a row in an InnoDB page; `formats` are those that keep prefixes of long values."""
    stays = _PREFIX if table.row_format in formats else _SHORT
    primary = [key for key in table.keys if key.kind is KeyKind.PRIMARY]
    unique = primary or [key for key in table.keys if key.kind is KeyKind.UNIQUE]
    whole = {(part.column or "").casefold() for key in unique for part in key.parts if part.length is None}
    total = 0
    for column in table.columns:
        kind = column.type
        if column.generated == "virtual":
            continue
        if kind.is_geometry or kind.is_json or kind.is_vector:
            total += stays
        elif kind.is_lob:
            total += min(kind.max_bytes, stays)
        elif kind.is_sized:
            most = kind.max_bytes
            if most > _WHOLE and column.name.casefold() not in whole:
                most = min(most, _PREFIX if kind.is_padded else stays)
            total += most + 1
        else:
            total += _NUMBER if not (kind.is_decimal or kind.is_address) else _LONGEST_NUMBER
    return total


RULE = Rule(
    "SC410",
    "row-size",
    _check,
    (About.COMPACT_ROWS, About.KEYS),
    evidence=lambda ask: ask.writes(certain=False),
)
