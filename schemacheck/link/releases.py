"""What is known of a version beside what it does: whether it was recorded, until when it is supported, which
pairs the vendors support.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from schemacheck import knowledge
from schemacheck.model import Link, Server


def standing(server: Server) -> str:
    """`newer` than, `between`, or `older` than what was recorded of the flavour, `recorded`, or `unrecorded`
    (none of it was).
    """
    table = knowledge.load("releases")["recorded"]
    entries = sorted(knowledge.version(text) for text in table.get(server.flavor) or table["mysql"])
    if not table.get(server.flavor):
        return "unrecorded"
    if server.version in entries:
        return "recorded"
    below = [item for item in entries if item < server.version]
    return "newer" if len(below) == len(entries) else "between" if below else "older"


def sentence(server: Server, role: str) -> str:
    """A plain sentence about a version that was not recorded; '' for one that was."""
    table = knowledge.load("releases")["recorded"]
    names = table.get(server.flavor) or table["mysql"]
    text = standing(server)
    if text == "recorded":
        return ""
    if text == "newer":
        return (
            f"{role} {server} is newer than what was recorded ({', '.join(map(str, names))}): its "
            f"answers are those of {names[-1]} and of release notes"
        )
    if text == "unrecorded":
        return (
            f"{role} {server} was not recorded: its answers are those of MySQL ({', '.join(map(str, names))})"
        )
    return (
        f"{role} {server} is {text} {'than' if text == 'older' else ''} what was recorded "
        f"({', '.join(map(str, names))})"
    ).replace("  ", " ")


def newer(link: Link) -> tuple[str, ...]:
    """Sentences about the ends that are newer than all that was recorded, or than their replica."""
    ends = (("source", link.source), ("replica", link.replica))
    out = [sentence(server, role) for role, server in ends if standing(server) == "newer" and _unlike(server)]
    if link.source.family == link.replica.family and link.source.version[:2] > link.replica.version[:2]:
        vendor = "MariaDB" if link.source.mariadb else "MySQL"
        out.append(f"the replica is older than its source, which {vendor} does not support")
    return tuple(out)


def _unlike(server: Server) -> bool:
    """Whether the version is of a later series than the newest one recorded: patches of a series are taken to
    be alike.
    """
    table = knowledge.load("releases")["recorded"]
    last = max(knowledge.version(text) for text in table[server.flavor])
    return server.version[:2] != last[:2]


def remarks(link: Link, today: dt.date) -> tuple[str, ...]:
    """What was recorded, until when each end is supported, and what the vendors say of the pair."""
    out = []
    for role, server in (("source", link.source), ("replica", link.replica)):
        if (text := sentence(server, role)) != "":
            out.append(text)
        flavor = "mysql" if server.flavor == "percona" else server.flavor
        entry: dict[str, Any] = knowledge.load("releases")["support"][flavor].get(server.series) or {}
        if "end" in entry:
            end = dt.date.fromisoformat(str(entry["end"]))
            out.append(
                f"{role} {server}: the vendor's support {'ended' if end < today else 'ends'} on "
                f"{end.isoformat()}"
            )
        elif entry.get("innovation"):
            out.append(f"{role} {server} is an innovation release: it is supported until the next one")
    ends = (link.source.family, link.replica.family)
    out += [
        f"{pair['says']} ({pair['cite']})"
        for pair in knowledge.load("releases")["pairs"]
        if (pair["source"], pair["replica"]) == ends
    ]
    return tuple(out)
