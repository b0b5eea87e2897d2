"""The keys of a table: those that foreign keys need, their names and lengths, and what the server refuses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from schemacheck.catalog import expression_rules, key_length, name_rules, references
from schemacheck.catalog.context import Context
from schemacheck.dataclass import maker, replace
from schemacheck.model import charset as charsets
from schemacheck.model import normal, quote
from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import Column, Key, KeyKind, KeyPart
from schemacheck.sql.ddl.draft import ForeignDraft, KeyDraft, PartDraft
from schemacheck.sql.lexer import Refused, unasked

_part_of, _key_of = maker(KeyPart), maker(Key)
MOST_KEYS, MOST_PARTS = 64, 16
#: Asked of every key, and an enum looks its members up each time.
_KINDS = {kind.value: kind for kind in KeyKind}
#: Kinds of keys without and with an order.
_UNORDERED = frozenset((KeyKind.FULLTEXT, KeyKind.SPATIAL))
_PLAIN = frozenset((KeyKind.INDEX, KeyKind.UNIQUE, KeyKind.PRIMARY))
_TEXT_LENGTH = re.compile(r"\w+\s*\(\s*(\d+)", re.ASCII)
#: Bytes of a POINT.
_POINT = 25


def settle(
    drafts: list[KeyDraft], foreign: list[ForeignDraft], columns: list[Column], engine: str, context: Context
) -> tuple[list[Key], list[Column], tuple[str, ...]]:  # fmt: skip
    """All keys in order, the hidden columns that they need, the server's order. Raises Refused."""
    byname = {column.name.casefold(): column for column in columns}
    result = references.with_generated(drafts, foreign, byname, engine, context)
    if len([key for key in result if key.kind == "primary"]) > 1:
        raise Refused(
            "more than one primary key", next(key.span[0] for key in result if key.kind == "primary"), 1068
        )
    _names(result, byname)
    if len(result) > MOST_KEYS:
        raise unasked(f"{len(result)} keys", result[-1].span[0])
    hidden: dict[str, Column] = {}
    keys = [_key(draft, byname, engine, context, hidden) for draft in result]
    _auto_increment(columns, keys, engine)
    order = normal.key_order(keys, byname)
    _visible(keys, byname, order)
    ordered = list(normal.keys(keys))
    # In the order of the keys: rows of information_schema do not tell that of the definition.
    behind = [hidden[key.name] for key in ordered if key.name in hidden]
    numbered = [replace(column, name=f"{column.name}{number}") for number, column in enumerate(behind, 1)]
    return ordered, numbered, order


def is_hashed(key: Key, columns: Iterable[Column]) -> bool:
    """Whether MariaDB keeps a hash of the key's values, in a column of its own."""
    hashed = f"hash({','.join(f'`{part.column}`' for part in key.parts)})"
    return any(column.expression == hashed for column in columns)


def may_serve(key: Key, columns: Mapping[str, Column]) -> bool:
    """Whether a key may keep the rows in order (`is_candidate_key`). `columns`: by folded name."""
    if key.kind is KeyKind.PRIMARY:
        return True
    return (
        key.kind is KeyKind.UNIQUE
        and not is_hashed(key, columns.values())
        and all(
            part.column is not None
            and part.length is None
            and part.column.casefold() in columns
            and not columns[part.column.casefold()].nullable
            for part in key.parts
        )
    )


def serving(keys: Sequence[Key], columns: Mapping[str, Column], order: Sequence[str]) -> Key | None:
    """The primary key, or the first unique key without NULLs, which serves as one."""
    primary = next((key for key in keys if key.kind is KeyKind.PRIMARY), None)
    if primary is not None:
        return primary
    whole = [key for key in keys if may_serve(key, columns)]
    whole.sort(key=lambda key: order.index(key.name) if key.name in order else len(order))
    return next(iter(whole), None)


def _visible(keys: Sequence[Key], columns: Mapping[str, Column], order: Sequence[str]) -> None:
    """What serves as the primary key is not hidden from the optimizer (asked of 9.7, 10.11, 11.8)."""
    if all(key.visible for key in keys):
        return
    result = serving(keys, columns, order)
    if result is not None and not result.visible:
        raise unasked(f"key {result.name!r}, which serves as the primary key, hidden")


def _names(keys: list[KeyDraft], columns: Mapping[str, Column]) -> None:
    """Give unnamed keys the server's names: the first column as it is defined, then with _2, _3, ..."""
    taken: set[str] = set()
    functional = 0
    for key in keys:
        if key.kind == "primary":
            key.name = "PRIMARY"
        elif not key.name:
            base = key.parts[0].column
            if base is None or any(part.column is None for part in key.parts):
                functional += 1
                base = "functional_index" if functional == 1 else f"functional_index_{functional}"
            elif base.casefold() in columns:
                base = columns[base.casefold()].name
            number = 2
            name = base
            if base.casefold() == "primary":
                name, number = f"{base}_2", 3
            while name.casefold() in taken:
                name = f"{base}_{number}"
                number += 1
            key.name = name
        elif key.name.casefold() in ("primary", "gen_clust_index"):
            # InnoDB's own name (`innobase_index_name_is_reserved`).
            raise unasked(f"a key of the name {key.name!r}", key.span[0])
        name_rules.check(key.name, key.span[0])
        if key.name.casefold() in taken:
            raise Refused(f"key {key.name!r} is defined twice", key.span[0], 1061, name=key.name)
        taken.add(key.name.casefold())


def _key(
    draft: KeyDraft, columns: dict[str, Column], engine: str, context: Context, hidden: dict[str, Column]
) -> Key:
    kind, at = _KINDS[draft.kind], draft.span[0]
    if len(draft.parts) > MOST_PARTS and draft.kind != "fulltext":
        raise unasked(f"so many parts of key {draft.name!r}", at)
    seen: set[str] = set()
    parts: list[KeyPart] = []
    hashed = (
        draft.using == "HASH"
        and kind is KeyKind.UNIQUE
        and context.server.has("unique-hash-index")
        and engine != "MEMORY"
    )
    for part in draft.parts:
        if part.column is None:
            text = part.expression.text if part.expression else ""
            plain = normal.expression(text, context.modes).casefold()
            alone = any(plain in (name, quote.quoted(name)) for name in columns)
            if alone or kind not in (KeyKind.INDEX, KeyKind.UNIQUE):
                raise unasked(f"such an expression in key {draft.name!r}", part.at)
            parts.append(KeyPart(None, None, expression_rules.printed(text, context), part.descending))
            continue
        column = columns.get(part.column.casefold())
        if column is None:
            raise Refused(f"key column {part.column!r} does not exist", part.at, 1072, name=part.column)
        if column.name.casefold() in seen:
            raise unasked(f"column {part.column!r} twice in key {draft.name!r}", part.at)
        seen.add(column.name.casefold())
        made, spatial, needs_hash = _part(part, column, draft, kind, engine, context)
        kind = KeyKind.SPATIAL if spatial else kind
        hashed = hashed or needs_hash
        parts.append(made)
    if kind in _PLAIN and not hashed:
        hashed, parts = key_length.settle(draft, parts, columns, kind, engine, context)
    if _is_hash(draft, engine, context):
        parts = [replace(part, descending=False) for part in parts]
    if hashed:
        if engine == "Aria" or any(columns[(part.column or "").casefold()].auto_increment for part in parts):
            raise unasked(f"a hash for key {draft.name!r}", at)
        parts = [replace(part, descending=False) for part in parts]
        names = ",".join(f"`{part.column}`" for part in parts)
        hidden[draft.name or ""] = Column(
            "DB_ROW_HASH_",
            ColumnType(
                "bigint",
                unsigned=True,
                display_width=0 if context.server.has("unique-hash-of-width-0") else 8,
                text="bigint unsigned",
            ),
            nullable=True,
            generated="virtual",
            expression=f"hash({names})",
            invisible=True,
        )
    collations = {columns[(part.column or "").casefold()].type.collation for part in parts if part.column}
    if (kind is KeyKind.FULLTEXT and len(collations) > 1) or (
        draft.parser and not context.server.has(f"fulltext-{draft.parser.lower()}")
    ):
        raise unasked(f"FULLTEXT key {draft.name!r} of these columns, with this parser", at)
    return _made(draft, kind, parts, context)


def _made(draft: KeyDraft, kind: KeyKind, parts: list[KeyPart], context: Context) -> Key:
    return _key_of(
        kind, tuple(parts), draft.name or "", draft.visible,
        location=draft.location or (context.location(draft.span) if draft.span[1] else None),
        attributes=tuple(draft.attributes), generated=draft.generated,
    )  # fmt: skip


def _is_hash(draft: KeyDraft, engine: str, context: Context) -> bool:
    """Whether MariaDB makes a hash of a key, which has no order."""
    return context.server.mariadb and (
        draft.using == "HASH" or (engine == "MEMORY" and draft.using != "BTREE")
    )


def _part(
    part: PartDraft, column: Column, draft: KeyDraft, kind: KeyKind, engine: str, context: Context
) -> tuple[KeyPart, bool, bool]:
    """(the part, whether it makes the key SPATIAL, whether the key becomes a hash). Raises Refused, without a
    number for what servers refuse or take each in its own way.
    """
    type_, server, length = column.type, context.server, part.length
    before = part.replaced
    shape = type_.is_geometry and server.has("geometry-key-is-spatial") and kind is KeyKind.INDEX
    unordered = shape or kind in _UNORDERED or draft.using == "HASH"
    changed = before is not None and (
        (before.members and not type_.members and not server.mariadb)
        or (length is not None and not _grows(before, type_, length))
    )
    # Before MySQL 8.0 the n of TEXT(n) limits prefixes.
    named = _TEXT_LENGTH.match(type_.text) if type_.is_lob and length is not None else None
    sized = named is not None and length is not None and int(named[1]) < length
    if (
        changed
        or type_.compressed
        or (sized and not (server.mariadb or server.has("blob-prefix-checked")))
        or (part.ordered and unordered and server.has("ddl-functional-index"))
        or (part.descending and engine != "InnoDB" and server.has("descending-index-innodb-only"))
        or not _takes(type_, kind, draft, engine, context, nullable=column.nullable, spatial=shape)
    ):
        raise _unknown(draft, part)
    if kind in _UNORDERED or shape or draft.using == "RTREE" or kind is KeyKind.VECTOR:
        return KeyPart(column.name), type_.is_geometry, False
    if type_.is_lob and length is None:
        if server.has("unique-hash-index") and kind is KeyKind.UNIQUE and draft.using != "BTREE":
            return KeyPart(column.name), False, True
        if server.has("unique-hash-index") and kind is KeyKind.UNIQUE:
            raise _unknown(draft, part)
        if not (server.has("blob-key-truncated") and kind is KeyKind.INDEX):
            why = f"key {draft.name!r}, column {column.name!r}: a BLOB or TEXT needs a key length"
            raise Refused(why, part.at or draft.span[0], 1170)
        length = type_.max_bytes if type_.max_bytes < 256 else None
    if length is not None and not type_.is_geometry:
        try:
            length = key_length.prefix(length, type_, mariadb=server.mariadb)
        except ValueError:
            raise _unknown(draft, part) from None
    return KeyPart(column.name, length, None, part.descending), False, False


def _unknown(draft: KeyDraft, part: PartDraft) -> Refused:
    why = f"whether the server takes {part.column!r} so in key {draft.name!r} is not known"
    return Refused(why, part.at or draft.span[0])


def _grows(before: ColumnType, after: ColumnType, length: int) -> bool:
    """Whether a prefix stays with its column's new type (asked of four servers)."""
    if before.base != after.base:
        holds = after.is_lob or length < (after.length or 0)
        return holds and before.holds_text and after.holds_text and before.charset == after.charset
    holds = before.max_bytes <= after.max_bytes or length <= (after.length or 0)
    return after.is_plain_string and holds and length != before.length


def _takes(
    type_: ColumnType, kind: KeyKind, draft: KeyDraft, engine: str, context: Context, *, nullable: bool,
    spatial: bool,
) -> bool:  # fmt: skip
    """Whether every server of the kind takes a column of this type in such a key."""
    server = context.server
    if kind is KeyKind.FULLTEXT:
        return type_.holds_text and type_.charset not in charsets.WIDE and type_.length != 0
    if kind is KeyKind.SPATIAL or spatial or draft.using == "RTREE":
        alone = type_.is_geometry and len(draft.parts) == 1 and draft.parts[0].length is None
        plain = draft.using in (None, "", "RTREE") and (engine != "InnoDB" or server.has("innodb-spatial"))
        return alone and plain and not nullable
    if kind is KeyKind.VECTOR:
        return not nullable
    if type_.is_geometry:
        # Of a prefix, which a POINT makes longer (asked of 5.6, 10.11 and 11.8).
        given = all(part.length is not None and part.length > _POINT for part in draft.parts)
        return given and not server.has("geometry-key-is-spatial")
    empty = type_.is_sized and type_.length == 0
    return not (type_.is_json or type_.is_vector or (empty and not (server.mariadb and nullable)))


def _auto_increment(columns: list[Column], keys: list[Key], engine: str) -> None:
    """One AUTO_INCREMENT column at most, and it leads a key (anywhere in one for MyISAM)."""
    auto = [column for column in columns if column.auto_increment]
    if not auto:
        return
    name = auto[0].name.casefold()
    leading = 1 if engine not in ("MyISAM", "Aria", "MRG_MyISAM", "BLACKHOLE") else MOST_PARTS
    keyed = any(
        (part.column or "").casefold() == name
        for key in keys
        if key.kind not in _UNORDERED
        for part in key.parts[:leading]
    )
    if len(auto) > 1 or not keyed:
        raise Refused("there can be only one AUTO_INCREMENT column, and it must be defined as a key", 0, 1075)
