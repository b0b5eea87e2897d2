"""CHAR, VARCHAR, TEXT and their binary twins, and what is stored like them (UUID, INET, JSON text).

No server transcodes row events: the bytes of the source are taken as the replica's character set.
"""

from __future__ import annotations

from schemacheck.conversion.classify import Kind
from schemacheck.conversion.values.letter import letter
from schemacheck.conversion.values.outcome import UNCHANGED, Outcome, What
from schemacheck.model import ColumnType, Link
from schemacheck.model import charset as charsets

#: Character sets whose bytes are valid, and mean the same, in these others.
SUPERSETS = {
    "ascii": None,
    "utf8mb3": ("utf8mb4",),
    "ucs2": ("utf16",),
    "gb2312": ("gbk", "gb18030"),
    "gbk": ("gb18030",),
}
_FIXED = ("uuid", "inet4", "inet6")
_WIDE = ("ucs2", "utf16", "utf16le", "utf32")


def same_meaning(source: str, replica: str) -> bool:
    """Whether every text of one character set is the same text, byte for byte, in another."""
    if source == replica:
        return True
    if source == "ascii":
        return replica not in (*_WIDE, "binary", "swe7")
    return replica in (SUPERSETS.get(source) or ())


def outcome(source: ColumnType, replica: ColumnType, kind: Kind, link: Link) -> Outcome:
    """Compare character sets, room, and the padding of fixed lengths."""
    if source.base in _FIXED or replica.base in _FIXED:
        if source.base == replica.base:
            return UNCHANGED
        return Outcome(
            What.REINTERPRETED,
            _sample(source),
            "",
            f"the stored bytes of {source.base} are read as {replica.base}",
        )
    sent_set, held_set = _charset(source), _charset(replica)
    if not same_meaning(sent_set, held_set):
        return _other_charset(source, sent_set, held_set)
    room = _room(source, replica, sent_set, held_set)
    if room is not None:
        return room
    if replica.base == "binary" and (source.base != "binary" or (source.length or 0) < (replica.length or 0)):
        size = replica.length or 0
        if size:
            return Outcome(
                What.PADDED,
                "x'0102'",
                f"x'0102{'00' * min(size - 2, 4)}...' ({size} bytes)",
                "BINARY pads with zero bytes",
            )
    if replica.base == "char" and source.base != "char" and kind is not Kind.EXACT:
        return Outcome(What.TRIMMED, "'a '", "'a'", "CHAR drops trailing spaces")
    del link
    return UNCHANGED


def _charset(column: ColumnType) -> str:
    return column.charset or ("utf8mb4" if column.base == "json" else "binary")


def _sample(source: ColumnType) -> str:
    return {
        "uuid": "'123e4567-e89b-12d3-a456-426655440000'",
        "inet6": "'2001:db8::1'",
        "inet4": "'10.1.2.3'",
    }.get(source.base, "x'0102FF'")


def _other_charset(source: ColumnType, sent: str, held: str) -> Outcome:
    del source
    known = letter(sent, held)
    if sent == "binary":
        return Outcome(
            What.REINTERPRETED,
            "x'FF'",
            f"byte FF read as {held}",
            "the bytes are taken as text, nothing is checked or converted",
        )
    if held == "binary":
        return Outcome(
            What.REINTERPRETED,
            f"'{known[0]}' in {sent}" if known else f"a letter of {sent}",
            f"x'{known[1]}'" if known else "its bytes",
            "the text is kept as bytes without a character set",
        )
    if (sent, held) == ("utf8mb4", "utf8mb3"):
        return Outcome(
            What.REINTERPRETED,
            "'\N{GRINNING FACE}'",
            "'????' or invalid bytes",
            "utf8mb3 has no characters of four bytes",
        )
    example = f"'{known[0]}' in {sent}" if known else f"a letter of {sent}"
    if held in _WIDE or sent in _WIDE:
        example = "'a'"
    return Outcome(What.REINTERPRETED, example, f"its bytes read as {held}", "row events are not transcoded")


def _room(source: ColumnType, replica: ColumnType, sent: str, held: str) -> Outcome | None:
    """Whether the longest value of the source fits: in characters, and in bytes for TEXT and BLOB."""
    wide, held_wide = charsets.max_bytes(sent), charsets.max_bytes(held)
    if source.base in ("char", "varchar", "binary", "varbinary", "vector"):
        characters = source.length or 0
        most = characters * (4 if source.base == "vector" else wide)
        if source.base == "vector":
            characters = most
    else:
        most = source.max_bytes if source.base not in ("json", "xmltype") else 4_294_967_295
        characters = most // charsets.max_bytes(sent) if sent in _WIDE else most
    if replica.base in ("char", "varchar", "binary", "varbinary"):
        fits, room = (
            characters <= (replica.length or 0),
            f"{replica.length} {'bytes' if held == 'binary' else 'characters'}",
        )
    elif replica.base in ("json", "xmltype", "vector"):
        return None
    else:
        fits, room = most <= replica.max_bytes, f"{replica.max_bytes} bytes"
    del held_wide
    if fits:
        return None
    letter = (
        "\N{GRINNING FACE}"
        if sent == "utf8mb4" and replica.base not in ("char", "varchar") and characters <= 255
        else "x"
    )
    return Outcome(
        What.TRUNCATED, f"REPEAT('{letter}', {characters})", f"cut to {room}", "longer values are cut off"
    )
