"""What is decided in one task: links whose ends belong together, and the dumps of those ends.

Servers that are linked belong together while their dumps are small; where they are not, all links into one
replica do, since only they together tell what the replica has alone.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from schemacheck.alignment.terms import terms
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.fleet.profiles import Profiles
from schemacheck.fleet.snapshots import Dump
from schemacheck.fleet.topology import FleetLink, Topology
from schemacheck.model import Link, Server, transport
from schemacheck.model.filters import FilterSet

#: Bytes of dumps that are one group at most, where links can be told apart.
LIMIT = 64 << 20


@dataclass(frozen=True, slots=True)
class Stream:
    """One replication stream. `profile` is the number of its kind of link, `key` what stands for that kind
    in every run; `dumped` is the link as it was when its dumps were taken.
    """

    number: int
    source: str
    replica: str
    channel: str
    cluster: str
    profile: int
    key: str
    link: Link
    dumped: Link
    filters: FilterSet | None

    @property
    def same_dumps(self) -> bool:
        """Whether equal rows are equal columns: servers of one version wrote them."""
        return terms(self.dumped).same_servers


@dataclass(frozen=True, slots=True)
class Group:
    """`owned` are the instances whose problems this group tells: others tell those of the rest. `key`
    signs what the next run can use (`secret`), which its task writes down unless it is empty. `evidence` are
    profiles by their source, `unlinked` dumped instances that no link names (the first group tells of them).
    """

    number: int
    streams: tuple[Stream, ...]
    servers: Mapping[str, Server]
    dumps: tuple[Dump, ...]
    owned: tuple[str, ...]
    key: str = field(default="", repr=False)
    evidence: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    unlinked: tuple[str, ...] = ()

    @property
    def home(self) -> str:
        """What stands for the group's links in every run: what is remembered of them is found by it."""
        names = [(stream.source, stream.replica, stream.channel) for stream in self.streams]
        return hashlib.sha256(repr(names).encode("utf-8", "surrogatepass")).hexdigest()


def plan(
    topology: Topology,
    profiles: Profiles,
    dumps: Iterable[Dump],
    *,
    limit: int = LIMIT,
    key: str = "",
    evidence: Mapping[str, tuple[str, ...]] | None = None,
) -> list[Group]:
    """The groups of a fleet, the largest first; `evidence` as `bites.read` gives it."""
    by_instance: dict[str, list[Dump]] = defaultdict(list)
    for dump in dumps:
        by_instance[dump.instance].append(dump)
    sizes = {name: sum(dump.size for dump in some) for name, some in by_instance.items()}
    ends = zip(profiles.links, profiles.dumped, strict=True)
    keys = [hashlib.sha256(transport.pack(both)).hexdigest()[:32] for both in ends]
    linked = {name for link in topology.links for name in (link.source, link.replica)}
    unlinked = tuple(sorted(by_instance.keys() - linked))
    listed: set[str] = set()
    groups: list[Group] = []
    for links in _together(topology.links, sizes, limit):
        names = dict.fromkeys(name for link in links for name in (link.source, link.replica))
        owned = tuple(name for name in names if name not in listed)
        listed.update(owned)
        streams = tuple(_stream(link, topology, profiles, keys) for link in links)
        servers = {name: profiles.servers[name] for name in names}
        # What tells of the servers was asked here: it does not travel.
        mine = tuple(replace(dump, texts={}) for name in names for dump in by_instance.get(name, ()))
        of_sources = {name: texts for name, texts in (evidence or {}).items() if name in names}
        loose = () if groups else unlinked
        groups.append(Group(len(groups), streams, servers, mine, owned, key, of_sources, loose))
    return sorted(groups, key=lambda group: -sum(dump.size for dump in group.dumps))


def _stream(link: FleetLink, topology: Topology, profiles: Profiles, keys: Sequence[str]) -> Stream:
    profile = profiles.of[link.number]
    return Stream(
        link.number, link.source, link.replica, link.channel, topology.cluster_of(link), profile,
        keys[profile], profiles.links[profile].of_rows, profiles.dumped[profile],
        profiles.filters.get(link.number),
    )  # fmt: skip


def _together(links: Sequence[FleetLink], sizes: Mapping[str, int], limit: int) -> list[list[FleetLink]]:
    """Links that are one group: those of linked servers, or all into one replica."""
    into: dict[str, list[FleetLink]] = defaultdict(list)
    for link in links:
        into[link.replica].append(link)
    home: dict[str, str] = {}

    def root(name: str) -> str:
        while home.setdefault(name, name) != name:
            home[name] = home[home[name]]
            name = home[name]
        return name

    weight = defaultdict(int, sizes)
    for replica, some in into.items():
        for link in some:
            a, b = root(replica), root(link.source)
            if a != b and weight[a] + weight[b] <= limit:
                home[b] = a
                weight[a] += weight[b]
    result: dict[str, list[FleetLink]] = defaultdict(list)
    for replica, some in into.items():
        result[root(replica)] += some
    return [sorted(some, key=lambda link: link.number) for some in result.values()]
