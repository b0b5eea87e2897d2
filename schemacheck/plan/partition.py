"""Partitions of a table: what a change of them is, as a statement of its own."""

from __future__ import annotations

import re

from schemacheck.dataclass import dataclass, replace
from schemacheck.model import Table, comma_list
from schemacheck.model.definition_sql import table_name
from schemacheck.model.quote import quoted
from schemacheck.plan.fits import counting

_HEAD = re.compile(
    r"""(?P<head>(?:[^()'"`]|'(?:[^'\\]|''|\\.)*'|`[^`]*`|\((?:[^()]|\([^()]*\))*\))*?)"""
    r"(?:\bPARTITIONS\s+(?P<number>\d+)\s*)?(?P<list>\(\s*PARTITION\b.*\))?\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
_NAME = re.compile(r"PARTITION\s+(?:`(?P<quoted>(?:[^`]|``)+)`|(?P<plain>[^\s`(]+))", re.IGNORECASE)
_LESS = re.compile(r"VALUES\s+LESS\s+THAN\s*(.*?)\s*(?:ENGINE\b|COMMENT\b|MAX_ROWS\b|MIN_ROWS\b|\Z)",
                   re.IGNORECASE | re.DOTALL)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition: its name, and the whole definition as it is written."""

    name: str
    sql: str

    @property
    def bound(self) -> str:
        """What stands behind VALUES LESS THAN, in one spelling; '' for others than RANGE."""
        found = _LESS.search(self.sql)
        return "".join(found.group(1).split()).upper() if found else ""

    @property
    def meaning(self) -> str:
        """The definition in one spelling."""
        return " ".join(re.sub(r"\bENGINE\s*=\s*\w+", "", self.sql).replace("`", "").split()).casefold()


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a table is cut: `head` is everything before the list (`RANGE (id)`), `number` that of PARTITIONS n
    where there is no list.
    """

    head: str
    number: int | None
    parts: tuple[Partition, ...]

    @property
    def by_range(self) -> bool:
        """Whether it is cut by RANGE."""
        return self.head.upper().startswith("RANGE")

    @property
    def listed(self) -> bool:
        """Whether it is cut by RANGE or LIST, where each partition is named."""
        return self.head.upper().startswith(("RANGE", "LIST"))

    @property
    def plain_hash(self) -> bool:
        """Whether it is cut by HASH or KEY into a number of partitions without names."""
        return self.head.upper().startswith(("HASH", "KEY", "LINEAR")) and not self.parts

    @property
    def method(self) -> str:
        """The head in one spelling."""
        return "".join(self.head.replace("`", "").split()).casefold()


def scheme(table: Table) -> Scheme | None:
    """What stands behind PARTITION BY, cut into its parts; None where it is not understood."""
    found = _HEAD.fullmatch(table.partition_sql or "")
    if found is None:
        return None
    parts: list[Partition] = []
    for text in comma_list.items((found["list"] or "()").strip()[1:-1]):
        name = _NAME.match(text)
        if name is None:
            return None
        plain = (name["quoted"] or "").replace("``", "`") or name["plain"]
        parts.append(Partition(plain, text))
    number = int(found["number"]) if found["number"] else None
    return Scheme(found["head"].strip(), number, tuple(parts))


def same(old: Table, new: Table) -> bool:
    """Whether both are cut alike."""
    if old.partitioning == new.partitioning:
        return True
    here, there = scheme(old), scheme(new)
    return bool(
        old.partitioning
        and new.partitioning
        and here
        and there
        and (here.method, here.number, [p.meaning for p in here.parts])
        == (there.method, there.number, [p.meaning for p in there.parts])
    )


_MOVES = "changes partitions: a row for which one end has no partition stops the applier (1526)"


def change(old: Table, new: Table) -> tuple[str, str]:
    """The statement that cuts `old` as `new` is cut, and why each server has to run it at the same point of
    the log; '' where that is asked of the definitions.

    The columns are the same on both. Where partitions only come, go, or are cut anew within their bounds the
    statement says so; everything else is a PARTITION BY, which copies every row.
    """
    alter = f"ALTER TABLE {table_name(old)} "
    if not new.partitioning:
        return alter + "REMOVE PARTITIONING", ""
    whole = f"{alter}PARTITION BY {new.partition_sql}"
    here, there = scheme(old) if old.partitioning else None, scheme(new)
    if here is None or there is None or here.method != there.method:
        return whole, ""
    if here.plain_hash and there.plain_hash:
        more = (there.number or 1) - (here.number or 1)
        how = f"ADD PARTITION PARTITIONS {more}" if more > 0 else f"COALESCE PARTITION {-more}"
        return alter + how, _MOVES
    if not (here.listed and there.listed) or "SUBPARTITION" in here.head.upper():
        return whole, ""
    found = _by_range(here, there) if here.by_range else _by_list(here, there)
    if found is None:
        return whole, ""
    sql, gone = found
    names = ", ".join(map(quoted, gone))
    counts = counting(f"{table_name(old)} PARTITION ({names})")
    discards = f"DROP PARTITION discards every row of {names}; {counts} counts them"
    return alter + sql, discards if gone else _MOVES


def _by_range(here: Scheme, there: Scheme) -> tuple[str, tuple[str, ...]] | None:
    """What changes of RANGE partitions, and the names of those whose rows go; None where only a PARTITION BY
    does it.
    """
    first, last = _common(here.parts, there.parts)
    gone, come = here.parts[first : len(here.parts) - last], there.parts[first : len(there.parts) - last]
    if not gone and last == 0:
        return f"ADD PARTITION ({', '.join(p.sql for p in come)})", ()
    if not come and last == 0:
        names = tuple(p.name for p in gone)
        return f"DROP PARTITION {', '.join(map(quoted, names))}", names
    if not gone or not come:
        # The partition behind takes the rows, or gives them.
        gone = here.parts[first : len(here.parts) - last + 1]
        come = there.parts[first : len(there.parts) - last + 1]
    if gone[-1].bound != come[-1].bound:
        return None
    cut_anew = ", ".join(quoted(p.name) for p in gone)
    return f"REORGANIZE PARTITION {cut_anew} INTO ({', '.join(p.sql for p in come)})", ()


def _by_list(here: Scheme, there: Scheme) -> tuple[str, tuple[str, ...]] | None:
    before, after = ({p.meaning: p for p in side.parts} for side in (here, there))
    order = list(after)
    gone = [p for m, p in before.items() if m not in after]
    come = [p for m, p in after.items() if m not in before]
    if come and not gone and order[: len(before)] == list(before):
        return f"ADD PARTITION ({', '.join(p.sql for p in come)})", ()
    if gone and not come and order == [m for m in before if m in after]:
        names = tuple(p.name for p in gone)
        return f"DROP PARTITION {', '.join(map(quoted, names))}", names
    return None


def _common(one: tuple[Partition, ...], other: tuple[Partition, ...]) -> tuple[int, int]:
    """How many partitions are the same at the beginning, and at the end."""
    here, there = [p.meaning for p in one], [p.meaning for p in other]
    first = 0
    while first < min(len(here), len(there)) and here[first] == there[first]:
        first += 1
    last = 0
    while last < min(len(here), len(there)) - first and here[-1 - last] == there[-1 - last]:
        last += 1
    return first, last


def cut(table: Table, like: Table) -> Table:
    """The table, cut as another one."""
    return replace(table, partitioning=like.partitioning, partition_sql=like.partition_sql)
