"""SET statements: the variables that change what later statements mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.catalog.charsets import is_text
from schemacheck.dataclass import dataclass, field
from schemacheck.errors import BadSetting
from schemacheck.knowledge import characters
from schemacheck.model.charset import canonical as canonical_charset
from schemacheck.model.charset import full_collation, of_collation
from schemacheck.model.charset import known as known_charset
from schemacheck.model.server import Server
from schemacheck.model.variable import Standing, canonical, check, standing, words
from schemacheck.model.variable import known as known_names

if TYPE_CHECKING:
    from schemacheck.sql.assignment import Value, Variable
    from schemacheck.sql.lexer import Tokens


@dataclass(frozen=True, slots=True)
class Settable:
    """A variable that SET knows: the kind of its values (rules/session_variables.yaml) and its scopes."""

    kind: object
    session: bool = True
    everywhere: bool = True

    def takes_scope(self, scope: str) -> bool:
        """Whether SET may name this scope ('' is the session's)."""
        return self.everywhere if scope == "global" else self.session and scope in ("", "session", "local")


def has_session_value(server: Server, name: str) -> bool:
    """Whether sessions have their own value of a variable, so that SET GLOBAL leaves this one's as it is."""
    result = settable(server).get(name)
    return result is not None and result.session


@lru_cache(maxsize=64)
def settable(server: Server) -> dict[str, Settable]:
    """The variables that scripts set on this server."""
    table = knowledge.load("session_variables")
    result = {
        name: Settable(item["is"], item["scope"] != "global", item["scope"] != "session-only")
        for item in table["idle"]
        if item["of"] in ("both", server.family) and server.has(item["needs"])
        for name in item["names"]
    }
    for name, kind in {**table["both"], **table[server.family]}.items():
        if not isinstance(kind, dict) or "needs" not in kind or server.has(kind["needs"]):
            result[name] = Settable(kind, name not in table["global"], name not in table["session-only"])
    return result


#: A name of utf8 whose bytes a character may have is left to the server.
_UTF8 = re.compile("utf8(?!mb[34])", re.IGNORECASE)


@dataclass(slots=True)
class Variables:
    """User variables of a script, by lower-case name, and prepared statements (None: of unknown text)."""

    user: dict[str, str | None] = field(default_factory=dict)
    #: The character set that the script has said it is written in; '' for the client's own.
    client: str = ""
    prepared: dict[str, str | None] = field(default_factory=dict)
    #: A variable of the server that the last SET gave a value that is not known; '' for none.
    lost: str = ""
    #: Whether sql_mode is not known.
    modes_lost: bool = False


#: What stands for the character set that the client has of itself.
_OWN = "utf8mb4"
#: In front of the name of a system variable: its value, which is not known. (No text begins so.)
UNREAD = "\0@@"
#: A variable's value, None where it is not known.
_Read = Callable[["Variable"], str | None]


def apply(t: Tokens, server: Server, variables: Variables, others: Server) -> tuple[Server, Server]:
    """The server as this session sees it after a SET statement, and as new sessions do (`others`, which
    DEFAULT takes its values from). A variable whose value cannot be worked out (a subquery, a function) stays
    as it is, and `variables.lost` has its name. Raises Refused.
    """
    from schemacheck.sql.assignment import Word, is_set_of_variables, set_variables

    if not is_set_of_variables(t):
        return server, others
    given: dict[str, str] = {}
    given_everywhere: dict[str, str] = {}
    assignments, (names, collation) = set_variables(t)
    if names:
        variables.client = "" if names.upper() == "DEFAULT" else names.lower()
        given["collation_connection"] = _connection(t, names, collation, server, others)
    # Values are worked out before user variables are set (recorded on MariaDB): what is both set and used is
    # not known.
    now = {assignment.name[-1].lower() for assignment in assignments if assignment.user}
    variables.lost = ""
    plain = _reader(server, variables, given, others)

    def read(variable: Variable) -> str | None:
        return None if variable.user and variable.name.lower() in now else plain(variable)

    for assignment in assignments:
        name = canonical(assignment.name[-1])
        default = isinstance(assignment.value, Word) and assignment.value.text.upper() == "DEFAULT"
        taken = others.setting(name) if default and not assignment.user else _of(assignment.value, read)
        if assignment.user:
            variables.user[assignment.name[-1].lower()] = _saved(assignment.value) if taken == "" else taken
            continue
        if taken is not None and taken.startswith(UNREAD):
            # Back to what the session began with.
            taken = "" if taken == UNREAD + name else None
        elif not default and taken is not None:
            taken = _taken(name, taken)
        if assignment.scope == "persist_only":
            continue
        everywhere = assignment.scope in ("global", "persist")
        if name == "character_set_client" and not everywhere:
            variables.client = "" if default else (taken or "?").lower()
        elif name == "character_set_connection" and not everywhere:
            charset = canonical_charset(taken or "")
            given["collation_connection"] = (
                server.default_collation(charset) if known_charset(charset) else "?"
            )
        elif taken is None:
            variables.modes_lost |= name == "sql_mode" and not everywhere
            # What is of sessions alone says nothing of servers; sql_log_bin decides what is replicated.
            of_session = name in knowledge.load("session_variables")["session-only"]
            harmless = standing(name) is Standing.HARMLESS and not of_session
            variables.lost = variables.lost if harmless else name
        else:
            values = {name: taken, **_beside(name, taken, server)}
            if everywhere:
                given_everywhere |= values
            if not everywhere or not has_session_value(server, name):
                given |= values
                variables.modes_lost &= name != "sql_mode"
    return (
        server.with_told(given) if given else server,
        others.with_told(given_everywhere) if given_everywhere else others,
    )


def _beside(name: str, value: str, server: Server) -> dict[str, str]:
    """The other of character_set_server and collation_server, which SET of either sets (asked of MariaDB)."""
    if name == "character_set_server" and known_charset(value):
        return {"collation_server": server.default_collation(canonical_charset(value))}
    charset = of_collation(value) if name == "collation_server" else None
    return {"character_set_server": charset} if charset else {}


def _connection(t: Tokens, names: str, collation: str, server: Server, others: Server) -> str:
    """The collation_connection that SET NAMES makes; '?' where it is not known."""
    if "NAMES" not in t.words:
        # SET CHARACTER SET takes the database's.
        return "?"
    if names.upper() == "DEFAULT":
        return others.setting("collation_connection")
    if collation and collation.upper() != "DEFAULT":
        return full_collation(collation.lower(), canonical_charset(names))
    return (
        server.default_collation(canonical_charset(names)) if known_charset(canonical_charset(names)) else "?"
    )


def refused_mode(before: Server, server: Server) -> str:
    """What of a new sql_mode this server has not (1231); '' for none."""
    if before.setting("sql_mode") == server.setting("sql_mode"):
        return ""
    facts = knowledge.load("links")
    words = set(facts["modes_foreign"]["mariadb" if server.mariadb else "mysql"])
    words.update(facts["modes_gone"] if server.has("data-dictionary") else ())
    return min(words.intersection(server.setting("sql_mode").upper().split(",")), default="")


def unreadable(text: str, server: Server, variables: Variables, encoding: str) -> str:
    """Why a statement of a file in this encoding cannot be read under the settings that hold; else ''."""
    if variables.client and not text.isascii() and not is_text(variables.client, encoding):
        return (
            f"the script says that it is written in {variables.client}, and is read as {encoding}: what this "
            "statement is to the server is not known (--encoding says how files are written)"
        )
    if "EMPTY_STRING_IS_NULL" in server.sql_mode and ("''" in text or '""' in text):
        return "what an empty string is with EMPTY_STRING_IS_NULL is not followed"
    if _utf8_is_utf8mb4(server) and _UTF8.search(text):
        return "utf8 is utf8mb4 with this old_mode, which is not followed: write utf8mb3 or utf8mb4"
    if variables.modes_lost and ('"' in text or "\\" in text):
        return (
            "sql_mode was set to what is not known: so is how quotes and backslashes are read from there on"
        )
    return ""


def _utf8_is_utf8mb4(server: Server) -> bool:
    return (
        server.mariadb
        and not server.has("utf8-is-always-utf8mb3")
        and "UTF8_IS_UTF8MB3" not in server.setting("old_mode").upper()
    )


def _taken(name: str, value: str) -> str | None:
    """A value as SHOW VARIABLES has it; None where it is none of the words that the variable takes: a number
    stands for bits or for a place in a list (sql_mode = 1048576), which is not followed but for none.
    """
    if name == "sql_mode" and characters.strip(value) == "0":
        return ""
    if name not in known_names():
        return value
    if {"ON", "OFF"} <= set(words(name)):
        value = {"TRUE": "ON", "FALSE": "OFF"}.get(value.upper(), value)
    try:
        check(name, value)
    except BadSetting:
        return None
    return value


def forget(text: str, variables: Variables) -> None:
    """What a query puts into user variables is not known."""
    if "@" not in text:
        return
    from schemacheck.sql.assignment import user_variables_set

    for name in user_variables_set(text):
        variables.user[name.lower()] = None


def _reader(server: Server, variables: Variables, given: dict[str, str], others: Server) -> _Read:
    def read(variable: Variable) -> str | None:
        name = canonical(variable.name)
        if variable.user:
            return variables.user.get(variable.name.lower())
        if name == "character_set_client":
            return variables.client or _OWN
        if variable.scope == "global":
            return others.setting(name)
        return given.get(name, server.setting(name))

    return read


def _saved(value: Value | None) -> str:
    """What stands for a system variable whose value is not known, in a user variable that keeps it."""
    from schemacheck.sql.assignment import Variable

    if not isinstance(value, Variable) or value.user or canonical(value.name) == "sql_mode":
        return ""
    return UNREAD + canonical(value.name)


def _of(variable: Value | None, read: _Read) -> str | None:
    from schemacheck.sql.assignment import Call, IfNull, Literal, Replaced, Variable, Word

    match variable:
        case Call(name):
            return UNREAD + name
        case Literal(text) | Word(text):
            return text
        case Variable():
            return read(variable)
        case IfNull(first, second):
            stored = _of(first, read)
            return stored if stored is not None else _of(second, read)
        case Replaced(source, old, new):
            before = read(source) if old else None
            return before.replace(old, new) if before is not None else None
        case _:
            return None
