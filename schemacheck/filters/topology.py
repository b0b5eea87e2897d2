"""Rings and chains: which servers does a change made on one of them reach, and does it stop at its origin.

An event keeps the server id of the server on which the change was made. A replica throws away events with
its own server id (unless `replicate_same_server_id`) and those of IGNORE_SERVER_IDS, logs what it applies
only with `log_slave_updates`, and with GTIDs never applies a transaction twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from schemacheck.dataclass import dataclass, field
from schemacheck.filters import procedure
from schemacheck.filters.tables import table_filter
from schemacheck.model import Effect, Link
from schemacheck.model.filters import FilterSet

_HOPS = 256


@dataclass(frozen=True, slots=True)
class Node:
    """A server in a topology. `gtid`: transactions carry global ids and are applied once only."""

    name: str
    server_id: int
    log_slave_updates: bool = True
    replicate_same_server_id: bool = False
    gtid: bool = False
    domain_id: int = 0


@dataclass(frozen=True, slots=True)
class Connection:
    """One replication link from a source to a replica, with the filters of both ends."""

    source: str
    replica: str
    link: Link
    filters: FilterSet = field(default_factory=FilterSet)
    ignore_server_ids: tuple[int, ...] = ()
    binlog_format: str | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """A change has reached `node` as `table` over `path` (names of servers, the origin first)."""

    node: str
    table: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Barrier:
    """Where a change did not pass from `path` to `replica`, and why; `filtered`: it is meant so."""

    path: tuple[str, ...]
    replica: str
    reason: str
    expected: bool = False
    filtered: bool = False


@dataclass(frozen=True, slots=True)
class Spread:
    """All that becomes of one change. `loops` are paths whose last server has had the change already
    and applies it again; `duplicates` those that arrive over a second way."""

    origin: str
    table: str
    arrivals: tuple[Arrival, ...] = ()
    barriers: tuple[Barrier, ...] = ()
    loops: tuple[tuple[str, ...], ...] = ()
    duplicates: tuple[tuple[str, ...], ...] = ()

    @property
    def reached(self) -> frozenset[str]:
        """The servers that have the change, the origin included."""
        return frozenset({self.origin, *(arrival.node for arrival in self.arrivals)})


def spread(
    nodes: Iterable[Node], connections: Iterable[Connection], origin: str, database: str, table: str
) -> Spread:
    """Follow a change of `database`.`table` made on `origin`. KeyError for an unknown origin."""
    servers = {node.name: node for node in nodes}
    outgoing: dict[str, list[Connection]] = {}
    for connection in connections:
        outgoing.setdefault(connection.source, []).append(connection)
    event_id = servers[origin].server_id
    domain = servers[origin].domain_id
    arrivals: list[Arrival] = []
    barriers: list[Barrier] = []
    loops: list[tuple[str, ...]] = []
    duplicates: list[tuple[str, ...]] = []
    seen: set[str] = {origin}
    queue: deque[tuple[str, str, str, tuple[str, ...]]] = deque([(origin, database, table, (origin,))])
    hops = 0
    while queue and hops < _HOPS:
        hops += 1
        name, schema, current, path = queue.popleft()
        here = servers[name]
        for connection in outgoing.get(name, ()):
            there = servers[connection.replica]
            if name != origin and not here.log_slave_updates:
                barriers.append(
                    Barrier(
                        path,
                        there.name,
                        f"{name} has no log_slave_updates: its binary log does not have what it applies",
                    )
                )
                continue
            refused = _refused(there, connection, event_id, domain)
            if refused:
                barriers.append(Barrier(path, there.name, refused, expected=there.name in path))
                continue
            state = table_filter(
                connection.filters, connection.link, connection.binlog_format or "ROW"
            ).state(schema, current)
            if state.state.value == "not-replicated":
                barriers.append(
                    Barrier(path, there.name, f"{schema}.{current}: {state.reason}", filtered=True)
                )
                continue
            if there.name in path:
                if there.gtid:
                    barriers.append(
                        Barrier(path, there.name, "the transaction's GTID is already there", expected=True)
                    )
                else:
                    loops.append((*path, there.name))
                continue
            if there.name in seen:
                if not there.gtid:
                    duplicates.append((*path, there.name))
                continue
            seen.add(there.name)
            arrivals.append(
                Arrival(there.name, f"{state.replica_database}.{state.replica_table}", (*path, there.name))
            )
            queue.append((there.name, state.replica_database, state.replica_table, (*path, there.name)))
    return Spread(
        origin, f"{database}.{table}", tuple(arrivals), tuple(barriers), tuple(loops), tuple(duplicates)
    )


def _refused(there: Node, connection: Connection, event_id: int, domain: int) -> str:
    """Why a replica's receiver throws an event away, or ''."""
    if event_id == there.server_id and not there.replicate_same_server_id:
        return f"the event has {there.name}'s own server id {event_id}: it is skipped"
    if event_id in connection.ignore_server_ids:
        return f"server id {event_id} is in IGNORE_SERVER_IDS of {there.name}"
    received = procedure.domain(connection.filters, domain)
    return (
        f"GTID domain {domain} does not pass {received.rule}"
        if received is not None and not received.passes
        else ""
    )


@dataclass(frozen=True, slots=True)
class TopologyFinding:
    """`loop`, `duplicate`, `lost`, `same-server-id`; `identical` where a filter wants it so."""

    kind: str
    message: str
    path: tuple[str, ...] = ()
    effect: str = Effect.DIVERGES.value


def inspect(
    nodes: Iterable[Node], connections: Iterable[Connection], tables: Iterable[tuple[str, str]]
) -> Iterator[TopologyFinding]:
    """Rings that would loop, chains that lose a table, server ids that keep changes from passing."""
    servers, links = tuple(nodes), tuple(connections)
    yield from _same_ids(servers, links)
    reported: set[tuple[str, tuple[str, ...], str]] = set()
    for database, table in tables:
        for node in servers:
            result = spread(servers, links, node.name, database, table)
            for path in result.loops:
                kind = ("loop", _ring(path), "")
                if kind not in reported:
                    reported.add(kind)
                    yield TopologyFinding(
                        "loop",
                        f"a change made on {path[0]} comes back to {path[-1]} and is applied again: "
                        f"{' -> '.join(path)}",
                        path,
                    )
            for path in result.duplicates:
                kind = ("duplicate", path, "")
                if kind not in reported:
                    reported.add(kind)
                    yield TopologyFinding(
                        "duplicate",
                        f"{path[-1]} gets changes made on {path[0]} twice, the second time over "
                        f"{' -> '.join(path)}",
                        path,
                    )
            for barrier in result.barriers:
                if barrier.expected or barrier.replica in result.reached or len(barrier.path) < 2:
                    continue
                kind = ("lost", (barrier.path[-1], barrier.replica), barrier.reason)
                if kind not in reported:
                    reported.add(kind)
                    yield TopologyFinding(
                        "lost",
                        f"{database}.{table} changed on {node.name} reaches {barrier.path[-1]}, but not its "
                        f"replica {barrier.replica}: {barrier.reason}",
                        (*barrier.path, barrier.replica),
                        (Effect.IDENTICAL if barrier.filtered else Effect.DIVERGES).value,
                    )


def _ring(path: tuple[str, ...]) -> tuple[str, ...]:
    """The servers of a ring, wherever one enters it."""
    start = path.index(path[-1])
    return tuple(sorted(set(path[start:])))


def _same_ids(servers: tuple[Node, ...], links: tuple[Connection, ...]) -> Iterator[TopologyFinding]:
    by_name = {node.name: node for node in servers}
    for link in links:
        here, there = by_name[link.source], by_name[link.replica]
        if here.server_id == there.server_id:
            yield TopologyFinding(
                "same-server-id",
                f"{here.name} and {there.name} both have server id {here.server_id}: "
                f"{there.name} skips {here.name}'s changes",
                (here.name, there.name),
            )
