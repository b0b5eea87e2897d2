"""What is sent to a scratch server: one statement, of a closed list of kinds."""

from __future__ import annotations

import re

from schemacheck.errors import InputError
from schemacheck.model import Server
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
    r"|SHOW CREATE (?:TABLE|VIEW|SEQUENCE|TRIGGER|DATABASE))(?: |\Z)"
)
#: Words of the beginning that are looked at.
_HEAD = 24
#: Bytes of a statement: what every server takes.
LONGEST = 1 << 20


class NoAnswer(InputError):
    """A scratch server has not answered, or was not asked: nothing is known."""


def sent(statement: str, server: Server) -> str:
    """The statement as it is sent to a server of this version and sql_mode: without a DEFINER, which no
    table depends on. Raises NoAnswer for what is not one statement of the list.
    """
    if len(statement.encode("utf-8", "surrogatepass")) > LONGEST:
        raise NoAnswer(f"not asked: the statement has more than {LONGEST >> 20} MiB")
    text = interpret(statement, server)
    try:
        words = tokens_of(text, server)
    except Refused as refused:
        raise NoAnswer(f"not asked: {refused.message}") from None
    head = " ".join(word or "?" for word in words.words[: min(_HEAD, words.size)])
    kind = _KINDS.match(head)
    if kind is None:
        raise NoAnswer(f"not asked: no statement of a kind that is asked: {statement[:60]!r}")
    if ";" in words.words and not kind["trigger"]:
        raise NoAnswer("not asked: several statements")
    group = "viewer" if kind["viewer"] else "caller"
    if not kind[group]:
        return statement
    first = head[: kind.start(group)].count(" ")
    last = first + kind[group].count(" ") - 1
    return text[: words.starts[first]] + text[words.ends[last] :]
