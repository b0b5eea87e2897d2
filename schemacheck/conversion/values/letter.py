"""A letter that one character set has and another reads otherwise, for examples."""

from __future__ import annotations

from functools import lru_cache

#: Python's codecs for the servers' character sets; those without one (armscii8, geostd8, swe7, keybcs2) are
#: not known here.
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
_LETTERS = "éäčЯΩאกعあ中가€Łž・"


@lru_cache(maxsize=4096)
def letter(sent: str, held: str) -> tuple[str, str] | None:
    """A letter of `sent` that `held` reads otherwise, and its bytes in hex; None where none is known."""
    ours, theirs = _CODECS.get(sent), _CODECS.get(held)
    if ours is None:
        return None
    for one in _LETTERS:
        try:
            raw = one.encode(ours)
        except UnicodeEncodeError:
            continue
        try:
            same = theirs is not None and raw.decode(theirs) == one
        except UnicodeDecodeError:
            same = False
        if not same:
            return one, raw.hex().upper()
    return None
