"""The grammar of ALTER TABLE: its parts in order, as values; `schemacheck.catalog.alter` runs them on a
table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from schemacheck.sql.ddl import key as keys
from schemacheck.sql.ddl import options, partition, partition_change
from schemacheck.sql.ddl.actions import (
    WAYS,
    Action,
    Add,
    AddColumn,
    AlterTable,
    Convert,
    Drop,
    Enforce,
    Options,
    Other,
    PartitionBy,
    Rename,
    RenameColumn,
    RenameKey,
    ReplaceColumn,
    SetColumn,
    ShowKey,
    Versioning,
    online,
)
from schemacheck.sql.ddl.column import column
from schemacheck.sql.ddl.create import table_name
from schemacheck.sql.ddl.draft import ColumnDraft, TableOptions
from schemacheck.sql.ddl.literal import default
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Tokens

#: Parts that do nothing to columns and keys: their first word, and the one behind it ("": none).
_IDLE = {
    "FORCE": "", "DISABLE": "KEYS", "ENABLE": "KEYS", "DISCARD": "TABLESPACE", "IMPORT": "TABLESPACE",
    "WITH": "VALIDATION", "WITHOUT": "VALIDATION",
}  # fmt: skip
_PARTITION_VERBS = frozenset((
    "COALESCE", "TRUNCATE", "REORGANIZE", "EXCHANGE", "ANALYZE", "CHECK", "OPTIMIZE", "REBUILD", "REPAIR",
))  # fmt: skip
#: Table options that may follow another part without a comma.
_OPTIONS = frozenset((
    "DEFAULT", "CHARSET", "CHARACTER", "COLLATE", "ROW_FORMAT", "ENGINE", "INSERT_METHOD", "UNION", "DATA",
    "INDEX", "TABLESPACE", "STORAGE", "COMMENT", "PASSWORD", "CONNECTION", "MAX_ROWS", "MIN_ROWS",
    "AVG_ROW_LENGTH", "AUTO_INCREMENT", "CHECKSUM", "TABLE_CHECKSUM", "DELAY_KEY_WRITE", "KEY_BLOCK_SIZE",
    "PACK_KEYS", "STATS_AUTO_RECALC", "STATS_PERSISTENT", "STATS_SAMPLE_PAGES", "COMPRESSION", "ENCRYPTION",
    "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE", "SECONDARY_ENGINE", "AUTOEXTEND_SIZE",
    "TRANSACTIONAL", "PAGE_CHECKSUM", "ENCRYPTED", "PAGE_COMPRESSED", "ENCRYPTION_KEY_ID",
    "PAGE_COMPRESSION_LEVEL",
))  # fmt: skip


def alter_table(t: Tokens, flavor: Flavor) -> AlterTable:
    """ALTER [ONLINE] [IGNORE] TABLE name parts. Raises Refused."""
    t.need("ALTER")
    ways = online(t, flavor)
    ignore = t.take("IGNORE")
    t.need("TABLE")
    exists = flavor.mariadb and t.take("IF", "EXISTS")
    at, name = t.offset(), table_name(t, flavor)
    if flavor.mariadb and t.take("WAIT"):
        t.integer()
    elif flavor.mariadb:
        t.take("NOWAIT")
    return AlterTable(name, at, exists, ignore, (*_actions(t, flavor), *ways))


def _actions(t: Tokens, flavor: Flavor) -> Iterator[Action]:
    comma = False
    #: Whether parts came that a change of partitions stands behind.
    only_ways, part = True, None
    while comma or not t.end:
        first = t.at
        for part in _part(t, flavor):
            alone = isinstance(part, Other) and part.partitions is not None
            if alone and comma and not (only_ways and flavor.generated and not flavor.mariadb):
                # Nothing else is in this statement but ALGORITHM and LOCK, not even these on MySQL 5.6 and
                # on MariaDB (asked of four servers).
                t.at = first
                raise t.fail()
            only_ways = only_ways and isinstance(part, Other) and part.words[0] in WAYS
            yield part
        if comma := t.take(","):
            continue
        if t.peek() == "PARTITION" and t.peek(1) == "BY":
            yield _partition_by(t, flavor)
            if not t.end:
                raise t.fail()
        elif t.peek() == "REMOVE":
            yield PartitionBy(t.offset(), None)
            t.need("REMOVE", "PARTITIONING")
        elif not t.end and not (isinstance(part, Options) and t.peek() in _OPTIONS):
            # Options alone stand side by side (asked of four servers).
            raise t.fail("a comma is expected")


def _partition_by(t: Tokens, flavor: Flavor) -> PartitionBy:
    at, given = t.offset(), TableOptions()
    given.partitioning = partition.partitioning(t, flavor)
    return PartitionBy(at, given)


def _part(t: Tokens, flavor: Flavor) -> Iterator[Action]:
    word, at = t.peek(), t.offset()
    if t.peek(-1) == "," and (word, t.peek(1)) in (("PARTITION", "BY"), ("REMOVE", "PARTITIONING")):
        # They stand behind the other parts, without a comma (asked of 9.7, 10.11 and 11.8).
        raise t.fail()
    iterator = _PARTS.get(word)
    if iterator is not None:
        t.at += 1
        yield from iterator(t, flavor)
    elif word in WAYS:
        t.at += 1
        t.take("=")
        text = t.take_any(*WAYS[word])
        if text is None:
            raise t.fail()
        yield Other(at, (word, text))
    elif word == "ORDER":
        # It is not followed, whatever columns it names.
        t.need("ORDER", "BY")
        t.at = t.size
        yield Other(at, (word, "BY"))
    elif word in ("DISCARD", "IMPORT") and t.peek(1) == "PARTITION":
        yield partition_change.change(t, flavor)
    elif word in _IDLE:
        yield _idle(t, flavor)
    elif word == "PARTITION" and t.peek(1) == "BY":
        yield _partition_by(t, flavor)
    elif word == "REMOVE" and t.peek(1) == "PARTITIONING":
        t.at += 2
        yield PartitionBy(at, None)
    elif word in _PARTITION_VERBS:
        yield partition_change.change(t, flavor)
    else:
        given = TableOptions()
        if word == "START" or not options.option(t, flavor, given):
            raise t.fail()
        yield Options(t.offset(), given)


def _idle(t: Tokens, flavor: Flavor) -> Other:
    """A part that does nothing to columns and keys. Raises Refused."""
    at, word = t.offset(), t.peek()
    if word.startswith("WITH") and (flavor.mariadb or not flavor.generated):
        raise t.fail()
    t.at += 1
    if _IDLE[word]:
        t.need(_IDLE[word])
    return Other(at, (word, _IDLE[word]))


def _exists(t: Tokens, flavor: Flavor) -> bool:
    return flavor.mariadb and t.take("IF", "EXISTS")


def _position(t: Tokens, draft: ColumnDraft) -> None:
    if t.take("FIRST"):
        draft.position = ""
    elif t.take("AFTER"):
        draft.position = t.name()


def _add(t: Tokens, flavor: Flavor) -> Iterator[Action]:
    at = t.offset()
    if t.peek() == "PARTITION" and (
        not t.is_name(1) or t.peek(1) in ("(", "IF", "PARTITIONS", "LOCAL", "NO_WRITE_TO_BINLOG")
    ):
        t.at -= 1
        yield partition_change.change(t, flavor)
        return
    if flavor.system_versioning and t.peek() == "SYSTEM":
        t.need("SYSTEM", "VERSIONING")
        yield Versioning(at, on=True)
        return
    if flavor.system_versioning and t.peek() == "PERIOD" and t.peek(1) == "FOR":
        t.at = t.size
        yield Other(at, ("ADD", "PERIOD"))
        return
    if keys.starts(t, flavor):
        constraint = keys.constraint(t, flavor)
        if constraint is not None:
            yield Add(at, constraint)
        return
    t.take("COLUMN")
    absent = flavor.mariadb and t.take("IF", "NOT", "EXISTS")
    if t.take("("):
        while True:
            if keys.starts(t, flavor):
                yield from _add(t, flavor)
            else:
                yield AddColumn(at, column(t, flavor), absent)
            if not t.take(","):
                break
        t.need(")")
        return
    draft = column(t, flavor)
    _position(t, draft)
    yield AddColumn(at, draft, absent)


def _modify(t: Tokens, flavor: Flavor) -> Iterator[Action]:
    at = t.offset()
    t.take("COLUMN")
    exists = _exists(t, flavor)
    yield _replaced(t, flavor, at, exists, None)


def _change(t: Tokens, flavor: Flavor) -> Iterator[Action]:
    at = t.offset()
    t.take("COLUMN")
    exists = _exists(t, flavor)
    yield _replaced(t, flavor, at, exists, t.name())


def _replaced(t: Tokens, flavor: Flavor, at: int, exists: bool, old: str | None) -> ReplaceColumn:
    """The new definition of a column; its name is the old one where none is given."""
    draft = column(t, flavor)
    if draft.references or draft.ignored_check:
        raise t.fail()
    _position(t, draft)
    return ReplaceColumn(at, old or draft.name, draft, exists)


def _drop(t: Tokens, flavor: Flavor) -> Iterator[Action]:
    at = t.offset()
    if t.take("PRIMARY", "KEY"):
        yield Drop(at, "INDEX", "PRIMARY")
    elif t.take_any("INDEX", "KEY"):
        exists = _exists(t, flavor)
        yield Drop(at, "INDEX", t.name(), exists)
    elif t.take("FOREIGN", "KEY"):
        exists = _exists(t, flavor)
        yield Drop(at, "FOREIGN KEY", t.name(), exists)
    elif (flavor.enforced or (flavor.mariadb and t.peek() == "CONSTRAINT")) and t.take_any(
        "CONSTRAINT", "CHECK"
    ):
        exists = _exists(t, flavor)
        yield Drop(at, "CONSTRAINT", t.name(), exists)
    elif flavor.system_versioning and t.take("SYSTEM", "VERSIONING"):
        yield Versioning(at, on=False)
    elif t.peek() == "PARTITION" and (t.is_name(1) or t.peek(1) == "IF"):
        t.at -= 1
        yield partition_change.change(t, flavor)
    elif flavor.system_versioning and t.peek() == "PERIOD" and t.peek(1) == "FOR":
        t.at = t.size
        yield Other(at, ("DROP", "PERIOD"))
    else:
        t.take("COLUMN")
        exists = _exists(t, flavor)
        yield Drop(at, "COLUMN", t.name(), exists)
        t.take("RESTRICT") or t.take("CASCADE")


def _alter(t: Tokens, flavor: Flavor) -> Iterator[Action]:
    at = t.offset()
    if t.take_any("INDEX", "KEY"):
        exists = _exists(t, flavor)
        name = t.name()
        yield ShowKey(at, name, _visible(t, flavor), exists)
        return
    if flavor.enforced and t.take_any("CHECK", "CONSTRAINT"):
        name = t.name()
        enforced = not t.take("NOT")
        t.need("ENFORCED")
        yield Enforce(at, name, enforced)
        return
    t.take("COLUMN")
    exists = _exists(t, flavor)
    name = t.name()
    if t.take("SET", "DEFAULT"):
        given = default(t, flavor)
        if given.kind == "now" and not flavor.mariadb:
            raise t.fail()
        yield SetColumn(at, name, given, if_exists=exists)
    elif t.take("DROP", "DEFAULT"):
        yield SetColumn(at, name, if_exists=exists)
    elif flavor.invisible and not flavor.mariadb and t.take("SET"):
        word = t.take_any("VISIBLE", "INVISIBLE")
        if word is None:
            raise t.fail()
        yield SetColumn(at, name, invisible=word == "INVISIBLE", if_exists=exists)
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


def _rename(t: Tokens, flavor: Flavor) -> Iterator[Action]:
    at = t.offset()
    if flavor.rename_column and t.take("COLUMN"):
        exists = _exists(t, flavor)
        old = t.name()
        t.need("TO")
        yield RenameColumn(at, old, t.name(flavor.reserved), exists)
    elif flavor.rename_index and t.take_any("INDEX", "KEY"):
        exists = _exists(t, flavor)
        old = t.name()
        t.need("TO")
        yield RenameKey(at, old, t.name(flavor.reserved), exists)
    else:
        if t.peek() in ("COLUMN", "INDEX", "KEY"):
            raise t.fail()
        t.take("TO") or t.take("AS") or t.take("=")
        yield Rename(at, table_name(t, flavor))


def _convert(t: Tokens, flavor: Flavor) -> Iterator[Action]:
    if t.peek() in ("PARTITION", "TABLE"):
        yield Other(t.offset(), ("CONVERT", t.peek()))
        t.at = t.size
        return
    t.need("TO")
    at = t.offset()
    given = TableOptions()
    if not options.charset(t, flavor, given):
        raise t.fail("CHARACTER SET expected")
    if t.peek() == "COLLATE":
        options.charset(t, flavor, given)
    yield Convert(at, given)


_PARTS: dict[str, Callable[[Tokens, Flavor], Iterator[Action]]] = {
    "ADD": _add, "MODIFY": _modify, "CHANGE": _change, "DROP": _drop, "ALTER": _alter, "RENAME": _rename,
    "CONVERT": _convert,
}  # fmt: skip
