"""The members of an ENUM or a SET whose column gets another character set by CONVERT TO: servers keep their
bytes, which are other characters there.
"""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.catalog.charsets import codec
from schemacheck.catalog.context import Context
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import ColumnType
from schemacheck.model.server import Server
from schemacheck.model.table import Column, Default, DefaultKind
from schemacheck.sql.lexer import Refused

#: The bytes of a character of these without a surrogate.
_UNIT = {"ucs2": 2, "utf16": 2, "utf16le": 2}


def _wide(octets: bytes, charset: str, *, mariadb: bool) -> str:
    """How a server prints bytes as characters of two bytes: bytes that are none become question
    marks one by one (`my_convert`); at an end in the middle of a character MySQL stops and MariaDB goes on so
    (asked of four servers).
    """
    found, at = [], 0
    while at < len(octets):
        size = _UNIT[charset]
        if charset != "ucs2" and size == 2 and len(octets) >= at + size:
            high = octets[at + (charset == "utf16le")]
            size = 4 if 0xD8 <= high <= 0xDB else size
        if len(octets) < at + size and not mariadb:
            break
        try:
            found.append(octets[at : at + size].decode(codec(charset)) if len(octets) >= at + size else "?")
            at += size if len(octets) >= at + size else 1
        except UnicodeDecodeError:
            found.append("?")
            at += 1
    return "".join(found)


def recoded(
    kind: ColumnType, charset: str | None, at: int, server: Server, *, strict: bool
) -> tuple[str, ...]:
    """The members of an ENUM or a SET in another character set, as SHOW CREATE TABLE prints them: two may
    print alike, and 5.6 cuts them at a NUL. Raises Refused where the bytes make no text there, or where the
    members are no longer known, since they were converted before.
    """
    if charset == "binary" and (kind.charset or "").startswith("utf8"):
        return kind.members
    octets = [one.encode(codec(kind.charset), "replace") for one in kind.members]
    found: tuple[str, ...] = ()
    if charset in _UNIT:
        found = tuple(_wide(one, charset, mariadb=server.mariadb) for one in octets)
    else:
        prints = "ascii" if charset == "binary" else codec(charset)
        try:
            found = tuple(one.decode(prints) for one in octets)
        except UnicodeDecodeError:
            found = ()
        if [one.encode(prints) for one in found] != octets:
            found = ()
    if not server.has("ddl-enum-keeps-nul"):
        if charset in charsets.WIDE and any("\0" in one for one in found):
            found = ()
        found = tuple(one.partition("\0")[0] for one in found)
    if len(set(kind.members)) < len(kind.members) or (strict and len(set(found)) < len(found)):
        # They were converted before, so that they hold more than they print; no server takes members that
        # print alike in a statement under strict mode, and MariaDB 11.8 does not make them there (1291).
        found = ()
    if kind.charset in charsets.WIDE and not all(
        one.isascii() and one and not {"?", "\0"} & set(one) for one in kind.members
    ):
        # Members that were given as bytes may be more than they print.
        found = ()
    if not found:
        why = f"the members of a {kind.base.upper()} are other ones in {charset}: write them in a MODIFY"
        raise Refused(why, at, "SC002")
    return found


def default(old: ColumnType, new: ColumnType, given: Default | None, at: int) -> Default | None:
    """The default of a column whose members were recoded. It is converted as text, so that it is a member
    only where its bytes stay (asked of four servers). Raises Refused (1067).
    """
    wide = old.charset != new.charset and charsets.WIDE & {old.charset, new.charset}
    if given is None or given.kind is not DefaultKind.LITERAL or (new.members == old.members and not wide):
        return given
    if any("\0" in one for one in new.members):
        raise Refused("what becomes of a default of members that are bytes is not known", at, "SC002")
    if old.base == "set" and not given.text:
        return given
    if len(set(new.members)) < len(new.members):
        raise Refused("which of the members the default becomes is not known", at, "SC002")
    names = dict(zip(old.members, new.members, strict=True))
    parts = (given.text or "").split(",") if old.base == "set" else [given.text or ""]
    if new.charset != "binary" and any(
        one in names and one.encode(codec(old.charset)) != one.encode(codec(new.charset), "replace")
        for one in parts
    ):
        raise Refused("the default is none of the members", at, "SC002", 1067)
    return Default(given.kind, ",".join(names.get(one, one) for one in parts))


def shares(kind: ColumnType, server: Server) -> bool:
    """Whether another column may have a say in a column's members: those of one wide character set share a
    list of the same ones, which 5.6 converts with each of them (asked of 5.6.24).
    """
    return bool(kind.members) and kind.charset in charsets.WIDE and not server.has("ddl-enum-keeps-nul")


def apart(columns: Sequence[Column], context: Context, at: int) -> None:
    """Refuse columns that share their members."""
    shared = [(one.type.charset, one.type.members) for one in columns if shares(one.type, context.server)]
    if len(set(shared)) < len(shared):
        why = "what becomes of members that two columns have is not known: write them in another order"
        raise Refused(why, at, "SC002")
