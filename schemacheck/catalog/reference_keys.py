"""The keys that servers make for foreign keys without one, and those that another key makes needless."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schemacheck.catalog import key_length
from schemacheck.catalog.context import Context
from schemacheck.catalog.references import covers
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import Column
from schemacheck.sql.ddl.draft import ForeignDraft, KeyDraft, PartDraft
from schemacheck.sql.lexer import Refused

#: The lengths of a geometry in a plain key: that of one which says none, and the longest of each engine.
_OF_SHAPES = (25, *(each for each, _ in key_length.LIMITS.values()))


def added(
    drafts: list[KeyDraft], foreign: list[ForeignDraft], columns: Mapping[str, Column], engine: str,
    context: Context,
) -> list[KeyDraft]:  # fmt: skip
    """All keys, with those that the server makes and without those that are needless. Raises Refused."""
    keys = [*drafts, *_generated(drafts, foreign, columns, engine, context)]
    remaining = [draft for draft in keys if not _needless(draft, keys, columns, engine, context)]
    names = {(key.name or "").casefold() for key in remaining}
    lost = next((key for key in keys if key.shown and (key.name or "").casefold() not in names), None)
    if lost is not None and not context.server.mariadb:
        # It has gone before ALTER INDEX is looked at (asked of 9.7).
        raise Refused(f"key {lost.name!r} makes room for another one", 0, 1176, name=lost.name)
    return remaining


def _covers(
    key: KeyDraft, parts: Sequence[PartDraft], columns: Mapping[str, Column], engine: str, context: Context,
    *, made: bool = False,
) -> bool:  # fmt: skip
    """Whether a key makes that of a foreign key needless (`foreign_key_prefix`). Before MySQL 8.0 and on
    MariaDB a key of any kind will do until InnoDB is asked, with parts of the same lengths
    (`Key_part_spec::operator==`). On MariaDB a FULLTEXT key that stands has its own, and a BLOB or a geometry
    in a key that is none of the plain ones (asked of 5.6, 10.11 and 11.8), and a key USING HASH serves none
    (10.11 and 11.8). `parts` are those of the key that may be needless. `made`: the foreign key has one of
    its own, which MySQL 8 compares so too.
    """
    server = context.server
    wanted = [(part.column or "").casefold() for part in parts]
    if engine == "InnoDB" or (server.has("data-dictionary") and not server.mariadb and not made):
        # MySQL 8 makes a key of its own beside one that goes down (asked of 9.7).
        down = server.has("data-dictionary") and not server.mariadb
        return covers(key, wanted) and not (
            down and any(part_draft.descending for part_draft in key.parts[: len(wanted)])
        )
    if not covers(key, wanted, by_name=True):
        return False
    # ALTER TABLE leaves a unique key no USING HASH but in memory (asked of 10.11 and 11.8).
    stays = key.kind != "unique" or engine == "MEMORY"
    hashed = key.using == "HASH" or (stays and "USING HASH" in key.attributes)
    if server.mariadb and hashed:
        return False
    for part, other, name in zip(key.parts, parts, wanted, strict=False):
        type_ = columns[name].type
        if server.mariadb and (type_.is_text or type_.is_blob) and key.kind != "index":
            return False
        if server.mariadb and type_.is_geometry:
            if key.kind != "index" or part.length not in (None, *_OF_SHAPES):
                return False
        elif _length(part, type_, key.kind, engine, context) != _length(
            other, type_, "index", engine, context
        ) or (server.mariadb and key.kind == "fulltext" and key.location is not None):
            return False
    return True


def _length(part: PartDraft, type_: ColumnType, kind: str, engine: str, context: Context) -> int | None:
    """The length of a key part in the finished key, as MariaDB cuts it; None for the whole column."""
    length = part.length
    if length is not None or kind != "index" or not context.server.mariadb:
        return length
    most = charsets.max_bytes(type_.charset) if type_.charset else 1
    cut = key_length.LIMITS.get(engine, key_length.LIMITS["InnoDB"])[0]
    if type_.is_text or type_.is_blob:
        return min(cut // most, type_.max_bytes)
    long = type_.base in ("char", "varchar", "binary", "varbinary") and type_.max_bytes > cut
    return cut // most if long else None


def _generated(
    drafts: list[KeyDraft], foreign: list[ForeignDraft], columns: Mapping[str, Column], engine: str,
    context: Context,
) -> list[KeyDraft]:  # fmt: skip
    """The keys that the server makes for foreign keys without one."""
    keys: list[KeyDraft] = []
    for reference in foreign:
        if reference.standing:  # whether its key may go is asked in `referring`
            continue
        wanted = [name.casefold() for name in reference.columns]
        missing = next((name for name in reference.columns if name.casefold() not in columns), None)
        if missing is not None:
            raise Refused(f"key column {missing!r} does not exist", reference.span[0], 1072, name=missing)
        parts = [PartDraft(column) for column in reference.columns]
        if any(_covers(key, parts, columns, engine, context) for key in drafts if not key.generated) or any(
            covers(key, wanted) and len(key.parts) > len(wanted) for key in (*drafts, *keys) if key.generated
        ):
            continue
        keys.append(
            KeyDraft(
                "index", parts, reference.name or reference.index_name, generated=True, span=reference.span
            )
        )
    return keys


def _needless(
    draft: KeyDraft, keys: list[KeyDraft], columns: Mapping[str, Column], engine: str, context: Context
) -> bool:
    """Whether a key that the server made is the beginning of another one (`foreign_key_prefix`)."""
    if not draft.generated:
        return False
    # Of two with the same columns the later one stays, of the same statement or not (asked of four servers).
    later = False
    for key in keys:
        if key is draft:
            later = True
        elif _covers(
            key, draft.parts, columns, engine, context, made=later or key.span[0] > draft.span[0]
        ) and (not key.generated or later or len(key.parts) > len(draft.parts)):
            return True
    return False
