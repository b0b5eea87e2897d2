"""How a table is partitioned, in one spelling whoever wrote it: DDL, SHOW CREATE TABLE, information_schema.

Options of partitions that leave rows where they are (COMMENT, MAX_ROWS, the engine, directories, the
algorithm of
KEY) are no part of it.
"""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.model.quote import quoted

#: The partitioning of a table that is partitioned in a way that the input does not tell.
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Method:
    """HASH, KEY, RANGE or LIST over an expression or columns."""

    word: str
    linear: bool = False
    expression: str | None = None
    columns: tuple[str, ...] | None = None

    @property
    def sql(self) -> str:
        """As SQL."""
        head = ("LINEAR " if self.linear else "") + self.word
        if self.columns is None:
            return f"{head} ({self.expression})"
        names = ", ".join(map(quoted, self.columns))
        return f"{head} ({names})" if self.word == "KEY" else f"{head} COLUMNS ({names})"


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition: its name, and what `bound` says of `values` ('LESS THAN', 'IN', 'DEFAULT', '')."""

    name: str
    bound: str = ""
    values: tuple[tuple[str, ...], ...] = ()

    def sql(self, *, columns: bool) -> str:
        """As SQL; `columns` where it is one of RANGE COLUMNS or LIST COLUMNS."""
        out = f"PARTITION {quoted(self.name)}"
        if self.bound == "LESS THAN":
            row = ", ".join(self.values[0])
            out += " VALUES LESS THAN " + (row if row == "MAXVALUE" and not columns else f"({row})")
        elif self.bound == "IN":
            wide = any(len(row) > 1 for row in self.values)
            rows = ", ".join(f"({', '.join(row)})" if wide else row[0] for row in self.values)
            out += f" VALUES IN ({rows})"
        elif self.bound:
            out += f" {self.bound}"
        return out


@dataclass(frozen=True, slots=True)
class Partitioning:
    """A table's partitioning."""

    method: Method
    parts: tuple[Partition, ...]

    @property
    def sql(self) -> str:
        """What stands behind PARTITION BY."""
        out = self.method.sql
        if self.method.word in ("HASH", "KEY") and [p.name for p in self.parts] == default_names(
            len(self.parts)
        ):
            return f"{out} PARTITIONS {len(self.parts)}"
        columns = self.method.columns is not None
        listed = ", ".join(part.sql(columns=columns) for part in self.parts)
        return f"{out} ({listed})" if listed else out


def default_names(count: int) -> list[str]:
    """The names that servers give."""
    return [f"p{number}" for number in range(count)]
