"""Foreign keys as servers take or refuse them: the columns, their types and the keys of both ends.

Asked of four servers; InnoDB's `dict_foreign_find_index` and `cmp_cols_are_equal`, MySQL's
`prepare_fk_parent_key`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from schemacheck.catalog.context import Context
from schemacheck.model.column_type import ColumnType
from schemacheck.model.server import Server
from schemacheck.model.table import Column, Key, KeyKind, Table, TableKind
from schemacheck.sql.ddl.draft import CheckDraft, ForeignDraft, KeyDraft
from schemacheck.sql.expression_words import uses
from schemacheck.sql.lexer import Refused

#: Types that InnoDB stores as binary strings of a fixed length.
_BYTES = frozenset(
    ("binary", "varbinary", "decimal", "datetime", "timestamp", "time", "bit", "uuid", "inet6")
)
#: What a refusal is about, see `Refusal.kind`: the servers' words for it are not those of its number alone.
FOREIGN_KEY = "FOREIGN KEY CONSTRAINT"
_CHANGES = ("CASCADE", "SET NULL", "SET DEFAULT")

#: Characters of a name.
_NAME = 64


def well_formed(drafts: Sequence[ForeignDraft], partitioned: bool) -> None:
    """Refuse what no engine is asked about: as many columns as referenced ones, none in a partitioned table
    (asked of four servers). Raises Refused.
    """
    for draft in drafts:
        if draft.standing:
            continue
        for name, number in ((draft.name, 1059), (draft.index_name, 1059), (draft.ref_table, 1103)):
            if name is not None and len(name) > _NAME:
                raise Refused(f"the name {name[:20]!r}... is too long", draft.span[0], number)
        if draft.ref_columns and len(draft.ref_columns) != len(draft.columns):
            why = f"foreign key {draft.name or draft.columns} and its reference differ in their columns"
            raise Refused(why, draft.span[0], 1239)
        if partitioned:
            raise Refused("a partitioned table has no foreign key", draft.span[0], 1506)


def kept(
    drafts: Sequence[ForeignDraft], engine: str, context: Context, at: int,
    find: Callable[[str | None, str], Table | None],
) -> list[ForeignDraft]:  # fmt: skip
    """The foreign keys that the table's engine keeps: others than InnoDB take the clause, make its key and
    forget it. Raises Refused for an engine that a table with foreign keys cannot change to.
    """
    if engine in ("InnoDB", "ndbcluster"):
        return list(drafts)
    standing = next((one for one in drafts if one.standing), None)
    if standing is not None:
        number = 3776 if context.server.has("data-dictionary") else 1217
        raise Refused(f"the table has foreign key {standing.name!r}: it stays InnoDB", at, number)
    if context.server.has("ddl-inline-references") and not context.server.mariadb:
        # MySQL 9 asks for the columns that are left out all the same.
        for draft in drafts:
            parent = None if draft.ref_columns else find(draft.ref_database, draft.ref_table)
            primary = parent is not None and any(key.kind is KeyKind.PRIMARY for key in parent.keys)
            if not (draft.ref_columns or primary):
                raise Refused("the referenced columns are not written", draft.span[0], 1239)
    return []


def unchecked(drafts: Sequence[ForeignDraft], checks: Sequence[CheckDraft], context: Context) -> None:
    """Refuse a CHECK of a column that a foreign key's action changes (asked of 9.7, 10.11, 11.8).
    Raises Refused.
    """
    if not context.server.has("check-constraints"):
        return
    for draft in drafts:
        if draft.on_update not in _CHANGES and draft.on_delete not in _CHANGES[1:]:
            continue
        for name in draft.columns:
            one = next((c for c in checks if uses(c.expression.text, name)), None)
            if one is not None:
                number = 1901 if context.server.mariadb else 3823
                words = {"check": one.name or "...", "fk": draft.name or "..."}
                why = f"a CHECK uses {name!r}, which foreign key {draft.name or draft.columns} changes"
                raise Refused(why, one.span[0], number, name=name, words=words)


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
    checks = context.server.setting("foreign_key_checks").upper() not in ("OFF", "0")
    if not drafts:
        return
    byname = {column.name.casefold(): column for column in columns}
    generated = re.compile(re.escape(own[1]) + r"_ibfk_([0-9]{1,9})", re.IGNORECASE)
    known = [generated.fullmatch(one.name) for one in drafts if one.standing and one.name]
    number = max((int(one[1]) for one in known if one), default=0)
    for draft in drafts:
        if draft.name is None:
            number += 1
            draft.shown = f"{own[1]}_ibfk_{number}"
            if len(draft.shown) > _NAME:
                why = f"foreign key {draft.shown[:20]!r}... gets too long a name"
                raise Refused(why, draft.span[0], 1059, name=draft.shown)
        _actions(draft, byname, columns, context)
        if draft.standing:
            continue
        # Before MySQL 8.0 and on MariaDB an ALTER TABLE asks InnoDB for the table as it was (asked of three).
        itself = (draft.ref_database or own[0], draft.ref_table) == own
        if itself and (not altered or context.server.has("data-dictionary")):
            parent, theirs = byname, list(keys)
        else:
            found = find(draft.ref_database, draft.ref_table)
            other = _other(found) if found is not None else ""
            if other and checks:
                raise _refused(draft, f"{draft.ref_table!r} is {other}", context, 1824)
            if found is None or other or not found.columns:
                if not draft.ref_columns:
                    raise _refused(draft, "the columns of an unknown table are not written", context, 1215)
                continue
            if found.partitioning and not (checks or context.server.has("data-dictionary")):
                continue
            if found.partitioning:
                raise _refused(draft, f"{draft.ref_table!r} is partitioned", context, 1506)
            parent, theirs = {column.name.casefold(): column for column in found.columns}, list(found.keys)
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


def _other(table: Table) -> str:
    """What a table is that no foreign key may refer to; '' where one may."""
    if table.kind is not TableKind.TABLE:
        return f"a {table.kind.value}"
    return "no InnoDB table" if (table.engine or "InnoDB") != "InnoDB" else ""


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


def _primary(draft: ForeignDraft, keys: Iterable[Key], context: Context) -> list[str]:
    if context.server.mariadb and not draft.inline:
        # The columns of the same names (asked of 10.11 and 11.8).
        return list(draft.columns)
    primary = next((key for key in keys if key.kind is KeyKind.PRIMARY), None)
    named = [part.column for part in primary.parts if part.column] if primary is not None else []
    if not context.server.has("ddl-inline-references") or context.server.mariadb or not named:
        raise _refused(draft, "the referenced columns are not written", context, 1215)
    if len(named) != len(draft.columns):
        raise _refused(draft, "it has other columns than the primary key that it references", context, 1239)
    return named


def _actions(
    draft: ForeignDraft, byname: Mapping[str, Column], columns: Sequence[Column], context: Context
) -> None:
    server = context.server
    if "SET DEFAULT" in (draft.on_delete, draft.on_update) and server.has("set-default-refused"):
        raise Refused("InnoDB has no ON DELETE SET DEFAULT", draft.span[0], 1215)
    for name in draft.columns:
        one = byname.get(name.casefold())
        if one is None:
            continue
        if "SET NULL" in (draft.on_delete, draft.on_update) and not (one.nullable or draft.standing):
            raise _refused(draft, f"column {name!r} is NOT NULL", context, 1830, name=name)
        if one.generated is not None:
            if one.generated == "virtual" and not server.mariadb:
                raise _refused(draft, f"column {name!r} is a virtual column", context, 3733)
            if draft.on_update in _CHANGES or draft.on_delete in _CHANGES[1:]:
                number = 1905 if server.mariadb else 3104
                raise Refused(f"column {name!r} is generated", draft.span[0], number)
        if draft.on_update in _CHANGES or draft.on_delete in _CHANGES[1:]:
            user = next(
                (c for c in columns if c.generated == "stored" and uses(c.expression or "", name)), None
            )
            if user is not None:
                number = 1901 if server.mariadb else 1215
                raise Refused(f"stored column {user.name!r} uses {name!r}", draft.span[0], number)


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
            raise _refused(draft, f"{draft.ref_table}.{other} is a virtual column", context, 3733)
        if stored(mine.type) != stored(parent.type):
            why = f"column {name!r} does not fit {draft.ref_table}.{other}"
            raise _refused(draft, why, context, 3780, name=name, other=other)


def stored(kind: ColumnType) -> tuple[object, ...]:
    """What of a type InnoDB compares between the ends of a foreign key."""
    if kind.is_integer:
        return kind.base, kind.unsigned
    if kind.base in ("enum", "set"):
        return kind.base, len(kind.members) > (255 if kind.base == "enum" else 8)
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
    """Whether a key begins with these columns, whole; `by_name`: whatever kind of key it is, as servers ask
    before an engine does.
    """
    if by_name and len(key.parts) >= len(wanted):
        return [(part.column or "").casefold() for part in key.parts[: len(wanted)]] == wanted
    if key.kind not in ("primary", "unique", "index") or len(key.parts) < len(wanted):
        return False
    return all(
        part.length is None and (part.column or "").casefold() == name
        for part, name in zip(key.parts, wanted, strict=False)
    )
