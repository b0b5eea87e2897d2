"""What a server refuses in the options of a table, and which options are not followed."""

from __future__ import annotations

from schemacheck.catalog.context import Context
from schemacheck.model import quote
from schemacheck.model.server import Server
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.lexer import Refused

#: Characters of a table's comment.
_COMMENT = 2048
#: Options with which a table is stored elsewhere or by another engine: whether they are there is not known.
_ELSEWHERE = frozenset(("SECONDARY_ENGINE", "ENGINE_ATTRIBUTE", "DATA DIRECTORY", "INDEX DIRECTORY",
                        "AUTOEXTEND_SIZE", "SEQUENCE"))  # fmt: skip
#: MariaDB's own table options that are written name=value; of these, InnoDB's alone.
_INNODB_OPTIONS = frozenset(("page_compressed", "page_compression_level", "encrypted", "encryption_key_id"))
_MARIADB_OPTIONS = _INNODB_OPTIONS | {"transactional", "page_checksum"}


def is_strict(server: Server) -> bool:
    """innodb_strict_mode: InnoDB refuses options and rows that it else takes with a warning."""
    return server.setting("innodb_strict_mode").upper() in ("ON", "1")


def check(draft: TableDraft, engine: str, context: Context) -> None:
    """Refuse what no server of the kind takes, and what is not followed. Raises Refused."""
    options, at, server = draft.options, draft.name_at, context.server
    if options.comment is not None and len(options.comment) > _COMMENT and context.strict:
        raise Refused(f"the table's comment is longer than {_COMMENT} characters", at, 1628)
    if why := _rare(draft, engine, context):
        raise Refused(f"what the server makes of {why} is not known: only a server can tell", at)
    if engine != "InnoDB":
        return
    block = options.others.get("key_block_size", "0")
    fits = block in ("0", "1", "2", "4", "8", "16")
    packed = options.row_format not in ("COMPACT", "DYNAMIC", "REDUNDANT")
    if not (fits and (packed or block == "0")) and is_strict(server):
        number = 1005 if server.mariadb else 1031
        raise Refused(f"InnoDB takes no KEY_BLOCK_SIZE={block} here", at, number)
    if options.row_format in ("FIXED", "PAGE") and is_strict(server):
        raise Refused(f"InnoDB has no ROW_FORMAT={options.row_format}", at, 1031)


def _rare(draft: TableDraft, engine: str, context: Context) -> str:
    """What of a table's storage is not followed; '' for nothing."""
    options, server = draft.options, context.server
    if options.union or (engine == "MRG_MyISAM" and options.system_versioned):
        return f"a table of engine {engine}"
    if _tablespaces(draft) and server.has("data-dictionary"):
        return "a tablespace"
    written = {name.upper() for name in options.written}
    own = set(options.engine_options)
    if result := (written | {name.upper() for name in own}) & _ELSEWHERE:
        return min(result)
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
    of_parts = [name for column in draft.columns for name in column.engine_options]
    of_parts += [name for key in draft.keys if key.kind != "vector" for name in key.engine_options]
    of_parts += [name for key in draft.keys for name in key.engine_options if name not in ("m", "distance")]
    return f"option {of_parts[0].upper()}" if of_parts else ""


def _tablespaces(draft: TableDraft) -> set[str]:
    """The tablespaces that a definition names, but for the file of each table."""
    given = draft.options.written.get("TABLESPACE")
    parts = draft.options.partitioning.parts if draft.options.partitioning is not None else None
    ends = [sub for part in parts or () for sub in (part, *(part.subs or ()))]
    named = [end.tablespace for end in ends if end.tablespace is not None] + ([given] if given else [])
    names = {quote.unquote(name) if name[:1] in ("`", "'", '"') else name for name in named}
    return names - {"innodb_file_per_table"}
