"""Where a definition is: a file, line and column, or an instance and an ordinal."""

from __future__ import annotations

from schemacheck.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Location:
    """A place a person can go to.

    `file` is a path, `-` for standard input or an instance name (`db1:3306`); `line` and `column`
    count from 1, in characters; `ordinal` is the ordinal position of a column that came from
    information_schema; `end_column` is exclusive.
    """

    file: str
    line: int | None = None
    column: int | None = None
    ordinal: int | None = None
    end_column: int | None = None

    def __str__(self) -> str:
        parts = [self.file]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        elif self.ordinal is not None:
            parts.append(f"#{self.ordinal}")
        return ":".join(parts)
