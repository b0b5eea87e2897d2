"""Whether a statement names a character set without a collation."""

from __future__ import annotations

from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.token import TokenType


def names_charset(sql: str, *, ansi_quotes: bool = False, backslash: bool = True) -> bool:
    """CHARACTER SET and CHARSET without COLLATE behind the name, CONVERT(... USING name), _name'text'. A text
    that no server cuts into words names none.
    """
    try:
        t = Tokens(sql, ansi_quotes=ansi_quotes, backslash=backslash)
    except Refused:
        return False
    words = [t.words[index] or "" for index in range(t.size)]
    for index, word in enumerate(words):
        at = index + 1
        if word == "CHARACTER" and words[at : at + 1] == ["SET"]:
            at += 1
        elif word not in ("CHARSET", "USING"):
            string = at < t.size and t.kinds[at] is TokenType.STRING
            if string and t.kinds[index] is TokenType.VAR and word.startswith("_"):
                return True
            continue
        at += words[at : at + 1] == ["="]
        behind = [word for word in words[at + 1 : at + 3] if word != "DEFAULT"][:1]
        if at < t.size and behind != ["COLLATE"]:
            return True
    return False
