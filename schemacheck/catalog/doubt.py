"""Queries and data manipulation in a script: where the server refuses one, the client stops, and what follows
never runs.

Nothing is asked of such a statement before a definition follows it. Rows of literals, as dumps insert them,
are recognised here; all else is given to sqlglot's parser. What that does not read may be valid all the
same, so that it is unknown whether what follows runs.
"""

from __future__ import annotations

import re
from functools import cache

from schemacheck.catalog.context import Lines, Place
from schemacheck.catalog.state import Catalog
from schemacheck.sql import characters, query_tree
from schemacheck.sql.lexer import Refused
from schemacheck.sql.script import Statement

#: The statements that are looked at.
VERBS = frozenset(("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH"))
#: So many wait at most before they are read, and so many characters each: longer ones are not read.
_MOST, _LONGEST = 500, 1_000_000
_S = characters.SPACE
#: Words behind a verb that sqlglot does not know.
_HEAD = re.compile(
    rf"{_S}*+(INSERT|REPLACE|UPDATE|DELETE)(?:{_S}++(?:LOW_PRIORITY|HIGH_PRIORITY|DELAYED|QUICK|IGNORE)(?!{characters.NAME}))*"
    rf"(?:{_S}++INTO(?!{characters.NAME}))?",
    re.IGNORECASE,
)


@cache
def _rows(backslash: bool) -> re.Pattern[str]:
    """INSERT and REPLACE of rows of literals."""
    # No lookahead stands in a possessive group: CPython before 3.11.4 does not step back there.
    space = rf"(?:{_S}++|{characters.COMMENT})*"
    string = characters.string("'", backslash=backslash)
    number = r"[-+]?(?:0x[0-9a-fA-F]++|[0-9]++(?:\.[0-9]*+)?(?:[eE][-+]?[0-9]++)?)(?![0-9A-Za-z_$.])"
    name = rf"(?:{characters.BACKQUOTED}|[A-Za-z_][A-Za-z_0-9]*+)"
    value = rf"(?:(?:_binary{space}|[xXbBnN])?{string}|{number}|NULL|DEFAULT|TRUE|FALSE)"
    row = rf"\({space}(?:{value}{space}(?:,{space}{value}{space})*)?\){space}"
    return re.compile(
        rf"{space}(?:INSERT|REPLACE){_S}++(?:IGNORE{_S}++)?INTO{space}{name}(?:\.{name})?{space}"
        rf"(?:\({space}{name}{space}(?:,{space}{name}{space})*\){space})?VALUES?{space}{row}(?:,{space}{row})*",
        re.IGNORECASE | re.DOTALL,
    )


class Doubts:
    """The statements of a script in which its client may stop."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Statement, str, Lines | Place]] = []
        self._found: tuple[Statement, Lines | Place] | None = None
        self._told = False

    def note(self, statement: Statement, text: str, catalog: Catalog) -> None:
        """A statement of one of these verbs, as this server reads it."""
        if self._told or self._found or _rows(catalog.server.backslash).fullmatch(text):
            return
        self._waiting.append((statement, text, catalog.lines))
        if len(self._waiting) >= _MOST:
            self._read()

    def settle(self, catalog: Catalog) -> None:
        """A definition follows: a problem where the client may have stopped before it."""
        if self._told:
            return
        self._read()
        if self._found is None:
            return
        self._told = True
        statement, lines = self._found
        here, catalog.lines = catalog.lines, lines
        why = (
            "this statement is not understood: if the server refuses it, the client stops here, and the "
            "definitions behind it never run"
        )
        catalog.problem(Refused(why, 0), statement, None)
        catalog.lines = here

    def _read(self) -> None:
        for statement, text, lines in self._waiting:
            if not _readable(text):
                self._found = statement, lines
                break
        self._waiting.clear()


def _readable(text: str) -> bool:
    """Whether sqlglot's parser reads a statement."""
    if len(text) > _LONGEST:
        return False
    if _TOLERATED.search(_QUOTED.sub("''", text)):
        return False
    plain = _OTHERWISE.sub(_as_server, text)
    return query_tree.is_statement(_HEAD.sub(_plain_head, plain, count=1))


def _as_server(found: re.Match[str]) -> str:
    """What sqlglot reads otherwise than servers: `--` without a blank, and characters of names as blanks."""
    return found["quoted"] or ("- -" if found[0] == "--" else "_")


def _plain_head(found: re.Match[str]) -> str:
    verb = found[1].upper()
    return "INSERT INTO" if verb in ("INSERT", "REPLACE") else verb


_QUOTED = re.compile(
    rf"{characters.string(chr(39))}|{characters.string(chr(34))}|{characters.BACKQUOTED}|{characters.COMMENT}",
    re.DOTALL,
)
_OTHERWISE = re.compile(
    rf"(?P<quoted>{_QUOTED.pattern})|--|[\x1c-\x1f\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]",
    re.DOTALL,
)
#: What sqlglot reads and no server does, outside of quotes.
_TOLERATED = re.compile(
    rf",{_S}*+\)|==|(?<!{characters.NAME})(?:SELECT|SET|WHERE|FROM|INTO|VALUES|AND|OR|BY|ON|LIMIT){_S}*+\Z",
    re.IGNORECASE,
)
