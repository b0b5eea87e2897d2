"""One row of information_schema.COLUMNS becomes one Column."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, replace
from schemacheck.model import ColumnType, Default, DefaultKind, normal
from schemacheck.model.charset import of_collation
from schemacheck.model.quote import unquote
from schemacheck.model.table import DEFAULT_NULL, WITHOUT_VERSIONS
from schemacheck.model.words import printed_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemacheck.model import Server

REQUIRED = ("TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "COLUMN_TYPE")
#: Without these a verdict misses differences: what was not read is unknown.
RECOMMENDED = ("IS_NULLABLE", "COLUMN_DEFAULT", "EXTRA", "CHARACTER_SET_NAME", "COLLATION_NAME")
OPTIONAL = ("COLUMN_KEY", "GENERATION_EXPRESSION", "IS_GENERATED", "SRS_ID")
WANTED = (*REQUIRED, *RECOMMENDED, *OPTIONAL)

#: Functions that are CURRENT_TIMESTAMP under another name.
_NOW = re.compile(r"(?:current_timestamp|now|localtime|localtimestamp)(?:\(\d*\))?\Z", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\Z", re.IGNORECASE)
#: A literal, with the introducer that MariaDB keeps.
_LITERAL = re.compile(r"(?:_[a-z0-9]+)?'(?:[^'\\]|''|\\.)*'\Z", re.ASCII | re.DOTALL)
_BITS = re.compile(r"[bx]'[0-9a-f]*'\Z", re.IGNORECASE)
_HEX = re.compile(r"0x(?:[0-9A-Fa-f]{2})*\Z")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"0": "\0", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}


class BadRow(ValueError):
    """A row that makes no sense; the message says why."""


@lru_cache(maxsize=65_536)
def _type(text: str, charset: str | None, collation: str | None, srid: int | None) -> ColumnType:
    written = text if srid is None else f"{text} srid {srid}"
    return ColumnType.parse(written, charset=charset, collation=collation)


def text_of(value: object) -> str | None:
    """A field as text; None stays None."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # data frames make floats of numbers beside NULL
    return bytes(value).decode("utf-8", "replace") if isinstance(value, bytes | bytearray) else str(value)


def ordinal_of(value: object) -> int:
    """ORDINAL_POSITION as drivers and formats write it: 3, '3', Decimal(3), 3.0. Raises BadRow."""
    if isinstance(value, bytes | bytearray):
        value = text_of(value)
    try:
        number = int(value)  # type: ignore[call-overload]
        if number >= 1 and (isinstance(value, str) or number == value):
            return int(number)
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadRow(f"ORDINAL_POSITION is {value!r}, not a number from 1")


_SRID = re.compile(r"(\d{1,10})(?:\.0*)?", re.ASCII)


def _srid(text: str | None) -> int | None:
    """SRS_ID as drivers write it: 4326, '4326', 4326.0; NULL or nan is None. Raises BadRow."""
    if not text or text.lower() in ("nan", "null"):
        return None
    match = _SRID.fullmatch(text)
    if match is None:
        raise BadRow(f"SRS_ID is {text!r}, not a number")
    return int(match.group(1))


def expression_of(text: str | None, server: Server) -> str:
    """The one spelling of an expression as information_schema shows it."""
    return normal.expression(_unescape(text or "", server), printed_by(mariadb=server.mariadb))


def _unescape(text: str, server: Server) -> str:
    r"""Undo the backslashes that MySQL's data dictionary puts into expressions (`_utf8mb4\'a\'`)."""
    if text.isascii() and "\\" not in text:
        return text
    if server.has("information-schema-escaped-expressions"):
        return _ESCAPED.sub(lambda m: _ESCAPES.get(m.group(1), m.group(1)), _once_decoded(text))
    return text


def _once_decoded(text: str) -> str:
    """Undo UTF-8 bytes shown as latin1 in expressions (`Ã©tat` for `état`, recorded on 9.7.4)."""
    if text.isascii():
        return text
    try:
        return b"".join(bytes((ord(c),)) if ord(c) < 256 else c.encode("cp1252") for c in text).decode(
            "utf-8"
        )
    except UnicodeError:
        return text


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """What of a column does not depend on its name and place: a fleet has few. `key` is COLUMN_KEY."""

    type: ColumnType
    nullable: bool
    default: Default | None
    on_update: bool
    auto_increment: bool
    generated: str | None
    expression: str | None
    invisible: bool
    key: str
    has_expression: bool
    attributes: tuple[str, ...]


def shape(row: Mapping[str, object], server: Server, *, null_is_word: bool = False) -> Shape:
    """Read what a row says besides name and place. `null_is_word`: NULL may be a word. Raises BadRow."""
    field = {name: text_of(value) for name, value in row.items()}
    written = field["COLUMN_TYPE"]
    if not written:
        raise BadRow(f"COLUMN_TYPE is {'NULL' if written is None else 'empty'}")
    words = frozenset((field.get("EXTRA") or "").lower().replace(",", " ").split())
    collation = field.get("COLLATION_NAME")
    charset = field.get("CHARACTER_SET_NAME") or (of_collation(collation) if collation else None)
    try:
        type_ = _type(written, charset, collation or None, None)
        if type_.is_geometry and (srid := _srid(field.get("SRS_ID"))) is not None:
            type_ = _type(written, charset, collation or None, srid)
    except ValueError as error:
        raise BadRow(str(error)) from None
    if type_.charset is None and type_.has_members and "CHARACTER_SET_NAME" in field:
        # MySQL 5.6 and MariaDB say binary, MySQL 9.7 says nothing.
        type_ = replace(type_, charset="binary", collation="binary")
    nullable = _is_yes(field["IS_NULLABLE"]) if "IS_NULLABLE" in field else True
    generated = "stored" if words & {"stored", "persistent"} else "virtual" if "virtual" in words else None
    if field.get("GENERATION_EXPRESSION") and not generated and "EXTRA" in field:
        raise BadRow("GENERATION_EXPRESSION has one, and EXTRA does not call the column generated")
    expression = field.get("GENERATION_EXPRESSION") if generated else None
    default = None
    if generated is None and "auto_increment" not in words:
        text = field.get("COLUMN_DEFAULT")
        if server.has("information-schema-quoted-defaults"):
            default = _quoted_default(
                "NULL" if text is None and null_is_word else text, type_, nullable=nullable
            )
        else:
            default = _plain_default(
                text, type_, server, nullable=nullable, is_expression="default_generated" in words
            )
    return Shape(
        type_, nullable, default, "update" in words, "auto_increment" in words, generated,
        expression_of(expression, server) if expression else None, "invisible" in words,
        (field.get("COLUMN_KEY") or "").upper(),
        bool(expression) or (default is not None and default.kind is DefaultKind.EXPRESSION),
        (WITHOUT_VERSIONS,) if "without" in words else (),
    )  # fmt: skip


def _is_yes(value: str | None) -> bool:
    folded = (value or "").strip().upper()
    if folded in ("YES", "NO"):
        return folded == "YES"
    raise BadRow(f"IS_NULLABLE is {'NULL' if value is None else repr(value)}, not YES or NO")


def _null(*, nullable: bool) -> Default | None:
    return DEFAULT_NULL if nullable else None


def _plain_default(
    text: str | None, type_: ColumnType, server: Server, *, nullable: bool, is_expression: bool
) -> Default | None:
    """MySQL, and MariaDB before 10.2.7: a value without quotes; NULL where there is none."""
    if text is None:
        # MySQL 8.0.13 to 8.0.22 leave out the expressions of BLOB, TEXT and JSON columns.
        return Default(DefaultKind.EXPRESSION) if is_expression else _null(nullable=nullable)
    if type_.is_moment and _NOW.match(text) and text[:1] in "Cc":
        return Default(DefaultKind.CURRENT_TIMESTAMP)
    if is_expression:
        return Default(DefaultKind.EXPRESSION, expression_of(text, server))
    if type_.is_byte_string:
        if text == "0x" and type_.base == "varbinary":
            # The catalogue ends at the first NUL byte; of BINARY, '' is shown so too (asked of 9.7).
            raise BadRow("a binary default that begins with NUL is not shown whole: give SHOW CREATE TABLE")
        if _HEX.match(text):
            return Default(DefaultKind.LITERAL, normal.binary_literal(bytes.fromhex(text[2:])))
        return Default(DefaultKind.LITERAL, text.rstrip("\0"))
    if type_.members and type_.charset == "binary" and text not in type_.members and _HEX.match(text):
        # So 9.7 shows members that are bytes.
        return Default(DefaultKind.LITERAL, bytes.fromhex(text[2:]).decode("utf-8", "replace"))
    return Default(DefaultKind.LITERAL, text)


def _quoted_default(text: str | None, type_: ColumnType, *, nullable: bool) -> Default | None:
    """MariaDB from 10.2.7 (MDEV-13132): literals in quotes, NULL as a word."""
    if text is None:
        return None
    if text.upper() == "NULL":
        return _null(nullable=nullable)
    if _LITERAL.match(text):
        value = unquote(text[text.index("'") :])
        return Default(DefaultKind.LITERAL, value.rstrip("\0") if type_.is_byte_string else value)
    if _BITS.match(text):
        if text[0] in "xX" and not type_.is_bit:
            digits = text[2:-1]
            return Default(
                DefaultKind.LITERAL,
                normal.binary_literal(bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2))),
            )
        return Default(DefaultKind.LITERAL, text)
    if type_.is_blob and _HEX.match(text):
        return Default(DefaultKind.LITERAL, bytes.fromhex(text[2:]).decode("utf-8", "replace"))
    if _NUMBER.match(text):
        # 11.8 prints the sign of a zero, which means nothing.
        return Default(DefaultKind.LITERAL, "0" if text == "-0" else text)
    if type_.is_moment and _NOW.match(text):
        return Default(DefaultKind.CURRENT_TIMESTAMP)
    return Default(DefaultKind.EXPRESSION, normal.expression(text, printed_by(mariadb=True)))
