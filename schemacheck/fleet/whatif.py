"""What if some replicas ran another version, or some links other settings: the same job over the same dumps,
which are read as the servers that wrote them meant them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from schemacheck.dataclass import dataclass, replace
from schemacheck.errors import UsageError
from schemacheck.fleet.topology import NO_CLUSTER, FleetLink, Topology
from schemacheck.model import Server

#: The servers, by their instances, and the settings more that a link is asked about.
Ends = Callable[[FleetLink], tuple[Mapping[str, Server], Mapping[str, str]]]


class Scenario(Protocol):
    """What is asked to be otherwise than it was when the dumps were taken."""

    def of(self, topology: Topology, servers: Mapping[str, Server]) -> Ends:
        """What is asked of each link; `servers` are all of the fleet as they are."""
        ...


#: What a choice of links may name.
_KINDS = ("cluster", "replica", "source")


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What is asked: `version` of the replicas of the links that are chosen, and `settings` of those links.
    `chosen` says which (`cluster=NAME`, `replica=NAME`, `source=NAME`; all of these have to be so).
    """

    version: Server | None = None
    settings: Sequence[tuple[str, str]] = ()
    chosen: Sequence[tuple[str, str]] = ()

    @classmethod
    def of_words(cls, version: str | None, settings: Sequence[str], of: Sequence[str]) -> WhatIf:
        """What options say. Raises UsageError."""
        for option, given in (("--set", settings), ("--of", of)):
            if wrong := next((text for text in given if "=" not in text), None):
                raise UsageError(f"{option} {wrong}: it is written NAME=VALUE")
        chosen = [(kind, name) for kind, _, name in (text.partition("=") for text in of)]
        if wrong := next((kind for kind, _ in chosen if kind not in _KINDS), None):
            raise UsageError(f"--of {wrong}=...: links are chosen by {', '.join(_KINDS)}")
        if version is None and not settings:
            raise UsageError("what-if asks about another version or setting: --replica-version, --set")
        named = [(name, value) for name, _, value in (setting.partition("=") for setting in settings)]
        return cls(None if version is None else Server.parse(version), named, chosen)

    def links(self, topology: Topology) -> list[FleetLink]:
        """The links that are chosen. Raises UsageError where there is none."""
        fleet_links = [
            link for link in topology.links if all(_is(topology, link, *item) for item in self.chosen)
        ]
        if not fleet_links:
            raise UsageError(f"--of {' '.join(map('='.join, self.chosen))}: no link of the topology is so")
        return fleet_links

    def of(self, topology: Topology, servers: Mapping[str, Server]) -> Ends:
        """See Scenario."""
        chosen = self.links(topology)
        numbers = {link.number for link in chosen}
        asked = {**servers, **{link.replica: at(servers[link.replica], self.version) for link in chosen}}
        return lambda link: (asked, dict(self.settings) if link.number in numbers else {})

    def __str__(self) -> str:
        """`replicas at MySQL 8.4.9, binlog_row_image=MINIMAL, on links of cluster=orders`."""
        version = [] if self.version is None else [f"replicas at {self.version}"]
        place = f"on links of {', '.join(map('='.join, self.chosen))}" if self.chosen else "on all links"
        return ", ".join([*version, *map("=".join, self.settings), place])


def at(server: Server, version: Server | None) -> Server:
    """A server at another version, if one is given, with its own settings."""
    if version is None:
        return server
    return replace(server, flavor=version.flavor, version=version.version)


def _is(topology: Topology, link: FleetLink, kind: str, name: str) -> bool:
    names = {
        "cluster": topology.cluster_of(link) or NO_CLUSTER,
        "replica": link.replica,
        "source": link.source,
    }
    return names[kind] == name
