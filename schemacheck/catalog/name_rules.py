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
_OWN_COLUMNS = frozenset(("DB_ROW_ID", "DB_TRX_ID", "DB_ROLL_PTR", "FTS_DOC_ID"))
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


def unused(name: str | None, taken: Sequence[str | None], at: int) -> None:
    """A constraint's name must be new: servers refuse it by different errors. Raises Refused."""
    if name is not None and name.casefold() in {text.casefold() for text in taken if text}:
        raise Refused(f"constraint {name!r} exists: whether the server takes another is not known", at)


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


def of_innodb(columns: Sequence[Column], keys: Sequence[Key], at: int) -> None:
    """Names of InnoDB itself, but for a FTS_DOC_ID as it makes one. Raises Refused."""
    names = [item.name for item in columns if item.name.upper() in _OWN_COLUMNS and not _is_document(item)]
    names += [key.name for key in keys if key.name.upper() == _DOCUMENT_KEY and not _is_of_documents(key)]
    if names:
        why = f"{names[0]!r} is a name of InnoDB itself: whether the server takes it here is not known"
        raise Refused(why, at)


def _is_document(column: Column) -> bool:
    return (column.name, column.type.base, column.nullable) == (_DOCUMENT, "bigint", False)


def _is_of_documents(key: Key) -> bool:
    plain = [(part.column, part.descending) for part in key.parts] == [(_DOCUMENT, False)]
    return plain and key.kind is KeyKind.UNIQUE and key.name == _DOCUMENT_KEY
