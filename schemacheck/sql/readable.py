"""Which queries and changes of rows are certainly read by a server: rows of literals, as dumps insert them,
and what sqlglot's parser reads.
"""

from __future__ import annotations

import re
from functools import cache

from schemacheck.sql import characters, query_tree

#: Longer statements are not given to the parser.
LONGEST = 1_000_000
_S = characters.SPACE
#: Words behind a verb that sqlglot does not know.
_HEAD = re.compile(
    rf"{_S}*+(INSERT|REPLACE|UPDATE|DELETE)(?:{_S}++(?:LOW_PRIORITY|HIGH_PRIORITY|DELAYED|QUICK|IGNORE)(?!{characters.NAME}))*"
    rf"(?:{_S}++INTO(?!{characters.NAME}))?",
    re.IGNORECASE,
)


@cache
def _row_pattern(backslash: bool) -> re.Pattern[str]:
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


def is_rows(text: str, *, backslash: bool) -> bool:
    """Whether a statement is INSERT or REPLACE of rows of literals."""
    return _row_pattern(backslash).fullmatch(text) is not None


def is_read(text: str) -> bool:
    """Whether sqlglot's parser reads a statement, and no server refuses it."""
    if len(text) > LONGEST:
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
