"""CHANGE REPLICATION SOURCE, login and handshake: what stops a link before any event is read.

Sources: sql/rpl_replica.cc (get_master_version_and_clock, change_master), sql-common/client.cc of MySQL;
sql/slave.cc and sql-common/client.c of MariaDB; recorded on 5.6.24, 9.7.4, 10.11.19, 11.8.6.
"""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.link import literal, place
from schemacheck.link.change import change
from schemacheck.link.ends import Account, Channel, Ends, on
from schemacheck.link.gtid_sets import ANONYMOUS, gtid_mode
from schemacheck.link.outcome import Kind, Outcome, fails
from schemacheck.model import Server

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
        outcome = question(ends)
        if outcome is not None:
            return outcome
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


def login(ends: Ends) -> Outcome | None:
    """TLS, authentication and privileges of the replication account."""
    channel, account = ends.channel, ends.account
    if channel is None or account is None:
        return None
    source, replica = ends.source, ends.replica
    if (unreached := _elsewhere(channel, source)) is not None:
        return unreached
    if channel.option("USER") == "":
        return fails(Kind.IO, "SC902", "no-user", replica, "the channel names no user",
                     change="Name the replication account in SOURCE_USER")  # fmt: skip
    wanted = channel.on("SSL", default=replica.has("channel-tls-default"))
    verified = wanted and channel.on(
        "SSL_VERIFY_SERVER_CERT", default=replica.has("channel-verifies-default")
    )
    offered = source_tls(source)
    if wanted and not offered and (replica.has("channel-tls-required") or (verified and replica.mariadb)):
        return fails(Kind.IO, "SC903", "no-tls", replica,
            f"the channel wants TLS, and {source} does not offer it",
                     change="Give the source certificates, or set SOURCE_SSL = 0 (MASTER_SSL = 0, "
                            "MASTER_SSL_VERIFY_SERVER_CERT = 0) in the channel")  # fmt: skip
    tls = wanted and offered and (replica.mariadb or replica.has("channel-tls-required"))
    if (own := _only_there(channel, source, tls=tls)) is not None:
        return own
    plugin = account.plugin or _default_plugin(source)
    if plugin in ("ed25519", "parsec", "client_ed25519") and not replica.mariadb:
        return _no_plugin(replica, plugin)
    if not replica.has(knowledge.load("links")["plugins"].get(plugin, "client-native")):
        return _no_plugin(replica, plugin)
    by_password = replica.has("certificate-checked-by-password") and plugin in _SAFE_PLUGINS
    if tls and verified and not channel.option("SSL_CA") and not by_password:
        return fails(Kind.IO, "SC903", "certificate", replica,
            "the source's certificate is self-signed, and signed by no authority that the replica knows",
                     change="Name the certificate's authority (SOURCE_SSL_CA), or do not verify "
                            "it")  # fmt: skip
    return _credentials(ends, channel, account, plugin, tls=tls)


def _elsewhere(channel: Channel, source: Server) -> Outcome | None:
    """An address of the channel that is not the source's own, as far as that is known: whether the source
    answers there is known on the replica's host alone.
    """
    host, own = channel.option("HOST"), source.setting("bind_address")
    if host is not None and own not in ("", "*", "::", host) and own[:2] != "0.":
        why = f"whether {host[:60]} leads to the source, which listens on {own}"
        return Outcome(Kind.UNKNOWN, "SC902", 0, why, f"Give SOURCE_HOST = '{own}'")
    port = literal.number(channel.written("PORT") or "")
    if port is not None and source.given("port") and str(port) != source.setting("port"):
        why = f"whether port {port} leads to the source, which listens on {source.setting('port')}"
        return Outcome(Kind.UNKNOWN, "SC902", 0, why, f"Give SOURCE_PORT = {source.setting('port')}")
    return None


def _only_there(channel: Channel, source: Server, *, tls: bool) -> Outcome | None:
    """Options whose effect no setting of the two servers tells."""
    names = [name for name in _FILES if channel.option(name)] if tls else []
    if names:
        why = f"what {', '.join(names)} of the channel name is known on the replica's host alone"
        return Outcome(Kind.UNKNOWN, "SC903", 0, why, "Log in from the replica's host with the same options")
    ours, theirs = _versions(channel.option("TLS_VERSION") or ""), _versions(source.setting("tls_version"))
    if tls and ours and theirs and not ours & theirs:
        why = f"whether {', '.join(sorted(ours))} meets {', '.join(sorted(theirs))} of the source"
        return Outcome(Kind.UNKNOWN, "SC903", 0, why, "Give the channel a TLS version that the source takes")
    if (channel.option("BIND") or "") not in _LOOPBACK:
        why = "whether the source has the account for the address in BIND"
        return Outcome(Kind.UNKNOWN, "SC902", 0, why, "Make the account for that address")
    return None


def _versions(text: str) -> set[str]:
    return {text.strip().lower() for text in text.split(",") if text.strip()}


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


def _credentials(ends: Ends, channel: Channel, account: Account, plugin: str, *, tls: bool) -> Outcome | None:
    source, replica = ends.source, ends.replica
    if plugin == "mysql_old_password":
        why = "the account's password is in the old format"
        return fails(Kind.IO, "SC902", "old-password", replica, why, change="Give the account another plugin")
    if on(source, "require_secure_transport") and not tls:
        key = "secure-transport" if source.has("secure-transport-has-a-number") else "denied"
        why = "the source takes encrypted connections only"
        return fails(Kind.IO, "SC903", key, replica, why, change="Set SOURCE_SSL = 1 in the channel")
    open_line = not tls and not account.cached and not channel.on("GET_PUBLIC_KEY")
    if plugin == "caching_sha2_password" and open_line:
        return fails(Kind.IO, "SC902", "not-secure", replica,
            "caching_sha2_password sends no password over an open line, and the source does not remember one",
                     change="Set SOURCE_SSL = 1 (MASTER_SSL = 1) in the channel, or "
                            "GET_SOURCE_PUBLIC_KEY = 1 on MySQL")  # fmt: skip
    keys = source.has("rsa-keys-by-itself") and not replica.has("client-sha256-needs-tls")
    if plugin == "sha256_password" and not tls and not keys:
        why = "sha256_password needs TLS or RSA keys on the source"
        return fails(Kind.IO, "SC902", "not-secure", replica, why, change="Give the account another plugin")
    if on(source, "offline_mode"):
        why = "offline_mode is on for the source"
        return Outcome(Kind.IO, "SC902", 3032, why, "Set offline_mode = OFF on the source")
    return None


def handshake(ends: Ends) -> Outcome | None:
    """Server ids, GTID modes, and whether there is a log at all."""
    return server_ids(ends) or gtids(ends) or log(ends) or place.begins(ends)


def server_ids(ends: Ends) -> Outcome | None:
    """Equal server ids; equal server UUIDs, which MySQL asks its source for (get_master_uuid)."""
    mine, theirs = ends.source.setting("server_id"), ends.replica.setting("server_id")
    if mine and mine == theirs != "0" and not _applies_own(ends.replica):
        why = f"both servers have server_id = {mine}"
        change = "Give the replica another server_id"
        return fails(Kind.IO, "SC904", "same-server-id", ends.replica, why, change=change)
    if mine and mine in ends.replica.setting("replicate_ignore_server_ids").replace(",", " ").split():
        why = f"the channel leaves out what the source logs: server_id = {mine} is in IGNORE_SERVER_IDS"
        return Outcome(Kind.DIVERGES, "SC904", 0, why, "Take it out of IGNORE_SERVER_IDS")
    uuids = [end.setting("server_uuid").lower() for end in (ends.source, ends.replica) if not end.mariadb]
    if len(uuids) == 2 and uuids[0] == uuids[1] != "" and not _applies_own(ends.replica):
        why = f"both servers have server_uuid = {uuids[0]}"
        change = "Remove auto.cnf from the replica's data directory and restart it"
        return fails(Kind.IO, "SC904", "same-server-uuid", ends.replica, why, change=change)
    return None


def _applies_own(replica: Server) -> bool:
    """Whether replicate_same_server_id is on; an option file may give it without a value."""
    name = "replicate_same_server_id"
    return replica.given(name) and replica.setting(name).upper() not in ("0", "OFF", "FALSE", "NO")


def gtids(ends: Ends) -> Outcome | None:
    """gtid_mode of both ends (get_master_version_and_clock)."""
    source, replica, channel = ends.source, ends.replica, ends.channel
    if replica.mariadb or not replica.has("gtid-modes"):
        return None
    here, there = gtid_mode(source), gtid_mode(replica)
    given = channel.option("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS") if channel is not None else None
    if channel is not None and channel.auto_position and here != "ON":
        return fails(Kind.IO, "SC905", "auto-position-source", replica,
            f"auto-position needs gtid_mode = ON on the source, which has {here}",
                     change="Give file and position instead of auto-position")  # fmt: skip
    if (here in ANONYMOUS and there == "ON" and given is None) or (here not in ANONYMOUS and there == "OFF"):
        better = "ON_PERMISSIVE" if there == "ON" else "OFF_PERMISSIVE"
        return fails(Kind.IO, "SC905", "gtid-mode", replica,
                     f"the receiver does not start: the source writes "
                     f"{'anonymous transactions' if here in ANONYMOUS else 'GTIDs'} (gtid_mode = "
                     f"{here}), the replica has gtid_mode = {there}",
                     change=f"Set gtid_mode = {better} on the replica")  # fmt: skip
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
        why = "the source writes no binary log"
        return fails(Kind.IO, "SC906", "fatal-dump", replica, why, change="Set log_bin on the source")
    if source.setting("server_id") == "0" and source.has("dump-refuses-server-id-0"):
        why = "server_id is 0 on the source, which then sends no log"
        return fails(Kind.IO, "SC904", "fatal-dump", replica, why, change="Set server_id on the source")
    return None
