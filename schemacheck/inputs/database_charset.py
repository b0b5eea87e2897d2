"""The character sets that scripts give to databases, for scripts that come after them in other files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.model import charset as charsets
from schemacheck.sql.parts import statements_of
from schemacheck.sql.versioned_comment import interpret
from schemacheck.sql.words import first_words, object_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schemacheck.model import Server
    from schemacheck.model.history import Part
    from schemacheck.sql.ddl.tables import DefineDatabase

_MENTIONED = re.compile(
    r"\b(?:CREATE|ALTER)\b.{0,200}?\b(?:DATABASE|SCHEMA)\b", re.IGNORECASE | re.ASCII | re.DOTALL
)


def of_script(text: str, server: Server, parts: Sequence[Part] | None = None) -> dict[str, tuple[str, str]]:
    """(character set, collation) of every database for which a CREATE or ALTER DATABASE statement
    names one; `parts` are what of the text is run (None: all).
    """
    out: dict[str, tuple[str, str]] = {}
    if not _MENTIONED.search(text):
        return out
    from schemacheck.sql.ddl.tables import DefineDatabase
    from schemacheck.sql.statements import parse

    for statement in statements_of(text, lambda: server, parts):
        if statement.command is not None:
            continue
        sql = interpret(statement.text, server)
        words = first_words(sql, 8)
        if words[:1] not in (["CREATE"], ["ALTER"]) or object_of(words) not in ("DATABASE", "SCHEMA"):
            continue
        result = parse(statement.text, server).definition
        # What is not understood is said where the script itself is read.
        if isinstance(result, DefineDatabase) and result.name is not None:
            _add(out, result, server)
    return out


def _add(out: dict[str, tuple[str, str]], statement: DefineDatabase, server: Server) -> None:
    charset, collation = statement.options.charset, statement.options.collation
    set_ = charsets.canonical(charset) if charset else charsets.of_collation(collation) if collation else None
    if statement.name is None or set_ is None or not charsets.known(set_):
        return
    default = charsets.default_collation(set_, server.flavor, server.version)
    out[statement.name] = (set_, charsets.canonical_collation(collation) if collation else default)
