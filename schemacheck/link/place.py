"""Where the channel begins to read: a file and a position, or GTIDs that the source may have purged.

Sources: rpl_binlog_sender.cc (check_start_file) and rpl_gtid_misc.cc of MySQL, sql_repl.cc
(check_slave_start_position, gtid_find_binlog_file) of MariaDB; recorded on 5.6.24, 9.7.4, 10.5.29, 10.11.19,
11.8.6.
"""

from __future__ import annotations

from schemacheck.link import gtid_sets, literal
from schemacheck.link.ends import Channel, Ends
from schemacheck.link.outcome import Kind, Outcome, fails
from schemacheck.model import Server

#: Bytes before the first event of every log; a smaller position means this one.
MAGIC = 4


def by_gtid(ends: Ends) -> bool:
    """Whether the replica asks for GTIDs: auto-position, MASTER_USE_GTID, or MariaDB's own choice."""
    channel = ends.channel
    if channel is None or ends.source.mariadb != ends.replica.mariadb:
        return False  # a MariaDB replica of MySQL begins with the first log
    used = (channel.option("USE_GTID") or "").lower()
    if used or channel.auto_position:
        return used != "no"
    chosen = ends.replica.has("channel-uses-gtid-by-itself")
    return channel.position == "none" and chosen and channel.option("LOG_FILE") is None


def begins(ends: Ends) -> Outcome | None:
    """What the source answers to where the channel wants to begin; None where it sends its log."""
    channel = ends.channel
    if channel is None:
        return None
    wanted = channel.auto_position or (channel.option("USE_GTID") or "no").lower() != "no"
    asks = ends.replica.mariadb and not ends.source.mariadb and wanted
    if asks and not ends.replica.has("channel-uses-gtid-by-itself"):
        return fails(
            Kind.IO, "SC905", "no-gtids", ends.replica, f"{ends.source} has no GTIDs of MariaDB",
            change="Set MASTER_USE_GTID = no, and give a file and a position",
        )  # fmt: skip
    if by_gtid(ends):
        return _ahead(ends) if ends.replica.mariadb else _purged(ends)
    return _position(channel)


def _position(channel: Channel) -> Outcome | None:
    name = channel.option("LOG_FILE") or ""
    place = literal.number(channel.option("LOG_POS") or "")
    if "/" in name:
        why = f"whether {name[:60]} is a log of the source can only be seen on its host"
        return Outcome(Kind.UNKNOWN, "SC906", 0, why, "Name a log of SHOW BINARY LOGS")
    if name or (place or 0) > MAGIC:
        why = f"whether the source has the place {name[:60]}:{place or MAGIC} in its logs was not given"
        return Outcome(Kind.UNKNOWN, "SC906", 0, why, "Look for it in SHOW BINARY LOGS of the source")
    return None


def _purged(ends: Ends) -> Outcome | None:
    """What the source has purged and the replica lacks; what the replica has of the source's own that the
    source lacks.
    """
    source, replica = ends.source, ends.replica
    held = {name: _set(replica, name) for name in ("gtid_executed", "gtid_purged")}
    mine = {**held["gtid_purged"], **held["gtid_executed"]}
    if (lacks := gtid_sets.missing(_set(source, "gtid_purged"), mine)) and replica.given("gtid_executed"):
        return _fatal(
            ends,
            f"the source has purged {gtid_sets.written(lacks)}, which the replica lacks",
            "Make the replica anew from a backup of the source",
        )
    own = source.setting("server_uuid").lower()
    more = gtid_sets.missing(mine, _set(source, "gtid_executed"))
    if own and own in more and source.given("gtid_executed"):
        return _fatal(
            ends,
            f"the replica has {gtid_sets.written({own: more[own]})} of the source's own GTIDs, which the "
            "source lacks",
            "Make the replica anew from a backup of the source",
        )
    return None


def _ahead(ends: Ends) -> Outcome | None:
    """gtid_slave_pos of the replica beyond what the source has in a domain that it knows."""
    try:
        wanted = gtid_sets.domains(ends.replica.setting("gtid_slave_pos"))
        held = gtid_sets.domains(ends.source.setting("gtid_binlog_pos"))
    except ValueError:
        return None
    for domain, (server, number) in wanted.items():
        if domain in held and number > held[domain][1]:
            return _fatal(
                ends,
                f"the replica asks for {domain}-{server}-{number}, which the source's log does not have",
                "Set gtid_slave_pos to a GTID of the source",
            )
    return None


def _set(server: Server, name: str) -> gtid_sets.GtidSet:
    try:
        return gtid_sets.parse(server.setting(name))
    except ValueError:
        return {}


def _fatal(ends: Ends, why: str, change: str) -> Outcome:
    return fails(Kind.IO, "SC906", "fatal-dump", ends.replica, why, change=change)
