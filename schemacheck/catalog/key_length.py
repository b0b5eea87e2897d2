"""How long keys and their parts are: prefixes, and what is refused, cut or hashed."""

from __future__ import annotations

from collections.abc import Callable

from schemacheck.catalog.context import Context
from schemacheck.catalog.rowsize import field_bytes, key_bytes
from schemacheck.dataclass import replace
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import ColumnType
from schemacheck.model.server import Server
from schemacheck.model.table import Column, KeyKind, KeyPart
from schemacheck.sql.ddl.draft import KeyDraft
from schemacheck.sql.lexer import Refused

_TEMPORAL = ("date", "time", "datetime", "timestamp")
#: Longest key in bytes: (of one part, of all parts).
LIMITS = {
    "InnoDB": (3072, 3072), "MyISAM": (1000, 1000), "MRG_MyISAM": (1000, 1000), "Aria": (2300, 2300),
    "MEMORY": (3072, 3072),
}  # fmt: skip
#: Formats of rows that keep 768 bytes of a long column beside the others.
_OLD_FORMATS = ("REDUNDANT", "COMPACT")
#: The end of a row's validity, which ends each unique key of a system-versioned table.
_ROW_END = 7


def prefix(
    length: int,
    type_: ColumnType,
    size: int | None,
    kind: KeyKind,
    context: Context,
    refuse: Callable[[str, int], Refused],
) -> int | None:
    """A key prefix as the server takes it, None for the whole column. `size` is the n of TEXT(n)
    and BLOB(n); of a number that the statement defines, the bytes of a character of the table.
    """
    server = context.server
    if length == 0:
        raise refuse("a key part of no length", 1391)
    if type_.base in ("char", "varchar", "binary", "varbinary"):
        if length > (type_.length or 0):
            raise refuse("the prefix is longer than the column", 1089)
        return None if length == type_.length else length
    if not (type_.is_text or type_.is_blob):
        # Before 8.0 the table's character set counts, of columns that the statement defines (5.6.24).
        by_table = not server.has("whole-number-prefix") and type_.base not in _TEMPORAL
        each = charsets.max_bytes(type_.charset) if type_.charset else (by_table and size) or 1
        if length * each == field_bytes(type_):
            return None
        raise refuse("the column is no string: it takes no prefix", 1089)
    most = charsets.max_bytes(type_.charset) if type_.charset else 1
    if server.mariadb:
        return min(length, type_.max_bytes)
    if server.has("blob-prefix-checked"):
        if length * most > type_.max_bytes:
            if context.strict or kind is not KeyKind.INDEX:
                raise refuse("the prefix is longer than the column", 1071)
            return type_.max_bytes // most
    elif size and length > size * most:
        # Before 8.0 the n of TEXT(n) limits prefixes, multiplied by the character's bytes once too often
        # (recorded on 5.6.24).
        if context.strict or kind is not KeyKind.INDEX:
            raise refuse("the prefix is longer than the column", 1071)
        return size * most
    return length


def _large_prefix(server: Server) -> bool:
    return server.has("innodb-large-prefix") or server.setting("innodb_large_prefix").upper() in ("ON", "1")


def longest(engine: str, row_format: str | None, server: Server) -> tuple[int, int]:
    """The most bytes of one part of a key, and of all parts."""
    each, all_ = LIMITS.get(engine, LIMITS["InnoDB"])
    if engine == "BLACKHOLE" and not server.has("blackhole-has-long-keys"):
        each, all_ = LIMITS["MyISAM"]
    old_format = row_format in _OLD_FORMATS and not server.mariadb
    if engine == "InnoDB" and (old_format or not _large_prefix(server)):
        each = 767
    return each, all_


def settle(
    draft: KeyDraft, parts: list[KeyPart], columns: dict[str, Column], kind: KeyKind, engine: str,
    context: Context
) -> tuple[bool, list[KeyPart]]:  # fmt: skip
    """Too long keys: refused, cut, or (MariaDB, unique) hashed."""
    server = context.server
    each, all_ = longest(engine, context.row_format, server)
    large = _large_prefix(server)
    old_format = engine == "InnoDB" and context.row_format in _OLD_FORMATS
    unique = kind is not KeyKind.INDEX
    hashes = server.has("unique-hash-index") and kind is KeyKind.UNIQUE and draft.using != "BTREE"
    out: list[KeyPart] = []
    versioned = unique and any(column.expression == "row end" for column in columns.values())
    total = _ROW_END if versioned else 0
    for part in parts:
        column = columns.get((part.column or "").casefold())
        if column is None:
            out.append(part)
            continue
        size = key_bytes(column, part.length)
        made = part
        if old_format and server.mariadb and large and size > 767 and (size <= each or not unique):
            why = f"key {draft.name!r} is too long: at most 767 bytes of a column in this ROW_FORMAT"
            raise Refused(why, draft.span[0], 1709)
        if size > each:
            if hashes:
                return True, parts
            blob = column.type.is_text or column.type.is_blob
            cut_silently = server.has("long-key-cut") and not unique
            if (
                unique
                or not (cut_silently or not context.strict)
                or (column.type.base not in ("char", "varchar", "binary", "varbinary") and not blob)
            ):
                raise Refused(
                    f"key {draft.name!r} is too long: at most {each} bytes of a column", draft.span[0], 1071
                )
            most = charsets.max_bytes(column.type.charset) if column.type.charset else 1
            made = replace(part, length=each // most)
            size = made.length * most if made.length else 0
        total += size
        out.append(made)
    if total > all_:
        if hashes:
            return True, parts
        raise Refused(f"key {draft.name!r} is too long: at most {all_} bytes", draft.span[0], 1071)
    return False, out
