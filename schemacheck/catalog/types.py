"""The type of a column as the server stores it: character set settled, too long types resized or refused."""

from __future__ import annotations

from functools import lru_cache

from schemacheck import knowledge
from schemacheck.catalog.charsets import representable, resolve
from schemacheck.catalog.context import Context, Lines
from schemacheck.dataclass import replace
from schemacheck.model.column_type import BINARY_TWIN, BLOBS, CHARACTER, TEXTS, BadType, ColumnType, sized
from schemacheck.model.server import Server
from schemacheck.model.type_text import Written
from schemacheck.model.type_text import read as read_type
from schemacheck.sql.ddl.draft import ColumnDraft, DefaultDraft
from schemacheck.sql.lexer import Refused, unasked

#: The longest VARCHAR or VARBINARY in bytes (MAX_FIELD_VARCHARLENGTH).
_VARCHAR_BYTES = 65_535
#: The words of sql_mode that change types, and those under which they are not followed.
_TYPE_MODES, _FOREIGN = frozenset(("REAL_AS_FLOAT", "NO_BACKSLASH_ESCAPES")), frozenset(("ORACLE", "MAXDB"))
#: MariaDB: VARBINARY(10) COLLATE utf8mb4_bin is a VARCHAR.
_TEXT_TWIN = {binary: text for text, binary in BINARY_TWIN.items()}


def column_type(
    draft: ColumnDraft, context: Context, charset: str | None, collation: str | None
) -> ColumnType:
    """The ColumnType of a definition in a table of this character set. Raises Refused."""
    modes = context.modes
    if not modes.isdisjoint(_FOREIGN):
        raise Refused("what types are under sql_mode ORACLE or MAXDB is not known", draft.type_at)
    if not draft.compressed and draft.srid is None:
        plain = _plain(draft.type_text, draft.collation, charset, collation, modes, context.server)
        if plain is not None:
            return plain
    modes &= _TYPE_MODES
    try:
        kind = _settled(draft.type_text, draft.collation, charset, collation, modes, context.server)
    except BadType as error:
        raise Refused(str(error), draft.type_at, code="SC001") from None
    except Refused as error:
        raise Refused(error.message, draft.type_at, error.errno, code=error.code) from None
    if draft.compressed:
        if not (kind.is_varying or kind.is_lob):
            raise Refused(f"a {kind} column cannot be COMPRESSED", draft.type_at, code="SC001")
        kind = replace(kind, compressed=True)
    if draft.srid is not None:
        if not kind.is_geometry:
            raise Refused(f"a {kind} column has no SRID", draft.type_at, code="SC001")
        kind = replace(kind, srid=None if context.server.mariadb else draft.srid)
    if kind.has_fraction and context.server.setting("mysql56_temporal_format").upper() in ("OFF", "0"):
        kind = replace(kind, old_format=True)
    written = read_type(draft.type_text, backslash="NO_BACKSLASH_ESCAPES" not in context.modes)
    check_size(written, kind, context, draft.name, draft.type_at)
    return _fit(kind, draft, context)


@lru_cache(maxsize=16_384)
def _plain(
    text: str, collate: str | None, charset: str | None, collation: str | None, modes: frozenset[str],
    server: Server
) -> ColumnType | None:  # fmt: skip
    """The type of a definition that says nothing else of it and that no limit changes; None for any other."""
    column = ColumnDraft("", text, collation=collate, compressed=False, default=DefaultDraft("null", "", 0))
    context = Context(server, Lines("", "-"))
    try:
        kind = _settled(text, collate, charset, collation, modes & _TYPE_MODES, server)
        check_size(
            read_type(text, backslash="NO_BACKSLASH_ESCAPES" not in modes), kind, context, column.name, 0
        )
        if _fit(kind, column, context) is not kind:
            # What becomes of a type that is too long depends on the DEFAULT.
            return None
    except (BadType, Refused):
        return None
    old = kind.has_fraction and server.setting("mysql56_temporal_format").upper() in ("OFF", "0")
    return None if old else kind


@lru_cache(maxsize=16_384)
def _settled(
    text: str,
    collate: str | None,
    charset: str | None,
    collation: str | None,
    modes: frozenset[str],
    server: Server,
) -> ColumnType:
    """The type with its character set and collation, before limits. Raises BadType and Refused."""
    written = read_type(text, backslash="NO_BACKSLASH_ESCAPES" not in modes)
    if written.base in ("blob", "text") and written.numbers == (0,) and server.has("blob-0-is-tiny"):
        written = replace(written, base="tiny" + written.base, numbers=())
    own: str | None = None
    chosen: str | None = None
    if written.base == "json" and server.has("json-is-longtext"):
        written = replace(written, base="longtext", charset="utf8mb4", binary=True)
    if written.base in CHARACTER:
        named = "utf8mb3" if written.national and not written.charset else written.charset
        own, chosen = resolve(named, collate, (charset, collation), server, 0)
        binary = written.binary and written.word != "json" and own is not None
        if server.mariadb and binary and collate is not None and chosen not in (f"{own}_bin", "binary"):
            raise unasked(f"BINARY beside COLLATE {collate}")
        # MySQL's BINARY wins over a COLLATE, from 8.0 on over one that stands without a character set (asked
        # of 5.6 and 9.7).
        fixed = written.charset and server.has("data-dictionary")
        if written.binary and own and (collate is None or not (server.mariadb or fixed)):
            chosen = f"{own}_bin" if own != "binary" else "binary"
        if written.members and own and not all(member.isascii() for member in written.members):
            written = replace(
                written, members=tuple(representable(member, own) for member in written.members)
            )
        if not server.has("ddl-enum-keeps-nul"):
            written = replace(written, members=tuple(member.replace("\0", "") for member in written.members))
    elif collate is not None and written.base in _TEXT_TWIN and server.has("collate-makes-text"):
        own, chosen = resolve(None, collate, (charset, collation), server, 0)
        if own != "binary":
            written = replace(written, base=_TEXT_TWIN[written.base])
    elif collate is not None:
        binary = written.base in _TEXT_TWIN or written.base == "json"
        resolve("binary" if binary else None, collate, ("binary", "binary"), server, 0)
    return ColumnType.of(
        written, text=text, charset=own, collation=chosen, real_as_float="REAL_AS_FLOAT" in modes
    )


def _fit(kind: ColumnType, draft: ColumnDraft, context: Context) -> ColumnType:
    """Refuse sizes that the server refuses; what it makes longer types of without strict mode."""
    at = draft.type_at
    if kind.is_varying:
        # A compressed value has a byte that says how (asked of 10.11 and 11.8).
        size = kind.longest + kind.compressed
        if size > (_VARCHAR_BYTES - 3 if context.server.has("varchar-limit-65532") else _VARCHAR_BYTES):
            # MariaDB's TEXT has a default then; MySQL refuses one that is no expression (prepare_blob_field;
            # asked of 5.6 and 9.7).
            given = draft.default is not None and draft.default.kind not in ("null", "expression")
            given = given and not (context.server.mariadb and context.server.has("ddl-blob-default"))
            if context.strict or given:
                raise Refused(f"{kind} is too long: at most {_VARCHAR_BYTES} bytes", at, 1074)
            kinds = TEXTS if kind.is_varchar else BLOBS
            return replace(kind, base=sized(kinds, size), length=None)
    return kind


#: The largest number of a width, of the members of a SET and an ENUM, and of the length of a text.
_WIDTH, _SET_MEMBERS, _ENUM_MEMBERS, _LONGEST_BLOB = 255, 64, 65_535, 4_294_967_295
_DIGITS, _SCALE, _REAL_PRECISION, _BITS, _FRACTION, _DIMENSIONS = 65, 30, 53, 64, 6, 16_383


def check_size(written: Written, kind: ColumnType, context: Context, name: str, at: int) -> None:
    """Raise Refused for a type that the server does not know, or may not take in this size."""
    server = context.server
    needs = knowledge.load("reserved")["types"].get(written.word.split(" ", 1)[0])
    if needs is not None and not (
        (server.mariadb and needs in context.modes) if needs.isupper() else server.has(needs)
    ):
        number = 4161 if server.mariadb and not needs.isupper() else 1064
        raise Refused(f"this server has no type {written.word.upper()}", at, number, code="SC001")
    bool_ = written.word in ("bool", "boolean") and (written.signed or written.unsigned)
    twice = bool_ or (written.signed and written.unsigned) or (written.national and written.charset)
    if twice or not (_members(kind, context) if kind.has_members else _size(written, kind, context)):
        raise Refused(f"column {name!r}: whether a server takes a {kind} is not known", at)


def _size(written: Written, kind: ColumnType, context: Context) -> bool:
    """Whether the numbers in parentheses are those of a type that every server takes."""
    server, numbers = context.server, written.numbers
    if kind.is_vector and not numbers:
        # The grammar of MariaDB has no VECTOR without a length (asked of 11.8).
        return not server.mariadb
    if not numbers:
        return True
    first, scale = (*numbers, 0)[:2]
    if kind.is_decimal:
        # A precision of 0 is 10, beside no scale alone (asked of four servers).
        return scale <= _SCALE and first <= _DIGITS and scale <= (first if len(numbers) == 2 else 10)
    if kind.is_approximate:
        return scale <= min(first, _SCALE) and 0 < first <= (_WIDTH if len(numbers) == 2 else _REAL_PRECISION)
    if kind.is_year:
        return first == 4 or not server.has("ddl-year-width-refused")
    if kind.is_bit:
        return first <= _BITS and (first > 0 or not server.has("ddl-bit-0-refused"))
    if kind.is_vector:
        return 0 < first <= _DIMENSIONS
    if kind.is_geometry:
        return server.mariadb
    if kind.is_integer or kind.is_padded:
        return first <= _WIDTH
    return first <= (_FRACTION if kind.has_fraction else _LONGEST_BLOB)


def _members(kind: ColumnType, context: Context) -> bool:
    exact = (kind.collation or "").endswith(("_bin", "binary", "_cs"))
    distinct = {member if exact else member.casefold() for member in kind.members}
    return (
        len(kind.members) <= (_SET_MEMBERS if kind.is_set else _ENUM_MEMBERS)
        and (len(distinct) == len(kind.members) or not context.strict)
        and not (kind.is_set and any("," in member for member in kind.members))
        and max(map(len, kind.members)) <= _WIDTH
    )
