"""Functions of dates and times, of constants."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from decimal import Decimal

from schemacheck.catalog import temporal
from schemacheck.catalog.constant import (
    TEXTS,
    Constant,
    NotComputed,
    integer,
    number_of,
    text,
    text_of,
    whole_of,
)
from schemacheck.model.expression_tree import Item
from schemacheck.sql import characters

#: TIME ends there: 838:59:59, in seconds.
_MOST = 838 * 3600 + 59 * 60 + 59
_EPOCH = datetime.fromisoformat("1970-01-01")
_DAYS = frozenset(("day", "week", "month", "quarter", "year"))
_STEPS = {
    "microsecond": timedelta(microseconds=1), "second": timedelta(seconds=1), "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1),
}  # fmt: skip
_BEGIN = re.compile(r"\d{4}-(\d\d?)-(\d\d?)", re.ASCII)
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
#: The day of the statement, where one is assumed: MariaDB makes a TIME a moment of it.
_today: ContextVar[datetime | None] = ContextVar("_today", default=None)


@contextmanager
def assumed(day: str) -> Iterator[None]:
    """While it is open the statement runs on this day, as 2024-02-29."""
    before = _today.set(datetime.fromisoformat(day))
    try:
        yield
    finally:
        _today.reset(before)


def literal(item: Item) -> Constant:
    """DATE'...' and TIMESTAMP'...'. Raises NotComputed for others."""
    if item.name == "time":
        raise NotComputed
    digits = len(item.value.partition(".")[2])
    return cast(text(item.value), "date" if item.name == "date" else "datetime", digits)


def moment(one: Constant, places: int | None) -> datetime | None:
    """A constant as a date with its time; None for what is none. `places`: digits kept of a second.
    Raises NotComputed where sql_mode decides.
    """
    day = _today.get()
    if one.kind == "shape" or (one.kind == "time" and day is None):
        raise NotComputed
    if one.value is None:
        return None
    if day is not None and one.kind == "time" and isinstance(one.value, int):
        found = day + timedelta(microseconds=one.value)
    elif isinstance(one.value, datetime):
        found = one.value
    else:
        said = text_of(one) if one.kind in TEXTS else digits_of(number_of(one))
        read = None if said is None else temporal.date_time(said, 6, rounds=False, invalid_days=False)
        if read is None:
            return _cut(said) if said is not None and one.kind in TEXTS else None
        try:
            found = datetime.fromisoformat(read)
        except ValueError:
            raise NotComputed from None
    if places is None:
        return found
    kept = 10 ** (6 - places)
    return found.replace(microsecond=found.microsecond // kept * kept)


def digits_of(number: Decimal | float) -> str | None:
    """A number with the digits of a date (`number_to_datetime`). Raises NotComputed for 0."""
    whole = int(number)
    if whole == 0:
        raise NotComputed
    if whole < 101 or 991231 < whole < 10000101 or 99991231 < whole < 101000000:
        return None
    rest = str(Decimal(repr(number)) % 1)[1:] if isinstance(number, float) else str(Decimal(number) % 1)[1:]
    digits = 6 if whole <= 991231 else 8 if whole <= 99991231 else 12 if whole < 10**12 else 14
    return f"{whole:0{digits}}{rest}"


def _cut(said: str) -> datetime | None:
    """A text that is no date as it is; NULL where none of it is one."""
    if not characters.is_digits(said[:1]) or (characters.is_digits(said) and len(said) < 5):
        return None
    found = _BEGIN.match(said)
    if found is not None and (int(found[1]) > 12 or int(found[2]) > 31):
        return None
    raise NotComputed


def cast(one: Constant, to: str, places: int) -> Constant:
    """CAST to DATE, DATETIME or TIME; NULL for what is none. Raises NotComputed."""
    if to == "time":
        if one.value is None:
            return Constant("time", None, places)
        raise NotComputed
    found = moment(one, places if to == "datetime" else 0)
    if found is not None and to == "date":
        found = found.replace(hour=0, minute=0, second=0, microsecond=0)
    return Constant(to, found, places if to == "datetime" else 0)


def moved(base: Constant, amount: Constant, unit: str, sign: str) -> Constant:
    """What an interval makes of a moment: of its type, or a text where it was one. Raises NotComputed."""
    kind = base.kind
    if kind in ("shape", "time"):
        raise NotComputed
    if kind == "date" and unit not in _DAYS:
        kind = "datetime"
    if kind not in ("date", "datetime"):
        kind = "text"
    scale = base.scale if base.kind == "datetime" else 0
    found = moment(base, None)
    if found is None or amount.value is None:
        return Constant(kind, None, scale)
    if unit not in _STEPS and unit not in _MONTHS:
        raise NotComputed
    count: Decimal | int = whole_of(amount) * (-1 if sign == "-" else 1)
    if unit == "second" and amount.kind != "int":
        if amount.kind not in ("decimal", "double"):
            raise NotComputed
        count = Decimal(str(number_of(amount))) * (-1 if sign == "-" else 1)
        scale = 6 if amount.kind == "double" else max(scale or 0, min(6, amount.scale or 0))
    try:
        if unit in _MONTHS:
            months = found.year * 12 + found.month - 1 + int(count) * _MONTHS[unit]
            year, month = divmod(months, 12)
            day = min(found.day, calendar.monthrange(year, month + 1)[1]) if year > 0 else 1
            found = found.replace(year=year, month=month + 1, day=day)
        else:
            found += _STEPS[unit] * count if isinstance(count, int) else _fraction(count)
    except (OverflowError, ValueError, IndexError):
        return Constant(kind, None, scale)
    if kind == "text":
        timed = unit not in _DAYS or found.hour or found.minute or found.second or ":" in text_of(base)
        return text(text_of(Constant("datetime" if timed else "date", found, 6 if found.microsecond else 0)))
    return Constant(kind, found, scale)


def _fraction(seconds: Decimal) -> timedelta:
    """Seconds with their microseconds, cut behind those."""
    return timedelta(microseconds=int(seconds * 10**6))


def _days(one: Constant) -> int | None:
    found = moment(one, None)
    return None if found is None else found.toordinal() + 365


def _between(first: Constant, second: Constant) -> Constant:
    a, b = _days(first), _days(second)
    return integer(None if a is None or b is None else a - b)


def _part(one: Constant, part: Callable[[datetime], int]) -> Constant:
    found = moment(one, None)
    return integer(None if found is None else part(found))


def _made(year: Constant, day: Constant) -> Constant:
    if None in (year.value, day.value):
        return Constant("date", None)
    first, count = whole_of(year), whole_of(day)
    if not 100 <= first <= 9000:
        raise NotComputed
    return Constant("date", None if count <= 0 else _EPOCH.replace(year=first) + timedelta(days=count - 1))


def _seconds(one: Constant) -> Constant:
    scale = 6 if one.kind in TEXTS or one.scale is None else min(6, one.scale)
    if one.value is None:
        return Constant("time", None, scale)
    number = Decimal(str(number_of(one)))
    return Constant("time", int(min(max(number, Decimal(-_MOST)), Decimal(_MOST)) * 10**6), scale)


def _last(one: Constant) -> Constant:
    found = moment(one, 0)
    if found is None:
        return Constant("date", None)
    day = calendar.monthrange(found.year, found.month)[1]
    return Constant("date", found.replace(day=day, hour=0, minute=0, second=0))


def _unix(one: Constant) -> Constant:
    """In UTC; other time zones give as many digits."""
    found = moment(one, None)
    if found is not None and not 1972 <= found.year < 2037:
        raise NotComputed
    scale = one.scale if one.kind == "datetime" else 0
    if scale:
        raise NotComputed
    return integer(None if found is None else (found - _EPOCH) // timedelta(seconds=1))


def _read(one: Constant, form: Constant) -> Constant:
    """STR_TO_DATE of what does not begin as its form does."""
    if None in (one.value, form.value):
        return Constant("datetime", None)
    if (
        text_of(form) == "%Y"
        and text_of(one)
        and not characters.is_digits(characters.strip(text_of(one))[:1])
    ):
        return Constant("date", None)
    raise NotComputed


_PARTS: dict[str, Callable[[datetime], int]] = {
    "year": lambda d: d.year, "month": lambda d: d.month, "dayofmonth": lambda d: d.day,
    "hour": lambda d: d.hour, "minute": lambda d: d.minute, "second": lambda d: d.second,
    "quarter": lambda d: (d.month + 2) // 3,
    "weekday": lambda d: d.weekday(), "dayofyear": lambda d: d.timetuple().tm_yday,
    "dayofweek": lambda d: (d.weekday() + 1) % 7 + 1, "year_month": lambda d: d.year * 100 + d.month,
    "day": lambda d: d.day,
}  # fmt: skip
_ONE: dict[str, Callable[[Constant], Constant]] = {
    "to_days": lambda one: integer(_days(one)), "last_day": _last, "sec_to_time": _seconds,
    "unix_timestamp": _unix, "date": lambda one: cast(one, "date", 0),
    "timestamp": lambda one: cast(one, "datetime", one.scale or 0 if one.kind == "datetime" else 0),
}  # fmt: skip
_TWO: dict[str, Callable[[Constant, Constant], Constant]] = {
    "datediff": _between, "makedate": _made, "str_to_date": _read,
}  # fmt: skip
CALLS = frozenset((*_PARTS, *_ONE, *_TWO, "extract", "timestampdiff"))


def call(name: str, given: list[Constant], unit: str) -> Constant:
    """A function of CALLS. Raises NotComputed."""
    if name == "extract":
        if unit not in _PARTS:
            raise NotComputed
        return _part(given[0], _PARTS[unit])
    if name == "timestampdiff":
        first, second = moment(given[0], None), moment(given[1], None)
        if first is None or second is None:
            return integer(None)
        if unit not in _STEPS:
            raise NotComputed
        found = abs(second - first) // _STEPS[unit]
        return integer(found if second >= first else -found)
    if name in _PARTS and len(given) == 1:
        return _part(given[0], _PARTS[name])
    if name in _ONE and len(given) == 1:
        return _ONE[name](given[0])
    if name in _TWO and len(given) == 2:
        return _TWO[name](*given)
    raise NotComputed
