"""What a server refuses in the options of a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from schemacheck.catalog.context import Context
from schemacheck.model import sequence
from schemacheck.model.server import Server
from schemacheck.model.table import Column, Table
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.lexer import Refused

#: Characters of a table's comment.
_COMMENT = 2048
#: InnoDB's AUTOEXTEND_SIZE: a multiple of the least, at most the most.
_EXTENT, _MOST_EXTENT = 4 << 20, 4 << 30
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def is_sequence(draft: TableDraft, server: Server) -> bool:
    """Whether SEQUENCE=1 is among the options of a table."""
    options = draft.options
    return server.mariadb and "sequence" in options.engine_options and options.others.get("sequence") != "0"


def is_strict(server: Server) -> bool:
    """innodb_strict_mode: InnoDB refuses options and rows that it else takes with a warning."""
    return server.setting("innodb_strict_mode").upper() in ("ON", "1")


#: MariaDB's own table options that are written name=value; engines add theirs.
_MARIADB_OPTIONS = frozenset((
    "page_compressed", "page_compression_level", "encrypted", "encryption_key_id", "transactional",
    "page_checksum", "sequence", "ietf_quotes",
    "table_type", "file_name", "sep_char", "header", "quoted", "dbname", "tabname", "option_list",
    "s3_block_size", "compression_algorithm",
))  # fmt: skip


#: Of these, InnoDB's alone, and engines that have none (asked of 10.11 and 11.8).
_INNODB_OPTIONS = frozenset(("page_compressed", "page_compression_level", "encrypted", "encryption_key_id"))
_PLAIN_ENGINES = frozenset(("MyISAM", "Aria", "MEMORY", "CSV"))
#: Options that one engine alone has.
_OF_ENGINES = {"ietf_quotes": "CSV", "s3_block_size": "S3", "compression_algorithm": "S3"} | dict.fromkeys(
    ("table_type", "file_name", "sep_char", "header", "quoted", "dbname", "tabname", "option_list"), "CONNECT"
)


def check(draft: TableDraft, engine: str, context: Context) -> None:
    """Refuse what no server of the kind takes. Raises Refused."""
    options = draft.options
    at = draft.name_at
    server = context.server
    if options.comment is not None and len(options.comment) > _COMMENT and context.strict:
        raise Refused(f"the table's comment is longer than {_COMMENT} characters", at, 1628)
    for name, most in (("avg_row_length", 0xFFFFFFFF), ("key_block_size", 0xFFFF)):
        if not server.mariadb and int(options.others.get(name, "0")) > most:
            number = 1064 if server.has("data-dictionary") else None
            raise Refused(f"{name.upper()} is at most {most}", at, number, code="SC001")
    _places(draft, engine, context)
    block = options.others.get("key_block_size", "0")
    fits = block in ("0", "1", "2", "4", "8", "16")
    packed = options.row_format not in ("COMPACT", "DYNAMIC", "REDUNDANT")
    if engine == "InnoDB" and not (fits and (packed or block == "0")) and is_strict(server):
        number = 1005 if server.mariadb else 1031
        raise Refused(f"InnoDB takes no KEY_BLOCK_SIZE={block} here", at, number)
    packed = options.others.get("compression", "none").lower() in ("zlib", "lz4")
    if (
        packed
        and not server.mariadb
        and engine == "InnoDB"
        and (block != "0" or options.row_format == "COMPRESSED")
    ):
        # Pages are compressed in one way alone (asked of 9.7).
        raise Refused("COMPRESSION beside compressed rows", at, 1478 if draft.altered else 1031)
    pages = options.others.get("page_compressed", "0").strip("'\"").upper() in ("1", "ON", "YES")
    mixed = block != "0" or options.row_format in ("REDUNDANT", "COMPRESSED")
    if pages and mixed and engine == "InnoDB" and server.mariadb and is_strict(server):
        why = "PAGE_COMPRESSED takes neither KEY_BLOCK_SIZE nor ROW_FORMAT=REDUNDANT or COMPRESSED"
        raise Refused(why, at, 1005)
    if engine == "InnoDB" and options.row_format in ("FIXED", "PAGE") and is_strict(server):
        raise Refused(f"InnoDB has no ROW_FORMAT={options.row_format}", at, 1031)
    if server.mariadb and "IGNORE_BAD_TABLE_OPTIONS" not in context.modes:
        for name in options.engine_options:
            # TRANSACTIONAL is Aria's; others take it with a warning without strict mode.
            aria = engine == "Aria" or not context.strict
            foreign = _INNODB_OPTIONS if aria else _INNODB_OPTIONS | {"transactional"}
            home = _OF_ENGINES.get(name, engine)
            plain = name in foreign and engine in _PLAIN_ENGINES
            if name not in _MARIADB_OPTIONS or plain or home != engine:
                raise Refused(f"table option {name.upper()!r} is unknown", at, 1911)
        for one in draft.columns:
            for name in one.engine_options:
                raise Refused(f"column option {name.upper()!r} is unknown", one.span[0], 1911)
        for key in draft.keys:
            for name in key.engine_options:
                if key.kind != "vector" or name not in ("m", "distance"):
                    raise Refused(f"key option {name.upper()!r} is unknown", key.span[0], 1911)
    if is_sequence(draft, server) and tuple(one.name.casefold() for one in draft.columns) != sequence.NAMES:
        raise Refused("a table of SEQUENCE=1 has the columns of a sequence", at, 4086)
    if not server.mariadb and engine in ("InnoDB", "MyISAM"):
        if "engine_attribute" in options.others:
            raise Refused(f"{engine} has no ENGINE_ATTRIBUTE", at, 3981)
        spans = [part.span for part in draft.columns if "engine_attribute" in part.engine_options]
        spans += [key.span for key in draft.keys if "engine_attribute" in key.engine_options]
        if spans:
            raise Refused(f"{engine} has no ENGINE_ATTRIBUTE", spans[0][0], 3981)


def merges(
    draft: TableDraft, columns: Sequence[Column], find: Callable[[str | None, str], Table | None]
) -> None:
    """The tables of UNION are there and have these columns, or MERGE does not open the table (1168). Raises
    Refused.
    """
    for database, name in draft.options.union:
        part = find(database, name)
        if part is None or [one.type for one in part.columns] != [one.type for one in columns]:
            raise Refused(f"whether table {name!r} is a part of the MERGE table is not known", draft.name_at)


def _places(draft: TableDraft, engine: str, context: Context) -> None:
    """Where and how a table is stored, as far as every server of the kind refuses it (asked of MySQL 9.7 and
    MariaDB 10.11). Whether a directory, a tablespace or a key for encryption is there is not known here.
    """
    others, server, at = draft.options.others, context.server, draft.name_at
    if not others:
        return
    for name in ("data_directory", "index_directory"):
        place = others.get(name)
        if place and not re.match(r"/|\\|[A-Za-z]:", place):
            number = 1103 if server.mariadb else 1525
            raise Refused(f"{place!r} is no path from the root", at, number)
    if engine != "InnoDB":
        return
    if "index_directory" in others and is_strict(server):
        raise Refused("InnoDB has no INDEX DIRECTORY", at, 1005 if server.mariadb else 1031)
    packing = others.get("compression", "none").lower()
    if packing not in ("", "none", "zlib", "lz4") and is_strict(server):
        raise Refused(f"InnoDB has no COMPRESSION={packing!r}", at, 1031)
    if others.get("encryption", "n").lower() not in ("", "y", "n"):
        raise Refused("ENCRYPTION is 'Y' or 'N'", at, 1031)
    size = re.fullmatch(r"([0-9]{1,12})([KMG]?)", others.get("autoextend_size", "0").upper(), re.ASCII)
    count = int(size[1]) * _UNITS[size[2]] if size else -1
    if count % _EXTENT or not (count == 0 or _EXTENT <= count <= _MOST_EXTENT):
        raise Refused("AUTOEXTEND_SIZE is a multiple of 4M, up to 4G", at, 4025)
