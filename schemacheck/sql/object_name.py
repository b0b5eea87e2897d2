"""Which database, routine, trigger or event a definition is about."""

from __future__ import annotations

from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.words import Name

_KINDS = {
    "DATABASE": "DATABASE", "SCHEMA": "DATABASE", "PROCEDURE": "PROCEDURE", "FUNCTION": "FUNCTION",
    "TRIGGER": "TRIGGER", "EVENT": "EVENT",
}  # fmt: skip
#: Objects stand behind so many words at most (DEFINER, OR REPLACE, ...).
_MOST = 20


def object_named(t: Tokens, verb: str) -> tuple[str, Name, bool] | None:
    """Its kind, its name, and whether the statement tolerates that it is there (CREATE) or not (DROP, ALTER);
    None for other objects, and where no name stands.
    """
    words = t.words[:_MOST]
    at = next((index for index, word in enumerate(words) if word in _KINDS), None)
    if at is None or not words or words[0] != verb:
        return None
    t.at = at + 1
    tolerant = "REPLACE" in words[:at]
    if verb == "CREATE":
        tolerant = t.take("IF", "NOT", "EXISTS") or tolerant
    else:
        tolerant = t.take("IF", "EXISTS")
    try:
        name = t.name()
        found: Name = (name, t.name()) if t.take(".") else (None, name)
    except Refused:
        return None
    if (
        verb == "ALTER"
        and _KINDS[words[at]] == "DATABASE"
        and name.upper() in ("DEFAULT", "CHARACTER", "COLLATE")
    ):
        return None  # the default database
    return _KINDS[words[at]], found, tolerant
