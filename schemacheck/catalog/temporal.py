"""Date and time literals as the servers read them: relaxed separators, short years, numbers."""

from __future__ import annotations

import calendar
import re

from schemacheck.knowledge import characters

#: Maximum absolute TIME value in seconds (838:59:59).
_TIME_MOST = 838 * 3600 + 59 * 60 + 59
_DATETIME = re.compile(
    r"\s*(\d+)[^\w\s]+(\d+)[^\w\s]+(\d+)(?:(?:\s+|T)(\d+)(?:[^\w\s](\d+)(?:[^\w\s](\d+)(?:\.(\d*))?)?)?)?\s*$",
    re.ASCII,
)
_COMPACT = re.compile(r"\s*(\d{6,14})(?:\.(\d*))?\s*$", re.ASCII)
_TIME = re.compile(r"\s*(-?)(?:(\d+)\s+)?(\d+)(?::(\d+)(?::(\d+))?)?(?:\.(\d*))?\s*$", re.ASCII)
#: Numbers that mean a moment: from, to, what their short year lacks, and the unit of their last digit.
_NUMBERS = (
    (101, 691231, 20000000, 1000000),
    (700101, 991231, 19000000, 1000000),
    (10000101, 99991231, 0, 1000000),
    (101000000, 691231235959, 20000000000000, 1),
    (700101000000, 991231235959, 19000000000000, 1),
)
#: No part of a time has as many digits.
_DIGITS = 30


def _year(text: str) -> int:
    number = int(text)
    if len(text) == 2:
        return number + (2000 if number < 70 else 1900)
    return number


def _fraction(digits: str | None, places: int, *, rounds: bool) -> tuple[int, int]:
    """(carry into the seconds, fraction as an integer of `places` digits)."""
    whole = (digits or "").ljust(7, "0")
    kept = int(whole[:places] or 0)
    if rounds and int(whole[places]) >= 5:
        kept += 1
        if kept == 10**places:
            return 1, 0
    return 0, kept


def of_number(digits: str) -> str | None:
    """The 14 digits of a moment that a number means, None where it means none (`number_to_datetime`)."""
    number = int(digits)
    for least, most, added, unit in _NUMBERS:
        if number <= most:
            return f"{(number + added) * unit:014}" if number >= least else None
    return f"{number:014}" if number <= 99991231235959 else None


def is_day(text: str) -> bool:
    """Whether `YYYY-MM-DD`, of a month that there is, is a day of it."""
    year, month, day = map(int, text.split("-"))
    return day <= _days(year, month)


def date_time(text: str, places: int, *, rounds: bool, invalid_days: bool, zeros: int = 1) -> str | None:
    """`YYYY-MM-DD hh:mm:ss[.f]` of a literal, None where it is no date.

    `places`: fraction digits kept; `rounds`: whether more digits round (MySQL) or are cut (MariaDB);
    `invalid_days`: ALLOW_INVALID_DATES; `zeros`: how many make the zero date.
    """
    found = _DATETIME.match(text)
    if found:
        written, month, day = found.group(1), int(found.group(2)), int(found.group(3))
        hour, minute, second = (int(found.group(i) or 0) for i in (4, 5, 6))
        digits = found.group(7)
        if len(found.group(1)) > 4:
            return None
    else:
        compact = _COMPACT.match(text)
        if compact is None:
            return (
                "0000-00-00 00:00:00" + _tail(0, places)
                if re.fullmatch(f"0{{{zeros},}}", characters.strip(text))
                else None
            )
        plain, digits = compact.group(1), compact.group(2)
        wide = 4 if len(plain) in (8, 14) else 2
        written = plain[:wide]
        pairs = [int(plain[i : i + 2]) for i in range(wide, len(plain) - 1, 2)] + [0] * 5
        month, day, hour, minute, second = pairs[:5]
    # A year of two digits is 2000 beside another date alone.
    if int(written) == month == day == hour == minute == second == int((digits or "0")[:6]) == 0:
        return "0000-00-00 00:00:00" + _tail(0, places)
    year = _year(written)
    if month > 12 or day > 31 or hour > 23 or minute > 59 or second > 59:
        return None
    if month and not invalid_days and day > _days(year, month):
        return None
    carry, fraction = _fraction(digits, places, rounds=rounds)
    second += carry
    for limit, step in ((60, "minute"), (60, "hour"), (24, "day")):
        if step == "minute" and second == limit:
            second, minute = 0, minute + 1
        elif step == "hour" and minute == limit:
            minute, hour = 0, hour + 1
        elif step == "day" and hour == limit:
            hour, day = 0, day + 1
            if day > _days(year, month):
                day, month = 1, month + 1
                if month > 12:
                    month, year = 1, year + 1
    return f"{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}{_tail(fraction, places)}"


def _days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year and calendar.isleap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _tail(fraction: int, places: int) -> str:
    return f".{fraction:0{places}}" if places else ""


def time(text: str, places: int, *, rounds: bool) -> str | None:
    """`[-]hh:mm:ss[.f]` of a literal, None where it is no time of the column's range."""
    found = _TIME.match(text)
    if not found:
        full = date_time(text, places, rounds=rounds, invalid_days=True) if ":" in text else None
        return full[11:] if full else None
    sign, days, first, second, third, digits = found.groups()
    if any(len(part) > _DIGITS for part in (days, first, second, third) if part):
        return None
    if second is None and days is None:
        plain = first.zfill(6)
        hour, minute, seconds = int(plain[:-4]), int(plain[-4:-2]), int(plain[-2:])
    else:
        hour, minute, seconds = int(first), int(second or 0), int(third or 0)
    if minute > 59 or seconds > 59:
        return None
    carry, fraction = _fraction(digits, places, rounds=rounds)
    total = (hour + 24 * int(days or 0)) * 3600 + minute * 60 + seconds + carry
    if total > _TIME_MOST or (total == _TIME_MOST and fraction):
        return None
    sign = sign if total or fraction else ""
    return f"{sign}{total // 3600:02}:{total // 60 % 60:02}:{total % 60:02}{_tail(fraction, places)}"
