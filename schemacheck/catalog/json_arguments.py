"""Columns that MySQL's JSON_VALUE and JSON_SCHEMA_VALID refuse as a document, before there is a row (3146;
asked of 9.7): all but texts, bytes and JSON. Other JSON functions wait for the row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemacheck.model import quote
from schemacheck.model.column_type import BLOBS, TEXTS
from schemacheck.model.table import Column
from schemacheck.model.words import tokens
from schemacheck.sql.lexer import Refused

_DOCUMENTS = frozenset(("char", "varchar", "binary", "varbinary", "json", *TEXTS, *BLOBS))
_FUNCTIONS = frozenset(("json_value", "json_schema_valid"))


def check(texts: Iterable[str], columns: Sequence[Column], modes: frozenset[str], at: int) -> None:
    """Raise Refused for such a column in one of these expressions."""
    others = {one.name.casefold() for one in columns if one.type.base not in _DOCUMENTS}
    for text in texts:
        if "json_" not in text.lower():
            continue
        words = [*tokens(text, modes), ("", ""), ("", "")]
        for index, (_, word) in enumerate(words):
            if word not in _FUNCTIONS or words[index + 1][1] != "(":
                continue
            begins = [index + 2]
            if word == "json_schema_valid":
                begins.append(_column(words, index + 2)[1] + 1)
            for begin in begins:
                name, last = _column(words, begin)
                if name in others and words[last][1] in (",", ")"):
                    why = f"{word.upper()} takes no document of column {name!r}"
                    raise Refused(why, at, "SC002", 3146)


def _column(words: Sequence[tuple[str, str]], first: int) -> tuple[str, int]:
    """The (folded) name that stands there, and where its argument may end."""
    at = min(first, len(words) - 2)
    while words[at][0] in ("word", "name") and words[at + 1][1] == "." and at + 2 < len(words) - 1:
        at += 2
    kind, value = words[at]
    name = quote.unquote(value) if kind == "name" else value if kind == "word" else ""
    return name.casefold(), at + 1
