"""Dates, moments and times in the form in which servers print them. Another form, and what would be rounded,
is not followed.
"""

from __future__ import annotations

import calendar
import re

from schemacheck.catalog.context import Context
from schemacheck.model.column_type import ColumnType
from schemacheck.sql.ddl.draft import DefaultDraft
from schemacheck.sql.lexer import Refused

_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?\Z", re.ASCII)
_TIME = re.compile(r"(-?)(\d{2,3}):(\d\d):(\d\d)(?:\.(\d{1,6}))?\Z", re.ASCII)
_ZERO = "0000-00-00 00:00:00"
#: Maximum absolute TIME value in seconds (838:59:59).
_TIME_MOST = 838 * 3600 + 59 * 60 + 59


def unknown(text: str, at: int) -> Refused:
    """The refusal of a form that is not followed."""
    why = f"how the server reads {text[:40]!r} is not known here: write YYYY-MM-DD hh:mm:ss"
    return Refused(why, at)


def moment(text: str, places: int, at: int) -> str | None:
    """`YYYY-MM-DD hh:mm:ss[.f]` of a literal, with `places` digits of the second's fraction; None where there
    is no such moment. Raises Refused for what is not followed: zeros in a date beside others too.
    """
    match = _MOMENT.match(text)
    if match is None:
        raise unknown(text, at)
    date, time, fraction = match[1], match[2] or "00:00:00", match[3] or ""
    year, month, day = map(int, date.split("-"))
    hour, minute, second = map(int, time.split(":"))
    if fraction[places : places + 1] >= "5":
        raise unknown(text, at)
    if month > 12 or day > 31 or hour > 23 or minute > 59 or second > 59:
        return None
    tail = _tail(fraction, places)
    if not (month and day):
        if f"{date} {time}" != _ZERO or fraction.strip("0"):
            raise unknown(text, at)
        return _ZERO + tail
    if day > (calendar.monthrange(year or 1, month)[1]):
        return None
    return f"{date} {time}{tail}"


def _tail(fraction: str, places: int) -> str:
    return f".{fraction[:places].ljust(places, '0')}" if places else ""


def default(written: DefaultDraft, kind: ColumnType, context: Context) -> str | None:
    """The default of a DATE, DATETIME or TIMESTAMP, None where refused (1067). Raises Refused."""
    places = kind.fraction if not kind.is_date else 0
    is_zero = written.kind == "number" and not written.text.strip("0.")
    if written.kind == "number" and not is_zero:
        raise unknown(written.text, written.at)
    result = moment(_ZERO if is_zero else written.text, places, written.at)
    if result is None:
        if "ALLOW_INVALID_DATES" in context.modes:
            raise unknown(written.text, written.at)
        return None
    if result.startswith(_ZERO):
        refused = "NO_ZERO_DATE" in context.modes and (context.server.mariadb or context.strict)
        result = None if refused else result
    elif kind.is_timestamp and not _is_timestamp(result, written.at, context):
        return None
    return result[:10] if result and kind.is_date else result


def time(written: DefaultDraft, kind: ColumnType) -> str | None:
    """The default of a TIME, None where it is out of range. Raises Refused where it is not followed."""
    is_zero = written.kind == "number" and not written.text.strip("0.")
    match = _TIME.match("00:00:00" if is_zero else written.text)
    if match is None or (match[5] or "")[kind.fraction : kind.fraction + 1] >= "5":
        raise unknown(written.text, written.at)
    hour, minute, second = int(match[2]), int(match[3]), int(match[4])
    total, fraction = hour * 3600 + minute * 60 + second, (match[5] or "").strip("0")
    if minute > 59 or second > 59 or total > _TIME_MOST or (total == _TIME_MOST and fraction):
        return None
    sign = match[1] if total or fraction else ""
    return f"{sign}{hour:02}:{minute:02}:{second:02}{_tail(match[5] or '', kind.fraction)}"


def in_utc(what: str, at: int, context: Context) -> None:
    """Raises Refused for a moment under a time zone of its own: whoever reads the text next has another."""
    if (zone := context.server.setting("time_zone").upper()) not in ("", "DEFAULT", "SYSTEM", "+00:00"):
        why = f"{what} is a moment of time_zone = {zone}; write it under SET time_zone = '+00:00'"
        raise Refused(why, at)


def _is_timestamp(moment: str, at: int, context: Context) -> bool:
    """Whether a TIMESTAMP holds a moment, wherever the time zone lies. Raises Refused as `in_utc`."""
    in_utc("the default", at, context)
    last = "2106-02-08" if context.server.has("timestamps-to-2106") else "2038-01-20"
    return "1970-01-01" <= moment[:10] < last
