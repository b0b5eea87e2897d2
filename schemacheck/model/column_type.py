"""The one reader of MySQL and MariaDB type text, and the value that it yields.

`ColumnType.parse("int(10) unsigned zerofill")`; the same function serves DDL, information_schema's
COLUMN_TYPE and a library call. It canonicalises: INT8 is bigint, REAL is double, BOOL is
tinyint(1), NATIONAL CHAR is char in utf8mb3, CHARACTER SET binary turns character types into
binary ones, TEXT(n) becomes the smallest of the four TEXT types that holds n characters.
"""

from __future__ import annotations

from operator import attrgetter

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.knowledge import characters
from schemacheck.model import charset as charsets
from schemacheck.model.quote import string
from schemacheck.model.type_facts import ADDRESSES, BLOBS, GEOMETRIES, INTEGERS, TEMPORALS, TEXTS, TYPES
from schemacheck.model.type_text import BadType, Written
from schemacheck.model.type_text import read as read_type

#: Types whose values carry a character set.
CHARACTER = frozenset(("char", "varchar", *TEXTS, "enum", "set"))

#: Types that hold text or bytes, and what is stored like them.
STRINGS = ("char", "varchar", "binary", "varbinary", *TEXTS, *BLOBS, "json", "vector", "xmltype")

#: Capacity in bytes of the TEXT / BLOB types, by length-prefix width 1..4.
BLOB_BYTES = (255, 65_535, 16_777_215, 4_294_967_295)

#: The widths of ZEROFILL integers that name none.
_ZEROFILL_WIDTHS = {"tinyint": 3, "smallint": 5, "mediumint": 8, "int": 10, "bigint": 20}


#: Types are frozen; what is worked out of one is kept with it.
_set = object.__setattr__


class Among:
    """A question to a type: whether it is one of these."""

    __slots__ = ("bases",)

    def __init__(self, *bases: str) -> None:
        self.bases = frozenset(bases)

    def __get__(self, column: ColumnType, kind: type) -> bool:
        return column.base in self.bases


@dataclass(frozen=True, slots=True)
class ColumnType:
    """A column's type.

    `base` is the canonical lower-case word. `length` counts characters for char/varchar, bytes
    for binary/varbinary, bits for bit, digits for decimal and for integers with ZEROFILL, fractional digits
    for temporals, dimensions for vector, and M for float(M,D) / double(M,D); `scale` is D. `charset` is None
    where the type has none or where nobody said it. `text` is the spelling for messages.
    """

    base: str
    length: int | None = None
    scale: int | None = None
    unsigned: bool = False
    zerofill: bool = False
    members: tuple[str, ...] = ()
    charset: str | None = None
    collation: str | None = None
    compressed: bool = False
    srid: int | None = None
    #: TIME, DATETIME, TIMESTAMP in the format before MySQL 5.6.4 (MariaDB: mysql56_temporal_format=OFF).
    old_format: bool = False
    display_width: int | None = field(default=None, compare=False)
    text: str = field(default="", compare=False)
    _hash: int = field(default=0, init=False, repr=False, compare=False)
    _sql: str = field(default="", init=False, repr=False, compare=False)

    is_integer = Among(*INTEGERS)
    is_decimal = Among("decimal")
    is_exact = Among(*INTEGERS, "decimal")
    is_single = Among("float")
    is_double = Among("double")
    is_approximate = Among("float", "double")
    is_bit = Among("bit")
    is_year = Among("year")
    #: Numbers without digits behind the point.
    is_whole = Among(*INTEGERS, "bit", "year")
    is_number = Among(*INTEGERS, "decimal", "float", "double", "bit", "year")

    is_date = Among("date")
    is_time = Among("time")
    is_timestamp = Among("timestamp")
    is_temporal = Among("date", *TEMPORALS)
    tells_time = Among("date", *TEMPORALS, "year")
    #: What may have digits of a second.
    has_fraction = Among(*TEMPORALS)
    has_day = Among("date", "datetime", "timestamp")
    #: A day as it is on a calendar, in no time zone.
    is_calendar = Among("date", "datetime")
    #: A day and a time: what may be CURRENT_TIMESTAMP.
    is_moment = Among("datetime", "timestamp")

    is_char = Among("char")
    is_varchar = Among("varchar")
    is_binary = Among("binary")
    #: The length counts characters.
    is_counted = Among("char", "varchar")
    #: Has a length that the definition gives.
    is_sized = Among("char", "varchar", "binary", "varbinary")
    is_varying = Among("varchar", "varbinary")
    is_padded = Among("char", "binary")
    is_byte_string = Among("binary", "varbinary")
    is_text = Among(*TEXTS)
    is_blob = Among(*BLOBS)
    is_lob = Among(*TEXTS, *BLOBS)
    holds_text = Among("char", "varchar", *TEXTS)
    holds_bytes = Among("binary", "varbinary", *BLOBS)
    is_plain_string = Among("char", "varchar", "binary", "varbinary", *TEXTS, *BLOBS)
    is_string = Among(*STRINGS)
    #: Values carry a character set (ENUM and SET too).
    is_character = Among(*CHARACTER)

    is_enum = Among("enum")
    is_set = Among("set")
    has_members = Among("enum", "set")
    is_json = Among("json")
    is_vector = Among("vector")
    is_point = Among("point")
    is_any_geometry = Among("geometry")
    is_geometry = Among(*GEOMETRIES)
    #: Types of MariaDB that are kept as binary strings of a fixed length.
    is_address = Among(*ADDRESSES)
    #: What may be kept outside of the record.
    is_off_page = Among(*TEXTS, *BLOBS, *GEOMETRIES, "json", "vector")

    def __hash__(self) -> int:
        """Of what tells types apart mostly, computed once: every question about a column's conversion is
        looked up by it. (Without members all lists of a large fleet would be one entry's neighbours, and each
        search among them would compare hundreds.)
        """
        if not self._hash:
            mostly = self.base, self.length, self.scale, self.unsigned, self.charset, self.members
            _set(self, "_hash", hash(mostly))
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        """What another process may have: hashes of text differ there."""
        names = self.__match_args__
        return {**dict(zip(names, attrgetter(*names)(self), strict=True)), "_hash": 0, "_sql": ""}

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        charset: str | None = None,
        collation: str | None = None,
        real_as_float: bool = False,
        backslash: bool = True,
    ) -> ColumnType:
        """Read a type with its type attributes (UNSIGNED, ZEROFILL, CHARACTER SET, COLLATE, ...).

        `charset` and `collation` are what the column inherits where the text names none.
        `backslash` is False under NO_BACKSLASH_ESCAPES. Raises BadType.
        """
        written = read_type(text, backslash=backslash)
        named = "utf8mb3" if written.national and not written.charset else written.charset
        if named is None and written.collation:
            named = charsets.of_collation(written.collation) or charset
        inherited = charsets.canonical(charset) if charset else None
        chosen = charsets.canonical(named) if named else inherited
        picked = written.collation or (collation if named is None or chosen == inherited else None)
        if picked:
            picked = charsets.canonical_collation(picked)
            picked = f"{chosen}_{picked}" if picked.startswith("uca1400_") and chosen else picked
        if written.binary and chosen and not written.collation:
            picked = f"{chosen}_bin"
        return cls.of(written, text=text, charset=chosen, collation=picked, real_as_float=real_as_float)

    @classmethod
    def of(
        cls,
        written: Written,
        *,
        text: str,
        charset: str | None,
        collation: str | None,
        real_as_float: bool = False,
    ) -> ColumnType:
        """The type of what is written, with the column's final collation. Raises BadType."""
        return _build(
            written,
            " ".join(characters.split(text)) if "'" not in text else characters.strip(text),
            charset,
            collation,
            real_as_float=real_as_float,
        )

    @property
    def padded_to(self) -> int | None:
        """Digits that a number shows: ZEROFILL its width, YEAR(2) two; None for others."""
        if self.is_year:
            return self.length
        if not self.zerofill:
            return None
        return self.display_width or _ZEROFILL_WIDTHS.get(self.base)

    @property
    def is_never_negative(self) -> bool:
        """What expressions compute with as an unsigned number."""
        return self.unsigned or self.is_bit or self.is_year

    @property
    def fraction(self) -> int:
        """Fractional second digits of a TIME, DATETIME or TIMESTAMP."""
        return self.length or 0

    @property
    def size(self) -> int | None:
        """Bytes of each value without the fraction of a second; None where values differ."""
        return TYPES[self.base].size

    @property
    def longest(self) -> int:
        """The most bytes of a string, or characters where the character set is not known."""
        return self.length or 0 if self.is_counted and not self.charset else self.max_bytes

    @property
    def max_bytes(self) -> int:
        """The most bytes that a value takes. Needs a known charset for character types (KeyError)."""
        if self.is_counted:
            return (self.length or 0) * charsets.max_bytes(self.charset or "")
        if self.is_byte_string:
            return self.length or 0
        if self.is_lob:
            return BLOB_BYTES[(TEXTS if self.is_text else BLOBS).index(self.base)]
        raise KeyError(f"{self.base} has no byte length")

    def sql(self) -> str:
        """The type as SHOW CREATE TABLE of a recent server prints it, character set included."""
        if not self._sql:
            shown = f" character set {self.charset}" if self.charset and self.is_character else ""
            _set(self, "_sql", self.plain() + shown)
        return self._sql

    def plain(self) -> str:
        """The type as information_schema's COLUMN_TYPE prints it on a recent server."""
        out = self.base
        if self.members:
            quoted = ",".join(map(string, self.members))
            out += f"({quoted})"
        elif self.length is not None and not (self.has_fraction and self.length == 0):
            out += f"({self.length})" if self.scale is None else f"({self.length},{self.scale})"
        elif self.zerofill and self.display_width is not None:
            out += f"({self.display_width})"
        return out + " unsigned" * self.unsigned + " zerofill" * self.zerofill

    def __str__(self) -> str:
        return self.text or self.plain()


#: VECTOR without a length, in elements.
_VECTOR_LENGTH = 2048

BINARY_TWIN = {"char": "binary", "varchar": "varbinary", **dict(zip(TEXTS, BLOBS, strict=True))}


def _build(
    written: Written, text: str, charset: str | None, collation: str | None, *, real_as_float: bool
) -> ColumnType:
    base, numbers = written.base, written.numbers
    length = numbers[0] if numbers else None
    scale = numbers[1] if len(numbers) > 1 else None
    display: int | None = None
    unsigned, zerofill = written.unsigned, written.zerofill
    if base == "serial":
        base, unsigned = "bigint", True
    if base == "real":
        base = "float" if real_as_float else "double"
    if base in INTEGERS:
        display = 1 if written.word in ("bool", "boolean") else length
        # What it shows takes part in expressions: '00042' and '042' are two texts.
        length = (length or _ZEROFILL_WIDTHS[base]) if zerofill else None
    elif written.word == "number" and not numbers:
        base = "double"
    elif base == "decimal":
        length, scale = length or 10, scale or 0
    elif base in ("float", "double"):
        if scale is None:
            # FLOAT(p): the precision only chooses between FLOAT and DOUBLE.
            base = "double" if base == "float" and (length or 0) > 24 else base
            length = None
        elif length == 0 and scale == 0:
            length = scale = None
    elif base in ("bit", "char", "binary") and length is None:
        length = 1
    elif base == "bit":
        length = length or 1
    elif base in TEMPORALS:
        length = length or 0
    elif base in GEOMETRIES:
        length = None
    elif base == "year":
        display, length, unsigned, zerofill = length, 2 if length == 2 else None, False, False
    elif base == "vector" and length is None:
        length = _VECTOR_LENGTH
    elif base in ("varchar", "varbinary") and length is None:
        raise BadType(f"{written.word} needs a length")
    out = ColumnType(
        base, length, scale, unsigned=unsigned, zerofill=zerofill, members=written.members,
        compressed=written.compressed, srid=written.srid, display_width=display, text=text,
        old_format=written.old_format,
    )  # fmt: skip
    if base in CHARACTER:
        return _with_charset(out, charset, collation)
    if base in BLOBS and length is not None:
        return replace(out, base=sized(BLOBS, length) if length else base, length=None)
    return out


def sized(kinds: tuple[str, ...], size: int) -> str:
    """The smallest TEXT or BLOB type that holds `size` bytes."""
    return next((kind for kind, most in zip(kinds, BLOB_BYTES, strict=True) if size <= most), kinds[-1])


def member_bytes(column: ColumnType) -> int:
    """Bytes of a value of an ENUM (1 or 2) or SET (1, 2, 3, 4 or 8)."""
    count = len(column.members)
    if column.is_enum:
        return 1 if count < 256 else 2
    size = max((count + 7) // 8, 1)
    return 8 if size > 4 else size


def span(column: ColumnType) -> tuple[int, int]:
    """Smallest and largest value of an integer column."""
    bits = 8 * (column.size or 0)
    return (0, 2**bits - 1) if column.unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def holds(wide: ColumnType, column: ColumnType) -> bool:
    """Whether an integer column has all values of another one, by the same sign, and more."""
    plain = wide.is_integer and column.is_integer and not wide.zerofill and not column.zerofill
    return plain and wide.unsigned == column.unsigned and span(wide)[1] > span(column)[1]


def _with_charset(column: ColumnType, charset: str | None, collation: str | None) -> ColumnType:
    """What depends on the character set: binary twins, TEXT(n)."""
    if charset == "binary" and column.base in BINARY_TWIN:
        twin = replace(column, base=BINARY_TWIN[column.base])
        if twin.base in BLOBS and column.length is not None:
            twin = replace(
                twin, base=sized(BLOBS, column.length) if column.length else twin.base, length=None
            )
        return twin
    out = replace(column, charset=charset, collation=collation)
    if out.base in TEXTS and out.length is not None:
        # TEXT(n) counts characters: the server multiplies by the bytes per character.
        size = out.length * (charsets.max_bytes(charset) if charset and charsets.known(charset) else 1)
        out = replace(out, base=sized(TEXTS, size) if size else out.base, length=None)
    return out


__all__ = [
    "BLOBS", "BLOB_BYTES", "CHARACTER", "GEOMETRIES", "INTEGERS", "TEMPORALS", "TEXTS", "BadType",
    "ColumnType", "sized", "span",
]  # fmt: skip
