"""A row does not fit the replica's InnoDB page.

## What it finds
InnoDB tables of the replica in ROW_FORMAT COMPACT or REDUNDANT whose columns can need more than 8,123 bytes
in the page, while the source's table (another engine or row format) holds such rows.

## What the replica does
These formats keep the first 768 bytes of every long value in the page, DYNAMIC and COMPRESSED 20 bytes. A row
whose values do not fit half a page stops the applier with error 1118.

## Example
    source:  CREATE TABLE t (a INT, c0 TEXT, c1 TEXT, ..., c11 TEXT) ENGINE=MyISAM;
    replica: CREATE TABLE t (a INT, c0 TEXT, c1 TEXT, ..., c11 TEXT) ENGINE=InnoDB ROW_FORMAT=COMPACT;

## Fix
Use ROW_FORMAT=DYNAMIC on the replica.

## References
MySQL manual, "Limits on Table Column Count and Row Size", and "InnoDB Row Formats"; recorded on MySQL 5.6.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.alignment.terms import prefix_formats
from schemacheck.conversion.error import server_error
from schemacheck.findings.on_pair import on_table
from schemacheck.model import Effect, Finding, Table
from schemacheck.model.definition_sql import table_name
from schemacheck.rules import About, Rule

#: Half a page of 16 KiB without its header, in REDUNDANT (COMPACT: 8,126); other page sizes are not looked
#: at.
_HALF_PAGE = 8123
#: What stays in the page of a value that is stored elsewhere: 768 bytes and a pointer, or the pointer alone.
_PREFIX, _POINTER = 768, 20


def _check(pair: Pair) -> Iterator[Finding]:
    needed = _in_page(pair.replica, pair.terms.prefix_formats)
    if needed <= _HALF_PAGE or _in_page(pair.source, prefix_formats(pair.link.source)) > _HALF_PAGE:
        return
    yield on_table(
        pair,
        Effect.UNSUPPORTED,
        f"the replica's row format keeps up to {needed} bytes of a row in the page, and {_HALF_PAGE} fit: a "
        "row with long values stops the applier",
        error=server_error("row-too-large", pair.link.replica, pair.replica.database, pair.replica.name),
        depends_on_rows=True,
        remedy="Use ROW_FORMAT=DYNAMIC on the replica"
        + (", with innodb_file_format=Barracuda" if "DYNAMIC" in pair.terms.prefix_formats else ""),
        remedy_sql=f"ALTER TABLE {table_name(pair.replica)} ROW_FORMAT=DYNAMIC;",
        reference="recorded on MySQL 5.6",
    )


def _in_page(table: Table, formats: frozenset[str | None]) -> int:
    """The most bytes of a row in an InnoDB page; 0 for other engines and for formats that keep
    pointers only. `formats` are those that keep more (`prefix_formats`).
    """
    if (table.engine or "InnoDB").upper() != "INNODB" or table.row_format not in formats:
        return 0
    total = 0
    for column in table.columns:
        if column.generated == "virtual":
            continue
        most = column.type.max_bytes if column.type.is_text or column.type.is_blob else 8
        if column.type.base in ("char", "varchar", "binary", "varbinary"):
            most = column.type.max_bytes
        total += min(most, _PREFIX + _POINTER)
    return total


RULE = Rule("SC410", "row-size", _check, (About.COMPACT_ROWS,), evidence=lambda ask: ask.long_rows(8123))
