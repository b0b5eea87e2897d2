"""What of a trigger, an event or a routine the server refuses when it is made, as far as its head says so.
Its body is not read.
"""

from __future__ import annotations

import re

from schemacheck.catalog.state import Catalog
from schemacheck.model.column_type import BadType
from schemacheck.model.type_text import read as read_type
from schemacheck.sql.ddl.column import type_of
from schemacheck.sql.ddl.draft import ColumnDraft
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.routine import body_at
from schemacheck.sql.token import TokenType

_UNIT = (
    "(?:YEAR|QUARTER|MONTH|WEEK|DAY|HOUR|MINUTE|SECOND|YEAR_MONTH|DAY_HOUR|DAY_MINUTE|DAY_SECOND|HOUR_MINUTE|"
    "HOUR_SECOND|MINUTE_SECOND)"
)
#: T is a time, S another string or a number.
_TIME = rf"(?:T|CURRENT_TIMESTAMP(?: \( S? ?\))?|NOW \( \))(?: [+-] INTERVAL S {_UNIT})*"
#: `event_tail` (sql_yacc.yy). Intervals of a day and less alone: longer ones may be refused (1542).
_SCHEDULE = re.compile(
    rf"ON SCHEDULE (?:AT {_TIME}|EVERY S {_UNIT}(?: STARTS {_TIME})?(?: ENDS {_TIME})?)"
    r"(?: ON COMPLETION(?: NOT)? PRESERVE)?(?: ENABLE| DISABLE(?: ON (?:SLAVE|REPLICA))?)?(?: COMMENT [ST])?"
)
_AT = re.compile(r"(?:19|20)[0-9]{2}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-5][0-9]")
_EVERY = re.compile("[1-9][0-9]{0,4}")
_HEAD_WORDS = 20


#: Statements that no body has, and further ones that none of a function or a trigger has (1314, 1303, 1422).
_NEVER = frozenset(("USE", "LOCK", "UNLOCK"))
_COMMITS = frozenset((
    "COMMIT", "START", "CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE", "FLUSH", "GRANT", "REVOKE", "ANALYZE",
    "OPTIMIZE", "REPAIR", "LOAD", "PREPARE", "EXECUTE", "DEALLOCATE",
))  # fmt: skip
_MADE = frozenset(("PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE"))
#: Behind these a statement of a body begins.
_BEFORE = frozenset((";", "BEGIN", "THEN", "ELSE", "DO", "LOOP", "REPEAT", "ROW"))


def body_refused(t: Tokens) -> str:
    """What in a body every server refuses, as far as its statements' first words show; '' for nothing."""
    words = t.words
    what = next((word for word in words[:_HEAD_WORDS] if word in _MADE), "")
    inner = what in ("FUNCTION", "TRIGGER")
    body = body_at(t)
    for at in range(t.size - 1):
        word = words[at + 1]
        if words[at] not in _BEFORE and at + 1 != body:
            continue
        made = word == "CREATE" and not _MADE.isdisjoint(words[at + 2 : at + 8])
        if word in _NEVER or made or (inner and word in _COMMITS and words[at + 2] != "TEMPORARY"):
            return f"{word} is for no body of a {what.lower()}"
        if word == "RETURN" and what in ("PROCEDURE", "EVENT"):
            return "RETURN is for functions"
        if inner and word == "SELECT":
            end = words.index(";", at + 1) if ";" in words[at + 1 : t.size] else t.size
            if "INTO" not in words[at + 1 : end]:
                return f"a {what.lower()} returns no rows"
    if what == "FUNCTION" and "RETURN" not in words:
        return "a function returns something"
    return ""


def doubt(t: Tokens, catalog: Catalog) -> str:
    """Why the server may refuse the head; '' where it does not."""
    at = next((i for i in range(min(t.size, _HEAD_WORDS)) if t.words[i] in _LOOKED_AT), None)
    if at is None:
        return ""
    t.at = at + 1
    t.take("IF", "NOT", "EXISTS")
    t.name()
    if t.take("."):
        t.name()
    return _LOOKED_AT[t.words[at]](t, catalog)


def _event(t: Tokens, _: Catalog) -> str:
    words: list[str] = []
    while not t.end and t.peek() != "DO":
        if t.is_string():
            value = t.one_string()
            words.append("T" if _AT.fullmatch(value) else "S")
            refused = words[-2:] == ["EVERY", "S"] and not _EVERY.match(value)
        else:
            refused = words[-1:] == ["EVERY"] and t.is_number() and not _EVERY.fullmatch(t.raw(t.at))
            words.append("S" if t.is_number() else t.peek())
            t.at += 1
        if refused:
            return "its interval is none"
    return "" if _SCHEDULE.fullmatch(" ".join(words)) else "its schedule is not understood"


def _trigger(t: Tokens, catalog: Catalog) -> str:
    while not t.end and not t.take("ON"):
        t.at += 1
    database, name = None, t.name()
    if t.take("."):
        database, name = name, t.name()
    table = catalog.tables.get(catalog.key(database or catalog.database, name))
    if table is None:
        return ""
    names = {one.name.casefold() for one in table.columns}
    head = t.words[: t.at]
    absent = "NEW" if "DELETE" in head else "OLD" if "INSERT" in head else ""
    for at in range(t.at, t.size - 2):
        if (
            t.words[at] in ("NEW", "OLD")
            and t.words[at + 1] == "."
            and t.kinds[at] is not TokenType.IDENTIFIER
        ):
            sets = "AFTER" in head and t.words[at - 1 : at + 1] == ["SET", "NEW"]
            if sets or t.words[at] == absent:
                return f"{t.words[at]} is not there, or is not changed, in this trigger"
            t.at = at + 2
            used = t.name()
            if used.casefold() not in names:
                return f"{name!r} has no column {used!r}"
    return ""


def _routine(t: Tokens, catalog: Catalog) -> str:
    if t.peek() in ("RETURNS", "SONAME"):
        return "what a loadable function's library holds is not known"
    if "ORACLE" in catalog.server.sql_mode:
        return ""
    t.need("(")
    while not t.take(")"):
        t.take_any("IN", "OUT", "INOUT")
        t.name()
        _type(t, catalog)
        if t.peek() != ")":
            t.need(",")
    return ""


def _function(t: Tokens, catalog: Catalog) -> str:
    why = _routine(t, catalog)
    if why or "ORACLE" in catalog.server.sql_mode:
        return why
    t.need("RETURNS")
    _type(t, catalog)
    return ""


def _type(t: Tokens, catalog: Catalog) -> None:
    """Consume a type. Raises Refused where no server of the flavour has it."""
    at = t.offset()
    draft = ColumnDraft("", "")
    type_of(t, catalog.flavor, draft)
    if t.take("COLLATE"):
        t.name()
    try:
        read_type(draft.type_text)
    except BadType as error:
        raise Refused(str(error), at) from None


_LOOKED_AT = {"EVENT": _event, "TRIGGER": _trigger, "PROCEDURE": _routine, "FUNCTION": _function}
