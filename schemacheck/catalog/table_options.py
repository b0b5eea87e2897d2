"""What a server refuses in the options of a table, and which options are not followed."""

from __future__ import annotations

from schemacheck.catalog.context import Context
from schemacheck.model import quote
from schemacheck.model.server import Server
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.lexer import unasked

#: Characters of a table's comment.
_COMMENT = 2048
#: MariaDB's own table options that are written name=value; of these, InnoDB's alone.
_INNODB_OPTIONS = frozenset(("page_compressed", "page_compression_level", "encrypted", "encryption_key_id"))
_MARIADB_OPTIONS = _INNODB_OPTIONS | {"transactional", "page_checksum"}


def is_strict(server: Server) -> bool:
    """innodb_strict_mode: InnoDB refuses options and rows that it else takes with a warning."""
    return server.setting("innodb_strict_mode").upper() in ("ON", "1")


def check(draft: TableDraft, engine: str, context: Context) -> None:
    """Refuse what no server of the kind takes, and what is not followed. Raises Refused."""
    options, at, server = draft.options, draft.name_at, context.server
    long = options.comment is not None and len(options.comment) > _COMMENT and context.strict
    if why := "so long a comment" if long else _rare(draft, engine, context):
        raise unasked(why, at)
    block = options.others.get("key_block_size", "0")
    fits = block in ("0", "1", "2", "4", "8", "16")
    packed = options.row_format not in ("COMPACT", "DYNAMIC", "REDUNDANT")
    odd = not fits or not (packed or block == "0") or options.row_format in ("FIXED", "PAGE")
    if odd and engine == "InnoDB" and is_strict(server):
        raise unasked(f"KEY_BLOCK_SIZE={block} and ROW_FORMAT={options.row_format} in InnoDB", at)


def _rare(draft: TableDraft, engine: str, context: Context) -> str:
    """What of a table's storage is not followed; '' for nothing."""
    options, server = draft.options, context.server
    if _in_tablespace(draft) and server.has("data-dictionary"):
        return "a tablespace"
    own = set(options.engine_options)
    for name, most in (("avg_row_length", 0xFFFFFFFF), ("key_block_size", 0xFFFF)):
        if int(options.others.get(name, "0")) > most:
            return f"so large a {name.upper()}"
    packing = options.others.get("compression", "none").lower()
    compressed = options.others.get("key_block_size", "0") != "0" or options.row_format == "COMPRESSED"
    if packing not in ("", "none", "zlib", "lz4") or (compressed and packing not in ("", "none")):
        return "this COMPRESSION"
    if options.others.get("encryption", "n").lower() not in ("", "y", "n"):
        return "this ENCRYPTION"
    pages = options.others.get("page_compressed", "0").strip("'\"").upper()
    level = options.others.get("page_compression_level", "")
    packs = pages in ("1", "ON", "YES")
    if (packs and (compressed or options.row_format == "REDUNDANT")) or (
        not (packs or pages in ("0", "OFF", "NO")) or (level and not (packs and level in "123456789"))
    ):
        return "PAGE_COMPRESSED with such a value, level or ROW_FORMAT"
    foreign = set() if engine == "InnoDB" else set(_INNODB_OPTIONS)
    if engine != "Aria" and context.strict:
        foreign.add("transactional")
    if result := (own - _MARIADB_OPTIONS) | (own & foreign if server.mariadb else set()):
        return f"option {min(result).upper()}"
    return ""


def _in_tablespace(draft: TableDraft) -> bool:
    """Whether a definition names another tablespace than the file of each table."""
    given = draft.options.written.get("TABLESPACE")
    name = quote.unquote(given) if given and given[0] in "`'\"" else given
    return name not in (None, "innodb_file_per_table")
