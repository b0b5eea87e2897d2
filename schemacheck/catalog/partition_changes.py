"""ALTER TABLE ... ADD, DROP, REORGANIZE, COALESCE PARTITION: what becomes of a table's partitions."""

from __future__ import annotations

from schemacheck.catalog.altered_columns import Settled
from schemacheck.catalog.context import Context
from schemacheck.dataclass import replace
from schemacheck.model.partitioning import UNKNOWN, default_names
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


def follow(draft: PartitioningDraft, settled: Settled) -> PartitioningDraft:
    """The partitioning behind a change of columns. Raises Refused."""
    changed = [old for old, new in settled.fate.items() if new is None or new.name.casefold() != old]
    used = draft.method.expression.text if draft.method.expression is not None else ""
    names = {name.casefold() for name in draft.method.columns or ()}
    if any(old in names or (used and uses(used, old)) for old in changed):
        raise Refused("a column that the partitioning uses is dropped or renamed: this is not followed", 0)
    return draft


def changed(
    draft: PartitioningDraft | None, verb: str, partition_change: PartitionChange, at: int, server: Server
) -> PartitioningDraft | None:
    """The partitioning behind one part of ALTER TABLE: partitions come, go and are divided."""
    if draft is None and verb in ANSWERS and server.has("data-dictionary"):
        return None
    if draft is None:
        raise Refused("the table is not partitioned", at, 1505)
    parts = draft.parts or [PartitionDraft(name, at) for name in default_names(draft.count or 1)]
    places = {part.name.casefold(): index for index, part in enumerate(parts)}
    named = [name.casefold() for name in partition_change.names or ()]
    there = sorted({places[name] for name in named if name in places})
    wrong = (len(there) < len(named) and verb not in ANSWERS) or (partition_change.quiet and verb != "DROP")
    if verb in _NAMING and not wrong:
        return draft
    if wrong or draft.parts is None or draft.method.word not in ("RANGE", "LIST"):
        raise _unknown(verb, at)
    new = list(partition_change.parts or ())
    if verb == "DROP" and len(there) < len(parts):
        made = [part for index, part in enumerate(parts) if index not in there]
    elif verb == "ADD" and new:
        made = [*parts, *new]
    elif verb == "REORGANIZE" and new and _is_range(draft, there, new):
        made = [*parts[: there[0]], *new, *parts[there[-1] + 1 :]]
    else:
        raise _unknown(verb, at)
    return replace(draft, parts=made, count=None, written=None)


def _unknown(verb: str, at: int) -> Refused:
    return Refused(f"what {verb} PARTITION makes of this table is not known here", at)


def _is_range(draft: PartitioningDraft, places: list[int], new: list[PartitionDraft]) -> bool:
    """Whether new partitions take the range of old ones that follow each other."""
    parts = draft.parts or []
    if not places or draft.method.word != "RANGE":
        return False
    last = places[-1] == len(parts) - 1
    return len(places) == 1 + places[-1] - places[0] and (last or new[-1].values == parts[places[-1]].values)
