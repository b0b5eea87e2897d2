"""Statements that a scratch server is asked: one each, of a closed list of kinds."""

from __future__ import annotations

import re
from itertools import pairwise

from schemacheck.model.server import Server
from schemacheck.sql.lexer import Refused, tokens_of
from schemacheck.sql.versioned_comment import interpret

_DEFINER = r"(?P<{}>DEFINER = (?:CURRENT_(?:USER|ROLE)(?: \( \))?|\S+(?: @ \S+)?) )?"
#: The first words of every kind; a word in quotes is `?`.
_KINDS = re.compile(
    r"(?:CREATE (?:OR REPLACE )?(?:TEMPORARY )?(?:TABLE|SEQUENCE)"
    r"|CREATE (?:OR REPLACE )?(?:ONLINE |OFFLINE )?(?:UNIQUE |FULLTEXT |SPATIAL |VECTOR )?INDEX"
    r"|CREATE (?:OR REPLACE )?(?:DATABASE|SCHEMA)"
    rf"|(?:CREATE (?:OR REPLACE )?|ALTER )(?:ALGORITHM = \w+ )?{_DEFINER.format('viewer')}"
    r"(?:SQL SECURITY \w+ )?VIEW"
    rf"|CREATE (?:OR REPLACE )?{_DEFINER.format('caller')}(?P<trigger>TRIGGER)"
    r"|ALTER (?:(?:ONLINE |OFFLINE )?(?:IGNORE )?TABLE|DATABASE|SCHEMA|SEQUENCE)"
    r"|DROP (?:(?:TEMPORARY )?(?:TABLES?|SEQUENCE)|(?:ONLINE |OFFLINE )?INDEX|VIEW|DATABASE|SCHEMA|TRIGGER)"
    r"|RENAME TABLES?|TRUNCATE|INSERT|REPLACE|UPDATE|DELETE|SELECT"
    r"|SHOW (?:WARNINGS|CREATE (?:TABLE|VIEW|SEQUENCE|TRIGGER|DATABASE)))(?: |\Z)",
    re.ASCII,
)
_ELSEWHERE = {("DATA", "DIRECTORY"), ("INDEX", "DIRECTORY")}
#: Words of the beginning that are looked at.
_HEAD = 24


def asked(statement: str, server: Server) -> str:
    """The statement as it is sent to a server of this version and sql_mode: without a DEFINER, which no
    table depends on. Raises Refused for what is not one statement of the list.
    """
    text = interpret(statement, server)
    words = tokens_of(text, server)
    head = " ".join(word or "?" for word in words.words[: min(_HEAD, words.size)])
    kind = _KINDS.match(head)
    if kind is None:
        raise Refused(f"no statement of a kind that is asked: {statement[:60]!r}", code="SC001")
    if ";" in words.words and not kind["trigger"]:
        raise Refused("several statements", code="SC001")
    # MySQL 5.6 makes a table's files wherever a definition says; so might another reading of its comments.
    beside = any(pair in _ELSEWHERE for pair in pairwise(words.words))
    if beside or ("!" in statement and "DIRECTORY" in statement.upper()):
        raise Refused("a folder of the server is named", code="SC001")
    group = "viewer" if kind["viewer"] else "caller"
    if not kind[group]:
        return statement
    first = head[: kind.start(group)].count(" ")
    last = first + kind[group].count(" ") - 1
    return text[: words.starts[first]] + text[words.ends[last] :]
