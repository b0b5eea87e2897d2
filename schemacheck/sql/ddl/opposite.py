"""The statement that takes another one back, where its words alone tell it."""

from __future__ import annotations

from schemacheck.model import Server
from schemacheck.model.quote import quoted
from schemacheck.sql import flavor
from schemacheck.sql.ddl import program, tables
from schemacheck.sql.lexer import Refused, tokens_of
from schemacheck.sql.words import Name, first_words, object_of

_PROGRAMS = ("TRIGGER", "PROCEDURE", "FUNCTION", "EVENT")
#: Words of a statement that are looked at.
_WORDS = 50


def opposite(sql: str, server: Server, database: str | None, *, swaps: bool) -> str:
    """Of a RENAME of tables (`swaps`), or the CREATE of a program that is not there before; else ''."""

    def full(name: Name) -> str:
        return ".".join(quoted(part) for part in (name[0] or database, name[1]) if part)

    words = first_words(sql, _WORDS)
    about = object_of(words)
    made = words[:1] == ["CREATE"] and about in _PROGRAMS
    if not (made or swaps) or {"REPLACE", "EXISTS"} & {*words[: words.index(about) + 4]}:
        return ""
    try:
        t = tokens_of(sql, server)
        if made:
            return f"DROP {about} {full(program.dropped(t, about)[0])}"
        pairs = tables.rename(t, flavor.of(server)).pairs
    except Refused:  # under the sql_mode of its session
        return ""
    return f"RENAME TABLE {', '.join(f'{full(new)} TO {full(old)}' for old, new, _ in reversed(pairs))}"
