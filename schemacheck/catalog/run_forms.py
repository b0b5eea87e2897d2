"""Whether a statement that defines nothing surely runs: the forms of those that are no queries.

A form is a pattern of the statement's words, in capitals and with one blank between; N stands for a name,
S for a string or a number. Databases, accounts and rights that a script names are taken to be there.
"""

from __future__ import annotations

import re
from functools import cache

from schemacheck import knowledge
from schemacheck.catalog import settings
from schemacheck.catalog.runs import Runs, Session, settable
from schemacheck.catalog.settings import Variables
from schemacheck.catalog.state import Catalog
from schemacheck.model import charset
from schemacheck.sql import characters
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.token import TokenType

_NAME = r"(?:N|[A-Z_][A-Z_0-9]*)"
_TABLES = rf"{_NAME}( \. {_NAME})?( , {_NAME}( \. {_NAME})?)*"
_ACCOUNT = r"(?:(?:S|N|[A-Z_]\w*)( @ (?:S|N|[A-Z_]\w*))?|CURRENT_USER( \( \))?)"
_ACCOUNTS = rf"{_ACCOUNT}( , {_ACCOUNT})*"
_LOCALLY = "( LOCAL| NO_WRITE_TO_BINLOG)?"
_RIGHT = rf"[A-Z]+( [A-Z]+){{0,3}}( \( {_NAME}( , {_NAME})* \))?"
_LEVEL = rf"(?:\*|{_NAME})( \. (?:\*|{_NAME}))?"
_RIGHTS = rf"{_RIGHT}( , {_RIGHT})* ON (TABLE |FUNCTION |PROCEDURE )?{_LEVEL}"
_IDENTIFIED = r"( IDENTIFIED (BY (PASSWORD )?S|WITH [A-Z_]\w*( (BY|AS|USING) S)?))?"
_FORMS = {
    "BEGIN": r"BEGIN( WORK)?",
    "START": r"START TRANSACTION( (WITH CONSISTENT SNAPSHOT|READ ONLY|READ WRITE))?",
    "COMMIT": r"COMMIT( WORK)?",
    "ROLLBACK": r"ROLLBACK( WORK)?",
    "SAVEPOINT": rf"SAVEPOINT {_NAME}",
    "UNLOCK": r"UNLOCK TABLES?",
    "FLUSH": rf"FLUSH{_LOCALLY} (PRIVILEGES|STATUS|LOGS|TABLES?)",
    "ANALYZE": rf"ANALYZE{_LOCALLY} TABLES? {_TABLES}",
    "CHECK": rf"CHECK TABLES? {_TABLES}",
    "CHECKSUM": rf"CHECKSUM TABLES? {_TABLES}",
    "OPTIMIZE": rf"OPTIMIZE{_LOCALLY} TABLES? {_TABLES}",
    "SHOW": (
        r"SHOW (WARNINGS|ERRORS|((DATABASES|(FULL )?TABLES|((GLOBAL|SESSION) )?(VARIABLES|STATUS))"
        r"( LIKE S)?))"
    ),
    # behind SET
    "SET": (
        r"((GLOBAL|SESSION) )?TRANSACTION (ISOLATION LEVEL "
        r"(REPEATABLE READ|READ (UN)?COMMITTED|SERIALIZABLE)"
        rf"|READ (ONLY|WRITE))|ROLE (NONE|{_NAME})|DEFAULT ROLE (NONE|ALL|{_NAME}) (TO|FOR) {_ACCOUNT}"
        rf"|PASSWORD (FOR {_ACCOUNT} )?= S"
    ),
    "GRANT": rf"GRANT {_RIGHTS} TO {_ACCOUNTS}{_IDENTIFIED}( WITH GRANT OPTION)?",
    "REVOKE": rf"REVOKE {_RIGHTS} FROM {_ACCOUNTS}",
    "CREATE": rf"CREATE (USER|ROLE) (IF NOT EXISTS )?{_ACCOUNTS}{_IDENTIFIED}",
    "DROP": rf"DROP (USER|ROLE) (IF EXISTS )?{_ACCOUNTS}",
    "ALTER": rf"ALTER USER (IF EXISTS )?{_ACCOUNTS}{_IDENTIFIED}",
}  # fmt: skip
_DATA = frozenset(("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "DO"))
_OFFSET = re.compile(r"[+-](?:0?[0-9]|1[0-2]):[0-5][0-9]|SYSTEM", re.IGNORECASE)


@cache
def _form(verb: str) -> re.Pattern[str]:
    """The form of a verb's statements."""
    return re.compile(_FORMS[verb])


def _words(t: Tokens) -> str:
    """The words as forms have them."""
    out = []
    for index in range(t.at, t.size):
        kind = t.kinds[index]
        if kind is TokenType.IDENTIFIER:
            out.append("N")
        elif kind in (TokenType.STRING, TokenType.NUMBER):
            out.append("S")
        else:
            out.append(t.words[index] or "?")
    return " ".join(out)


def sure(t: Tokens, catalog: Catalog, session: Session, variables: Variables) -> None:
    """Read the statement at which `t` stands. Raises Refused where it is not sure that the server runs it."""
    verb = t.peek()
    if verb in _DATA:
        Runs(t, catalog, session).statement()
    elif verb == "SET":
        t.at += 1
        _Set(t, catalog, session, variables).run()
    elif verb == "LOCK":
        _lock(t, catalog, session)
    elif verb == "DEALLOCATE":
        t.need("DEALLOCATE", "PREPARE")
        if t.name().casefold() not in variables.prepared or not t.end:
            raise t.fail()
    elif verb not in _FORMS or _form(verb).fullmatch(_words(t)) is None:
        raise t.fail()
    elif verb in ("UNLOCK", "BEGIN", "START"):
        session.locked.clear()


def _lock(t: Tokens, catalog: Catalog, session: Session) -> None:
    t.need("LOCK")
    if t.take_any("TABLES", "TABLE") is None:
        raise t.fail()
    session.locked.clear()
    runs, locked = Runs(t, catalog, session), {}
    while True:
        table = runs.target()
        if t.take("READ"):
            t.take("LOCAL")
            write = False
        else:
            t.take("LOW_PRIORITY")
            t.need("WRITE")
            write = True
        locked[catalog.key(table.database, table.name)] = write
        if not t.take(","):
            break
    if not t.end:
        raise t.fail()
    session.locked = locked


class _Set:
    """SET of variables."""

    def __init__(self, t: Tokens, catalog: Catalog, session: Session, variables: Variables) -> None:
        self.t = t
        self.server = catalog.server
        self.variables = variables
        self.runs = Runs(t, catalog, session)
        #: User variables that this statement sets: what a system variable is given is looked up before.
        self.user: set[str] = set()

    def run(self) -> None:
        t = self.t
        if _form("SET").fullmatch(_words(t)):
            return
        while True:
            if t.peek() in ("NAMES", "CHARSET", "CHARACTER") and t.peek(1) not in ("=", ":"):
                self._names()
            elif t.peek() == "@" and t.peek(1) != "@":
                self._user()
            else:
                self._system()
            if not t.take(","):
                break
        if not t.end:
            raise t.fail()

    def _names(self) -> None:
        t = self.t
        if t.take("CHARACTER"):
            t.need("SET")
        else:
            t.at += 1
        name = t.one_string() if t.is_string() else t.name()
        if not charset.known(name) and name.upper() != "DEFAULT":
            raise t.fail()
        if t.take("COLLATE"):
            collation = t.one_string() if t.is_string() else t.name()
            if charset.of_collation(collation) != charset.canonical(name):
                raise t.fail()

    def _equals(self) -> None:
        self.t.take(":")
        self.t.need("=")

    def _user(self) -> None:
        t = self.t
        t.need("@")
        name = t.name().lower()
        self._equals()
        self.runs.expression(None)
        self.user.add(name)

    def _system(self) -> None:
        t = self.t
        if t.take("@"):
            t.need("@")
            if t.take_any("GLOBAL", "SESSION", "LOCAL"):
                t.need(".")
        else:
            t.take_any("GLOBAL", "SESSION", "LOCAL")
        name = t.name().lower()
        kind = settable(self.server).get(name)
        if kind is None:
            raise t.fail()
        self._equals()
        self._value(name, kind)

    def _value(self, name: str, kind: object) -> None:
        t = self.t
        if t.take("DEFAULT"):
            return
        if t.take("IFNULL", "("):
            if t.peek() == "@" and t.peek(1) != "@":
                t.at += 1
                t.name()
            else:
                self._value(name, kind)
            t.need(",")
            self._value(name, kind)
            t.need(")")
            return
        if t.peek() == "@":
            if t.peek(1) == "@":
                if self.runs.shown() != name:
                    raise t.fail()
                return
            t.at += 1
            saved = t.name().lower()
            if saved not in self.variables.user or saved in self.user:
                raise t.fail()
            return
        if kind == "modes" and t.peek() in ("CONCAT", "REPLACE"):
            words = settings.value(t, self.server, self.variables)
            if words is None or not _takes(kind, words):
                raise t.fail()
            return
        if t.is_string():
            value = t.string()
        elif t.kind() is TokenType.NUMBER or t.is_name():
            value = t.raw(t.at)
            t.at += 1
        else:
            raise t.fail()
        if not _takes(kind, value):
            raise t.fail()


def _takes(kind: object, value: str) -> bool:
    """Whether a variable of this kind takes a value, on every server."""
    if isinstance(kind, dict):
        return value.lower() in (str(word).lower() for word in kind["words"])
    if kind == "switch":
        return value.upper() in ("0", "1", "ON", "OFF", "TRUE", "FALSE")
    if kind == "number":
        return characters.is_digits(value) and len(value) < 10
    if kind == "charset":
        return charset.known(value)
    if kind == "collation":
        return charset.of_collation(value) is not None
    if kind == "zone":
        return _OFFSET.fullmatch(value) is not None
    if kind == "modes":
        known = set(knowledge.load("variables")["variables"]["sql_mode"]["set"])
        return all(word in known or not word for word in value.upper().split(","))
    return True
