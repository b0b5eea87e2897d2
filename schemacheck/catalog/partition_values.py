"""The values of partitions' bounds: computed as servers do when they read the definition."""

from __future__ import annotations

import datetime as dt

from schemacheck.catalog import temporal
from schemacheck.model.column_type import ColumnType, span
from schemacheck.model.quote import string
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
    unknown = Refused(f"whether partition value {text[:40]} fits a {kind} column is not known here", at)
    if kind.is_integer:
        try:
            number = constant.integer(text, function)
        except constant.NotConstant:
            raise unknown from None
        low, high = span(kind)
        if number is not None and not low <= number <= high:
            raise unknown
        return str(number), number
    value = string_of(text)
    if value is None or (kind.is_sized and len(value) > (kind.length or 0)):
        raise unknown
    if kind.is_calendar:
        moment = temporal.moment(value, 0 if kind.is_date else kind.fraction, at)
        if moment is None:
            raise unknown
        return string(value), moment
    if kind.is_counted and not (kind.collation or "").endswith("_bin"):
        return string(value), value.casefold().rstrip(" ")
    return string(value), value
