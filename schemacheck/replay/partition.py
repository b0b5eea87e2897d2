"""Partitions of a table: what a change of them is, as a statement of its own."""

from __future__ import annotations

import re

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.model import Table
from schemacheck.model.definition_sql import table_name


def items(text: str) -> list[str]:
    """What stands between commas outside of parentheses and quotes, without blanks around it; none in a text
    without any. A quote within quotes is doubled.
    """
    out, depth, quote, begin = [], 0, "", 0
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"`":
            quote = letter
        elif letter in "()":
            depth += 1 if letter == "(" else -1
        elif letter == "," and depth == 0:
            out.append(text[begin:at].strip())
            begin = at + 1
    return [*out, text[begin:].strip()] if text.strip() else []


_HEAD = re.compile(
    r"""(?P<head>(?:[^()'"`]|'(?:[^'\\]|''|\\.)*'|`[^`]*`|\((?:[^()]|\([^()]*\))*\))*?)"""
    r"(?:\bPARTITIONS\s+(?P<number>\d+)\s*)?(?P<list>\(\s*PARTITION\b.*\))?\s*\Z",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a table is cut: `head` is everything before the list (`range(id)`), `number` that of PARTITIONS n
    where there is no list, `parts` the definitions in one spelling, `texts` as they are written.
    """

    head: str
    number: int | None
    parts: tuple[str, ...]
    texts: tuple[str, ...] = field(compare=False)


def written(table: Table) -> str:
    """What stands behind PARTITION BY, as it was given; rows of a live server give it in one spelling."""
    return table.partition_sql or table.partitioning or ""


def scheme(table: Table) -> Scheme | None:
    """What stands behind PARTITION BY, cut into its parts; None where it is not understood."""
    match = _HEAD.fullmatch(written(table))
    if match is None:
        return None
    head = "".join(match["head"].replace("`", "").split()).casefold()
    texts = tuple(items((match["list"] or "()").strip()[1:-1]))
    plain = (re.sub(r"\bENGINE\s*=\s*\w+", "", text).replace("`", "") for text in texts)
    parts = tuple(" ".join(text.split()).casefold() for text in plain)
    return Scheme(head, int(match["number"]) if match["number"] else None, parts, texts)


def same(old: Table, new: Table) -> bool:
    """Whether both are cut alike."""
    if old.partitioning == new.partitioning:
        return True
    here, there = scheme(old), scheme(new)
    return bool(old.partitioning and new.partitioning and here and here == there)


MOVES = "changes partitions: a row for which one end has no partition stops the applier (1526)"


def change(old: Table, new: Table) -> tuple[str, str]:
    """The statement that cuts `old` as `new` is cut, and why each server has to run it at the same point of
    the log; '' where that is asked of the definitions.

    The columns are the same on both. Partitions that only come behind the others are added; everything else
    is a PARTITION BY, which copies every row.
    """
    alter = f"ALTER TABLE {table_name(old)} "
    if not new.partitioning:
        return alter + "REMOVE PARTITIONING", ""
    here, there = scheme(old) if old.partitioning else None, scheme(new)
    if here and there and here.parts and here.head == there.head:
        count = len(here.parts)
        if there.parts[:count] == here.parts:
            return f"{alter}ADD PARTITION ({', '.join(there.texts[count:])})", MOVES
    return f"{alter}PARTITION BY {written(new)}", ""


def cut(table: Table, like: Table) -> Table:
    """The table, cut as another one."""
    return replace(table, partitioning=like.partitioning, partition_sql=like.partition_sql)
