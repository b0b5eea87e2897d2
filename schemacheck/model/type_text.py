"""The grammar of MySQL and MariaDB type text: what is written, before it is made a ColumnType."""

from __future__ import annotations

import re
from functools import lru_cache

from schemacheck.dataclass import dataclass
from schemacheck.model.quote import unquote
from schemacheck.model.type_facts import INTEGERS, TEXTS, TYPES, Facts

_SYNONYMS = {
    "bool": "tinyint", "boolean": "tinyint", "int1": "tinyint", "int2": "smallint", "int3": "mediumint",
    "middleint": "mediumint", "integer": "int", "int4": "int", "int8": "bigint", "dec": "decimal",
    "numeric": "decimal", "fixed": "decimal", "number": "decimal", "float4": "float", "float8": "double",
    "double precision": "double",
    "character": "char", "character varying": "varchar", "char varying": "varchar", "varcharacter": "varchar",
    "nchar": "char", "national char": "char", "national character": "char", "nvarchar": "varchar",
    "national varchar": "varchar", "national varcharacter": "varchar", "nchar varchar": "varchar",
    "nchar varcharacter": "varchar",
    "nchar varying": "varchar", "national char varying": "varchar", "national character varying": "varchar",
    "varchar2": "varchar", "clob": "longtext", "raw": "varbinary",
    "long": "mediumtext", "long varchar": "mediumtext", "long varcharacter": "mediumtext",
    "long char varying": "mediumtext",
    "long character varying": "mediumtext", "long varbinary": "mediumblob",
    "geomcollection": "geometrycollection",
}  # fmt: skip

#: Words that are the start of a column's type and become another one.
_BASES = TYPES | {"real": TYPES["double"], "serial": Facts()}
_SIGNED = frozenset((*INTEGERS, "decimal", "float", "double", "real", "year"))
_WITH_CHARSET = frozenset(("char", "varchar", "enum", "set", *TEXTS))

_TOKEN = re.compile(
    r"""\s+ | /\*M?!\d* | \*/ | /\*.*?\*/ | (?P<national> [nN]'(?:[^'\\]++|\\.|'')*+' )
      | (?P<string> '(?:[^'\\]++|''|\\.)*+' | "(?:[^"\\]++|""|\\.)*+" )
      | (?P<word> [A-Za-z_][A-Za-z0-9_$]* | `[^`]*` )
      | (?P<number> \d+(?:\.\d+)? ) | (?P<punct> [(),=.-] )""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
#: NO_BACKSLASH_ESCAPES: a backslash is a character like any other.
_RAW_STRING = re.compile(r"""\s*(?P<string>'(?:[^']++|'')*+'|"(?:[^"]++|"")*+")""", re.ASCII)
#: information_schema marks columns of an old format: ` /* 5.5 binary format */`, ` /* mariadb-5.3 */`.
_OLD_FORMAT = re.compile(r"/\*\s*(?:5\.5 binary format|mariadb-5\.3)\s*\*/", re.ASCII)


class BadType(ValueError):
    """Type text that no server accepts, or that is not understood."""


@dataclass(frozen=True, slots=True)
class Written:
    """A type as written: the word in lower case, its canonical base, numbers, members, attributes.

    `charset` and `collation` are those that the text names, `binary` the attribute BINARY.
    """

    word: str
    base: str
    numbers: tuple[int, ...] = ()
    members: tuple[str, ...] = ()
    unsigned: bool = False
    zerofill: bool = False
    signed: bool = False
    charset: str | None = None
    collation: str | None = None
    binary: bool = False
    compressed: bool = False
    srid: int | None = None
    old_format: bool = False

    @property
    def national(self) -> bool:
        """NATIONAL CHAR, NCHAR, NVARCHAR: utf8mb3."""
        return self.word.startswith(("national", "nchar", "nvarchar"))


#: A list of members as servers print most: without a quote, backslash or comment in it, or attributes.
_PLAIN_LIST = re.compile(r"(enum|set)\('([^'\\]*+(?:','[^'\\]*+)*+)'\)")


@lru_cache(maxsize=16_384)
def read(text: str, *, backslash: bool = True) -> Written:
    """Read a type with its attributes. Raises BadType."""
    plain = _PLAIN_LIST.fullmatch(text) if "/*" not in text else None
    if plain is not None:
        # (Token by token it takes eight times as long, and no two tables of a fleet have the same lists.)
        word, members = plain.groups()
        return Written(word, word, members=tuple([member.rstrip(" ") for member in members.split("','")]))
    return _Reader(text, backslash=backslash).read()


class _Reader:
    """Tokens of one type text, consumed left to right."""

    def __init__(self, text: str, *, backslash: bool) -> None:
        self.source = text
        self.backslash = backslash
        self.tokens: list[tuple[str, str]] = []
        self.old_format = "/*" in text and _OLD_FORMAT.search(text) is not None
        # MariaDB's COLUMN_TYPE shows attributes in versioned comments: their marks are passed over.
        position = 0
        size = len(text)
        while position < size:
            match = None if backslash else _RAW_STRING.match(text, position)
            match = match or _TOKEN.match(text, position)
            if match is None:
                raise BadType(f"unexpected {text[position : position + 10]!r} in type {_short(text)!r}")
            position = match.end()
            if match.lastgroup:
                value = match.group(match.lastgroup)
                self.tokens.append((match.lastgroup, value.lower() if match.lastgroup == "word" else value))
        self.tokens.append(("end", ""))
        self.at = 0

    def take(self, *words: str) -> bool:
        """Consume these words in a row if they come next."""
        ahead = self.tokens[self.at : self.at + len(words)]
        if len(ahead) == len(words) and all(
            kind in ("word", "punct") and value == word
            for (kind, value), word in zip(ahead, words, strict=True)
        ):
            self.at += len(words)
            return True
        return False

    def fail(self) -> BadType:
        rest = " ".join(value for _, value in self.tokens[self.at :])
        return BadType(
            f"cannot read type {_short(self.source)!r} at {_short(rest)!r}"
            if rest
            else f"type {_short(self.source)!r} is incomplete"
        )

    def name(self) -> str:
        kind, value = self.tokens[self.at]
        if kind not in ("word", "string"):
            raise self.fail()
        self.at += 1
        return value.strip("'\"`").lower()

    def numbers(self) -> tuple[int, ...]:
        """`(10,2)` -> (10, 2); () where no parenthesis follows."""
        if not self.take("("):
            return ()
        numbers: list[int] = []
        while True:
            kind, value = self.tokens[self.at]
            if kind != "number" or "." in value:
                raise self.fail()
            numbers.append(int(value[:30]))
            self.at += 1
            if self.take(")"):
                return tuple(numbers)
            if not self.take(","):
                raise self.fail()

    def members(self) -> tuple[str, ...]:
        if not self.take("("):
            raise self.fail()
        members: list[str] = []
        while True:
            members.append(self.member().rstrip(" "))
            if self.take(")"):
                return tuple(members)
            if not self.take(","):
                raise self.fail()

    def member(self) -> str:
        kind, value = self.tokens[self.at]
        if kind not in ("string", "national"):
            raise self.fail()
        self.at += 1
        return unquote(value.removeprefix("N").removeprefix("n"), backslash=self.backslash)

    def type_word(self) -> str:
        """The longest type name, synonyms of several words included."""
        words: list[str] = []
        for kind, value in self.tokens[self.at : self.at + 3]:
            if kind != "word":
                break
            words.append(value)
        for count in range(len(words), 0, -1):
            name = " ".join(words[:count])
            if name in _SYNONYMS or (count == 1 and name in _BASES):
                self.at += count
                return name
        raise self.fail()

    def read(self) -> Written:
        word = self.type_word()
        base = _SYNONYMS.get(word, word)
        members: tuple[str, ...] = ()
        numbers: tuple[int, ...] = ()
        if base in ("enum", "set"):
            members = self.members()
        else:
            numbers = self.numbers()
            bare = word in ("bool", "boolean", "clob") or word.startswith("long ")
            if len(numbers) not in ((0,) if bare else _BASES[base].numbers):
                raise BadType(f"type {_short(self.source)!r} does not take {len(numbers)} number(s)")
        out = self.attributes(word, base, numbers, members)
        if self.tokens[self.at][0] != "end":
            raise self.fail()
        return out

    def attributes(self, word: str, base: str, numbers: tuple[int, ...], members: tuple[str, ...]) -> Written:
        """UNSIGNED, ZEROFILL, CHARACTER SET, COLLATE, BINARY, ASCII, UNICODE, BYTE, COMPRESSED, SRID."""
        unsigned = zerofill = signed = binary = compressed = False
        charset = collation = None
        srid: int | None = None
        number, character = base in _SIGNED, base in _WITH_CHARSET
        while self.tokens[self.at][0] != "end":
            if number and self.take("unsigned"):
                unsigned = True
            elif number and self.take("signed"):
                signed = True
            elif number and self.take("zerofill"):
                zerofill = unsigned = True
            elif character and (
                self.take("character", "set") or self.take("char", "set") or self.take("charset")
            ):
                self.take("=")
                charset = self.name()
            elif self.take("collate"):
                self.take("=")
                collation = self.name()
            elif character and self.take("ascii"):
                charset = "latin1"
            elif character and self.take("unicode"):
                charset = "ucs2"
            elif character and self.take("byte"):
                charset = "binary"
            elif character and self.take("binary"):
                binary = True
            elif self.take("compressed"):
                compressed = True
                if self.take("="):
                    self.name()
            elif self.take("srid") or self.take("ref_system_id"):
                self.take("=")
                kind, value = self.tokens[self.at]
                if kind != "number":
                    raise self.fail()
                srid = int(value)
                self.at += 1
            else:
                break
        return Written(
            word,
            base,
            numbers,
            members,
            unsigned,
            zerofill,
            signed,
            charset,
            collation,
            binary,
            compressed,
            srid,
            self.old_format,
        )


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
