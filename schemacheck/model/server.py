"""A server: flavour, version and the settings that somebody gave."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import UnknownServer, near
from schemacheck.model import charset as charsets
from schemacheck.model import variable
from schemacheck.model.variable import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

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


@dataclass(frozen=True, slots=True)
class Server:
    """One end of a link.

    `settings` are the variables that were given, sorted (canonical name, value as text); all
    others have the version's default, see `setting` and `given`.
    """

    flavor: str
    version: tuple[int, int, int]
    settings: tuple[tuple[str, str], ...] = ()
    _profile: knowledge.Profile | None = field(default=None, init=False, repr=False, compare=False)
    _hash: int = field(default=0, init=False, repr=False, compare=False)
    _modes: frozenset[str] | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        """As dataclasses have it, computed once: what is remembered of a server is looked up by it."""
        if not self._hash:
            object.__setattr__(self, "_hash", hash((self.flavor, self.version, self.settings)))
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        """What another process may have: hashes of text differ there."""
        return {
            "flavor": self.flavor,
            "version": self.version,
            "settings": self.settings,
            "_profile": None,
            "_hash": 0,
            "_modes": None,
        }

    @classmethod
    def parse(cls, text: str, settings: Mapping[str, str] | None = None) -> Server:
        """Read `mysql-8.0.36`, `mariadb 10.11`, `8.4`, `10.11.6-MariaDB-log`, `percona-8.0` as a person gives
        it, with settings.

        A series without a patch release means its latest known release. Raises UnknownServer for a version
        that is not described in `rules/servers/`, BadSetting for a setting that is not known
        (`variable.checked`).
        """
        flavor, numbers = _named(text)
        release = knowledge.release(flavor, numbers)
        return cls(flavor, release).with_settings(settings or {})

    @classmethod
    def told(cls, text: str, settings: Mapping[str, str] | None = None) -> Server:
        """The server that an input says it comes from. A release that is newer than those described is taken
        as the newest series before it, and any variable is kept. Raises UnknownServer where nothing is known.
        """
        flavor, numbers = _told(text)
        release = knowledge.newest(flavor, numbers)
        knowledge.profile(flavor, release)
        return cls(flavor, release).with_told(settings or {})

    def with_settings(self, settings: Mapping[str, str]) -> Server:
        """The same server with these variables given as well. Raises BadSetting, see `variable.checked`."""
        return self.with_told(variable.checked(settings)) if settings else self

    def with_told(self, settings: Mapping[str, str]) -> Server:
        """The same server with variables that it, or its log, reports: nothing but blanks is taken away."""
        merged = dict(self.settings) | {canonical(name): value.strip() for name, value in settings.items()}
        return replace(self, settings=tuple(sorted(merged.items())))

    def released(self, opposite: Server | None) -> Server | None:
        """The server as an input told it. None where it told the flavour alone (`version_comment`), and the
        link's other end a release of it: this end is of that, too.
        """
        if not self.given("version_comment"):
            return self
        if opposite is not None and opposite.family == self.family and not opposite.given("version_comment"):
            return None
        return replace(self, settings=tuple(item for item in self.settings if item[0] != "version_comment"))

    def like(self, other: Server | None) -> Server:
        """The same server set up like the other end of its link, where nothing was told of its settings and
        both are of one family; what is an end's own (`own` of `rules/variables.yaml`) is not taken over.
        """
        if self.settings or other is None or other.family != self.family:
            return self
        own = knowledge.load("variables")["own"]
        return self.with_told({name: value for name, value in other.settings if name not in own})

    def answers_for(self, other: Server) -> bool:
        """Whether one server's answer is the other's: of one series, with nothing recorded between."""
        return (self.series, self.profile) == (other.series, other.profile)

    @property
    def profile(self) -> knowledge.Profile:
        """What this version can do."""
        profile = self._profile
        if profile is None:
            profile = knowledge.profile(self.flavor, self.version)
            object.__setattr__(self, "_profile", profile)
        return profile

    def has(self, capability: str) -> bool:
        """Whether the version has a capability named in `rules/servers/`."""
        return capability in (self._profile or self.profile).capabilities

    def given(self, name: str) -> bool:
        """Whether somebody gave this variable."""
        wanted = canonical(name)
        return any(key == wanted for key, _ in self.settings)

    def default_collation(self, charset: str) -> str:
        """The collation of a character set that is named without one, the server's own choices included."""
        for pair in self.setting("character_set_collations").split(","):
            key, _, collation = pair.partition("=")
            if collation and charsets.canonical(key) == charset:
                return charsets.full_collation(collation, charset)
        chosen = self.setting("default_collation_for_utf8mb4")
        if chosen and charset == "utf8mb4":
            return charsets.canonical_collation(chosen)
        # MariaDB's own choice is the variable's default: without an entry it is what older versions have.
        version = (0, 0, 0) if self.given("character_set_collations") else self.version
        return charsets.default_collation(charset, self.flavor, version)

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
        mode_words = self._modes
        if mode_words is None:
            mode_words = _mode_words(self.setting("sql_mode"))
            object.__setattr__(self, "_modes", mode_words)
        return mode_words

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
    def series(self) -> str:
        """`8.0` of 8.0.36."""
        return f"{self.version[0]}.{self.version[1]}"

    @property
    def mariadb(self) -> bool:
        """Whether the server's code is MariaDB's."""
        return self.flavor == "mariadb"

    @property
    def family(self) -> str:
        """Whose code the server has, as the facts name it: `mysql` (Percona Server too) or `mariadb`."""
        return "mariadb" if self.mariadb else "mysql"

    def __str__(self) -> str:
        label = {"mysql": "MySQL", "mariadb": "MariaDB", "percona": "Percona Server"}.get(
            self.flavor, self.flavor
        )
        return f"{label} {self.version_text}"


@lru_cache(maxsize=256)
def _mode_words(text: str) -> frozenset[str]:
    words = frozenset(w.strip().upper() for w in text.split(",") if w.strip())
    for word in words & _COMBINATIONS.keys():
        words |= _COMBINATIONS[word]
    return words


#: How people write the flavours beside their own names.
_FLAVOR_WORDS = {"maria": "mariadb", "percona server": "percona"}
_TEXT = re.compile(
    r"(?P<word>[a-z]+(?: [a-z]+)*)?(?:(?:\s+|[_-])?(?P<numbers>[0-9]+(?:\.[0-9]+)*)(?P<rest>[-+~_ ].*)?)?",
    re.DOTALL,
)
#: MariaDB behind replication-compatible connections: 5.5.5-10.6.12-MariaDB.
_DISGUISE = re.compile(r"5\.5\.5-(?=[0-9]+\.[0-9]+\.[0-9]+-mariadb)")


def _named(text: str) -> tuple[str, tuple[int, ...]]:
    """Flavour and numbers of a server's name as people write it. Raises UnknownServer."""
    plain = _DISGUISE.sub("", text.strip().lower())
    match = _TEXT.fullmatch(plain)
    word = (match["word"] or "").strip() if match else plain
    flavors = knowledge.flavors()
    flavor = _FLAVOR_WORDS.get(word, word) or next(
        (f for f in flavors if match and f in (match["rest"] or "")), None
    )
    numbers = _numbers(match["numbers"]) if match and match["numbers"] else ()
    if (
        match is None
        or (flavor is not None and flavor not in flavors)
        or not (flavor or numbers)
        or len(numbers) > 3
    ):
        hint = near(word, flavors, cutoff=0.7) if word else ""
        hint = hint if "did you mean" in hint else "; write for example mysql-8.0.36 or mariadb-10.11"
        raise UnknownServer(f"{text!r} is not a known server{hint}")
    return flavor or knowledge.flavor_of(numbers), numbers


def _told(text: str) -> tuple[str, tuple[int, ...]]:
    """The same of what a server says about itself, with anything around it. Raises UnknownServer."""
    plain = _DISGUISE.sub("", text.strip().lower())
    match = re.search(r"[0-9]+(?:\.[0-9]+){0,2}", plain)
    flavor = next((f for f in knowledge.flavors() if f in plain), None)
    if match is None and flavor is None:
        raise UnknownServer(f"{text!r} is not a known server")
    numbers = _numbers(match.group()) if match else ()
    return flavor or knowledge.flavor_of(numbers), numbers


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part[:9]) for part in text.split("."))
