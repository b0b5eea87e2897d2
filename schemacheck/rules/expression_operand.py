"""An expression reads a column that differs.

## What it finds
Generated columns, CHECK constraints and partitions that both ends have alike, where a column that they read
has another type, collation, character set or scale on the replica. (SC401 is about keys.)

## What the replica does
It computes the expression of its own column: 'x' = 'X' is another answer under another collation, and a
number with ZEROFILL or other decimals is another text. A generated column then holds another value, which a
unique key may refuse; a row may violate a CHECK (3819, 4025) or have no partition (1526). MySQL and MariaDB
from 11 compute stored columns of row events anew; MariaDB before 11 keeps what the source sent.

## Example
    source:  CREATE TABLE t (a VARCHAR(9) COLLATE utf8mb4_bin, g INT AS (a = 'X') STORED);
    replica: CREATE TABLE t (a VARCHAR(9) COLLATE utf8mb4_general_ci, g INT AS (a = 'X') STORED);

## Fix
Give the column that the expression reads one type and collation on both ends.

## References
Asked of MySQL 9.7.4, MariaDB 10.11.19 and 11.8.9.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.conversion.error import ANY
from schemacheck.findings.changed_value import KEY_NOT_FOUND
from schemacheck.findings.computed import failures
from schemacheck.findings.on_pair import on_cell, on_table
from schemacheck.model import ColumnType, Effect, Example, Finding
from schemacheck.rules import About, Rule

#: Partitionings that have a place for every row.
_TAKES_ALL = re.compile(r"MAXVALUE|\bDEFAULT\b|\A\s*(LINEAR|KEY|HASH|SYSTEM_TIME)\b", re.IGNORECASE)
#: What compares texts, and functions that do not.
_COMPARES = re.compile(r"[=<>!]|\b(?:like|in|between|regexp|rlike|case)\b", re.IGNORECASE)
_CALLED = re.compile(r"(\w+)`?\s*\(")
_BLIND = frozenset(
    (
        "concat", "concat_ws", "length", "octet_length", "char_length", "character_length", "hex", "md5",
        "sha", "sha1", "sha2", "crc32", "substr", "substring", "mid", "left", "right", "reverse", "coalesce",
        "ifnull", "lpad", "rpad", "to_base64",
    )
)  # fmt: skip
_REFERENCE = "asked of MySQL 9.7.4, MariaDB 10.11.19 and 11.8.9"


def _check(pair: Pair) -> Iterator[Finding]:
    other = {c.replica.name.casefold(): c for c in pair.differing if not _reads_alike(c)}
    if not other:
        return
    yield from _columns(pair, other)
    for expression, what, error in _conditions(pair):
        for cell in _read(expression, other):
            yield on_table(
                pair,
                Effect.UNSUPPORTED,
                f"{what} reads {cell.replica.name}, which is {_shown(cell)}: the replica may refuse a row "
                "that the source took",
                column=cell.source.name,
                error=pair.error(error, key=ANY),
                depends_on_rows=True,
                remedy=f"Give {cell.replica.name} one type and collation on both ends",
                reference=_REFERENCE,
            )


def _columns(pair: Pair, other: dict[str, Cell]) -> Iterator[Finding]:
    anew = pair.link.replica.has("applier-computes-virtual-columns") or pair.logs_statements
    for made in pair.cells:
        column = made.replica
        expression = column.expression if column.generated else None
        if not expression or made.source.expression != expression:
            continue
        if column.generated == "stored" and not anew:
            continue
        keyed = any(key.unique and column.name.casefold() in key.folded for key in pair.replica.keys)
        read = list(_read(expression, other))
        yield from failures(pair, column) if read else ()
        for cell in read:
            yield on_cell(
                pair,
                made,
                Effect.DIVERGES,
                f"{column.name} reads {cell.replica.name}, which is {_shown(cell)}: ({expression}) may have "
                "another value there",
                also=(1062,) * keyed + (KEY_NOT_FOUND,) * (pair.lookup_key() is None),
                remedy=f"Give {cell.replica.name} one type and collation on both ends",
                example=Example(
                    f"({expression}) of {cell.source.type.sql()}", f"of {cell.replica.type.sql()}"
                ),
                reference=_REFERENCE,
            )


def _conditions(pair: Pair) -> Iterator[tuple[str, str, str]]:
    """What both ends ask of a row: the expression, what it is, and the error of a row that is refused."""
    source, replica, server = pair.source, pair.replica, pair.link.replica
    if server.has("check-constraints") and (server.has("checks-row-events") or pair.logs_statements):
        asked = {check.expression for check in source.checks if check.enforced}
        for check in replica.checks:
            if check.enforced and check.expression in asked:
                yield check.expression, f"the constraint {check.name}", "check-violated"
    parts = replica.partitioning
    if parts and parts == source.partitioning and not _TAKES_ALL.search(parts):
        yield parts, "the partitioning", "no-partition"


def _read(expression: str, other: dict[str, Cell]) -> Iterator[Cell]:
    """Those that an expression names."""
    folded = expression.casefold()
    words = set(re.findall(r"\w+", folded))
    for name, cell in other.items():
        named = name in words or (not name.isidentifier() and name in folded)
        if named and not (_differ_in_collation(cell) and _is_blind(folded)):
            yield cell


def _differ_in_collation(cell: Cell) -> bool:
    """Whether the two are texts of one character set."""
    here, there = cell.source.type, cell.replica.type
    return here.holds_text and there.holds_text and here.charset == there.charset


def _is_blind(expression: str) -> bool:
    """Whether no collation takes part in an expression."""
    return not _COMPARES.search(expression) and _BLIND.issuperset(_CALLED.findall(expression))


def _shown(cell: Cell) -> str:
    here, there = cell.source.type, cell.replica.type
    texts = [kind.sql() for kind in (here, there)]
    if texts[0] == texts[1]:
        texts = [f"{text} collate {kind.collation}" for text, kind in zip(texts, (here, there), strict=True)]
    return f"{texts[0]} on the source and {texts[1]} on the replica"


def _reads_alike(cell: Cell) -> bool:
    """Whether every expression has one value of both columns, where they hold one value."""
    here, there = cell.source.type, cell.replica.type
    if here == there:
        return True
    if here.zerofill or there.zerofill or here.unsigned != there.unsigned:
        return False
    return (
        (here.is_integer and there.is_integer)
        or (here.is_decimal and there.is_decimal and here.scale == there.scale)
        or (_is_unpadded(here) and _is_unpadded(there))
        or (_is_text(here, there) and (here.charset, here.collation) == (there.charset, there.collation))
    )


def _is_unpadded(kind: ColumnType) -> bool:
    return kind.holds_bytes and not kind.is_binary


def _is_text(here: ColumnType, there: ColumnType) -> bool:
    return (here.holds_text and there.holds_text) or (
        here.base == there.base and here.has_members and there.members[: len(here.members)] == here.members
    )


RULE = Rule(
    "SC511", "expression-operand", _check, (About.COLUMNS,), evidence=lambda ask: ask.events(certain=False)
)
