"""`schemacheck fleet upgrade`: in which order servers are upgraded, and which tables are in the way.

A replica may be newer than its source, not older: the servers without replicas go first, then those whose
replicas have gone (`waves`). Each link is asked as it is now, once its replica has gone, and once both have;
links of rings and clusters also with the source first. All of it is one job over dumps that are read once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, replace
from schemacheck.fleet import causes, run, whole_links
from schemacheck.fleet.job import Job, Options, prepared
from schemacheck.fleet.topology import FleetLink, Topology
from schemacheck.fleet.whatif import Ends, at
from schemacheck.model import Effect, Server
from schemacheck.model.quantity import plural

if TYPE_CHECKING:
    from schemacheck.fleet.profiles import Profiles
    from schemacheck.fleet.session import Engine

Row = dict[str, Any]
#: Servers that go together: one, or those of a ring or cluster.
Group = tuple[str, ...]
#: What has been upgraded of a link: its source, its replica. The first is how it is now.
STAGES = ((False, False), (False, True), (True, False), (True, True))
_REPLICA, _SOURCE, _BOTH = 1, 2, 3
#: Findings of a link that are printed.
_LISTED = 20
_OF_FINDING = (
    "effect", "code", "rule", "column", "source_type", "replica_type", "message", "remedy", "remedy_sql"
)  # fmt: skip


def waves(links: Sequence[FleetLink]) -> list[list[Group]]:
    """The servers by waves: a server's replicas have all gone before it, but those that lead back to it."""
    replicas = {name: set[str]() for link in links for name in (link.replica, link.source)}
    sources = {name: set[str]() for name in replicas}
    for link in links:
        replicas[link.source].add(link.replica)
        sources[link.replica].add(link.source)
    home: dict[str, int] = {}
    groups: list[Group] = []
    for root in reversed(_replicas_first(replicas)):
        group, waiting = set[str](), [root]
        while waiting:
            name = waiting.pop()
            if name not in home:
                home[name] = len(groups)
                group.add(name)
                waiting += sources[name]
        groups += [tuple(sorted(group))] if group else []
    wave: dict[int, int] = {}
    for number in reversed(range(len(groups))):
        below = {home[replica] for name in groups[number] for replica in replicas[name]} - {number}
        wave[number] = max((wave[other] + 1 for other in below), default=0)
    ordered: list[list[Group]] = [[] for _ in range(max(wave.values(), default=-1) + 1)]
    for number, place in wave.items():
        ordered[place].append(groups[number])
    return [sorted(every) for every in ordered]


def _replicas_first(replicas: Mapping[str, set[str]]) -> list[str]:
    """The servers, each behind those that its changes reach and that do not lead back to it."""
    entered, ordered = set[str](), dict[str, None]()
    for root in replicas:
        waiting = [root]
        while waiting:
            name = waiting[-1]
            if name in entered:
                ordered.setdefault(waiting.pop())
            else:
                entered.add(name)
                waiting += replicas[name] - entered
    return list(ordered)


@dataclass(frozen=True, slots=True)
class Upgrade:
    """Servers of a version's flavour that are older come to be at it (`Scenario`)."""

    to: Server

    def goes(self, servers: Mapping[str, Server]) -> set[str]:
        """The servers that are upgraded."""
        older = {n for n, server in servers.items() if knowledge.is_before(server.version, self.to.version)}
        return {name for name in older if servers[name].flavor == self.to.flavor}

    def changed(self, topology: Topology) -> Topology:
        """The topology with every link once a stage, each with a number of its own."""
        starts = range(0, len(STAGES) * len(topology.links), len(topology.links))
        every = [replace(link, number=start + link.number) for start in starts for link in topology.links]
        return replace(topology, links=tuple(every))

    def of(self, topology: Topology, servers: Mapping[str, Server]) -> Ends:
        """See Scenario; the topology is one that was `changed`."""
        count = len(topology.links) // len(STAGES)
        new = {name: at(servers[name], self.to) for name in self.goes(servers)}

        def ends(link: FleetLink) -> tuple[Mapping[str, Server], Mapping[str, str]]:
            moved = zip((link.source, link.replica), STAGES[link.number // count], strict=True)
            return {**servers, **{name: new[name] for name, is_new in moved if is_new and name in new}}, {}

        return ends


def plan(options: Options, to: Server, fail_on: Effect, say: Callable[[str], None]) -> Row:
    """The plan as values for JSON; `fail_on` is from which effect on a table is in the way. Raises UsageError
    and InputError.
    """
    upgrade = Upgrade(to)
    job = prepared(replace(options, what_if=upgrade), say, upgrade.changed)
    return run.with_engine(job, lambda engine, job: _on(engine, job, upgrade, fail_on))


def _on(engine: Engine, job: Job, upgrade: Upgrade, fail_on: Effect) -> Row:
    from schemacheck.fleet import frames, group

    dumps, resolved, contents = run.located(engine, job, frames.Files(engine.spark))
    job.say("reading and deciding")
    groups = group.plan(job.fleet, resolved, dumps)
    pairs = frames.of_files(engine.spark, groups, contents, tasks=engine.tasks, processes=engine.processes)
    bad = [effect.value for effect in Effect if effect >= fail_on]
    rows = pairs.filter((pairs.problem.isNotNull()) | pairs.verdict.isin(bad)).select(*COLUMNS)
    return of_rows(rows.toArrow().to_pylist(), job.fleet, resolved, upgrade, fail_on)


#: What is read of pairs.
COLUMNS = ("link", "database", "table", "verdict", "reason", "findings", "problem")


def of_rows(
    rows: Sequence[Row], topology: Topology, resolved: Profiles, upgrade: Upgrade, fail_on: Effect
) -> Row:
    """The plan that rows of pairs (COLUMNS) give for a topology that was `changed`."""
    count = len(topology.links) // len(STAGES)
    by_link: dict[int, list[Row]] = {}
    for row in rows:
        if row["problem"] is None:
            by_link.setdefault(row["link"], []).extend(_in_the_way(row, fail_on))
    for row in whole_links.rows(topology, resolved, {}):
        if Effect(row["effect"]) >= fail_on:
            finding = {name: row.get(name) for name in _OF_FINDING}
            by_link.setdefault(row["link"], []).insert(0, {"database": None, "table": None, **finding})
    goes, links = upgrade.goes(resolved.servers), topology.links[:count]

    def step(link: FleetLink, stage: int) -> Row:
        """One link at one stage."""
        place = stage * count + link.number
        now = set(map(_same, by_link.get(link.number, ())))
        servers = resolved.links[resolved.of[place]]
        return {
            "source": link.source, "replica": link.replica, "channel": link.channel,
            "source_server": str(servers.source), "replica_server": str(servers.replica),
            "in_the_way": [{**row, "today": _same(row) in now} for row in by_link.get(place, ())],
        }  # fmt: skip

    near: defaultdict[str, list[FleetLink]] = defaultdict(list)
    for link in links:
        near[link.source].append(link)
        near[link.replica].append(link)
    every = []
    for number, groups in enumerate(waves(links), 1):
        home = {name: group for group in groups for name in group}
        theirs = {link.number: link for name in home for link in near[name]}
        steps = [
            step(link, stage) for _, link in sorted(theirs.items()) for stage in _stages(link, home, goes)
        ]
        made = [_group(group, near, goes, resolved) for group in groups]
        every.append({"wave": number, "groups": made, "links": steps})
    unread = sum('"skipped": false' in row["problem"] for row in rows if row["problem"] is not None)
    stay = {name: str(server) for name, server in resolved.servers.items() if name not in goes}
    return {"to": str(upgrade.to), "waves": every, "stay": stay, "unread": unread}


def _stages(link: FleetLink, home: Mapping[str, Group], goes: set[str]) -> list[int]:
    """The stages that a link comes to in a wave whose servers are these."""
    source, replica = home.get(link.source), home.get(link.replica)
    if source is not None and source == replica:
        stages = [_REPLICA, _SOURCE, _BOTH]
    elif replica is not None:
        stages = [_REPLICA]
    else:
        stages = [] if source is None else [_BOTH if link.replica in goes else _SOURCE]
    moved = {stage: zip((link.source, link.replica), STAGES[stage], strict=True) for stage in stages}
    return [stage for stage in stages if all(name in goes for name, is_new in moved[stage] if is_new)]


def _in_the_way(row: Row, fail_on: Effect) -> Iterator[Row]:
    place = {"database": row["database"], "table": row["table"]}
    findings = [finding for finding in row["findings"] if Effect(finding["effect"]) >= fail_on]
    for finding in findings:
        yield {**place, **{name: finding[name] for name in _OF_FINDING}}
    if not findings and Effect(row["verdict"]) >= fail_on:
        nothing = dict.fromkeys(_OF_FINDING)
        yield {**place, **nothing, "effect": row["verdict"], "message": row["reason"] or "not decided"}


def _same(row: Row) -> tuple[object, ...]:
    return tuple(row[name] for name in ("database", "table", "column", "code", "effect", "source_type"))


def _group(group: Group, near: Mapping[str, list[FleetLink]], goes: set[str], resolved: Profiles) -> Row:
    members = set(group)
    inside = [link for name in group for link in near[name] if {link.source, link.replica} <= members]
    kind = None if not inside else "cluster" if all(link.kind.cluster for link in inside) else "ring"
    servers = {name: str(resolved.servers[name]) for name in group if name in goes}
    return {"kind": kind, "servers": servers, "stay": [name for name in group if name not in goes]}


def status(made: Mapping[str, Any]) -> int:
    """1: something is in the way; 3: only what is not known is; else 0."""
    effects = {
        row["effect"] for wave in made["waves"] for link in wave["links"] for row in link["in_the_way"]
    }
    return 1 if effects - {"unknown"} else 3 if effects or made["unread"] else 0


_KINDS = {
    "ring": "a ring: whichever goes first is newer than a replica of its own; both orders are checked",
    "cluster": "nodes of one cluster, one after the other: both orders are checked",
}


def lines(made: Mapping[str, Any]) -> Iterator[str]:
    """What is printed."""
    going = [wave for wave in made["waves"] if any(group["servers"] for group in wave["groups"])]
    servers = sum(len(group["servers"]) for wave in going for group in wave["groups"])
    yield f"upgrade to {made['to']}: {plural(servers, 'server')} in {plural(len(going), 'wave')}"
    for number, wave in enumerate(going, 1):
        yield f"wave {number}"
        for group in wave["groups"]:
            if group["servers"]:
                note = f" ({_KINDS[group['kind']]})" if group["kind"] else ""
                yield (
                    "  "
                    + ", ".join(f"{name} ({version})" for name, version in group["servers"].items())
                    + note
                )
        for link in wave["links"]:
            yield from _of_link(link)
    if made["stay"]:
        yield "stay: " + ", ".join(f"{name} ({server})" for name, server in made["stay"].items())
    if made["unread"]:
        yield f"{plural(made['unread'], 'input')} could not be read: what depends on it is unknown"


def _of_link(link: Row) -> Iterator[str]:
    import pyarrow as pa

    ends = f"{link['source']} ({link['source_server']}) to {link['replica']} ({link['replica_server']})"
    rows = link["in_the_way"]
    tables = len({(row["database"], row["table"]) for row in rows if row["table"]})
    dead = " and the link itself" if any(not row["table"] for row in rows) else ""
    yield f"  {ends}: " + (f"{plural(tables, 'table')}{dead} in the way" if rows else "nothing is in the way")
    kinds = {name: pa.string() for name in ("database", "table", *_OF_FINDING)} | {"today": pa.bool_()}
    told = causes.without_moved(pa.Table.from_pylist(rows, pa.schema(kinds))).to_pylist()
    rows = sorted(told, key=lambda row: row["today"])
    for row in rows[:_LISTED]:
        place = ".".join(filter(None, (row["database"], row["table"], row["column"]))) or "the link"
        code = f" [{row['code']} {row['rule']}]" if row["code"] else ""
        today = ", as today" if row["today"] else ""
        yield f"    {place}: {row['effect']}{today}{code}: {shorten(row['message'], 160, placeholder=' ...')}"
        if fix := row["remedy_sql"] or row["remedy"]:
            yield f"      fix: {fix}"
    if len(rows) > _LISTED:
        yield f"    and {len(rows) - _LISTED:,} more; --out FILE.json has all"
