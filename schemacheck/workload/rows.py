"""What a workload's own literals tell about rows: keys that only one end has, and what becomes of them."""

from __future__ import annotations

import re

from schemacheck.dataclass import dataclass, field

_INSERT = re.compile(
    r"(?:INSERT|REPLACE)\s+(?:IGNORE\s+|DELAYED\s+|LOW_PRIORITY\s+)*(?:INTO\s+)?([\w.`]+)\s*(\([^)]*\)\s*)?VALUES\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_FIRST = re.compile(r"\(\s*(\d+)\s*[,)]")
_WHERE = re.compile(r"\bWHERE\s+`?id`?\s*=\s*(\d+)\s*$", re.IGNORECASE)


@dataclass(slots=True)
class Rows:
    """Keys by table: `absent` are rows that the replica lacks, `extra` those that only it has, `stale` those
    with old values.
    """

    absent: dict[str, set[int]] = field(default_factory=dict)
    extra: dict[str, set[int]] = field(default_factory=dict)
    stale: dict[str, set[int]] = field(default_factory=dict)

    @property
    def differ(self) -> bool:
        """Whether any row is different at the end."""
        return any(any(keys.values()) for keys in (self.absent, self.extra, self.stale))


def inserted(text: str) -> tuple[str, set[int]] | None:
    """(table, keys) of an INSERT with literal keys in its first column; None for anything else."""
    found = _INSERT.match(text.strip())
    if found is None:
        return None
    keys = {int(number) for number in _FIRST.findall(found.group(3))}
    return bare(found.group(1)), keys


def touched(text: str) -> int | None:
    """The key of `WHERE id = N`; None: other rows too."""
    found = _WHERE.search(text.strip().rstrip(";"))
    return int(found.group(1)) if found else None


def bare(name: str) -> str:
    """A table's name without database and quotes."""
    return name.replace("`", "").rsplit(".", 1)[-1]
