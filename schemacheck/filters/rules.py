"""The rules of both ends, compiled for one server: the tests that its code makes, one method each.

Sources: `Rpl_filter` of MySQL (rpl_filter.cc) and MariaDB, and recorded runs of MySQL 5.6, 9.7 and
MariaDB 11.8. The difference between servers is in `rules/servers/*.yaml`:

* filter-names-follow-lower-case: every name in a filter is compared as the server compares table
  names: exactly, or without case where lower_case_table_names is not 0 (MySQL 5.6, Bug#51639);
* filter-tables-ignore-accents: exact table rules ignore case and accents (MySQL before 5.6);
* default-database-null-is-logged: binlog-do-db lets a statement without a default database pass.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from schemacheck.model import Server
from schemacheck.model.filters import FilterSet


class Fold(enum.Enum):
    """What two names must have in common to be one."""

    EXACT = "exact"
    CASE = "case"  # utf8mb3_tolower_ci: case-insensitive, accent-sensitive
    GENERAL = "general"  # utf8mb3_general_ci: case- and accent-insensitive

    def __call__(self, name: str) -> str:
        """The form in which equal names are equal strings."""
        if self is Fold.EXACT:
            return name
        if self is Fold.CASE:
            return name.lower()
        decomposed = unicodedata.normalize("NFD", name)
        return "".join(c for c in decomposed if not unicodedata.combining(c)).upper()


@lru_cache(maxsize=4096)
def compiled(pattern: str, fold: Fold) -> re.Pattern[str]:
    r"""A wild pattern as a regular expression over folded names (`my_wildcmp`; a last `\` is itself)."""
    parts = []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if character == "%":
            parts.append(".*")
        elif character == "_":
            parts.append(".")
        else:
            if character == "\\" and position < len(pattern):
                character = pattern[position]
                position += 1
            parts.append(re.escape(fold(character)))
    return re.compile("".join(parts), re.DOTALL)


#: What a rule's test yields: passes or not (None: no rule decides), and the rule.
Answer = tuple[bool | None, str]
NO_DATABASE_RULES = "no --replicate-do-db or --replicate-ignore-db options"
NO_TABLE_RULES = "no --replicate-*-table options"
NO_DO_TABLE = (
    "no --replicate-do-table or --replicate-wild-do-table option: every table without a match is replicated"
)
ONLY_DO_TABLE = "there is a --replicate-do-table or --replicate-wild-do-table option, and nothing matches"
ONLY_DO_DB = "there is a --replicate-do-db option, and none matches"
NO_IGNORE_MATCH = "no --replicate-ignore-db option matches"
ONLY_BINLOG_DO = "there is a --binlog-do-db option, and none matches"
NO_BINLOG_IGNORE = "no --binlog-ignore-db option matches"
NO_BINLOG_RULES = "no --binlog-do-db or --binlog-ignore-db options"


def option(name: str, value: str) -> str:
    """A rule as people write it."""
    return f"--{name}={value}"


def lower_case(server: Server) -> int:
    """`lower_case_table_names` of a server: 0, 1 or 2."""
    return int(server.setting("lower_case_table_names") or 0)


class DatabaseRules:
    """A do list and an ignore list of database names: the one test of both ends (`Rpl_filter::db_ok`)."""

    __slots__ = ("_fold", "_none", "do", "ignore", "texts")

    def __init__(self, do: Iterable[str], ignore: Iterable[str], fold: Fold, prefix: str) -> None:
        self._fold = fold
        self.do = {fold(name): option(f"{prefix}-do-db", name) for name in reversed(tuple(do))}
        self.ignore = {fold(name): option(f"{prefix}-ignore-db", name) for name in reversed(tuple(ignore))}
        binlog = prefix == "binlog"
        self.texts = (ONLY_BINLOG_DO, NO_BINLOG_IGNORE) if binlog else (ONLY_DO_DB, NO_IGNORE_MATCH)
        self._none = NO_BINLOG_RULES if binlog else NO_DATABASE_RULES

    def __bool__(self) -> bool:
        return bool(self.do or self.ignore)

    def test(self, database: str) -> tuple[bool, str]:
        """Whether a database passes, and the rule. ignore-db is not read once there is a do-db."""
        if self.do:
            rule = self.do.get(self._fold(database))
            return (True, rule) if rule else (False, self.texts[0])
        if self.ignore:
            rule = self.ignore.get(self._fold(database))
            return (False, rule) if rule else (True, self.texts[1])
        return True, self._none


class WildRules:
    """The patterns of one option, tried in order."""

    __slots__ = ("_every", "_fold", "patterns", "rules")

    def __init__(self, patterns: tuple[str, ...], fold: Fold, name: str) -> None:
        self._fold = fold
        self.patterns = patterns
        self.rules = tuple(option(name, pattern) for pattern in patterns)
        every = "|".join(f"({compiled(pattern, fold).pattern})" for pattern in patterns)
        self._every = re.compile(every, re.DOTALL) if patterns else None

    def find(self, name: str) -> str:
        """The first rule whose pattern matches `db.table`, or ''."""
        if self._every is None:
            return ""
        match = self._every.fullmatch(self._fold(name))
        return self.rules[(match.lastindex or 1) - 1] if match else ""


class SourceRules:
    """`binlog-do-db` and `binlog-ignore-db` of a source."""

    __slots__ = ("_databases", "_lower", "_null_passes", "server")

    def __init__(self, filters: FilterSet, server: Server) -> None:
        self.server = server
        self._lower = bool(lower_case(server))
        fold = Fold.EXACT
        if server.has("filter-names-follow-lower-case") and self._lower:
            fold = Fold.CASE
        self._databases = DatabaseRules(filters.binlog_do_db, filters.binlog_ignore_db, fold, "binlog")
        self._null_passes = server.has("default-database-null-is-logged")

    def __bool__(self) -> bool:
        return bool(self._databases)

    def logs(self, database: str | None) -> tuple[bool, str]:
        """Whether a change of this (default, or the table's own) database is logged."""
        if database is not None and self._lower:
            database = database.lower()
        if database is None:
            if self._null_passes and self._databases:
                return True, "no default database: the source logs it whatever its --binlog-*-db options say"
            return self._databases.test("")
        return self._databases.test(database)


class ReplicaRules:
    """The `replicate-*` rules of one channel, as one replica applies them."""

    __slots__ = (
        "_do",
        "_ignore",
        "_lower",
        "_rewrite",
        "_rewrite_fold",
        "_table_fold",
        "databases",
        "filters",
        "server",
        "wild_do",
        "wild_ignore",
    )

    def __init__(self, filters: FilterSet, server: Server) -> None:
        self.filters, self.server = filters, server
        self._lower = bool(lower_case(server))
        if server.has("filter-names-follow-lower-case"):
            names = tables = wild = Fold.CASE if self._lower else Fold.EXACT
        else:
            names, wild = Fold.EXACT, Fold.GENERAL
            tables = Fold.GENERAL if server.has("filter-tables-ignore-accents") else Fold.CASE
        self.databases = DatabaseRules(filters.do_db, filters.ignore_db, names, "replicate")
        self._table_fold = tables
        self._do = {tables(t): option("replicate-do-table", t) for t in reversed(filters.do_table)}
        self._ignore = {
            tables(t): option("replicate-ignore-table", t) for t in reversed(filters.ignore_table)
        }
        self.wild_do = WildRules(filters.wild_do_table, wild, "replicate-wild-do-table")
        self.wild_ignore = WildRules(filters.wild_ignore_table, wild, "replicate-wild-ignore-table")
        self._rewrite_fold = names
        self._rewrite = {
            names(old): (new, option("replicate-rewrite-db", f"{old}->{new}"))
            for old, new in reversed(filters.rewrite_db)
        }

    @property
    def has_table_rules(self) -> bool:
        """Whether any rule on tables exists."""
        return self.filters.has_table_rules

    @property
    def needs_do_match(self) -> bool:
        """Whether a table must match a do rule."""
        return bool(self.filters.do_table or self.filters.wild_do_table)

    def arriving(self, name: str) -> str:
        """A name of an event as this replica takes it (lower_case_table_names)."""
        return name.lower() if self._lower else name

    def rewrite(self, database: str) -> tuple[str, str]:
        """The database after `replicate-rewrite-db` (the first pair counts, once), and the rule or ''."""
        return self._rewrite.get(self._rewrite_fold(database), (database, ""))

    def database(self, database: str | None) -> tuple[bool, str]:
        """Stage 1. No default database is the empty name: a do-db ignores it, an ignore-db lets it pass."""
        return self.databases.test(database or "")

    def table(self, database: str, table: str) -> Answer:
        """What the table rules say of one table: True, False, or None where none matches."""
        name = f"{database}.{table}"
        if self._do or self._ignore:
            folded = self._table_fold(name)
            rule = self._do.get(folded)
            if rule:
                return True, rule
            rule = self._ignore.get(folded)
            if rule:
                return False, rule
        rule = self.wild_do.find(name)
        if rule:
            return True, rule
        rule = self.wild_ignore.find(name)
        if rule:
            return False, rule
        return None, ""

    def unmatched(self) -> tuple[bool, str]:
        """What becomes of a change none of whose tables matches a rule."""
        if not self.has_table_rules:
            return True, NO_TABLE_RULES
        return (False, ONLY_DO_TABLE) if self.needs_do_match else (True, NO_DO_TABLE)

    def wild_database(self, database: str) -> tuple[bool, str]:
        """The wild rules on a statement about a database: matched against `db.` and an empty table name."""
        rule = self.wild_do.find(f"{database}.")
        if rule:
            return True, rule
        rule = self.wild_ignore.find(f"{database}.")
        if rule:
            return False, rule
        if self.filters.wild_do_table:
            return False, "there is a --replicate-wild-do-table option, and none matches the database"
        return True, "no --replicate-wild-*-table option matches the database"

    def row(self, database: str, table: str) -> tuple[bool, str, str, str]:
        """A row event, names as logged: (passes, rule, database, table on the replica)."""
        database, table = self.arriving(database), self.arriving(table)
        database, rewritten = self.rewrite(database)
        passes, rule = self.database(database)
        if not passes:
            return False, rule, database, table
        if not self.has_table_rules:
            decider = rule if self.databases else (rewritten or NO_TABLE_RULES)
            return True, decider, database, table
        answer, explicit = self.table(database, table)
        if answer is None:
            passes, explicit = self.unmatched()
            return passes, explicit, database, table
        return answer, explicit, database, table
