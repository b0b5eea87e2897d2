"""The values of partitions' bounds: computed as servers do when they read the definition."""

from __future__ import annotations

import datetime as dt
import re

from schemacheck.catalog import temporal
from schemacheck.knowledge import characters
from schemacheck.model.column_type import ColumnType, span
from schemacheck.model.quote import string
from schemacheck.sql.ddl.partition import string_of
from schemacheck.sql.lexer import Refused

_NUMBER = re.compile(r"\(*\s*([-+]?\s*\d+)\s*\)*", re.ASCII)
_CALL = re.compile(r"\(*\s*([A-Za-z_]\w*)\s*\(([^()]*)\)(?:\s*([-+]\s*\d+))?\s*\)*", re.ASCII)


def integer(text: str, at: int) -> int | None:
    """The integer that a number, or a function of a text and a number, is; None for NULL. Raises Refused."""
    bare = characters.strip(text)
    if bare.upper() == "NULL":
        return None
    if (number := _NUMBER.fullmatch(bare)) is not None:
        return _plain(number[1])
    match = _CALL.fullmatch(bare)
    value = _function(match[1].upper(), string_of(match[2]) or "") if match is not None else None
    if match is None or value is None:
        raise Refused(f"partition value {text[:40]} is no integer that is known here", at)
    return value + _plain(match[3] or "0")


def _plain(text: str) -> int:
    return int(re.sub(r"\s", "", text, flags=re.ASCII))


def _function(name: str, text: str) -> int | None:
    """A function of a date and time, as number; None where it is not computed here."""
    hit = temporal.moment(text, 0, 0) if text else None
    if hit is None or hit.startswith("0000"):
        return None
    moment = dt.datetime.fromisoformat(hit).replace(tzinfo=dt.UTC)
    days = moment.toordinal() + 365
    values = {
        "TO_DAYS": days,
        "TO_SECONDS": days * 86_400 + moment.hour * 3600 + moment.minute * 60 + moment.second,
        # `partitions.settle` refuses another time zone than the server's own.
        "UNIX_TIMESTAMP": int(moment.timestamp()),
        "YEAR": moment.year,
        "MONTH": moment.month,
        "DAYOFYEAR": moment.timetuple().tm_yday,
    }
    return values.get(name)


def of_column(text: str, kind: ColumnType, at: int) -> tuple[str, object]:
    """(the value as printed, what it is compared by) of a bound of RANGE or LIST COLUMNS. Raises Refused."""
    if text.upper() in ("MAXVALUE", "NULL"):
        return text.upper(), None
    unknown = Refused(f"whether partition value {text[:40]} fits a {kind} column is not known here", at)
    if kind.is_integer:
        number = integer(text, at)
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
