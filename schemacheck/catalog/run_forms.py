"""Whether a statement that defines nothing surely runs, by its form.

A form is a pattern of the statement's words, in capitals and with one blank between; N stands for a name,
S for a string or a number. Databases that a script names are taken to be there; accounts are not.
"""

from __future__ import annotations

import re
from functools import lru_cache

from schemacheck import knowledge
from schemacheck.catalog import data_statements, settings
from schemacheck.catalog.settings import Variables, settable
from schemacheck.catalog.state import Catalog
from schemacheck.knowledge import characters
from schemacheck.model import charset
from schemacheck.sql.assignment import Call, IfNull, Literal, Replaced, Value, Variable, Word, set_variables
from schemacheck.sql.cut import TokenType
from schemacheck.sql.lexer import Refused, Tokens

_NAME = r"(?:N|[A-Z_][A-Z_0-9]*)"
_TABLES = rf"{_NAME}( \. {_NAME})?( , {_NAME}( \. {_NAME})?)*"
_ACCOUNT = r"(?:(?:S|N|[A-Z_]\w*)( @ (?:S|N|[A-Z_]\w*))?|CURRENT_USER( \( \))?)"
_ACCOUNTS = rf"{_ACCOUNT}( , {_ACCOUNT})*"
_LOCALLY = "( LOCAL| NO_WRITE_TO_BINLOG)?"
_IDENTIFIED = r"( IDENTIFIED (BY (PASSWORD )?S|WITH [A-Z_]\w*( (BY|AS|USING) S)?))?"
_FORMS = {
    "BEGIN": r"BEGIN( WORK)?",
    "START": r"START TRANSACTION( (WITH CONSISTENT SNAPSHOT|READ WRITE|READ ONLY))?",
    "COMMIT": r"COMMIT( WORK)?",
    "ROLLBACK": r"ROLLBACK( WORK)?",
    "SAVEPOINT": rf"SAVEPOINT {_NAME}",
    "UNLOCK": r"UNLOCK TABLES?",
    "LOCK": rf"LOCK TABLES? {_NAME}( \. {_NAME})?( (LOW_PRIORITY )?WRITE)( , {_NAME}( \. {_NAME})? WRITE)*",
    "TRUNCATE": rf"TRUNCATE( TABLE)? {_NAME}( \. {_NAME})?",
    "REPAIR": rf"REPAIR{_LOCALLY} TABLES? {_TABLES}",
    "FLUSH": rf"FLUSH{_LOCALLY} (PRIVILEGES|STATUS|LOGS|TABLES?)",
    "ANALYZE": rf"ANALYZE{_LOCALLY} TABLES? {_TABLES}",
    "CHECK": rf"CHECK TABLES? {_TABLES}",
    "CHECKSUM": rf"CHECKSUM TABLES? {_TABLES}",
    "OPTIMIZE": rf"OPTIMIZE{_LOCALLY} TABLES? {_TABLES}",
    "SHOW": (
        r"SHOW (WARNINGS|ERRORS|((DATABASES|(FULL )?TABLES|((GLOBAL|SESSION) )?(VARIABLES|STATUS))"
        r"( LIKE S)?))"
    ),
    "SET": (
        r"SET (((GLOBAL|SESSION) )?TRANSACTION (ISOLATION LEVEL "
        r"(REPEATABLE READ|READ (UN)?COMMITTED|SERIALIZABLE)"
        r"|READ WRITE)|ROLE NONE)"
    ),
    "CREATE": rf"CREATE (USER|ROLE) IF NOT EXISTS {_ACCOUNTS}{_IDENTIFIED}",
    "DROP": rf"DROP (USER|ROLE) IF EXISTS {_ACCOUNTS}",
    # How mariadb-dump gives a sequence its value.
    "SETVAL": r"(DO|SELECT) SETVAL \( N , S( , S)? \)",
}  # fmt: skip
_INTERVAL = re.compile(
    r"INTERVAL (?:- )?S (?:MICROSECOND|SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)\b", re.ASCII
)
#: Variables that are read only.
SHOWN = frozenset(("version", "version_comment", "hostname", "server_id", "port", "datadir"))
_DATA = frozenset(("SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "DO"))
#: From how many digits on a number is left to the server.
_DIGITS = 19
#: The last second that `timestamp` takes everywhere.
_LAST_MOMENT = 2**31 - 1
#: Character sets that no client can have.
_WIDE = frozenset(("ucs2", "utf16", "utf16le", "utf32"))
_OFFSET = re.compile(r"[+-](?:0?[0-9]|1[0-2]):[0-5][0-9]|SYSTEM", re.IGNORECASE)


@lru_cache(maxsize=64)
def _form(verb: str) -> re.Pattern[str]:
    return re.compile(_FORMS[verb])


def _words(t: Tokens) -> str:
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


def sure(t: Tokens, text: str, catalog: Catalog, variables: Variables) -> None:
    """Read the statement of these words. Raises Refused where it is not sure that the server runs it."""
    verb = t.peek()
    if verb in _DATA and _form("SETVAL").fullmatch(_words(t)):
        t.at += 3
        if catalog.key(catalog.database, t.name()) not in catalog.tables:
            raise t.fail()
    elif verb in _DATA:
        if "INTERVAL" in t.words and "INTERVAL" in _INTERVAL.sub("", _words(t)):
            raise t.fail()
        data_statements.check(t, text, catalog)
    elif verb == "SET":
        _set(t, catalog, variables)
    elif verb not in _FORMS or _form(verb).fullmatch(_words(t)) is None:
        raise t.fail()


def _is_number(value: str, catalog: Catalog) -> bool:
    """Whether a variable takes a number. Beyond its bounds it takes the nearest one, but for a sql_mode with
    STRICT_ALL_TABLES, which makes that an error (`throw_bounds_warning`; asked of four servers).
    """
    strict = "STRICT_ALL_TABLES" in catalog.server.sql_mode
    return characters.is_digits(value) and len(value) < _DIGITS and not strict


def _set(t: Tokens, catalog: Catalog, variables: Variables) -> None:
    words = t.words
    if _form("SET").fullmatch(_words(t)):
        return
    given, (name, collation) = set_variables(t)
    named = sum(word in ("NAMES", "CHARSET", "CHARACTER") for word in words)
    known_names = name.upper() == "DEFAULT" or _takes("charset", name, catalog)
    if named > 1 or (named and not known_names):
        raise t.fail()
    if collation and {name.upper(), collation.upper()} == {"DEFAULT"}:
        collation = ""
    if collation and not (
        charset.of_collation(collation) == charset.canonical(name) and _takes("collation", collation, catalog)
    ):
        raise t.fail()
    # What a system variable is given is looked up before user variables are set.
    now = {assignment.name[-1].lower() for assignment in given if assignment.user}
    for item in given:
        if item.user:
            sure = _is_expression(item.value, catalog, variables)
        else:
            result = settable(catalog.server).get(item.name[0].lower()) if len(item.name) == 1 else None
            sure = (
                result is not None
                and result.takes_scope(item.scope)
                and _is_value(item.value, item.name[0].lower(), result.kind, catalog, variables, now)
            )
        if not sure:
            raise Refused(f"the value of {'.'.join(item.name)}", t.offset(0), code="SC001")


def _is_expression(result: Value | None, catalog: Catalog, variables: Variables) -> bool:
    """Whether a user variable surely takes a value."""
    match result:
        case Literal() | Call():
            return True
        case Word(text):
            return text.upper() in ("NULL", "TRUE", "FALSE")
        case Variable(name, user):
            return user or name.lower() in settable(catalog.server) or name.lower() in SHOWN
        case IfNull(first, second):
            return _is_expression(first, catalog, variables) and _is_expression(second, catalog, variables)
        case _:
            return False


def _is_value(
    result: Value | None, name: str, kind: object, catalog: Catalog, variables: Variables, now: set[str]
) -> bool:
    """Whether a system variable of this kind surely takes a value."""
    match result:
        case Literal(text, quoted):
            return _takes(kind, text, catalog, quoted=quoted)
        case Word(text):
            return kind != "undefaulted" if text.upper() == "DEFAULT" else _takes(kind, text, catalog)
        case Variable(saved, True):
            if saved.lower() not in variables.user or saved.lower() in now:
                return False
            value = variables.user[saved.lower()]
            # A variable takes the value back that it had.
            return value == settings.UNREAD + name or (value is not None and _takes(kind, value, catalog))
        case Variable(other, False):
            return other.lower() == name
        case Replaced(Variable(other, False, scope), old, new):
            own = old and scope in ("", "session", "local") and other.lower() == name
            return bool(own) and _takes(kind, catalog.server.setting(name).replace(old, new), catalog)
        case IfNull(Variable(saved, True) as first, other):
            unset = saved.lower() not in variables.user
            return _is_value(other, name, kind, catalog, variables, now) and (
                unset or _is_value(first, name, kind, catalog, variables, now)
            )
        case _:
            return False


def _takes(kind: object, value: str, catalog: Catalog, *, quoted: bool = False) -> bool:
    """Whether a variable of this kind takes a value on every server; no number takes a `quoted` one."""
    if isinstance(kind, dict):
        if "set" in kind:
            brought = kind["set"]
            has = catalog.server.has
            return all(
                not word or (word in brought and has(brought[word])) for word in value.upper().split(",")
            )
        words = [str(word).lower() for word in kind["words"]]
        return value.lower() in words and not (quoted and characters.is_digits(value))
    if kind == "switch":
        return value.upper() in (("ON", "OFF") if quoted else ("0", "1", "ON", "OFF", "TRUE", "FALSE"))
    if kind in ("number", "decimal", "moment", "undefaulted"):
        moment = kind == "moment" and characters.is_digits(value) and int(value[:_DIGITS]) > _LAST_MOMENT
        return not (quoted or moment) and _is_number(value, catalog)
    if kind == "charset_or_null" and value.upper() == "NULL" and not quoted:
        return True
    if kind in ("charset", "wide_charset", "charset_or_null"):
        return (kind == "wide_charset" or value.lower() not in _WIDE) and charset.has_charset(
            value, catalog.server.has
        )
    if kind == "collation":
        return charset.has_collation(value, catalog.server.has)
    if kind == "zone":
        return _OFFSET.fullmatch(value) is not None
    if kind == "modes":
        names = set(knowledge.load("variables")["variables"]["sql_mode"]["set"])
        return (value == "0" and not quoted) or all(
            word in names or not word for word in value.upper().split(",")
        )
    return True
