"""The longest records of InnoDB's compressed pages (`dict_index_too_big_for_tree`, `page_zip_empty_size`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schemacheck.catalog import keyset, table_options
from schemacheck.catalog.context import Context
from schemacheck.catalog.rowsize import field_bytes, key_bytes
from schemacheck.model import normal
from schemacheck.model.charset import max_bytes
from schemacheck.model.table import Column, Key, KeyKind
from schemacheck.sql.ddl.draft import TableDraft, TableOptions
from schemacheck.sql.lexer import Refused

#: A page's header, one entry of its directory and log (94 + 15 + 1 + 1), less the 5 of a record's header.
_HEADER = 106
#: What compression may add (zlib's `compressBound` of few bytes).
_BOUND = 13
_DIRECTORY, _POINTER, _ROW_ID, _TRANSACTION, _ROLLBACK = 2, 4, 6, 6, 7
#: Bytes that a long column leaves on the clustered index's page.
_LOCAL = 40
#: As many as a BLOB's at least.
_LONG = 1 << 16

#: Bytes of a field, and whether it may be NULL.
_Field = tuple[int, bool]


def check(
    draft: TableDraft, columns: Sequence[Column], keys: Sequence[Key], engine: str, context: Context
) -> None:
    """Refuse an index whose records may not fit a compressed page, as the server does in strict mode. Of
    MySQL 5.6, which asks innodb_file_format too, and of an ALTER TABLE, which asks for new indexes alone, it
    is unknown. Raises Refused.
    """
    server = context.server
    size = page(draft.options)
    old = not server.mariadb and not server.has("data-dictionary")
    if engine != "InnoDB" or size is None or not (table_options.is_strict(server) or old):
        return
    name = _too_long(columns, keys, size, mariadb=server.mariadb)
    if name is not None:
        why = f"a record of key {name!r} is too long for compressed pages of {size} bytes"
        raise Refused(why, draft.name_at, "SC002", None if old or draft.altered else 1118)


def page(options: TableOptions) -> int | None:
    """Bytes of the table's compressed pages; None: they are not compressed, or as long as others (16 kB)."""
    block = options.others.get("key_block_size") or options.written.get("KEY_BLOCK_SIZE", "0")
    if options.row_format not in (None, "", "DEFAULT", "COMPRESSED"):
        return None
    if block in ("1", "2", "4", "8"):
        return int(block) * 1024
    return 8192 if options.row_format == "COMPRESSED" and block == "0" else None


def _too_long(columns: Sequence[Column], keys: Sequence[Key], size: int, *, mariadb: bool) -> str | None:
    """The name of an index whose records may not fit a compressed page of `size` bytes."""
    byname = {one.name.casefold(): one for one in columns}
    serving = keyset.serving(keys, byname, normal.key_order(keys, byname))
    unique = (
        [(byname[(part.column or "").casefold()], part.length) for part in serving.parts] if serving else []
    )
    own = [(_bytes(one, length, mariadb=mariadb), one.nullable) for one, length in unique]
    own = own or [(_ROW_ID, False)]
    whole = {one.name for one, length in unique if length is None}
    rest = [one for one in columns if one.generated != "virtual" and one.name not in whole]
    system = [(_TRANSACTION, False), (_ROLLBACK, False)]
    stored = [(_bytes(one, None, mariadb=mariadb, clustered=True), one.nullable) for one in rest]
    if _exceeds([*own, *system, *stored], len(own), size):
        return "PRIMARY"
    for key in keys:
        if key is serving or key.kind not in (KeyKind.INDEX, KeyKind.UNIQUE):
            continue
        if any((part.column or "").casefold() not in byname for part in key.parts):
            continue
        if keyset.is_hashed(key, columns):
            # MariaDB keeps the hash alone (asked of 10.11 and 11.8).
            continue
        fields = _secondary(key, byname, unique, mariadb=mariadb)
        if _exceeds(fields, len(fields), size):
            return key.name
    return None


def _secondary(
    key: Key, byname: Mapping[str, Column], unique: Sequence[tuple[Column, int | None]], *, mariadb: bool
) -> list[_Field]:
    """The fields of a secondary index: its columns, and those of the clustered one that it does not have."""
    parts = [(byname[(part.column or "").casefold()], part.length) for part in key.parts]
    there = {(one.name, length) for one, length in parts} | {
        (one.name, None) for one, n in parts if n is None
    }
    parts += [(one, length) for one, length in unique if (one.name, length) not in there]
    fields = [(_bytes(one, length, mariadb=mariadb), one.nullable) for one, length in parts]
    return fields if unique else [*fields, (_ROW_ID, False)]


def _bytes(column: Column, length: int | None, *, mariadb: bool, clustered: bool = False) -> int:
    """The most bytes of a field, its length's included."""
    kind = column.type
    several = (
        kind.base == "char" and kind.charset not in (None, "ucs2", "utf32") and max_bytes(kind.charset) > 1
    )
    shape = kind.is_geometry or kind.base in ("json", "vector")
    if not (several or shape or kind.is_text or kind.is_blob or kind.base in ("varchar", "varbinary")):
        return field_bytes(kind)
    most = _LONG if shape else key_bytes(column, None)
    if length is not None:
        return min(most, key_bytes(column, length)) + (1 if most < 256 else 2)
    if clustered and most > (255 if mariadb else _LOCAL):
        return _LOCAL + 1
    return most + (1 if most < 256 else 2)


def _exceeds(fields: Sequence[_Field], unique: int, size: int) -> bool:
    """Whether a record of these fields, or a node pointer of the first `unique`, does not fit."""
    most = max(size - _HEADER - 2 * (len(fields) + 1) - _BOUND, 1) - 1
    total = _DIRECTORY + (sum(nullable for _, nullable in fields) + 7) // 8
    for number, (width, _) in enumerate(fields, 1):
        total += width
        if total >= most or (number == unique and total + _POINTER >= most // 2):
            return True
    return False
