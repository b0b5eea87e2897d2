"""Partitioning as a server takes it: names, bounds and functions checked (asked of four servers), bounds
computed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from schemacheck.catalog import name_rules, naming, partition_values, tablespaces
from schemacheck.catalog.context import Context
from schemacheck.catalog.rowsize import key_bytes
from schemacheck.model import normal
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.partitioning import Method, Partition, Partitioning, default_names, default_subs
from schemacheck.model.table import Column
from schemacheck.sql import constant
from schemacheck.sql.ddl.draft import MethodDraft, PartitionDraft, PartitioningDraft
from schemacheck.sql.ddl.partition import DEFAULT, MAXVALUE
from schemacheck.sql.lexer import Refused

_MOST = 8192
#: Bytes of all partitioning columns together (`set_up_field_array`; asked of four servers).
_WIDEST = 3072
#: Functions of a partitioning expression that give an integer, and what they take.
_OF_DATES = frozenset((
    "day", "dayofmonth", "dayofweek", "dayofyear", "extract", "month", "quarter", "to_days", "to_seconds",
    "weekday",
    "year", "yearweek", "datediff",
))  # fmt: skip
_OF_TIMES = frozenset(("hour", "minute", "second", "microsecond", "time_to_sec"))
_OF_NUMBERS = frozenset(("abs", "ceiling", "ceil", "floor", "mod"))
_CALL = re.compile(r"\b([a-z_][a-z0-9_]*)\(", re.ASCII)
_BANNED = re.compile(
    r"\b(?:and|or|xor|not|case|is|in|between|like|regexp|interval|binary)\b|[|&^~!<>=]|/|'", re.ASCII
)
#: The units of EXTRACT that take a DATE, a TIME; the others take a DATETIME alone, and WEEK nothing.
_DATE_UNITS = frozenset(("year", "year_month", "quarter", "month", "day"))
_MOMENT_UNITS = frozenset(("day_hour", "day_minute", "day_second", "day_microsecond"))
_IN_COLUMNS = frozenset(("char", "varchar", "binary", "varbinary", "date", "datetime", "time"))


def settle(draft: PartitioningDraft, columns: Sequence[Column], context: Context) -> Partitioning:
    """The partitioning of a table with these columns. Raises Refused."""
    tablespaces.of_partitions(draft, context)
    known = {one.name.casefold(): one for one in columns}
    method = _method(draft.method, known, context)
    sub = _method(draft.sub, known, context) if draft.sub is not None else None
    parts = _parts(draft, method, sub)
    found = [
        _partition(part, method, known, last=index == len(parts) - 1) for index, part in enumerate(parts)
    ]
    whole = Partitioning(method, tuple(found), sub)
    check(whole, known, draft.at)
    if context.server.has("data-dictionary"):
        partition_values.short_enough(whole, known, draft.at)
    return whole


def engine(
    draft: PartitioningDraft | None,
    default: str | None,
    written: str | None,
    context: Context,
    *,
    altered: bool,
) -> str | None:
    """The table's engine: partitions that all name one decide where CREATE TABLE names none
    (`partition_info::check_engine_mix`). Raises Refused."""
    if draft is None or draft.parts is None:
        return default
    ends = [sub for part in draft.parts for sub in (part.subs or (part,))]
    named = [naming.engine(one.engine, context) if one.engine is not None else None for one in ends]
    if written is not None or altered:
        fits = all(one in (None, default) for one in named)
        found = default
    else:
        fits, found = len(set(named)) == 1, named[0] or default
    # Subpartitions by number have no engine yet when the server asks.
    if not fits and draft.sub is None:
        raise Refused("partitions of different engines", draft.at, "SC002", 1497)
    return found


def _method(draft: MethodDraft, known: Mapping[str, Column], context: Context) -> Method:
    at = draft.at
    if draft.word == "SYSTEM_TIME":
        return Method("SYSTEM_TIME", tail=draft.tail)
    if draft.columns is not None:
        named = []
        for name in draft.columns:
            column = known.get(name.casefold())
            if column is None:
                raise Refused(f"partitioning column {name!r} does not exist", at, "SC002", 1488, name=name)
            if column.name in named:
                raise Refused(f"partitioning column {name!r} comes twice", at, "SC002", 1652)
            _column(column, draft.word, at)
            named.append(column.name)
        if sum(_field_bytes(known[name.casefold()]) for name in named) > _WIDEST:
            raise Refused("the partitioning columns are too long together", at, "SC002", 1660)
        return Method(draft.word, draft.linear, None, tuple(named))
    assert draft.expression is not None
    text = normal.expression(draft.expression.text, context.modes)
    _function(text, draft, known, context)
    return Method(draft.word, draft.linear, text)


def _field_bytes(column: Column) -> int:
    """Bytes of a column in a key, with those of its length and its NULL (`Field::key_length`)."""
    varying = 2 if column.type.base in ("varchar", "varbinary") else 0
    return key_bytes(column, None) + varying + column.nullable


def _column(column: Column, word: str, at: int) -> None:
    kind = column.type
    if kind.is_text or kind.is_blob or kind.is_geometry or kind.base in ("json", "vector"):
        raise Refused(f"a {kind} is no partitioning column", at, "SC002", 1502)
    if word != "KEY" and not (kind.is_integer or kind.base in _IN_COLUMNS):
        raise Refused(f"a {kind} is no column of {word} COLUMNS", at, "SC002", 1659)


def _function(text: str, draft: MethodDraft, known: Mapping[str, Column], context: Context) -> None:
    """Refuse what is no partitioning function."""
    at = draft.at
    names = columns_of(text, context.modes)
    missing = next((name for name in names if name.casefold() not in known), None)
    if missing is not None:
        why = f"column {missing!r} of the partitioning function does not exist"
        raise Refused(why, at, "SC002", 1054, name=missing, kind="partition")
    calls = set(_CALL.findall(text))
    other = calls - _OF_DATES - _OF_TIMES - _OF_NUMBERS - {"unix_timestamp"}
    if other or _BANNED.search(re.sub(r"`(?:[^`]|``)*`", "x", text)):
        raise Refused(f"partitioning function {text[:60]} is not allowed", at, "SC002", 1564)
    if not names:
        raise Refused("the partitioning function is constant", at, "SC002", 1486)
    used = [known[name.casefold()] for name in names]
    dates = calls & (_OF_DATES | _OF_TIMES)
    for column in used:
        base = column.type.base
        fits = (
            base == "timestamp"
            if "unix_timestamp" in calls
            else base in ("date", "datetime", "time")
            if dates
            else True
        )
        numeric = column.type.is_integer or base in ("bit", "year")
        if base == "decimal" and draft.word in ("RANGE", "LIST"):
            numeric = context.server.has("partitions-by-decimals")
        if not fits and not (numeric and (dates or "unix_timestamp" in calls)):
            why = f"the partitioning function depends on the time zone, or takes no {column.type}"
            raise Refused(why, at, "SC002", 1486)
        if not (numeric or dates or "unix_timestamp" in calls):
            exact = base == "decimal" and calls & {"floor", "ceiling", "ceil"}
            whole = base in ("decimal", "float", "double") and _divided(text, column.name)
            if not (exact or whole):
                number = 1659 if text == normal.expression(f"`{column.name}`") else 1491
                raise Refused(
                    f"a {column.type} is not allowed in the partitioning function", at, "SC002", number
                )
        if column.type.base == "time" and dates & _OF_DATES - {"extract"}:
            raise Refused("the partitioning function takes no TIME", at, "SC002", 1486)
        if base == "date" and dates & _OF_TIMES:
            raise Refused("the partitioning function takes no DATE", at, "SC002", 1486)
    _arguments(text, known, at)
    moments = {"unix_timestamp", "time_to_sec"} if context.server.mariadb else {"unix_timestamp"}
    fractions = not calls.isdisjoint(moments) and any(one.type.fraction for one in used)
    if fractions and (not context.server.mariadb or draft.word == "HASH"):
        raise Refused("the partitioning function gives fractions of seconds", at, "SC002", 1491)
    if context.server.mariadb:
        _of_generated(used, known, context, at)
    if re.search(r"\d\.\d|\de\d", text, re.ASCII):
        raise Refused("the partitioning function gives no integer", at, "SC002", 1491)


def _arguments(text: str, known: Mapping[str, Column], at: int) -> None:
    """Refuse a function of dates whose argument is no column of its types
    (`check_valid_arguments_processor`; asked of four servers). DATEDIFF is two of them, TO_DAYS.
    """
    for call in _CALL.finditer(text):
        name = call.group(1)
        given = _inside(text, call.end())
        fits: tuple[str, ...] = ("date", "datetime")
        if name == "extract":
            unit, _, rest = given[0].partition(" from ")
            given, unit = [rest], unit.strip(" ")
            fits = () if unit == "week" else fits if unit in _DATE_UNITS else ("time", "datetime")
            fits = ("datetime",) if unit in _MOMENT_UNITS else fits
        elif name == "unix_timestamp":
            fits = ("timestamp",)
        elif name in _OF_TIMES:
            fits = ("time", "datetime")
        elif name not in _OF_DATES:
            continue
        columns = [known.get(one.strip(" ").strip("`").replace("``", "`").casefold()) for one in given]
        fitting = [one is not None and one.type.base in fits for one in columns]
        if not (all(fitting) if name == "datediff" else any(fitting)):
            why = f"{name.upper()} of the partitioning function takes a column of type {' or '.join(fits)}"
            raise Refused(why if fits else "a week depends on the session", at, "SC002", 1486)


def _inside(text: str, begin: int) -> list[str]:
    """The arguments behind a parenthesis."""
    depth, start, out = 1, begin, []
    for index in range(begin, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if depth == 0 or (depth == 1 and text[index] == ","):
            out.append(text[start:index])
            start = index + 1
        if depth == 0:
            break
    return out


def _of_generated(used: Sequence[Column], known: Mapping[str, Column], context: Context, at: int) -> None:
    """What a generated column calls is part of the function to MariaDB (`check_partition_func_processor`;
    asked of 10.11 and 11.8). Raises Refused.
    """
    for column in used:
        if column.expression is None or column.expression in ("row start", "row end"):
            continue
        names = columns_of(column.expression, context.modes)
        below = [known[name.casefold()] for name in names if name.casefold() in known]
        calls = set(_CALL.findall(column.expression))
        allowed = _OF_DATES | _OF_TIMES | _OF_NUMBERS
        if all(one.type.base == "timestamp" for one in below):
            allowed |= {"unix_timestamp"}
        if calls - allowed or _BANNED.search(re.sub(r"`(?:[^`]|``)*`", "x", column.expression)):
            why = f"generated column {column.name!r} calls what a partitioning function cannot"
            raise Refused(why, at, "SC002", 1486)
        _of_generated(below, known, context, at)


def _divided(text: str, name: str) -> bool:
    """Whether a column stands before DIV wherever it stands: that is an integer (asked of four servers)."""
    found = rf"(?<![\w`])`?{re.escape(name.casefold())}`?(?![\w`])"
    return len(re.findall(found, text, re.ASCII)) == len(re.findall(found + r" div ", text, re.ASCII))


def _parts(draft: PartitioningDraft, method: Method, sub: Method | None) -> list[PartitionDraft]:
    """The partitions, those that are not written with the servers' names. Raises Refused."""
    at = draft.at
    parts = draft.parts
    if parts is None:
        if method.word == "SYSTEM_TIME":
            return [
                PartitionDraft(f"p{number}", at, "HISTORY") for number in range((draft.count or 2) - 1)
            ] + [PartitionDraft("pn", at, "CURRENT")]
        if method.word not in ("HASH", "KEY"):
            raise Refused(f"{method.word} partitions must be written", at, "SC002", 1492)
        parts = [PartitionDraft(name, at) for name in default_names(draft.count or 1)]
    elif draft.count is not None and draft.count != len(parts):
        raise Refused(f"{draft.count} partitions, and {len(parts)} are written", at, "SC001", 1064)
    if sub is not None:
        _subpartitions(parts, draft.sub_count, at)
    elif any(part.subs for part in parts):
        raise Refused("subpartitions without SUBPARTITION BY", at, "SC002", 1485)
    if len(parts) * (len(parts[0].subs or ()) or 1) > _MOST:
        raise Refused(f"at most {_MOST} partitions", at, "SC002", 1499)
    return parts


def _subpartitions(parts: list[PartitionDraft], count: int | None, at: int) -> None:
    written = [len(part.subs) for part in parts if part.subs is not None]
    wanted = count or (written[0] if written else 1)
    if any(number != wanted for number in written) or (
        written and len(written) < len(parts) and count is None
    ):
        raise Refused("the partitions have different numbers of subpartitions", at, "SC001", 1064)
    for part in parts:
        if part.subs is None:
            part.subs = [PartitionDraft(name, at) for name in default_subs(part.name, wanted)]


_WORDS = {"RANGE": "LESS THAN", "LIST": "IN"}


def _partition(part: PartitionDraft, method: Method, known: Mapping[str, Column], *, last: bool) -> Partition:
    wanted = _WORDS.get(method.word, "")
    bound, at = part.bound, part.at
    if bound == DEFAULT and method.word != "LIST":
        raise Refused("only LIST has a DEFAULT partition", at, "SC002", 1480)
    if bound in ("LESS THAN", "IN") and bound != wanted:
        word = "RANGE" if bound == "LESS THAN" else "LIST"
        raise Refused(f"only {word} partitions have VALUES {bound}", at, "SC002", 1480)
    if wanted and not bound:
        raise Refused(f"partition {part.name!r} has no VALUES {wanted}", at, "SC002", 1479)
    if method.word == "SYSTEM_TIME" and bound not in ("HISTORY", "CURRENT"):
        raise Refused(f"partition {part.name!r} is neither HISTORY nor CURRENT", at, "SC002", 1480)
    if method.word != "SYSTEM_TIME" and bound in ("HISTORY", "CURRENT"):
        raise Refused(f"only SYSTEM_TIME has {bound} partitions", at, "SC002", 1480)
    rows = [_row(row, part, method, known, last=last) for row in part.values]
    if method.word == "LIST":
        rows.sort(key=lambda row: row != ("NULL",))
    return Partition(part.name, bound, tuple(rows), tuple(sub.name for sub in part.subs or ()))


def _row(
    row: list[str], part: PartitionDraft, method: Method, known: Mapping[str, Column], *, last: bool
) -> tuple[str, ...]:
    at = part.at
    if method.columns is not None:
        if row == [MAXVALUE] and len(method.columns) == 1:
            return (MAXVALUE,)
        if len(row) != len(method.columns):
            raise Refused("as many values as columns are expected", at, "SC001", 1064)
        found = []
        for text, name in zip(row, method.columns, strict=True):
            value, _ = partition_values.of_column(text, known[name.casefold()].type, at)
            if value == "NULL" and method.word == "RANGE":
                raise Refused("a range has no NULL", at, "SC002", 1566)
            if value == MAXVALUE and method.word == "LIST":
                raise Refused("a list has no MAXVALUE", at, "SC001", 1064)
            found.append(value)
        return tuple(found)
    if row == [MAXVALUE]:
        if method.word == "LIST":
            raise Refused("a list has no MAXVALUE", at, "SC001", 1064)
        if not last:
            raise Refused("only the last partition has MAXVALUE", at, "SC002", 1481)
        return (MAXVALUE,)
    if len(row) != 1:
        raise Refused("one value is expected", at, "SC001", 1064)
    try:
        number = constant.integer(row[0], partition_values.function)
    except constant.NotConstant:
        raise Refused(
            f"the value of partition {part.name!r} is no integer that is known here", at, "SC002", 1697
        ) from None
    if number is None:
        if method.word == "RANGE":
            raise Refused("a range has no NULL", at, "SC002", 1566)
        return ("NULL",)
    return (str(number),)


def check(whole: Partitioning, known: Mapping[str, Column], at: int) -> None:
    """Names once, ranges increasing, values of lists once, within the function's domain. Raises Refused."""
    named = [name for part in whole.parts for name in (part.name, *part.subs)]
    name_rules.partitions(named, at)
    if len({name.casefold() for name in named}) < len(named):
        raise Refused("two partitions have one name", at, "SC002", 1517)
    method = whole.method
    if method.word not in ("RANGE", "LIST"):
        return
    rows = [row for part in whole.parts for row in part.values]
    compared = [_comparable(row, method, known, at) for row in rows]
    if method.columns is None:
        kinds = [
            known[n.casefold()].type for n in columns_of(method.expression or "") if n.casefold() in known
        ]
        plain = not _CALL.search(method.expression or "") or "abs(" in (method.expression or "")
        unsigned = plain and any(kind.unsigned or kind.base in ("bit", "year") for kind in kinds)
        for row in rows:
            if row[0] not in (MAXVALUE, "NULL") and not (
                (0 if unsigned else -(2**63)) <= int(row[0]) < (2**64 if unsigned else 2**63)
            ):
                raise Refused(
                    f"value {row[0]} is outside of the partitioning function's domain", at, "SC002", 1563
                )
    if method.word == "RANGE":
        for one, other in pairwise(compared):
            if not _below(one, other):
                raise Refused("the bounds of ranges do not increase", at, "SC002", 1493)
    elif len(set(compared)) < len(compared):
        raise Refused("a value of a list comes twice", at, "SC002", 1495)
    if sum(part.bound == DEFAULT for part in whole.parts) > 1:
        raise Refused("there are two DEFAULT partitions", at, "SC002", 1495)


def _comparable(
    row: tuple[str, ...], method: Method, known: Mapping[str, Column], at: int
) -> tuple[object, ...]:
    if method.columns is None:
        return (row[0] if row[0] in (MAXVALUE, "NULL") else int(row[0]),)
    return tuple(
        value
        if value in (MAXVALUE, "NULL")
        else partition_values.of_column(value, known[name.casefold()].type, at)[1]
        for value, name in zip(row, method.columns, strict=True)
    )


def _below(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether a bound comes before another."""
    for a, b in zip(one, other, strict=True):
        if a == b:
            continue
        if MAXVALUE in (a, b):
            return b == MAXVALUE
        return a < b  # type: ignore[no-any-return, operator]
    return False
