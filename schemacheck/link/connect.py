"""CHANGE REPLICATION SOURCE, login and handshake: what stops a link before any event is read.

Sources: sql/rpl_replica.cc (get_master_version_and_clock, change_master), sql-common/client.cc of MySQL;
sql/slave.cc and sql-common/client.c of MariaDB; recorded on 5.6.24, 9.7.4, 10.11.19, 11.8.6.
"""

from __future__ import annotations

import re

from schemacheck import knowledge
from schemacheck.link import place
from schemacheck.link.ends import Account, Channel, Ends, on
from schemacheck.link.errors import fails
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server

#: Modes in which a source writes anonymous transactions, and those in which it writes GTIDs.
ANONYMOUS = ("OFF", "OFF_PERMISSIVE")
_PASSWORD_LIMIT = 32
#: SLAVE_MAX_HEARTBEAT_PERIOD of both flavours, in seconds.
_LONGEST_HEARTBEAT = 4294967
#: Files and ciphers of a channel, and addresses: the replica's host and the source's accounts alone tell.
_FILES = (
    "SSL_CA",
    "SSL_CAPATH",
    "SSL_CERT",
    "SSL_KEY",
    "SSL_CRL",
    "SSL_CRLPATH",
    "SSL_CIPHER",
    "TLS_CIPHERSUITES",
)
_LOOPBACK = ("", "127.0.0.1", "::1", "localhost")
_SAFE_PLUGINS = ("mysql_native_password", "caching_sha2_password", "ed25519", "client_ed25519", "parsec")


def connects(ends: Ends) -> Outcome | None:
    """What happens before the first event; None where nothing stops the link."""
    for question in (change, login, handshake):
        found = question(ends)
        if found is not None:
            return found
    return None


def gtid_mode(server: Server) -> str:
    """OFF, OFF_PERMISSIVE, ON_PERMISSIVE or ON; a server without the variable writes anonymous
    transactions.
    """
    if not server.has("gtid-modes"):
        return "OFF"
    value = server.setting("gtid_mode").upper() or "OFF"
    return {"0": "OFF", "1": "OFF_PERMISSIVE", "2": "ON_PERMISSIVE", "3": "ON"}.get(value, value)


def change(ends: Ends) -> Outcome | None:
    """What CHANGE REPLICATION SOURCE or START REPLICA refuses."""
    channel, replica = ends.channel, ends.replica
    if channel is None:
        return None
    for word in channel.options:
        bare = word.removeprefix("MASTER_").removeprefix("SOURCE_")
        bare = bare.replace("GET_MASTER_PUBLIC_KEY", "GET_PUBLIC_KEY").replace(
            "GET_SOURCE_PUBLIC_KEY", "GET_PUBLIC_KEY"
        )
        needs = knowledge.load("links")["channel_words"].get(bare)
        spelt = (
            "channel-words-source" if "SOURCE" in word else "channel-words-master" if "MASTER" in word else ""
        )
        if (needs and not replica.has(needs)) or (spelt and not replica.has(spelt)):
            return fails(Kind.REFUSED, "SC901", "grammar", replica,
                f"{replica} does not know the channel's option {word}",
                         change=f"Leave {word} out of the channel, or write it as this version "
                                f"spells it")  # fmt: skip
    if (unused := place.domains(ends, channel)) is not None:
        return unused
    period = channel.option("HEARTBEAT_PERIOD") or "0"
    if re.fullmatch(r"\d+(\.\d*)?", period) and float(period) > _LONGEST_HEARTBEAT:
        return fails(Kind.REFUSED, "SC901", "heartbeat", replica,
            f"a heartbeat of {period} s is longer than the {_LONGEST_HEARTBEAT} s that {replica} takes",
                     change="Give a shorter HEARTBEAT_PERIOD")  # fmt: skip
    mode = gtid_mode(replica)
    if channel.position == "gtid" and not replica.mariadb and mode == "OFF":
        return fails(Kind.REFUSED, "SC901", "auto-position", replica,
            "auto-position needs GTIDs on the replica, and gtid_mode is OFF there",
                     change="Give file and position, or set gtid_mode on the replica")  # fmt: skip
    if (channel.option("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS") or "OFF").upper() != "OFF" and mode != "ON":
        return fails(Kind.REFUSED, "SC901", "assign-gtids", replica,
            "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS needs gtid_mode = ON on the replica",
                     change="Set gtid_mode = ON on the replica, or leave the option out")  # fmt: skip
    if (
        channel.password
        and len(channel.password) > _PASSWORD_LIMIT
        and replica.has("password-of-channel-refused")
    ):
        return fails(Kind.REFUSED, "SC901", "password-too-long", replica,
            "the channel's password is longer than 32 characters",
                     change="Give the account a password of at most 32 characters")  # fmt: skip
    if replica.setting("server_id") == "0" and replica.has("zero-server-id-refused"):
        return fails(
            Kind.REFUSED,
            "SC904",
            "no-server-id",
            replica,
            "server_id is 0 on the replica",
            change="Set server_id on the replica",
        )
    return None


def source_tls(source: Server) -> bool:
    """Whether the source offers TLS: certificates are configured, or it makes them itself."""
    if source.setting("have_ssl").upper() in ("DISABLED", "NO") or source.setting("skip_ssl"):
        return False
    return (
        bool(source.setting("ssl_cert"))
        or source.has("tls-by-itself")
        or source.setting("have_ssl").upper() == "YES"
    )


def _flag(value: str | None, *, default: bool) -> bool:
    return default if value is None else value.upper() in ("1", "ON", "YES", "TRUE")


def login(ends: Ends) -> Outcome | None:
    """TLS, authentication and privileges of the replication account."""
    channel, account = ends.channel, ends.account
    if channel is None or account is None:
        return None
    source, replica = ends.source, ends.replica
    wanted = _flag(channel.option("SSL"), default=replica.has("channel-tls-default"))
    verified = wanted and _flag(
        channel.option("SSL_VERIFY_SERVER_CERT"), default=replica.has("channel-verifies-default")
    )
    offered = source_tls(source)
    if wanted and not offered and (replica.has("channel-tls-required") or (verified and replica.mariadb)):
        return fails(Kind.IO, "SC903", "no-tls", replica,
            f"the channel wants TLS, and {source} does not offer it",
                     change="Give the source certificates, or set SOURCE_SSL = 0 (MASTER_SSL = 0, "
                            "MASTER_SSL_VERIFY_SERVER_CERT = 0) in the channel")  # fmt: skip
    tls = wanted and offered and (replica.mariadb or replica.has("channel-tls-required"))
    if (own := _only_there(channel, tls=tls)) is not None:
        return own
    sent = account.password if channel.password is None else channel.password
    plugin = account.plugin or _default_plugin(source)
    if not account.exists and source.has("default-plugin-caching-sha2") and not tls and not replica.mariadb:
        return Outcome(
            Kind.UNKNOWN,
            "SC902",
            0,
            "there is no such account; which plugin the source asks it for is not known",
            "Make the account",
        )
    if plugin in ("ed25519", "parsec", "client_ed25519") and not replica.mariadb:
        return _no_plugin(replica, plugin)
    if not replica.has(knowledge.load("links")["plugins"].get(plugin, "client-native")):
        return _no_plugin(replica, plugin)
    if tls and verified and not channel.option("SSL_CA"):
        passwordless = channel.option("SSL_VERIFY_SERVER_CERT") is None and not sent
        by_password = passwordless or (
            replica.has("certificate-checked-by-password")
            and sent
            and plugin in _SAFE_PLUGINS
            and account.exists
        )
        if not by_password:
            return fails(Kind.IO, "SC903", "certificate", replica,
                "the source's certificate is its own, and nobody the replica knows has signed it",
                         change="Name the certificate's authority (SOURCE_SSL_CA), or do not verify "
                                "it")  # fmt: skip
    return _credentials(ends, channel, account, plugin, sent, tls=tls)


def _only_there(channel: Channel, *, tls: bool) -> Outcome | None:
    """Options whose effect no setting of the two servers tells."""
    names = [name for name in _FILES if channel.option(name)] if tls else []
    if names:
        why = f"what {', '.join(names)} of the channel name is known on the replica's host alone"
        return Outcome(Kind.UNKNOWN, "SC903", 0, why, "Log in from the replica's host with the same options")
    if (channel.option("BIND") or "") not in _LOOPBACK:
        why = "whether the source has the account for the address in BIND"
        return Outcome(Kind.UNKNOWN, "SC902", 0, why, "Make the account for that address")
    return None


def _default_plugin(source: Server) -> str:
    given = (
        source.setting("default_authentication_plugin")
        or source.setting("authentication_policy").split(",")[0]
    )
    if given and given not in ("*", ""):
        return given
    return "caching_sha2_password" if source.has("default-plugin-caching-sha2") else "mysql_native_password"


def _no_plugin(replica: Server, plugin: str) -> Outcome:
    return fails(Kind.IO, "SC902", "no-plugin", replica, f"{replica} cannot log in with {plugin}",
                 change="Give the account a plugin that both ends have")  # fmt: skip


def _credentials(
    ends: Ends, channel: Channel, account: Account, plugin: str, sent: str, *, tls: bool
) -> Outcome | None:
    source, replica = ends.source, ends.replica
    if plugin == "mysql_old_password":
        return fails(
            Kind.IO,
            "SC902",
            "old-password",
            replica,
            "the account's password is in the old format",
            change="Give the account another plugin",
        )
    if on(source, "require_secure_transport") and not tls:
        key = "secure-transport" if source.has("secure-transport-has-a-number") else "denied"
        return fails(
            Kind.IO,
            "SC903",
            key,
            replica,
            "the source takes encrypted connections only",
            change="Set SOURCE_SSL = 1 in the channel",
        )
    if replica.has("password-of-channel-limited") and not replica.has("password-of-channel-refused"):
        sent = sent[:_PASSWORD_LIMIT]
    if plugin == "caching_sha2_password" and sent and not tls and not account.cached and not _flag(channel.option("GET_MASTER_PUBLIC_KEY") or channel.option("GET_SOURCE_PUBLIC_KEY") or channel.option("GET_PUBLIC_KEY"), default=False):  # fmt: skip  # noqa: E501
        return fails(Kind.IO, "SC902", "not-secure", replica,
            "caching_sha2_password sends no password over an open line, and the source does not remember one",
                     change="Set SOURCE_SSL = 1 (MASTER_SSL = 1) in the channel, or "
                            "GET_SOURCE_PUBLIC_KEY = 1 on MySQL")  # fmt: skip
    if (
        plugin == "sha256_password"
        and (sent or (replica.mariadb and not source.has("rsa-keys-by-itself")))
        and not tls
        and (replica.has("client-sha256-needs-tls") or not source.has("rsa-keys-by-itself"))
    ):
        return fails(
            Kind.IO,
            "SC902",
            "not-secure",
            replica,
            "sha256_password needs TLS or RSA keys on the source",
            change="Give the account another plugin",
        )
    if sent != account.password or not account.exists:
        return fails(
            Kind.IO,
            "SC902",
            "denied",
            replica,
            "the source refuses the channel's user or password",
            change="Correct SOURCE_USER and SOURCE_PASSWORD",
        )
    strong = ("ALL", "SUPER", "CONNECTION_ADMIN")
    if on(source, "offline_mode") and not any(word in account.grants.upper().split() for word in strong):
        return Outcome(
            Kind.IO,
            "SC902",
            3032,
            "offline_mode is on for the source",
            "Set offline_mode = OFF on the source",
        )
    require = account.require.upper()
    if require and (not tls or require.split()[0] in ("X509", "ISSUER", "SUBJECT", "CIPHER")):
        return fails(
            Kind.IO,
            "SC903",
            "denied",
            replica,
            f"the account requires {account.require}",
            change="Give the channel TLS and a client certificate",
        )
    grants = account.grants.upper()
    if (
        "REPLICATION SLAVE" not in grants
        and "REPLICATION REPLICA" not in grants
        and "ALL" not in grants.split()
    ):
        return fails(
            Kind.IO,
            "SC902",
            "register",
            replica,
            "the account lacks REPLICATION SLAVE",
            change="GRANT REPLICATION SLAVE ON *.* TO the account",
        )
    return None


def handshake(ends: Ends) -> Outcome | None:
    """Server ids, GTID modes, and whether there is a log at all."""
    return server_ids(ends) or gtids(ends) or log(ends) or place.begins(ends)


def server_ids(ends: Ends) -> Outcome | None:
    """Equal server ids; equal server UUIDs, which MySQL asks its source for (get_master_uuid)."""
    mine, theirs = ends.source.setting("server_id"), ends.replica.setting("server_id")
    if mine and mine == theirs != "0" and not ends.replica.given("replicate_same_server_id"):
        return fails(
            Kind.IO,
            "SC904",
            "same-server-id",
            ends.replica,
            f"both servers have server_id = {mine}",
            change="Give the replica another server_id",
        )
    uuids = [end.setting("server_uuid").lower() for end in (ends.source, ends.replica) if not end.mariadb]
    if len(uuids) == 2 and uuids[0] == uuids[1] != "" and not on(ends.replica, "replicate_same_server_id"):
        return fails(
            Kind.IO,
            "SC904",
            "same-server-uuid",
            ends.replica,
            f"both servers have server_uuid = {uuids[0]}",
            change="Remove auto.cnf from the replica's data directory and restart it",
        )
    return None


def gtids(ends: Ends) -> Outcome | None:
    """gtid_mode of both ends (get_master_version_and_clock)."""
    source, replica, channel = ends.source, ends.replica, ends.channel
    if replica.mariadb or not replica.has("gtid-modes"):
        return None
    here, there = gtid_mode(source), gtid_mode(replica)
    assigned = (
        channel is not None
        and (channel.option("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS") or "OFF").upper() != "OFF"
    )
    depends = (
        ""
        if replica.given("gtid_mode") or not replica.has("gtid-modes")
        else f"replica gtid_mode = {there} is assumed; with ON_PERMISSIVE it would run"
    )
    if channel is not None and channel.position == "gtid" and here != "ON":
        return fails(Kind.IO, "SC905", "auto-position-source", replica,
            f"auto-position needs gtid_mode = ON on the source, which has {here}",
                     change="Give file and position instead of auto-position", depends=depends)  # fmt: skip
    if (here in ANONYMOUS and there == "ON" and not assigned) or (here not in ANONYMOUS and there == "OFF"):
        better = "ON_PERMISSIVE" if there == "ON" else "OFF_PERMISSIVE"
        return fails(Kind.IO, "SC905", "gtid-mode", replica,
                     f"the receiver does not start: the source writes "
                     f"{'anonymous transactions' if here in ANONYMOUS else 'GTIDs'} (gtid_mode = "
                     f"{here}), the replica has gtid_mode = {there}",
                     change=f"Set gtid_mode = {better} on the replica", depends=depends)  # fmt: skip
    return None


def log(ends: Ends) -> Outcome | None:
    """No binary log, no server id, a protocol that the source does not have."""
    source, replica = ends.source, ends.replica
    wanted = (ends.channel.option("COMPRESSION_ALGORITHMS") or "") if ends.channel is not None else ""
    if wanted.lower() == "zstd" and not source.has("compression-configured"):
        return fails(Kind.IO, "SC903", "compression", replica,
            f"the channel asks for zstd only, which {source} does not have",
                     change="Leave SOURCE_COMPRESSION_ALGORITHMS out")  # fmt: skip
    if source.given("skip_log_bin") or source.setting("log_bin").upper() in ("OFF", "0"):
        return fails(
            Kind.IO,
            "SC906",
            "fatal-dump",
            replica,
            "the source writes no binary log",
            change="Set log_bin on the source",
        )
    if source.setting("server_id") == "0" and source.has("dump-refuses-server-id-0"):
        return fails(
            Kind.IO,
            "SC904",
            "fatal-dump",
            replica,
            "server_id is 0 on the source, which then sends no log",
            change="Set server_id on the source",
        )
    return None
