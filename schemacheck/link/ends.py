"""What is asked about: two servers, the channel between them, the account that it uses."""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.link import literal
from schemacheck.model import Link, Schema, Server, charset, variable

#: What the status of a live replica's channel tells, and the options that it means.
_STATUS = {
    "auto_position": "SOURCE_AUTO_POSITION",
    "using_gtid": "MASTER_USE_GTID",
    "require_row_format": "REQUIRE_ROW_FORMAT",
    "assign_gtids_to_anonymous_transactions_type": "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS",
}


def bare(word: str) -> str:
    """An option's name without MASTER_ or SOURCE_."""
    return re.sub(r"^(GET_)?(MASTER|SOURCE)_", r"\1", word)


@dataclass(frozen=True, slots=True)
class Channel:
    """The options of CHANGE REPLICATION SOURCE / CHANGE MASTER.

    `options` are the words as written, upper case, with their literals (`literal.py`); `position` is `file`,
    `gtid` (auto-position, MASTER_USE_GTID) or `none`; `told`: by a live replica, which has the channel.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    position: str = "file"
    told: bool = False

    def written(self, name: str) -> str | None:
        """The literal of `SSL`, `BIND`, ... whatever the word before it (`MASTER_`, `SOURCE_`)."""
        return next((value for word, value in self.options.items() if bare(word) == name), None)

    def option(self, name: str) -> str | None:
        """The value of an option, without quotes."""
        value = self.written(name)
        return None if value is None else literal.text(value)

    def on(self, name: str, *, default: bool = False) -> bool:
        """Whether an option of 0 and 1 is on."""
        return literal.flag(self.option(name), default=default)

    @property
    def auto_position(self) -> bool:
        """Whether MySQL's auto-position is asked for."""
        return self.on("AUTO_POSITION", default=self.position == "gtid")


@dataclass(frozen=True, slots=True)
class Account:
    """The replication account on the source: it is there, with REPLICATION SLAVE and the password that the
    channel sends. `plugin` empty: the server's default; `cached`: the source remembers a login.
    """

    plugin: str = ""
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Ends:
    """A link as far as it is known. Without `channel` and `account` nothing is said about the connection;
    `filtered`: its filters are followed; `checked`: so are its tables, for whatever statements change them;
    `databases` are those whose default character set or collation differs.
    """

    link: Link
    channel: Channel | None = None
    account: Account | None = None
    filtered: bool = False
    checked: bool = False
    databases: tuple[str, ...] = ()

    @classmethod
    def of(cls, link: Link, source: Schema, replica: Schema) -> Ends:
        """The link with what both schemas say of databases."""
        pairs = ((name, own, replica.charsets.get(name, own)) for name, own in source.charsets.items())
        return cls(link, databases=tuple(name for name, own, other in pairs if own != other))

    def connected(self) -> Ends:
        """These ends with what a live replica tells of its channel, where none was given."""
        told = {word: variable.folded(self.replica.setting(name)) for name, word in _STATUS.items()}
        options = {word: value for word, value in told.items() if value not in ("", "0")}
        if self.channel is not None or not options:
            return self
        return replace(self, channel=Channel(options, "none", told=True))

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


def server_collation(server: Server) -> str:
    """collation_server, else what character_set_server brings."""
    given = server.setting("collation_server")
    if given:
        return charset.canonical_collation(given)
    return server.default_collation(charset.canonical(server.setting("character_set_server") or "latin1"))
