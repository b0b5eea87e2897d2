"""A change that is logged as its own text: what the replica computes anew, perhaps otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.dataclass import replace
from schemacheck.link import by_settings, dialect, variables
from schemacheck.link.ends import Ends, on
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.link.session import Session
from schemacheck.model import Server, Table
from schemacheck.model.table import DefaultKind
from schemacheck.sql.flavor import reserved_apart
from schemacheck.sql.statements import Statement, plain_values
from schemacheck.sql.statements.features import features

#: Functions whose value is another one on the replica, whatever is done with it.
_OWN = frozenset({"UUID()", "UUID_V4()", "UUID_V7()", "SYS_GUID()"})
#: Log events carry its seed, and the file.
_CARRIED, _LOADED = "RAND()", "LOAD DATA"
_FRACTION = re.compile(
    r"\b(NOW|CURRENT_TIMESTAMP|CURTIME|CURRENT_TIME|LOCALTIME|LOCALTIMESTAMP|UTC_TIMESTAMP|UTC_TIME)\s*\(\s*[1-6]\s*\)",
    re.IGNORECASE,
)
#: What servers of two versions compute differently: quotients, hexadecimal numbers beside operators,
#: doubles beside BIGINT, fractions of a second that a column does not keep, moments behind 2038 (asked of
#: four servers).
_BY_VERSION = re.compile(
    r"(?<!\*)/(?!\*)|\b(FROM_UNIXTIME|GREATEST|LEAST|COERCIBILITY|AVG|STD|STDDEV\w*|VAR\w*)\s*\(|\bx'|\b0x"
    r"|\b\d+\.?\d*e[-+]?\d|\bUNIX_TIMESTAMP\s*\(\s*[^)\s]",
    re.IGNORECASE,
)
#: Spencer's to MySQL 8.0.3, ICU's from then on, PCRE's in MariaDB.
_PATTERN = re.compile(r"\b(?:REGEXP\w*|RLIKE)\b", re.IGNORECASE)
_SECONDS = re.compile(r"\d:\d\d\.\d")
#: Moments that TIMESTAMP has since MariaDB 11.5, and digits of other scripts, which may name members.
_TO_2106 = "timestamps-to-2106"
_LATE = re.compile(r"\b(203[89]|20[4-9]\d|210\d)-\d")
_DIGIT = re.compile(r"(?![0-9])\d")
#: Words of sql_mode whose bits mean another mode, or none, on the other flavour (sql_class.h,
#: system_variables.h).
_FLAVOUR_MODES = frozenset({
    "EMPTY_STRING_IS_NULL", "TIME_TRUNCATE_FRACTIONAL", "SIMULTANEOUS_ASSIGNMENT", "TIME_ROUND_FRACTIONAL",
})  # fmt: skip


def _is_ordered(text: str, source: Server, tables: list[Table]) -> bool:
    """Whether an UPDATE or DELETE of one table takes its rows in the order of the primary key."""
    about, key = features(text, source), tables[0].primary_key if tables else None
    return about is not None and key is not None and bool(key.folded) and key.folded <= {*about.ordered}


def otherwise(
    ends: Ends, session: Session, statement: Statement, text: str, tables: list[Table]
) -> Iterator[Outcome]:
    """Why the replica may not make the same rows of a statement on equal tables."""
    source, replica = ends.source, ends.replica
    bare = dialect.plain(text)
    for name in statement.unsafe:
        if name in _OWN:
            yield _of(f"{name} has another value on the replica", Kind.DIVERGES)
        elif name.endswith("()") or name.startswith(("@@", "CURRENT_")):
            if name != _CARRIED:
                yield _of(f"{name} is the replica's own value")
        elif name != _LOADED and not (name == "LIMIT" and _is_ordered(text, ends.source, tables)):
            yield _of("it is logged as a statement and may change other rows on the replica")
    if on(replica, "sql_safe_updates") and statement.verb.startswith(("update", "delete")):
        yield _of("sql_safe_updates is on for the replica: the key used decides")
    columns = [column for table in tables for column in table.columns]
    moments = any(
        c.type.fraction and c.default and c.default.kind is DefaultKind.CURRENT_TIMESTAMP for c in columns
    )
    if source.mariadb != replica.mariadb and (moments or _FRACTION.search(bare)):
        yield from by_settings.fractions(ends)
    if source.mariadb != replica.mariadb and (modes := session.modes & _FLAVOUR_MODES):
        yield _of(f"sql_mode {min(modes)} is a bit with another meaning on {replica}", rule="SC912")
    if (source.mariadb, source.series) != (replica.mariadb, replica.series):
        if word := reserved_apart(bare, source, replica):
            yield _of(f"{word} is a reserved word of {replica}: as a name it needs quotes", rule="SC932")
        names = frozenset(ref.name.casefold() for ref in statement.refs)
        calls = frozenset(name.casefold() for _, name in statement.calls)
        if unlisted := dialect.unlisted_function(text, names, calls):
            yield _of(f"{unlisted} was not recorded on {replica}", rule="SC932")
        other = _BY_VERSION.search(bare) or _SECONDS.search(text)
        if not (source.mariadb and replica.mariadb):
            other = other or _PATTERN.search(bare)
        if any(c.type.has_members for c in columns):
            other = other or _DIGIT.search(text)
        if source.has(_TO_2106) != replica.has(_TO_2106) and any(c.type.is_timestamp for c in columns):
            other = other or _LATE.search(text)
        if other is not None:
            yield _of(f"{other.group().strip()!r}: servers of two versions compute or round it differently")
        rules = [(end.mariadb, end.has("statements-before-8.0")) for end in (source, replica)]
        if (
            other is None
            and rules[0] != rules[1]
            and (value := plain_values.otherwise(text, tables, session.users))
        ):
            yield _of(f"{value!r}: {source} and {replica} may convert, compute or compare it differently")
    engines = frozenset((table.engine or "InnoDB").lower() for table in tables)
    own = None if session.logged else session.variables
    outcome = variables.of_statement(ends, bare, own, engines)
    if outcome is not None and "GROUP_CONCAT" in bare.upper():
        outcome = replace(outcome, kind=Kind.UNKNOWN)  # a strict session stops at what is cut (1260)
    if outcome is not None:
        yield outcome


def _of(why: str, kind: Kind = Kind.UNKNOWN, rule: str = "SC942") -> Outcome:
    return Outcome(kind, rule, 0, why)
