"""What CHANGE REPLICATION SOURCE / CHANGE MASTER refuses: words that a version lacks, options that do not go
together. Of options and values beyond the usual nothing is said: the statement tells at once.

Sources: sql_yacc.yy, change_master() of sql/rpl_replica.cc (MySQL) and sql/sql_repl.cc (MariaDB); what is
followed is data (`rules/channel.yaml`), recorded on 5.6.24, 9.7.4, 10.5.29, 10.11.19, 11.8.6.
"""

from __future__ import annotations

import re

from schemacheck import knowledge
from schemacheck.link import literal
from schemacheck.link.ends import Channel, Ends, bare
from schemacheck.link.gtid_sets import gtid_mode
from schemacheck.link.outcome import Kind, Outcome, fails
from schemacheck.model import Server

#: Values that every server takes: short plain texts, whole numbers below every limit, switches.
_PLAIN = {
    "text": re.compile(r"(?![0-9]*$)[\w$./:~%*-]{0,32}"),
    "number": re.compile(r"[0-9]{1,6}"),
    "place": re.compile(r"[0-9]{1,10}"),
    "switch": re.compile(r"[01]"),
    "requirement": re.compile(r"(?i:STREAM|OFF)"),
}
#: Characters of a literal with the longest password that every server takes, its quotes among them.
_LONGEST = 34


def change(ends: Ends) -> Outcome | None:
    """What CHANGE REPLICATION SOURCE or START REPLICA refuses."""
    replica = ends.replica
    result = None if ends.channel is None or ends.channel.told else _changed(ends, ends.channel)
    if result is None and replica.setting("server_id") == "0" and replica.has("zero-server-id-refused"):
        return fails(
            Kind.REFUSED, "SC904", "no-server-id", replica, "server_id is 0 on the replica",
            change="Set server_id on the replica",
        )  # fmt: skip
    return result


def _changed(ends: Ends, channel: Channel) -> Outcome | None:
    replica = ends.replica
    for word in channel.options:
        if (unknown := _word(word, replica)) is not None:
            return unknown
    if (together := _together(channel, replica)) is not None:
        return together
    for word, value in channel.options.items():
        if not _followed(bare(word), value):
            shown = "the password" if "PASSWORD" in word else f"{word} = {value[:60]}"
            why = f"what {replica} makes of {shown} in CHANGE REPLICATION SOURCE is not known"
            return Outcome(
                Kind.UNKNOWN, "SC901", 0, why, "Run the statement: it is refused at once, or taken"
            )
    return None


def _word(word: str, replica: Server) -> Outcome | None:
    """Whether the replica's version has the option, spelt so."""
    name = bare(word)
    needs = knowledge.load("links")["channel_words"].get(name)
    spelt = "channel-words-source" if "SOURCE" in word else "channel-words-master" if "MASTER" in word else ""
    load = knowledge.load("channel")
    lead = "GET_" if name == "GET_PUBLIC_KEY" else ""
    prefixed = (f"{lead}MASTER_{name[len(lead) :]}", f"{lead}SOURCE_{name[len(lead) :]}")
    written = word == name if name in load["unprefixed"] else word in prefixed
    listed = name in load["followed"] or name in load["others"]
    if listed and written and all(replica.has(each) for each in (needs, spelt) if each):
        return None
    return fails(
        Kind.REFUSED, "SC901", "grammar", replica, f"{replica} does not know the channel's option {word}",
        change=f"Leave {word} out of the channel, or write it as this version spells it",
    )  # fmt: skip


def _followed(name: str, value: str) -> bool:
    """Whether it is known what the option does with this value."""
    kind = knowledge.load("channel")["followed"].get(name)
    if kind is None:
        return False
    if isinstance(kind, list):
        return literal.text(value).lower() in kind
    pattern = _PLAIN[kind]
    return pattern.fullmatch(literal.text(value) if kind == "text" else value) is not None


def _together(channel: Channel, replica: Server) -> Outcome | None:
    """Auto-position, which needs GTIDs and no other position."""
    by_place = channel.position == "file" or channel.option("LOG_FILE") or channel.option("LOG_POS")
    off = gtid_mode(replica) == "OFF"
    if not channel.auto_position or replica.mariadb or not (by_place or off):
        return None
    if by_place and not (off and replica.has("channel-asks-gtid-mode-first")):
        why = "auto-position and a file or a position are given"
        return fails(
            Kind.REFUSED, "SC901", "position-twice", replica, why, change="Change the options of the channel"
        )
    return fails(
        Kind.REFUSED, "SC901", "auto-position", replica,
        "auto-position needs GTIDs on the replica, and gtid_mode is OFF there",
        change="Give file and position, or set gtid_mode on the replica",
    )  # fmt: skip
