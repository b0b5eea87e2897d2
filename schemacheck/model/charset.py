"""Character sets and collations: bytes per character, defaults, which server has which. From
`rules/charsets.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from schemacheck import knowledge

#: Character sets whose characters take at least two bytes.
WIDE = frozenset(("ucs2", "utf16", "utf16le", "utf32"))
#: Those that have every character, and those that have the first 65,536.
_ALL, _PLANE = ("utf8mb4", "utf16", "utf16le", "utf32", "gb18030"), ("utf8mb3", "ucs2")
#: Python's codecs of the servers' character sets; latin1 is cp1252 there. armscii8, geostd8, swe7 and keybcs2
#: have none.
_CODECS = {
    "ascii": "ascii", "latin1": "cp1252", "latin2": "iso8859_2", "latin5": "iso8859_9",
    "latin7": "iso8859_13", "greek": "iso8859_7",
    "hebrew": "iso8859_8", "cp1250": "cp1250", "cp1251": "cp1251", "cp1256": "cp1256", "cp1257": "cp1257",
    "cp850": "cp850", "cp852": "cp852",
    "cp866": "cp866", "koi8r": "koi8_r", "koi8u": "koi8_u", "macroman": "mac_roman", "macce": "mac_latin2",
    "tis620": "tis_620",
    "hp8": "hp_roman8", "dec8": "latin_1", "big5": "big5", "euckr": "euc_kr", "gb2312": "gb2312",
    "gbk": "gbk", "gb18030": "gb18030",
    "sjis": "shift_jis", "cp932": "cp932", "ujis": "euc_jp", "eucjpms": "euc_jp", "utf8mb3": "utf_8",
    "utf8mb4": "utf_8",
    "ucs2": "utf_16_be", "utf16": "utf_16_be", "utf16le": "utf_16_le", "utf32": "utf_32_be",
}  # fmt: skip


@lru_cache(maxsize=1024)
def canonical(name: str) -> str:
    """The one spelling of a character set: lower case, `utf8` is `utf8mb3`."""
    plain = name.strip().strip("'\"`").lower()
    return "utf8mb3" if plain == "utf8" else plain


@lru_cache(maxsize=1024)
def canonical_collation(name: str) -> str:
    """The one spelling of a collation: lower case, `utf8_bin` is `utf8mb3_bin`."""
    plain = name.strip().strip("'\"`").lower()
    return "utf8mb3_" + plain[5:] if plain.startswith("utf8_") else plain


@lru_cache(maxsize=1024)
def known(name: str) -> bool:
    """Whether any server has this character set."""
    return name.isascii() and canonical(name) in knowledge.load("charsets")["charsets"]


def codec(name: str) -> str | None:
    """Python's codec of a character set; None where it has none."""
    return _CODECS.get(canonical(name))


@lru_cache(maxsize=4096)
def holds(name: str, character: str) -> bool | None:
    """Whether a character set has a character; None: not known."""
    if character.isascii() or name in _ALL or name == "binary":
        return True
    if name in _PLANE:
        return character <= "\uffff"
    if (encoding := codec(name)) is None:
        return None
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def covers(name: str, other: str) -> bool:
    """Whether a character set has every character of another one."""
    return other in (name, "ascii") or name in _ALL or (name in _PLANE and other not in _ALL)


@lru_cache(maxsize=1024)
def max_bytes(name: str) -> int:
    """The most bytes of one character (mbmaxlen). Raises KeyError, with a sentence, for an unknown name."""
    entry = knowledge.load("charsets")["charsets"].get(canonical(name))
    if entry is None:
        raise KeyError(
            f"the character set {name!r} is not known" if name else "a column's character set is not given"
        )
    return int(entry["max_bytes"])


@lru_cache(maxsize=1024)
def default_collation(name: str, flavor: str, release: tuple[int, int, int]) -> str:
    """The collation that a character set has on this server when none is named."""
    entry = knowledge.load("charsets")["charsets"][canonical(name)]
    overrides = entry.get("collations", {})
    for rule in overrides.get(flavor, ()):
        if knowledge.version(rule["since"]) <= release:
            return str(rule["collation"])
    return str(entry["collation"])


def full_collation(collation: str, charset: str | None) -> str:
    """MariaDB's `uca1400_ai_ci` with its character set before it."""
    plain = canonical_collation(collation)
    return f"{charset}_{plain}" if plain.startswith("uca1400_") and charset else plain


@lru_cache(maxsize=1024)
def of_collation(collation: str) -> str | None:
    """The character set that a collation's name tells, or None (MariaDB's bare uca1400_*)."""
    plain = canonical_collation(collation)
    if plain == "binary":
        return "binary"
    prefix = plain.split("_", 1)[0]
    return canonical(prefix) if known(prefix) else None


def pads(collation: str) -> bool:
    """Whether 'a' and 'a ' are one value (PAD SPACE; MariaDB's names say it)."""
    return collation != "binary" and "_0900_" not in collation and "nopad_" not in collation


def compares_alike(source: str | None, replica: str | None) -> bool:
    """Whether texts that come from the one collation are told apart alike by the other: they are one, or that
    of utf8mb3 and its like of utf8mb4 (asked of four servers: the weights of 63,488 letters in 12 pairs).
    """
    return source == replica or (source or "").replace("utf8mb3_", "utf8mb4_", 1) == replica


@cache
def _groups() -> dict[str, str]:
    return {
        name: group
        for group, names in knowledge.load("charsets")["collations"].items()
        for name in names.split()
    }


def has_charset(name: str, has: Callable[[str], bool]) -> bool:
    """Whether a server has this character set; `has` tells its capabilities."""
    entry = knowledge.load("charsets")["charsets"].get(canonical(name))
    return entry is not None and ("needs" not in entry or has(entry["needs"]))


def has_collation(name: str, has: Callable[[str], bool]) -> bool:
    """Whether a server, whose capabilities `has` tells, has this collation."""
    plain = canonical_collation(name)
    if "uca1400_" in plain:
        return has("collations-uca1400")
    group = _groups().get(plain)
    return group is not None and has(f"collations-{group}")


def nearest_collation(
    name: str, flavor: str, release: tuple[int, int, int], has: Callable[[str], bool]
) -> str:
    """The collation, or the nearest that a server has: by name, else the character set's default."""
    if has_collation(name, has):
        return name
    plain = canonical_collation(name)
    for pattern, *near in knowledge.load("charsets")["nearest"]:
        if re.search(pattern, plain):
            for end in near:
                if has_collation(result := re.sub(pattern, end, plain), has):
                    return result
    own = of_collation(plain)
    return default_collation(own, flavor, release) if own is not None else name
