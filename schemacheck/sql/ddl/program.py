"""CREATE and DROP of triggers and events, the query of a view and the columns of a sequence, in a script."""

from __future__ import annotations

from typing import NamedTuple

from schemacheck.knowledge import characters
from schemacheck.model.program import INVOKER, Trigger, account
from schemacheck.model.quote import unquote
from schemacheck.sql.lexer import Tokens, unasked
from schemacheck.sql.words import Name

#: What of a sequence takes a number.
_SEQUENCE_NUMBERS = ("START", "INCREMENT", "MINVALUE", "MAXVALUE", "CACHE")


class ReadTrigger(NamedTuple):
    """CREATE TRIGGER as written: its name, the table that it belongs to, one Trigger for each event, IF NOT
    EXISTS, OR REPLACE, and behind or before which trigger it runs (FOLLOWS, PRECEDES, or '').
    """

    name: Name
    table: Name
    triggers: tuple[Trigger, ...]
    if_not_exists: bool
    replaces: bool
    order: str
    beside: str


class ReadEvent(NamedTuple):
    """CREATE or ALTER EVENT as written; what ALTER EVENT leaves as it is, is None."""

    name: Name
    body: str | None
    enabled: bool | None
    absent: bool = False
    renamed: Name | None = None


def _name(t: Tokens) -> Name:
    name = t.name()
    return (name, t.name()) if t.take(".") else (None, name)


def _head(t: Tokens, word: str) -> tuple[bool, bool]:
    """Go behind the object's word and IF [NOT] EXISTS; (OR REPLACE, IF NOT EXISTS)."""
    replaces = False
    while not t.end and t.peek() != word:
        replaces = replaces or t.peek() == "REPLACE"
        t.at += 1
    t.need(word)
    return replaces, t.take("IF", "NOT", "EXISTS") or t.take("IF", "EXISTS")


def definer(t: Tokens, what: str) -> str:
    """Whose rights a new trigger, routine or view (`what`, its word) runs with: `'user'@'host'` behind
    DEFINER, INVOKER, or '' where the definition names nobody. Raises Refused.
    """
    words = t.words
    if any(words[at : at + 3] == ["SQL", "SECURITY", INVOKER] for at in range(len(words))):
        return INVOKER
    head = words[: words.index(what)] if what in words else []
    if "DEFINER" not in head:
        return ""
    at, parts = head.index("DEFINER") + 2, []
    while at < len(head) and head[at] not in ("SQL", "AGGREGATE", "CURRENT_USER", "CURRENT_ROLE"):
        text = unquote(t.raw(at), backslash=t.backslash) if t.raw(at)[0] in "'\"" else t.name_at(at)
        parts.append(text)
        at += 1
    return account("".join(parts))


def read_only(t: Tokens) -> bool:
    """Whether a view is made with ALGORITHM=TEMPTABLE."""
    head = t.words[: t.words.index("VIEW")]
    return ["ALGORITHM", "=", "TEMPTABLE"] in [head[at : at + 3] for at in range(len(head))]


def _rest(t: Tokens, text: str) -> str:
    return characters.strip(characters.strip(text[t.offset() :]).rstrip(";")) if not t.end else ""


def trigger(t: Tokens, text: str) -> ReadTrigger:
    """CREATE TRIGGER. Raises Refused."""
    replaces, absent = _head(t, "TRIGGER")
    home, name = _name(t)
    timing = t.take_any("BEFORE", "AFTER")
    if timing is None:
        raise t.fail("BEFORE or AFTER is expected")
    events: list[str] = []
    while not events or t.take("OR"):
        event = t.take_any("INSERT", "UPDATE", "DELETE")
        if event is None:
            raise t.fail("INSERT, UPDATE or DELETE is expected")
        events.append(event)
    t.need("ON")
    table = _name(t)
    t.need("FOR", "EACH", "ROW")
    order = t.take_any("FOLLOWS", "PRECEDES") or ""
    beside = t.name() if order else ""
    body = _rest(t, text)
    return ReadTrigger(
        (home, name),
        table,
        tuple(Trigger(name, timing, text, body) for text in events),
        absent,
        replaces,
        order,
        beside,
    )


def event(t: Tokens, text: str) -> ReadEvent:
    """CREATE EVENT and ALTER EVENT. Raises Refused."""
    creates = t.peek() == "CREATE"
    _, absent = _head(t, "EVENT")
    name, renamed = _name(t), None
    enabled = True if creates else None
    while not t.end and t.peek() != "DO":
        if t.take("RENAME", "TO"):
            renamed = _name(t)
            continue
        word = t.peek()
        if word in ("ENABLE", "DISABLE"):
            enabled = word == "ENABLE"
        t.at += 1
    if creates or not t.end:
        t.need("DO")
        return ReadEvent(name, _rest(t, text), enabled, absent, renamed)
    return ReadEvent(name, None, enabled, absent, renamed)


def dropped(t: Tokens, word: str) -> tuple[Name, bool]:
    """DROP TRIGGER, DROP EVENT: the name, and IF EXISTS. Raises Refused."""
    _, exists = _head(t, word)
    return _name(t), exists


def view_query(t: Tokens, text: str) -> tuple[str | None, int | None]:
    """A view's query with its column list in front, and where the query begins. Raises Refused."""
    start = t.offset() if not t.end else len(text)
    listed = t.peek() == "("
    while listed and t.take_any("(", ","):
        t.name()
    if listed:
        t.need(")")
    t.need("AS")
    at = t.offset() if not t.end else len(text)
    return characters.strip(characters.strip(text[start:]).rstrip(";")) if listed else _rest(t, text), at


def sequence(t: Tokens) -> tuple[str, bool, bool]:
    """A sequence's type, whether it is unsigned and has CYCLE. Raises Refused where it makes none."""
    kind, unsigned, cycle = "bigint", False, False
    if t.take("AS"):
        kind, unsigned = t.peek().lower(), t.peek(1) == "UNSIGNED"
        t.at += 1
        t.take_any("SIGNED", "UNSIGNED")
    at, given = t.offset(), {}
    while not t.end:
        word = t.take_any("NOMINVALUE", "NOMAXVALUE", "NOCACHE", "CYCLE", "NOCYCLE")
        cycle = cycle or word == "CYCLE"
        if word is None and not t.take("NO") and (word := t.take_any(*_SEQUENCE_NUMBERS)) is not None:
            t.take_any("WITH", "BY", "=")
            sign = -1 if t.take("-") else 1
            given[word] = sign * t.integer()
        elif word is None and t.take_any("MINVALUE", "MAXVALUE", "CACHE", "CYCLE") is None:
            if t.take_any("ENGINE", "COMMENT") is None:
                raise t.fail()
            t.take("=")
            t.at += 1
    least, most = given.get("MINVALUE"), given.get("MAXVALUE")
    values = [number for number in (least, given.get("START"), most) if number is not None]
    if values != sorted(values) or (least is not None and least == most):
        raise unasked("these values of a sequence", at)
    return kind, unsigned, cycle
