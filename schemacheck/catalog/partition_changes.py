"""ALTER TABLE ... ADD, DROP, REORGANIZE, COALESCE PARTITION: what becomes of a table's partitions."""

from __future__ import annotations

from schemacheck.catalog.altered_columns import Settled
from schemacheck.catalog.context import Context
from schemacheck.dataclass import replace
from schemacheck.model.partitioning import UNKNOWN, default_names, default_subs
from schemacheck.model.server import Server
from schemacheck.model.table import Table
from schemacheck.sql.ddl.actions import ANSWERS, PartitionChange
from schemacheck.sql.ddl.draft import PartitionDraft, PartitioningDraft
from schemacheck.sql.ddl.partition import reread
from schemacheck.sql.expression_words import uses
from schemacheck.sql.lexer import Refused

#: What leaves all partitions as they are.
_NAMING = frozenset(("TRUNCATE", "REBUILD", "OPTIMIZE", "ANALYZE", "CHECK", "REPAIR", "DISCARD", "IMPORT"))


def draft_of(table: Table, context: Context) -> PartitioningDraft | None:
    """The partitioning of a finished table as a draft."""
    if table.partitioning is None or table.partitioning == UNKNOWN:
        return None
    return replace(reread(table.partitioning, context.flavor), written=table.partition_sql)


def follow(draft: PartitioningDraft, settled: Settled, context: Context) -> PartitioningDraft:
    """The partitioning behind a change of columns: MySQL 8 refuses to rename and to drop one that it uses,
    before it the function is read again (asked of four servers), MariaDB puts the new name into it. Raises
    Refused.
    """
    changed = [old for old, new in settled.fate.items() if new is None or new.name.casefold() != old]
    used = [
        (old, method)
        for method in (draft.method, draft.sub)
        for old in changed
        if method is not None
        and (
            old in {name.casefold() for name in method.columns}
            if method.columns is not None
            else method.expression is not None and uses(method.expression.text, old)
        )
    ]
    server = context.server
    for old, _ in used:
        if server.has("data-dictionary"):
            why = f"column {old!r} is used by the partitioning"
            raise Refused(why, 0, 3855, name=old)
    if server.mariadb and used:
        why = "what becomes of the partitioning with another name of its column is not known"
        raise Refused(why, 0)
    return draft


def changed(
    draft: PartitioningDraft | None, verb: str, said: PartitionChange, at: int, server: Server
) -> PartitioningDraft | None:
    """The partitioning behind one part of ALTER TABLE. Raises Refused."""
    if draft is None and verb in ANSWERS and server.has("data-dictionary"):
        return None
    if draft is None:
        raise Refused("the table is not partitioned", at, 1505)
    parts = _written(draft)
    hashed = draft.method.word in ("HASH", "KEY")
    taken = {part.name.casefold() for part in parts}
    if verb == "EXCHANGE":
        raise Refused("whether the table fits the partition that it is exchanged with is not known", at)
    if said.names is not None:
        missing = [name for name in said.names if name.casefold() not in taken]
        if missing and not said.quiet and verb not in ANSWERS:
            number = 1735 if verb == "TRUNCATE" else 1507
            why = f"partition {missing[0]!r} does not exist"
            raise Refused(why, at, number, name=missing[0], kind=verb)
    named = {name.casefold() for name in said.names or ()}
    if verb in ("DROP", "REORGANIZE") and len(named) < len(said.names or ()) and not said.quiet:
        raise Refused("a partition is named twice", at, 1507)
    if verb in _NAMING:
        return draft
    if verb == "DROP":
        if hashed:
            raise Refused("only RANGE and LIST partitions are dropped", at, 1512)
        left = [part for part in parts if part.name.casefold() not in named]
        if not left:
            raise Refused("all partitions would be dropped", at, 1508)
        return _with(draft, left)
    if verb == "COALESCE":
        if not hashed:
            raise Refused("only HASH and KEY partitions are coalesced", at, 1509)
        if not said.count:
            raise Refused("at least one partition is coalesced", at, 1515)
        if said.count >= len(parts):
            raise Refused("all partitions would be dropped", at, 1508)
        return _with(draft, parts[: -said.count])
    if verb == "ADD":
        new = _divided(draft, parts, _added(draft, parts, said, at), at)
        return _with(draft, [*parts, *new])
    if said.names is None:
        if not hashed:
            raise Refused("REORGANIZE PARTITION without names is for HASH and KEY", at, 1511)
        written = (draft.written or "PARTITIONS").upper().replace("(PARTITION ", "PARTITIONS")
        if len(parts) == 1 and "PARTITIONS" not in written:
            # Neither a number nor partitions were written (asked of four servers).
            raise Refused("the partitions have no number: there is nothing to reorganize", at, 1511)
        # The engine's own number of partitions, which is one (asked of four servers).
        return _with(draft, parts[:1])
    new = _divided(draft, parts, list(said.parts or ()), at)
    return _with(draft, _reorganized(draft, parts, named, new, at))


def _divided(
    draft: PartitioningDraft, parts: list[PartitionDraft], new: list[PartitionDraft], at: int
) -> list[PartitionDraft]:
    """New partitions with as many subpartitions as the table's have, where none are written."""
    for part in new:
        if part.subs is None and draft.sub is not None:
            names = default_subs(part.name, len(parts[0].subs or ()))
            part.subs = [PartitionDraft(name, at) for name in names]
    return new


def _with(draft: PartitioningDraft, parts: list[PartitionDraft]) -> PartitioningDraft:
    return replace(draft, parts=parts, count=None, sub_count=None, written=None)


def _written(draft: PartitioningDraft) -> list[PartitionDraft]:
    """The partitions, those that no text names too."""
    parts = draft.parts
    if parts is None:
        parts = [PartitionDraft(name, draft.at) for name in default_names(draft.count or 1)]
    if draft.sub is not None:
        for part in parts:
            if part.subs is None:
                names = [f"{part.name}sp{number}" for number in range(draft.sub_count or 1)]
                part.subs = [PartitionDraft(name, draft.at) for name in names]
    return parts


def _added(
    draft: PartitioningDraft, parts: list[PartitionDraft], said: PartitionChange, at: int
) -> list[PartitionDraft]:
    hashed = draft.method.word in ("HASH", "KEY")
    taken = {part.name.casefold() for part in parts}
    if said.parts is None:
        if not hashed:
            raise Refused(f"{draft.method.word} partitions must be written", at, 1492)
        if not said.count:
            raise Refused("at least one partition is added", at, 1514)
        found: list[PartitionDraft] = []
        number = len(parts)
        while len(found) < said.count:
            if f"p{number}" not in taken:
                found.append(PartitionDraft(f"p{number}", at))
            number += 1
        return found
    if any(part.values == [["MAXVALUE"]] for part in parts) and draft.method.word == "RANGE":
        raise Refused("only the last partition has MAXVALUE", at, 1481)
    if said.quiet:
        return [part for part in said.parts if part.name.casefold() not in taken]
    if any(part.subs is not None for part in said.parts) and draft.sub is None:
        raise Refused("subpartitions without SUBPARTITION BY", at, 1485)
    return list(said.parts)


def _reorganized(
    draft: PartitioningDraft, parts: list[PartitionDraft], named: set[str], new: list[PartitionDraft], at: int
) -> list[PartitionDraft]:
    """The named partitions, which follow each other, replaced by new ones of the same range."""
    word = draft.method.word
    places = [index for index, part in enumerate(parts) if part.name.casefold() in named]
    if word in ("HASH", "KEY"):
        if len(new) != len(places):
            raise Refused("HASH and KEY partitions keep their number", at, 1510)
        return [*parts[: places[0]], *new, *parts[places[-1] + 1 :]]
    if word == "RANGE":
        if places != list(range(places[0], places[-1] + 1)):
            raise Refused("the partitions do not follow each other", at, 1519)
        if places[-1] < len(parts) - 1 and new and new[-1].values != parts[places[-1]].values:
            raise Refused("the new partitions have another range than the old ones", at, 1520)
    return [*parts[: places[0]], *new, *parts[places[-1] + 1 :]]
