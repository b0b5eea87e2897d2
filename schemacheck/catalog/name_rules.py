"""Names that a server refuses: too long, with blanks at their end, or taken by InnoDB for its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemacheck.knowledge import characters
from schemacheck.model.server import Server
from schemacheck.model.table import Column, Key, KeyKind
from schemacheck.sql.lexer import Refused

_LONGEST = 64
_BLANKS = frozenset(characters.BLANK)
#: The columns that InnoDB puts into each row, and the key of a full-text table's documents.
_OWN_COLUMNS = frozenset(("db_row_id", "db_trx_id", "db_roll_ptr"))
_DOCUMENT, _DOCUMENT_KEY = "FTS_DOC_ID", "FTS_DOC_ID_INDEX"


def folded(name: str) -> str:
    """A column's name as servers compare it: small letters one by one, no Unicode folding (ss and \u00df
    differ), and that of U+0130 is i, without the dot above it (asked of MariaDB).
    """
    return name.lower() if name.isascii() else "".join(map(str.lower, name)).replace("i\u0307", "i")


def column(name: str, at: int) -> None:
    """The name of a column. Raises Refused."""
    constraint(name, at)
    if name[-1:] in _BLANKS:
        raise Refused(f"the name {name!r} ends with a blank", at, 1166)


def constraint(name: str, at: int) -> None:
    """The name of a key, a CHECK or a foreign key. Raises Refused."""
    if len(name) > _LONGEST:
        raise _too_long(name, at, 1059)


def unused(
    name: str | None, taken: Sequence[str | None], at: int, server: Server, kind: str, altered: str = ""
) -> None:
    """A constraint's name must be new among those of its kind (asked of four servers; 3822 by the manual).
    `altered`: the database of the table that ALTER TABLE adds a foreign key to. Raises Refused.
    """
    if name is None or name.casefold() not in {text.casefold() for text in taken if text}:
        return
    shown = name
    if kind == "check":
        # MySQL before 8.0.16 keeps none.
        number = 3822 if server.has("checks-row-events") else 1826
    elif server.has("data-dictionary"):
        number = 1826
    elif altered and server.setting("foreign_key_checks").upper() in ("OFF", "0"):
        # InnoDB adds it in place then.
        number, shown = 1826, f"{altered}/{name}"
    elif server.mariadb:
        number = 1005
    else:
        number = 1022 if altered or name not in taken else 1215
    word = "CHECK" if kind == "check" else "FOREIGN KEY"
    raise Refused(f"constraint {name!r} exists", at, number, name=shown, kind=word)


def table(name: str, at: int, server: Server) -> None:
    """The name of a table or view (asked of four servers). Raises Refused."""
    if len(name) > _LONGEST:
        raise _too_long(name, at, 1103 if server.mariadb else 1059)
    if name[-1:] in _BLANKS:
        raise Refused(f"the name {name!r} ends with a blank", at, 1103)


def partitions(names: Iterable[str], at: int) -> None:
    """The names of partitions and their parts (asked of four servers). Raises Refused."""
    for name in names:
        constraint(name, at)
        if name[-1:] in _BLANKS:
            raise Refused(f"the name {name!r} ends with a blank", at, 1567)


def _too_long(name: str, at: int, number: int) -> Refused:
    return Refused(f"the name {name[:20]!r}... is longer than {_LONGEST} characters", at, number)


def of_innodb(columns: Sequence[Column], keys: Sequence[Key], server: Server, at: int) -> None:
    """The names that InnoDB gives to columns and a key of its own (asked of four servers). Raises Refused."""
    for item in columns:
        small = item.name.lower() if item.name[:1] in ("d", "D", "f", "F") else ""
        if small in _OWN_COLUMNS:
            raise Refused(f"{item.name!r} is a column of InnoDB itself", at, 1166)
        if small == "fts_doc_id" and (item.name != _DOCUMENT or item.nullable or item.type.base != "bigint"):
            why = "FTS_DOC_ID is InnoDB's own: BIGINT NOT NULL, in capitals"
            raise Refused(why, at, 1166)
    if not any(key.kind is KeyKind.FULLTEXT for key in keys):
        return
    for key in keys:
        if key.name is None or key.name.upper() != _DOCUMENT_KEY:
            continue
        descending = key.parts[0].descending and server.has("ddl-descending-index")
        if (
            key.kind is not KeyKind.UNIQUE
            or key.name != _DOCUMENT_KEY
            or len(key.parts) != 1
            or key.parts[0].column != _DOCUMENT
            or descending
        ):
            why = f"key {key.name!r} is InnoDB's own: UNIQUE FTS_DOC_ID_INDEX (FTS_DOC_ID)"
            raise Refused(why, at, 1798, name=key.name)
