"""A server: flavour, version and the settings that somebody gave."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.errors import UnknownServer

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Old and new spellings of one variable; the left one is ours.
ALIASES = {
    "replica_type_conversions": "slave_type_conversions",
    "character_set": "character_set_server",
    "log_replica_updates": "log_slave_updates",
    "replica_exec_mode": "slave_exec_mode",
    "replica_skip_errors": "slave_skip_errors",
    "replica_compressed_protocol": "slave_compressed_protocol",
    "replica_max_allowed_packet": "slave_max_allowed_packet",
    "replica_parallel_workers": "slave_parallel_workers",
    "replica_sql_verify_checksum": "slave_sql_verify_checksum",
    "source_verify_checksum": "master_verify_checksum",
}


#: The modes under which bad values are refused.
STRICT = frozenset(("STRICT_TRANS_TABLES", "STRICT_ALL_TABLES"))
_FOREIGN = frozenset(("PIPES_AS_CONCAT", "ANSI_QUOTES", "IGNORE_SPACE"))
#: What `SELECT @@sql_mode` has beside a combination, where it means something here (asked of four servers).
_COMBINATIONS = {
    "ANSI": _FOREIGN | {"REAL_AS_FLOAT"},
    "TRADITIONAL": STRICT
    | {"NO_ZERO_IN_DATE", "NO_ZERO_DATE", "ERROR_FOR_DIVISION_BY_ZERO", "NO_ENGINE_SUBSTITUTION"},
    **dict.fromkeys(("ORACLE", "MSSQL", "DB2", "POSTGRESQL", "MAXDB"), _FOREIGN),
    **dict.fromkeys(("MYSQL323", "MYSQL40"), frozenset(("HIGH_NOT_PRECEDENCE",))),
}


def canonical(name: str) -> str:
    """The one spelling of a variable: lower case, underscores, the older word where two exist."""
    plain = name.strip().lower().replace("-", "_")
    return ALIASES.get(plain, plain)


@dataclass(frozen=True, slots=True)
class Server:
    """One end of a link.

    `settings` are the variables that were given, sorted (canonical name, value as text); all
    others have the version's default, see `setting` and `given`.
    """

    flavor: str
    version: tuple[int, int, int]
    settings: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str, settings: Mapping[str, str] | None = None) -> Server:
        """Read `mysql-8.0.36`, `mariadb 10.11`, `8.4`, `10.11.6-MariaDB-log`, `percona-8.0`.

        A series without a patch release means its latest known release. Raises UnknownServer.
        """
        plain = text.strip().lower()
        numbers = re.search(r"\d+(?:\.\d+){0,2}", plain)
        flavor = next((f for f in knowledge.flavors() if f in plain), None)
        if numbers is None or (flavor is None and plain[:1].isalpha()):
            if flavor is None:
                message = f"{text!r} names no server; write for example mysql-8.0.36 or mariadb-10.11"
                raise UnknownServer(message)
            return cls(flavor, knowledge.series(flavor)[-1][2]).with_settings(settings or {})
        wanted = knowledge.version(numbers.group())
        if flavor is None:
            flavor = "mariadb" if 10 <= wanted[0] < 20 else "mysql"
        release = wanted
        if numbers.group().count(".") < 2:
            given = tuple(int(p) for p in numbers.group().split("."))
            fitting = [latest for latest in knowledge.releases(flavor) if latest[: len(given)] == given]
            release = fitting[-1] if fitting else wanted
        knowledge.profile(flavor, release)
        return cls(flavor, release).with_settings(settings or {})

    def with_settings(self, settings: Mapping[str, str]) -> Server:
        """The same server with these variables given as well."""
        merged = dict(self.settings) | {canonical(name): value for name, value in settings.items()}
        return replace(self, settings=tuple(sorted(merged.items())))

    @property
    def profile(self) -> knowledge.Profile:
        """What this version can do."""
        return knowledge.profile(self.flavor, self.version)

    def has(self, capability: str) -> bool:
        """Whether the version has a capability named in `rules/servers/`."""
        return capability in self.profile.capabilities

    def given(self, name: str) -> bool:
        """Whether somebody gave this variable."""
        wanted = canonical(name)
        return any(key == wanted for key, _ in self.settings)

    def setting(self, name: str) -> str:
        """The variable's value: the given one, else the version's default, else ''."""
        wanted = canonical(name)
        for key, value in self.settings:
            if key == wanted:
                return value
        return self.profile.defaults.get(wanted, "")

    @property
    def sql_mode(self) -> frozenset[str]:
        """The words of sql_mode, upper case; a combination with the words that the server puts beside it."""
        words = frozenset(w.strip().upper() for w in self.setting("sql_mode").split(",") if w.strip())
        for word in words & _COMBINATIONS.keys():
            words |= _COMBINATIONS[word]
        return words

    @property
    def strict(self) -> bool:
        """Whether sql_mode refuses bad values."""
        return not STRICT.isdisjoint(self.sql_mode)

    @property
    def backslash(self) -> bool:
        """Whether a backslash escapes in strings."""
        return "NO_BACKSLASH_ESCAPES" not in self.sql_mode

    @property
    def folds_names(self) -> bool:
        """Whether names of databases and tables are compared without case."""
        return self.setting("lower_case_table_names") not in ("", "0")

    @property
    def version_text(self) -> str:
        """`8.0.36`."""
        return ".".join(map(str, self.version))

    @property
    def mariadb(self) -> bool:
        """Whether the server's code is MariaDB's."""
        return self.flavor == "mariadb"

    def __str__(self) -> str:
        label = {"mysql": "MySQL", "mariadb": "MariaDB", "percona": "Percona Server"}.get(
            self.flavor, self.flavor
        )
        return f"{label} {self.version_text}"
