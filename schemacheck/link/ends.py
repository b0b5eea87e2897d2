"""What is asked about: two servers, the channel between them, the account that it uses."""

from __future__ import annotations

from collections.abc import Mapping

from schemacheck.dataclass import dataclass, field
from schemacheck.model import Link, Server, charset


@dataclass(frozen=True, slots=True)
class Channel:
    """The options of CHANGE REPLICATION SOURCE / CHANGE MASTER.

    `options` are the words as written, upper case; `position` is `file`, `gtid` (auto-position,
    MASTER_USE_GTID) or `none`; `password` is what the channel sends (None: not given, taken as right);
    `logs` are the source's log files where they are known.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    position: str = "file"
    password: str | None = None
    logs: tuple[str, ...] = ()

    def option(self, name: str) -> str | None:
        """The value of `SSL`, `BIND`, ... whatever the word before it (`MASTER_`, `SOURCE_`)."""
        for word, value in self.options.items():
            if word == name or word.removeprefix("MASTER_").removeprefix("SOURCE_") == name:
                return value
        return None


@dataclass(frozen=True, slots=True)
class Account:
    """The replication account on the source. `plugin` empty: the server's default; `exists` False: there is
    none.
    """

    plugin: str = ""
    password: str = ""
    grants: str = "REPLICATION SLAVE"
    require: str = ""
    exists: bool = True
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Ends:
    """A link as far as it is known. Without `channel` and `account` nothing is said about the connection."""

    link: Link
    channel: Channel | None = None
    account: Account | None = None

    @property
    def source(self) -> Server:
        """The server that writes the log."""
        return self.link.source

    @property
    def replica(self) -> Server:
        """The server that applies it."""
        return self.link.replica


def on(server: Server, name: str) -> bool:
    """Whether a boolean variable is on."""
    return server.setting(name).upper() in ("1", "ON", "TRUE", "YES")


def assumed(server: Server, role: str, name: str, better: str) -> str:
    """`source binlog_format = ROW is assumed; with STATEMENT ...`, or '' where somebody gave the variable."""
    if server.given(name):
        return ""
    return f"{role} {name} = {server.setting(name) or repr('')} is assumed; {better}"


def default_collation(server: Server, name: str) -> str:
    """The collation of `SET NAMES name` there: the variables that change it, else the version's default."""
    plain = charset.canonical(name)
    if plain == "utf8mb4" and server.setting("default_collation_for_utf8mb4"):
        return server.setting("default_collation_for_utf8mb4").lower()
    for pair in server.setting("character_set_collations").split(","):
        key, _, value = pair.partition("=")
        if value and charset.canonical(key) == plain:
            collation = charset.canonical_collation(value)
            return collation if not collation.startswith("uca1400") else f"{plain}_{collation}"
    return charset.default_collation(plain, server.flavor, server.version)


def server_collation(server: Server) -> str:
    """collation_server, else what character_set_server brings."""
    given = server.setting("collation_server")
    if given:
        return charset.canonical_collation(given)
    return default_collation(server, server.setting("character_set_server") or "latin1")
