"""ALTER TABLE: the grammar of its parts, each with what it does to a table's draft."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from schemacheck.catalog.change import Changed, convert
from schemacheck.catalog.context import Context
from schemacheck.catalog.defaults import canonical
from schemacheck.model.table import Default, DefaultKind
from schemacheck.sql.ddl import key as keys
from schemacheck.sql.ddl import options
from schemacheck.sql.ddl.column import column, definition
from schemacheck.sql.ddl.create import table_name
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, ForeignDraft, KeyDraft, TableOptions
from schemacheck.sql.ddl.literal import default
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Refused, Tokens

#: Words after which everything to the next comma (or the end) does nothing to columns and keys.
_IDLE = frozenset(
    (
        "ALGORITHM",
        "LOCK",
        "FORCE",
        "DISABLE",
        "ENABLE",
        "ORDER",
        "DISCARD",
        "IMPORT",
        "WITH",
        "WITHOUT",
        "SECONDARY_LOAD",
        "SECONDARY_UNLOAD",
        "WAIT",
        "NOWAIT",
    )
)
_PARTITION_VERBS = frozenset(
    (
        "PARTITION",
        "COALESCE",
        "TRUNCATE",
        "REORGANIZE",
        "EXCHANGE",
        "ANALYZE",
        "CHECK",
        "OPTIMIZE",
        "REBUILD",
        "REPAIR",
        "REMOVE",
    )
)


@dataclass(slots=True)
class Alter:
    """Which table, and what happens to it."""

    database: str | None
    name: str
    name_at: int
    if_exists: bool = False


def head(t: Tokens, flavor: Flavor) -> Alter:
    """ALTER [ONLINE] [IGNORE] TABLE name."""
    t.need("ALTER")
    t.take("ONLINE") or t.take("OFFLINE")
    t.take("IGNORE")
    t.need("TABLE")
    exists = flavor.mariadb and t.take("IF", "EXISTS")
    at = t.offset()
    database, name = table_name(t, flavor)
    if t.take("WAIT"):
        t.integer()
    t.take("NOWAIT")
    return Alter(database, name, at, exists)


def run(t: Tokens, context: Context, changed: Changed) -> None:
    """All parts of the statement, in order. Raises Refused."""
    while not t.end:
        _part(t, context, changed)
        if t.end or t.peek() == "PARTITION":
            if t.peek() == "PARTITION":
                options.partitions(t, context.flavor, changed.options)
                if not t.end:
                    raise t.fail()
            return
        if not t.take(","):
            # Table options may follow each other without a comma.
            if t.peek() in (
                "ENGINE",
                "DEFAULT",
                "CHARSET",
                "CHARACTER",
                "COLLATE",
                "COMMENT",
                "AUTO_INCREMENT",
                "ROW_FORMAT",
            ):
                continue
            raise t.fail("a comma is expected")


def _part(t: Tokens, context: Context, changed: Changed) -> None:
    flavor = context.flavor
    word = t.peek()
    action = _PARTS.get(word)
    if action is not None:
        t.at += 1
        action(t, context, changed)
    elif word in _IDLE:
        if word in ("WITHOUT", "WITH") and t.peek(1) == "SYSTEM":
            raise t.fail("only ADD and DROP SYSTEM VERSIONING are understood")
        _skip(t)
    elif word == "PARTITION" and t.peek(1) == "BY":
        options.partitions(t, flavor, changed.options)
    elif word == "REMOVE" and t.peek(1) == "PARTITIONING":
        t.at += 2
        changed.unpartitioned = True
    elif word in _PARTITION_VERBS:
        t.at = t.size
    else:
        given = TableOptions()
        if not options.option(t, flavor, given):
            raise t.fail()
        changed.set_options(given, t.offset())


def _skip(t: Tokens) -> None:
    depth = 0
    while not t.end and not (t.peek() == "," and depth == 0):
        depth += (t.peek() == "(") - (t.peek() == ")")
        t.at += 1


def _exists(t: Tokens, flavor: Flavor) -> bool:
    """MariaDB's IF EXISTS."""
    return flavor.mariadb and t.take("IF", "EXISTS")


def _position(t: Tokens, draft: ColumnDraft) -> None:
    if t.take("FIRST"):
        draft.position = ""
    elif t.take("AFTER"):
        draft.position = t.name()


def _add(t: Tokens, context: Context, changed: Changed) -> None:
    flavor = context.flavor
    if t.peek() == "PARTITION" and not t.is_name(1):
        t.at = t.size
        return
    if t.peek() == "PARTITION" and t.peek(1) in ("(", "IF", "PARTITIONS", "LOCAL", "NO_WRITE_TO_BINLOG"):
        t.at = t.size
        return
    if flavor.system_versioning and t.take("SYSTEM", "VERSIONING"):
        changed.version(on=True)
        return
    if t.peek() == "PERIOD" and t.peek(1) == "FOR":
        _skip(t)
        return
    if keys.starts(t, flavor):
        found = keys.constraint(t, flavor)
        if isinstance(found, KeyDraft):
            changed.add_key(found)
        elif isinstance(found, CheckDraft):
            changed.checks.append(found)
        elif isinstance(found, ForeignDraft):
            changed.foreign_keys.append(found)
        return
    t.take("COLUMN")
    absent = flavor.mariadb and t.take("IF", "NOT", "EXISTS")
    if t.take("("):
        while True:
            if keys.starts(t, flavor):
                _add(t, context, changed)
            else:
                changed.add_column(column(t, flavor), if_not_exists=absent)
            if not t.take(","):
                break
        t.need(")")
        return
    draft = column(t, flavor)
    _position(t, draft)
    changed.add_column(draft, if_not_exists=absent)


def _modify(t: Tokens, context: Context, changed: Changed) -> None:
    t.take("COLUMN")
    exists = _exists(t, context.flavor)
    draft = column(t, context.flavor)
    _position(t, draft)
    changed.replace_column(draft.name, draft, if_exists=exists)


def _change(t: Tokens, context: Context, changed: Changed) -> None:
    t.take("COLUMN")
    exists = _exists(t, context.flavor)
    old = t.name()
    first = t.at
    draft = ColumnDraft(t.name(context.flavor.reserved))
    definition(t, context.flavor, draft)
    draft.span = (t.offset(first), t.last_end())
    _position(t, draft)
    changed.replace_column(old, draft, if_exists=exists)


def _drop(t: Tokens, context: Context, changed: Changed) -> None:
    flavor = context.flavor
    at = t.offset()
    if t.take("PRIMARY", "KEY"):
        changed.drop_key("PRIMARY", at)
    elif t.take_any("INDEX", "KEY"):
        exists = _exists(t, flavor)
        changed.drop_key(t.name(), at, if_exists=exists)
    elif t.take("FOREIGN", "KEY"):
        exists = _exists(t, flavor)
        changed.drop_foreign_key(t.name(), at, if_exists=exists)
    elif (flavor.enforced or (flavor.mariadb and t.peek() == "CONSTRAINT")) and t.take_any(
        "CONSTRAINT", "CHECK"
    ):
        exists = _exists(t, flavor)
        changed.drop_constraint(t.name(), at, if_exists=exists)
    elif flavor.system_versioning and t.take("SYSTEM", "VERSIONING"):
        changed.version(on=False)
    elif t.peek() == "PARTITION":
        t.at = t.size
    elif t.peek() == "PERIOD" and t.peek(1) == "FOR":
        _skip(t)
    else:
        t.take("COLUMN")
        exists = _exists(t, flavor)
        changed.drop_column(t.name(), at, if_exists=exists)
        t.take("RESTRICT") or t.take("CASCADE")


def _alter(t: Tokens, context: Context, changed: Changed) -> None:
    at = t.offset()
    if t.take_any("INDEX", "KEY"):
        exists = _exists(t, context.flavor)
        name = t.name()
        visible = _visible(t, context.flavor)
        changed.show_key(name, at, visible=visible, if_exists=exists)
        return
    if context.flavor.enforced and t.take_any("CHECK", "CONSTRAINT"):
        name = t.name()
        enforced = not t.take("NOT")
        t.need("ENFORCED")
        changed.enforce(name, at, enforced=enforced)
        return
    t.take("COLUMN")
    exists = _exists(t, context.flavor)
    name = t.name()
    found = changed.find(name)
    if found is None:
        if exists:
            _skip(t)
            return
        raise Refused(f"column {name!r} does not exist", at, "SC002", 1054)
    if t.take("SET", "DEFAULT"):
        written = default(t, context.flavor)
        draft = ColumnDraft(
            found.name, found.type.text or found.type.sql(), None if found.nullable else False, written
        )
        changed.put(replace(found, default=canonical(draft, found.type, context)))
    elif t.take("DROP", "DEFAULT"):
        changed.put(replace(found, default=Default(DefaultKind.NULL) if found.nullable else None))
    elif context.flavor.invisible and not context.flavor.mariadb and t.take("SET"):
        if t.take_any("VISIBLE", "INVISIBLE") is None:
            raise t.fail()
        changed.put(replace(found, invisible=t.words[t.at - 1] == "INVISIBLE"))
    else:
        raise t.fail()


def _visible(t: Tokens, flavor: Flavor) -> bool:
    if flavor.invisible_index and (word := t.take_any("VISIBLE", "INVISIBLE")):
        return word == "VISIBLE"
    if flavor.ignored_index:
        if t.take("NOT", "IGNORED"):
            return True
        t.need("IGNORED")
        return False
    raise t.fail()


def _rename(t: Tokens, context: Context, changed: Changed) -> None:
    at = t.offset()
    flavor = context.flavor
    if flavor.rename_column and t.take("COLUMN"):
        exists = _exists(t, flavor)
        old = t.name()
        t.need("TO")
        changed.rename_column(old, t.name(flavor.reserved), at, if_exists=exists)
    elif flavor.rename_index and t.take_any("INDEX", "KEY"):
        exists = _exists(t, flavor)
        old = t.name()
        t.need("TO")
        changed.rename_key(old, t.name(flavor.reserved), at, if_exists=exists)
    else:
        if t.peek() in ("COLUMN", "INDEX", "KEY"):
            raise t.fail()
        t.take("TO") or t.take("AS") or t.take("=")
        changed.renamed = table_name(t, flavor)


def _convert(t: Tokens, context: Context, changed: Changed) -> None:
    t.need("TO")
    at = t.offset()
    given = TableOptions()
    if not options.charset(t, context.flavor, given):
        raise t.fail("CHARACTER SET expected")
    if t.peek() == "COLLATE":
        options.charset(t, context.flavor, given)
    if given.charset == "":
        given.charset = context.charset
    convert(changed, given, context, at)


_PARTS: dict[str, Callable[[Tokens, Context, Changed], None]] = {
    "ADD": _add, "MODIFY": _modify, "CHANGE": _change, "DROP": _drop, "ALTER": _alter, "RENAME": _rename, "CONVERT": _convert,
}  # fmt: skip
