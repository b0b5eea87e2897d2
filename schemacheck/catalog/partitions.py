"""Partitioning as a server takes it: names, bounds and functions checked (asked of four servers), bounds
computed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from schemacheck.catalog import name_rules, naming, partition_values, temporal
from schemacheck.catalog.context import Context
from schemacheck.catalog.rowsize import key_bytes
from schemacheck.model import normal
from schemacheck.model.column_type import ColumnType
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.partitioning import Method, Partition, Partitioning, default_names
from schemacheck.model.table import Column
from schemacheck.sql.ddl.draft import MethodDraft, PartitionDraft, PartitioningDraft
from schemacheck.sql.ddl.partition import DEFAULT, MAXVALUE
from schemacheck.sql.lexer import Refused

_MOST = 8192
#: Bytes of all partitioning columns together (`set_up_field_array`; asked of four servers).
_WIDEST = 3072
#: Functions of one column that give an integer.
_OF_DATES = frozenset((
    "day", "dayofmonth", "dayofweek", "dayofyear", "month", "quarter", "to_days", "to_seconds", "weekday",
    "year",
))  # fmt: skip
_OF_TIMES = frozenset(("hour", "minute", "second"))
_CALL = re.compile(r"\b([a-z_][a-z0-9_]*)\(", re.ASCII)
_ONE_CALL = re.compile(r"([a-z_][a-z0-9_]*)\(([^()]+)\)", re.ASCII)
#: Sums, products and remainders of whole numbers.
_ARITHMETIC = re.compile(r"(?:\b(?:abs|mod)\(|\b(?:div|mod)\b|[\w`+*%(), -])+", re.ASCII)


def settle(draft: PartitioningDraft, columns: Sequence[Column], context: Context) -> Partitioning:
    """The partitioning of a table with these columns. Raises Refused."""
    by_name = {column.name.casefold(): column for column in columns}
    method = _method(draft.method, by_name, context)
    parts = _parts(draft, method)
    if any("UNIX_TIMESTAMP" in text.upper() for part in parts for row in part.values for text in row):
        temporal.in_utc("a partition's bound", draft.at, context)
    partitions = [
        _partition(part, method, by_name, last=index == len(parts) - 1) for index, part in enumerate(parts)
    ]
    whole = Partitioning(method, tuple(partitions))
    check(whole, by_name, draft.at)
    return whole


def engine(draft: PartitioningDraft | None, default: str | None, context: Context) -> str | None:
    """The table's engine, which is that of its partitions. Raises Refused where these name another."""
    for part in draft.parts or () if draft is not None else ():
        if part.engine is not None and naming.engine(part.engine, context) != default:
            raise Refused("which engine partitions of several have is not known", part.at)
    return default


def _method(draft: MethodDraft, by_name: Mapping[str, Column], context: Context) -> Method:
    at = draft.at
    if draft.columns is not None:
        named = []
        for name in draft.columns:
            column = by_name.get(name.casefold())
            if column is None:
                raise Refused(f"partitioning column {name!r} does not exist", at, 1488, name=name)
            named.append(column.name)
        kinds = [by_name[name.casefold()] for name in named]
        wide = sum(map(_field_bytes, kinds)) > _WIDEST
        if wide or len(set(named)) < len(named) or not all(_fits(kind.type, draft.word) for kind in kinds):
            raise _unknown(f"whether {', '.join(named)} are partitioning columns", at)
        return Method(draft.word, draft.linear, None, tuple(named))
    assert draft.expression is not None
    text = normal.expression(draft.expression.text, context.modes)
    _function(text, draft, by_name, context)
    return Method(draft.word, draft.linear, text)


def _field_bytes(column: Column) -> int:
    """Bytes of a column in a key, with those of its length and its NULL (`Field::key_length`)."""
    varying = 2 if column.type.is_varying else 0
    return key_bytes(column, None) + varying + column.nullable


def _fits(kind: ColumnType, word: str) -> bool:
    """Whether a type may be one of the columns of KEY, or of RANGE and LIST COLUMNS."""
    listed = kind.is_integer or kind.is_sized or (kind.is_temporal and not kind.is_timestamp)
    return listed or (word == "KEY" and not kind.is_off_page)


def _unknown(what: str, at: int) -> Refused:
    return Refused(f"{what} is not known: only a server can tell", at)


def _function(text: str, draft: MethodDraft, by_name: Mapping[str, Column], context: Context) -> None:
    """Refuse a partitioning function of another form than those that are known."""
    names = columns_of(text, context.modes)
    missing = next((name for name in names if name.casefold() not in by_name), None)
    if missing is not None:
        raise _unknown(f"whether a server partitions by {missing!r}, which is no column,", draft.at)
    used = [by_name[name.casefold()] for name in names]
    kinds = [column.type for column in used]
    call = _ONE_CALL.fullmatch(text)
    alone = call is not None and [call[2].strip("` ").casefold()] == [name.casefold() for name in names]
    function = call[1] if call is not None and alone else ""
    if function == "unix_timestamp":
        fits = kinds[0].is_timestamp and not kinds[0].fraction
    elif function in _OF_DATES | _OF_TIMES:
        fits = kinds[0].base in ("datetime", "date" if function in _OF_DATES else "time")
    else:
        whole = all(kind.is_whole for kind in kinds)
        calls = set(_CALL.findall(text)) - {"abs", "mod"}
        fits = whole and not calls and _ARITHMETIC.fullmatch(text) is not None and bool(used)
    if not fits or any(column.generated is not None for column in used):
        raise _unknown(f"whether {text[:60]} is a partitioning function", draft.at)


def _parts(draft: PartitioningDraft, method: Method) -> list[PartitionDraft]:
    """The partitions, those that are not written with the servers' names. Raises Refused."""
    at = draft.at
    parts = draft.parts
    if parts is None:
        if method.word not in ("HASH", "KEY"):
            raise Refused(f"{method.word} partitions must be written", at, 1492)
        parts = [PartitionDraft(name, at) for name in default_names(draft.count or 1)]
    if draft.count not in (None, len(parts)) or len(parts) > _MOST:
        raise _unknown("whether a server takes so many partitions", at)
    return parts


#: How partitions are bounded.
_BOUNDS = {"RANGE": ("LESS THAN",), "LIST": ("IN", DEFAULT)}


def _partition(
    part: PartitionDraft, method: Method, by_name: Mapping[str, Column], *, last: bool
) -> Partition:
    bound, at = part.bound, part.at
    if bound not in _BOUNDS.get(method.word, ("",)):
        raise _unknown(f"whether partition {part.name!r} of {method.word} takes these VALUES", at)
    rows = [_row(row, part, method, by_name, last=last) for row in part.values]
    if method.word == "LIST":
        rows.sort(key=lambda row: row != ("NULL",))
    return Partition(part.name, bound, tuple(rows))


def _row(
    row: list[str], part: PartitionDraft, method: Method, by_name: Mapping[str, Column], *, last: bool
) -> tuple[str, ...]:
    rare = _unknown(f"whether partition {part.name!r} takes these values", part.at)
    if len(row) != len(method.columns or "x"):
        raise rare
    if row == [MAXVALUE] and method.word == "RANGE" and (last or method.columns is not None):
        return (MAXVALUE,)
    if method.columns is not None:
        result = []
        for text, name in zip(row, method.columns, strict=True):
            value, _ = partition_values.of_column(text, by_name[name.casefold()].type, part.at)
            if value == ("NULL" if method.word == "RANGE" else MAXVALUE):
                raise rare
            result.append(value)
        return tuple(result)
    number = partition_values.integer(row[0], part.at)
    if number is None and method.word == "RANGE":
        raise rare
    return ("NULL" if number is None else str(number),)


def check(whole: Partitioning, known: Mapping[str, Column], at: int) -> None:
    """Names once, ranges increasing, values of lists once, within the function's domain. Raises Refused."""
    named = [part.name for part in whole.parts]
    for name in named:
        name_rules.check(name, at)
    if len({name.casefold() for name in named}) < len(named):
        raise Refused("two partitions have one name", at, 1517)
    method = whole.method
    if method.word not in ("RANGE", "LIST"):
        return
    rows = [row for part in whole.parts for row in part.values]
    compared = [_comparable(row, method, known, at) for row in rows]
    low, high = -(2**63), 2**63
    if method.columns is None:
        text = method.expression or ""
        kinds = [known[name.casefold()].type for name in columns_of(text) if name.casefold() in known]
        if (not _CALL.search(text) or "abs(" in text) and any(kind.is_never_negative for kind in kinds):
            low, high = 0, 2**64
    within = all(low <= row[0] < high for row in compared if isinstance(row[0], int))
    if method.word == "RANGE":
        within = within and all(_below(item, other) for item, other in pairwise(compared))
    elif len(set(compared)) < len(compared) or sum(part.bound == DEFAULT for part in whole.parts) > 1:
        within = False
    if not within:
        raise _unknown("whether a server takes these bounds of partitions", at)


def _comparable(
    row: tuple[str, ...], method: Method, by_name: Mapping[str, Column], at: int
) -> tuple[object, ...]:
    if method.columns is None:
        return (row[0] if row[0] in (MAXVALUE, "NULL") else int(row[0]),)
    return tuple(
        value
        if value in (MAXVALUE, "NULL")
        else partition_values.of_column(value, by_name[name.casefold()].type, at)[1]
        for value, name in zip(row, method.columns, strict=True)
    )


def _below(entry: tuple[object, ...], other: tuple[object, ...]) -> bool:
    for a, b in zip(entry, other, strict=True):
        if a == b:
            continue
        if MAXVALUE in (a, b):
            return b == MAXVALUE
        return a < b  # type: ignore[no-any-return, operator]
    return False
