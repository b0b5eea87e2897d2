"""What CHANGE REPLICATION SOURCE / CHANGE MASTER refuses: words that a version lacks, values that the
grammar or the server does not take, options that do not go together.

Sources: sql_yacc.yy, change_master() of sql/rpl_replica.cc (MySQL) and sql/sql_repl.cc (MariaDB); the values
are data (`rules/channel.yaml`), recorded on 5.6.24, 9.7.4, 10.5.29, 10.11.19, 11.8.6.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from schemacheck import knowledge
from schemacheck.link import literal, place
from schemacheck.link.ends import Channel, Ends, bare
from schemacheck.link.errors import fails
from schemacheck.link.modes import gtid_mode
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server

_UUID = re.compile(r"\{?[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}\}?", re.IGNORECASE)
_NAME = r"""[\w$.%]+|'[^']*'|"[^"]*"|`[^`]*`"""
#: `user` or `user`@`host`, each a word or in quotes.
_ACCOUNT = re.compile(rf"(?P<user>{_NAME})(?:@(?P<host>{_NAME}))?")
#: Characters of an account's name on MySQL.
_USER = 32


def change(ends: Ends) -> Outcome | None:
    """What CHANGE REPLICATION SOURCE or START REPLICA refuses."""
    replica = ends.replica
    found = None if ends.channel is None else _changed(ends, ends.channel)
    if found is None and replica.setting("server_id") == "0" and replica.has("zero-server-id-refused"):
        why = "server_id is 0 on the replica"
        change = "Set server_id on the replica"
        return fails(Kind.REFUSED, "SC904", "no-server-id", replica, why, change=change)
    return found


def _changed(ends: Ends, channel: Channel) -> Outcome | None:
    replica = ends.replica
    for word, value in channel.options.items():
        if (found := _word(word, replica) or _read(word, value, replica)) is not None:
            return found
    found = _together(ends, channel)
    if found is not None:
        return found
    given = dict(channel.options)
    if channel.password is not None and channel.written("PASSWORD") is None:
        given["PASSWORD"] = literal.written(channel.password)
    for word, value in given.items():
        if (found := _refused(word, value, replica)) is not None:
            return found
    return None


def _word(word: str, replica: Server) -> Outcome | None:
    """Whether the replica's version has the option, spelt so."""
    name = bare(word)
    needs = knowledge.load("links")["channel_words"].get(name)
    spelt = "channel-words-source" if "SOURCE" in word else "channel-words-master" if "MASTER" in word else ""
    known = knowledge.load("channel")
    lead = "GET_" if name == "GET_PUBLIC_KEY" else ""
    bareword = name in known["unprefixed"]
    written = (
        word == name
        if bareword
        else word in (f"{lead}MASTER_{name[len(lead) :]}", f"{lead}SOURCE_{name[len(lead) :]}")
    )
    if name in known["options"] and written and all(replica.has(each) for each in (needs, spelt) if each):
        return None
    why = f"{replica} does not know the channel's option {word}"
    change = f"Leave {word} out of the channel, or write it as this version spells it"
    return fails(Kind.REFUSED, "SC901", "grammar", replica, why, change=change)


def _read(word: str, value: str, replica: Server) -> Outcome | None:
    """Whether the grammar takes the value."""
    about = knowledge.load("channel")["options"][bare(word)]
    if _takes(about, value, replica):
        return None
    wanted = f"one of {', '.join(about['words'])}" if "words" in about else _KINDS[about["kind"]]
    why = f"{word} is {wanted} for {replica}, which {value[:60]} is not"
    return fails(Kind.REFUSED, "SC901", "grammar", replica, why, change=f"Give {word} as {wanted}")


_KINDS = {
    "text": "a string", "number": "a number without a sign", "position": "a number without a sign",
    "period": "a number without a sign", "flag": "0 or 1", "truth": "a number, TRUE or FALSE",
    "numbers": "a list of numbers in brackets", "words": "a word of its own list",
    "account": "an account or NULL", "uuid": "OFF, LOCAL or a UUID in quotes",
}  # fmt: skip


def _takes(about: Mapping[str, Any], value: str, replica: Server) -> bool:
    kind, strings = about["kind"], not replica.mariadb
    if kind == "number":
        return literal.number(value, strings=strings) is not None
    if kind == "position":
        return literal.number(value, hexadecimal=False) is not None
    if kind == "period":
        return literal.period(value) is not None
    if kind == "flag":
        return value in ("0", "1")
    if kind == "truth":
        return literal.number(value, strings=strings) is not None or value.upper() in ("TRUE", "FALSE")
    if kind == "numbers":
        members = literal.listed(value)
        return members is not None and all(literal.number(m, strings=strings) is not None for m in members)
    if kind == "words":
        return value.lower() in about["words"]
    if kind == "uuid":
        return literal.quoted(value) or value.upper() in ("OFF", "LOCAL") or bool(_UUID.fullmatch(value))
    if value.upper() == "NULL":
        return kind == "account" or bool(about.get("nullable"))
    if kind == "text":
        return literal.is_text(value)
    return _ACCOUNT.fullmatch(value) is not None and literal.number(value) is None


def _refused(word: str, value: str, replica: Server) -> Outcome | None:
    """What the server refuses of a value that it can read."""
    about = knowledge.load("channel")["options"][bare(word)]
    for limit in about.get("refuses", ()):
        if "needs" in limit and not replica.has(limit["needs"]):
            continue
        if _beyond(about["kind"], limit, value):
            if limit.get("any"):
                why = f"which relay logs the replica has ({word} = {value[:60]}) can only be seen on its host"
                return Outcome(Kind.UNKNOWN, "SC901", 0, why, f"Leave {word} out")
            shown = "the password" if "PASSWORD" in word else f"{word} = {value[:60]}"
            why = f"{replica} refuses {shown}: {_why(limit)}"
            change = f"Give {word} another value"
            return fails(Kind.REFUSED, "SC901", limit["error"], replica, why, change=change)
    return None


def _beyond(kind: str, limit: Mapping[str, Any], value: str) -> bool:
    text = literal.text(value)
    if "longer" in limit:
        return len(text) > int(limit["longer"])
    if limit.get("empty") or limit.get("any"):
        return bool(limit.get("any")) or not text
    if "outside" in limit:
        words = text.lower().removesuffix(",").split(",")  # a comma at the end is left out
        return any(word.strip() not in limit["outside"] for word in words)
    found = literal.period(value) if kind == "period" else literal.number(value)
    assert found is not None
    kept = int(found) % 2 ** int(limit["bits"]) if "bits" in limit else found
    return kept > float(limit["above"])


def _why(limit: Mapping[str, Any]) -> str:
    if "longer" in limit:
        return f"it is longer than {limit['longer']} characters"
    if "above" in limit:
        return f"the highest is {limit['above']}"
    if "outside" in limit:
        return f"it takes {', '.join(limit['outside'])}"
    return "it is empty"


def _together(ends: Ends, channel: Channel) -> Outcome | None:
    """Options that need another one, a GTID mode or an account."""
    replica, mode = ends.replica, gtid_mode(ends.replica)
    by_place = channel.position == "file" or channel.option("LOG_FILE") or channel.option("LOG_POS")
    auto = channel.auto_position
    if (unused := place.domains(ends, channel)) is not None:
        return unused
    if channel.on("DEMOTE_TO_SLAVE") or channel.on("DEMOTE_TO_REPLICA"):
        used = (channel.option("USE_GTID") or "").lower()
        if used == "no" or (by_place and not used):
            return _not_so(replica, "demote", "MASTER_DEMOTE_TO_SLAVE needs MASTER_USE_GTID = slave_pos")
    if auto and not replica.mariadb and (by_place or mode == "OFF"):
        if by_place and not (mode == "OFF" and replica.has("channel-asks-gtid-mode-first")):
            return _not_so(replica, "position-twice", "auto-position and a file or a position are given")
        why = "auto-position needs GTIDs on the replica, and gtid_mode is OFF there"
        change = "Give file and position, or set gtid_mode on the replica"
        return fails(Kind.REFUSED, "SC901", "auto-position", replica, why, change=change)
    if channel.on("CONNECTION_AUTO_FAILOVER") and not (auto and mode == "ON"):
        key = "failover-gtids" if mode != "ON" else "failover-position"
        return _not_so(replica, key, "SOURCE_CONNECTION_AUTO_FAILOVER needs gtid_mode = ON and auto-position")
    if channel.on("GTID_ONLY") and not (auto and mode == "ON" and channel.on("REQUIRE_ROW_FORMAT")):
        why = "GTID_ONLY needs gtid_mode = ON, auto-position and REQUIRE_ROW_FORMAT = 1"
        return _not_so(replica, "gtid-only", why)
    if literal.listed(channel.option("IGNORE_SERVER_IDS") or "()") and mode == "ON":
        if replica.has("channel-ids-without-gtids"):
            return _not_so(replica, "ids-with-gtids", "IGNORE_SERVER_IDS needs gtid_mode other than ON")
        if replica.has("channel-ids-without-gtids-unrecorded"):
            why = f"whether {replica} takes IGNORE_SERVER_IDS with gtid_mode = ON was not recorded"
            return Outcome(Kind.UNKNOWN, "SC901", 0, why, "Leave IGNORE_SERVER_IDS out")
    return _assigned(channel, replica, mode) or _checked(channel, replica)


def _assigned(channel: Channel, replica: Server, mode: str) -> Outcome | None:
    given = channel.written("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS") or "OFF"
    if given.upper() == "OFF":
        return None
    if given.upper() != "LOCAL" and not _UUID.fullmatch(literal.text(given)):
        return _not_so(replica, "uuid", f"{given[:60]} is no UUID")
    if mode != "ON":
        why = "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS needs gtid_mode = ON on the replica"
        change = "Set gtid_mode = ON on the replica, or leave the option out"
        return fails(Kind.REFUSED, "SC901", "assign-gtids", replica, why, change=change)
    return None


def _checked(channel: Channel, replica: Server) -> Outcome | None:
    """PRIVILEGE_CHECKS_USER: which accounts there are, and what they may do, the replica alone tells."""
    given = channel.written("PRIVILEGE_CHECKS_USER")
    if given is None or given.upper() == "NULL":
        return None
    found = _ACCOUNT.fullmatch(given)
    name = "" if found is None else found["user"].strip("'\"`")
    if len(name) > _USER:
        return _not_so(replica, "text-too-long", f"an account's name has at most {_USER} characters")
    if not name:
        return _not_so(replica, "checks-anonymous", "PRIVILEGE_CHECKS_USER names an anonymous account")
    if name == "root" and found is not None and (found["host"] or "").strip("'\"`") == "localhost":
        return None  # made with every data directory, and may do everything
    why = f"whether the replica has the account {given[:80]}, and its privileges, is not in the input"
    return Outcome(Kind.UNKNOWN, "SC901", 0, why, "Make the account on the replica, with REPLICATION_APPLIER")


def _not_so(replica: Server, key: str, why: str) -> Outcome:
    return fails(Kind.REFUSED, "SC901", key, replica, why, change="Change the options of the channel")
