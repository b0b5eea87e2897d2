"""The ways that changes take through a fleet: rings that would loop, chains that lose a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from schemacheck.filters.topology import Connection, Node, inspect
from schemacheck.fleet.profiles import Profiles
from schemacheck.fleet.topology import FleetLink, Topology
from schemacheck.model.filters import FilterSet

#: Tables that are followed from every server of a chain or ring; the summary says how many there were.
FOLLOWED = 200
#: Servers of chains and rings that are followed.
SERVERS = 64


def chained(topology: Topology) -> tuple[FleetLink, ...]:
    """The links of chains and rings: between servers of which one is a source and a replica, and those that
    lead past it.
    """
    middle = {link.source for link in topology.links} & {link.replica for link in topology.links}
    ends = [{link.source, link.replica} for link in topology.links]
    near = set[str]().union(*(both for both in ends if both & middle))
    return tuple(link for link, both in zip(topology.links, ends, strict=True) if both <= near)


def follow(
    topology: Topology, profiles: Profiles, named: Callable[[int], tuple[Sequence[tuple[str, str]], int]]
) -> dict[str, Any]:
    """What `filters.topology.inspect` finds, as values for JSON.

    `named` gives the first (database, table) of the fleet, and how many there are. Where nothing tells a
    server id, every server is taken to have its own.
    """
    links = chained(topology)
    names = list(dict.fromkeys(name for link in links for name in (link.source, link.replica)))
    if not links:
        return {"servers": 0, "tables": 0, "of_tables": 0, "findings": []}
    wanted, count = named(FOLLOWED)
    remaining = set(names[:SERVERS])
    nodes = [_node(name, -number - 1, profiles) for number, name in enumerate(names) if name in remaining]
    connections = [_connection(link, profiles) for link in links if {link.source, link.replica} <= remaining]
    result = [asdict(finding) for finding in inspect(nodes, connections, wanted)]
    return {"servers": len(nodes), "tables": len(wanted), "of_tables": count, "findings": result}


def _node(name: str, number: int, profiles: Profiles) -> Node:
    variable = profiles.variables.get(name, {})
    server = profiles.servers[name]
    given = _first(variable, "log_slave_updates", "log_replica_updates")
    return Node(
        name,
        int(variable["server_id"]) if variable.get("server_id", "").isdigit() else number,
        log_slave_updates=given.upper() in ("ON", "1") if given else server.has("logs-replica-updates"),
        replicate_same_server_id=_first(variable, "replicate_same_server_id").upper() in ("ON", "1"),
        gtid=_first(variable, "gtid_mode").upper() == "ON",
    )


def _first(record: Mapping[str, str], *names: str) -> str:
    return next((record[name] for name in names if record.get(name)), "")


def _connection(link: FleetLink, profiles: Profiles) -> Connection:
    filters = profiles.filters.get(link.number) or FilterSet()
    profile = profiles.links[profiles.of[link.number]]
    return Connection(link.source, link.replica, profile, filters, binlog_format=profile.binlog_format)
