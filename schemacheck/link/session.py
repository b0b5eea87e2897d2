"""The session that writes a statement: the part of it that the binary log carries along."""

from __future__ import annotations

import re

from schemacheck.dataclass import dataclass, field
from schemacheck.link.ends import server_collation
from schemacheck.model import Link, Server, charset

_OFFSET = re.compile(r"([+-])(\d{1,2}):(\d{2})")


def takes_zone(server: Server, zone: str) -> bool | None:
    """Whether the server takes this offset as a time zone; None: it is a name."""
    offset = _OFFSET.fullmatch(zone)
    if offset is None:
        return None
    minutes = (int(offset.group(2)) * 60 + int(offset.group(3))) * (-1 if offset.group(1) == "-" else 1)
    return -839 <= minutes <= 840 if server.has("wide-time-zones") else -779 <= minutes <= 780


def without_zones(link: Link) -> tuple[str, ...]:
    """The assumption where the source has time zone tables and the replica none: BEGIN of MySQL and
    statements name a session's zone (1298), CONVERT_TZ of a name is NULL, in generated columns too.
    """
    if (link.source.setting("time_zone_names"), link.replica.setting("time_zone_names")) != ("1", "0"):
        return ()
    return ("nothing names a time zone (1298; NULL of CONVERT_TZ): the replica has no time zone tables",)


@dataclass(slots=True)
class Session:
    """A source's session. `connection`, `client` and `server` are collations; `users` the collations of user
    variables (None: a number); `variables` the session's own values; `logged`: a log alone tells of it.
    """

    source: Server
    client: str
    connection: str
    server: str
    users: dict[str, str | None] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    logged: bool = False

    @classmethod
    def plain(cls, source: Server) -> Session:
        """A client that says SET NAMES utf8mb4, as most do today; where the server has no utf8mb4, its own
        set.
        """
        is_known = charset.has_charset("utf8mb4", source.has)
        collation = source.default_collation("utf8mb4") if is_known else server_collation(source)
        return cls(source, collation, collation, server_collation(source))

    @property
    def collations(self) -> tuple[str, ...]:
        """In the order in which the replica looks them up."""
        return self.client, self.connection, self.server

    def get(self, name: str) -> str:
        """A variable's value in this session."""
        return self.variables.get(name, self.source.setting(name))

    @property
    def modes(self) -> frozenset[str]:
        """The words of sql_mode."""
        return frozenset(word.strip().upper() for word in self.get("sql_mode").split(",") if word.strip())

    def named(self, name: str, collation: str) -> None:
        """SET NAMES; `collation` may be ''."""
        default = self.source.default_collation(charset.canonical(name))
        chosen = charset.canonical_collation(collation) if collation else default
        if chosen.startswith("uca1400"):
            chosen = f"{charset.canonical(name)}_{chosen}"
        self.client = self.connection = chosen

    def set(self, name: str, value: str) -> None:
        """SET of one of the session's variables, lower case."""
        self.variables[name] = value
        if name == "character_set_client":
            self.client = self.source.default_collation(charset.canonical(value))
        elif name == "collation_connection":
            self.connection = charset.canonical_collation(value)


def skips_statements(link: Link) -> bool:
    """Whether the replica passes over statements of sessions that use the source's default collation.

    Every logged statement names its session's collation by number. MySQL skips those with a number of
    MariaDB's (utf8mb4_uca1400_ai_ci, 2304) without an error (recorded: MariaDB 11.8.6 to MySQL 5.6.24, 9.7.4).

    One that names a character set without a collation is executed: MariaDB writes a status variable for it whose
    number MySQL does not know, so that MySQL reads no variable behind it, and does not see the collation either.
    """  # noqa: E501
    source, replica = link.source, link.replica
    if not source.has("session-collation-uca1400") or replica.has("reads-collation-uca1400"):
        return False
    chosen = source.setting("character_set_collations")
    return not chosen or "uca1400" in chosen


def unknown_number(link: Link) -> bool:
    """Whether a statement of a session with the source's default collation stops the replica (error 22)."""
    return link.source.has("session-collation-0900") and not link.replica.has("reads-collation-0900")
