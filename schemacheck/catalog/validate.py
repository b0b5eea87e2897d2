"""What a server refuses in a table as a whole: names, column attributes, options, partitions, references."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemacheck import knowledge
from schemacheck.catalog.context import Context
from schemacheck.catalog.rowsize import field_bytes
from schemacheck.model.charset import max_bytes
from schemacheck.model.column_type import ColumnType
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.expression import is_condition
from schemacheck.model.partitioning import Partitioning
from schemacheck.model.table import Column, DefaultKind, Key, KeyKind, Table
from schemacheck.sql import characters
from schemacheck.sql.ddl.draft import ColumnDraft, TableDraft
from schemacheck.sql.expression_words import words
from schemacheck.sql.lexer import Refused

_NAME = 64
_COMMENT = 1024
#: InnoDB's most columns, its three own not counted; and those of every other engine.
_COLUMNS = {"InnoDB": 1017}
_MOST_COLUMNS = 4096
#: InnoDB's longest record on a page of 16 kB, and its overhead in the DYNAMIC and COMPACT formats.
_PAGE_RECORD, _HEADER, _SYSTEM = 8126, 5, 19
_ROW = ("row start", "row end")
#: What names a sequence, which is no column.
_SEQUENCE = re.compile("nextval|lastval|setval|value", re.IGNORECASE | re.ASCII)


def names(draft: TableDraft, context: Context) -> None:
    """Names of the table and its columns: length, trailing blanks, twice."""
    _name(draft.name, draft.name_at)
    seen: set[str] = set()
    for one in draft.columns:
        _name(one.name, one.span[0])
        if one.name.casefold() in seen:
            raise Refused(f"column {one.name!r} is defined twice", one.span[0], "SC002", 1060, name=one.name)
        seen.add(one.name.casefold())
        if one.comment is not None and len(one.comment) > _COMMENT and context.strict:
            raise Refused(
                f"the comment of column {one.name!r} is longer than {_COMMENT} characters",
                one.span[0],
                "SC002",
                1629,
            )
    if context.server.mariadb and draft.name_is_astral:
        raise Refused("the name holds characters beyond utf8mb3", draft.name_at, "SC002", 1300)


def _name(name: str, at: int) -> None:
    if len(name) > _NAME:
        raise Refused(f"the name {name[:20]!r}... is longer than {_NAME} characters", at, "SC002", 1059)
    if name.endswith(tuple(characters.BLANK)):
        raise Refused(f"the name {name!r} ends with a blank", at, "SC002", 1166)


def column(draft: ColumnDraft, made: Column, context: Context) -> None:
    """One column's attributes."""
    at = draft.span[0]
    server = context.server
    base = made.type.base
    if made.auto_increment and not (
        made.type.is_integer
        or (base in ("float", "double") and not server.has("real-auto-increment-refused"))
    ):
        raise Refused(f"column {made.name!r}: a {made.type} cannot be AUTO_INCREMENT", at, "SC002", 1063)
    if draft.on_update is not None and (
        base not in ("timestamp", "datetime")
        or (draft.on_update != made.type.fraction and not server.mariadb)
    ):
        raise Refused(f"column {made.name!r} has an invalid ON UPDATE clause", at, "SC002", 1294)
    if made.generated is not None and not draft.row_period:
        if draft.default is not None or draft.on_update is not None or draft.auto_increment:
            raise Refused(
                f"column {made.name!r}: a generated column takes no DEFAULT, ON UPDATE or AUTO_INCREMENT",
                at,
                "SC002",
                1221,
            )
        _functions(draft, made, context)
    if (
        made.invisible
        and server.mariadb
        and not made.has_default
        and made.generated is None
        and not made.nullable
    ):
        raise Refused(f"invisible column {made.name!r} must have a default value", at, "SC002", 4108)
    if draft.default is not None and draft.default.expression is not None and server.mariadb:
        _known(draft.default.expression.text, made, at)


def expressions(draft: TableDraft, columns: Sequence[Column], context: Context) -> None:
    """Columns that generated columns and CHECKs name must exist."""
    known = {one.name.casefold() for one in columns}
    used = [
        (one.expression.text, one.span[0], "generated") for one in draft.columns if one.expression is not None
    ]
    checks = [*(check for one in draft.columns for check in one.checks), *draft.checks]
    used += [(check.expression.text, check.span[0], "check") for check in checks]
    defaults = [one.default for one in draft.columns if one.default is not None]
    used += [
        (one.expression.text, one.at, "default")
        for one in defaults
        if one.expression and not _SEQUENCE.search(one.expression.text)
    ]
    used += [
        (part.expression.text, part.at, "functional")
        for key in draft.keys
        for part in key.parts
        if part.expression is not None
    ]
    # What stood before an ALTER TABLE may name a column that it drops.
    kept = [one.made for one in draft.columns if one.made is not None]
    used += [
        (one.expression, 0, "generated") for one in kept if one.expression and one.expression not in _ROW
    ]
    used += [
        (one.default.text, 0, "default")
        for one in kept
        if one.default
        and one.default.kind is DefaultKind.EXPRESSION
        and not _SEQUENCE.search(one.default.text)
    ]
    for text, at, kind in used:
        missing = next(
            (name for name in columns_of(text, context.modes) if name.casefold() not in known), None
        )
        if missing is not None:
            raise Refused(f"column {missing!r} does not exist", at, "SC002", 1054, name=missing, kind=kind)
    if not context.server.mariadb:
        for check in (*draft.checks, *(check for one in draft.columns for check in one.checks)):
            if is_condition(check.expression.text, context.modes) is False:
                raise Refused("a CHECK is no condition", check.span[0], "SC002", 3812)
    auto = {one.name.casefold() for one in columns if one.auto_increment}
    for check in (*draft.checks, *(check for one in draft.columns for check in one.checks)):
        if any(name.casefold() in auto for name in columns_of(check.expression.text, context.modes)):
            raise Refused(
                "a CHECK cannot use an AUTO_INCREMENT column",
                check.span[0],
                "SC002",
                1901 if context.server.mariadb else 3818,
            )


def overlaps(draft: TableDraft) -> None:
    """WITHOUT OVERLAPS names a period of the table (asked of MariaDB). Raises Refused."""
    known = {name.casefold() for name, _, _ in draft.periods}
    for key in () if draft.altered else draft.keys:
        for part in key.parts:
            if part.without_overlaps and (part.column or "").casefold() not in known:
                raise Refused(f"period {part.column!r} is not in the table", part.at, "SC002", 4156)


def _functions(draft: ColumnDraft, made: Column, context: Context) -> None:
    """Functions that a generated column cannot call."""
    assert draft.expression is not None
    named = "stored" if context.server.mariadb else "any"
    if context.server.mariadb and made.generated != "stored":
        _known(draft.expression.text, made, draft.span[0])
        return
    banned = set(characters.split(knowledge.load("reserved")["not_in_generated"][named]))
    found = next((word.lower() for word in words(draft.expression.text) if word.lower() in banned), None)
    if found is not None:
        raise Refused(
            f"generated column {made.name!r} calls {found}",
            draft.span[0],
            "SC002",
            1901 if context.server.mariadb else 3763,
        )


def _known(text: str, made: Column, at: int) -> None:
    """MariaDB takes a function of MySQL's for a stored one, which has no place in a table."""
    foreign = set(characters.split(knowledge.load("reserved")["mysql_only_functions"]))
    found = next((word.lower() for word in words(text) if word.lower() in foreign), None)
    if found is not None:
        raise Refused(
            f"column {made.name!r} calls {found}, which this server does not have", at, "SC002", 1901
        )


def table(
    draft: TableDraft, columns: Sequence[Column], keys: Sequence[Key], engine: str, context: Context
) -> None:
    """The whole table."""
    at = draft.name_at
    if len(columns) > _COLUMNS.get(engine, _MOST_COLUMNS):
        raise Refused(f"too many columns: at most {_COLUMNS.get(engine, _MOST_COLUMNS)}", at, "SC002", 1117)
    if all(one.invisible for one in columns):
        raise Refused("a table must have at least one visible column", at, "SC002", 1113)
    if (
        engine == "InnoDB"
        and _page_bytes(columns, draft, mariadb=context.server.mariadb) > _PAGE_RECORD
        and (context.strict or context.server.has("innodb-strict-mode"))
    ):
        raise Refused(
            f"the row is too large for InnoDB: more than {_PAGE_RECORD} bytes on a page", at, "SC002", 1118
        )
    if context.server.setting("sql_require_primary_key").upper() in ("ON", "1") and not any(
        key.kind is KeyKind.PRIMARY for key in keys
    ):
        raise Refused("sql_require_primary_key is set and the table has no primary key", at, "SC002", 3750)
    if (
        any(name.upper() == "SYSTEM_TIME" for name, _, _ in draft.periods)
        and not draft.options.system_versioned
    ):
        raise Refused("PERIOD FOR SYSTEM_TIME without WITH SYSTEM VERSIONING", at, "SC002", 4125)
    if engine != "InnoDB" and any(one.type.srid and not context.server.mariadb for one in columns):
        raise Refused(f"{engine} has no spatial reference systems", at, "SC002", 1178)
    if any(one.row_period for one in draft.columns) and not draft.options.system_versioned:
        raise Refused("GENERATED ALWAYS AS ROW without WITH SYSTEM VERSIONING", at, "SC002", 4125)
    if engine == "MEMORY" and any(
        one.type.is_text or one.type.is_blob or one.type.is_geometry or one.type.base == "json"
        for one in columns
    ):
        raise Refused("MEMORY has no BLOB and TEXT columns", at, "SC002", 1163)
    if engine == "CSV" and (keys or any(one.nullable for one in columns)):
        raise Refused("CSV has no keys and no nullable columns", at, "SC002", 1178)
    _options(draft, engine, context)


def _varies(kind: ColumnType) -> bool:
    """A CHAR of characters of several lengths, which InnoDB stores as a VARCHAR."""
    return kind.base == "char" and kind.charset not in (None, "ucs2", "utf32") and max_bytes(kind.charset) > 1


def _page_bytes(columns: Sequence[Column], draft: TableDraft, *, mariadb: bool) -> int:
    """The least that InnoDB must keep on the page: fixed columns, short ones whole, 40 or 20 bytes of long
    ones.
    """
    if draft.options.row_format in ("COMPRESSED", "REDUNDANT"):
        return 0
    total = _HEADER + _SYSTEM
    nullable = 0
    for one in columns:
        if one.generated == "virtual":
            continue
        kind = one.type
        nullable += one.nullable
        if kind.is_text or kind.is_blob or kind.base in ("json", "vector") or kind.is_geometry:
            total += 40
        elif kind.base in ("varchar", "varbinary") or _varies(kind):
            # MariaDB moves only what may be longer than 255 bytes off the page (DATA_BIG_LEN_MTYPE); the
            # length of what goes takes one byte (dict_index_too_big_for_tree).
            size = kind.max_bytes if kind.charset or kind.base == "varbinary" else kind.length or 0
            total += (40 if size > (255 if mariadb else 39) else size) + 1
        else:
            total += field_bytes(kind)
    return total + (nullable + 7) // 8


#: MariaDB's own table options that are written name=value; engines add theirs.
_MARIADB_OPTIONS = frozenset((
    "page_compressed", "page_compression_level", "encrypted", "encryption_key_id", "transactional",
    "page_checksum", "sequence", "ietf_quotes",
    "table_type", "file_name", "sep_char", "header", "quoted", "dbname", "tabname", "option_list",
    "s3_block_size", "compression_algorithm",
))  # fmt: skip


def _options(draft: TableDraft, engine: str, context: Context) -> None:
    options = draft.options
    at = draft.name_at
    server = context.server
    block = options.others.get("key_block_size", "0")
    fits = block in ("0", "1", "2", "4", "8", "16")
    packed = options.row_format not in ("COMPACT", "DYNAMIC", "REDUNDANT")
    if engine == "InnoDB" and not (fits and (packed or block == "0")) and server.has("innodb-strict-mode"):
        number = 1005 if server.mariadb else 1031
        raise Refused(f"InnoDB takes no KEY_BLOCK_SIZE={block} here", at, "SC002", number)
    if engine == "InnoDB" and options.row_format in ("FIXED", "PAGE") and (server.has("innodb-strict-mode")):
        raise Refused(f"InnoDB has no ROW_FORMAT={options.row_format}", at, "SC002", 1031)
    if server.mariadb and "IGNORE_BAD_TABLE_OPTIONS" not in context.modes:
        for name in options.engine_options:
            if name not in _MARIADB_OPTIONS:
                raise Refused(f"table option {name.upper()!r} is unknown", at, "SC002", 1911)
        for one in draft.columns:
            for name in one.engine_options:
                raise Refused(f"column option {name.upper()!r} is unknown", one.span[0], "SC002", 1911)
        for key in draft.keys:
            for name in key.engine_options:
                if key.kind != "vector":
                    raise Refused(f"key option {name.upper()!r} is unknown", key.span[0], "SC002", 1911)
    if not server.mariadb and engine in ("InnoDB", "MyISAM"):
        for one in draft.columns:
            if "engine_attribute" in one.engine_options:
                raise Refused(f"{engine} has no ENGINE_ATTRIBUTE", one.span[0], "SC002", 3981)


def partitions(
    draft: TableDraft,
    whole: Partitioning | None,
    columns: Sequence[Column],
    keys: Sequence[Key],
    engine: str,
    context: Context,
) -> None:
    """Refuse what a partitioned table of these columns and keys cannot be."""
    if whole is None:
        return
    at = draft.name_at
    if engine != "InnoDB" and context.server.has("native-partitioning-only"):
        raise Refused(f"{engine} has no native partitioning", at, "SC002", 1178)
    if context.server.has("native-partitioning-only") and any(one.type.is_geometry for one in columns):
        raise Refused("a partitioned table has no geometry", at, "SC002", 1178)
    if whole.method.word == "SYSTEM_TIME" and not draft.options.system_versioned:
        raise Refused("PARTITION BY SYSTEM_TIME without WITH SYSTEM VERSIONING", at, "SC002", 4124)
    if engine == "MRG_MyISAM":
        raise Refused("MERGE tables are not partitioned", at, "SC002", 1572)
    if (
        any(key.kind is KeyKind.FULLTEXT for key in keys)
        and not context.server.mariadb
        and engine == "InnoDB"
    ):
        raise Refused("a partitioned InnoDB table has no FULLTEXT key", at, "SC002", 1214)
    unique = [key for key in keys if key.unique]
    for method in (whole.method, whole.sub):
        if method is not None and method.word == "KEY" and not method.columns and not unique:
            raise Refused("PARTITION BY KEY () needs a primary or unique key", at, "SC002", 1488)
    used = [
        name.casefold()
        for method in (whole.method, whole.sub)
        if method is not None
        for name in (method.columns or columns_of(method.expression or "", context.modes))
    ]
    for key in unique:
        parts = {(part.column or "").casefold() for part in key.parts if part.length is None}
        missing = [name for name in used if name not in parts]
        if missing:
            why = f"key {key.name!r} must include column {missing[0]!r} of the partitioning function"
            kind = "PRIMARY KEY" if key.kind is KeyKind.PRIMARY else "UNIQUE INDEX"
            raise Refused(why, at, "SC002", 1503, kind=kind)


def left_out(made: Table, names: frozenset[str], context: Context, at: int) -> None:
    """Refuse what strict mode refuses: a column that the query does not fill has to have a default."""
    for one in made.columns if context.strict else ():
        if one.name.casefold() in names and not one.nullable and not one.has_default:
            raise Refused(
                f"column {one.name!r} has no default value, and the query does not fill it", at, "SC002", 1364
            )
