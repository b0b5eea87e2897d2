"""The values of partitions' bounds: computed as servers do when they read the definition."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from schemacheck.catalog import temporal
from schemacheck.model.column_type import ColumnType, span
from schemacheck.model.partitioning import Partitioning
from schemacheck.model.quote import string
from schemacheck.model.table import Column
from schemacheck.sql import constant
from schemacheck.sql.ddl.partition import string_of
from schemacheck.sql.lexer import Refused


def function(name: str, text: str) -> int:
    """A function of a date and time, as number. Raises NotConstant."""
    hit = temporal.moment(text, 0, 0)
    if hit is None or hit.startswith("0000"):
        raise constant.NotConstant
    moment = dt.datetime.fromisoformat(hit).replace(tzinfo=dt.UTC)
    days = moment.toordinal() + 365
    values = {
        "TO_DAYS": days,
        "TO_SECONDS": days * 86_400 + moment.hour * 3600 + moment.minute * 60 + moment.second,
        # Where the server is not in UTC, what it keeps differs: the bound is a number in its dumps.
        "UNIX_TIMESTAMP": int(moment.timestamp()),
        "YEAR": moment.year,
        "MONTH": moment.month,
        "DAYOFYEAR": moment.timetuple().tm_yday,
    }
    if name not in values:
        raise constant.NotConstant
    return values[name]


def of_column(text: str, kind: ColumnType, at: int) -> tuple[str, object]:
    """(the value as it is printed, what it is compared by) of a bound of RANGE or LIST COLUMNS.
    Raises Refused.
    """
    if text.upper() in ("MAXVALUE", "NULL"):
        return text.upper(), None
    wrong = Refused(f"partition value {text[:40]} does not fit a {kind} column", at, 1654)
    if kind.is_integer:
        try:
            number = constant.integer(text, function)
        except constant.NotConstant:
            why = f"partition value {text[:40]} is no integer that is known here"
            raise Refused(why, at) from None
        low, high = span(kind)
        if number is not None and not low <= number <= high:
            raise wrong
        return str(number), number
    value = string_of(text)
    if value is None:
        raise Refused(f"partition value {text[:40]} is not known here", at)
    if kind.base in ("date", "datetime"):
        moment = temporal.moment(value, kind.fraction if kind.base == "datetime" else 0, at)
        if moment is None:
            raise wrong
        return string(value), moment
    if kind.base in ("char", "varchar") and not (kind.collation or "").endswith("_bin"):
        return string(value), value.casefold().rstrip(" ")
    return string(value), value


def short_enough(whole: Partitioning, known: Mapping[str, Column], at: int) -> None:
    """MySQL 8 takes no text that is longer than its column (asked of 9.7). Raises Refused."""
    names = [name.casefold() for name in whole.method.columns or ()]
    for row in (row for part in whole.parts for row in part.values):
        for text, name in zip(row, names, strict=False):
            kind, value = known[name].type, string_of(text)
            if (
                kind.base in ("char", "varchar", "binary", "varbinary")
                and value is not None
                and len(value) > (kind.length or 0)
            ):
                raise Refused(f"partition value {text[:40]} is too long", at, 1654)
