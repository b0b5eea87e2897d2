"""Routines, views, triggers, events, databases, accounts and indexes that one end alone has, and what
becomes of statements that make, drop or change them.

The numbers are the servers' own (errmsg-utf8.txt of MySQL and MariaDB); recorded on 5.6.24, 9.7.4, 10.5.29,
10.11.19, 11.8.6. What MariaDB's slave_ddl_exec_mode = IDEMPOTENT forgives of these are databases
(mysql_create_db, mysql_rm_db of sql_db.cc).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from schemacheck.dataclass import dataclass, field
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server

_STATEMENT = re.compile(
    r"^(?P<verb>CREATE|DROP|ALTER|RENAME|GRANT)\s+(?P<replace>OR\s+REPLACE\s+)?"
    r"(?:ALGORITHM\s*=\s*\w+\s+)?(?:DEFINER\s*=\s*\S+\s+)?(?:SQL\s+SECURITY\s+\w+\s+)?"
    r"(?:UNIQUE\s+|FULLTEXT\s+|SPATIAL\s+|AGGREGATE\s+)?"
    r"(?P<kind>PROCEDURE|FUNCTION|VIEW|TRIGGER|EVENT|DATABASE|SCHEMA|USER|INDEX)\s+"
    r"(?P<conditional>IF\s+(?:NOT\s+)?EXISTS\s+)?(?P<name>[\w.`@'\"]+)",
    re.IGNORECASE,
)
_GRANT = re.compile(r"^GRANT\b.*\bTO\s+(?P<name>[\w.`@'\"]+)\s*$", re.IGNORECASE | re.DOTALL)
_ALTERED = re.compile(
    r"^ALTER\s+TABLE\s+\S+\s+(?P<verb>ADD|DROP)\s+(?:INDEX|KEY)\s+`?(?P<name>\w+)`?", re.IGNORECASE
)
_ON = re.compile(
    r"^CREATE\b.*?\bTRIGGER\b.*?\bON\s+([\w.`]+)|^CREATE\b.*?\bVIEW\b.*?\bFROM\s+([\w.`]+)",
    re.IGNORECASE | re.DOTALL,
)
_EXISTS = {
    "procedure": 1304, "function": 1304, "view": 1050, "trigger": 1359, "event": 1537, "user": 1396,
    "database": 1007, "index": 1061,
}  # fmt: skip
_MISSING = {
    "procedure": 1305, "function": 1305, "view": 1051, "trigger": 1360, "event": 1539, "user": 1396,
    "database": 1008, "index": 1091,
}  # fmt: skip


class Named(NamedTuple):
    """What a statement names: verb, kind, name, IF [NOT] EXISTS, OR REPLACE."""

    verb: str
    kind: str
    name: str
    conditional: bool
    replaces: bool


@dataclass(slots=True)
class Objects:
    """(kind, name) of what only the source has (`here`), and only the replica (`there`)."""

    here: set[tuple[str, str]] = field(default_factory=set)
    there: set[tuple[str, str]] = field(default_factory=set)


def named(text: str) -> Named | None:
    """What a statement makes, drops or changes; None for tables and all others."""
    plain = text.strip()
    if (found := _STATEMENT.match(plain)) is not None:
        kind = found.group("kind").lower().replace("schema", "database")
        return Named(
            found.group("verb").lower(), kind, _bare(found.group("name")),
            bool(found.group("conditional")), bool(found.group("replace")),
        )  # fmt: skip
    if (found := _ALTERED.match(plain)) is not None:
        verb = "create" if found.group("verb").upper() == "ADD" else "drop"
        return Named(verb, "index", _bare(found.group("name")), conditional=False, replaces=False)
    if (found := _GRANT.match(plain)) is not None:
        return Named("grant", "user", _bare(found.group("name")), conditional=False, replaces=False)
    return None


def read_table(text: str) -> str | None:
    """The table that a trigger or view needs."""
    found = _ON.match(text.strip())
    return None if found is None else _bare(found.group(1) or found.group(2))


def _bare(name: str) -> str:
    plain = name.replace("`", "").replace("'", "").replace('"', "").casefold()
    return plain if "@" in plain else plain.rsplit(".", 1)[-1]


def apart(objects: set[tuple[str, str]], text: str) -> bool:
    """Take a statement that one end alone has run; False where it names no such object."""
    one = named(text)
    if one is None:
        return False
    if one.verb == "create":
        objects.add((one.kind, one.name))
    return True


def refused(objects: Objects, text: str, replica: Server, *, lenient: bool) -> Outcome | None:
    """What the replica says where one end alone has the object. `lenient`: slave_ddl_exec_mode."""
    one = named(text)
    if one is None:
        return None
    key = (one.kind, one.name)
    forgiven = one.conditional or one.replaces or (one.kind == "database" and lenient)
    if one.verb == "create":
        objects.here.discard(key)
        if key in objects.there:
            objects.there.discard(key)
            return (
                None if forgiven else _stops(_EXISTS[one.kind], f"the replica has the {one.kind} {one.name}")
            )
        return None
    if key not in objects.here:
        return None
    if one.verb == "drop":
        objects.here.discard(key)
    number = _missing(one, replica)
    if one.verb == "drop" and (forgiven or (one.kind == "trigger" and replica.mariadb)):
        return None  # MariaDB's applier passes over a trigger that is not there (recorded on 10.5.29)
    if number is None:
        why = f"what {replica} says of the {one.kind} {one.name}, which it lacks, was not recorded"
        return Outcome(Kind.UNKNOWN, "SC941", 0, why)
    return _stops(number, f"the replica has no {one.kind} {one.name}")


def _missing(one: Named, replica: Server) -> int | None:
    if one.verb == "grant":
        return 1410 if replica.has("grant-never-creates-accounts") else None
    if one.kind == "view" and one.verb == "alter":
        return 1146
    if one.kind == "view" and replica.has("views-have-own-drop-error"):
        return 4092
    if (one.kind, one.verb) == ("database", "alter") and replica.has("data-dictionary"):
        return 3503
    if (one.kind, one.verb) == ("database", "alter") and not replica.mariadb:
        return 1  # EE_CANTCREATEFILE of db.opt (recorded on 5.6.24)
    if (one.kind, one.verb) in (("database", "alter"), ("trigger", "drop")):
        return None
    return _MISSING[one.kind]


def _stops(number: int, why: str) -> Outcome:
    return Outcome(Kind.SQL, "SC941", number, why, "Make what both ends have equal before the channel starts")
