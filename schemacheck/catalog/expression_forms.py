"""Forms of expressions whose meaning is known; of all others it is unknown what the server makes of them.

Servers write conversions of character sets into expressions, compute constants when a table is made, and
refuse what depends on the session. What real schemas have is known by its form, asked of MySQL 5.6 and 9.7,
MariaDB 10.11 and 11.8: one character set, literals, functions without arguments. `Refused` without a number
says that a server has to be asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from schemacheck import knowledge
from schemacheck.catalog.context import Context
from schemacheck.knowledge import characters
from schemacheck.model import charset as charsets
from schemacheck.model import normal
from schemacheck.model.column_type import ColumnType
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.table import Column, Key
from schemacheck.sql.expression_words import called
from schemacheck.sql.lexer import Refused

_STRING = re.compile(
    r"(?:_([a-z0-9]+)\s*|\b([xbn]))?'(?:[^'\\]|''|\\.)*'", re.IGNORECASE | re.DOTALL | re.ASCII
)
#: Literals and functions whose character set is another one than the connection's.
_OTHER_TEXT = re.compile(
    r"\b0[xb][0-9a-f]|\bcollate\b|\bconvert\b|\bbinary\b|\bcharset\b|weight_string|\bchar\s*\(.*using",
    re.IGNORECASE | re.ASCII,
)
_OWN_CHARSET = re.compile(r" (?:charset|character set) utf8mb4\b", re.ASCII)
_COMPARES = re.compile(
    r"[=<>]|\b(?:in|like|field|strcmp|regexp|rlike|case|between|find_in_set|locate|instr|nullif|greatest|least)\b",
    re.ASCII,
)
_OF_NULL = re.compile(
    r"\bnull\s+(?:regexp|rlike|like)|\b(?!(?:if|ifnull|coalesce|nullif)\()\w+\(\s*null\b", re.ASCII
)
_TO_TEXT = re.compile(r"\b(?:as|returning)\s+n?char\b", re.ASCII)
_JOINS = re.compile(r"\b(?:concat|concat_ws|if|ifnull|coalesce)\(", re.ASCII)
_ESCAPE = re.compile(r"\bescape\b(?!\s*'(?:[\x20-\x26\x28-\x5b\x5d-\x7e]|\\\\)')", re.IGNORECASE | re.ASCII)
#: What a column of each type takes from a function, of which no value has to be known.
_GIVE = {
    "uuid": frozenset(("uuid", "sys_guid", "uuid_v4", "uuid_v7")),
    "inet4": frozenset(("inet_ntoa", "inet6_ntoa")),
    "inet6": frozenset(("inet6_ntoa", "inet6_aton")),
}
_SMALL_SUM = re.compile(r"[0-9] ?\+ ?[0-9]", re.ASCII)
_DOCUMENT = re.compile(r"json_(?:object|array)\((?:'[^'\\]*'|[0-9]+|,)*\)", re.ASCII)
_ROW_ENDS = ("row start", "row end")
_WORDS = frozenset(
    ("and", "or", "xor", "not", "in", "is", "like", "when", "then", "else", "case", "div", "mod", "as")
)
_UUIDS = frozenset(("uuid", "sys_guid"))
_NUMBER = re.compile(r"(?<![\w.`])[0-9]|\b(?:true|false)\b", re.ASCII)
#: A number with an exponent, or a function of constants.
_APPROXIMATE = re.compile(r"(?<![\w.`])[0-9.]+e[0-9+-]|\w+\([^()a-z`]*\)|[0-9]\s*[-+*/%]\s*[0-9]", re.ASCII)
#: Conditions that servers fold: of constants.
_FOLDED = re.compile(
    r"(?:\A|\(|\b(?:and|or|xor|not)\s)\s*(?:[0-9.]+|true|false)\s+(?:and|or|xor)\b"
    r"|\b(?:or|xor)\s+(?:[0-9.]+|true|false)\s*(?:\)|\Z|\b(?:and|or|xor)\b)",
    re.ASCII,
)
_BETWEEN = re.compile(r"(\bbetween\s+\S+\s+)and\b", re.ASCII)
_BEGINS = r"(?:\A|(?<!\w)\()\s*"
_LOGIC = r"(?:and|or|xor|not|!|&&|\|\|)"
_UNSIGNED = re.compile(r"[|&^~]|<<|>>|unsigned|crc32", re.ASCII)
_TIMED = re.compile(r"\btime\(|\btimestamp\(|\bas\s+(?:datetime|time)\b", re.ASCII)
#: Texts that are longer have no place in a key of MySQL without CAST.
_LONGEST = 255
_LENGTHENS = frozenset(
    ("repeat", "space", "lpad", "rpad", "hex", "replace", "insert", "elt", "make_set", "export_set")
)


#: Texts of whole moments, in quotes.
_WHOLE = {
    "date": re.compile(r"'[1-9]\d{3}-\d\d-\d\d'", re.ASCII),
    "datetime": re.compile(r"'[1-9]\d{3}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?'", re.ASCII),
    "time": re.compile(r"'[01]\d:[0-5]\d:[0-5]\d'", re.ASCII),
    "year": re.compile(r"(?!)"),
}
_WHOLE["timestamp"] = _WHOLE["datetime"]


def _unknown(why: str, at: int) -> Refused:
    return Refused(f"{why} is not known: only a server can tell", at)


def _group(name: str) -> frozenset[str]:
    return frozenset(characters.split(knowledge.load("expressions")[name]))


def texts(
    text: str, used: Sequence[Column], table: tuple[str | None, str | None], context: Context, at: int
) -> None:
    """Refuse an expression whose values may have several character sets: servers write conversions into it,
    or do not mix them (1267). `used`: its columns; `table`: the character set and collation of the table.
    """
    if not _is_of_one_charset(text, used, table, context):
        raise _unknown("what the server makes of texts in other character sets, in an expression,", at)


def _is_of_one_charset(
    text: str, used: Sequence[Column], table: tuple[str | None, str | None], context: Context
) -> bool:
    sets = {(column.type.charset, column.type.collation) for column in used if column.type.charset}
    strings = list(_STRING.finditer(text))
    bare = _STRING.sub("''", text).lower().replace("->>", " ").replace("->", " ")
    charset, collation = table[0] or "utf8mb4", table[1]
    if charset == "utf8mb4":
        bare = _OWN_CHARSET.sub("", bare)
    functions = (called(text) | called(normal.expression(text))) - _WORDS
    if to_text := _TO_TEXT.search(bare) is not None:
        functions -= {"char", "nchar"}
    if _OTHER_TEXT.search(bare) or _OF_NULL.search(bare) or any(string[2] for string in strings):
        return False
    compares = _COMPARES.search(bare) is not None
    mixes = len(sets) > 1 or (strings and (sets or functions or compares or len(strings) > 1))
    odd = functions & (_group("binary") | _group("session") | _UUIDS)
    made = to_text or functions & _group("connection")
    raw = any(_is_raw(column.type) for column in used)
    if odd and (raw or compares or strings or len(sets) > 1 or _JOINS.search(bare)):
        return False
    if (strings or sets) and (raw or (made and compares)):
        return False
    if not (odd or made or mixes):
        # One value, or values of one column: there is nothing to mix.
        return text.isascii() or not strings
    if to_text and charset != "utf8mb4":
        return False
    names = {charsets.canonical(string[1].lower()) for string in strings if string[1]}
    own = {"utf8mb4"} if charset == "utf8mb4" and not context.server.mariadb else set[str]()
    if charset in charsets.WIDE or not names <= own:
        return False
    if charset != "utf8mb4" and any(name.startswith(("regexp_", "json_")) for name in functions):
        return False
    others = {name for name, _ in sets}
    alone = len(sets) == 1 and others.isdisjoint(charsets.WIDE) and (not functions or others == {"utf8mb4"})
    same = sets <= {(charset, collation)} or (alone and (not functions or charset == "utf8mb4"))
    return same and all(string[0].isascii() for string in strings)


def constant(
    text: str, at: int, name: str, kind: ColumnType, context: Context, *, nullable: bool, session: bool
) -> None:
    """Refuse the default of a MariaDB column that the server computes when it makes the table, where it is
    not known whether the column takes it. `session`: it has a function of the session.
    """
    if session or columns_of(text, context.modes):
        # It is computed for each row.
        return
    if (kind.is_blob or kind.is_text) and (nullable or _DOCUMENT.fullmatch(normal.expression(text))):
        return
    if kind.is_integer and _SMALL_SUM.fullmatch(text.strip("() ")):
        return
    if called(text) & _GIVE.get(kind.base, frozenset()) or "@" in _STRING.sub("", text):
        return
    raise _unknown(f"whether column {name!r} takes its default (give the value as a literal)", at)


def condition(text: str, used: Sequence[Column], context: Context, at: int) -> None:
    """Refuse what a server may refuse or rewrite of operators and functions: types that take part in few,
    constants of other types than their column, ESCAPE of more than a character, documents, DEFAULT().
    """
    shapes = any(text.startswith(("st_", "mbr")) for text in called(text))
    made = any("from" in text for text in called(text))
    if (
        any(column.type.is_geometry is not shapes and not (shapes and made) for column in used)
        or any(column.type.is_address or column.type.is_vector for column in used)
        or (shapes and not used)
        or _converts_constants(text, used, zoned=context.server.has("zoned-moments"))
    ):
        raise _unknown("what the server makes of a constant or an operator in an expression", at)
    if context.server.mariadb:
        if "escape" in text.lower() and _ESCAPE.search(text):
            raise _unknown("whether ESCAPE takes this (write one character)", at)
        return
    functions = called(text)
    documents = {"json_value", "json_schema_valid"} & functions
    if documents and not all(column.type.is_plain_string or column.type.is_json for column in used):
        raise _unknown("whether a function takes a column as a JSON document", at)
    if "default" in functions and context.server.has("data-dictionary"):
        raise _unknown("what DEFAULT() of a column comes to", at)


def _converts_constants(text: str, used: Sequence[Column], *, zoned: bool) -> bool:
    """Whether servers may write a constant that a column is compared with as a value of the column's type,
    or refuse it. Whole moments, and numbers and texts beside their own kind stay as they are (asked of 9.7,
    10.11 and 11.8).
    """
    bare = _STRING.sub("''", text).lower()
    timed = [column for column in used if column.type.base in _WHOLE]
    alone = _names(timed)
    logic = rf"{_LOGIC}\s*\(*{alone}\)*\s*(?:{_LOGIC}|\)*\Z)|{_BEGINS}\(*{alone}\)*\s*{_LOGIC}"
    if _FOLDED.search(_BETWEEN.sub(r"\1to", bare)) or re.search(logic, bare, re.ASCII):
        return True
    if not _COMPARES.search(bare):
        return False
    strings = [match[0] for match in _STRING.finditer(text)]
    numbers = _NUMBER.search(bare) is not None
    if any(column.type.base == "bigint" for column in used) and (strings or _APPROXIMATE.search(bare)):
        return True
    whole = _names([column for column in used if column.type.is_integer])
    quoted = rf"{whole}\s*(?:[=<>!]+|(?:not\s+)?in\s*\()\s*(?:_\w+\s*)?'(?!-?[0-9.]+')"
    if re.search(quoted, text, re.IGNORECASE | re.ASCII):
        return True
    # MariaDB 11.8 prints '2000-01-01' and '2000-01-01 00:00:00' alike.
    zoned &= any(column.type.is_timestamp for column in timed)
    zoned &= any(string.endswith(" 00:00:00'") for string in strings)
    plain = all(_is_whole(column.type.base, string) for column in timed for string in strings)
    return bool(timed) and (numbers or zoned or not plain)


def _is_raw(kind: ColumnType) -> bool:
    """Whether a column's values are bytes to functions of texts."""
    return kind.holds_bytes or kind.is_bit or kind.is_address or kind.is_any_geometry or kind.is_point


def _names(columns: Sequence[Column]) -> str:
    return (
        rf"`?(?<![\w.])(?:{'|'.join(re.escape(column.name.lower()) for column in columns) or '(?!)'})(?!\w)`?"
    )


def _is_whole(base: str, quoted: str) -> bool:
    """Whether a text in quotes is a whole moment of this type, and one of the calendar."""
    bare = quoted[quoted.index("'") :]
    try:
        return _WHOLE[base].fullmatch(bare) is not None and (
            base == "time" or bool(datetime.fromisoformat(bare.strip("'")))
        )
    except ValueError:
        return False


def stored(columns: Sequence[Column], keys: Sequence[Key], at: int) -> None:
    """Refuse a computed column that MariaDB keeps and whose value may depend on sql_mode (1901): on the
    padding of a CHAR, on unsigned subtraction, on digits of a second.
    """
    by_name = {column.name.casefold(): column for column in columns}
    keyed = {(part.column or "").casefold() for key in keys for part in key.parts}
    for column in columns:
        held = column.generated == "stored" or (
            column.generated is not None and column.name.casefold() in keyed
        )
        if (
            not held
            or not column.expression
            or column.expression in _ROW_ENDS
            or column.name.startswith("DB_ROW_HASH_")
        ):
            continue
        used = [
            by_name[name.casefold()] for name in columns_of(column.expression) if name.casefold() in by_name
        ]
        bare = _STRING.sub("''", column.expression).lower()
        unsigned = any(each.type.is_never_negative for each in used) or _UNSIGNED.search(bare)
        if (
            any(each.type.is_char and each.type.charset for each in used)
            or (unsigned and "-" in bare)
            or _TIMED.search(bare)
            or column.type.has_fraction
        ):
            raise _unknown(f"whether column {column.name!r}, which is kept, depends on sql_mode", at)


def key(text: str, used: Mapping[str, Column], at: int, context: Context) -> None:
    """Refuse the expression of a key of MySQL, but for a CAST and what is made of numbers and short texts."""
    own = [used[name.casefold()] for name in columns_of(text, context.modes) if name.casefold() in used]
    if any(column.auto_increment for column in own):
        raise _unknown("whether a key of an expression takes an AUTO_INCREMENT column", at)
    plain = normal.expression(text, context.modes)
    if (
        own
        and plain.startswith("cast(")
        and not re.search(r"as n?(?:char|binary)(?: charset \w+)?\)", plain, re.ASCII)
    ):
        return
    size = sum((column.type.length or 0) * plain.count(column.name.lower()) for column in own)
    long = any(column.type.is_json or column.type.is_lob for column in own) and not plain.startswith(
        "json_value("
    )
    if (
        not own
        or long
        or size > _LONGEST
        or called(text) & _LENGTHENS
        or re.search(r"\A(?:json_(?!value)|cast\()|\b(?:left|right|mid|substr\w*)\(.*,0\b", plain, re.ASCII)
    ):
        raise _unknown("whether a key takes this expression (CAST it)", at)
