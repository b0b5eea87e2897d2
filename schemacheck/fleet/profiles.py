"""Link profiles: what the engine must know of a replication stream, once for all streams that are alike."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import BadSetting, InputError, UsageError
from schemacheck.filters.read import read as read_filters
from schemacheck.fleet.snapshots import Dump, about_variables, is_snapshot
from schemacheck.fleet.topology import FleetLink, Topology
from schemacheck.fleet.whatif import Scenario
from schemacheck.inputs import settings, snapshot_queries
from schemacheck.inputs.heading import Rows
from schemacheck.inputs.source import decompress
from schemacheck.model import Link, Server
from schemacheck.model.filters import FilterSet
from schemacheck.model.quantity import plural
from schemacheck.model.variable import canonical, tells


@dataclass(slots=True)
class Profiles:
    """All links of a fleet resolved.

    `links` are the distinct profiles, and `dumped` the same links as their dumps were taken, which differ
    where something else is asked (`whatif`); `of` gives each topology link's index there, `filters` what
    filters and renames its tables, if anything does; `taken` tells per instance where its
    server and settings came from, `servers` which server it is, `variables` all that its snapshot says.
    """

    links: list[Link] = field(default_factory=list)
    dumped: list[Link] = field(default_factory=list)
    of: dict[int, int] = field(default_factory=dict)
    filters: dict[int, FilterSet] = field(default_factory=dict)
    taken: dict[str, str] = field(default_factory=dict)
    variables: dict[str, dict[str, str]] = field(default_factory=dict)
    servers: dict[str, Server] = field(default_factory=dict)


def resolve(topology: Topology, dumps: Iterable[Dump], what_if: Scenario | None = None) -> Profiles:
    """Servers, settings and filters of every link, from the topology and, where that is silent, from the
    snapshots; and what is asked to be otherwise.

    Raises UsageError where nobody says which server an instance is, InputError for an unreadable file.
    """
    with tempfile.TemporaryDirectory(prefix="schemacheck-") as folder:
        about: dict[str, list[str]] = {}
        for dump in dumps:
            if dump.files or dump.about:
                about.setdefault(dump.instance, []).extend(_local(dump, Path(folder)))
        return _resolved(topology, about, what_if)


def _local(dump: Dump, folder: Path) -> list[str]:
    """The files about a dump's server, those that lie behind a URL as files in a folder."""
    result = [path for path in dump.telling if path not in dump.texts]
    home = folder / str(dump.origin)
    for number, (path, text) in enumerate(dump.texts.items()):
        copy = home / str(number) / PurePosixPath(path).name
        copy.parent.mkdir(parents=True)
        copy.write_bytes(text)
        result.append(str(copy))
    return result


def _resolved(topology: Topology, about: Mapping[str, Sequence[str]], what_if: Scenario | None) -> Profiles:
    """`about` are the files about the server of every instance that has a dump."""
    out = Profiles()
    servers = out.servers
    filters: dict[str, dict[str, FilterSet]] = {}
    absent: list[str] = []
    for name in dict.fromkeys(n for link in topology.links for n in (link.source, link.replica)):
        variables = {**topology.told.get(name, {}), **_told(about.get(name, ()))}
        if not (name in about or topology.instance(name).server or _version(variables)):
            absent.append(name)
            continue
        servers[name], out.taken[name] = _server(name, topology, variables)
        out.variables[name] = variables | {
            canonical(k): v for k, v in topology.instance(name).settings.items()
        }
        filters[name] = _filters(name, topology, about.get(name, ()), servers[name])
    for name in absent:
        # Its tables are unknown, whatever server it is: that of a neighbour makes no finding of its own.
        ends = [(link.source, link.replica) for link in topology.links if name in (link.source, link.replica)]
        near = next((text for end in ends for text in end if text in servers), None)
        if near is None:
            _server(name, topology, {})  # says what is missing
        other = servers[near or name]
        servers[name], out.variables[name] = Server(other.flavor, other.version), {}
        out.taken[name] = f"not known, there is no snapshot; taken for {servers[name]} as {near} is"
        filters[name] = _filters(name, topology, (), servers[name])
    asked = what_if.of(topology, servers) if what_if is not None else lambda _: (servers, {})
    numbers: dict[tuple[Link, Link], int] = {}
    for stream in topology.links:
        dumped = _link(stream, servers, stream.settings)
        others, settings = asked(stream)
        link = dumped if what_if is None else _link(stream, others, {**stream.settings, **settings})
        if stream.kind.cluster:
            try:
                link = link.as_kind(stream.kind)
            except BadSetting as error:
                place = f"link {stream.number + 1} ({stream.source} -> {stream.replica})"
                raise BadSetting(f"{place}: {error}") from None
        if (link, dumped) not in numbers:
            numbers[link, dumped] = len(out.links)
            out.links.append(link)
            out.dumped.append(dumped)
        out.of[stream.number] = numbers[link, dumped]
        chosen = _of_link(stream, filters)
        if not chosen.empty:
            out.filters[stream.number] = chosen
    for stream in topology.links:
        link = out.links[out.of[stream.number]]
        if link.refused_modes:
            raise BadSetting(
                f"link {stream.number + 1} ({stream.source} -> {stream.replica}): {link.replica} does not "
                f"know {', '.join(link.refused_modes)} in slave_type_conversions and would refuse the setting"
            )
    return out


def _link(stream: FleetLink, servers: Mapping[str, Server], settings: Mapping[str, str]) -> Link:
    source, replica = (servers[name].with_settings(settings) for name in (stream.source, stream.replica))
    return Link(source, replica)


def _of_link(stream: FleetLink, filters: Mapping[str, Mapping[str, FilterSet]]) -> FilterSet:
    """The filters of one stream: its own, the replica's (of its channel, else for all), behind
    the source's.
    """
    replica = filters[stream.replica]
    here = replica.get(stream.channel) or replica.get("") or FilterSet()
    source = filters[stream.source].get("") or FilterSet()
    chosen = stream.filters.merged(replace(here, binlog_do_db=(), binlog_ignore_db=())).with_source(
        source.source_side
    )
    return replace(chosen, channel="", origins=())


@cache
def _known() -> frozenset[str]:
    """Every variable that some server's facts mention, or that `check` is given, but for what each server has
    for itself: all others would only make profiles differ. Equal server ids are the topology's matter.
    """
    names = {
        name
        for flavor in knowledge.flavors()
        for _, stem, _ in knowledge.series(flavor)
        for name in (knowledge.load(f"servers/{stem}").get("defaults") or {})
    }
    own = {"server_id", "server_uuid", "hostname", "port", "version", "version_comment", "gtid_domain_id"}
    return frozenset(map(canonical, names | set(snapshot_queries.variable_names()))) - own


def _told(about: Sequence[str]) -> dict[str, str]:
    """The variables that lie beside a snapshot."""
    variables: dict[str, str] = {}
    for path in about:
        if is_snapshot(path):
            variables.update(_of_snapshot(Path(path)))
    for path in about:
        if about_variables(path):
            variables.update(_variables(Path(path)))
    return variables


def _of_snapshot(path: Path) -> dict[str, str]:
    """The settings that a snapshot's lines hold. What of them is no JSON, its reader will say."""
    try:
        data = decompress(path.read_bytes(), str(path))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    result: dict[str, str] = {}
    for line in data.splitlines():
        if _VARIABLES not in line:
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and record.get("view") == "VARIABLES":
            del record["view"]
            row = Rows(tuple(record), [(None, tuple(record.values()))])
            result.update(settings.from_rows("VARIABLES", row, str(path)))
    return result


_VARIABLES = b'"VARIABLES"'


def _server(name: str, topology: Topology, variables: Mapping[str, str]) -> tuple[Server, str]:
    """The instance's server: version from the topology or `variables.*` of its snapshot, settings from both,
    the topology's first.
    """
    instance = topology.instance(name)
    version = instance.server or _version(variables)
    if version is None:
        raise UsageError(
            f"instance {name}: nothing says which server it is; write `server: mysql-8.0.36` in the "
            "topology, "
            "or put the output of SHOW GLOBAL VARIABLES beside its snapshot as variables.tsv"
        )
    by_name = {k: v for k, v in variables.items() if canonical(k) in _known() and tells(k, v)}
    named = Server.parse(version) if instance.server else Server.told(version)
    server = named.with_told(by_name).with_settings(instance.settings)
    came = "topology" if instance.server else "snapshot"
    both = f"{plural(len(by_name), 'setting')} from the snapshot, {len(instance.settings)} from the topology"
    return server, f"{server} from the {came}, {both}"


def _version(variables: Mapping[str, str]) -> str | None:
    """What @@version says; a comment names Percona, the version itself MariaDB."""
    version = variables.get("version")
    if not version:
        return None
    comment = variables.get("version_comment", "").lower()
    flavor = (
        "mariadb"
        if "mariadb" in version.lower() or "mariadb" in comment
        else "percona"
        if "percona" in comment
        else "mysql"
    )
    return f"{flavor}-{version}"


def _variables(path: Path) -> dict[str, str]:
    """SHOW GLOBAL VARIABLES as `mysql --batch` prints it."""
    try:
        lines = decompress(path.read_bytes(), str(path)).decode("utf-8", "replace").splitlines()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    pairs = (line.split("\t", 1) for line in lines if "\t" in line)
    return {key.lower(): value for key, value in pairs if key.lower() != "variable_name"}


def _filters(name: str, topology: Topology, about: Sequence[str], server: Server) -> dict[str, FilterSet]:
    """The instance's filters by channel ('' holds for all): the topology's, else those of files beside the
    snapshot.
    """
    given = topology.instance(name).filters
    if not given.empty:
        return {"": given}
    filters: dict[str, FilterSet] = {}
    for path in about:
        if about_variables(path) or is_snapshot(path):
            continue
        for item in read_filters(path, server).filters:
            filters[item.channel] = filters[item.channel].merged(item) if item.channel in filters else item
    return filters
