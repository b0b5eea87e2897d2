"""The one reader of MySQL and MariaDB type text, and the value that it yields.

`ColumnType.parse("int(10) unsigned zerofill")`; the same function serves DDL, information_schema's
COLUMN_TYPE and a library call. It canonicalises: INT8 is bigint, REAL is double, BOOL is
tinyint(1), NATIONAL CHAR is char in utf8mb3, CHARACTER SET binary turns character types into
binary ones, TEXT(n) becomes the smallest of the four TEXT types that holds n characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from schemacheck.model import charset as charsets

INTEGERS = ("tinyint", "smallint", "mediumint", "int", "bigint")
TEXTS = ("tinytext", "text", "mediumtext", "longtext")
BLOBS = ("tinyblob", "blob", "mediumblob", "longblob")
TEMPORALS = ("time", "datetime", "timestamp")
GEOMETRIES = (
    "geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon",
    "geometrycollection",
)
#: Types whose values carry a character set.
CHARACTER = ("char", "varchar", *TEXTS, "enum", "set")

#: Capacity in bytes of the TEXT / BLOB types, by length-prefix width 1..4.
BLOB_BYTES = (255, 65_535, 16_777_215, 4_294_967_295)

_SYNONYMS = {
    "bool": "tinyint", "boolean": "tinyint", "int1": "tinyint", "int2": "smallint", "int3": "mediumint",
    "middleint": "mediumint", "integer": "int", "int4": "int", "int8": "bigint", "dec": "decimal",
    "numeric": "decimal", "fixed": "decimal", "number": "decimal", "float4": "float", "float8": "double", "double precision": "double",
    "character": "char", "character varying": "varchar", "char varying": "varchar", "varcharacter": "varchar",
    "nchar": "char", "national char": "char", "national character": "char", "nvarchar": "varchar",
    "national varchar": "varchar", "national varcharacter": "varchar", "nchar varchar": "varchar", "nchar varcharacter": "varchar",
    "nchar varying": "varchar", "national char varying": "varchar", "national character varying": "varchar",
    "varchar2": "varchar", "clob": "longtext", "raw": "varbinary",
    "long": "mediumtext", "long varchar": "mediumtext", "long varcharacter": "mediumtext", "long char varying": "mediumtext",
    "long character varying": "mediumtext", "long varbinary": "mediumblob",
    "geomcollection": "geometrycollection", "char byte": "binary",
}  # fmt: skip
_NATIONAL = re.compile(r"^(national|nchar|nvarchar)\b")

_TOKEN = re.compile(
    r"""\s+ | (?P<string> '(?:[^'\\]|''|\\.)*' | "(?:[^"\\]|""|\\.)*" ) | (?P<hex> [xX]'[0-9A-Fa-f]*' | 0[xX][0-9A-Fa-f]+ )
      | (?P<word> [A-Za-z_][A-Za-z0-9_$]* | `[^`]*` ) | (?P<number> \d+(?:\.\d+)? ) | (?P<punct> [(),=.] )""",
    re.VERBOSE,
)


class BadType(ValueError):
    """Type text that no server accepts, or that is not understood."""


@dataclass(frozen=True, slots=True)
class ColumnType:
    """A column's type.

    `base` is the canonical lower-case word. `length` counts characters for char/varchar, bytes
    for binary/varbinary, bits for bit, digits for decimal, fractional digits for temporals,
    dimensions for vector, and M for float(M,D) / double(M,D); `scale` is D. `charset` is None
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
    display_width: int | None = field(default=None, compare=False)
    text: str = field(default="", compare=False)

    @classmethod
    def parse(cls, text: str, *, charset: str | None = None, collation: str | None = None, real_as_float: bool = False) -> ColumnType:
        """Read a type with its type attributes (UNSIGNED, ZEROFILL, CHARACTER SET, COLLATE, ...).

        `charset` and `collation` are what the column inherits where the text names none. Raises
        BadType.
        """
        return _Reader(text, real_as_float=real_as_float).read(charset, collation)

    @property
    def is_integer(self) -> bool:
        """TINYINT to BIGINT."""
        return self.base in INTEGERS

    @property
    def is_text(self) -> bool:
        """The four TEXT types."""
        return self.base in TEXTS

    @property
    def is_blob(self) -> bool:
        """The four BLOB types."""
        return self.base in BLOBS

    @property
    def is_character(self) -> bool:
        """Whether values carry a character set (ENUM and SET too)."""
        return self.base in CHARACTER

    @property
    def is_geometry(self) -> bool:
        """GEOMETRY and its subtypes."""
        return self.base in GEOMETRIES

    @property
    def fraction(self) -> int:
        """Fractional second digits of a TIME, DATETIME or TIMESTAMP."""
        return self.length or 0

    @property
    def max_bytes(self) -> int:
        """The most bytes that a value takes. Needs a known charset for character types (KeyError)."""
        if self.base in ("char", "varchar"):
            return (self.length or 0) * charsets.max_bytes(self.charset or "")
        if self.base in ("binary", "varbinary"):
            return self.length or 0
        if self.is_text or self.is_blob:
            return BLOB_BYTES[(TEXTS if self.is_text else BLOBS).index(self.base)]
        message = f"{self.base} has no byte length"
        raise KeyError(message)

    def sql(self) -> str:
        """The type as SHOW CREATE TABLE of a recent server prints it, character set included."""
        plain = self.plain()
        if self.charset and self.is_character:
            plain += f" character set {self.charset}"
        return plain

    def plain(self) -> str:
        """The type as information_schema's COLUMN_TYPE prints it on a recent server."""
        out = self.base
        if self.members:
            quoted = ",".join("'" + m.replace("'", "''") + "'" for m in self.members)
            out += f"({quoted})"
        elif self.length is not None and not (self.base in TEMPORALS and self.length == 0):
            out += f"({self.length})" if self.scale is None else f"({self.length},{self.scale})"
        elif self.zerofill and self.display_width is not None:
            out += f"({self.display_width})"
        return out + " unsigned" * self.unsigned + " zerofill" * self.zerofill

    def __str__(self) -> str:
        return self.text or self.plain()


class _Reader:
    """Tokens of one type text, consumed left to right."""

    def __init__(self, text: str, *, real_as_float: bool) -> None:
        self.source = " ".join(text.split()) if "'" not in text else text.strip()
        self.real_as_float = real_as_float
        self.tokens: list[tuple[str, str]] = []
        position = 0
        # MariaDB's COLUMN_TYPE shows attributes in versioned comments.
        stripped = re.sub(r"/\*M?!\d*\s*(.*?)\s*\*/", r" \1 ", text)
        while position < len(stripped):
            match = _TOKEN.match(stripped, position)
            if match is None:
                message = f"unexpected {stripped[position:position + 10]!r} in type {text!r}"
                raise BadType(message)
            position = match.end()
            if match.lastgroup:
                value = match.group()
                self.tokens.append((match.lastgroup, value.lower() if match.lastgroup == "word" else value))
        self.at = 0

    def peek(self) -> str | None:
        return self.tokens[self.at][1] if self.at < len(self.tokens) and self.tokens[self.at][0] != "string" else None

    def take(self, *words: str) -> bool:
        """Consume these words in a row if they come next."""
        ahead = self.tokens[self.at : self.at + len(words)]
        if tuple(value for kind, value in ahead if kind != "string") == words:
            self.at += len(words)
            return True
        return False

    def fail(self) -> BadType:
        rest = " ".join(value for _, value in self.tokens[self.at :])
        return BadType(f"cannot read type {self.source!r} at {rest!r}")

    def word(self) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at][0] in ("word", "string"):
            self.at += 1
            return self.tokens[self.at - 1][1].strip("'\"`")
        raise self.fail()

    def numbers(self) -> tuple[int, ...]:
        """`(10,2)` -> (10, 2); () where no parenthesis follows."""
        if self.peek() != "(":
            return ()
        self.at += 1
        found: list[int] = []
        while True:
            kind, value = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
            if kind != "number":
                raise self.fail()
            found.append(int(float(value)))
            self.at += 1
            if self.take(","):
                continue
            if self.take(")"):
                return tuple(found)
            raise self.fail()

    def members(self) -> tuple[str, ...]:
        if not self.take("("):
            raise self.fail()
        found: list[str] = []
        while True:
            # An introducer (_utf8mb4'x') says how the literal was written, not what it means.
            if self.at < len(self.tokens) and self.tokens[self.at][0] == "word" and self.tokens[self.at][1].startswith("_"):
                self.at += 1
            kind, value = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
            if kind == "string":
                found.append(unquote(value).rstrip(" "))
            elif kind == "hex":
                digits = value[2:].strip("'")
                found.append(bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2)).decode("utf-8", "replace").rstrip(" "))
            else:
                raise self.fail()
            self.at += 1
            if self.take(","):
                continue
            if self.take(")"):
                return tuple(found)
            raise self.fail()

    def base(self) -> str:
        """The longest type name, synonyms of several words included."""
        words: list[str] = []
        while self.at + len(words) < len(self.tokens) and self.tokens[self.at + len(words)][0] == "word" and len(words) < 3:
            words.append(self.tokens[self.at + len(words)][1])
        for count in range(len(words), 0, -1):
            name = " ".join(words[:count])
            if name in _SYNONYMS or (count == 1 and name in _KNOWN):
                self.at += count
                return name
        raise self.fail()

    def read(self, charset: str | None, collation: str | None) -> ColumnType:
        written = self.base()
        base = _SYNONYMS.get(written, written)
        if base == "real":
            base = "float" if self.real_as_float else "double"
        members: tuple[str, ...] = ()
        numbers: tuple[int, ...] = ()
        if base in ("enum", "set"):
            members = self.members()
        elif written not in ("bool", "boolean"):
            numbers = self.numbers()
        if base == "double" and self.take("precision"):
            numbers = numbers or self.numbers()
        attributes = self.attributes()
        if self.at != len(self.tokens):
            raise self.fail()
        if _NATIONAL.match(written):
            attributes.setdefault("charset", "utf8mb3")
        return self.build(written, base, numbers, members, attributes, charset, collation)

    def attributes(self) -> dict[str, str]:
        """UNSIGNED, ZEROFILL, CHARACTER SET x, COLLATE x, BINARY, ASCII, UNICODE, BYTE, COMPRESSED, SRID n."""
        out: dict[str, str] = {}
        while self.at < len(self.tokens):
            if self.take("unsigned"):
                out["unsigned"] = "1"
            elif self.take("signed"):
                pass
            elif self.take("zerofill"):
                out["zerofill"] = out["unsigned"] = "1"
            elif self.take("character", "set") or self.take("char", "set") or self.take("charset"):
                self.take("=")
                out["charset"] = charsets.canonical(self.word())
            elif self.take("collate"):
                self.take("=")
                out["collation"] = self.word().lower()
            elif self.take("ascii"):
                out["charset"] = "latin1"
            elif self.take("unicode"):
                out["charset"] = "ucs2"
            elif self.take("byte"):
                out["charset"] = "binary"
            elif self.take("binary"):
                out["binary"] = "1"
            elif self.take("compressed"):
                out["compressed"] = "1"
                self.take("=")
            elif self.take("srid") or self.take("ref_system_id"):
                self.take("=")
                out["srid"] = str(self.tokens[self.at][1]) if self.at < len(self.tokens) else ""
                self.at += 1
            else:
                break
        return out

    def build(
        self, written: str, base: str, numbers: tuple[int, ...], members: tuple[str, ...], attributes: dict[str, str],
        charset: str | None, collation: str | None,
    ) -> ColumnType:  # fmt: skip
        length = numbers[0] if numbers else None
        scale = numbers[1] if len(numbers) > 1 else None
        display: int | None = None
        unsigned = "unsigned" in attributes or base == "serial"
        if base == "serial":
            base = "bigint"
        if base in INTEGERS:
            display, length, scale = (1 if written in ("bool", "boolean") else length), None, None
        elif base == "decimal":
            length, scale = length or 10, scale or 0
        elif base in ("float", "double") and scale is None:
            # FLOAT(p): the precision only chooses between FLOAT and DOUBLE.
            base = "double" if base == "float" and (length or 0) > 24 else base
            length = None
        elif base in ("bit", "char", "binary") and length is None:
            length = 1
        elif base in TEMPORALS:
            length = length or 0
        elif base in ("year", "date", "json"):
            display, length = length, None
        elif base in ("varchar", "varbinary", "vector") and length is None:
            message = f"{written} needs a length"
            raise BadType(message)
        out = ColumnType(
            base, length, scale, unsigned=unsigned, zerofill="zerofill" in attributes, members=members,
            compressed="compressed" in attributes, srid=int(attributes["srid"]) if attributes.get("srid", "").isdigit() else None,
            display_width=display, text=self.source,
        )  # fmt: skip
        if base in CHARACTER:
            out = _with_charset(out, attributes, charset, collation)
        elif base in BLOBS and length is not None:
            out = replace(out, base=_sized(BLOBS, length), length=None)
        return out


_KNOWN = frozenset(
    {*INTEGERS, *TEXTS, *BLOBS, *TEMPORALS, *GEOMETRIES, "decimal", "float", "double", "real", "bit", "year", "date", "char", "varchar",
     "binary", "varbinary", "enum", "set", "json", "vector", "uuid", "inet4", "inet6", "xmltype", "serial"}
)  # fmt: skip

_BINARY_TWIN = {"char": "binary", "varchar": "varbinary", **dict(zip(TEXTS, BLOBS, strict=True))}


def _sized(kinds: tuple[str, ...], size: int) -> str:
    """The smallest TEXT or BLOB type that holds `size` bytes."""
    return next((kind for kind, most in zip(kinds, BLOB_BYTES, strict=True) if size <= most), kinds[-1])


def _with_charset(column: ColumnType, attributes: dict[str, str], charset: str | None, collation: str | None) -> ColumnType:
    """Settle the character set, then what depends on it: binary twins, TEXT(n), over-long VARCHAR."""
    named = attributes.get("charset")
    if named is None and "collation" in attributes:
        named = charsets.of_collation(attributes["collation"]) or charset
    own = named is not None
    chosen = named or (charsets.canonical(charset) if charset else None)
    picked = attributes.get("collation") or (None if own and chosen != charset else collation)
    if "binary" in attributes and chosen:
        picked = f"{chosen}_bin"
    if chosen == "binary" and column.base in _BINARY_TWIN:
        twin = replace(column, base=_BINARY_TWIN[column.base])
        if twin.base in BLOBS and column.length is not None:
            twin = replace(twin, base=_sized(BLOBS, column.length), length=None)
        return twin
    out = replace(column, charset=chosen, collation=picked)
    if out.base in TEXTS and out.length is not None:
        # TEXT(n) counts characters: the server multiplies by the bytes per character.
        out = replace(out, base=_sized(TEXTS, out.length * (charsets.max_bytes(chosen) if chosen and charsets.known(chosen) else 1)), length=None)
    return out


_ESCAPES = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}
_ESCAPED = {
    ("'", True): re.compile(r"\\(.)|''", re.DOTALL), ('"', True): re.compile(r'\\(.)|""', re.DOTALL),
    ("'", False): re.compile(r"()''"), ('"', False): re.compile(r'()""'),
}  # fmt: skip


def unquote(literal: str, *, backslash: bool = True) -> str:
    """The value of a quoted SQL string: doubled quotes and (unless NO_BACKSLASH_ESCAPES) backslash escapes undone."""
    quote, body = literal[0], literal[1:-1]
    if quote not in body and "\\" not in body:
        return body
    return _ESCAPED[quote, backslash].sub(lambda m: _ESCAPES.get(m.group(1), m.group(1)) if m.group(1) else quote, body)
