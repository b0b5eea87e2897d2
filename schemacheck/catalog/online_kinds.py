"""The kinds of change in an ALTER TABLE and the traits of a table on which it depends how a server carries
them out: both as `rules/algorithms.yaml` names them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from schemacheck.catalog import online_types
from schemacheck.catalog.expression_rules import of_session
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.server import STRICT, Server
from schemacheck.model.table import Column, DefaultKind, Key, KeyKind, Table
from schemacheck.sql.ddl import actions as parts
from schemacheck.sql.ddl.draft import CheckDraft, ForeignDraft, KeyDraft, TableOptions

#: A kind that nobody asked.
UNKNOWN = "?"
#: Table options that InnoDB keeps and makes nothing of.
_IDLE = frozenset(
    ("CHECKSUM", "PACK_KEYS", "MAX_ROWS", "MIN_ROWS", "DELAY_KEY_WRITE", "AVG_ROW_LENGTH", "INSERT_METHOD")
)
_STATISTICS = frozenset(("STATS_PERSISTENT", "STATS_SAMPLE_PAGES"))
#: Those that a table may have without anything coming of it for its changes; to set them was not asked.
_APART = frozenset(
    "ENCRYPTED PAGE_COMPRESSED TRANSACTIONAL CONNECTION COMPRESSION ENCRYPTION TABLESPACE AUTOEXTEND_SIZE "  # noqa: SIM905
    "ENGINE_ATTRIBUTE SECONDARY_ENGINE PAGE_CHECKSUM ENCRYPTION_KEY_ID SEQUENCE".split(" ")
) | {"DATA DIRECTORY"}


def traits(table: Table) -> Iterator[str]:
    """What a table has that makes servers do more, as `tables` of `rules/algorithms.yaml` names it."""
    if (table.engine or "InnoDB").upper() != "INNODB":
        yield "engine"
        if table.partitioning:
            yield "partitioned"
        if table.system_versioned:
            yield UNKNOWN
        return
    if any(k.kind is KeyKind.FULLTEXT for k in table.keys):
        yield "fulltext"
    if table.column("FTS_DOC_ID") is not None:
        yield "document-id"
    if any(k.kind is KeyKind.SPATIAL for k in table.keys):
        yield "spatial"
    virtual = {c.name.casefold() for c in table.columns if c.generated == "virtual"}
    if virtual:
        keyed = any((p.column or "").casefold() in virtual for k in table.keys for p in k.parts)
        yield "virtual-keyed" if keyed else "virtual"
    if any(p.column is None for k in table.keys for p in k.parts):
        yield "functional"
    if any(c.generated == "stored" for c in table.columns):
        yield "stored"
    if (table.row_format or "").upper() == "COMPRESSED" or "KEY_BLOCK_SIZE" in _options(table):
        yield "compressed"
    if (table.row_format or "").upper() == "REDUNDANT":
        yield "redundant"
    if table.partitioning:
        yield "partitioned"
    if any(k.kind is KeyKind.UNIQUE and _is_long(k, table) for k in table.keys):
        yield "long-unique"
    bound = {key.on_delete for key in table.foreign_keys} | {key.on_update for key in table.foreign_keys}
    if bound - {"RESTRICT"}:
        yield "cascading"
    if table.foreign_keys or table.incoming:
        yield "references"
    if table.system_versioned:
        yield "versioned"
    if _options(table) - {"COMMENT", "KEY_BLOCK_SIZE", *_IDLE, *_STATISTICS, *_APART}:
        yield "options"


def _options(table: Table) -> set[str]:
    return {name.upper() for name, _ in table.options}


def _is_long(key: Key, table: Table) -> bool:
    """Whether MariaDB keeps a hash of the key's values."""
    columns = [table.column(p.column) for p in key.parts if p.column and p.length is None]
    return any(c is not None and (c.type.is_lob) for c in columns)


def kinds(actions: Sequence[parts.Action], old: Table, new: Table | None, server: Server) -> Iterator[str]:
    """The kinds of change in an ALTER TABLE's parts; `UNKNOWN` for what nobody asked."""
    dropped = {
        action.name.casefold()
        for action in actions
        if isinstance(action, parts.Drop) and action.kind == "INDEX"
    }
    added = [action.draft for action in actions if isinstance(action, parts.Add)]
    keys = [key for key in added if isinstance(key, KeyDraft)]
    # The server looks whether a key that is dropped and added stays what it is.
    again = any((key.name or "").casefold() in dropped and _comes_back(key, old) for key in keys)
    if again or sum(key.kind == "fulltext" for key in keys) > 1:
        yield UNKNOWN
    for action in actions:
        if not (isinstance(action, parts.Other) and action.words[0] in ("ALGORITHM", "LOCK")):
            yield from _kinds(action, old, new, server)


def _comes_back(draft: KeyDraft, old: Table) -> bool:
    """Whether an added key may be the one of its name that goes."""
    columns = [(part.column or "").casefold() for part in draft.parts]
    before = next((key for key in old.keys if key.name.casefold() == (draft.name or "").casefold()), None)
    another = before is not None and columns != [(part.column or "").casefold() for part in before.parts]
    return not (another and draft.kind == "index" and _is_plain(old))


def _is_plain(table: Table) -> bool:
    """Whether a table has nothing special: what was asked of such alone holds of it."""
    return not any(True for _ in traits(table))


def _kinds(action: parts.Action, old: Table, new: Table | None, server: Server) -> Iterator[str]:
    # Without a primary key a unique one may keep the rows in order: what becomes of it was not asked.
    ordered = old.primary_key is not None
    match action:
        case parts.ShowKey():
            yield "ignore-index" if server.mariadb else "show-index"
        case parts.AddColumn():
            yield from _added(action, old, new, server)
        case parts.ReplaceColumn(old=name, draft=draft):
            made = new.column(draft.name) if new else None
            moved = draft.position is not None and not online_types.stays_in_place(old, new, name, draft.name)
            for kind in online_types.replaced(old.column(name), made, moved=moved):
                nulls = kind in ("set-null", "set-not-null") and not ordered
                wide = kind.startswith("widen") and not online_types.stays_short(made, old)
                keyed = (wide or nulls or kind == "recollate") and _keyed(old, name)
                plain = kind != "recollate" or _is_plain(old)
                yield _strictly(kind, server) if plain and not keyed else UNKNOWN
            if made is not None and made.name != name:
                yield _renamed(old, name)
            fresh = draft.checks and not (new and set(new.checks) <= set(old.checks))
            if draft.keys or fresh or (new is not None and _constraints(old) != _constraints(new)):
                yield UNKNOWN
        case parts.RenameColumn(old=name):
            yield _renamed(old, name)
        case parts.SetColumn(invisible=None):
            yield "set-default"
        case parts.SetColumn():
            yield "set-invisible"
        case parts.Add(draft=KeyDraft(kind="primary") as draft):
            unique = any(key.kind is KeyKind.UNIQUE for key in old.keys)
            same = ordered and new is not None and old.primary_key == new.primary_key
            yield UNKNOWN if same or (unique and not ordered) else "add-primary"
            columns = [old.column(p.column or "") for p in draft.parts]
            if any(c is not None and c.nullable for c in columns):
                yield _strictly("set-not-null", server)
        case parts.Add(draft=KeyDraft() as draft):
            kind = _added_key(draft, old)
            yield kind if ordered or kind != "add-unique" else UNKNOWN
        case parts.Drop(kind="INDEX", name=name) if name != "PRIMARY" and _unique(old, name) is not None:
            yield "drop-index" if ordered else UNKNOWN
        case parts.Add(draft=CheckDraft(enforced=enforced)):
            yield "add-check" if enforced else "add-unenforced-check"
        case parts.Add(draft=ForeignDraft()):
            checked = server.setting("foreign_key_checks").upper() not in ("OFF", "0")
            if checked:
                yield "add-foreign-key"
            else:
                yield "add-unchecked-foreign-key" if _is_plain(old) else UNKNOWN
        case parts.Drop(kind="INDEX", name="PRIMARY") if ordered:
            # Together with the key that comes instead it was asked as one.
            again = new is not None and new.primary_key is not None
            unique = any(key.kind is KeyKind.UNIQUE for key in old.keys)
            yield "replace-primary" if again else UNKNOWN if unique else "drop-primary"
        case parts.Drop(kind="COLUMN", name=name):
            yield from _dropped(old, name)
        case parts.Drop(kind="CONSTRAINT" | "CHECK", name=name):
            yield "drop-check" if any(c.name.casefold() == name.casefold() for c in old.checks) else UNKNOWN
        case parts.Drop(kind=kind):
            yield f"drop-{kind.lower().replace(' ', '-')}"
        case parts.RenameKey():
            yield "rename-index"
        case parts.Convert():
            yield _converted(old, new)
        case parts.Options(options=given):
            yield from _option(given, old)
        case parts.Other(words=("FORCE", *_)):
            yield "rebuild-table"
        case parts.Versioning(on=True) if _is_plain(old):
            yield "add-versioning"
        case parts.Rename():
            yield "rename-table"
        case parts.PartitionBy():
            yield "partition"
        case parts.Other(words=("DISABLE" | "ENABLE", "KEYS")):
            yield "keys"
        case _:
            yield UNKNOWN


def _added(action: parts.AddColumn, old: Table, new: Table | None, server: Server) -> Iterator[str]:
    draft = action.draft
    made = new.column(draft.name) if new else None
    if made is None or (action.if_not_exists and old.column(draft.name) is not None):
        yield UNKNOWN
        return
    placed = draft.position is not None
    if made.generated:
        yield f"add-column-{made.generated}{'-placed' if placed and made.generated == 'virtual' else ''}"
    elif made.auto_increment:
        yield "add-column-auto-increment"
    elif (
        made.default
        and made.default.kind is DefaultKind.EXPRESSION
        and not (server.mariadb and _is_constant(made.default.text or "", server))
    ):
        drawn = server.mariadb and not columns_of(made.default.text or "", server.sql_mode)
        yield UNKNOWN if drawn else "add-column-expression"
    elif unfilled(made):
        yield "add-column-unfilled"
    else:
        yield "add-column-placed" if placed else "add-column"
    for key in draft.keys:
        yield "add-primary" if key == "primary" else "add-unique"
    if new is not None and not server.mariadb and len(new.checks) > len(old.checks):
        yield "add-check"
    if draft.references and new is not None and len(new.foreign_keys) > len(old.foreign_keys):
        yield "add-foreign-key"


def _is_constant(text: str, server: Server) -> bool:
    """Whether a default has one value for all rows, which MariaDB does not write into them."""
    return not columns_of(text, server.sql_mode) and not of_session(text)


def unfilled(column: Column) -> bool:
    """Whether some server refuses to fill in a new column for the rows that are there."""
    bare = not column.nullable and column.default is None and column.generated is None
    return bare and (column.type.is_calendar or column.type.is_geometry)


def _added_key(draft: KeyDraft, old: Table) -> str:
    if any(p.expression is not None for p in draft.parts):
        return "add-functional-index"
    whole = [old.column(p.column or "") for p in draft.parts if p.length is None]
    if draft.kind == "unique" and any(c is not None and (c.type.is_lob or c.type.is_geometry) for c in whole):
        return "add-long-unique"
    return f"add-{draft.kind}"


def _dropped(old: Table, name: str) -> Iterator[str]:
    column = old.column(name)
    if column is None:
        yield UNKNOWN
        return
    keyed = "keyed-" if _keyed(old, name) else ""
    yield f"drop-{keyed}{'virtual-' if column.generated == 'virtual' else ''}column"
    unique = [key for key in old.keys if key.unique and _has(key, name)]
    if any(key is old.primary_key or old.primary_key is None for key in unique):
        yield UNKNOWN
    if keyed and any(_has(key, name) and len(key.parts) > 1 for key in old.keys):
        yield "add-index"


def _constraints(table: Table) -> tuple[int, int]:
    return len(table.checks), len(table.foreign_keys)


def _keyed(table: Table, column: str) -> bool:
    return any(_has(key, column) for key in table.keys)


def _renamed(table: Table, column: str) -> str:
    """The rename of a column: of a foreign key, one that another refers to, or none of both."""
    bound = chain.from_iterable(key.columns for key in table.foreign_keys)
    referenced = chain.from_iterable(key.ref_columns for key in table.incoming)
    if column.casefold() in map(str.casefold, referenced):
        return "rename-referenced-column"
    return "rename-bound-column" if column.casefold() in map(str.casefold, bound) else "rename-column"


def _has(key: Key, column: str) -> bool:
    folded = column.casefold()
    return any(p.column is not None and p.column.casefold() == folded for p in key.parts)


def _unique(table: Table, name: str) -> Key | None:
    result = (k for k in table.keys if k.kind is KeyKind.UNIQUE and k.name.casefold() == name.casefold())
    return next(result, None)


def _strictly(kind: str, server: Server) -> str:
    """NULL is no value to refuse without strict mode: the rows are copied then."""
    loose = STRICT.isdisjoint(server.sql_mode)
    return "set-not-null-loosely" if kind == "set-not-null" and loose else kind


def _converted(old: Table, new: Table | None) -> str:
    """What CONVERT TO CHARACTER SET does to the columns that stay."""
    pairs = [(c.type, there.type) for c in old.columns if new and (there := new.column(c.name)) is not None]
    changed = [(here, there) for here, there in pairs if here != there]
    plain = all(here.charset != there.charset and not here.members for here, there in changed)
    return "convert-charset" if changed and plain else UNKNOWN


def _option(given: TableOptions, old: Table) -> Iterator[str]:
    named = {name.upper() for name in (*given.written, *given.others)}
    begun = any((given.engine, given.charset, given.collation, given.row_format, named))
    if given.engine is not None:
        same = given.engine.upper() == (old.engine or "").upper()
        yield "rebuild-table" if same else "change-engine"
    names = {"COMMENT", "AUTO_INCREMENT", *_IDLE, *_STATISTICS}
    other = named - names - ({"KEY_BLOCK_SIZE"} - _options(old))
    if given.system_versioned or given.engine_options or other or not begun:
        yield UNKNOWN
    if given.charset is not None or given.collation is not None:
        yield "table-charset"
    if given.row_format is not None:
        yield "row-format"
    for name in sorted(named):
        if name in _STATISTICS:
            yield "statistics"
        elif name == "KEY_BLOCK_SIZE" and name not in _options(old):
            yield "row-format"
        elif name in names:
            yield {"COMMENT": "table-comment", "AUTO_INCREMENT": "next-value"}.get(name, "idle-option")
