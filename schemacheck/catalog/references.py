"""Foreign keys as servers take them: the columns, their types and the keys of both ends.

Asked of four servers; InnoDB's `dict_foreign_find_index` and `cmp_cols_are_equal`, MySQL's
`prepare_fk_parent_key`. What is rare beside them is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from schemacheck.catalog.context import Context
from schemacheck.model.column_type import ColumnType
from schemacheck.model.server import Server
from schemacheck.model.table import Column, Key, KeyKind, Table, TableKind
from schemacheck.sql.ddl.draft import CheckDraft, ForeignDraft, KeyDraft, PartDraft
from schemacheck.sql.expression_words import uses
from schemacheck.sql.lexer import Refused, unasked

#: Types that InnoDB stores as binary strings of a fixed length.
_BYTES = frozenset(
    ("binary", "varbinary", "decimal", "datetime", "timestamp", "time", "bit", "uuid", "inet6")
)
#: What a refusal is about, see `Refusal.kind`: the servers' words for it are not those of its number alone.
FOREIGN_KEY = "FOREIGN KEY CONSTRAINT"
_CHANGES = ("CASCADE", "SET NULL", "SET DEFAULT")

#: Characters of a name.
_NAME = 64


def enforced(
    drafts: Sequence[ForeignDraft], engine: str, checks: Sequence[CheckDraft], columns: Sequence[Column],
    context: Context, *, partitioned: bool,
) -> list[ForeignDraft]:  # fmt: skip
    """The foreign keys that the table's engine keeps. Raises Refused for what servers refuse, or may."""
    if not drafts:
        return []
    own = engine in ("InnoDB", "ndbcluster")
    byname = {column.name.casefold(): column for column in columns}
    for draft in drafts:
        if why := _odd(draft, byname, checks, context, own=own, partitioned=partitioned):
            called = draft.name or draft.columns
            raise Refused(f"whether a server takes foreign key {called}, {why}, is not known", draft.span[0])
    return list(drafts) if own else []


def _odd(
    draft: ForeignDraft, columns: Mapping[str, Column], checks: Sequence[CheckDraft], context: Context, *,
    own: bool, partitioned: bool,
) -> str:  # fmt: skip
    """What of a foreign key is rare: servers refuse most of it, by different errors; '' for nothing."""
    server = context.server
    if draft.standing:
        return "" if own else "in a table of another engine"
    if any(name and len(name) > _NAME for name in (draft.name, draft.index_name, draft.ref_table)):
        return "whose name is long"
    if draft.ref_columns and len(draft.ref_columns) != len(draft.columns):
        return "whose ends differ in their columns"
    if partitioned:
        return "of a partitioned table"
    if not (own or draft.ref_columns) and server.has("ddl-inline-references"):
        return "which names no columns of its parent"
    acts = draft.on_update in _CHANGES or draft.on_delete in _CHANGES[1:]
    if "SET DEFAULT" in (draft.on_delete, draft.on_update) and server.has("set-default-refused"):
        return "ON DELETE SET DEFAULT"
    for name in draft.columns:
        column = columns.get(name.casefold())
        if column is None:
            continue
        if "SET NULL" in (draft.on_delete, draft.on_update) and not column.nullable:
            return f"SET NULL of {name!r}, which is NOT NULL"
        if column.generated is not None and (acts or (column.generated == "virtual" and not server.mariadb)):
            return f"whose column {name!r} is generated"
        computed = [column.expression or "" for column in columns.values() if column.generated == "stored"]
        if server.has("check-constraints"):
            computed += [check.expression.text for check in checks]
        if acts and any(uses(text, name) for text in computed):
            return f"which changes {name!r}, out of which others are computed"
    return ""


def check(
    drafts: Sequence[ForeignDraft],
    columns: Sequence[Column],
    keys: Sequence[Key],
    context: Context,
    own: tuple[str | None, str],
    find: Callable[[str | None, str], Table | None],
    *,
    altered: bool,
    in_place: bool,
) -> None:
    """Refuse what the server refuses; columns that are left out are the parent's primary key (MySQL 9). A
    parent that is not known is not checked, and without foreign_key_checks it may be missing, or be no InnoDB
    table, but one that is there must fit (twelve parents asked of four servers). `own` is the table's
    database and name, `altered`: an ALTER TABLE makes it, `in_place`: without a copy of the rows. What it
    does to foreign keys that stood before is asked in `referring`. Raises Refused.
    """
    if not drafts:
        return
    checks = context.server.setting("foreign_key_checks").upper() not in ("OFF", "0")
    byname = {column.name.casefold(): column for column in columns}
    generated = re.compile(re.escape(own[1]) + r"_ibfk_([0-9]{1,9})", re.IGNORECASE)
    matches = [generated.fullmatch(foreign.name) for foreign in drafts if foreign.standing and foreign.name]
    number = max((int(match[1]) for match in matches if match), default=0)
    for draft in drafts:
        if draft.name is None:
            number += 1
            draft.shown = f"{own[1]}_ibfk_{number}"
            if len(draft.shown) > _NAME:
                raise _unknown(draft, "its name gets too long")
        if draft.standing:
            continue
        # Before MySQL 8.0 and on MariaDB an ALTER TABLE asks InnoDB for the table as it was (asked of three).
        itself = (draft.ref_database or own[0], draft.ref_table) == own
        if itself and (not altered or context.server.has("data-dictionary")):
            parent, theirs = byname, list(keys)
        else:
            table = find(draft.ref_database, draft.ref_table)
            if table is not None and checks and (table.partitioning or not _is_plain(table)):
                raise _unknown(draft, f"{draft.ref_table!r} is no plain InnoDB table")
            if table is None or not table.columns or not _is_plain(table):
                if not draft.ref_columns:
                    raise _unknown(draft, "the columns of an unknown table are not written")
                continue
            if table.partitioning and context.server.has("data-dictionary"):
                raise _unknown(draft, f"{draft.ref_table!r} is partitioned")
            if table.partitioning:
                continue
            parent, theirs = {column.name.casefold(): column for column in table.columns}, list(table.keys)
        if not draft.ref_columns:
            draft.ref_columns = _primary(draft, theirs, context)
        try:
            _columns(draft, byname, parent, context)
            if itself:
                # A table's own columns are named as they are defined (asked of four servers).
                draft.ref_columns = [
                    byname[name.casefold()].name if name.casefold() in byname else name
                    for name in draft.ref_columns
                ]
            _parent_key(draft, theirs, context, itself=itself)
        except Refused as refused:
            if checks or not in_place or context.server.has("data-dictionary"):
                raise
            # InnoDB has other errors where it adds foreign keys in place.
            raise Refused(refused.message, draft.span[0]) from None


def _is_plain(table: Table) -> bool:
    """Whether a foreign key may refer to a table of its kind."""
    return table.kind is TableKind.TABLE and (table.engine or "InnoDB") == "InnoDB"


def _unknown(draft: ForeignDraft, why: str) -> Refused:
    return Refused(f"foreign key {draft.name or draft.columns} is not followed: {why}", draft.span[0])


def _refused(
    draft: ForeignDraft, why: str, context: Context, number: int, *, name: str = "", other: str = ""
) -> Refused:
    """The server's refusal: MySQL 8 tells why, the others do not."""
    if context.server.mariadb:
        number = 1005
    elif not context.server.has("data-dictionary"):
        number = 1215
    words = {"fk": draft.name or draft.shown or "...", "parent": draft.ref_table, "parent_column": other}
    message = f"foreign key {draft.name or draft.columns}: {why}"
    return Refused(message, draft.span[0], number, name=name, kind=FOREIGN_KEY, words=words)


def _primary(draft: ForeignDraft, keys: Sequence[Key], context: Context) -> list[str]:
    """The columns that a foreign key refers to where it names none."""
    if context.server.mariadb and not draft.inline:
        # The columns of the same names (asked of 10.11 and 11.8).
        return list(draft.columns)
    primary = next((key for key in keys if key.kind is KeyKind.PRIMARY), None)
    named = [part.column for part in primary.parts if part.column] if primary is not None else []
    inline = context.server.has("ddl-inline-references") and not context.server.mariadb
    if not inline or len(named) != len(draft.columns):
        raise _unknown(draft, "the referenced columns are not written")
    return named


def _columns(
    draft: ForeignDraft, ours: Mapping[str, Column], theirs: Mapping[str, Column], context: Context
) -> None:
    for name, other in zip(draft.columns, draft.ref_columns, strict=False):
        mine, parent = ours.get(name.casefold()), theirs.get(other.casefold())
        if mine is None:
            continue
        if parent is None:
            raise _refused(
                draft, f"column {draft.ref_table}.{other} does not exist", context, 3734, name=other
            )
        if parent.generated == "virtual" and not context.server.mariadb:
            raise _unknown(draft, f"{draft.ref_table}.{other} is a virtual column")
        if stored(mine.type) != stored(parent.type):
            why = f"column {name!r} does not fit {draft.ref_table}.{other}"
            raise _refused(draft, why, context, 3780, name=name, other=other)


def stored(kind: ColumnType) -> tuple[object, ...]:
    """What of a type InnoDB compares between the ends of a foreign key."""
    if kind.is_integer:
        return kind.base, kind.unsigned
    if kind.has_members:
        return kind.base, len(kind.members) > (255 if kind.is_enum else 8)
    if kind.charset and kind.charset != "binary":
        return "string", kind.charset, kind.collation
    if kind.base in _BYTES or kind.is_blob or kind.charset:
        return ("bytes",)
    return (kind.base,)


def follows(server: Server) -> bool:
    """Whether a referenced key must be unique, and no longer than the reference."""
    given = server.setting("restrict_fk_on_non_standard_key").upper()
    return server.has("restrict-fk-on-non-standard-key") and given not in ("OFF", "0")


def leading(key: Key, wanted: Sequence[str], *, exact: bool = False) -> bool:
    """Whether a key begins with these (folded) columns, whole; `exact`: it is unique and has no others."""
    if key.kind not in (KeyKind.PRIMARY, KeyKind.UNIQUE, KeyKind.INDEX):
        return False
    parts = [(part.column or "").casefold() if part.length is None else "" for part in key.parts]
    return parts[: len(wanted)] == list(wanted) and (not exact or (key.unique and len(parts) == len(wanted)))


def _parent_key(draft: ForeignDraft, keys: Sequence[Key], context: Context, *, itself: bool) -> None:
    """A key of the parent must begin with the referenced columns; where the server asks for it, be unique and
    no longer. MySQL refuses columns that refer to themselves (asked of 5.6 and 9.7).
    """
    wanted = [name.casefold() for name in draft.ref_columns]
    strict = follows(context.server)
    circular = itself and not context.server.mariadb and wanted == [name.casefold() for name in draft.columns]
    if circular or not any(leading(key, wanted, exact=strict) for key in keys):
        raise _refused(draft, f"{draft.ref_table!r} has no such key", context, 6125 if strict else 1822)


def covers(key: KeyDraft, wanted: list[str], *, by_name: bool = False) -> bool:
    """Whether a key begins with these columns, whole; `by_name`: whatever its kind, as servers ask first."""
    if by_name and len(key.parts) >= len(wanted):
        return [(part.column or "").casefold() for part in key.parts[: len(wanted)]] == wanted
    if key.kind not in ("primary", "unique", "index") or len(key.parts) < len(wanted):
        return False
    return all(
        part.length is None and (part.column or "").casefold() == name
        for part, name in zip(key.parts, wanted, strict=False)
    )


def with_generated(
    drafts: list[KeyDraft], foreign: list[ForeignDraft], columns: Mapping[str, Column], engine: str,
    context: Context,
) -> list[KeyDraft]:  # fmt: skip
    """All keys, with those that the server makes and without those that are needless. Raises Refused."""
    keys = [*drafts, *_generated(drafts, foreign, columns, engine, context)]
    remaining = [draft for draft in keys if not _needless(draft, keys, engine, context)]
    names = {(key.name or "").casefold() for key in remaining}
    lost = next((key for key in keys if key.shown and (key.name or "").casefold() not in names), None)
    if lost is not None and not context.server.mariadb:
        raise unasked(f"ALTER INDEX of {lost.name!r}, which makes room for another key")
    return remaining


def _covers(key: KeyDraft, parts: Sequence[PartDraft], engine: str, context: Context) -> bool:
    """Whether a key makes that of a foreign key, with these parts, needless (`foreign_key_prefix`). MySQL 8
    makes a key of its own beside one that goes down (asked of 9.7). Raises Refused for keys of which other
    engines than InnoDB compare more than names.
    """
    wanted = [(part.column or "").casefold() for part in parts]
    fits = covers(key, wanted)
    hashed = key.kind == "unique" or key.using == "HASH" or "USING HASH" in key.attributes
    other = fits and hashed and context.server.mariadb
    if engine != "InnoDB" and (other or fits != covers(key, wanted, by_name=True)):
        raise Refused(f"whether key {key.name!r} serves a foreign key is not known", key.span[0])
    down = context.server.has("data-dictionary") and not context.server.mariadb
    return fits and not (down and any(part.descending for part in key.parts[: len(wanted)]))


def _generated(
    drafts: list[KeyDraft], foreign: list[ForeignDraft], columns: Mapping[str, Column], engine: str,
    context: Context,
) -> list[KeyDraft]:  # fmt: skip
    keys: list[KeyDraft] = []
    for reference in foreign:
        if reference.standing:  # whether its key may go is asked in `referring`
            continue
        wanted = [name.casefold() for name in reference.columns]
        missing = next((name for name in reference.columns if name.casefold() not in columns), None)
        if missing is not None:
            raise Refused(f"key column {missing!r} does not exist", reference.span[0], 1072, name=missing)
        parts = [PartDraft(column) for column in reference.columns]
        if any(_covers(key, parts, engine, context) for key in drafts if not key.generated) or any(
            covers(key, wanted) and len(key.parts) > len(wanted) for key in (*drafts, *keys) if key.generated
        ):
            continue
        keys.append(
            KeyDraft(
                "index", parts, reference.name or reference.index_name, generated=True, span=reference.span
            )
        )
    return keys


def _needless(draft: KeyDraft, keys: list[KeyDraft], engine: str, context: Context) -> bool:
    """Whether a key that the server made is the beginning of another one (`foreign_key_prefix`)."""
    if not draft.generated:
        return False
    # Of two with the same columns the later one stays, of the same statement or not (asked of four servers).
    later = False
    for key in keys:
        if key is draft:
            later = True
        elif _covers(key, draft.parts, engine, context) and (
            not key.generated or later or len(key.parts) > len(draft.parts)
        ):
            return True
    return False
