"""What a change does to a program that reads the binary log, by how it maps columns.

Such a program sees the row events that a replica sees, but has no definition of its own: it takes values by
their position, by the names in the table map event (binlog_row_metadata = FULL), or by the definition that
the server has at the moment when the event is read. Which product does what is for its own documentation to
say.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator

from schemacheck.dataclass import dataclass
from schemacheck.model import Column, Effect, Link, Table


class Consumer(enum.Enum):
    """How a reader of the log finds out which column a value belongs to."""

    POSITIONAL = "positional"
    BY_NAME = "by-name"
    TODAYS_SCHEMA = "todays-schema"


@dataclass(frozen=True, slots=True)
class Consequence:
    """What one change of a table means to one kind of consumer. `effect`: COMPATIBLE nothing it must be
    prepared for, UNSUPPORTED it must be, DIVERGES it takes values for those of another column or loses a
    column without any error.
    """

    consumer: Consumer
    table: str
    effect: Effect
    text: str

    @property
    def passes(self) -> bool:
        """Whether the consumer goes on as it is."""
        return self.effect <= Effect.COMPATIBLE


def consequences(
    consumer: Consumer, old: Table | None, new: Table | None, link: Link, renames: frozenset[tuple[str, str]]
) -> tuple[Consequence, ...]:
    """What a change from one definition to another means to such a consumer of the source's log.

    `renames` are columns (old name, new name, case folded) that the change renames. Empty where the columns
    stay as they are, and where a table comes or goes whole."""
    if old is None or new is None:
        return ()
    if consumer is Consumer.POSITIONAL:
        found = _positional(old, new)
    elif (
        consumer is Consumer.BY_NAME and link.row_metadata == "FULL" and link.source.has("full-row-metadata")
    ):
        found = _by_name(old, new, renames)
    elif consumer is Consumer.BY_NAME:
        found = iter((
            (Effect.UNKNOWN, (f"binlog_row_metadata = {link.row_metadata} on {link.source}: the log "
                             f"has no column names")),
        ))  # fmt: skip
    else:
        found = _todays_schema(old, new, renames)
    return tuple(Consequence(consumer, new.qualified_name, effect, text) for effect, text in found)


Found = Iterator[tuple[Effect, str]]


def _name(column: Column) -> str:
    return column.name.casefold()


def _retyped(old: Table, new: Table) -> Found:
    """Columns of both definitions whose values are of another type from the change on."""
    for column in old.columns:
        there = new.column(column.name)
        if there is not None and there.type != column.type:
            text = (
                f"{column.name}: values are {there.type.sql()} from the change on, {column.type.sql()} before"
            )
            yield Effect.UNSUPPORTED, text


def _positional(old: Table, new: Table) -> Found:
    yield from _retyped(old, new)
    wanted = [_name(c) for c in old.columns]
    names = set(wanted)
    # A renamed column keeps its place: what counts is which old column a position holds.
    for index, name in enumerate(wanted):
        here = _name(new.columns[index]) if index < len(new.columns) else ""
        if here == name or (here and here not in names and new.column(name) is None):
            continue
        what = f"the value of {new.columns[index].name}" if here else "no value"
        yield (
            Effect.DIVERGES,
            f"position {index + 1}, {old.columns[index].name} so far, has {what} from the change on",
        )
        return
    more = [c.name for c in new.columns[len(wanted) :]]
    if more:
        yield (
            Effect.COMPATIBLE,
            f"rows have more values at their end ({', '.join(more)}), which it does not read",
        )


def _by_name(old: Table, new: Table, renames: frozenset[tuple[str, str]]) -> Found:
    yield from _retyped(old, new)
    new_names = dict(renames)
    for column in old.columns:
        if new.column(column.name) is not None:
            continue
        other = new_names.get(_name(column))
        text = f"values come as {other}" if other else "no values come any more"
        yield Effect.DIVERGES, f"{column.name}: {text} from the change on"
    come = [c.name for c in new.columns if old.column(c.name) is None and _name(c) not in new_names.values()]
    if come:
        yield Effect.COMPATIBLE, f"rows have further columns: {', '.join(come)}"


def _todays_schema(old: Table, new: Table, renames: frozenset[tuple[str, str]]) -> Found:
    """Rows from before the change that are read after it are taken for rows of the new definition."""
    new_names = dict(renames)
    before = [new_names.get(_name(c), _name(c)) for c in old.columns]
    after = [_name(c) for c in new.columns]
    types = [c.type for c in old.columns] == [c.type for c in new.columns[: len(old.columns)]]
    if before == after and types:
        return
    wait = "let it read everything that was written before, then change the table"
    if before == after[: len(before)] and types:
        more = ", ".join(c.name for c in new.columns[len(before) :])
        yield Effect.UNSUPPORTED, f"rows written before the change have no value for {more}: {wait}"
        return
    yield Effect.DIVERGES, f"rows written before the change are read under the new columns: {wait}"
