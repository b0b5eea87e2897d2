"""The type of what an expression gives, as CREATE TABLE ... SELECT makes a column of it: MySQL 5.6 and 9.7,
MariaDB 10.11 and 11.8 (`Item::fix_length_and_dec`, `create_tmp_field`; each rule asked of the four). What was
not asked is not known.

`Result.chars` is the length that the value has as a text, as servers reckon it before they know the value.
"""

from __future__ import annotations

from typing import NamedTuple

from schemacheck.catalog import default_values
from schemacheck.catalog.collation import Collation
from schemacheck.catalog.context import Context
from schemacheck.catalog.types import column_type
from schemacheck.dataclass import dataclass
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import BLOBS, TEXTS
from schemacheck.model.expression_tree import Item
from schemacheck.model.table import DEFAULT_NULL, Column, Default, DefaultKind
from schemacheck.sql import characters
from schemacheck.sql.ddl.draft import ColumnDraft

#: The decimals of a DOUBLE that has no fixed number of them (NOT_FIXED_DEC).
FREE = 31
#: The length of a DOUBLE without fixed decimals as a text: MySQL 9.7, and the others.
_NEW_DOUBLE, DOUBLE = 22, 23
_INT_DIGITS, _INT_CHARS = 10, 11
_DECIMAL_DIGITS, _DECIMAL_SCALE = 65, 30
#: A text of more characters is a BLOB (CONVERT_IF_BIGGER_TO_BLOB).
_LONGEST_VARCHAR = 512
_TEXT_BYTES, _MEDIUM_BYTES = 65_535, 16_777_215
_MOMENTS = ("date", "time", "datetime", "timestamp")
_NO_ZEROS = frozenset(("NO_ZERO_DATE", "NO_ZERO_IN_DATE"))


class Unsure(Exception):
    """A type that is not known."""


class Result(NamedTuple):
    """`kind`: "int", "decimal", "double", "text", "null", "bits" (a literal), a moment's type, or "other",
    whose type is `base`. `chars` and `digits` are -1 where they are not known; `digits` and `scale` are a
    number's; `fixed` says that it is a literal; `base`: the type, where the kind does not say it.
    """

    kind: str
    chars: int = 0
    nullable: bool = False
    scale: int = 0
    digits: int = 0
    unsigned: bool = False
    fixed: bool = False
    base: str = ""

    @property
    def moment(self) -> bool:
        """Whether it is a date or a time."""
        return self.kind in _MOMENTS


@dataclass(frozen=True, slots=True)
class Ways:
    """Whose types these are: "mysql-5.6", "mysql-9.7", "mariadb-10.11" or "mariadb-11.8". `strict`: in strict
    mode what functions of texts give may be NULL (`Item_str_func::fix_fields`).
    """

    name: str
    strict: bool = False

    @property
    def mariadb(self) -> bool:
        """MariaDB's."""
        return self.name.startswith("mariadb")

    @property
    def old(self) -> bool:
        """MySQL 5.6's."""
        return self.name == "mysql-5.6"

    @property
    def new(self) -> bool:
        """MySQL 9.7's."""
        return self.name == "mysql-9.7"

    @property
    def late(self) -> bool:
        """MariaDB 11.8's."""
        return self.name == "mariadb-11.8"

    def integer(
        self, chars: int, *, digits: int = 0, nullable: bool = False, unsigned: bool = False, base: str = ""
    ) -> Result:
        """An integer of so many characters."""
        if self.mariadb and not base and chars >= 0:
            base = "bigint" if chars > 9 + unsigned else "int"
        digits = digits or (max(chars - (not unsigned), 1) if chars >= 0 else -1)
        return Result("int", chars, nullable, digits=digits, unsigned=unsigned, base=base)

    def decimal(self, digits: int, scale: int, *, nullable: bool) -> Result:
        """A DECIMAL. Raises Unsure for more digits than it has."""
        if digits > _DECIMAL_DIGITS or scale > _DECIMAL_SCALE or digits < 1:
            raise Unsure
        return Result("decimal", digits + (scale > 0) + 1, nullable, scale, digits)

    def double(self, scale: int = FREE, *, nullable: bool) -> Result:
        """A DOUBLE."""
        if self.new:
            return Result("double", _NEW_DOUBLE, nullable, scale)
        return Result("double", DOUBLE if scale >= FREE else 17 + scale, nullable, scale)

    def text(self, chars: int, *, nullable: bool) -> Result:
        """What a function of texts gives, which may be nullable whatever its arguments are."""
        if chars < 0:
            raise Unsure
        return Result("text", chars, nullable or self.strict)

    def moment(self, kind: str, scale: int = 0, *, nullable: bool) -> Result:
        """A date or a time with so many digits of a second."""
        if scale > 6:
            raise Unsure
        size = {"date": 10, "time": 10}.get(kind, 19)
        return Result(kind, size + (scale + 1 if scale else 0), nullable, scale)

    def literal(self, item: Item) -> Result:
        """A literal, but a text. Raises Unsure."""
        value = item.value
        match item.kind:
            case "null":
                return Result("null", nullable=True)
            case "bits":
                digits = value.strip("'")[2:].rstrip("'")
                size = (
                    (len(digits) + 1) // 2 if value[0] == "x" or value[1] == "x" else (len(digits) + 7) // 8
                )
                return Result("bits", size)
            case "moment":
                fraction = value.partition(".")[2]
                kind = "datetime" if item.name == "timestamp" else item.name
                if fraction and not characters.is_digits(fraction):
                    raise Unsure
                return self.moment(kind, 0 if kind == "date" else len(fraction), nullable=False)
            case "number":
                return self._number(item)
        raise Unsure

    def _number(self, item: Item) -> Result:
        if item.detail:
            # TRUE and FALSE.
            chars = 5 if self.mariadb and not self.late else 1
            return Result("int", chars, digits=chars, base="int", fixed=True)
        minus = item.value.startswith("-")
        plain = item.value.lstrip("+-")
        if len(item.value) - len(plain) > 1:
            raise Unsure
        if "e" in plain.lower():
            chars = _NEW_DOUBLE if self.new else len(item.value)
            return Result("double", DOUBLE if minus and self.old else chars, scale=FREE, fixed=True)
        whole, point, fraction = plain.partition(".")
        if point:
            if len(whole) > 1 and whole[0] == "0":
                raise Unsure
            made = self.decimal(len(whole) + len(fraction), len(fraction), nullable=False)
            return made._replace(fixed=True, chars=made.chars + (minus and self.old))
        number = int(plain)
        if number > 2**64 - 1 or (minus and number > 2**63):
            if minus:
                raise Unsure
            return self.decimal(len(plain), 0, nullable=False)._replace(fixed=True)
        unsigned = number > 2**63 - 1 and not minus
        chars = len(plain) + (minus or (self.new and not unsigned))
        if self.mariadb:
            base = "bigint" if len(plain) + minus > 9 else "int"
        elif minus:
            base = "bigint" if len(plain) + 1 > 11 else "int"
        else:
            base = "bigint" if len(plain) > (8 if self.new else 9) else "int"
        return Result("int", chars, digits=len(plain), unsigned=unsigned, fixed=True, base=base)

    def column(self, one: Result, collation: Collation | None, context: Context) -> Column:
        """The column that is made of it. Raises Unsure; Refused as `column_type` does."""
        written, collate = self._written(one, collation)
        draft = ColumnDraft("", written, nullable=one.nullable, collation=collate)
        kind = column_type(draft, context, "utf8mb4" if collate else None, collate)
        default: Default | None = DEFAULT_NULL if one.nullable else None
        if not one.nullable and not self.mariadb:
            text = default_values.implicit(kind)
            if text is not None and "-00" in text:
                if self.old:
                    text = text if context.modes.isdisjoint(_NO_ZEROS) else "?"
                else:
                    text = None if not context.modes.isdisjoint(_NO_ZEROS) else text
            if text == "?":
                raise Unsure
            default = Default(DefaultKind.LITERAL, text) if text is not None else None
        return Column("", kind, nullable=one.nullable, default=default)

    def _written(self, one: Result, collation: Collation | None) -> tuple[str, str | None]:
        """The type as SQL, and its collation."""
        if one.kind == "int":
            if not one.base and one.chars < 0:
                raise Unsure
            if one.digits >= _INT_DIGITS and not one.base and one.chars <= _INT_CHARS and not self.mariadb:
                # The value may not fit the INT that MySQL makes.
                raise Unsure
            base = one.base or ("bigint" if one.chars > (9 if self.mariadb else 11) else "int")
            return f"{base}{' unsigned' if one.unsigned else ''}", None
        if one.kind == "decimal":
            return f"decimal({one.digits},{one.scale})", None
        if one.kind == "double":
            return ("double" if one.scale >= FREE else f"double({one.chars},{one.scale})"), None
        if one.moment:
            return one.kind + (f"({one.scale})" if one.scale and one.kind != "date" else ""), None
        if one.kind == "other":
            if one.base not in TEXTS:
                return one.base, None
            if collation is None or collation.charset == "binary":
                raise Unsure
            return f"{one.base} character set {collation.charset}", collation.name
        if one.kind in ("null", "bits"):
            return self._text(one.chars, None)
        if one.kind != "text" or collation is None:
            raise Unsure
        return self._text(one.chars, collation)

    def _text(self, chars: int, collation: Collation | None) -> tuple[str, str | None]:
        binary = collation is None or collation.charset == "binary"
        many = 1 if collation is None or binary else charsets.max_bytes(collation.charset)
        if chars > _LONGEST_VARCHAR:
            size = chars * many
            at = 1 if size <= _TEXT_BYTES else 2 if self.mariadb and size <= _MEDIUM_BYTES else 3
            base = (BLOBS if binary else TEXTS)[at]
        else:
            fixed = chars == 0 and not self.new
            base = ("binary" if binary else "char") if fixed else ("varbinary" if binary else "varchar")
            base = f"{base}({chars})"
        if binary or collation is None:
            return base, None
        return f"{base} character set {collation.charset}", collation.name
