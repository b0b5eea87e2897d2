"""How long keys and their parts are: prefixes, and what is refused, cut or hashed."""

from __future__ import annotations

from schemacheck.catalog.context import Context
from schemacheck.catalog.rowsize import key_bytes
from schemacheck.dataclass import replace
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import ColumnType
from schemacheck.model.server import Server
from schemacheck.model.table import Column, KeyKind, KeyPart
from schemacheck.sql.ddl.draft import KeyDraft
from schemacheck.sql.lexer import Refused

#: Longest key in bytes: (of one part, of all parts).
LIMITS = {
    "InnoDB": (3072, 3072), "MyISAM": (1000, 1000), "MRG_MyISAM": (1000, 1000), "Aria": (2300, 2300),
    "MEMORY": (3072, 3072),
}  # fmt: skip
#: Formats of rows that keep 768 bytes of a long column beside the others.
_OLD_FORMATS = ("REDUNDANT", "COMPACT")
#: The end of a row's validity, which ends each unique key of a system-versioned table.
_ROW_END = 7


def prefix(length: int, kind: ColumnType, *, mariadb: bool) -> int | None:
    """A key prefix as the server takes it, None for the whole column. Raises ValueError for others."""
    if kind.is_lob and mariadb:
        return min(length, kind.max_bytes) or None
    most = charsets.max_bytes(kind.charset) if kind.charset else 1
    room = (kind.length or 0) if kind.is_sized else kind.max_bytes // most if kind.is_lob else 0
    if not 0 < length <= room:
        raise ValueError(length)
    return None if kind.is_sized and length == room else length


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
            raise Refused(f"whether key {draft.name!r} is too long is not known", draft.span[0])
        if size > each:
            if hashes:
                return True, parts
            if (
                unique
                or (context.strict and not server.has("long-key-cut"))
                or not column.type.is_plain_string
            ):
                raise _too_long(draft, f"{each} bytes of a column")
            most = charsets.max_bytes(column.type.charset) if column.type.charset else 1
            made = replace(part, length=each // most)
            size = each // most * most
        total += size
        out.append(made)
    if total > all_:
        if hashes:
            return True, parts
        raise _too_long(draft, f"{all_} bytes")
    return False, out


def _too_long(draft: KeyDraft, most: str) -> Refused:
    return Refused(f"key {draft.name!r} is too long: at most {most}", draft.span[0], 1071)
