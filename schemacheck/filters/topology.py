"""Rings and chains: which servers does a change made on one of them reach, and does it stop at its origin.

An event keeps the server id of the server on which the change was made. A replica throws away events with
its own server id (unless `replicate_same_server_id`), logs what it applies only with `log_slave_updates`, and
with GTIDs never applies a transaction twice.
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

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A server in a topology. `gtid`: transactions carry global ids and are applied once only."""

    name: str
    server_id: int
    log_slave_updates: bool = True
    replicate_same_server_id: bool = False
    gtid: bool = False


@dataclass(frozen=True, slots=True)
class Connection:
    """One replication link from a source to a replica, with the filters of both ends."""

    source: str
    replica: str
    link: Link
    filters: FilterSet = field(default_factory=FilterSet)
    binlog_format: str | None = None


@dataclass(frozen=True, slots=True)
class Barrier:
    """Where a change did not pass from `path` to `replica`, and why; `filtered`: it is meant so."""

    path: Path
    replica: str
    reason: str
    filtered: bool = False


@dataclass(slots=True)
class Spread:
    """All that becomes of one change: the table's name on each server that it has `reached`. `loops` are
    paths whose last server has had the change already and applies it again; `duplicates` those that arrive
    over a second way.
    """

    reached: dict[str, str]
    barriers: list[Barrier] = field(default_factory=list)
    loops: list[Path] = field(default_factory=list)
    duplicates: list[Path] = field(default_factory=list)


def spread(
    nodes: Iterable[Node], connections: Iterable[Connection], origin: str, database: str, table: str
) -> Spread:
    """Follow a change of `database`.`table` made on `origin`. KeyError for an unknown origin."""
    servers = {node.name: node for node in nodes}
    outgoing: dict[str, list[Connection]] = {}
    for connection in connections:
        outgoing.setdefault(connection.source, []).append(connection)
    event_id = servers[origin].server_id
    out = Spread({origin: f"{database}.{table}"})
    queue: deque[tuple[str, str, Path]] = deque([(database, table, (origin,))])
    hops = 0
    while queue and hops < _HOPS:
        hops += 1
        schema, current, path = queue.popleft()
        here = servers[path[-1]]
        for connection in outgoing.get(here.name, ()):
            there = servers[connection.replica]
            onward = (*path, there.name)
            if here.name != origin and not here.log_slave_updates:
                why = f"{here.name} has no log_slave_updates: its binary log does not have what it applies"
                out.barriers.append(Barrier(path, there.name, why))
                continue
            if event_id == there.server_id and not there.replicate_same_server_id:
                if there.name not in path:
                    why = f"the event has {there.name}'s own server id {event_id}: it is skipped"
                    out.barriers.append(Barrier(path, there.name, why))
                continue
            # No input tells another gtid_domain_id.
            if not procedure.domain(connection.filters, 0):
                why = f"GTID domain 0 does not pass {procedure.domains(connection.filters)}"
                out.barriers.append(Barrier(path, there.name, why))
                continue
            form = connection.binlog_format or "ROW"
            state = table_filter(connection.filters, connection.link, form).state(schema, current)
            if state.state.value == "not-replicated":
                why = f"{schema}.{current}: {state.reason}"
                out.barriers.append(Barrier(path, there.name, why, filtered=True))
            elif there.name not in out.reached:
                out.reached[there.name] = f"{state.replica_database}.{state.replica_table}"
                queue.append((state.replica_database, state.replica_table, onward))
            elif not there.gtid:
                (out.loops if there.name in path else out.duplicates).append(onward)
    return out


@dataclass(frozen=True, slots=True)
class TopologyFinding:
    """`loop`, `duplicate`, `lost`, `same-server-id`; `identical` where a filter wants it so."""

    kind: str
    message: str
    path: Path = ()
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
                if barrier.replica in result.reached or len(barrier.path) < 2:
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
