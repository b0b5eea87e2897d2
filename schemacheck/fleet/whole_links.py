"""What the links of a fleet are by themselves: a link that does not run is said first, whatever its tables
are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from schemacheck.dataclass import replace
from schemacheck.engine import link_findings
from schemacheck.fleet import bites
from schemacheck.fleet.profiles import Profiles
from schemacheck.fleet.topology import FleetLink, Topology
from schemacheck.model import Effect, Finding

Row = dict[str, Any]


def rows(topology: Topology, profiles: Profiles, evidence: bites.Texts) -> list[Row]:
    """One row per link and finding, as values for JSON, the worst first, with its state where its source has
    evidence. Each distinct profile is asked once.
    """
    groups = [link_findings(link, filtered=True) for link in profiles.links]
    result = [
        {
            "link": stream.number,
            "source": stream.source,
            "replica": stream.replica,
            "channel": stream.channel,
            "cluster": topology.cluster_of(stream),
            "code": finding.code,
            "rule": finding.rule,
            "effect": finding.effect.value,
            "error": finding.error.number if finding.error else None,
            "message": " ".join(finding.message.split()),
            "remedy": finding.remedy,
            **bites.plain(finding),
        }
        for stream in topology.links
        for finding in bites.of_link(
            tuple(_of(stream, profiles) or groups[profiles.of[stream.number]]),
            profiles.links[profiles.of[stream.number]],
            evidence.get(stream.source, ()),
        )
    ]
    return sorted(result, key=lambda row: (-Effect(row["effect"]).rank, row["link"]))


def _of(stream: FleetLink, profiles: Profiles) -> Sequence[Finding]:
    """What is found of a link whose ends are one server by their ids, which profiles do not have."""
    ends = [profiles.variables.get(name, {}) for name in (stream.source, stream.replica)]
    ids = [{name: end[name] for name in _IDS if end.get(name)} for end in ends]
    shared = set(ids[0].items()) & set(ids[1].items())
    if not shared and all(item.get("server_id") != "0" for item in ids):
        return ()
    link = profiles.links[profiles.of[stream.number]]
    source, replica = (
        end.with_told(given) for end, given in zip((link.source, link.replica), ids, strict=True)
    )
    return link_findings(replace(link, source=source, replica=replica), filtered=True)


#: Variables of which every server has its own value.
_IDS = ("server_id", "server_uuid")


def counts(result: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many links have an effect as their worst; a link that stops counts as such even where something
    else of it is not known.
    """
    worst: dict[int, Effect] = {}
    for row in result:
        effect = Effect(row["effect"])
        worst[row["link"]] = max(worst.get(row["link"], effect), effect, key=_weight)
    by_effect = Counter(effect.value for effect in worst.values())
    return {effect.value: by_effect[effect.value] for effect in Effect if by_effect[effect.value]}


def _weight(effect: Effect) -> int:
    return effect.rank + (2 if effect is Effect.STOPS else 0)
