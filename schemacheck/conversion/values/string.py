"""CHAR, VARCHAR, TEXT and their binary twins, and what is stored like them (UUID, INET, JSON text).

No server transcodes row events: the bytes of the source are taken as the replica's character set.
"""

from __future__ import annotations

from functools import lru_cache

from schemacheck.conversion.classify import Kind
from schemacheck.conversion.values.outcome import UNCHANGED, Outcome, What
from schemacheck.model import ColumnType, Link
from schemacheck.model import charset as charsets
from schemacheck.model.charset import codec
from schemacheck.model.type_facts import TYPES

_LETTERS = "éäčЯΩאกعあ中가€Łž・"


@lru_cache(maxsize=4096)
def letter(sent: str, held: str) -> tuple[str, str] | None:
    """A letter of `sent` that `held` reads otherwise, and its bytes in hex; None where none is known."""
    ours, theirs = codec(sent), codec(held)
    if ours is None:
        return None
    for text in _LETTERS:
        try:
            raw = text.encode(ours)
        except UnicodeEncodeError:
            continue
        try:
            same = theirs is not None and raw.decode(theirs) == text
        except UnicodeDecodeError:
            same = False
        if not same:
            return text, raw.hex().upper()
    return None


#: Character sets whose bytes are valid, and mean the same, in these others.
SUPERSETS = {"ascii": None, "utf8mb3": ("utf8mb4",), "ucs2": ("utf16",), "gbk": ("gb18030",)}
_WIDE = ("ucs2", "utf16", "utf16le", "utf32")
#: One number of a vector, in hex.
_ONE = "0000803F"
#: The letter `a` in the wide character sets, in hex.
_A = {"ucs2": "0061", "utf16": "0061", "utf16le": "6100", "utf32": "00000061"}
#: A letter of as many bytes as the widest of a character set.
_WIDEST = {4: ("\N{GRINNING FACE}", 4), 3: ("\N{EURO SIGN}", 3)}


def same_meaning(source: str, replica: str) -> bool:
    """Whether every text of one character set is the same text, byte for byte, in another."""
    if source == replica:
        return True
    if source == "ascii":
        return replica not in (*_WIDE, "binary", "swe7")
    return replica in (SUPERSETS.get(source) or ())


def outcome(source: ColumnType, replica: ColumnType, kind: Kind, link: Link) -> Outcome:
    """Compare character sets, room, and the padding of fixed lengths."""
    if source.is_address or replica.is_address:
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
        return _other_charset(source, replica, kind, link)
    room = _room(source, replica, sent_set, held_set)
    if room is not None:
        return room
    if replica.is_binary and (not source.is_binary or (source.length or 0) < (replica.length or 0)):
        size = replica.length or 0
        if size:
            value = _repeated(_ONE, source.length or 1) if source.is_vector else "x'0102'"
            return Outcome(What.PADDED, value, f"RPAD({value}, {size}, x'00')", "BINARY pads with zero bytes")
    if replica.is_char and not source.is_char and kind is not Kind.EXACT:
        return Outcome(What.TRIMMED, "'a '", "'a'", "CHAR drops trailing spaces")
    return UNCHANGED


def _charset(column: ColumnType) -> str:
    return column.charset or ("utf8mb4" if column.is_json else "binary")


def _sample(source: ColumnType) -> str:
    sample = TYPES[source.base].sample
    return f"'{sample}'" if sample else "x'0102FF'"


def _other_charset(source: ColumnType, replica: ColumnType, kind: Kind, link: Link) -> Outcome:
    sent, held = _charset(source), _charset(replica)
    copied = _copied(source, replica, kind, link)
    marked = link.replica.has("unknown-characters-marked") and not _alike(source, replica)
    if source.is_vector:
        value = _repeated(_ONE, source.length or 1)
        return Outcome(
            What.REINTERPRETED,
            value,
            f"{value} read as {held}" if copied else "",
            "the replica takes the bytes as text, without a check or a conversion",
        )
    if sent == "binary":
        size = source.length or 1 if source.is_binary else 1
        room = replica.max_bytes if copied else replica.length or size
        stored = min(size, room) if replica.is_counted else size
        return Outcome(
            What.REINTERPRETED,
            _repeated("FF", size),
            _read_as("FF", stored, held, copied, marked),
            "the replica takes the bytes as text, without a check or a conversion",
        )
    entries = letter(sent, held)
    value, raw = entries or ("", "")
    if held in _WIDE or sent in _WIDE:
        value, raw = "a", _A.get(sent, "61")
    if (sent, held) == ("utf8mb4", "utf8mb3"):
        value, raw = "\N{GRINNING FACE}", "F09F9880"
    shown = f"'{value}'" if value else f"a letter of {sent}"
    if held == "binary":
        return Outcome(
            What.REINTERPRETED,
            shown,
            _as_bytes(source, replica, raw) if raw else "its bytes",
            "the replica keeps the text as bytes, without a character set",
        )
    return Outcome(
        What.REINTERPRETED,
        shown,
        _read_as(raw, 1, held, copied, marked) if raw else f"its bytes read as {held}",
        "utf8mb3 has no characters of four bytes"
        if (sent, held) == ("utf8mb4", "utf8mb3")
        else "the replica takes the bytes and does not convert the character set",
    )


def _copied(source: ColumnType, replica: ColumnType, kind: Kind, link: Link) -> bool:
    """Whether the bytes are copied without a look at the characters (asked on four servers).

    Without a conversion VARCHAR and CHAR are; MySQL stores BLOB and TEXT (Field_blob::unpack). A
    conversion copies where the fields are of one kind and no shorter (Field::get_copy_func).
    """
    if kind is Kind.EXACT:
        return link.replica.has("equal-blobs-copied") or replica.is_counted
    if replica.compressed:
        return True
    if not _alike(source, replica) or (replica.is_varchar and not link.replica.has("shorter-varchar-copied")):
        return False
    counted = link.replica.has("conversion-compares-characters")
    return _bytes(source) <= ((replica.length or 0) if counted else replica.max_bytes)


def _bytes(column: ColumnType) -> int:
    """The longest value; four bytes for each number of a vector."""
    return 4 * (column.length or 0) if column.is_vector else column.max_bytes


def _alike(source: ColumnType, replica: ColumnType) -> bool:
    """Whether two texts are stored by one kind of field: CHAR, or VARCHAR with as many length bytes."""
    if source.is_padded:
        return replica.is_char
    if (source.is_varying or source.is_vector) and replica.is_varchar:
        return not source.compressed and (_bytes(source) > 255) == (replica.max_bytes > 255)
    return False


def _repeated(raw: str, times: int) -> str:
    return f"x'{raw}'" if times == 1 else f"REPEAT(x'{raw}', {times})"


def _read_as(raw: str, times: int, held: str, copied: bool, marked: bool) -> str:
    """What the replica keeps of bytes that are no characters there: the value is cut there, or
    MariaDB writes question marks where the fields are of two kinds (`marked`).
    """
    if held in ("utf8mb3", "utf8mb4") and not copied:
        try:
            text = bytes.fromhex(raw).decode()
        except UnicodeDecodeError:
            text = ""
        if not text or (held == "utf8mb3" and max(text) > "\uffff"):
            marks = times * len(raw) // 2
            return f"'{'?' * marks if marked else ''}'"
    return f"{_repeated(raw, times)} read as {held}"


def _as_bytes(source: ColumnType, replica: ColumnType, raw: str) -> str:
    """The bytes of a text in a binary column: CHAR is padded to its own length first, BINARY to its own."""
    size = len(raw) // 2
    if replica.is_binary:
        size = replica.length or size
    elif source.is_char:
        size = (source.length or 1) * charsets.max_bytes(source.charset or "")
        size = min(size, replica.max_bytes if replica.length is None else replica.length)
    return f"x'{raw}'" if size == len(raw) // 2 else f"RPAD(x'{raw}', {size}, x'00')"


def _room(source: ColumnType, replica: ColumnType, sent: str, held: str) -> Outcome | None:
    """Whether the longest value of the source fits: in characters, and in bytes for TEXT and BLOB."""
    wide = charsets.max_bytes(sent)
    if source.is_sized or source.is_vector:
        characters = source.length or 0
        most = characters * (4 if source.is_vector else wide)
        if source.is_vector:
            characters = most
    else:
        most = source.max_bytes if source.base not in ("json", "xmltype") else 4_294_967_295
        characters = most // wide if sent in _WIDE else most
    if replica.base in ("json", "xmltype", "vector"):
        return None
    least = len(_A.get(sent, "61")) // 2
    shown, size = "x", least
    if replica.is_sized:
        fits, room = (characters <= (replica.length or 0), replica.length or 0)
    else:
        fits = most <= replica.max_bytes
        if characters * least <= replica.max_bytes:  # only letters of more bytes do not fit
            shown, size = _WIDEST.get(wide, (shown, size))
        room = replica.max_bytes // size
    if fits:
        return None
    value = f"REPEAT('{shown}', {{}})"
    if source.is_vector:
        value, text = _repeated(_ONE, characters // 4), (_ONE * (characters // 4))[: room * 2]
        return Outcome(What.TRUNCATED, value, f"x'{text}'", "longer values are cut off")
    if replica.compressed and size == 1 and room == replica.length and held != "binary":
        longest = room * charsets.max_bytes(held)  # fits as far as its bytes do (asked on MariaDB)
        if longest >= characters:
            return None
        return Outcome(
            What.TRUNCATED, value.format(longest + 1), value.format(room), "longer values are cut off"
        )
    longer = min(characters, room + 1)
    if source.is_json:
        return Outcome(
            What.TRUNCATED,
            f"CONCAT('\"', {value.format(room)}, '\"')",
            f"CONCAT('\"', {value.format(room - 1)})",
            "longer values are cut off",
        )
    return Outcome(What.TRUNCATED, value.format(longer), value.format(room), "longer values are cut off")
