"""A date or a moment as DEFAULT: which zeros in it are kept, refused, or become the zero date.

Asked of MySQL 5.6.24 and 9.7.4, MariaDB 10.11.19 and 11.8.6 under eleven values of sql_mode, with the same
answers within each flavour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.catalog import temporal
from schemacheck.knowledge import characters
from schemacheck.sql.lexer import Refused

if TYPE_CHECKING:
    from schemacheck.catalog.context import Context
    from schemacheck.model.column_type import ColumnType
    from schemacheck.sql.ddl.draft import DefaultDraft

_ZERO = "0000-00-00 00:00:00"
#: Fewer zeros in a string are no date to strict MySQL.
_LEAST_DIGITS = 6
#: No moment has as many digits.
_MOST = 20


def stored(
    written: DefaultDraft, kind: ColumnType, context: Context, places: int, *, rounds: bool
) -> str | None:
    """The moment of a literal with `places` digits of the second's fraction; None where the server refuses it
    (1067). `rounds`: whether further digits round it, or are cut off.
    """
    mariadb, modes = context.server.mariadb, context.modes
    zeros = 5 if mariadb and written.kind == "string" else 1
    invalid_days = "ALLOW_INVALID_DATES" in modes and kind.base != "timestamp"

    text = written.text
    if written.kind == "number" and (whole := text.partition(".")[0]).strip("0"):
        moment = temporal.of_number(whole) if characters.is_digits(whole) and len(whole) < _MOST else None
        if moment is None:
            return None
        text = moment + text[len(whole) :]

    def read(digits: int, *, rounds: bool) -> str | None:
        return temporal.date_time(text, digits, rounds=rounds, invalid_days=invalid_days, zeros=zeros)

    found, exact = read(places, rounds=rounds), read(6, rounds=False)
    if found is None or exact is None:
        return None
    if exact == _ZERO + ".000000":
        short = len(characters.strip(written.text)) < _LEAST_DIGITS and written.kind == "string"
        refused = "NO_ZERO_DATE" in modes or (short and not mariadb)
        return None if refused and (mariadb or context.strict) else found
    if "00" not in (exact[5:7], exact[8:10]):
        # What is rounded in the year 0, or on a day that there is not, differs by version.
        doubtful = exact.startswith("0000") or not temporal.is_day(exact[:10])
        return None if doubtful and rounds and found != read(places, rounds=False) else found
    if mariadb:
        moved = found[:10] != exact[:10]
        return None if "NO_ZERO_IN_DATE" in modes or kind.base == "timestamp" or moved else found
    if "NO_ZERO_IN_DATE" in modes or kind.base == "timestamp":
        # What TIMESTAMP cannot hold becomes zero with a warning, a number does not.
        cut = None if context.strict or written.kind == "number" else _ZERO
        return cut and cut + (f".{'0' * places}" if places else "")
    return found if found == read(places, rounds=False) else None


def is_timestamp(moment: str, at: int, context: Context) -> bool:
    """Whether a TIMESTAMP holds a moment, wherever the time zone lies; the zero date is one. Raises Refused
    for another moment under a time zone that the script sets: whoever reads the text next has another one.
    """
    if moment.startswith("0000-00-00"):
        return True
    if (zone := context.server.setting("time_zone").upper()) not in ("", "DEFAULT", "SYSTEM", "+00:00"):
        why = f"the default is a moment of time_zone = {zone}; write it under SET time_zone = '+00:00'"
        raise Refused(why, at, "SC002")
    last = "2106-02-08" if context.server.has("timestamps-to-2106") else "2038-01-20"
    return "1970-01-01" <= moment[:10] < last
