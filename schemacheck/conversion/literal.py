"""What a column keeps of a literal under INSERT IGNORE, where the server cuts instead of refusing.

`stored_text` follows the servers' `Field_*::store`: numbers are rounded and clipped to the column's range,
text is read up to its first bad character or cut to its length, members are found by name, then by number.
It answers None where servers or settings differ, or nobody asked. (Asked of four servers.)
"""

from __future__ import annotations

import math
import re
import struct
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, localcontext

from schemacheck.conversion.values.exact import largest
from schemacheck.dataclass import dataclass
from schemacheck.model import ColumnType, Server
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import span
from schemacheck.model.type_facts import TYPES, address

_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d)(\.\d+)?)?$")
_CLOCK = re.compile(r"(\d\d:\d\d:\d\d)(\.\d+)?$")
_LEADING = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Literal:
    """A number or a text as a statement writes it; `text` is without quotes. `POINT` is the third kind."""

    text: str
    number: bool = False

    def sql(self) -> str:
        """The literal in a statement; long runs are written as REPEAT."""
        if self.number or self is POINT:
            return self.text
        if len(self.text) > 40 and len(set(self.text)) == 1:
            return f"REPEAT('{self.text[0]}', {len(self.text)})"
        return "'" + self.text.replace("'", "''") + "'"


#: A shape of each spatial type, as ST_GeomFromText takes it.
SHAPES = {
    "point": "POINT(1 2)", "geometry": "POINT(1 2)", "linestring": "LINESTRING(0 0,1 1)",
    "polygon": "POLYGON((0 0,0 1,1 1,0 0))", "multipoint": "MULTIPOINT(1 2,3 4)",
    "multilinestring": "MULTILINESTRING((0 0,1 1))", "multipolygon": "MULTIPOLYGON(((0 0,0 1,1 1,0 0)))",
    "geometrycollection": "GEOMETRYCOLLECTION(POINT(1 2))",
}  # fmt: skip
#: A value of a GEOMETRY column.
POINT = Literal("ST_GeomFromText('POINT(1 2)')")


def stored_text(literal: Literal, column: ColumnType, server: Server) -> str | None:
    """What `SELECT CONCAT(column)` shows after the literal was stored; None: not known."""
    base = column.base
    if column.zerofill or column.old_format:
        return None
    if literal is POINT:
        # Bytes to other types: the same in long columns of bytes, no number, no moment, no member.
        return "POINT(1 2)" if column.is_geometry or column.is_blob else "other bytes"
    if column.is_geometry:
        return None
    if column.is_number:
        return _number(literal, column)
    if column.is_plain_string:
        return _string(literal.text, column)
    if column.has_members:
        return _members(literal, column)
    if column.is_temporal:
        return _temporal(literal, column, server)
    if column.is_address:
        return _address(literal, base)
    if literal.number:
        return None
    if column.is_json:
        document = re.fullmatch(r'\{"(\w+)":(\d+)\}', literal.text)
        if server.has("json-is-longtext"):
            return literal.text if document else None
        return f'{{"{document[1]}": {document[2]}}}' if document else None
    return None


def _number(literal: Literal, column: ColumnType) -> str | None:
    if column.is_bit:
        if not literal.number or not literal.text.isdigit():
            return None
        return f"b'{min(int(literal.text), 2 ** (column.length or 1) - 1):b}'"
    lead = _LEADING.match(literal.text)
    if not literal.number and (_MOMENT.match(literal.text) or _CLOCK.match(literal.text)):
        return None
    value = Decimal(lead[0].strip()) if lead else Decimal(0)
    if value.adjusted() > 60:  # 123E4567, as a UUID may begin
        return None
    if column.is_year:
        if not literal.number or value != value.to_integral_value():
            return None
        return f"{int(value):04}" if 1901 <= value <= 2155 else "0000" if value > 2155 or value < 0 else None
    if column.is_integer:
        low, high = span(column)
        return str(max(low, min(high, int(value.to_integral_value(ROUND_HALF_UP)))))
    if column.is_decimal or column.scale is not None:
        top = largest(column.length or 10, column.scale or 0)
        with localcontext() as context:
            context.prec = 100
            rounded = value.quantize(Decimal(1).scaleb(-(column.scale or 0)), ROUND_HALF_UP)
        if not column.is_decimal and abs(value) > 10**6:
            return None
        clipped = max(Decimal(0) if column.unsigned else -top, min(top, rounded))
        return f"{clipped:f}"
    return _approximate(value, column)


def _approximate(value: Decimal, column: ColumnType) -> str | None:
    number = float(value)
    if column.is_single:
        if abs(number) > 3.4e38:
            return None
        number = struct.unpack("f", struct.pack("f", number))[0]
    if math.isinf(number) or (column.unsigned and number < 0):
        return "0" if number < 0 and not math.isinf(number) else None
    if number == int(number) and abs(number) < 10**15:
        return str(int(number))
    return repr(number)


def _string(text: str, column: ColumnType) -> str | None:
    base, charset = column.base, column.charset or "binary"
    shown = text
    if column.holds_text:
        for letter in set(text):
            shown = shown if charsets.holds(charset, letter) else shown.replace(letter, "?")
    if column.is_sized:
        if len(shown) != len(shown.encode()) and base.endswith("binary"):
            return None
        shown = shown[: column.length or 0]
    else:
        room = column.max_bytes
        if len(shown) * charsets.max_bytes(charset) > room:
            shown = (
                shown[: room // charsets.max_bytes(charset)]
                if charset == "binary" or shown.isascii()
                else shown
            )
            if charsets.max_bytes(charset) > 1 and charset not in ("utf8mb3", "utf8mb4"):
                return None
            shown = text[:room]
    if column.is_binary:
        return shown + "\\0" * ((column.length or 0) - len(shown))
    return shown.rstrip(" ") if column.is_char else shown


def _members(literal: Literal, column: ColumnType) -> str | None:
    folded = [m.casefold() for m in column.members]
    text = literal.text
    if column.is_enum:
        if not literal.number and text.casefold() in folded:
            return column.members[folded.index(text.casefold())]
        if text.isdigit():
            return column.members[int(text) - 1] if 0 < int(text) <= len(folded) else ""
        return "" if not literal.number else None
    if literal.number:
        if not text.isdigit():
            return None
        chosen = [m for bit, m in enumerate(column.members) if int(text) >> bit & 1]
        return ",".join(chosen)
    if text.isdigit() and text not in folded:
        return None
    wanted = text.casefold().split(",")
    return ",".join(m for m, f in zip(column.members, folded, strict=True) if f in wanted)


def _temporal(literal: Literal, column: ColumnType, server: Server) -> str | None:
    text = literal.text
    zero = (TYPES[column.base].zero or "") + ("." + "0" * column.fraction if column.fraction else "")
    if literal.number:
        if column.is_time:
            return "00:20:00" + zero[8:] if text == "2000" else None  # HHMMSS
        return zero if text == "5" else None
    moment, clock = _MOMENT.match(text), _CLOCK.match(text)
    fraction = (moment and moment[3]) or (clock and clock[2]) or ""
    digits = (fraction[1:] + "000000")[:6]
    cuts = server.has("fraction-cut") and "TIME_ROUND_FRACTIONAL" not in server.sql_mode
    cut = (Decimal(int(digits)) / 10**6).quantize(
        Decimal(1).scaleb(-column.fraction), ROUND_DOWN if cuts else ROUND_HALF_UP
    )
    tail = f"{cut % 1:f}"[1:] if column.fraction else ""
    if cut >= 1:  # MySQL rounds up to the next second
        written = (moment and moment[2]) or (clock and clock[1]) or ""
        if written[-2:] == "59" or column.is_date:
            return None
        text = text.replace(written, f"{written[:-2]}{int(written[-2:]) + 1:02}", 1)
        moment, clock = _MOMENT.match(text), _CLOCK.match(text)
    if moment:
        if column.is_date:
            return moment[1]
        if column.is_time:
            return (moment[2] + tail) if moment[2] else None
        if column.is_timestamp and not "1971" <= moment[1][:4] <= "2037":
            return zero
        return f"{moment[1]} {moment[2] or '00:00:00'}{tail}"
    if clock:
        return clock[1] + tail if column.is_time else None
    return zero if text and text[0].isalpha() else None


def _address(literal: Literal, base: str) -> str | None:
    """Addresses are written again in one form; a number is the zero address, other text NULL."""
    if literal.number:
        return TYPES[base].zero
    try:
        return address(base, literal.text)
    except ValueError:
        return "no address" if literal.text == "x" else None
