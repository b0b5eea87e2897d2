"""Names that a server refuses: too long, with blanks at their end, or taken by InnoDB for its own."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.knowledge import characters
from schemacheck.model.table import Column, Key, KeyKind
from schemacheck.sql.lexer import Refused, unasked

_LONGEST = 64
_BLANKS = frozenset(characters.BLANK)
#: The columns that InnoDB puts into each row, and the column and key of a full-text table's documents.
_DOCUMENT = "FTS_DOC_ID"
_DOCUMENTS = frozenset((_DOCUMENT, f"{_DOCUMENT}_INDEX"))
_INNODB = frozenset(("DB_ROW_ID", "DB_TRX_ID", "DB_ROLL_PTR", *_DOCUMENTS))


def folded(name: str) -> str:
    """A column's name as servers compare it: small letters one by one, no Unicode folding (ss and \u00df
    differ), and that of U+0130 is i, without the dot above it (asked of MariaDB).
    """
    return name.lower() if name.isascii() else "".join(map(str.lower, name)).replace("i\u0307", "i")


def check(name: str, at: int, *, blanks: bool = False) -> None:
    """Refuse a long name, or one with `blanks` at its end where they have no place. Raises Refused."""
    if len(name) > _LONGEST or (name[-1:] in _BLANKS and not blanks):
        raise unasked(f"the name {name[:_LONGEST]!r}", at)


def unused(name: str | None, taken: Sequence[str | None], at: int) -> None:
    """A constraint's name must be new: servers refuse it by different errors. Raises Refused."""
    if name is not None and name.casefold() in {text.casefold() for text in taken if text}:
        raise Refused(f"constraint {name!r} exists: whether the server takes another is not known", at)


def not_gone(name: str | None, before: Sequence[str | None], at: int) -> None:
    """The name of a foreign key that goes in the same ALTER is still taken: 1022 on MySQL 5.6, 1826 on 9.7,
    1005 on MariaDB 10.11 and 11.8. Raises Refused.
    """
    if name is not None and name.casefold() in {text.casefold() for text in before if text}:
        raise Refused(
            f"no server drops and adds foreign key {name!r} in one statement: drop it in one before", at
        )


def of_innodb(columns: Sequence[Column], keys: Sequence[Key], at: int) -> None:
    """Names of InnoDB itself, but for a FTS_DOC_ID as it makes one. Raises Refused."""
    own = {item.name for item in columns if item.type.base == "bigint" and not item.nullable} & {_DOCUMENT}
    own |= {key.name for key in keys if key.kind is KeyKind.UNIQUE and _parts(key) == [(_DOCUMENT, False)]}
    names = {item.name for item in columns} | {key.name for key in keys}
    if taken := sorted(name for name in names if name.upper() in _INNODB and name not in own & _DOCUMENTS):
        raise unasked(f"{taken[0]!r}, a name of InnoDB itself", at)


def _parts(key: Key) -> list[tuple[str | None, bool]]:
    return [(part.column, part.descending) for part in key.parts]
