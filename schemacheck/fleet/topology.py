"""The topology: which instance replicates from which, and under which settings.

YAML (`fleet.yaml`) or a table of links (CSV, TSV, Parquet). See docs/fleet.md for both.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from schemacheck.config.document import check_depth
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import BadSetting, UnknownServer, UsageError, near
from schemacheck.filters.read.options import Given, check
from schemacheck.model import LinkKind, Server, variable
from schemacheck.model.filters import FIELDS, OPTIONS, FilterSet
from schemacheck.system import git

#: Keys of one instance, of one link and of the document.
_INSTANCE = ("server", "cluster", "snapshot", "settings", "filters")
_LINK = ("source", "replica", "channel", "cluster", "kind", "rewrite", "settings", "filters")
_DOCUMENT = ("snapshots", "defaults", "instances", "links")


#: What results call the cluster of links that have none.
NO_CLUSTER = "(none)"
_NO_FILTERS = FilterSet()


@dataclass(frozen=True, slots=True)
class Instance:
    """One server of the fleet. What is None or empty here is taken from the snapshot, then from
    the defaults.
    """

    name: str
    server: str | None = None
    cluster: str | None = None
    snapshot: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    filters: FilterSet = _NO_FILTERS


@dataclass(frozen=True, slots=True)
class FleetLink:
    """One replication stream. `number` is its place in the topology; `settings` override both ends'."""

    number: int
    source: str
    replica: str
    channel: str = ""
    cluster: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    filters: FilterSet = _NO_FILTERS
    kind: LinkKind = LinkKind.REPLICATION


@dataclass(frozen=True, slots=True)
class Topology:
    """The whole fleet. `snapshots` are folders, globs or URLs; `folder` is what relative paths start from;
    `told` are global variables by instance that came beside the topology.
    """

    instances: Mapping[str, Instance]
    links: tuple[FleetLink, ...]
    snapshots: tuple[str, ...] = ()
    folder: Path = Path()
    told: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def instance(self, name: str) -> Instance:
        """The instance, also when only links name it."""
        return self.instances.get(name) or Instance(name)

    def cluster_of(self, link: FleetLink) -> str:
        """The cluster of a link: its own, else the replica's, else the source's; '' without any."""
        ends = (self.instance(link.replica).cluster, self.instance(link.source).cluster)
        return next(filter(None, (link.cluster, *ends)), "")

    @property
    def clusters(self) -> tuple[str, ...]:
        """The clusters of all links, as results name them."""
        return tuple(dict.fromkeys(self.cluster_of(link) or NO_CLUSTER for link in self.links))


def read(path: Path) -> Topology:
    """The topology in a file, which may be one of a commit (`git:REF:PATH`); the ending says how it is
    written. What it names relative to itself is looked for in the work tree. Raises UsageError naming the
    place.
    """
    located = git.is_located(str(path))
    if not located and not path.is_file():
        raise UsageError(f"{path}: no such topology file; see docs/fleet.md for its form")
    ending = path.suffix.lower()
    content = git.read(str(path)) if ending != ".parquet" or located else b""
    folder = path.parent
    if located:
        commit, inside = git.located(str(path))
        folder = (commit.top / inside).parent
    if ending in (".yaml", ".yml", ".json"):
        return _document(content, str(path), folder)
    if ending == ".parquet" and not located:
        import pyarrow.parquet as pq

        rows: Iterable[Mapping[str, Any]] = pq.read_table(path).to_pylist()
    elif ending in (".csv", ".tsv"):
        rows = _table(_text(content, str(path)), str(path), "\t" if ending == ".tsv" else ",")
    else:
        raise UsageError(f"{path}: a topology is YAML (.yaml) or a table of links (.csv, .tsv, .parquet)")
    return of_rows(rows, str(path), folder)


def _table(text: str, path: str, delimiter: str) -> list[dict[str, Any]]:
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
        names = [str(name).strip().lower() for name in reader.fieldnames or ()]
        if twice := [name for name in names if names.count(name) > 1]:
            raise UsageError(f"{path}: the column {twice[0]!r} is there twice")
        rows: list[dict[str, Any]] = list(reader)
    except csv.Error as error:
        raise UsageError(f"{path}: not readable as a table: {error}") from None
    for number, row in enumerate(rows, 1):
        if None in row:
            raise UsageError(f"{path}: row {number}: more values than columns")
    return rows


def _text(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: a topology is UTF-8: {error}") from None


def _document(content: bytes, path: str, folder: Path) -> Topology:
    import yaml

    try:
        text = _text(content, path)
        check_depth(text)
        document = yaml.load(text, loader())  # noqa: S506 safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not readable as YAML: {error}") from None
    return of_document(document, path, folder)


@cache
def loader() -> Any:
    """YAML of plain values in which no key is given twice; `<<` takes one mapping, so that nothing grows."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Once(base):  # type: ignore[misc]
        """Mappings whose keys differ."""

        def flatten_mapping(self, node: Any) -> None:
            seen: set[str] = set()
            for key, value in node.value:
                name = str(key.value)
                several = key.tag == "tag:yaml.org,2002:merge" and not isinstance(value, yaml.MappingNode)
                if name in seen or several:
                    why = "`<<` takes one mapping here" if several else f"{name!r} is given twice"
                    raise yaml.constructor.ConstructorError(None, None, why, key.start_mark)
                seen.add(name)
            super().flatten_mapping(node)

    return Once


def of_document(document: Any, path: str, folder: Path = Path()) -> Topology:
    """The topology of a YAML document's value; `path` names it in messages."""
    _keys(document, _DOCUMENT, path)
    defaults = document.get("defaults") or {}
    _keys(defaults, _INSTANCE, f"{path}: defaults")
    given = document.get("instances") or {}
    listed = document.get("links") or ()
    if not isinstance(given, dict) or not isinstance(listed, list | tuple):
        raise UsageError(f"{path}: `links` is a list, `instances` a mapping of names")
    links = tuple(_links(listed, path))
    names = dict.fromkeys([*map(str, given), *(n for link in links for n in (link.source, link.replica))])
    instances = {name: _instance(name, given.get(name) or {}, defaults, path) for name in names}
    places = document.get("snapshots") or ()
    if not isinstance(places, str | list | tuple) or not all(isinstance(place, str) for place in places):
        raise UsageError(f"{path}: `snapshots` is a place or a list of places")
    return Topology(instances, links, (places,) if isinstance(places, str) else tuple(places), folder)


def _keys(value: Any, entries: tuple[str, ...], where: str) -> None:
    if not isinstance(value, dict):
        raise UsageError(f"{where}: expected keys ({', '.join(entries)}), found {type(value).__name__}")
    for key in value:
        if key not in entries:
            raise UsageError(f"{where}: unknown key {key!r}{near(str(key), entries)}")


def _instance(name: str, entry: Any, defaults: Mapping[str, Any], path: str) -> Instance:
    where = f"{path}: instance {name}"
    _keys(entry, _INSTANCE, where)
    both = {**defaults, **entry}
    if any(isinstance(both.get(key), list | dict) for key in ("server", "cluster", "snapshot")):
        raise UsageError(f"{where}: server, cluster and snapshot are single values")
    if not isinstance(entry.get("snapshot") or "", str):
        raise UsageError(f"{where}: `snapshot` is a folder, file or URL as text")
    if isinstance(both.get("server"), float):
        # 10.10 is 10.1 as a number.
        raise UsageError(f"{where}: write the server as text, with its flavour: mysql-8.0, mariadb-10.11")
    return Instance(
        name,
        _server(both.get("server"), where),
        str(both["cluster"]) if both.get("cluster") else None,
        entry.get("snapshot"),
        {**_settings(defaults.get("settings"), where), **_settings(entry.get("settings"), where)},
        filters_of(both.get("filters"), where),
    )


def _links(entries: Any, path: str) -> Iterator[FleetLink]:
    seen: set[tuple[str, str, str]] = set()
    for number, entry in enumerate(entries):
        where = f"{path}: link {number + 1}"
        _keys(entry, _LINK, where)
        if not entry.get("source") or not entry.get("replica"):
            raise UsageError(f"{where}: needs `source` and `replica`")
        if any(
            isinstance(entry.get(key), list | dict)
            for key in ("source", "replica", "channel", "cluster", "kind")
        ):
            raise UsageError(f"{where}: names are single values")
        rewrite = entry.get("rewrite") or {}
        if not isinstance(rewrite, dict):
            raise UsageError(f"{where}: `rewrite` maps a source's database to the replica's: {{old: new}}")
        filters = filters_of(entry.get("filters"), where)
        filters = filters.merged(FilterSet(rewrite_db=tuple((str(a), str(b)) for a, b in rewrite.items())))
        link = FleetLink(
            number, str(entry["source"]), str(entry["replica"]), str(entry.get("channel") or ""),
            str(entry["cluster"]) if entry.get("cluster") else None, _settings(entry.get("settings"), where),
            filters, _kind(entry.get("kind"), where),
        )  # fmt: skip
        key = (link.source, link.replica, link.channel)
        if key in seen:
            raise UsageError(
                f"{where}: {link.source} -> {link.replica} is given twice; name the channels if there are two"
            )
        if link.source == link.replica:
            raise UsageError(f"{where}: {link.source} replicates from itself")
        seen.add(key)
        yield link


def _kind(value: Any, where: str) -> LinkKind:
    entries = [kind.value for kind in LinkKind]
    if value and str(value) not in entries:
        raise UsageError(
            f"{where}: kind is one of {', '.join(entries)}, not {value!r}{near(str(value), entries)}"
        )
    return LinkKind(str(value)) if value else LinkKind.REPLICATION


def of_rows(rows: Iterable[Mapping[str, Any]], path: str, folder: Path = Path()) -> Topology:
    """Links from a table: source, replica, channel, cluster, kind, source_server, replica_server, rewrite
    (`a->b,c->d`), and settings as columns.
    """
    values = (
        "source", "replica", "channel", "cluster", "kind", "rewrite", "source_server", "replica_server",
        "source_snapshot", "replica_snapshot",
    )  # fmt: skip
    entries: list[dict[str, Any]] = []
    instances: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows, 1):
        plain = {
            str(k).strip().lower(): "" if v is None else str(v).strip()
            for k, v in row.items()
            if k is not None
        }
        where = f"{path}: row {number}"
        if not plain.get("source") or not plain.get("replica"):
            raise UsageError(f"{where}: needs the columns source and replica; found {', '.join(plain)}")
        pairs = [part.split("->") for part in plain.get("rewrite", "").split(",") if part.strip()]
        if any(len(pair) != 2 for pair in pairs):
            raise UsageError(f"{where}: rewrite is written `old->new,old2->new2`, not {plain['rewrite']!r}")
        entries.append({
            "source": plain["source"], "replica": plain["replica"], "channel": plain.get("channel"),
            "cluster": plain.get("cluster"), "kind": plain.get("kind"),
            "rewrite": {a.strip(): b.strip() for a, b in pairs},
            "settings": {k: v for k, v in plain.items() if k not in values and v},
        })  # fmt: skip
        for end in ("source", "replica"):
            told = {"server": f"{end}_server", "cluster": "cluster", "snapshot": f"{end}_snapshot"}
            given = {key: plain[name] for key, name in told.items() if plain.get(name)}
            instances.setdefault(plain[end], {}).update(given)
    return of_document({"instances": instances, "links": entries}, path, folder)


def _server(value: Any, where: str) -> str | None:
    """A server's name, refused here already where nobody knows it."""
    if not value:
        return None
    try:
        Server.parse(str(value))
    except UnknownServer as error:
        raise UsageError(f"{where}: {error}") from None
    return str(value)


def _settings(value: Any, where: str) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UsageError(
            f"{where}: settings are variables with their values: {{slave_type_conversions: ALL_NON_LOSSY}}"
        )
    out = {
        str(k): ("ON" if v else "OFF") if isinstance(v, bool) else "" if v is None else str(v)
        for k, v in value.items()
    }
    try:
        return variable.checked(out)
    except BadSetting as error:
        raise UsageError(f"{where}: {error}") from None


def filters_of(value: Any, where: str) -> FilterSet:
    """Filters as a mapping of option to values (`{replicate-do-db: [a, b]}`). Raises UsageError."""
    if not value:
        return FilterSet()
    if not isinstance(value, dict):
        raise UsageError(f"{where}: filters are options with their values: {{replicate-do-db: [shop]}}")
    result: dict[str, Any] = {}
    for name, given in value.items():
        option = str(name).replace("_", "-").lower()
        if option not in OPTIONS:
            raise UsageError(f"{where}: unknown filter {name!r}{near(option, OPTIONS)}")
        every = given if isinstance(given, list) else [given]
        if any(v is None or isinstance(v, list | dict | bool) for v in every):
            raise UsageError(f"{where}: {name} takes names as text, or a list of them")
        values = [str(v) for v in every]
        for text in values:
            try:
                check(option, text, None, Given.OPTION, where)
            except BadSetting as error:
                raise UsageError(str(error)) from None
        key = OPTIONS[option]
        if key == "rewrite_db":
            result[key] = tuple(
                (old.strip(), new.strip()) for old, _, new in (value.partition("->") for value in values)
            )
        else:
            if key.endswith("domain_ids") and not all(v.isascii() and v.isdigit() for v in values):
                raise UsageError(f"{where}: {name} is a list of numbers")
            result[key] = tuple(int(v) for v in values) if key.endswith("domain_ids") else tuple(values)
    return replace(FilterSet(), **{k: v for k, v in result.items() if k in FIELDS})
